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
export const diagonal = (box: Box): number => Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
export const middle = (box: Box): Vector3 => new Vector3(0.5 * (box[0]! + box[3]!), 0.5 * (box[1]! + box[4]!), 0.5 * (box[2]! + box[5]!));
export const shifted = (box: Box, by: ArrayLike<number>): Box => box.map((value, i) => value + by[i % 3]!);
