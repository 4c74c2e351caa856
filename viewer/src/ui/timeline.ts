// Motion: when which parts meet, as bars on a line of time, and the means to go there.

import { plural, roundBelow, seconds, withUnit } from '../format';
import { firsts, instantNear, simulated, wordOf, type Meeting } from '../meetings';
import type { Model } from '../model';
import type { Player } from '../scene/motion';
import type { State, Store } from '../store';
import type { Interval, MotionInfo } from '../types';
import { glyph, h, iconButton, replace, verdictIcon } from './dom';
import { fittedName } from './fitted';

const mostRows = 200; // of thousands nobody sees more; the list has them all

export class Timeline {
  readonly element = h('section', { class: 'timeline', 'aria-label': 'Motion' });
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'clock' });
  private readonly play: HTMLButtonElement;
  private readonly heads: HTMLElement[] = [];
  private readonly rows = new Map<string, HTMLElement>();
  private readonly status = h('span', { class: 'status', role: 'status' });
  private readonly rest: HTMLButtonElement;
  private last = 0;

  /** `contacts`: how many of them are drawn now; without a picture there is nothing to play, and it only lists. */
  constructor(private readonly model: Model, private readonly store: Store, private readonly player: Player, private readonly contacts: (() => number) | null) {
    const motion = player.motion!, { meetings } = model, played = simulated(motion);
    const span = motion.end - motion.begin;
    // From frame to frame of a simulation; the last may follow sooner.
    const step = (played && motion.sampling) || span / 2000 || 1;
    this.slider = h('input', { type: 'range', min: motion.begin, max: motion.begin + step * Math.ceil(span / step - 1e-6), step, 'aria-label': 'Time', id: 'time' });
    this.slider.addEventListener('input', () => store.set({ time: instantNear(motion, Number(this.slider.value)), playing: false, focus: false }));
    this.play = iconButton('play', 'Play (space)', () => this.toggle(), { id: 'play' });
    const speed = h('select', { 'aria-label': 'Speed', id: 'speed' }, ...[0.1, 0.25, 0.5, 1, 2, 5].map((x) => h('option', { value: x, selected: x === 1 }, `${x}×`)));
    speed.addEventListener('change', () => store.set({ speed: Number(speed.value) }));
    const { contact, clash } = firsts(motion);
    const jump = (id: string, what: string, t: number | null) =>
      h('button', { type: 'button', class: 'plain', id, disabled: t === null, click: (() => store.set({ time: t, playing: false, focus: false })) as never }, glyph('first'), t === null ? `no ${what}${motion.coverage && !motion.coverage.complete ? ' found so far' : ''}` : `first ${what} ${seconds(t, span)}`);
    const rest = (this.rest = h('button', { type: 'button', class: 'plain', id: 'at-rest', click: (() => store.set({ time: played ? motion.begin : null, playing: false })) as never }, played ? 'to the start' : 'as in the file'));
    const rows = meetings.slice(0, mostRows).map((meeting) => this.row(meeting));
    const fold = h('button', { type: 'button', class: 'plain', id: 'meetings', 'aria-expanded': 'true', 'aria-controls': 'tracks', hidden: !rows.length, click: (() => this.fold(!this.element.classList.contains('folded'))) as never }, plural(meetings.length, 'pair meets', 'pairs meet'), glyph('down'));
    const note = motion.intervals.some((i) => i.sampled) ? h('small', { class: 'muted' }, `sampled every ${seconds(motion.sampling, motion.sampling)}: shorter meetings may be missing`) : null;
    this.element.append(
      contacts ? h('div', { class: 'transport' }, this.play, this.clock, speed, jump('first-contact', 'contact', contact), clash === null || clash === contact ? null : jump('first-clash', wordOf(motion, 'clash'), clash), rest, fold, this.status, note)
        : h('div', { class: 'transport' }, h('b', {}, 'In motion '), note),
      h('div', { class: 'tracks', id: 'tracks' },
        h('div', { class: 'track' }, h('span', { class: 'who' }, h('b', {}, 'time')), h('span', { class: 'lane' }, ruler(motion), contacts ? this.slider : null), contacts ? null : h('small')), ...rows,
        meetings.length > mostRows ? h('p', { class: 'muted' }, `and ${plural(meetings.length - mostRows, 'more pair')}, in the list`) : null));
    // The picture needs the room while findings at rest are looked at.
    this.fold(contacts !== null && (rows.length > 3 && model.items.length > 0 || matchMedia('(max-width: 860px)').matches));
  }
  private fold(folded: boolean): void {
    this.element.classList.toggle('folded', folded);
    this.element.querySelector('#meetings')?.setAttribute('aria-expanded', String(!folded));
  }

  private row(meeting: Meeting): HTMLElement {
    const motion = this.player.motion!, { begin, end } = motion, { a, b } = meeting;
    const share = (t: number) => (100 * (t - begin)) / (end - begin || 1);
    const lane = h('span', { class: 'lane' });
    for (const interval of meeting.intervals) {
      const bar = h('button', {
        type: 'button', class: `bar v-${interval.verdict}`,
        'aria-label': `${wordOf(motion, interval.verdict)} from ${seconds(interval.begin, end - begin)} to ${seconds(interval.end, end - begin)}${deep(interval, this.model.unit)}${interval.what ? `: ${interval.what.slice(0, 200)}` : ''}`,
        disabled: this.contacts === null, click: (() => this.store.set({ time: interval.begin, meeting: meeting.id, playing: false, focus: false })) as never,
      });
      bar.title = bar.getAttribute('aria-label')!;
      bar.style.left = `${share(interval.begin)}%`;
      bar.style.width = `${Math.max(0, share(interval.end) - share(interval.begin))}%`;
      lane.append(bar);
    }
    const head = h('i', { class: 'head' });
    this.heads.push(head);
    lane.append(head);
    const part = (id: number) => fittedName(this.model.briefNames, this.model.brief(this.model.page.parts[id]!.path));
    const when = this.contacts ? null : h('small', {}, meeting.intervals.map((i) => `${wordOf(motion, i.verdict)} ${seconds(i.begin, end - begin)} … ${seconds(i.end, end - begin)}${deep(i, this.model.unit)}`).join('; '));
    const row = h('div', { class: 'track' }, h('span', { class: 'who' }, verdictIcon(meeting.verdict), part(a), ' / ', part(b)), lane, when);
    this.rows.set(meeting.id, row);
    return row;
  }

  toggle(): void {
    const { store } = this, motion = this.player.motion!, { begin, end } = motion;
    const { time, playing } = store.state;
    store.set({ playing: !playing, focus: false, time: time === null || time >= end ? begin : playing ? instantNear(motion, time) : time });
  }

  private readonly tick = (now: number): void => {
    const { playing, time, speed } = this.store.state, { begin, end } = this.player.motion!;
    if (!playing) return;
    const next = (time ?? begin) + ((now - this.last) / 1000) * speed * this.pace;
    this.last = now;
    this.store.set({ time: Math.min(next, end), playing: next < end });
    requestAnimationFrame(this.tick);
  };
  /** Motions of a millisecond, or of an hour, play within some seconds at speed 1. */
  private get pace(): number {
    const { begin, end } = this.player.motion!;
    const span = end - begin;
    return span < 2 || span > 60 ? span / 10 : 1;
  }

  apply(state: State, before: State | null): void {
    const { begin, end } = this.player.motion!;
    if (state.playing && !before?.playing) {
      this.last = performance.now();
      requestAnimationFrame(this.tick);
    }
    if (!before || state.meeting !== before.meeting) {
      this.rows.forEach((row, id) => row.classList.toggle('chosen', id === state.meeting));
      // The bars of a pair that was chosen are what one wants to see next.
      if (before && state.meeting && state.time !== null && !matchMedia('(max-width: 860px)').matches) this.fold(false);
      if (before && state.meeting) this.rows.get(state.meeting)?.scrollIntoView({ block: 'nearest' });
    }
    // Whoever is read to hears where it stops, not every picture on the way.
    this.status.setAttribute('aria-live', state.playing ? 'off' : 'polite');
    replace(this.play, glyph(state.playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', state.playing ? 'Stop (space)' : 'Play (space)');
    if (before && state.time === before.time && state.meeting === before.meeting && state.explode === before.explode) return;
    const t = state.time ?? begin;
    this.slider.value = String(t);
    this.rest.disabled = state.time === (simulated(this.player.motion) ? begin : null);
    this.element.classList.toggle('resting', state.time === null);
    this.clock.textContent = state.time === null ? 'at rest' : seconds(t, end - begin);
    for (const head of this.heads) head.style.left = `${(100 * (t - begin)) / (end - begin || 1)}%`;
    this.status.textContent = state.time === null ? '' : this.now(t, state.meeting !== null && !state.focus);
  }
  /** All pairs that meet; contacts as they are drawn, which are those of the chosen pair alone if there is one. */
  private now(t: number, chosen: boolean): string {
    const pairs = this.player.intervalsAt(t).length, contacts = this.contacts?.() ?? 0;
    const drawn = !contacts ? '' : chosen ? `this one with ${plural(contacts, 'contact')}` : `${plural(contacts, 'contact')} drawn`;
    return [pairs ? `now ${plural(pairs, 'pair meets', 'pairs meet')}` : drawn ? '' : 'nothing meets now', drawn].filter(Boolean).join(', ');
  }
}

/** How far the deepest contact goes in, where it does. */
const deep = ({ depth }: Interval, unit: string): string => (depth ? `, up to ${withUnit(depth, unit)} deep` : '');

/** Round times along the line; above the slider. */
function ruler({ begin, end }: MotionInfo): HTMLElement {
  const out = h('span', { class: 'ruler', 'aria-hidden': 'true' });
  const span = end - begin, step = roundBelow(span / 4);
  if (!(step > 0)) return out;
  for (let k = Math.ceil(begin / step); k * step <= end + 1e-9 * span; ++k) {
    const tick = h('i', {}, h('b', {}, seconds(k * step, 100 * step)));
    tick.style.left = `${(100 * (k * step - begin)) / span}%`;
    out.append(tick);
  }
  return out;
}
