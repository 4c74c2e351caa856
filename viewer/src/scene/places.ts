// Where two parts meet more than once: connected pieces of the curve in which they cross, and of the patches in which
// they lie on one another. Each is a place to look at.

import { Vector3 } from 'three';
import type { Curves } from '../decode';
import { boxOf, diagonal, emptyBox, include, type Box } from './boxes';

export interface Place {
  /** About the centre. */
  box: Box;
}

class Groups {
  private readonly parent: Int32Array;
  constructor(count: number) {
    this.parent = Int32Array.from({ length: count }, (_, i) => i);
  }
  of(i: number): number {
    while (this.parent[i] !== i) i = this.parent[i] = this.parent[this.parent[i]!]!;
    return i;
  }
  join(i: number, j: number): void {
    this.parent[this.of(i)] = this.of(j);
  }
}

/** Largest first. `closed`: both parts are; `loops`: borders of patches, outer ones alone; `near`: what is no further apart than that is connected. */
export function placesOf(curves: Curves | null, closed: boolean, loops: readonly Vector3[][], near: number): Place[] {
  const boxes = [...(curves ? piecesOf(curves, closed) : []), ...patchesOf(loops, near)];
  return boxes.sort((p, q) => diagonal(q) - diagonal(p)).map((box) => ({ box }));
}

const mostOpenEnds = 2000;

function piecesOf({ points, cells, ends }: Curves, closed: boolean): Box[] {
  const count = points.length / 3, groups = new Groups(count), corners = new Groups(count);
  for (let s = 0; s < ends.length; s += 2) groups.join(ends[s]!, ends[s + 1]!);
  // A corner that several pairs of triangles tell may be rounded into several cells, side by side.
  const at = new Map<number, number>();
  const key = (x: number, y: number, z: number): number => (x * 65538 + y) * 65538 + z;
  for (let i = 0; i < count; ++i) at.set(key(cells[3 * i]! + 1, cells[3 * i + 1]! + 1, cells[3 * i + 2]! + 1), i);
  for (let i = 0; i < count; ++i)
    for (let n = 14; n < 27; ++n) {
      const other = at.get(key(cells[3 * i]! + Math.floor(n / 9), cells[3 * i + 1]! + (Math.floor(n / 3) % 3), cells[3 * i + 2]! + (n % 3)));
      if (other !== undefined) groups.join(i, other), corners.join(i, other);
    }
  if (closed) closeUp(points, ends, groups, corners);
  const out = new Map<number, Box>();
  for (const end of ends) {
    const group = groups.of(end);
    if (!out.has(group)) out.set(group, emptyBox());
    const p = points.subarray(3 * end, 3 * end + 3);
    include(out.get(group)!, [...p, ...p]);
  }
  return [...out.values()];
}

/**
 * Closed parts cross in curves without ends. Where a curve has some, it goes on along faces that merely touch, which is not
 * drawn: to the end of another piece that is nearest.
 */
function closeUp(points: Float64Array, ends: Uint32Array, groups: Groups, corners: Groups): void {
  const degree = new Map<number, number>();
  for (const end of ends) degree.set(corners.of(end), (degree.get(corners.of(end)) ?? 0) + 1);
  const open = [...degree].filter(([, n]) => n === 1).map(([corner]) => corner);
  if (open.length > mostOpenEnds) return;
  const piece = open.map((end) => groups.of(end));
  open.forEach((p, i) => {
    let nearest = -1, least = Infinity;
    open.forEach((q, k) => {
      if (piece[k] === piece[i]) return;
      const far = (points[3 * p]! - points[3 * q]!) ** 2 + (points[3 * p + 1]! - points[3 * q + 1]!) ** 2 + (points[3 * p + 2]! - points[3 * q + 2]!) ** 2;
      if (far < least) (least = far), (nearest = q);
    });
    if (nearest >= 0) groups.join(p, nearest);
  });
}

function patchesOf(loops: readonly Vector3[][], near: number): Box[] {
  const boxes = loops.map((loop) => boxOf(loop)), groups = new Groups(loops.length);
  const order = loops.map((_, i) => i).sort((p, q) => boxes[p]![0]! - boxes[q]![0]!);
  order.forEach((p, i) => {
    for (let k = i + 1; k < order.length && boxes[order[k]!]![0]! <= boxes[p]![3]! + near; ++k) {
      const q = order[k]!;
      if (groups.of(p) === groups.of(q) || [1, 2].some((axis) => boxes[p]![axis]! > boxes[q]![axis + 3]! + near || boxes[q]![axis]! > boxes[p]![axis + 3]! + near)) continue;
      if (touches(loops[p]!, loops[q]!, near) || touches(loops[q]!, loops[p]!, near)) groups.join(p, q);
    }
  });
  const out = new Map<number, Box>();
  boxes.forEach((box, i) => {
    const group = groups.of(i);
    if (out.has(group)) include(out.get(group)!, box);
    else out.set(group, box.slice());
  });
  return [...out.values()];
}

/** Whether a corner of one lies on the border of the other. */
function touches(corners: readonly Vector3[], border: readonly Vector3[], near: number): boolean {
  return corners.some((p) => border.some((a, i) => {
    const along = border[(i + 1) % border.length]!.clone().sub(a), from = p.clone().sub(a);
    const share = Math.min(1, Math.max(0, from.dot(along) / (along.lengthSq() || 1)));
    return from.addScaledVector(along, -share).length() <= near;
  }));
}
