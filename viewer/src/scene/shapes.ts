// Parts that change their form: vertices that move from key to key, and the shading that goes with it.

import { decodeKeys, type DecodedMesh } from '../decode';
import type { Model } from '../model';
import type { Batches } from './batches';

interface Body {
  part: number;
  mesh: DecodedMesh;
  times: number[];
  rest: Uint16Array;
  keys: Uint16Array[];
}

export class Shapes {
  private readonly bodies: Body[];
  private shown: number | null = null;

  constructor(model: Model, buffer: Uint8Array, meshes: DecodedMesh[], private readonly batches: Batches) {
    const { page } = model;
    this.bodies = (page.motion?.deformations ?? []).map(({ part, times, bytes: [offset, length] }) => {
      const id = page.parts[part]!.mesh, mesh = meshes[id]!;
      const rest = new Uint16Array(3 * page.meshes[id]!.vertices);
      mesh.source!.forEach((vertex, i) => rest.set(mesh.positions.subarray(4 * i, 4 * i + 3), 3 * vertex));
      return { part, mesh, times, rest, keys: decodeKeys(buffer.subarray(offset, offset + length), rest, times.length) };
    });
  }

  /** The forms at a time; null: as the file has them. */
  show(t: number | null): void {
    if (t === this.shown || !this.bodies.length) return;
    this.shown = t;
    for (const body of this.bodies) {
      const { positions, normals, source } = body.mesh;
      const cells = t === null ? body.rest : between(body, t);
      source!.forEach((vertex, i) => positions.set(cells.subarray(3 * vertex, 3 * vertex + 3), 4 * i));
      shade(body.mesh);
      this.batches.deform(body.part, positions, normals);
    }
  }
}

function between({ times, keys }: Body, t: number): Uint16Array {
  const after = times.findIndex((time) => time > t);
  if (after === 0) return keys[0]!;
  if (after < 0) return keys[keys.length - 1]!;
  const a = keys[after - 1]!, b = keys[after]!, s = (t - times[after - 1]!) / (times[after]! - times[after - 1]!);
  return a.map((cell, i) => Math.round(cell + s * (b[i]! - cell)));
}

/** Normals of vertices from those of the triangles around them, larger ones counting more. */
function shade({ positions, normals, index }: DecodedMesh): void {
  const sums = new Float32Array(normals.length);
  for (let t = 0; t < index.length; t += 3) {
    const a = 4 * index[t]!, b = 4 * index[t + 1]!, c = 4 * index[t + 2]!;
    const ux = positions[b]! - positions[a]!, uy = positions[b + 1]! - positions[a + 1]!, uz = positions[b + 2]! - positions[a + 2]!;
    const vx = positions[c]! - positions[a]!, vy = positions[c + 1]! - positions[a + 1]!, vz = positions[c + 2]! - positions[a + 2]!;
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    for (const v of [a, b, c]) {
      sums[v] = sums[v]! + x;
      sums[v + 1] = sums[v + 1]! + y;
      sums[v + 2] = sums[v + 2]! + z;
    }
  }
  for (let v = 0; v < sums.length; v += 4) {
    const scale = 127 / (Math.hypot(sums[v]!, sums[v + 1]!, sums[v + 2]!) || 1);
    for (let k = 0; k < 3; ++k) normals[v + k] = Math.round(sums[v + k]! * scale);
  }
}
