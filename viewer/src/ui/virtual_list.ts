// A list of which only the rows in sight are there, so that five thousand scroll like fifty. A listbox or a tree for
// keyboards and screen readers.

import { h } from './dom';

export interface Rows<T> {
  key(row: T): string;
  label(row: T): string;
  draw(row: T, element: HTMLElement): void;
  /** Chosen by a click or Enter. */
  choose(row: T): void;
  /** Moved to by arrow keys. */
  moveTo?(row: T): void;
  keys?(row: T, event: KeyboardEvent): boolean;
  /** Of a tree: how deep the row is, from 1, and whether what is below it is shown; null if nothing is. */
  branch?(row: T): { level: number; open: boolean | null };
}

export class VirtualList<T> {
  readonly element: HTMLElement;
  private readonly spacer = h('div', { class: 'rows' });
  private rows: T[] = [];
  private shown = new Map<string, HTMLElement>();
  private current: string | null = null;

  constructor(label: string, id: string, private readonly height: () => number, private readonly how: Rows<T>) {
    this.element = h('div', { class: 'list', role: how.branch ? 'tree' : 'listbox', tabindex: 0, 'aria-label': label, id }, this.spacer);
    this.element.addEventListener('scroll', () => this.paint(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.keydown(event));
    new ResizeObserver(() => this.paint()).observe(this.element);
  }

  set(rows: T[], current: string | null): void {
    this.rows = rows;
    const moved = current !== this.current;
    this.current = current;
    this.shown.forEach((element) => element.remove());
    this.shown.clear();
    if (moved) this.reveal();
    this.paint();
  }
  /** Scrolls no further than it takes to see the current row. */
  reveal(): void {
    const at = this.at;
    if (at < 0) return;
    const top = at * this.height(), { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (clientHeight > 0 && top + this.height() > scrollTop + clientHeight) this.element.scrollTop = top + this.height() - clientHeight;
  }
  private get at(): number {
    return this.rows.findIndex((row) => this.how.key(row) === this.current);
  }

  private paint(): void {
    const height = this.height();
    this.spacer.style.height = `${this.rows.length * height}px`;
    const { scrollTop, clientHeight } = this.element; // read now: a shorter list scrolls back
    const from = Math.max(0, Math.floor(scrollTop / height) - 4);
    const to = Math.min(this.rows.length, Math.ceil((scrollTop + (clientHeight || 600)) / height) + 4);
    const keep = new Map<string, HTMLElement>();
    let isNew = false;
    for (let i = from; i < to; ++i) {
      const row = this.rows[i]!, key = this.how.key(row);
      let element = this.shown.get(key);
      if (!element) {
        element = h('div', {
          class: 'row', role: this.how.branch ? 'treeitem' : 'option', id: `${this.element.id}-${key}`, 'aria-setsize': this.how.branch ? null : this.rows.length, 'aria-label': this.how.label(row), 'data-key': key,
        });
        const branch = this.how.branch?.(row);
        if (branch) element.setAttribute('aria-level', String(branch.level));
        if (branch && branch.open !== null) element.setAttribute('aria-expanded', String(branch.open));
        element.addEventListener('click', () => {
          this.how.choose(row);
          this.element.focus({ preventScroll: true });
        });
        this.how.draw(row, element);
        isNew = true;
      }
      if (!this.how.branch) element.setAttribute('aria-posinset', String(i + 1));
      element.setAttribute('aria-selected', String(key === this.current));
      element.style.top = `${i * height}px`;
      element.style.height = `${height}px`;
      keep.set(key, element);
    }
    this.shown.forEach((element, key) => keep.has(key) || element.remove());
    this.shown = keep;
    if (isNew) this.spacer.append(...keep.values()); // in their order, for those who are read to
    if (this.current !== null && keep.has(this.current)) this.element.setAttribute('aria-activedescendant', `${this.element.id}-${this.current}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  private keydown(event: KeyboardEvent): void {
    const at = this.at, page = Math.max(1, Math.floor(this.element.clientHeight / this.height()) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const row = this.rows[at];
    if (event.key in steps && this.rows.length) {
      const next = Math.min(this.rows.length - 1, Math.max(0, (at < 0 ? (steps[event.key]! > 0 ? -1 : this.rows.length) : at) + steps[event.key]!));
      (this.how.moveTo ?? this.how.choose)(this.rows[next]!);
    } else if (event.key === 'Enter' && row !== undefined) {
      this.how.choose(row);
    } else if (!(row !== undefined && this.how.keys?.(row, event))) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
