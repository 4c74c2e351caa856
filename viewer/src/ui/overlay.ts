// What lies on the view: tools, view cube, axes, scale bar, labels, names.

import { kindName, plural, roundBelow, withUnit } from '../format';
import type { Model } from '../model';
import type { Label } from '../scene/highlight';
import type { Pointed } from '../scene/pointing';
import type { View } from '../scene/view';
import type { State, Store } from '../store';
import { Corner } from './corner';
import { h, replace } from './dom';
import { countedName } from './fitted';
import { Tools } from './tools';

export class Overlay {
  readonly tools: Tools;
  private readonly corner: Corner;
  private readonly bar = h('div', { class: 'scale', 'aria-hidden': 'true' });
  private readonly labels = h('div', { class: 'labels' });
  private readonly spot = h('i', { class: 'spot', hidden: true });
  private readonly tip = h('div', { class: 'tip', role: 'status', hidden: true });
  private readonly legend = h('div', { class: 'legend', hidden: true });

  constructor(private readonly model: Model, private readonly store: Store, private readonly view: View) {
    this.tools = new Tools(model, store, view);
    this.corner = new Corner((direction) => view.look(direction));
    view.pointing.onHover = (pointed, part, x, y) => this.hover(pointed, part, x, y);
    view.onDrawn = () => this.drawn();
  }
  get elements(): HTMLElement[] {
    return [this.labels, this.spot, this.tools.element, this.corner.element, this.bar, this.legend, this.tip];
  }

  private hovered = -1;
  get under(): number {
    return this.hovered;
  }
  private hover(pointed: Pointed | null, part: number, x: number, y: number): void {
    this.hovered = part;
    this.tip.hidden = part < 0;
    this.spot.hidden = !pointed || !this.store.state.measuring;
    if (!pointed) return;
    const { model } = this, n = model.itemsOfPart[part]!.length;
    const mesh = model.page.meshes[model.page.parts[part]!.mesh]!;
    const surface = [mesh.names?.[pointed.surface]?.slice(0, 60), kindName[model.surfaceKind(part, pointed.surface)]].filter(Boolean).join(', ');
    replace(this.tip, countedName(model.names, model.short(model.page.parts[part]!.path), 40, 'part'),
      surface && mesh.surfaces > 1 ? h('small', {}, ' · ', h('bdi', {}, surface)) : null, n ? h('small', {}, ` · ${plural(n, 'finding')}`) : null);
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, this.view.element.clientWidth - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${y + 40 > this.view.element.clientHeight ? y - 32 : y + 16}px`;
    if (this.spot.hidden) return;
    const [sx, sy] = this.view.project(this.view.pointing.snapped(x, y, pointed));
    this.spot.style.transform = `translate(${sx.toFixed(1)}px, ${sy.toFixed(1)}px)`;
  }

  apply(state: State, before: State | null): void {
    this.tools.apply(state, before);
    const item = state.focus && state.selected ? this.model.byId.get(state.selected) : undefined;
    const meeting = state.meeting && !state.focus && state.time !== null ? this.model.meetingById.get(state.meeting) : undefined;
    this.legend.hidden = !meeting && (!item || state.explode > 0 || state.time !== null);
    if (meeting) {
      const path = (part: number) => this.model.short(this.model.page.parts[part]!.path);
      return replace(this.legend, this.entry('a', path(meeting.a)), this.entry('b', path(meeting.b)), state.section ? this.entry('both', 'inside both') : null);
    }
    if (!item) return;
    const { finding } = item, { page } = this.model;
    const { entry } = this, curve = page.curves.find((c) => c.finding === item.at);
    replace(this.legend, entry('a', this.model.short(finding.a.part)), entry('b', this.model.short(finding.b.part)),
      curve ? entry('curve', curve.crossing ? 'where they cross' : 'where they overlap') : null, finding.patches.length ? entry('patch', 'contact') : null,
      page.gaps.some((g) => g.finding === item.at) ? entry('curve', 'smallest gap') : null,
      state.section && (finding.verdict === 'clash' || finding.verdict === 'contained') ? entry('both', 'inside both') : null);
  }

  private readonly entry = (kind: string, text: string): HTMLElement => h('span', { class: `key ${kind}` }, h('i', {}), kind === 'a' || kind === 'b' ? countedName(this.model.names, text, 26) : h('bdi', {}, text));

  private drawn(): void {
    this.scale();
    this.corner.turn(this.view.rig.camera);
    const labels: Label[] = [...this.view.currentLabels];
    const [a, b] = this.store.state.measured;
    if (a && b) labels.push({ at: this.view.local(a).lerp(this.view.local(b), 0.5), text: withUnit(Math.hypot(...a.map((x, i) => b[i]! - x)), this.model.unit) });
    else if (a) labels.push({ at: this.view.local(a), text: '…' });
    while (this.labels.childElementCount > labels.length) this.labels.lastElementChild!.remove();
    labels.forEach((label, i) => {
      const element = (this.labels.children[i] as HTMLElement | undefined) ?? this.labels.appendChild(h('span', { class: 'label' }));
      if (element.textContent !== label.text) element.textContent = label.text;
      const [x, y] = this.view.written(label, element.offsetWidth, element.offsetHeight, 12);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  /** A round length near a fifth of the width. */
  private scale(): void {
    const perPixel = this.view.rig.span / (this.view.element.clientHeight || 1);
    const length = roundBelow(perPixel * Math.min(160, this.view.element.clientWidth / 4));
    this.bar.style.width = `${length / perPixel}px`;
    const text = withUnit(length, this.model.unit);
    if (this.bar.textContent !== text) this.bar.textContent = text;
  }
}
