// What is drawn of one finding: its surfaces in two colours, where they cross, where they lie flat on one another, how
// deep, how far apart.

import {
  BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, ShapeUtils, Vector2, Vector3, type RawShaderMaterial,
} from 'three';
import { decodeCurves, type Curves } from '../decode';
import type { Item, Model } from '../model';
import type { Patch, Vec3 } from '../types';
import type { Batches } from './batches';
import { boxOf, emptyBox, include, type Box } from './boxes';
import { arrow, type Lines } from './lines';
import { placesOf, type Place } from './places';

/** A gap is a gap by what is around it: the picture is so many times as high as it is wide. */
export const gapHeights = 24;
const curveColor = '#ff2d00', patchColor = '#d81b60', arrowColor = '#111111';

export interface Label {
  at: Vector3;
  /** What it is written away from. */
  from?: Vector3;
  text: string;
}
export interface Highlight {
  /** Its numbers are about `origin`, which is where it is: single precision is finest there. */
  group: Group;
  /** About the centre. */
  origin: Vector3;
  /** What there is to look at, if anything but whole parts. */
  points: Vector3[];
  /** What was found itself, without arrows; empty if it is but a point. */
  extent: Box;
  /** Largest first; none where there is only the whole. */
  places: Place[];
  normal: Vector3 | null;
  labels: Label[];
  /** What is measured, and the arrows that show it, made for a picture of this height. */
  lengths: { from: Vector3; to: Vector3; text: string }[];
  arrows: Group;
  height: number;
}

export class Highlighter {
  private readonly curves = new Map<number, number>();
  private readonly gaps = new Map<number, number>();
  private readonly patchMaterial = new MeshBasicMaterial({ color: patchColor, side: DoubleSide, transparent: true, opacity: 0.55, depthTest: false, depthWrite: false });

  constructor(
    private readonly model: Model, private readonly batches: Batches, private readonly buffer: Uint8Array, private readonly centre: Vec3,
    private readonly lines: Lines, private readonly closed: (part: number) => boolean, private readonly sides: readonly (readonly RawShaderMaterial[])[],
  ) {
    model.page.curves.forEach((curve, at) => this.curves.set(curve.finding, at));
    model.page.gaps.forEach((gap, at) => this.gaps.set(gap.finding, at));
  }

  private local([x, y, z]: Vec3): Vector3 {
    return new Vector3(x - this.centre[0], y - this.centre[1], z - this.centre[2]);
  }

  /** `cut`: not in the half that a section takes away. */
  private haloed(out: Highlight, segments: ArrayLike<number>, color: string, width: number, cut = false): void {
    const from = out.origin.toArray();
    out.group.add(...this.lines.haloed(Float32Array.from(segments, (x, i) => x - from[i % 3]!), color, width, cut));
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

  /** Draws it; its outer borders. */
  private addPatch(out: Highlight, patch: Patch): Vector3[][] {
    const n = new Vector3(...patch.normal);
    const u = new Vector3(Math.abs(n.x) < 0.8 ? 1 : 0, Math.abs(n.x) < 0.8 ? 0 : 1, 0).cross(n).normalize();
    const v = n.clone().cross(u);
    const loops = patch.loops.map((loop) => loop.map((p) => this.local(p)));
    const flat = loops.map((loop) => loop.map((p) => p.clone().sub(out.origin)).map((p) => new Vector2(p.dot(u), p.dot(v))));
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
        for (const corner of face) corners.push(...all[corner]!.clone().sub(out.origin).toArray());
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3));
    const fill = new Mesh(geometry, this.patchMaterial);
    fill.frustumCulled = false;
    fill.renderOrder = 19;
    out.group.add(fill);
    this.haloed(out, border, patchColor, 1.6, true);
    out.normal ??= n;
    return loops.filter((_, i) => outer[i]);
  }

  /** Surfaces of two parts that move, wherever they are. */
  meeting(a: number, surfacesA: number[], b: number, surfacesB: number[]): Highlight {
    const out = this.empty(new Vector3());
    if (surfacesA.length) this.addSide(out, a, surfacesA, 'a');
    if (surfacesB.length) this.addSide(out, b, surfacesB, 'b');
    return out;
  }

  private empty(origin: Vector3): Highlight {
    return { group: new Group(), origin, points: [], extent: emptyBox(), places: [], normal: null, labels: [], lengths: [], arrows: new Group(), height: 0 };
  }

  /** `size`: of the smaller part. */
  make(item: Item, lengths: { depth: string; gap: string }, size: number): Highlight {
    const { finding } = item;
    const curve = this.model.page.curves[this.curves.get(item.at) ?? -1], gap = this.model.page.gaps[this.gaps.get(item.at) ?? -1];
    const where = finding.depth?.centre ?? finding.point ?? finding.patches[0]?.loops[0]?.[0] ?? curve?.origin;
    const out = this.empty(where ? this.local(where) : new Vector3());
    // Of parts that lie inside others only the inner one is worth filling.
    const inside = finding.verdict === 'contained';
    if (!inside || finding.shells_inside.a.length) this.addSide(out, item.a, inside ? [] : finding.a.surfaces, 'a');
    if (!inside || finding.shells_inside.b.length) this.addSide(out, item.b, inside ? [] : finding.b.surfaces, 'b');
    const loops = finding.patches.flatMap((patch) => this.addPatch(out, patch));

    let curves: Curves | null = null;
    if (curve) {
      const { bytes: [offset, length], origin, step, segments } = curve;
      curves = decodeCurves(this.buffer.subarray(offset, offset + length), origin, step, segments, this.centre);
      const { points, ends } = curves;
      const lines = new Float64Array(3 * ends.length);
      ends.forEach((end, i) => {
        lines.set(points.subarray(3 * end, 3 * end + 3), 3 * i);
        out.points.push(new Vector3().fromArray(points, 3 * end));
      });
      this.haloed(out, lines, curveColor, 2.6, true);
    }
    out.places = placesOf(curves, [item.a, item.b].every((part) => part >= 0 && this.closed(part)), loops, Math.max(finding.resolution, 1e-9 * size));
    for (const { box } of out.places) include(out.extent, box);
    if (finding.depth && finding.verdict !== 'touch') {
      const from = this.local(finding.depth.centre);
      const escape = new Vector3(...finding.depth.escape);
      if (escape.length() > 0) {
        out.lengths.push({ from, to: from.clone().add(escape), text: lengths.depth });
        out.normal = escape.clone().normalize();
      }
    }
    if (gap) {
      const a = this.local(gap.a), b = this.local(gap.b);
      include(out.extent, boxOf([a, b]));
      this.haloed(out, [...a.toArray(), ...b.toArray()], curveColor, 2.6);
      out.lengths.push({ from: a, to: b, text: lengths.gap });
      out.normal = b.clone().sub(a).normalize();
    }
    if (finding.point) out.points.push(this.local(finding.point));
    for (const { from, to } of out.lengths) out.points.push(from, to);
    return out;
  }

  /** Arrows and numbers for a picture of this height: they are as large on the screen however close one looks. */
  dimension(out: Highlight, height: number): void {
    if (!out.lengths.length || (out.height > 0 && Math.max(out.height / height, height / out.height) < 1.5)) return;
    out.height = height;
    disposeLines(out.arrows);
    out.arrows.clear();
    out.group.add(out.arrows);
    const origin = out.origin.toArray();
    out.labels = out.lengths.map(({ from, to, text }) => {
      const { segments, end } = dimension(from, to, 0.6 * height);
      out.arrows.add(...this.lines.haloed(Float32Array.from(segments, (x, i) => x - origin[i % 3]!), arrowColor, 2));
      return { at: end, from, text };
    });
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

function disposeLines(group: Group): void {
  group.traverse((object) => void (object as Partial<Mesh>).geometry?.dispose());
}

/**
 * A length as drawings show it: an arrow along it, or, where it is too short for one, two that point at its ends from
 * outside. As ends of segments, and where its number goes.
 */
function dimension(from: Vector3, to: Vector3, extent: number): { segments: number[]; end: Vector3 } {
  const length = from.distanceTo(to);
  if (length >= 0.1 * extent) return { segments: arrow(from, to, 0.22 * Math.min(length, extent)), end: to.clone() };
  const along = to.clone().sub(from).normalize(), tail = 0.16 * extent, head = 0.04 * extent;
  const before = from.clone().addScaledVector(along, -tail), after = to.clone().addScaledVector(along, tail);
  return { segments: [...arrow(before, from, head), ...arrow(after, to, head)], end: after };
}

function inside(p: Vector2, loop: Vector2[]): boolean {
  let odd = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const a = loop[i]!, b = loop[j]!;
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) odd = !odd;
  }
  return odd;
}
