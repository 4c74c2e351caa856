// Motion: when which parts meet, as bars on a line of time, and the means to go there.

import { plural, seconds } from '../format';
import type { Model } from '../model';
import type { Player } from '../scene/motion';
import type { State, Store } from '../store';
import type { Interval } from '../types';
import { glyph, h, iconButton, name, replace, verdictIcon } from './dom';

export class Timeline {
  readonly element = h('section', { class: 'timeline', 'aria-label': 'Motion' });
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'clock' });
  private readonly play: HTMLButtonElement;
  private readonly heads: HTMLElement[] = [];
  private readonly status = h('span', { class: 'status', role: 'status' });
  private readonly rest: HTMLButtonElement;
  private last = 0;

  /** `contacts`: how many of them are drawn now; without a picture there is nothing to play, and it only lists. */
  constructor(private readonly model: Model, private readonly store: Store, private readonly player: Player, private readonly contacts: (() => number) | null) {
    const motion = player.motion!;
    const span = motion.end - motion.begin;
    this.slider = h('input', { type: 'range', min: motion.begin, max: motion.end, step: span / 2000 || 1, 'aria-label': 'Time', id: 'time' });
    this.slider.addEventListener('input', () => store.set({ time: Number(this.slider.value), playing: false, focus: false }));
    this.play = iconButton('play', 'Play (space)', () => this.toggle(), { id: 'play' });
    const first = player.firstMeeting;
    const speed = h('select', { 'aria-label': 'Speed', id: 'speed' }, ...[0.1, 0.25, 0.5, 1, 2, 5].map((x) => h('option', { value: x, selected: x === 1 }, `${x}×`)));
    speed.addEventListener('change', () => store.set({ speed: Number(speed.value) }));
    const jump = h('button', { type: 'button', class: 'plain', id: 'first-contact', disabled: first === null, click: (() => store.set({ time: first, playing: false, focus: false })) as never },
      glyph('first'), first === null ? 'no contact' : `first contact ${seconds(first, span)}`);
    const rest = (this.rest = h('button', { type: 'button', class: 'plain', id: 'at-rest', click: (() => store.set({ time: null, playing: false })) as never }, 'as in the file'));
    const rows = this.rows(motion.intervals);
    const fold = h('button', { type: 'button', class: 'plain', id: 'meetings', 'aria-expanded': 'true', 'aria-controls': 'tracks', hidden: !rows.length, click: (() => this.fold(!this.element.classList.contains('folded'))) as never }, plural(rows.length, 'pair meets', 'pairs meet'), glyph('down'));
    const note = motion.intervals.some((i) => i.sampled) ? h('small', { class: 'muted' }, `sampled every ${seconds(motion.sampling, motion.sampling)}: shorter meetings may be missing`) : null;
    this.element.append(
      contacts ? h('div', { class: 'transport' }, this.play, this.clock, speed, jump, rest, fold, this.status, note) : h('div', { class: 'transport' }, h('b', {}, 'In motion '), note),
      h('div', { class: 'tracks', id: 'tracks' }, contacts ? h('div', { class: 'track' }, h('span', { class: 'who' }, h('b', {}, 'time')), h('span', { class: 'lane' }, this.slider)) : null, ...rows));
    // The picture needs the room while findings at rest are looked at.
    this.fold(contacts !== null && (rows.length > 3 && model.items.length > 0 || matchMedia('(max-width: 860px)').matches));
  }
  private fold(folded: boolean): void {
    this.element.classList.toggle('folded', folded);
    this.element.querySelector('#meetings')?.setAttribute('aria-expanded', String(!folded));
  }

  private rows(intervals: Interval[]): HTMLElement[] {
    const { begin, end } = this.player.motion!;
    const groups = new Map<string, Interval[]>();
    for (const interval of intervals) {
      const key = `${interval.a},${interval.b}`;
      groups.set(key, [...(groups.get(key) ?? []), interval]);
    }
    const share = (t: number) => (100 * (t - begin)) / (end - begin || 1);
    return [...groups.values()].map((group) => {
      const { a, b } = group[0]!;
      const lane = h('span', { class: 'lane' });
      for (const interval of group) {
        const bar = h('button', {
          type: 'button', class: `bar v-${interval.verdict}`,
          'aria-label': `${interval.verdict} from ${seconds(interval.begin, end - begin)} to ${seconds(interval.end, end - begin)}${interval.what ? `: ${interval.what.slice(0, 200)}` : ''}`,
          disabled: this.contacts === null, click: (() => this.store.set({ time: interval.begin, playing: false, focus: false })) as never,
        });
        bar.title = bar.getAttribute('aria-label')!;
        bar.style.left = `${share(interval.begin)}%`;
        bar.style.width = `${Math.max(0, share(interval.end) - share(interval.begin))}%`;
        lane.append(bar);
      }
      const head = h('i', { class: 'head' });
      this.heads.push(head);
      lane.append(head);
      const part = (id: number) => name(this.model.short(this.model.page.parts[id]!.path));
      const when = this.contacts ? null : h('small', {}, group.map((i) => `${seconds(i.begin, end - begin)} … ${seconds(i.end, end - begin)}`).join(', '));
      return h('div', { class: 'track' }, h('span', { class: 'who' }, verdictIcon(group[0]!.verdict), part(a), ' / ', part(b)), lane, when);
    });
  }

  toggle(): void {
    const { store } = this, { begin, end } = this.player.motion!;
    const time = store.state.time;
    store.set({ playing: !store.state.playing, focus: false, time: time === null || time >= end ? begin : time });
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
    replace(this.play, glyph(state.playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', state.playing ? 'Stop (space)' : 'Play (space)');
    if (before && state.time === before.time) return;
    const t = state.time ?? begin;
    this.slider.value = String(t);
    this.rest.disabled = state.time === null;
    this.element.classList.toggle('resting', state.time === null);
    this.clock.textContent = state.time === null ? 'at rest' : seconds(t, end - begin);
    for (const head of this.heads) head.style.left = `${(100 * (t - begin)) / (end - begin || 1)}%`;
    const meeting = state.time === null ? [] : this.player.intervalsAt(t), contacts = this.contacts?.() ?? 0;
    this.status.textContent = state.time === null ? '' : meeting.length ? `now ${plural(meeting.length, 'pair')}${contacts ? `, ${plural(contacts, 'contact')}` : ''}` : 'nothing meets now';
  }
}
