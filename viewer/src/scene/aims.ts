// From where to look: at everything, at what is left of it, at one finding.

import { Vector3 } from 'three';
import type { Item } from '../model';
import { between, boxOf, diagonal, emptyBox, include, middle, type Box } from './boxes';
import type { Aim } from './camera';
import type { Highlight } from './highlight';

const z = new Vector3(0, 0, 1);
export const oblique = new Vector3(0.62, -1, 0.62).normalize();

export class Aims {
  constructor(private readonly element: HTMLElement, private readonly boxes: readonly Box[], private readonly reach: number) {}

  /** The whole box, a little smaller than the view. */
  at(box: Box, direction: Vector3): Aim {
    const target = middle(box);
    const right = z.clone().cross(direction).normalize();
    const up = direction.clone().cross(right);
    let wide = 0, high = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(box[(corner & 1) * 3]!, box[((corner >> 1) & 1) * 3 + 1]!, box[((corner >> 2) & 1) * 3 + 2]!).sub(target);
      wide = Math.max(wide, Math.abs(p.dot(right)));
      high = Math.max(high, Math.abs(p.dot(up)));
    }
    const aspect = this.element.clientWidth / Math.max(1, this.element.clientHeight);
    return { direction, up: z.clone(), target, span: 2.12 * Math.max(high, wide / aspect) || this.reach };
  }

  /**
   * All of these parts; but one that dwarfs the others, as the ground does that things lie on, goes on beyond the edges.
   * Boxes are given as they are placed.
   */
  over(boxes: readonly Box[], direction: Vector3): Aim {
    const all = emptyBox();
    for (const box of boxes) include(all, box);
    const largest = boxes.reduce((best, box, i) => (diagonal(box) > diagonal(boxes[best]!) ? i : best), 0);
    const others = emptyBox();
    boxes.forEach((box, i) => i !== largest && include(others, box));
    if (boxes.length < 3 || !(diagonal(others) < 0.2 * diagonal(all))) return this.at(all, direction);
    const aim = this.at(others, direction);
    return { ...aim, span: 1.6 * aim.span };
  }

  /** Close enough to see how the surfaces meet, from where both can be seen. */
  finding(highlight: Highlight, item: Item): Aim {
    const parts = [item.a, item.b].filter((part) => part >= 0).map((part) => this.boxes[part]!);
    const small = parts.sort((p, q) => diagonal(p) - diagonal(q))[0];
    const box = boxOf(highlight.points);
    // A part that lies inside another belongs to the picture as a whole.
    if ((item.finding.verdict === 'contained' || !highlight.points.length) && small) include(box, small);
    const normal = highlight.normal ?? z;
    let best = oblique, score = -Infinity;
    for (const x of [-0.62, 0.62, -1, 1])
      for (const y of [-1, 1, -0.62, 0.62])
        for (const height of [0.62, -0.5]) {
          const d = new Vector3(x, y, height).normalize();
          const rate = -Math.abs(Math.abs(d.dot(normal)) - 0.5) + 0.35 * d.dot(oblique) + (height > 0 ? 0.2 : 0);
          if (rate > score) (best = d), (score = rate);
        }
    const aim = this.at(box, best);
    // Not so close that nobody knows where he is: the smaller part fits in.
    aim.span = Math.max(aim.span * 1.5, this.smaller(item), 0.02 * this.reach);
    return aim;
  }

  /** Where two parts meet, if they do, as they are placed now; not closer than shows what they are. */
  meeting(p: Box, q: Box, direction: Vector3): Aim {
    const aim = this.at(between(p, q), direction);
    return { ...aim, span: Math.max(1.5 * aim.span, Math.min(1.2 * Math.min(diagonal(p), diagonal(q)), 1.2 * this.reach)) };
  }

  /** Diagonal of the smaller part of a finding. */
  smaller(item: Item): number {
    const sizes = [item.a, item.b].filter((part) => part >= 0).map((part) => diagonal(this.boxes[part]!));
    return sizes.length ? Math.min(...sizes) : 0.1 * this.reach;
  }
}
