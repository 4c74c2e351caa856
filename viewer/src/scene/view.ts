// The picture: a function of the store, drawn when something has changed.

import { Group, Scene, Vector3, WebGLRenderer, type Object3D } from 'three';
import { between, withUnit } from '../format';
import type { Geometry } from '../load';
import { intervalAt, simulated, surfacesIn, type Meeting } from '../meetings';
import { gravity, rgb, type Item, type Model } from '../model';
import type { State, Store } from '../store';
import type { Interval, Vec3 } from '../types';
import { Aims, oblique } from './aims';
import { Batches } from './batches';
import { between as common, boxOf, diagonal, emptyBox, include, middle, shifted, type Box } from './boxes';
import { CameraRig, type Aim } from './camera';
import { Caps } from './caps';
import { Contacts } from './contacts';
import { Highlighter, type Highlight, type Label } from './highlight';
import { arrow, Lines } from './lines';
import { markers } from './markers';
import { colorA, colorB, Materials } from './materials';
import { Player } from './motion';
import { PartTable } from './part_table';
import { Pointing } from './pointing';
import { SectionPlane } from './section';
import { Look } from './shaders';
import { Shapes } from './shapes';
import { steerByKeys } from './steering';

const measureColor = '#7b1fa2';
const mixed = (p: Vec3, q: Vec3, s: number): Vec3 => p.map((x, i) => x + s * (q[i]! - x)) as Vec3;
const sideTint = [colorA, colorB].map((color) => mixed(rgb(color), [0.62, 0.64, 0.67], 0.35));

export class View {
  readonly rig: CameraRig;
  readonly player: Player;
  readonly pointing: Pointing;
  readonly section: SectionPlane;
  /** Called after each picture. */
  onDrawn: () => void = () => {};

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly table: PartTable;
  private readonly materials: Materials;
  private readonly lines = new Lines();
  private readonly highlighter: Highlighter;
  private readonly aims: Aims;
  private readonly caps: Caps;
  private readonly contacts: Contacts;
  private readonly shapes: Shapes;
  private readonly marks: Object3D;
  private readonly measured = new Group();
  private readonly meshBoxes: Box[];
  private readonly boxes: Box[]; // of parts at rest, about the centre
  private readonly whole: Box;
  private readonly reach: number;
  private highlight: Highlight | null = null;
  private highlighted: Item | null = null;
  /** A pair that meets in motion and is shown alone. */
  private meeting: Meeting | null = null;
  private interval: Interval | null = null;
  private met: Highlight | null = null;
  private pending = false;
  /** What a simulation moves. */
  private readonly moving: ReadonlySet<number>;

  constructor(readonly element: HTMLElement, private readonly model: Model, geometry: Geometry, private readonly store: Store) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setClearColor(0, 0);
    this.renderer.info.autoReset = false;
    this.renderer.localClippingEnabled = true;
    element.prepend(this.renderer.domElement);

    const batches = new Batches(model, geometry.meshes);
    this.table = new PartTable(model, geometry.meshes.map(({ closed }) => closed));
    this.meshBoxes = model.page.meshes.map((_, mesh) => batches.boxOf(mesh));
    this.whole = this.center();
    this.boxes = model.page.parts.map((part, id) => this.table.box(id, this.meshBoxes[part.mesh]!));
    this.reach = 0.5 * diagonal(this.whole) || 1;
    this.aims = new Aims(element, this.boxes, this.reach);

    this.materials = new Materials(model, this.table);
    this.section = new SectionPlane(this.materials, this.whole, this.table.centre, this.lines.section);
    this.scene.add(...batches.draw(this.materials.solid, 'faces', 0), ...batches.draw(this.materials.lines, 'lines', 4), ...batches.draw(this.materials.ghost, 'faces', 6));
    this.highlighter = new Highlighter(model, batches, geometry.buffer, this.table.centre, this.lines, this.materials.sides);
    this.marks = markers(model.items, this.table.centre, this.renderer.getPixelRatio(), this.materials.cut, this.materials.scale);
    this.player = new Player(model.page, geometry.buffer);
    this.moving = new Set(model.page.motion?.playback?.parts);
    this.contacts = new Contacts(this.player, this.table.centre, Math.min((this.reach / 150) * this.renderer.getPixelRatio(), 0.02 * this.bodySize()));
    this.shapes = new Shapes(model, geometry.buffer, geometry.meshes, batches);
    const reach = this.reach * Math.max(2.8, this.player.reachFactor(this.reach, this.table.centre) + 1.2);
    this.caps = new Caps(this.renderer, batches, this.materials, reach);
    this.scene.add(this.marks, this.contacts.object, this.measured, this.caps.plane);

    this.rig = new CameraRig(this.renderer.domElement, () => this.draw(), () => {});
    this.rig.setReach(reach);
    steerByKeys(this.renderer.domElement, this.rig);
    this.pointing = new Pointing(element, this.renderer, this.rig, model, this.table, geometry.meshes, batches, this.materials);
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
    this.rig.jump(this.overview());
  }

  /** Of the bodies that a simulation moves, in the middle of all sizes. */
  private bodySize(): number {
    const sizes = (this.model.page.motion?.playback?.parts ?? []).map((part) => diagonal(this.boxes[part]!)).sort((p, q) => p - q);
    return sizes[sizes.length >> 1] ?? Infinity;
  }
  /** Moves the origin to the middle of all parts, where single precision is finest. The box of all about it. */
  private center(): Box {
    const { parts } = this.model.page;
    if (!parts.length) return new Float64Array([-1, -1, -1, 1, 1, 1]);
    const whole = emptyBox();
    // Once roughly, from the first part, and then from what that shows.
    this.table.centre = [...this.table.resting(0).at];
    for (let round = 0; round < 2; ++round) {
      whole.set(emptyBox());
      parts.forEach((part, id) => {
        this.table.place(id, this.table.resting(id), [0, 0, 0]);
        include(whole, this.table.box(id, this.meshBoxes[part.mesh]!));
      });
      if (round === 0) this.table.centre = this.table.centre.map((c, axis) => c + 0.5 * (whole[axis]! + whole[axis + 3]!)) as Vec3;
    }
    return whole;
  }

  // --- what is looked at -------------------------------------------------------------------------------------------

  /** All that is shown, as it is placed when nothing moves. */
  overview(direction = oblique): Aim {
    const { state } = this.store;
    // The ground of a simulation is often many times as large as what happens on it.
    if (simulated(this.model.page.motion) && state.explode === 0) return this.aims.at(this.motionBox(), direction);
    const shown = this.boxes.map((box, part) => (this.visible(part, state) ? shifted(box, this.shift(part, state.explode)) : null)).filter((box) => box !== null);
    return shown.length ? this.aims.over(shown, direction) : this.aims.at(this.whole, direction);
  }
  /** All that the motion passes through, more or less; of a simulation only the bodies that move, and not where they fall out of the world. */
  private motionBox(): Box {
    const { motion } = this.player, { begin, end } = motion!, { parts } = this.model.page;
    const moving = simulated(motion) ? motion!.playback!.parts : parts.map((_, id) => id);
    const box = simulated(motion) ? emptyBox() : this.whole.slice();
    const { state } = this.store;
    for (let k = 0; k <= 16; ++k) {
      this.place({ ...state, time: begin + ((end - begin) * k) / 16 });
      for (const id of moving) {
        const at = this.table.box(id, this.meshBoxes[parts[id]!.mesh]!);
        if (!simulated(motion) || at.every((x) => Math.abs(x) <= 2 * this.reach)) include(box, at);
      }
    }
    this.place(state);
    return box[0]! <= box[3]! ? box : this.whole;
  }
  fit(): void {
    const { direction } = this.rig.aim;
    if (this.highlight && this.highlighted) this.rig.fly(this.aims.finding(this.highlight, this.highlighted), false);
    else this.rig.fly(this.store.state.time === null ? this.overview(direction) : this.aims.at(this.motionBox(), direction), false);
  }
  look(direction: Vec3): void {
    this.rig.fly({ ...this.rig.aim, direction: new Vector3(...direction).normalize() }, false);
  }
  /** Where the finding that is shown is, in the file's coordinates, and across what. */
  get shownAt(): { point: Vec3 | null; normal: Vector3 | null } {
    const { x, y, z } = this.materials.focus.value, [cx, cy, cz] = this.table.centre;
    if (this.meeting) return { point: [x + cx, y + cy, z + cz], normal: null };
    return { point: this.highlighted?.finding.point ?? null, normal: this.highlight?.normal ?? null };
  }

  // --- from the store to the picture -------------------------------------------------------------------------------

  apply(state: State, before: State | null): void {
    const item = state.focus && state.selected ? (this.model.byId.get(state.selected) ?? null) : null;
    const selectionChanged = item !== this.highlighted;
    if (selectionChanged) this.select(item);
    const moving = state.time !== null;
    const meetingChanged = this.meet(state);
    this.place(state);
    this.looks(state, item);
    if (this.highlight) this.highlight.group.visible = state.explode === 0 && !moving;
    this.marks.visible = this.pointing.marked = !item && state.explode === 0 && !moving && !state.isolated && state.hidden.size === 0 && !state.measuring;
    this.pointing.measuring = state.measuring;
    this.renderer.domElement.classList.toggle('measuring', state.measuring);
    this.section.apply(state);
    if (!before || state.measured !== before.measured) this.showMeasured(state.measured);
    this.move(state, before, selectionChanged ? item : undefined, meetingChanged);
    this.draw();
  }

  /** The camera, where a change asks for it. `chosen`: undefined if that is as it was. */
  private move(state: State, before: State | null, chosen: Item | null | undefined, met: boolean): void {
    if (state.camera && !before) {
      const { direction, up, target, span } = state.camera;
      this.rig.jump({ direction: new Vector3(...direction), up: new Vector3(...up), target: new Vector3(...target), span });
    } else if (chosen && this.highlight) {
      this.rig.fly(this.aims.finding(this.highlight, chosen), before === null);
    } else if (met && this.meeting) {
      this.rig.fly(this.aims.meeting(this.placed(this.meeting.a), this.placed(this.meeting.b), this.rig.aim.direction), before === null);
    } else if (met && (state.time === null || simulated(this.player.motion))) {
      this.rig.fly(this.overview(), false);
    } else if (state.time !== null && (before?.time ?? null) === null && this.player.motion) {
      this.rig.fly(this.aims.at(this.motionBox(), this.rig.aim.direction), before === null);
    } else if (!before && (state.explode > 0 || state.isolated)) {
      this.rig.jump(this.overview());
    } else if (before && state.explode !== before.explode && chosen === undefined) {
      const { aim } = this.rig;
      this.rig.jump({ ...aim, span: (aim.span * (1 + state.explode)) / (1 + before.explode) });
    } else if (before && chosen === null && !state.focus) {
      this.rig.fly(this.overview(), false);
    }
  }

  private select(item: Item | null): void {
    if (this.highlight) {
      this.scene.remove(this.highlight.group);
      this.highlighter.release(this.highlight);
    }
    this.highlighted = item;
    this.highlight = null;
    this.materials.pair.value.set(item?.a ?? -1, item?.b ?? -1);
    if (!item) return;
    const { depth, gap } = item.finding;
    const smaller = this.aims.smaller(item);
    this.highlight = this.highlighter.make(item, {
      depth: depth ? between(depth.lower, depth.upper, this.model.unit) : '', gap: gap === null ? '' : withUnit(gap, this.model.unit),
    }, smaller);
    this.scene.add(this.highlight.group);
    const box = boxOf(this.highlight.points), at = middle(box);
    const size = Math.max(0.5 * diagonal(box), (item.finding.verdict === 'contained' ? 2 : 0.25) * smaller, 1e-6 * this.reach);
    this.materials.focus.value.set(at.x, at.y, at.z, Number.isFinite(size) ? size : this.reach);
  }

  /** Prepares what is shown of a pair that meets in motion; true if another pair is, or none any more. */
  private meet(state: State): boolean {
    const meeting = state.meeting && !state.focus && state.time !== null ? (this.model.meetingById.get(state.meeting) ?? null) : null;
    const interval = meeting && intervalAt(meeting, state.time!, gravity);
    const changed = meeting !== this.meeting;
    if (!changed && interval === this.interval) return false;
    if (this.met) {
      this.scene.remove(this.met.group);
      this.highlighter.release(this.met);
    }
    this.met = null;
    this.meeting = meeting;
    this.interval = interval;
    if (!meeting) return changed;
    const { a, b } = surfacesIn(meeting, interval);
    if (a.length || b.length) this.scene.add((this.met = this.highlighter.meeting(meeting.a, a, meeting.b, b)).group);
    return changed;
  }
  /** A part's box as it is placed now. */
  private placed(part: number): Box {
    return this.table.box(part, this.meshBoxes[this.model.page.parts[part]!.mesh]!);
  }

  private shift(part: number, explode: number): number[] {
    return middle(this.boxes[part]!).multiplyScalar(1.6 * explode).toArray();
  }
  private place(state: State): void {
    for (let part = 0; part < this.boxes.length; ++part)
      this.table.place(part, state.time === null ? this.table.resting(part) : this.player.at(part, state.time), this.shift(part, state.explode));
    this.shapes.show(state.time);
    this.contacts.show(state.time, state.explode === 0, this.meeting);
    if (!this.meeting) return;
    const p = this.placed(this.meeting.a), q = this.placed(this.meeting.b), box = common(p, q), at = middle(box);
    this.materials.focus.value.set(at.x, at.y, at.z, Math.max(0.5 * diagonal(box), 0.25 * Math.min(diagonal(p), diagonal(q))));
  }

  visible(part: number, state: State): boolean {
    return (!state.isolated || state.isolated.has(part)) && !state.hidden.has(part);
  }

  private looks(state: State, item: Item | null): void {
    const meeting = state.time === null ? null : this.player.meeting(state.time);
    // The ground of a simulation would hide all that lies beyond it, and paint the whole picture.
    const played = simulated(this.player.motion) ? this.moving : null;
    const together = item && state.explode === 0 && state.time === null;
    for (let part = 0; part < this.boxes.length; ++part) {
      const side = together ? [item.a, item.b].indexOf(part) : -1;
      let look = Look.solid;
      if (!this.visible(part, state)) look = Look.hidden;
      else if (together) look = side >= 0 ? Look.dim : Look.ghost;
      else if (this.meeting) look = part !== this.meeting.a && part !== this.meeting.b ? Look.ghost : this.met || (played && !played.has(part)) ? Look.dim : Look.solid;
      this.table.look(part, look);
      const met = this.meeting ? (part === this.meeting.a ? 'a' : part === this.meeting.b ? 'b' : undefined) : meeting?.get(part);
      this.table.tint(part, met ? rgb(met === 'a' ? colorA : colorB) : (sideTint[side] ?? this.model.color(part)));
    }
    const pair = together ? item : this.meeting;
    this.materials.pair.value.set(pair?.a ?? -1, pair?.b ?? -1);
  }

  private showMeasured(points: readonly Vec3[]): void {
    this.measured.traverse((object) => void (object as Partial<{ geometry: { dispose(): void } }>).geometry?.dispose());
    this.measured.clear();
    const [a, b] = points.map((p) => this.local(p));
    if (a && b && a.distanceTo(b) > 0) {
      const head = 0.06 * Math.min(a.distanceTo(b), this.rig.span);
      this.measured.add(...this.lines.haloed(Float32Array.from([...arrow(a, b, head), ...arrow(b, a, head)]), measureColor, 2));
    }
  }
  local([x, y, z]: Vec3): Vector3 {
    return new Vector3(x, y, z).sub(new Vector3(...this.table.centre));
  }

  theme(dark: boolean): void {
    this.materials.ink.value.set(...(dark ? ([0.02, 0.03, 0.05] as Vec3) : ([0.1, 0.13, 0.18] as Vec3)));
    this.materials.ghostAlpha.value = dark ? 0.07 : 0.05;
    this.draw();
  }

  // --- drawing -----------------------------------------------------------------------------------------------------

  resize(): void {
    const width = this.element.clientWidth || 1, height = this.element.clientHeight || 1;
    this.renderer.setSize(width, height);
    this.rig.resize(width, height);
    this.lines.resize(width, height);
    this.caps.resize(width, height, this.renderer.getPixelRatio());
    this.draw();
  }
  draw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.drawNow();
    });
  }
  drawNow(): void {
    if (this.rig.step()) this.draw();
    this.materials.scale.value = (this.element.clientHeight || 1) / this.rig.span;
    this.renderer.info.reset();
    this.caps.prepare(this.renderer, this.rig.camera);
    this.renderer.render(this.scene, this.rig.camera);
    this.onDrawn();
  }
  get calls(): number {
    return this.renderer.info.render.calls;
  }
  get memory() {
    return this.renderer.info.memory;
  }
  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }
  /** How many contacts of an instant are drawn. */
  get contactsShown(): number {
    return this.contacts.shown;
  }
  get currentLabels(): Label[] {
    return this.highlight?.group.visible ? this.highlight.labels : [];
  }
  project(at: Vector3): [number, number] {
    return this.pointing.project(at);
  }
  /** The left upper corner of a label of this size: beside its place by `gap`, and not cut off while that is in sight. */
  written({ at, from }: Label, width: number, height: number, gap: number): [number, number] {
    const [x, y] = this.project(at);
    const left = from !== undefined && this.project(from)[0] > x;
    const kept = (place: number, begin: number, size: number, room: number) => (place < 0 || place > room ? begin : Math.max(0, Math.min(begin, room - size)));
    return [kept(x, left ? x - gap - width : x + gap, width, this.element.clientWidth), kept(y, y - 0.5 * height, height, this.element.clientHeight)];
  }
}
