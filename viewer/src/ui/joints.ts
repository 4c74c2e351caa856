// The joints of a robot: a slider for each, and what is known of the range they were looked at in.

import { number, plural } from '../format';
import type { Model } from '../model';
import { Names } from '../names';
import type { Kinematics } from '../scene/kinematics';
import type { State, Store } from '../store';
import type { JointInfo } from '../types';
import { h, replace } from './dom';
import { fittedName } from './fitted';
import { JointMap } from './joint_map';

const degree = Math.PI / 180;
const isLength = ({ kind }: JointInfo): boolean => kind === 'prismatic';
const inMetres: Record<string, number> = { um: 1e-6, mm: 1e-3, cm: 1e-2, m: 1, in: 0.0254, ft: 0.3048 };

/** Angles in degrees, lengths in millimetres. */
export function jointText(joint: JointInfo, value: number, unit: string): string {
  const shown = isLength(joint) ? value * (inMetres[unit] ?? 1) * 1000 : value / degree;
  return `${number(Number(shown.toFixed(2)))}${isLength(joint) ? '\u202fmm' : '°'}`;
}

/** Where a slider begins and ends. Limits that nobody could find a value between are cut to what can be seen. */
function reachOf(joint: JointInfo, size: number): [number, number] {
  const { lower, upper, span } = joint, most = isLength(joint) ? 2 * size : 2 * Math.PI;
  const low = upper - lower > 2 * most ? Math.max(lower, Math.min(-most, span?.[0] ?? 0)) : lower;
  const high = upper - lower > 2 * most ? Math.min(upper, Math.max(most, span?.[1] ?? 0)) : upper;
  return [low, high];
}

interface Row {
  joint: number;
  slider: HTMLInputElement;
  output: HTMLOutputElement;
}

export class Joints {
  readonly element = h('section', { class: 'joints', 'aria-label': 'Joints' });
  private readonly rows: Row[] = [];
  private readonly map: JointMap | null;
  private readonly here = h('span', { class: 'status', role: 'status' });
  private readonly rest: HTMLButtonElement;

  /** `size` of the robot; without a picture there is nothing to move. */
  constructor(private readonly model: Model, private readonly store: Store, private readonly kinematics: Kinematics, buffer: Uint8Array, private readonly size: number) {
    const { joints, map } = kinematics.robot;
    const names = new Names(joints.map(({ name }) => name));
    const free = joints.map((_, id) => id).filter((id) => joints[id]!.kind !== 'fixed');
    const asked = (id: number): number => (joints[id]!.span ? 0 : joints[id]!.mimic ? 2 : 1);
    free.sort((p, q) => asked(p) - asked(q) || p - q);
    this.map = map && new JointMap(kinematics.robot, buffer, (joint, value) => this.set(joint, value));
    this.rest = h('button', { type: 'button', class: 'plain', id: 'joints-rest', click: (() => store.set({ joints: null, time: null, meeting: null })) as never }, 'to rest');
    const moving = free.filter((id) => joints[id]!.span).length;
    this.element.append(
      h('div', { class: 'transport' }, h('b', {}, plural(free.length, 'joint')), h('small', { class: 'muted' }, moving ? `${moving === free.length ? 'all' : moving} looked at in ${moving === 1 ? 'its range' : 'their ranges'}` : ''), this.rest, this.here),
      h('div', { class: 'joint-body' }, this.map?.square ?? null, h('div', { class: 'joint-list' }, ...free.map((id) => this.row(id, names)))));
  }

  private row(id: number, names: Names): HTMLElement {
    const joint = this.kinematics.robot.joints[id]!, [low, high] = reachOf(joint, this.size), { unit } = this.model;
    const slider = h('input', { type: 'range', min: low, max: high, step: 'any', 'aria-label': joint.name, id: `joint-${id}`, disabled: joint.mimic !== null });
    slider.addEventListener('input', () => this.set(id, Number(slider.value)));
    const output = h('output', { for: `joint-${id}` });
    this.rows.push({ joint: id, slider, output });
    const limits = `limits ${jointText(joint, joint.lower, unit)} … ${jointText(joint, joint.upper, unit)}${joint.span ? `; looked at from ${jointText(joint, joint.span[0], unit)} to ${jointText(joint, joint.span[1], unit)}` : ''}`;
    const lane = h('span', { class: 'joint-lane', title: limits }, slider);
    if (joint.span) {
      const mark = this.map?.strip(id) ?? h('i', { class: 'joint-span' });
      const share = (value: number) => (100 * (value - low)) / (high - low || 1);
      mark.style.left = `${share(joint.span[0])}%`;
      mark.style.width = `${share(joint.span[1]) - share(joint.span[0])}%`;
      lane.append(mark);
    }
    return h('div', { class: 'joint' }, fittedName(names, joint.name), lane, output,
      joint.mimic ? h('small', { class: 'muted' }, 'follows ', h('bdi', {}, this.kinematics.robot.joints[joint.mimic.joint]!.name)) : null);
  }

  private set(joint: number, value: number): void {
    const values = [...this.values(this.store.state)];
    values[joint] = value;
    this.store.set({ joints: values });
  }
  private values({ joints, time }: State): readonly number[] {
    const { robot } = this.kinematics;
    return joints ?? (time === null ? robot.instants[0]! : this.kinematics.valuesAt(this.model.page.motion?.playback?.times ?? [], time));
  }

  apply(state: State, before: State | null): void {
    if (before && state.joints === before.joints && state.time === before.time) return;
    const values = this.values(state), { joints, instants, map } = this.kinematics.robot;
    for (const { joint, slider, output } of this.rows) {
      const value = this.kinematics.value(joint, values), text = jointText(joints[joint]!, value, this.model.unit);
      if (Number(slider.value) !== value) slider.value = String(value);
      slider.setAttribute('aria-valuetext', text);
      output.textContent = text;
      output.title = `${value} ${isLength(joints[joint]!) ? this.model.unit : 'rad'}`;
    }
    this.rest.disabled = state.joints === null && state.time === null;
    this.map?.show(values);
    // The map holds while the joints that are not in it rest.
    const away = map ? joints.some((joint, id) => joint.kind !== 'fixed' && !joint.mimic && !map.joints.includes(id) && Math.abs(values[id]! - instants[0]![id]!) > 1e-9) : false;
    const found = away ? null : this.map?.at(values);
    replace(this.here, found ? `here: ${found}` : '');
  }
}
