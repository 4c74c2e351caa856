// What is known of the range of one joint or two: free, undecided, colliding. A strip under the slider of one, a square
// for two, in which a pointer sets both.

import type { RobotInfo } from '../types';
import { h } from './dom';

export const jointStates = ['', 'free', 'undecided', 'colliding'] as const;
const colors = [[0, 0, 0, 0], [26, 127, 75, 90], [107, 114, 128, 235], [213, 94, 0, 255]] as const;

export class JointMap {
  /** For two joints. */
  readonly square: HTMLElement | null;
  private readonly cross = h('i', { class: 'joint-cross' });
  private readonly bytes: Uint8Array;

  constructor(private readonly robot: RobotInfo, buffer: Uint8Array, set: (joint: number, value: number) => void) {
    const { bytes: [offset, length], joints } = robot.map!;
    this.bytes = buffer.slice(offset, offset + length);
    this.square = joints.length === 2 ? this.makeSquare(set) : null;
  }

  private span(k: number): [number, number] {
    return this.robot.joints[this.robot.map!.joints[k]!]!.span ?? [0, 0];
  }
  private name(k: number): string {
    return this.robot.joints[this.robot.map!.joints[k]!]!.name;
  }
  private picture(): HTMLCanvasElement {
    const [width, height] = this.robot.map!.size, canvas = h('canvas', { width, height, 'aria-hidden': 'true' });
    const pen = canvas.getContext('2d')!, image = pen.createImageData(width, height);
    // The second joint goes upwards.
    this.bytes.forEach((state, i) => image.data.set(colors[state] ?? colors[0], 4 * ((height - 1 - Math.floor(i / width)) * width + (i % width))));
    pen.putImageData(image, 0, 0);
    return canvas;
  }
  /** For the slider of a joint, if that is the only one. */
  strip(joint: number): HTMLElement | null {
    if (this.robot.map!.joints.length !== 1 || this.robot.map!.joints[0] !== joint) return null;
    return h('span', { class: 'joint-strip', role: 'img', 'aria-label': `${this.shares()} of the range`, title: this.shares() }, this.picture());
  }
  /** How much of the picture is what, in words. */
  private shares(): string {
    const counts = [0, 0, 0, 0];
    for (const state of this.bytes) ++counts[state]!;
    return [1, 2, 3].filter((state) => counts[state]).map((state) => `${Math.round((100 * counts[state]!) / this.bytes.length)} % ${jointStates[state]}`).join(', ');
  }

  private makeSquare(set: (joint: number, value: number) => void): HTMLElement {
    const field = h('span', { class: 'joint-field', role: 'img', 'aria-label': `Map of ${this.name(0)} and ${this.name(1)}: ${this.shares()}`, title: 'Orange: colliding, grey: undecided, green: free' }, this.picture(), this.cross);
    const go = (event: PointerEvent): void => {
      const { left, top, width, height } = field.getBoundingClientRect();
      const share = [(event.clientX - left) / width, 1 - (event.clientY - top) / height].map((s) => Math.min(1, Math.max(0, s)));
      share.forEach((s, k) => {
        const [low, high] = this.span(k);
        set(this.robot.map!.joints[k]!, low + s * (high - low));
      });
    };
    field.addEventListener('pointerdown', (event) => {
      field.setPointerCapture(event.pointerId);
      go(event);
    });
    field.addEventListener('pointermove', (event) => event.buttons && go(event));
    return h('figure', { class: 'joint-map' }, h('figcaption', { class: 'up' }, h('bdi', {}, this.name(1))), field, h('figcaption', {}, h('bdi', {}, this.name(0))));
  }

  private share(k: number, values: readonly number[]): number {
    const [low, high] = this.span(k);
    return (values[this.robot.map!.joints[k]!]! - low) / (high - low || 1);
  }
  show(values: readonly number[]): void {
    if (!this.square) return;
    const [x, y] = [this.share(0, values), this.share(1, values)];
    this.cross.hidden = [x, y].some((s) => s < 0 || s > 1);
    this.cross.style.left = `${100 * x}%`;
    this.cross.style.top = `${100 * (1 - y)}%`;
  }
  /** What is known there: '' beyond the range. */
  at(values: readonly number[]): string {
    const { joints, size: [width, height] } = this.robot.map!;
    const shares = joints.map((_, k) => this.share(k, values));
    if (shares.some((s) => s < -1e-9 || s > 1 + 1e-9)) return 'beyond the range that was looked at';
    const cell = (s: number, n: number) => Math.min(n - 1, Math.max(0, Math.floor(s * n)));
    return jointStates[this.bytes[(shares.length > 1 ? cell(shares[1]!, height) : 0) * width + cell(shares[0]!, width)]!] ?? '';
  }
}
