// The list of findings, with everything that narrows or sorts it.

import { counts, listed, narrowedBy } from '../filter';
import { between, count, exact, number, plural, tested, withUnit } from '../format';
import { simulated } from '../meetings';
import type { Item, Model } from '../model';
import { initial, type Severity, type Sort, type State, type Store } from '../store';
import { verdicts, type Finding, type Verdict } from '../types';
import { h, replace, verdictIcon } from './dom';
import { fittedName, spoken } from './fitted';
import { VirtualList } from './virtual_list';

export function amount(finding: Finding, unit: string): { text: string; exact: string; more?: string } {
  if (finding.gap !== null && (finding.verdict === 'near' || finding.gap > 0))
    return { text: `gap ${withUnit(finding.gap, unit)}`, exact: `${exact(finding.gap)} ${unit}` };
  if (finding.depth && finding.verdict !== 'touch')
    return { text: between(finding.depth.lower, finding.depth.upper, unit), exact: `between ${exact(finding.depth.lower)} and ${exact(finding.depth.upper)} ${unit}` };
  if (finding.verdict === 'touch') {
    const area = finding.patches.reduce((sum, patch) => sum + patch.area, 0);
    return area > 0 ? { text: 'in contact', more: withUnit(area, `${unit}²`), exact: `they share ${exact(area)} ${unit}²` } : { text: 'in contact', exact: 'they share points' };
  }
  if (finding.verdict === 'undecided' || finding.lacks) return { text: '?', exact: finding.reason ?? '' };
  return { text: 'no depth', exact: finding.reason ?? 'a part is not closed' };
}

export class Findings {
  readonly element = h('section', { class: 'findings', 'aria-label': 'Findings' });
  private readonly chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'Filter by verdict' });
  private readonly search = h('input', { type: 'search', placeholder: 'Search parts, surfaces, ids', 'aria-label': 'Search findings', id: 'search' });
  private readonly severity = h('select', { 'aria-label': 'Filter by severity', id: 'severity' });
  private readonly deeper = h('input', { type: 'number', min: 0, step: 'any', 'aria-label': 'Least depth', id: 'deeper' });
  private readonly sort = h('select', { 'aria-label': 'Sort findings', id: 'sort' });
  private readonly part = h('div', { class: 'part-filter' });
  private readonly status = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  private readonly list: VirtualList<Item>;
  private rows: Item[] = [];

  constructor(private readonly model: Model, private readonly store: Store) {
    const option = (value: string, text: string) => h('option', { value }, text);
    this.severity.append(option('any', 'Any severity'), option('failing', 'Clash or contained'), option('open', 'Undecided, not firm, incomplete'), option('deeper', 'Deeper than…'));
    this.sort.append(option('gravity', 'Gravest first'), option('depth', 'Deepest first'), option('volume', 'Largest volume first'), option('gap', 'Smallest gap first'), option('name', 'By name'));
    this.search.addEventListener('input', () => store.set({ text: this.search.value }));
    this.severity.addEventListener('change', () => store.set({ severity: this.severity.value as Severity }));
    this.deeper.addEventListener('input', () => store.set({ deeperThan: Math.max(0, Number(this.deeper.value) || 0) }));
    this.sort.addEventListener('change', () => store.set({ sort: this.sort.value as Sort }));
    this.list = new VirtualList<Item>('Findings', 'findings', () => 46, {
      key: (item) => item.finding.id,
      label: (item) => `${item.finding.verdict}: ${spoken(item.finding.a.part)} and ${spoken(item.finding.b.part)}, ${amount(item.finding, model.unit).text}${note(item.finding, ', ')}`,
      draw: (item, element) => this.draw(item, element),
      choose: (item) => store.set({ selected: item.finding.id, focus: true, time: null, playing: false, explode: 0 }),
    });
    const controls = h('div', { class: 'controls' }, this.search, this.chips, h('div', { class: 'pair' }, this.severity, this.deeper, this.sort), this.part);
    controls.hidden = model.items.length === 0; // there is nothing to look through
    this.element.append(controls, this.status, this.list.element);
  }

  private draw(item: Item, element: HTMLElement): void {
    const { finding } = item;
    const much = amount(finding, this.model.unit), under = [much.more, note(finding)].filter(Boolean).join(', ');
    element.classList.add(`is-${finding.verdict}`);
    element.append(
      verdictIcon(finding.verdict),
      h('span', { class: 'names' }, fittedName(this.model.names, this.model.short(finding.a.part)), fittedName(this.model.names, this.model.short(finding.b.part), 'name second')),
      h('span', { class: 'much', title: much.exact }, much.text, under ? h('small', {}, under) : null),
    );
  }

  private chip(verdict: Verdict, n: number, on: boolean): HTMLElement {
    return h('button', {
      type: 'button', class: `chip v-${verdict}`, 'aria-pressed': String(on), 'aria-label': `${verdict}: ${n}`, disabled: n === 0 && !on, 'data-verdict': verdict,
      click: (() => {
        const next = new Set(this.store.state.verdicts);
        if (!next.delete(verdict)) next.add(verdict);
        this.store.set({ verdicts: next });
      }) as never,
    }, verdictIcon(verdict), h('span', {}, verdict), h('b', {}, count(n)));
  }

  /** What the keys j and k step through. */
  step(by: 1 | -1): void {
    if (!this.rows.length) return;
    const at = this.rows.findIndex((item) => item.finding.id === this.store.state.selected);
    const next = at < 0 ? 0 : this.store.state.focus ? Math.min(this.rows.length - 1, Math.max(0, at + by)) : at;
    this.store.set({ selected: this.rows[next]!.finding.id, focus: true, time: null, playing: false, explode: 0 });
  }

  apply(state: State, before: State | null): void {
    const filters: (keyof State)[] = ['text', 'verdicts', 'severity', 'deeperThan', 'sort', 'part'];
    if (before && filters.every((key) => state[key] === before[key])) {
      if (state.selected !== before.selected) this.list.set(this.rows, state.selected);
      return;
    }
    if (document.activeElement !== this.search) this.search.value = state.text;
    this.severity.value = state.severity;
    this.sort.value = state.sort;
    this.deeper.hidden = state.severity !== 'deeper';
    if (document.activeElement !== this.deeper) this.deeper.value = String(state.deeperThan);
    const n = counts(this.model, state);
    const pressed = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['verdict'] : undefined;
    replace(this.chips, ...verdicts.filter((verdict) => this.model.items.some((item) => item.finding.verdict === verdict)).map((verdict) => this.chip(verdict, n[verdict], state.verdicts.has(verdict))));
    if (pressed) this.chips.querySelector<HTMLElement>(`[data-verdict="${pressed}"]`)?.focus();
    replace(this.part, state.part === null ? null : h('span', { class: 'pill' }, 'part ', fittedName(this.model.names, this.model.short(this.model.page.parts[state.part]!.path)),
      h('button', { type: 'button', 'aria-label': 'Show findings of all parts', click: (() => this.store.set({ part: null })) as never }, '×')));
    this.rows = listed(this.model, state);
    this.list.set(this.rows, state.selected);
    this.say(state);
  }

  private say(state: State): void {
    const { model } = this;
    const all = model.items.length, reasons = narrowedBy(model, state);
    const clear = h('button', {
      type: 'button', class: 'plain', click: (() => this.store.set({ text: '', verdicts: initial.verdicts, severity: 'any', part: null })) as never,
    }, 'Show all');
    const moving = model.meetings.length ? h('button', { type: 'button', class: 'plain', click: (() => this.store.set({ tab: 'motion' })) as never }, `${plural(model.meetings.length, 'pair')} in motion`) : null;
    const rest = model.page.motion ? ' at rest' : '';
    if (!model.report && model.page.motion?.coverage) replace(this.status, 'What was looked at is the motion: see the list of what meets in it. ', moving);
    else if (!model.report && simulated(model.page.motion)) replace(this.status, 'Computed step by step, not checked: see which bodies meet, and when. ', moving);
    else if (!model.report) replace(this.status, `This assembly has not been checked${rest}: there is no list of findings. `, moving);
    else if (all === 0) replace(this.status, h('strong', {}, model.report.coverage.complete ? `Clean${rest}. ` : `Nothing found${rest} so far. `), `${this.whatWasChecked()} `, moving);
    else if (this.rows.length === all) replace(this.status, plural(all, 'finding'));
    else replace(this.status, `${count(this.rows.length)} of ${plural(all, 'finding')}: `, reasons.join(', '), '. ', clear);
  }
  private whatWasChecked(): string {
    const { coverage, options } = this.model.report!;
    return `${plural(coverage.parts, 'part')}, ${plural(coverage.pairs_possible, 'pair')}: ${tested(coverage)}. ` +
      `Clearance ${number(options.clearance)} ${this.model.unit}.`;
  }
}

const note = (finding: Finding, before = ''): string => (finding.lacks ? `${before}incomplete` : finding.firm ? '' : `${before}not firm`);
