// What is done to the view: back to the whole, fit, cut, measure, take apart.

import { exact, withUnit } from '../format';
import type { Model } from '../model';
import type { View } from '../scene/view';
import type { State, Store } from '../store';
import type { Vec3 } from '../types';
import { glyph, h, iconButton, replace } from './dom';

type Axis = 0 | 1 | 2;

export class Tools {
  readonly element = h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'View' });
  private readonly sectionButton: HTMLButtonElement;
  private readonly sectionPanel = h('div', { class: 'panel', hidden: true, role: 'group', 'aria-label': 'Section plane' });
  private readonly sectionAt = h('input', { type: 'range', min: 0, max: 1, step: 0.001, 'aria-label': 'Place of the section', id: 'section-at' });
  private readonly sectionText = h('output', {});
  private readonly axes: HTMLButtonElement[];
  private readonly measureButton: HTMLButtonElement;
  private readonly measurePanel = h('div', { class: 'panel', hidden: true, role: 'status', id: 'measured' });
  private readonly explode = h('input', { type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': 'Explode', id: 'explode' });

  constructor(private readonly model: Model, private readonly store: Store, private readonly view: View) {
    this.sectionButton = iconButton('section', 'Section plane (x)', () => this.toggleSection(), { 'aria-pressed': 'false', id: 'section' });
    this.measureButton = iconButton('measure', 'Measure between two points (m)', () => this.toggleMeasure(), { 'aria-pressed': 'false', id: 'measure' });
    this.axes = ['x', 'y', 'z'].map((axis, i) => h('button', { type: 'button', class: 'tool', 'aria-label': `Section across ${axis}`, click: (() => this.cutAcross(i as Axis)) as never }, axis));
    this.sectionAt.addEventListener('input', () => store.state.section && store.set({ section: { ...store.state.section, at: Number(this.sectionAt.value) } }));
    this.explode.addEventListener('input', () => store.set({ explode: Number(this.explode.value) }));
    const flip = iconButton('flip', 'Other side of the section', () => store.state.section && store.set({ section: { ...store.state.section, flip: !store.state.section.flip } }), { id: 'section-flip' });
    this.sectionPanel.append(...this.axes, this.sectionAt, this.sectionText, flip);
    this.element.append(
      h('div', { class: 'row-of-tools' },
        iconButton('home', 'Whole assembly (Esc)', () => this.home(), { id: 'home' }), iconButton('fit', 'Fit (f)', () => view.fit(), { id: 'fit' }),
        this.sectionButton, this.measureButton, h('label', { class: 'explode', title: 'Explode (e)' }, glyph('explode') as unknown as HTMLElement, h('span', {}, 'Explode'), this.explode)),
      this.sectionPanel, this.measurePanel);
    view.pointing.onPoint = (point) => this.point(point);
  }

  home(): void {
    const { store, view } = this;
    store.set({ focus: false, isolated: null, explode: 0, ...(store.state.time === null ? {} : { meeting: null }) });
    view.rig.fly(view.overview(), false);
  }

  private cutAcross(axis?: Axis): void {
    const { point, normal } = this.view.shownAt;
    this.store.set({ section: this.view.section.facing(this.view.rig.aim.direction, normal, point, axis) });
  }
  toggleSection(): void {
    if (this.store.state.section) this.store.set({ section: null });
    else this.cutAcross();
  }
  toggleMeasure(): void {
    this.store.set({ measuring: !this.store.state.measuring, measured: [] });
  }
  private point(point: Vec3): void {
    const { measured } = this.store.state;
    this.store.set({ measured: measured.length === 1 ? [measured[0]!, point] : [point] });
  }

  apply(state: State, before: State | null): void {
    const { section } = state, { unit } = this.model;
    // Whoever goes to a finding wants to see it: a section that takes it away goes through it instead.
    if (section && before?.section && state.focus && state.selected !== before.selected) {
      const { point } = this.view.shownAt;
      if (point && this.view.section.takes(section, point)) return this.store.set({ section: { ...section, at: this.view.section.through(section.axis, point) } });
    }
    this.sectionPanel.hidden = !section;
    this.sectionButton.setAttribute('aria-pressed', String(!!section));
    if (section) {
      this.sectionAt.value = String(section.at);
      this.axes.forEach((button, axis) => button.setAttribute('aria-pressed', String(axis === section.axis)));
      const where = this.view.section.where(section);
      this.sectionText.textContent = `${'xyz'[section.axis]} = ${withUnit(where, unit)}`;
      this.sectionText.title = `${exact(where)} ${unit}`;
    }
    this.explode.value = String(state.explode);
    this.measureButton.setAttribute('aria-pressed', String(state.measuring));
    this.measurePanel.hidden = !state.measuring && state.measured.length < 2;
    if (!before || state.measured !== before.measured || state.measuring !== before.measuring) this.tellMeasured(state);
  }

  private tellMeasured({ measured: [a, b], measuring }: State): void {
    const { unit } = this.model;
    if (!a || !b) {
      replace(this.measurePanel, a ? 'Click the second point.' : 'Click two points; corners attract.');
      return;
    }
    const apart = b.map((x, i) => x - a[i]!), length = Math.hypot(...apart);
    const fact = (name: string, value: number) => h('span', { title: `${exact(value)} ${unit}, between points of the picture` }, `${name} `, h('b', {}, withUnit(value, unit)));
    replace(this.measurePanel, fact('distance', length), h('small', {}, ['x', 'y', 'z'].map((axis, i) => `Δ${axis} ${withUnit(apart[i]!, unit)}`).join('  ')),
      measuring ? null : iconButton('close', 'Remove the measurement', () => this.store.set({ measured: [] })));
  }
}
