// Where parts are at a time, which of them meet then, and the contacts that were computed for it.

import { BufferAttribute, BufferGeometry, GLSL3, LineSegments, RawShaderMaterial } from 'three';
import type { Model } from '../model';
import type { Interval, MotionInfo } from '../types';
import { blended, placement, relative, type PartTable, type Placement } from './part_table';

const contactBytes = 40; // frame, a, b, point, normal, depth

export class Player {
  readonly motion: MotionInfo | null;
  readonly contacts: LineSegments;
  private readonly keys = new Map<number, number[][]>();
  private readonly column = new Map<number, number>();
  private readonly poses: Float32Array = new Float32Array();
  private readonly times: number[] = [];
  private readonly contactData: DataView | null = null;
  private readonly firstContact: Uint32Array = new Uint32Array();

  constructor(model: Model, buffer: Uint8Array, private readonly table: PartTable, private readonly ratio: number) {
    this.motion = model.page.motion;
    for (const track of this.motion?.tracks ?? []) this.keys.set(track.part, track.keys);
    const playback = this.motion?.playback;
    if (playback) {
      const { poses: [offset, length], contacts: [from, size] } = playback;
      this.poses = new Float32Array(buffer.slice(offset, offset + length).buffer);
      this.times = playback.times;
      playback.parts.forEach((part, column) => this.column.set(part, column));
      this.contactData = new DataView(buffer.slice(from, from + size).buffer);
      this.firstContact = new Uint32Array(this.times.length + 1).fill(size / contactBytes);
      for (let i = size / contactBytes - 1; i >= 0; --i) this.firstContact[this.contactData.getUint32(i * contactBytes, true)] = i;
      for (let f = this.times.length - 1; f >= 0; --f) this.firstContact[f] = Math.min(this.firstContact[f]!, this.firstContact[f + 1]!);
    }
    this.contacts = this.makeContacts();
  }

  private makeContacts(): LineSegments {
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, depthTest: false, depthWrite: false, transparent: true,
      vertexShader: 'precision highp float; uniform mat4 viewMatrix, projectionMatrix; in vec3 position; void main() { gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }',
      fragmentShader: 'precision highp float; out vec4 color; void main() { color = vec4(1.0, 0.18, 0.0, 1.0); }',
    });
    const out = new LineSegments(new BufferGeometry(), material);
    out.frustumCulled = false;
    out.renderOrder = 25;
    out.visible = false;
    return out;
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

  at(part: number, t: number): Placement {
    const column = this.column.get(part);
    if (column !== undefined && this.times.length) {
      const f = this.frame(t), columns = this.column.size;
      const row = 7 * (f * columns + column);
      if (f + 1 >= this.times.length || t <= this.times[f]!) return placement(this.poses, row);
      const s = (t - this.times[f]!) / (this.times[f + 1]! - this.times[f]!);
      return placement(blended(this.poses, this.poses, s, row, row + 7 * columns));
    }
    const keys = this.keys.get(part);
    return keys ? relative(this.table.resting(part), keys, t) : this.table.resting(part);
  }

  intervalsAt(t: number): Interval[] {
    return (this.motion?.intervals ?? []).filter(({ begin, end }) => begin <= t && t <= end);
  }
  /** Parts that meet something at this time, and as which side. */
  meeting(t: number): Map<number, 'a' | 'b'> {
    const out = new Map<number, 'a' | 'b'>();
    for (const { a, b } of this.intervalsAt(t)) {
      if (!out.has(a)) out.set(a, 'a');
      if (!out.has(b)) out.set(b, 'b');
    }
    return out;
  }
  get firstMeeting(): number | null {
    const begins = (this.motion?.intervals ?? []).map(({ begin }) => begin);
    return begins.length ? Math.min(...begins) : null;
  }

  /** Contacts of the frame before `t`: a cross at each point, and its normal as long as it is deep or a little more. */
  show(t: number | null, visible: boolean): void {
    this.contacts.visible = visible && t !== null && this.contactData !== null;
    if (!this.contacts.visible) return;
    const f = this.frame(t!), begin = this.firstContact[f]!, end = this.firstContact[f + 1]!;
    const size = this.crossSize * this.ratio;
    const ends: number[] = [];
    for (let i = begin; i < end; ++i) {
      const read = (k: number) => this.contactData!.getFloat32(i * contactBytes + 12 + 4 * k, true);
      const p = [0, 1, 2].map((k) => read(k) - this.table.centre[k]!), n = [3, 4, 5].map(read);
      for (let axis = 0; axis < 3; ++axis) {
        const low = [...p], high = [...p];
        low[axis]! -= size;
        high[axis]! += size;
        ends.push(...low, ...high);
      }
      ends.push(...p, ...p.map((value, k) => value + n[k]! * Math.max(4 * size, Math.abs(read(6)))));
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(ends), 3));
    this.contacts.geometry.dispose();
    this.contacts.geometry = geometry;
    this.shown = end - begin;
  }
  shown = 0;
  crossSize = 1;

  /** How far beyond the assembly at rest, in its radii, the motion goes. */
  reachFactor(reach: number): number {
    let far = 0;
    this.crossSize = reach / 150;
    for (const track of this.motion?.tracks ?? [])
      for (const key of track.keys) far = Math.max(far, Math.hypot(key[5]!, key[6]!, key[7]!));
    for (let i = 0; i + 6 < this.poses.length; i += 7)
      far = Math.max(far, Math.hypot(...[0, 1, 2].map((k) => this.poses[i + 4 + k]! - this.table.centre[k]!)));
    return Math.min(50, far / reach);
  }
}
