// From where to where there is something to see, along the line of sight: depth has 24 bits, and all of them are needed
// where a clash of a tenth of a millimetre is looked at in a plant.

import type { Vector3 } from 'three';
import type { Box } from './boxes';
import type { CameraRig } from './camera';
import type { PartTable } from './part_table';

/** Distances from the target, of the nearest and of the furthest of what lies within the picture's borders. */
export function depthsInSight(rig: CameraRig, table: PartTable, boxes: readonly Box[], others: readonly Vector3[]): [number, number] {
  const [right, up, away] = rig.axes, { target } = rig.controls, { span } = rig;
  const high = 0.5 * span, wide = rig.camera.right * span;
  const x = target.dot(right), y = target.dot(up), z = target.dot(away);
  // Lines and arrows stand out from parts by less than the picture is high.
  let from = -span, to = span;
  boxes.forEach((box, part) => {
    if (!table.isShown(part)) return;
    const [left, end] = table.along(part, box, right);
    if (left - x > wide || end - x < -wide) return;
    const [low, top] = table.along(part, box, up);
    if (low - y > high || top - y < -high) return;
    const [near, far] = table.along(part, box, away);
    if (near - z < from) from = near - z;
    if (far - z > to) to = far - z;
  });
  for (const point of others) {
    const depth = point.dot(away) - z;
    if (depth < from) from = depth;
    if (depth > to) to = depth;
  }
  return [from - span, to + span];
}
