// Boxes along the axes: low corner, then high corner.

import { Vector3 } from 'three';

export type Box = Float64Array;

export const emptyBox = (): Box => new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);

export function include(box: Box, other: ArrayLike<number>): void {
  for (let axis = 0; axis < 3; ++axis) {
    box[axis] = Math.min(box[axis]!, other[axis]!);
    box[axis + 3] = Math.max(box[axis + 3]!, other[axis + 3]!);
  }
}
export function boxOf(points: readonly Vector3[]): Box {
  const box = emptyBox();
  for (const { x, y, z } of points) include(box, [x, y, z, x, y, z]);
  return box;
}
/** What two boxes have in common, or, along axes on which they are apart, what lies between them. */
export function between(p: Box, q: Box): Box {
  const out = emptyBox();
  for (let axis = 0; axis < 3; ++axis) {
    const low = Math.max(p[axis]!, q[axis]!), high = Math.min(p[axis + 3]!, q[axis + 3]!);
    out[axis] = Math.min(low, high);
    out[axis + 3] = Math.max(low, high);
  }
  return out;
}
const isEmpty = (box: Box): boolean => !(box[0]! <= box[3]!);
export const diagonal = (box: Box): number => isEmpty(box) ? 0 : Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
export const middle = (box: Box): Vector3 => isEmpty(box) ? new Vector3() : new Vector3(0.5 * (box[0]! + box[3]!), 0.5 * (box[1]! + box[4]!), 0.5 * (box[2]! + box[5]!));
export const corners = (box: Box): Vector3[] => isEmpty(box) ? [] : [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(box[3 * (k & 1)]!, box[1 + 3 * ((k >> 1) & 1)]!, box[2 + 3 * (k >> 2)]!));
export const shifted = (box: Box, by: ArrayLike<number>): Box => box.map((value, i) => value + by[i % 3]!);
