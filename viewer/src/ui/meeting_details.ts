// Everything there is to know of a pair that meets in motion: when, which surfaces, how close otherwise.

import { between, exact, percent, seconds, withUnit } from '../format';
import { intervalAt, simulated, surfacesIn, wordOf, type Meeting } from '../meetings';
import { gravity, type Model } from '../model';
import type { State, Store } from '../store';
import type { Interval, Side, Verdict } from '../types';
import { h, verdictIcon } from './dom';
import { jointText } from './joints';

const meaning: Record<Verdict, string> = {
  contained: 'In motion one part lies wholly inside the other.', clash: 'The parts overlap while they move.', undecided: 'It could not be told whether they clash in motion.',
  touch: 'The parts touch while they move, and do not overlap.', near: 'The parts come closer in motion than the clearance asked for.',
};

/** Of a simulation, which finds contacts at its steps and looks no further. */
const contactMeaning = (overlap: boolean): string =>
  overlap ? 'At their contacts the bodies are inside one another, as deep as told.' : 'The bodies touch, and none of their contacts is deep.';

export function meetingFacts(model: Model, store: Store, meeting: Meeting, state: State): HTMLElement[] {
  if (model.page.robot) return linkFacts(model, store, meeting, state);
  const { begin, end } = model.page.motion!, span = end - begin;
  const row = (label: string, value: Node | string, title = '') => h('div', { class: 'fact' }, h('dt', {}, label), h('dd', { title }, value));
  const rows: HTMLElement[] = [];
  if (meeting.depth) rows.push(row('deepest contact', withUnit(meeting.depth, model.unit), `${exact(meeting.depth)} ${model.unit}`));
  if (meeting.firstContact) {
    const [lower, upper] = meeting.firstContact;
    rows.push(row('first contact', between(round(lower, span), round(upper, span), 's'), `not before ${exact(lower)} s, not after ${exact(upper)} s`));
  }
  if (meeting.gap) rows.push(row('smallest gap', `${withUnit(meeting.gap.value, model.unit)} at ${seconds(meeting.gap.t, span)}`, `${exact(meeting.gap.value)} ${model.unit} at ${exact(meeting.gap.t)} s`));
  const now = state.time === null ? null : intervalAt(meeting, state.time, gravity);
  const line = (interval: Interval) => h('li', {}, h('button', {
    type: 'button', class: 'plain interval', 'aria-current': interval === now && interval.begin <= state.time! && state.time! <= interval.end ? 'true' : null,
    title: `${exact(interval.begin)} … ${exact(interval.end)} s`, click: (() => store.set({ time: interval.begin, playing: false, focus: false })) as never,
  }, verdictIcon(interval.verdict), h('span', {}, `${wordOf(model.page.motion, interval.verdict)} `, h('b', {}, between(round(interval.begin, span), round(interval.end, span), 's'))),
  interval.depth ? h('small', { title: `${exact(interval.depth)} ${model.unit}` }, `up to ${withUnit(interval.depth, model.unit)} deep`) : null, interval.what ? h('small', {}, h('bdi', {}, interval.what.slice(0, 200))) : null));
  return [
    h('p', { class: 'meaning' }, simulated(model.page.motion) && meeting.depth !== null ? contactMeaning(meeting.depth > 0) : meaning[meeting.verdict]),
    ...(rows.length ? [h('dl', {}, ...rows)] : []),
    ...(meeting.intervals.length ? [h('ul', { class: 'intervals', 'aria-label': 'When they meet' }, ...meeting.intervals.slice(0, 200).map(line))] : []),
    ...(meeting.firm ? [] : [h('p', { class: 'firm open' }, 'not firm: finer triangles might change it')]),
    ...(meeting.intervals.some(({ sampled }) => sampled) ? [h('p', { class: 'firm open' }, `not firm: seen at instants ${seconds(model.page.motion!.sampling, model.page.motion!.sampling)} apart`)] : []),
  ];
}

const linkMeaning: Record<Verdict, string> = {
  contained: 'The links collide within the ranges of the joints.', clash: 'The links collide within the ranges of the joints.', undecided: 'Within the ranges of the joints it could not be told everywhere whether the links collide.',
  touch: 'The links touch within the ranges of the joints.', near: 'Within the ranges of the joints the links come closer than the clearance asked for.',
};

/** Of two links of a robot: in how much of the range, and an example. */
function linkFacts(model: Model, store: Store, meeting: Meeting, state: State): HTMLElement[] {
  const { joints, instants } = model.page.robot!, pair = model.jointsOf(meeting);
  const row = (label: string, value: string, title = '') => h('div', { class: 'fact' }, h('dt', {}, label), h('dd', { title }, value));
  const example = pair?.instant == null ? null : instants[pair.instant]!;
  const shown = joints.map((joint, id) => [joint, example?.[id] ?? 0] as const).filter(([joint]) => joint.span);
  const rows = [
    ...(pair ? [row('colliding', `${percent(pair.colliding)} of the range`, exact(pair.colliding)), row('undecided', percent(pair.undecided), exact(pair.undecided)), row('free', percent(pair.free), exact(pair.free))] : []),
    ...(meeting.gap ? [row('gap', withUnit(meeting.gap.value, model.unit), `${exact(meeting.gap.value)} ${model.unit}`)] : []),
    ...(example ? shown.slice(0, 24).map(([joint, value]) => row(joint.name, jointText(joint, value, model.unit), `${exact(value)}, at the example`)) : []),
  ];
  return [
    h('p', { class: 'meaning' }, linkMeaning[meeting.verdict]), h('dl', {}, ...rows),
    ...(example && state.joints ? [h('button', { type: 'button', class: 'plain', click: (() => store.set({ joints: null, time: meeting.first })) as never }, 'Back to the example')] : []),
  ];
}

/** To the digits that seconds() shows. */
const round = (t: number, span: number): number => Number(seconds(t, span).replace(/[^\d.e+-]/g, ''));

/** Surfaces that meet at the time shown, or at any. */
export function meetingSides(model: Model, meeting: Meeting, state: State): { a: Side; b: Side } {
  const surfaces = surfacesIn(meeting, state.time === null ? null : intervalAt(meeting, state.time, gravity));
  const side = (letter: 'a' | 'b'): Side => ({
    part: model.page.parts[meeting[letter]]!.path, surfaces: surfaces[letter], surface_names: surfaces[letter].map((id) => model.page.meshes[model.page.parts[meeting[letter]]!.mesh]!.names?.[id] ?? ''),
  });
  return { a: side('a'), b: side('b') };
}
