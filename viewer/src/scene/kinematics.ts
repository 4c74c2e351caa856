// Where the links of a robot are, from the values of its joints.

import type { RobotInfo } from '../types';
import { composed, placement, type Placement } from './part_table';

export class Kinematics {
  private readonly origins: Placement[];

  constructor(readonly robot: RobotInfo) {
    this.origins = robot.joints.map(({ origin }) => placement(origin));
  }

  /** The value that counts: joints may go with others. */
  value(joint: number, values: readonly number[]): number {
    const { mimic } = this.robot.joints[joint]!;
    return mimic ? mimic.multiplier * values[mimic.joint]! + mimic.offset : values[joint]!;
  }

  /** Of all parts, the root at the origin. */
  poses(values: readonly number[]): Map<number, Placement> {
    const { joints, links, order } = this.robot;
    const at: Placement[] = links.map(() => placement([1, 0, 0, 0, 0, 0, 0]));
    for (const id of order) {
      const { axis: [x, y, z], child, kind, parent } = joints[id]!, value = this.value(id, values);
      const s = Math.sin(0.5 * value);
      const moved = placement(kind === 'prismatic' ? [1, 0, 0, 0, x * value, y * value, z * value] : kind === 'fixed' ? [1, 0, 0, 0, 0, 0, 0] : [Math.cos(0.5 * value), x * s, y * s, z * s, 0, 0, 0]);
      at[child] = composed(at[parent]!, composed(this.origins[id]!, moved));
    }
    const out = new Map<number, Placement>();
    links.forEach(({ part }, link) => part !== null && out.set(part, at[link]!));
    return out;
  }

  /** Values at a time: those of the instants, and between them as straight as joints go. */
  valuesAt(times: readonly number[], t: number): number[] {
    const { instants } = this.robot, after = times.findIndex((time) => time > t);
    if (after === 0) return instants[0]!;
    if (after < 0 || !instants[after]) return instants[Math.min(times.length, instants.length) - 1]!;
    const a = instants[after - 1]!, b = instants[after]!, s = (t - times[after - 1]!) / (times[after]! - times[after - 1]!);
    return a.map((value, i) => value + s * (b[i]! - value));
  }
}
