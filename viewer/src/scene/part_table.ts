// The texture that says of every part where it is and how it looks, and the arithmetic of poses behind it.

import { DataTexture, FloatType, NearestFilter, RGBAFormat, Vector3 } from 'three';
import type { Model } from '../model';
import type { Pose, Vec3 } from '../types';
import { closedPart, Look, partsPerRow } from './shaders';

/** Row-major 3x3 of a unit quaternion, and a translation. */
export interface Placement {
  rotation: number[];
  at: Vec3;
}

export function placement(pose: ArrayLike<number>, offset = 0): Placement {
  const w = pose[offset]!, x = pose[offset + 1]!, y = pose[offset + 2]!, z = pose[offset + 3]!;
  return {
    rotation: [
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ],
    at: [pose[offset + 4]!, pose[offset + 5]!, pose[offset + 6]!],
  };
}

export const applied = ({ rotation: r, at }: Placement, [x, y, z]: ArrayLike<number> & Iterable<number>): Vec3 => [
  r[0]! * x! + r[1]! * y! + r[2]! * z! + at[0], r[3]! * x! + r[4]! * y! + r[5]! * z! + at[1], r[6]! * x! + r[7]! * y! + r[8]! * z! + at[2],
];

export function composed(outer: Placement, inner: Placement): Placement {
  const a = outer.rotation, b = inner.rotation, rotation: number[] = [];
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j) rotation.push(a[3 * i]! * b[j]! + a[3 * i + 1]! * b[3 + j]! + a[3 * i + 2]! * b[6 + j]!);
  return { rotation, at: applied(outer, inner.at) };
}

export class PartTable {
  readonly texture: DataTexture;
  private readonly data: Float32Array;
  private readonly rest: Placement[];
  /** From grid cells to lengths about the centre, in double precision: three rows of four for each part. */
  private readonly frames: Float64Array;
  /** About the centre; what the graphics card is given is told from here. */
  private anchor: Vec3 = [0, 0, 0];

  /** `centre` is what the world's numbers are told from, so that they keep their digits in single precision. */
  constructor(private readonly model: Model, private readonly closed: readonly boolean[], public centre: Vec3 = [0, 0, 0]) {
    const rows = Math.max(1, Math.ceil(model.page.parts.length / partsPerRow));
    this.data = new Float32Array(rows * partsPerRow * 16);
    this.frames = new Float64Array(12 * model.page.parts.length);
    this.texture = new DataTexture(this.data, partsPerRow * 4, rows, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.rest = model.page.parts.map((part) => placement(part.pose));
    model.page.parts.forEach((_, part) => {
      this.data.set(model.color(part), 16 * part + 12);
      this.look(part, Look.solid);
    });
  }

  /** Where the file has it. */
  resting(part: number): Placement {
    return this.rest[part]!;
  }
  place(part: number, world: Placement, shift: ArrayLike<number>): void {
    const { origin, step } = this.model.page.meshes[this.model.page.parts[part]!.mesh]!;
    const at = applied(world, origin);
    for (let row = 0; row < 3; ++row) {
      const to = 12 * part + 4 * row;
      for (let k = 0; k < 3; ++k) this.frames[to + k] = world.rotation[3 * row + k]! * step;
      this.frames[to + 3] = at[row]! - this.centre[row]! + shift[row]!;
    }
    this.write(part);
  }
  private write(part: number): void {
    for (let i = 0; i < 12; ++i) this.data[16 * part + i] = this.frames[12 * part + i]! - (i % 4 === 3 ? this.anchor[i >> 2]! : 0);
    this.texture.needsUpdate = true;
  }
  /** Tells all places from this point on, so that single precision is finest there. */
  anchorAt({ x, y, z }: Vector3): void {
    this.anchor = [x, y, z];
    for (let part = 0; part < this.rest.length; ++part) this.write(part);
  }
  look(part: number, look: Look): void {
    this.data[16 * part + 15] = look + (this.closed[this.model.page.parts[part]!.mesh] ? closedPart : 0);
    this.texture.needsUpdate = true;
  }
  tint(part: number, color: ArrayLike<number>): void {
    this.data.set(color, 16 * part + 12);
    this.texture.needsUpdate = true;
  }
  /** A line in the part's grid cells. A point of it keeps its parameter. */
  toCells(part: number, from: Vector3, along: Vector3): { origin: number[]; direction: number[] } {
    const m = (row: number, k: number) => this.frames[12 * part + 4 * row + k]!;
    const step = m(0, 0) ** 2 + m(1, 0) ** 2 + m(2, 0) ** 2; // squared
    const turned = (v: number[]) => [0, 1, 2].map((k) => (m(0, k) * v[0]! + m(1, k) * v[1]! + m(2, k) * v[2]!) / step);
    return { origin: turned([from.x - m(0, 3), from.y - m(1, 3), from.z - m(2, 3)]), direction: turned(along.toArray()) };
  }
  fromCells(part: number, x: number, y: number, z: number): Vector3 {
    const row = (i: number) => {
      const m = 12 * part + 4 * i;
      return this.frames[m]! * x + this.frames[m + 1]! * y + this.frames[m + 2]! * z + this.frames[m + 3]!;
    };
    return new Vector3(row(0), row(1), row(2));
  }
  /** How far a part reaches along a direction, from and to, as it is placed now. `box` is of its mesh, in grid cells. */
  along(part: number, box: Float64Array, { x, y, z }: Vector3): [number, number] {
    const m = 12 * part, f = this.frames;
    let middle = f[m + 3]! * x + f[m + 7]! * y + f[m + 11]! * z, half = 0;
    for (let k = 0; k < 3; ++k) {
      const share = f[m + k]! * x + f[m + 4 + k]! * y + f[m + 8 + k]! * z;
      middle += 0.5 * share * (box[k]! + box[k + 3]!);
      half += 0.5 * Math.abs(share) * (box[k + 3]! - box[k]!);
    }
    return [middle - half, middle + half];
  }
  isShown(part: number): boolean {
    return (this.data[16 * part + 15]! & 7) !== Look.hidden;
  }
  /** The part's middle and reach from it, as it is placed now. `box` is of its mesh, in grid cells. */
  box(part: number, box: Float64Array): Float64Array {
    const out = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    for (let corner = 0; corner < 8; ++corner)
      for (let row = 0; row < 3; ++row) {
        const m = 12 * part + 4 * row;
        let value = this.frames[m + 3]!;
        for (let k = 0; k < 3; ++k) value += this.frames[m + k]! * box[((corner >> k) & 1) * 3 + k]!;
        out[row] = Math.min(out[row]!, value);
        out[row + 3] = Math.max(out[row + 3]!, value);
      }
    return out;
  }
}

export function relative(rest: Placement, keys: number[][], t: number): Placement {
  const last = keys.length - 1;
  let k = keys.findIndex((key) => key[0]! > t);
  if (k === 0) return composed(rest, placement(keys[0]!, 1));
  if (k < 0) return composed(rest, placement(keys[last]!, 1));
  const a = keys[k - 1]!, b = keys[k]!;
  const s = (t - a[0]!) / (b[0]! - a[0]!);
  return composed(rest, placement(blended(a, b, s, 1)));
}

/** Position linear, rotation by slerp along the shorter arc. */
export function blended(a: ArrayLike<number>, b: ArrayLike<number>, s: number, from = 0, fromB = from): Pose {
  let cosine = 0;
  for (let i = 0; i < 4; ++i) cosine += a[from + i]! * b[fromB + i]!;
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const u = sine < 1e-6 ? 1 - s : Math.sin((1 - s) * angle) / sine;
  const v = sign * (sine < 1e-6 ? s : Math.sin(s * angle) / sine);
  const out: number[] = [];
  for (let i = 0; i < 4; ++i) out.push(u * a[from + i]! + v * b[fromB + i]!);
  const length = Math.hypot(...out);
  for (let i = 0; i < 4; ++i) out[i] = out[i]! / length;
  for (let i = 4; i < 7; ++i) out.push((1 - s) * a[from + i]! + s * b[fromB + i]!);
  return out as Pose;
}
