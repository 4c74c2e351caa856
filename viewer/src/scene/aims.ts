// From where to look: at everything, at what is left of it, at one finding.

import { Vector3 } from 'three';
import type { Item } from '../model';
import { between, boxOf, diagonal, emptyBox, include, middle, type Box } from './boxes';
import type { Aim } from './camera';
import { gapHeights, type Highlight } from './highlight';

const z = new Vector3(0, 0, 1);
export const oblique = new Vector3(0.62, -1, 0.62).normalize();

export class Aims {
  /** `boxes` and `steps` of parts: where they are at rest, and the grids they are drawn on. */
  constructor(private readonly element: HTMLElement, private readonly boxes: readonly Box[], private readonly steps: readonly number[], private readonly reach: number) {}

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

  /** From where both surfaces can be seen. */
  private facing({ normal }: Highlight): Vector3 {
    let best = oblique, score = -Infinity;
    for (const x of [-0.62, 0.62, -1, 1])
      for (const y of [-1, 1, -0.62, 0.62])
        for (const height of [0.62, -0.5]) {
          const d = new Vector3(x, y, height).normalize();
          const rate = -Math.abs(Math.abs(d.dot(normal ?? z)) - 0.5) + 0.35 * d.dot(oblique) + (height > 0 ? 0.2 : 0);
          if (rate > score) (best = d), (score = rate);
        }
    return best;
  }

  /** What was found itself, as large as the view, however small it is beside its parts; or one place of it. */
  finding(highlight: Highlight, item: Item, place: Box | null = null, direction = this.facing(highlight)): Aim {
    const { verdict } = item.finding, box = (place ?? highlight.extent).slice();
    const found = diagonal(box) > 0;
    const small = this.parts(item).sort((p, q) => diagonal(p) - diagonal(q))[0];
    // A part that lies inside another belongs to the picture as a whole; so does one that is met in a mere point.
    if (!place && (verdict === 'contained' || !found) && small) include(box, small);
    if (!found && highlight.points.length) include(box, boxOf(highlight.points));
    const aim = this.at(box, direction);
    const least = verdict === 'near' && found ? Math.min(gapHeights * diagonal(highlight.extent), this.smaller(item)) : 0;
    // Closer than the grids on which parts are drawn there is nothing more to see.
    return { ...aim, span: Math.max(1.5 * aim.span, least, 16 * this.grid(item)) };
  }
  /** Ways to look at a finding, from what was found to the parts it was found at. */
  around(highlight: Highlight, item: Item, place: Box | null, direction: Vector3): Aim[] {
    const out = [this.finding(highlight, item, place, direction)];
    const { depth } = item.finding;
    if (depth && !place) {
      // Of an overlap that is long and shallow: the place where it is deepest, so close that its depth is seen.
      const span = Math.max(8 * depth.upper, 16 * this.grid(item));
      if (span < 0.5 * out[0]!.span) out.push({ direction, up: z.clone(), target: highlight.origin.clone(), span });
    }
    const all = emptyBox();
    for (const box of this.parts(item)) include(all, box);
    const whole = this.at(all, direction);
    if (diagonal(all) > 0 && whole.span > 1.5 * out[0]!.span) out.push(whole);
    return out;
  }
  private parts(item: Item): Box[] {
    return [item.a, item.b].filter((part) => part >= 0).map((part) => this.boxes[part]!);
  }
  private grid(item: Item): number {
    return Math.max(0, ...[item.a, item.b].filter((part) => part >= 0).map((part) => this.steps[part]!));
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
