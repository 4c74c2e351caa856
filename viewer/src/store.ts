// All that can change, in one place. The view and the panels are functions of it; the address mirrors it.

import type { Vec3, Verdict } from './types';

export interface Section {
  axis: 0 | 1 | 2;
  /** Share of the assembly's extent along the axis. */
  at: number;
  flip: boolean;
}
export type Sort = 'gravity' | 'depth' | 'volume' | 'gap' | 'name';
export type Severity = 'any' | 'failing' | 'open' | 'deeper';
export interface Camera {
  direction: [number, number, number];
  up: [number, number, number];
  target: [number, number, number];
  span: number;
}
export interface State {
  /** Id of a finding. */
  selected: string | null;
  /** The view shows it alone; otherwise it shows everything. */
  focus: boolean;
  /** Which of the places where its parts meet is looked at; null: all of them. */
  place: number | null;
  /** A part whose findings alone are listed. */
  part: number | null;
  text: string;
  verdicts: ReadonlySet<Verdict>;
  severity: Severity;
  deeperThan: number;
  sort: Sort;
  tab: 'findings' | 'motion' | 'parts';
  /** Id of a pair that meets in motion: told in the details, and shown alone while there is a time. */
  meeting: string | null;
  hidden: ReadonlySet<number>;
  isolated: ReadonlySet<number> | null;
  section: Section | null;
  explode: number;
  /** Clicks set points instead of choosing parts. */
  measuring: boolean;
  /** Up to two points, in the file's coordinates; gone when parts move. */
  measured: readonly Vec3[];
  /** Null: every part where the file has it. */
  time: number | null;
  /** Values of a robot's joints that somebody has set; they count before the time. */
  joints: readonly number[] | null;
  playing: boolean;
  speed: number;
  theme: 'auto' | 'light' | 'dark';
  help: boolean;
  camera: Camera | null;
}

export const initial: State = {
  selected: null, focus: false, place: null, part: null, text: '', verdicts: new Set(), severity: 'any', deeperThan: 0, sort: 'gravity',
  tab: 'findings', meeting: null, hidden: new Set(), isolated: null, section: null, explode: 0, measuring: false, measured: [], time: null, joints: null, playing: false, speed: 1,
  theme: 'auto', help: false, camera: null,
};

type Listener = (state: State, before: State) => void;

export class Store {
  private listeners: Listener[] = [];
  constructor(public state: State) {}
  set(change: Partial<State>): void {
    const before = this.state;
    if ((Object.keys(change) as (keyof State)[]).every((key) => change[key] === before[key])) return;
    const moved = (['time', 'explode', 'joints'] as const).some((key) => key in change && change[key] !== before[key]);
    this.state = { ...before, ...change, ...(moved && before.measured.length ? { measured: [] } : {}), ...(change.focus && !change.meeting ? { meeting: null } : {}) };
    const { selected, focus, time, meeting } = this.state;
    if (change.joints === undefined && (time !== before.time || meeting !== before.meeting)) this.state.joints = null;
    if (!focus || (selected !== before.selected && change.place === undefined)) this.state.place = null;
    for (const listener of this.listeners) listener(this.state, before);
  }
  watch(listener: Listener): void {
    this.listeners.push(listener);
  }
}

const numbers = (text: string): number[] => text.split(',').filter(Boolean).map(Number).filter(Number.isFinite);

/** The address without what is as it was in the beginning. */
export function toHash(state: State): string {
  const out: string[] = [];
  const add = (key: string, value: string) => out.push(`${key}=${encodeURIComponent(value)}`);
  if (state.selected && state.focus) add('id', state.selected);
  if (state.place !== null) add('place', String(state.place + 1));
  if (state.meeting && state.time !== null) add('meet', state.meeting);
  if (state.part !== null) add('part', String(state.part));
  if (state.text) add('q', state.text);
  if (state.verdicts.size) add('v', [...state.verdicts].join());
  if (state.severity !== 'any') add('sev', state.severity + (state.severity === 'deeper' ? `:${state.deeperThan}` : ''));
  if (state.sort !== 'gravity') add('sort', state.sort);
  if (state.tab !== 'findings') add('tab', state.tab);
  if (state.hidden.size) add('hide', [...state.hidden].join());
  if (state.isolated) add('iso', [...state.isolated].join());
  if (state.section) add('cut', `${'xyz'[state.section.axis]},${Number(state.section.at.toFixed(9))}${state.section.flip ? ',flip' : ''}`);
  if (state.explode > 0) add('explode', state.explode.toFixed(3));
  if (state.measured.length === 2) add('m', state.measured.flat().map((n) => Number(n.toPrecision(9))).join());
  if (state.time !== null) add('t', String(state.time));
  if (state.joints) add('j', state.joints.map((n) => Number(n.toPrecision(7))).join());
  if (state.camera) {
    const { direction, up, target, span } = state.camera;
    add('cam', [...direction, ...up, ...target, span].map((n) => Number(n.toPrecision(12))).join());
  }
  return out.join('&').replaceAll('%2C', ',').replaceAll('%3A', ':');
}

export function fromHash(hash: string, parts: number): Partial<State> {
  const query = new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B'));
  const out: Partial<State> = {};
  const get = (key: string) => query.get(key) ?? '';
  const ids = (text: string) => new Set(numbers(text).filter((id) => Number.isInteger(id) && id >= 0 && id < parts));
  out.selected = get('id') || null;
  out.focus = out.selected !== null;
  const place = Number(get('place'));
  out.place = out.focus && Number.isInteger(place) && place > 0 ? place - 1 : null;
  out.meeting = get('meet') || null;
  out.part = query.has('part') ? ([...ids(get('part'))][0] ?? null) : null;
  out.text = get('q');
  out.verdicts = new Set(get('v').split(',').filter((v): v is Verdict => ['contained', 'clash', 'undecided', 'touch', 'near'].includes(v)));
  const [severity, depth] = get('sev').split(':');
  out.severity = ['failing', 'open', 'deeper'].includes(severity!) ? (severity as Severity) : 'any';
  out.deeperThan = Math.max(0, Number(depth) || 0);
  out.sort = ['depth', 'volume', 'gap', 'name'].includes(get('sort')) ? (get('sort') as Sort) : 'gravity';
  out.tab = get('tab') === 'parts' ? 'parts' : get('tab') === 'motion' ? 'motion' : 'findings';
  out.hidden = ids(get('hide'));
  out.isolated = query.has('iso') ? ids(get('iso')) : null;
  const [axis, at, flip] = get('cut').split(',');
  const position = Number(at);
  out.section = axis && 'xyz'.includes(axis) && Number.isFinite(position)
    ? { axis: 'xyz'.indexOf(axis) as 0 | 1 | 2, at: Math.min(1, Math.max(0, position)), flip: flip === 'flip' } : null;
  out.explode = Math.min(1, Math.max(0, Number(get('explode')) || 0));
  const m = numbers(get('m'));
  out.measured = m.length === 6 ? [m.slice(0, 3) as Vec3, m.slice(3) as Vec3] : [];
  out.time = query.has('t') && Number.isFinite(Number(get('t'))) ? Number(get('t')) : null;
  const j = numbers(get('j'));
  out.joints = j.length ? j : null;
  const cam = numbers(get('cam'));
  out.camera = cam.length === 10 && cam[9]! > 0
    ? { direction: cam.slice(0, 3) as Camera['direction'], up: cam.slice(3, 6) as Camera['up'], target: cam.slice(6, 9) as Camera['target'], span: cam[9]! } : null;
  return out;
}
