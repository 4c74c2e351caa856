// What is drawn of one finding: its surfaces in two colours, where they cross, where they lie flat on one another, how
// deep, how far apart.

import {
  BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, ShapeUtils, Vector2, Vector3, type RawShaderMaterial,
} from 'three';
import { decodeCurves } from '../decode';
import type { Item, Model } from '../model';
import type { Patch, Vec3 } from '../types';
import type { Batches } from './batches';
import { boxOf, diagonal } from './boxes';
import { arrow, type Lines } from './lines';

const curveColor = '#ff2d00', patchColor = '#d81b60', arrowColor = '#111111';

export interface Label {
  at: Vector3;
  /** What it is written away from. */
  from?: Vector3;
  text: string;
}
export interface Highlight {
  group: Group;
  /** What there is to look at, if anything but whole parts. */
  points: Vector3[];
  normal: Vector3 | null;
  labels: Label[];
}

export class Highlighter {
  private readonly curves = new Map<number, number>();
  private readonly gaps = new Map<number, number>();
  private readonly patchMaterial = new MeshBasicMaterial({ color: patchColor, side: DoubleSide, transparent: true, opacity: 0.55, depthTest: false, depthWrite: false });

  constructor(
    private readonly model: Model, private readonly batches: Batches, private readonly buffer: Uint8Array, private readonly centre: Vec3,
    private readonly lines: Lines, private readonly sides: readonly (readonly RawShaderMaterial[])[],
  ) {
    model.page.curves.forEach((curve, at) => this.curves.set(curve.finding, at));
    model.page.gaps.forEach((gap, at) => this.gaps.set(gap.finding, at));
  }

  private local([x, y, z]: Vec3): Vector3 {
    return new Vector3(x - this.centre[0], y - this.centre[1], z - this.centre[2]);
  }

  /** `cut`: not in the half that a section takes away. */
  private haloed(out: Highlight, segments: ArrayLike<number>, color: string, width: number, cut = false): void {
    out.group.add(...this.lines.haloed(Float32Array.from(segments), color, width, cut));
  }

  private addSide(out: Highlight, part: number, surfaces: number[], side: 'a' | 'b'): void {
    if (part < 0) return;
    const geometry = this.batches.surfaces(part, surfaces.length ? surfaces : null);
    this.sides[side === 'a' ? 0 : 1]!.forEach((material, layer) => {
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = layer === 0 ? 2 : 5;
      out.group.add(mesh);
    });
  }

  private addPatch(out: Highlight, patch: Patch): void {
    const n = new Vector3(...patch.normal);
    const u = new Vector3(Math.abs(n.x) < 0.8 ? 1 : 0, Math.abs(n.x) < 0.8 ? 0 : 1, 0).cross(n).normalize();
    const v = n.clone().cross(u);
    const loops = patch.loops.map((loop) => loop.map((p) => this.local(p)));
    const flat = loops.map((loop) => loop.map((p) => new Vector2(p.dot(u), p.dot(v))));
    const outer = flat.map((loop) => ShapeUtils.area(loop) > 0);
    const corners: number[] = [], border: number[] = [];
    loops.forEach((loop, i) => {
      loop.forEach((p, k) => {
        border.push(...p.toArray(), ...loop[(k + 1) % loop.length]!.toArray());
        out.points.push(p);
      });
      if (!outer[i]) return;
      const holes = flat.map((_, h) => h).filter((h) => !outer[h] && inside(flat[h]![0]!, flat[i]!));
      const all = [loop, ...holes.map((h) => loops[h]!)].flat();
      for (const face of ShapeUtils.triangulateShape(flat[i]!, holes.map((h) => flat[h]!)))
        for (const corner of face) corners.push(...all[corner]!.toArray());
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3));
    const fill = new Mesh(geometry, this.patchMaterial);
    fill.frustumCulled = false;
    fill.renderOrder = 19;
    out.group.add(fill);
    this.haloed(out, border, patchColor, 1.6, true);
    out.normal ??= n;
  }

  /** Surfaces of two parts that move, wherever they are. */
  meeting(a: number, surfacesA: number[], b: number, surfacesB: number[]): Highlight {
    const out: Highlight = { group: new Group(), points: [], normal: null, labels: [] };
    if (surfacesA.length) this.addSide(out, a, surfacesA, 'a');
    if (surfacesB.length) this.addSide(out, b, surfacesB, 'b');
    return out;
  }

  /** `size`: of the smaller part. */
  make(item: Item, lengths: { depth: string; gap: string }, size: number): Highlight {
    const { finding } = item;
    const out: Highlight = { group: new Group(), points: [], normal: null, labels: [] };
    // Of parts that lie inside others only the inner one is worth filling.
    const inside = finding.verdict === 'contained';
    if (!inside || finding.shells_inside.a.length) this.addSide(out, item.a, inside ? [] : finding.a.surfaces, 'a');
    if (!inside || finding.shells_inside.b.length) this.addSide(out, item.b, inside ? [] : finding.b.surfaces, 'b');
    for (const patch of finding.patches) this.addPatch(out, patch);

    const curve = this.curves.get(item.at);
    if (curve !== undefined) {
      const { bytes: [offset, length], origin, step, segments } = this.model.page.curves[curve]!;
      const ends = decodeCurves(this.buffer.subarray(offset, offset + length), origin, step, segments, this.centre);
      this.haloed(out, ends, curveColor, 2.6, true);
      for (let i = 0; i < ends.length; i += 3) out.points.push(new Vector3(ends[i], ends[i + 1], ends[i + 2]));
    }
    if (finding.depth && finding.verdict !== 'touch') {
      const from = this.local(finding.depth.centre);
      const escape = new Vector3(...finding.depth.escape);
      if (escape.length() > 0) {
        const extent = out.points.length ? diagonal(boxOf(out.points)) : size;
        out.labels.push({ at: this.dimension(out, from, from.clone().add(escape), Math.max(extent, 0.4 * size), arrowColor), from, text: lengths.depth });
        out.normal = escape.clone().normalize();
      }
    }
    const gap = this.gaps.get(item.at);
    if (gap !== undefined) {
      const a = this.local(this.model.page.gaps[gap]!.a), b = this.local(this.model.page.gaps[gap]!.b);
      this.haloed(out, [...a.toArray(), ...b.toArray()], curveColor, 2.6);
      out.labels.push({ at: this.dimension(out, a, b, 0.6 * size, arrowColor), from: a, text: lengths.gap });
      out.normal = b.clone().sub(a).normalize();
    }
    if (finding.point) out.points.push(this.local(finding.point));
    return out;
  }

  /**
   * A length as drawings show it: an arrow along it, or, where it is too short for one, two that point at its ends from
   * outside. Where its number goes.
   */
  private dimension(out: Highlight, from: Vector3, to: Vector3, extent: number, color: string): Vector3 {
    const length = from.distanceTo(to);
    out.points.push(from, to);
    if (length >= 0.1 * extent) {
      this.haloed(out, arrow(from, to), color, 2);
      return to.clone();
    }
    const along = to.clone().sub(from).normalize(), tail = 0.16 * extent, head = 0.04 * extent;
    const before = from.clone().addScaledVector(along, -tail), after = to.clone().addScaledVector(along, tail);
    this.haloed(out, [...arrow(before, from, head), ...arrow(after, to, head)], color, 2);
    out.points.push(before, after);
    return after;
  }

  release(highlight: Highlight): void {
    highlight.group.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      const geometry = object.geometry as BufferGeometry;
      // Vertices that belong to the assembly stay on the graphics card.
      if (geometry.hasAttribute('part')) for (const name of ['position', 'normal', 'part']) geometry.deleteAttribute(name);
      geometry.dispose();
    });
  }
}

function inside(p: Vector2, loop: Vector2[]): boolean {
  let odd = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const a = loop[i]!, b = loop[j]!;
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) odd = !odd;
  }
  return odd;
}
