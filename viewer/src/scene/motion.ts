// Where parts are at a time, and which of them meet then. Needs no picture.

import { simulated } from '../meetings';
import type { Interval, MotionInfo, PageInfo } from '../types';
import { Kinematics } from './kinematics';
import { blended, placement, relative, type Placement } from './part_table';

export const contactBytes = 40; // frame, a, b, point, normal, depth

export class Player {
  readonly motion: MotionInfo | null;
  /** Of a robot. */
  readonly kinematics: Kinematics | null;
  private posed: { of: readonly number[] | number; poses: Map<number, Placement> } | null = null;
  /** Contacts of all frames, as the format has them. */
  readonly contacts: DataView | null = null;
  private readonly rest: Placement[];
  private readonly keys = new Map<number, number[][]>();
  private readonly column = new Map<number, number>();
  private readonly poses: Float32Array = new Float32Array();
  private readonly times: number[] = [];
  private readonly firstContact: Uint32Array = new Uint32Array();

  /** Without the buffer there are intervals, but neither poses nor contacts. */
  constructor(page: PageInfo, buffer: Uint8Array | null) {
    this.motion = page.motion;
    this.kinematics = page.robot ? new Kinematics(page.robot) : null;
    this.rest = page.parts.map((part) => placement(part.pose));
    for (const track of this.motion?.tracks ?? []) this.keys.set(track.part, track.keys);
    const playback = this.motion?.playback;
    if (!playback || !buffer) return;
    const { poses: [offset, length], contacts: [from, size] } = playback;
    this.poses = new Float32Array(buffer.slice(offset, offset + length).buffer);
    this.times = playback.times;
    playback.parts.forEach((part, column) => this.column.set(part, column));
    this.contacts = new DataView(buffer.slice(from, from + size).buffer);
    this.firstContact = new Uint32Array(this.times.length + 1).fill(size / contactBytes);
    for (let i = size / contactBytes - 1; i >= 0; --i) this.firstContact[this.contacts.getUint32(i * contactBytes, true)] = i;
    for (let f = this.times.length - 1; f >= 0; --f) this.firstContact[f] = Math.min(this.firstContact[f]!, this.firstContact[f + 1]!);
  }

  private frame(t: number): number {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle]! <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Where joints put a part; all others rest. */
  joined(part: number, values: readonly number[], of: readonly number[] | number = values): Placement {
    if (this.posed?.of !== of) this.posed = { of, poses: this.kinematics!.poses(values) };
    return this.posed.poses.get(part) ?? this.rest[part]!;
  }
  at(part: number, t: number): Placement {
    if (this.kinematics) return this.joined(part, this.posed?.of === t ? [] : this.kinematics.valuesAt(this.motion?.playback?.times ?? [], t), t);
    const column = this.column.get(part);
    if (column !== undefined && this.times.length) {
      const f = this.frame(t), columns = this.column.size;
      const row = 7 * (f * columns + column);
      if (f + 1 >= this.times.length || t <= this.times[f]!) return placement(this.poses, row);
      const s = (t - this.times[f]!) / (this.times[f + 1]! - this.times[f]!);
      return placement(blended(this.poses, this.poses, s, row, row + 7 * columns));
    }
    const keys = this.keys.get(part);
    return keys ? relative(this.rest[part]!, keys, t) : this.rest[part]!;
  }

  /** The contacts of the frame before `t`: from, and up to but not including. */
  contactsAt(t: number): [number, number] {
    const f = this.frame(t);
    return this.contacts ? [this.firstContact[f]!, this.firstContact[f + 1]!] : [0, 0];
  }

  /** Of a simulation those at the frame whose contacts are shown. */
  intervalsAt(time: number): Interval[] {
    const t = simulated(this.motion) ? (this.times[this.frame(time)] ?? time) : time;
    return (this.motion?.intervals ?? []).filter(({ begin, end }) => begin <= t && t <= end);
  }
  /** Parts that meet something at this time, and as which side. Bodies of a simulation lie on one another all the time: they keep their colours. */
  meeting(t: number): Map<number, 'a' | 'b'> {
    const out = new Map<number, 'a' | 'b'>();
    if (simulated(this.motion)) return out;
    for (const { a, b } of this.intervalsAt(t)) {
      if (!out.has(a)) out.set(a, 'a');
      if (!out.has(b)) out.set(b, 'b');
    }
    return out;
  }
  /** How far beyond the assembly at rest, in its radii, the motion goes. */
  reachFactor(reach: number, centre: readonly number[]): number {
    let far = 0;
    for (const track of this.motion?.tracks ?? [])
      for (const key of track.keys) far = Math.max(far, Math.hypot(key[5]!, key[6]!, key[7]!));
    for (let i = 0; i + 6 < this.poses.length; i += 7)
      far = Math.max(far, Math.hypot(...[0, 1, 2].map((k) => this.poses[i + 4 + k]! - centre[k]!)));
    return Math.min(50, far / reach);
  }
}
