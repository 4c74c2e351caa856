// The list of what meets in motion: one row for a pair, whatever it does and how often.

import { count, exact, percent, plural, seconds, withUnit } from '../format';
import { simulated, wordOf, type Meeting } from '../meetings';
import type { Model } from '../model';
import type { State, Store } from '../store';
import type { MotionInfo, Verdict } from '../types';
import { h, replace, verdictIcon } from './dom';
import { fittedName, spoken } from './fitted';
import { VirtualList } from './virtual_list';

/** What a pair does, in words: "2 clashes, 1 touch". */
export function tally({ intervals }: Meeting, motion: MotionInfo): string {
  const words: Record<Verdict, [string, string]> = {
    contained: ['time inside', 'times inside'], clash: simulated(motion) ? ['overlap', 'overlaps'] : ['clash', 'clashes'], undecided: ['undecided', 'undecided'], touch: ['touch', 'touches'], near: ['time near', 'times near'],
  };
  return (Object.keys(words) as Verdict[]).map((verdict) => [verdict, intervals.filter((i) => i.verdict === verdict).length] as const)
    .filter(([, n]) => n > 0).map(([verdict, n]) => plural(n, ...words[verdict])).join(', ');
}

export class Meetings {
  readonly element = h('section', { class: 'meetings', 'aria-label': 'In motion' });
  private readonly search = h('input', { type: 'search', placeholder: 'Search parts that meet', 'aria-label': 'Search what meets in motion', id: 'search-motion' });
  private readonly status = h('p', { class: 'status', role: 'status' });
  private readonly list: VirtualList<Meeting>;
  private rows: Meeting[] = [];

  constructor(private readonly model: Model, private readonly store: Store) {
    this.search.addEventListener('input', () => this.show(store.state.meeting));
    this.list = new VirtualList<Meeting>('In motion', 'in-motion', () => 46, {
      key: (meeting) => meeting.id,
      label: (meeting) => `${wordOf(model.page.motion, meeting.verdict)}: ${spoken(this.path(meeting.a))} and ${spoken(this.path(meeting.b))}, ${this.much(meeting)}, ${this.more(meeting)}`,
      draw: (meeting, element) => element.append(
        verdictIcon(meeting.verdict), h('span', { class: 'names' }, fittedName(model.names, model.short(this.path(meeting.a))), fittedName(model.names, model.short(this.path(meeting.b)), 'name second')),
        h('span', { class: 'much', title: meeting.depth ? `${exact(meeting.depth)} ${model.unit} at the most` : `${exact(meeting.first)} s` }, this.much(meeting), h('small', {}, this.more(meeting)))),
      choose: (meeting) => this.choose(meeting),
    });
    const controls = h('div', { class: 'controls' }, this.search);
    controls.hidden = model.meetings.length === 0;
    this.element.append(controls, this.status, this.list.element);
    this.show(null);
  }

  private path(part: number): string {
    return this.model.page.parts[part]!.path;
  }
  private when(meeting: Meeting): string {
    const { begin, end } = this.model.page.motion!;
    return `from ${seconds(meeting.depth === null ? meeting.first : meeting.intervals[0]!.begin, end - begin)}`;
  }
  /** What ranks a pair among its like. */
  private much(meeting: Meeting): string {
    const joined = this.model.jointsOf(meeting);
    if (joined) return joined.colliding > 0 ? `${percent(joined.colliding)} collide` : joined.undecided > 0 ? `${percent(joined.undecided)} undecided` : meeting.gap ? `gap ${withUnit(meeting.gap.value, this.model.unit)}` : '';
    if (meeting.depth) return `${withUnit(meeting.depth, this.model.unit)} deep`;
    if (meeting.intervals.length) return this.when(meeting);
    return meeting.gap ? `gap ${withUnit(meeting.gap.value, this.model.unit)}` : '';
  }
  private more(meeting: Meeting): string {
    const joined = this.model.jointsOf(meeting);
    if (joined) return joined.colliding > 0 && joined.undecided > 0 ? `${percent(joined.undecided)} undecided` : 'of the range';
    return [meeting.depth ? this.when(meeting) : '', tally(meeting, this.model.page.motion!), meeting.firm ? '' : 'not firm'].filter(Boolean).join(', ');
  }
  private choose(meeting: Meeting): void {
    this.store.set({ meeting: meeting.id, time: meeting.first, joints: null, playing: false, focus: false, explode: 0 });
  }

  /** What the keys j and k step through. */
  step(by: 1 | -1): void {
    if (!this.rows.length) return;
    const { meeting, time } = this.store.state;
    const at = this.rows.findIndex(({ id }) => id === meeting);
    this.choose(this.rows[at < 0 ? 0 : time === null ? at : Math.min(this.rows.length - 1, Math.max(0, at + by))]!);
  }

  private show(current: string | null): void {
    const words = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean), all = this.model.meetings;
    this.rows = all.filter((meeting) => words.every((word) => meeting.words.includes(word)));
    this.list.set(this.rows, current);
    const clear = h('button', { type: 'button', class: 'plain', click: (() => { this.search.value = ''; this.show(this.store.state.meeting); }) as never }, 'Show all');
    const coverage = this.model.page.motion!.coverage;
    if (!all.length && coverage) replace(this.status, h('strong', {}, coverage.complete ? 'Nothing meets in motion. ' : 'Nothing found so far. '), `${plural(coverage.parts, 'part')}, ${plural(coverage.pairs, 'pair')}${coverage.complete ? ', looked at along the whole way' : ''}.`);
    else if (this.rows.length === all.length) replace(this.status, this.model.page.robot ? `${plural(all.length, 'pair')} of links not free everywhere in the range, by verdict and name` : `${plural(all.length, 'pair meets', 'pairs meet')} in motion, the ${all.some(({ depth }) => depth) ? 'deepest' : 'gravest'} first`);
    else replace(this.status, `${count(this.rows.length)} of ${plural(all.length, 'pair')}: the words “${this.search.value.slice(0, 80)}”. `, clear);
  }
  apply(state: State, before: State | null): void {
    if (!before || state.meeting !== before.meeting) this.list.set(this.rows, state.meeting);
  }
}
