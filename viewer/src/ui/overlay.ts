// What lies on the view: tools, section, explode, view cube, axes, scale bar, labels, names.

import { Vector3 } from 'three';
import { number, withUnit } from '../format';
import type { Model } from '../model';
import type { View } from '../scene/view';
import type { State, Store } from '../store';
import type { Vec3 } from '../types';
import { h, iconButton, replace, svg } from './dom';

export const directions: [string, Vec3][] = [
  ['front', [0, -1, 0]], ['back', [0, 1, 0]], ['left', [-1, 0, 0]], ['right', [1, 0, 0]], ['top', [0, -0.001, 1]], ['bottom', [0, -0.001, -1]], ['oblique', [0.62, -1, 0.62]],
];

export class Overlay {
  readonly tools = h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'View' });
  readonly corner = h('div', { class: 'corner' });
  readonly bar = h('div', { class: 'scale', 'aria-hidden': 'true' });
  readonly labels = h('div', { class: 'labels' });
  readonly tip = h('div', { class: 'tip', role: 'status', hidden: true });
  readonly legend = h('div', { class: 'legend', hidden: true });
  private readonly sectionButton: HTMLButtonElement;
  private readonly sectionPanel = h('div', { class: 'panel', hidden: true, role: 'group', 'aria-label': 'Section plane' });
  private readonly sectionAt = h('input', { type: 'range', min: 0, max: 1, step: 0.001, 'aria-label': 'Place of the section', id: 'section-at' });
  private readonly sectionText = h('output', {});
  private readonly axes: HTMLButtonElement[];
  private readonly explode = h('input', { type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': 'Explode', id: 'explode' });
  private readonly cube = h('div', { class: 'cube' });
  private readonly triad = svg('svg', { class: 'triad', viewBox: '-40 -40 80 80', 'aria-hidden': 'true' });

  constructor(private readonly model: Model, private readonly store: Store, private readonly view: View) {
    this.sectionButton = iconButton('section', 'Section plane (x)', () => this.toggleSection(), { 'aria-pressed': 'false', id: 'section' });
    this.axes = ['x', 'y', 'z'].map((axis, i) => h('button', { type: 'button', class: 'tool', 'aria-label': `Section across ${axis}`, click: (() => this.section({ axis: i as 0 | 1 | 2, at: view.shareOf(i as 0 | 1 | 2) })) as never }, axis));
    this.sectionAt.addEventListener('input', () => this.section({ at: Number(this.sectionAt.value) }));
    this.explode.addEventListener('input', () => store.set({ explode: Number(this.explode.value) }));
    this.sectionPanel.append(...this.axes, this.sectionAt, this.sectionText, iconButton('flip', 'Other side of the section', () => this.section({ flip: !store.state.section?.flip }), { id: 'section-flip' }));
    this.tools.append(
      iconButton('home', 'Whole assembly (Esc)', () => this.home(), { id: 'home' }), iconButton('fit', 'Fit (f)', () => view.fit(), { id: 'fit' }),
      this.sectionButton, this.sectionPanel,
      h('label', { class: 'explode' }, h('span', {}, 'Explode'), this.explode));
    this.makeCube();
    this.corner.append(this.cube, this.triad as unknown as HTMLElement);
    view.onHover = (part, x, y) => this.hover(part, x, y);
    view.onDrawn = () => this.drawn();
  }

  home(): void {
    const { store, view } = this;
    store.set({ focus: false, isolated: null, explode: 0 });
    view.rig.fly(view.overview(), false);
  }
  toggleSection(): void {
    this.store.set({ section: this.store.state.section ? null : { axis: 1, at: this.view.shareOf(1), flip: true } });
  }
  private section(change: Partial<NonNullable<State['section']>>): void {
    this.store.set({ section: { axis: 1, at: 0.5, flip: true, ...this.store.state.section, ...change } });
  }

  private makeCube(): void {
    // Where text runs and where it goes down, in the world; the third axis points out of the face.
    const sides: Record<string, [Vec3, Vec3, Vec3]> = {
      front: [[1, 0, 0], [0, 0, -1], [0, -1, 0]], back: [[-1, 0, 0], [0, 0, -1], [0, 1, 0]], left: [[0, -1, 0], [0, 0, -1], [-1, 0, 0]],
      right: [[0, 1, 0], [0, 0, -1], [1, 0, 0]], top: [[1, 0, 0], [0, -1, 0], [0, 0, 1]], bottom: [[1, 0, 0], [0, 1, 0], [0, 0, -1]],
    };
    for (const [label, direction] of directions.slice(0, 6)) {
      const face = h('button', { type: 'button', class: `face ${label}`, 'aria-label': `View from ${label}`, title: `View from ${label}`, click: (() => this.view.look(direction)) as never }, label);
      const [along, down, out] = sides[label]!;
      face.style.transform = `matrix3d(${along.join()},0,${down.join()},0,${out.join()},0,${out.map((x) => 25 * x).join()},1)`;
      this.cube.append(face);
    }
  }

  private hovered = -1;
  get under(): number {
    return this.hovered;
  }
  private hover(part: number, x: number, y: number): void {
    this.hovered = part;
    this.tip.hidden = part < 0;
    if (part < 0) return;
    const n = this.model.itemsOfPart[part]!.length;
    replace(this.tip, h('bdi', {}, this.model.short(this.model.page.parts[part]!.path).slice(0, 160)), n ? h('small', {}, ` ${n} finding${n === 1 ? '' : 's'}`) : null);
    this.tip.style.left = `${Math.min(x + 14, this.view.element.clientWidth - 180)}px`;
    this.tip.style.top = `${y + 16}px`;
  }

  apply(state: State): void {
    const { section } = state;
    this.sectionPanel.hidden = !section;
    this.sectionButton.setAttribute('aria-pressed', String(!!section));
    if (section) {
      this.sectionAt.value = String(section.at);
      this.axes.forEach((button, axis) => button.setAttribute('aria-pressed', String(axis === section.axis)));
      this.sectionText.textContent = `${'xyz'[section.axis]} = ${withUnit(this.view.sectionPlace(state)!, this.model.unit)}`;
    }
    this.explode.value = String(state.explode);
    const item = state.focus && state.selected ? this.model.byId.get(state.selected) : undefined;
    this.legend.hidden = !item || state.explode > 0 || state.time !== null;
    if (item) {
      const entry = (kind: string, text: string) => h('span', { class: `key ${kind}` }, h('i', {}), h('bdi', {}, text));
      replace(this.legend, entry('a', this.model.short(item.finding.a.part).slice(0, 60)), entry('b', this.model.short(item.finding.b.part).slice(0, 60)),
        this.model.page.curves.some((c) => c.finding === item.at) ? entry('curve', 'where they cross') : null,
        item.finding.patches.length ? entry('patch', 'contact') : null, this.model.page.gaps.some((g) => g.finding === item.at) ? entry('curve', 'smallest gap') : null);
    }
  }

  private drawn(): void {
    this.scale();
    this.turn();
    const labels = this.view.currentLabels;
    while (this.labels.childElementCount > labels.length) this.labels.lastElementChild!.remove();
    labels.forEach(({ at, text }, i) => {
      const element = (this.labels.children[i] as HTMLElement | undefined) ?? this.labels.appendChild(h('span', { class: 'label' }));
      const [x, y] = this.view.project(at);
      element.textContent = text;
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(12px, -50%)`;
    });
  }

  /** A round length near a fifth of the width. */
  private scale(): void {
    const perPixel = this.view.rig.span / this.view.element.clientHeight;
    const want = perPixel * Math.min(160, this.view.element.clientWidth / 4);
    const power = Math.pow(10, Math.floor(Math.log10(want)));
    const length = [5, 2, 1].map((n) => n * power).find((l) => l <= want) ?? power;
    this.bar.style.width = `${length / perPixel}px`;
    const text = `${number(length)}\u202f${this.model.unit}`;
    if (this.bar.textContent !== text) this.bar.textContent = text;
  }

  private turn(): void {
    const { camera } = this.view.rig;
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0), up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const back = new Vector3().setFromMatrixColumn(camera.matrixWorld, 2);
    // From the world to the screen, whose y points down.
    const m = [right, up.clone().negate(), back];
    const column = (axis: 'x' | 'y' | 'z') => m.map((row) => row[axis].toFixed(5)).join();
    this.cube.style.transform = `translate(-50%, -50%) matrix3d(${column('x')},0,${column('y')},0,${column('z')},0,0,0,0,1)`;
    const axis = (name: 'x' | 'y' | 'z') => {
      const x = right[name] * 26, y = -up[name] * 26;
      return [svg('line', { x2: x, y2: y, class: `axis-${name}` }), svg('text', { x: x * 1.36, y: y * 1.36 + 3.5, class: `axis-${name}` }, name)];
    };
    replace(this.triad, ...(['x', 'y', 'z'] as ('x' | 'y' | 'z')[]).sort((p, q) => back[p] - back[q]).flatMap(axis));
  }
}
