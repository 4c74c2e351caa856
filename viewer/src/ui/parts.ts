// The assembly as a tree: show, hide, isolate.

import { count, plural } from '../format';
import type { Model } from '../model';
import { Names } from '../names';
import type { State, Store } from '../store';
import { glyph, h, iconButton, replace } from './dom';
import { fittedName, spoken } from './fitted';
import { VirtualList } from './virtual_list';

interface Node {
  key: string;
  name: string;
  /** Those beside it. */
  names: Names;
  level: number;
  /** The part itself, or -1 for a level of the tree. */
  part: number;
  /** Every part at or below it. */
  parts: number[];
  children: Node[];
}

export class Parts {
  readonly element = h('section', { class: 'parts', 'aria-label': 'Parts' });
  private readonly root: Node = { key: '', name: '', names: new Names([]), level: -1, part: -1, parts: [], children: [] };
  private readonly closed = new Set<string>();
  private readonly list: VirtualList<Node>;
  private readonly search = h('input', { type: 'search', placeholder: 'Search parts', 'aria-label': 'Search parts', id: 'search-parts' });
  private readonly status = h('p', { class: 'status', role: 'status' });
  private current: string | null = null;

  constructor(private readonly model: Model, private readonly store: Store) {
    this.build();
    this.search.addEventListener('input', () => this.apply(store.state, null));
    this.list = new VirtualList<Node>('Parts', 'parts', () => 30, {
      key: (node) => node.key,
      label: (node) => `${spoken(node.name)}${this.shown(node) ? '' : ', hidden'}${node.children.length ? `, ${plural(node.parts.length, 'part')}` : ''}`,
      draw: (node, element) => this.draw(node, element),
      branch: (node) => ({ level: node.level + 1, open: node.children.length ? !this.closed.has(node.key) : null }),
      choose: (node) => {
        this.current = node.key;
        if (node.part >= 0) store.set({ part: store.state.part === node.part ? null : node.part });
        else this.toggle(node);
        this.refresh();
      },
      moveTo: (node) => {
        this.current = node.key;
        this.refresh();
      },
      keys: (node, event) => {
        if (event.key === 'h') this.hide(node);
        else if (event.key === 'i') this.isolate(node);
        else if (event.key === 'ArrowLeft' && !this.closed.has(node.key) && node.children.length) this.toggle(node);
        else if (event.key === 'ArrowRight' && this.closed.has(node.key)) this.toggle(node);
        else return false;
        return true;
      },
    });
    const all = h('button', { type: 'button', class: 'plain', click: (() => store.set({ hidden: new Set(), isolated: null })) as never }, 'Show all parts');
    this.element.append(h('div', { class: 'controls' }, this.search, all), this.status, this.list.element);
  }

  private build(): void {
    this.model.page.parts.forEach(({ path }, part) => {
      const levels = this.model.short(path).split('/');
      let at = this.root;
      at.parts.push(part);
      levels.forEach((level, depth) => {
        const leaf = depth === levels.length - 1;
        let next = leaf ? undefined : at.children.find((child) => child.part < 0 && child.name === level);
        if (!next) at.children.push((next = { key: leaf ? `p${part}` : `${at.key}/${at.children.length}`, name: level, names: at.names, level: depth, part: leaf ? part : -1, parts: [], children: [] }));
        next.parts.push(part);
        at = next;
      });
    });
    const tellApart = (node: Node): void => {
      const names = new Names(node.children.map(({ name }) => name));
      for (const child of node.children) {
        child.names = names;
        tellApart(child);
      }
    };
    tellApart(this.root);
  }
  private toggle(node: Node): void {
    if (!this.closed.delete(node.key)) this.closed.add(node.key);
    this.refresh();
  }
  private rows(): Node[] {
    const text = this.search.value.toLowerCase(), out: Node[] = [];
    const visit = (node: Node): void => {
      for (const child of node.children) {
        if (text && !child.parts.some((part) => this.model.page.parts[part]!.path.toLowerCase().includes(text))) continue;
        out.push(child);
        if (!this.closed.has(child.key) || text) visit(child);
      }
    };
    visit(this.root);
    return out;
  }

  private shown(node: Node): boolean {
    const { hidden, isolated } = this.store.state;
    return node.parts.some((part) => !hidden.has(part) && (!isolated || isolated.has(part)));
  }
  private hide(node: Node): void {
    const hidden = new Set(this.store.state.hidden);
    const out = node.parts.every((part) => hidden.has(part));
    for (const part of node.parts) out ? hidden.delete(part) : hidden.add(part);
    this.store.set({ hidden });
  }
  private isolate(node: Node): void {
    const { isolated } = this.store.state;
    const same = isolated && isolated.size === node.parts.length && node.parts.every((part) => isolated.has(part));
    this.store.set({ isolated: same ? null : new Set(node.parts) });
  }

  private draw(node: Node, element: HTMLElement): void {
    const findings = node.part >= 0 ? this.model.itemsOfPart[node.part]!.length : 0;
    const visible = this.shown(node);
    const stop = (act: () => void) => (event: MouseEvent) => {
      event.stopPropagation();
      act();
    };
    const swatch = h('span', { class: 'swatch' });
    if (node.part >= 0) swatch.style.background = `rgb(${this.model.color(node.part).map((c) => Math.round(255 * c)).join()})`;
    element.classList.toggle('off', !visible);
    const indent = h('span', { class: 'indent' });
    indent.style.width = `${12 * node.level}px`;
    const twisty = node.children.length ? glyph(this.closed.has(node.key) ? 'up' : 'down') : swatch;
    const hide = iconButton(visible ? 'eye' : 'eyeOff', `${visible ? 'Hide' : 'Show'} ${spoken(node.name)}`, stop(() => this.hide(node)), { tabindex: -1 });
    const only = iconButton('isolate', `Isolate ${spoken(node.name)}`, stop(() => this.isolate(node)), { tabindex: -1 });
    element.setAttribute('aria-keyshortcuts', 'h i');
    element.append(indent, twisty, fittedName(node.names, node.name), h('span', { class: 'badge' }, findings ? count(findings) : ''), only, hide);
    if (this.store.state.part === node.part && node.part >= 0) element.classList.add('chosen');
  }

  private refresh(): void {
    this.list.set(this.rows(), this.current);
  }
  apply(state: State, before: State | null): void {
    if (before && state.hidden === before.hidden && state.isolated === before.isolated && state.part === before.part) return;
    this.refresh();
    const shown = this.root.parts.filter((part) => !state.hidden.has(part) && (!state.isolated || state.isolated.has(part))).length;
    replace(this.status, shown === this.root.parts.length ? `${plural(shown, 'part')}, all shown` : `${count(shown)} of ${plural(this.root.parts.length, 'part')} shown`);
  }
}
