// The section plane, between shares of the assembly's extent and places in the file's coordinates.

import { Vector4, type Plane, type Vector3 } from 'three';
import type { Section, State } from '../store';
import type { Vec3 } from '../types';
import type { Box } from './boxes';
import type { Materials } from './materials';

export class SectionPlane {
  /** About the centre; what is below it is cut away. */
  private readonly plane = new Vector4(0, 0, 0, 1);

  constructor(private readonly materials: Materials, private readonly whole: Box, private readonly centre: Vec3, private readonly lines: Plane) {}

  apply({ section }: State): void {
    const { plane } = this;
    plane.set(0, 0, 0, 1);
    if (!section) return;
    const sign = section.flip ? 1 : -1;
    plane.set(0, 0, 0, -sign * this.place(section)).setComponent(section.axis, sign);
  }
  /** To the programs that draw, whose places are told from `anchor`. */
  tell({ x, y, z }: Vector3): void {
    const { plane } = this, cut = this.materials.cut.value;
    cut.set(plane.x, plane.y, plane.z, plane.w + plane.x * x + plane.y * y + plane.z * z);
    // Lines that lie in the section belong to what is left.
    const slack = 1e-5 * (this.whole[3]! - this.whole[0]! + this.whole[4]! - this.whole[1]! + this.whole[5]! - this.whole[2]!);
    this.lines.setComponents(cut.x, cut.y, cut.z, cut.w + slack);
  }
  /** Whether a point, about the centre, is cut away. */
  cuts({ x, y, z }: Vector3): boolean {
    const { plane } = this;
    return plane.x * x + plane.y * y + plane.z * z + plane.w < 0;
  }

  /** On its axis, about the centre. */
  private place({ axis, at }: Section): number {
    const low = this.whole[axis]!, high = this.whole[axis + 3]!;
    return low + at * (high - low);
  }
  /** In the file's own coordinates. */
  where(section: Section): number {
    return this.place(section) + this.centre[section.axis];
  }
  /** The share of the extent at which a section goes through a point, or through the middle. */
  through(axis: 0 | 1 | 2, point: Vec3 | null): number {
    const low = this.whole[axis]!, high = this.whole[axis + 3]!;
    if (!point || !(high > low)) return 0.5;
    return Math.min(1, Math.max(0, (point[axis] - this.centre[axis] - low) / (high - low)));
  }
  /** True if a point is on the side that is taken away. */
  takes(section: Section, point: Vec3): boolean {
    const beyond = point[section.axis] - this.where(section);
    return section.flip ? beyond < 0 : beyond > 0;
  }

  /** Through a point, the half towards the eye taken away; across what shows the most, or across the axis asked for. */
  facing(eye: Vector3, normal: Vector3 | null, point: Vec3 | null, axis?: 0 | 1 | 2): Section {
    const worth = (k: 0 | 1 | 2) => Math.abs(eye.getComponent(k)) - (normal ? 1.5 * Math.abs(normal.getComponent(k)) : 0);
    // Level cuts come last: walls tell more than floors.
    const chosen = axis ?? ([1, 0, 2] as const).reduce((best, k) => (worth(k) > worth(best) + 1e-9 ? k : best));
    return { axis: chosen, at: this.through(chosen, point), flip: eye.getComponent(chosen) < 0 };
  }
}
