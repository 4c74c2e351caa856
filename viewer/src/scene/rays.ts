// Where a line of sight meets a part: to the digits that the picture's coordinates have.

import { Vector3 } from 'three';
import type { DecodedMesh } from '../decode';
import type { PartTable } from './part_table';

export interface Hit {
  /** About the centre. */
  at: Vector3;
  surface: number;
  corners: [Vector3, Vector3, Vector3];
}

/** The first of a part's triangles that the line meets on the side of the section that is left. */
export function hit(table: PartTable, part: number, mesh: DecodedMesh, from: Vector3, along: Vector3, isCut: (p: Vector3) => boolean): Hit | null {
  const { origin: o, direction: d } = table.toCells(part, from, along);
  const { positions, index, surfaceStart } = mesh;
  let nearest = Infinity, found = -1;
  for (let t = 0; t < index.length; t += 3) {
    const a = 4 * index[t]!, b = 4 * index[t + 1]!, c = 4 * index[t + 2]!;
    const ax = positions[a]!, ay = positions[a + 1]!, az = positions[a + 2]!;
    const ux = positions[b]! - ax, uy = positions[b + 1]! - ay, uz = positions[b + 2]! - az;
    const vx = positions[c]! - ax, vy = positions[c + 1]! - ay, vz = positions[c + 2]! - az;
    const px = d[1]! * vz - d[2]! * vy, py = d[2]! * vx - d[0]! * vz, pz = d[0]! * vy - d[1]! * vx;
    const det = ux * px + uy * py + uz * pz;
    if (det === 0) continue;
    const sx = o[0]! - ax, sy = o[1]! - ay, sz = o[2]! - az;
    const u = (sx * px + sy * py + sz * pz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const v = (d[0]! * qx + d[1]! * qy + d[2]! * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const at = (vx * qx + vy * qy + vz * qz) / det;
    if (at >= nearest || isCut(from.clone().addScaledVector(along, at))) continue;
    nearest = at;
    found = t;
  }
  if (found < 0) return null;
  let surface = 0;
  while (surface + 1 < surfaceStart.length - 1 && 3 * surfaceStart[surface + 1]! <= found) ++surface;
  const corner = (k: number) => {
    const at = 4 * index[found + k]!;
    return table.fromCells(part, positions[at]!, positions[at + 1]!, positions[at + 2]!);
  };
  return { at: from.clone().addScaledVector(along, nearest), surface, corners: [corner(0), corner(1), corner(2)] };
}
