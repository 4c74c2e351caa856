// The picture: a function of the store, drawn when something has changed.

import { Group, Scene, Vector3, Vector4, WebGLRenderer } from 'three';
import { listed } from '../filter';
import { between, withUnit } from '../format';
import type { Geometry } from '../load';
import { intervalAt, simulated, surfacesIn, type Meeting } from '../meetings';
import { gravity, rgb, type Item, type Model } from '../model';
import type { State, Store } from '../store';
import type { Interval, Vec3 } from '../types';
import { Aims, oblique } from './aims';
import { Batches } from './batches';
import { between as common, boxOf, corners, diagonal, emptyBox, include, middle, shifted, type Box } from './boxes';
import { CameraRig, type Aim } from './camera';
import { Caps } from './caps';
import { Contacts } from './contacts';
import { Highlighter, type Highlight, type Label } from './highlight';
import { arrow, Lines } from './lines';
import { Markers } from './markers';
import { colorA, colorB, Materials } from './materials';
import { Player } from './motion';
import { PartTable } from './part_table';
import type { Place } from './places';
import { Pointing } from './pointing';
import { SectionPlane } from './section';
import { Look } from './shaders';
import { Shapes } from './shapes';
import { depthsInSight } from './sight';
import { steerByKeys } from './steering';

const measureColor = '#7b1fa2';
/** What a mark's being there depends on. */
const markKeys = ['text', 'verdicts', 'severity', 'deeperThan', 'part', 'hidden', 'isolated'] as const;
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
  private readonly marks: Markers;
  private readonly measured = new Group();
  private measuredFrom = new Vector3();
  /** About the centre: what the graphics card's numbers are told from. Follows the eye. */
  private anchor = new Vector3();
  /** Where the finding that is shown is, about the centre, and how large. */
  private readonly focus = new Vector4(0, 0, 0, 1);
  private readonly meshBoxes: Box[];
  private readonly boxes: Box[]; // of parts at rest, about the centre
  private readonly depthBoxes: Box[]; // of their meshes, in cells, whatever form they take
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
    this.depthBoxes = model.page.parts.map(({ mesh }) => (model.deforms[mesh] ? new Float64Array([0, 0, 0, 65535, 65535, 65535]) : this.meshBoxes[mesh]!));
    this.reach = 0.5 * diagonal(this.whole) || 1;
    this.aims = new Aims(element, this.boxes, model.page.parts.map(({ mesh }) => model.page.meshes[mesh]!.step), this.reach);

    this.materials = new Materials(model, this.table);
    this.section = new SectionPlane(this.materials, this.whole, this.table.centre, this.lines.section);
    this.scene.add(...batches.draw(this.materials.solid, 'faces', 0), ...batches.draw(this.materials.lines, 'lines', 4), ...batches.draw(this.materials.ghost, 'faces', 6));
    this.highlighter = new Highlighter(model, batches, geometry.buffer, this.table.centre, this.lines, (part) => geometry.meshes[model.page.parts[part]!.mesh]!.closed, this.materials.sides);
    this.marks = new Markers(model.items, this.table.centre, this.renderer.getPixelRatio(), this.materials.cut, this.materials.scale);
    this.player = new Player(model.page, geometry.buffer);
    this.moving = new Set(model.page.motion?.playback?.parts);
    this.contacts = new Contacts(this.player, this.table.centre, Math.min((this.reach / 150) * this.renderer.getPixelRatio(), 0.02 * this.bodySize()));
    this.shapes = new Shapes(model, geometry.buffer, geometry.meshes, batches);
    const reach = this.reach * Math.max(2.8, this.player.reachFactor(this.reach, this.table.centre) + 1.2);
    this.caps = new Caps(this.renderer, batches, this.materials, reach);
    this.scene.add(this.marks.group, this.contacts.object, this.measured, this.caps.plane);

    this.rig = new CameraRig(this.renderer.domElement, () => this.draw(), () => {});
    this.rig.setReach(reach);
    steerByKeys(this.renderer.domElement, this.rig);
    this.pointing = new Pointing(element, this.renderer, this.rig, model, this.table, geometry.meshes, batches, this.materials, this.section, this.marks);
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
    this.rig.jump(this.overview());
  }

  /** Of the whole assembly, across. */
  get size(): number {
    return 2 * this.reach;
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
    if (this.highlight?.group.visible && this.highlighted) {
      // Again and again: closer, and back to the parts.
      const ways = this.aims.around(this.highlight, this.highlighted, this.placeOf(this.store.state), direction);
      this.rig.fly(ways[(ways.findIndex((way) => this.rig.isAt(way)) + 1) % ways.length]!, false);
    } else if (this.player.kinematics && this.store.state.explode === 0) {
      this.rig.fly(this.aims.over(this.boxes.map((_, part) => this.placed(part)).filter((_, part) => this.visible(part, this.store.state)), direction), false);
    } else this.rig.fly(this.store.state.time === null ? this.overview(direction) : this.aims.at(this.motionBox(), direction), false);
  }
  look(direction: Vec3): void {
    this.rig.fly({ ...this.rig.aim, direction: new Vector3(...direction).normalize() }, false);
  }
  /** Where the finding that is shown is, in the file's coordinates, and across what. */
  get shownAt(): { point: Vec3 | null; normal: Vector3 | null } {
    const { x, y, z } = this.focus, [cx, cy, cz] = this.table.centre;
    if (this.meeting) return { point: [x + cx, y + cy, z + cz], normal: null };
    return { point: this.highlighted?.finding.point ?? null, normal: this.highlight?.normal ?? null };
  }

  // --- from the store to the picture -------------------------------------------------------------------------------

  apply(state: State, before: State | null): void {
    const item = state.focus && state.selected ? (this.model.byId.get(state.selected) ?? null) : null;
    const selectionChanged = item !== this.highlighted;
    if (selectionChanged) this.select(item);
    const place = this.placeOf(state);
    if (selectionChanged || state.place !== before?.place) this.focusOn(place);
    const moving = state.time !== null || state.joints !== null;
    const meetingChanged = this.meet(state);
    const kept = before && state.joints !== before.joints && state.joints && this.inSight(state);
    this.place(state);
    this.looks(state, item);
    if (this.highlight) this.highlight.group.visible = state.explode === 0 && !moving;
    this.marks.group.visible = this.pointing.marked = !item && state.explode === 0 && !moving && !state.measuring;
    if (!before || markKeys.some((key) => state[key] !== before[key])) {
      const found = new Set(listed(this.model, state));
      this.marks.show((one) => found.has(one) && this.marked(one, state));
    }
    this.pointing.measuring = state.measuring;
    this.renderer.domElement.classList.toggle('measuring', state.measuring);
    this.section.apply(state);
    if (!before || state.measured !== before.measured) this.showMeasured(state.measured);
    // Links that a hand moves out of the picture take the eye with them, unless it looks at something closer.
    if (kept && !this.inSight(state)) this.rig.jump(this.aims.at(this.shownBox(state), this.rig.aim.direction));
    this.move(state, before, selectionChanged || (item && state.place !== before?.place) ? item : undefined, meetingChanged);
    this.draw();
  }

  /** The camera, where a change asks for it. `chosen`: undefined if that is as it was. */
  private move(state: State, before: State | null, chosen: Item | null | undefined, met: boolean): void {
    if (state.camera && !before) {
      const { direction, up, target, span } = state.camera;
      this.rig.jump({ direction: new Vector3(...direction), up: new Vector3(...up), target: new Vector3(...target), span });
    } else if (chosen && this.highlight) {
      // From place to place the eye keeps its direction.
      const place = this.placeOf(state), direction = before?.focus && before.selected === state.selected ? this.rig.aim.direction : undefined;
      this.rig.fly(this.aims.finding(this.highlight, chosen, place, direction), before === null);
    } else if (met && this.meeting && this.player.kinematics) {
      // Two links as they are, from outside: what lies between them is seldom small beside them.
      const both = this.placed(this.meeting.a).slice();
      include(both, this.placed(this.meeting.b));
      this.rig.fly(this.aims.at(both, this.rig.aim.direction), before === null);
    } else if (met && this.meeting) {
      this.rig.fly(this.aims.meeting(this.placed(this.meeting.a), this.placed(this.meeting.b), this.rig.aim.direction), before === null);
    } else if (met && (state.time === null || simulated(this.player.motion))) {
      this.rig.fly(this.overview(), false);
    } else if (state.time !== null && (before?.time ?? null) === null && this.player.motion && !this.player.kinematics) {
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
    this.anchor.set(NaN, NaN, NaN); // what is new has to be told from it
    this.materials.pair.value.set(item?.a ?? -1, item?.b ?? -1);
    if (!item) return;
    const { depth, gap } = item.finding;
    const smaller = this.aims.smaller(item);
    this.highlight = this.highlighter.make(item, {
      depth: depth ? between(depth.lower, depth.upper, this.model.unit) : '', gap: gap === null ? '' : withUnit(gap, this.model.unit),
    }, smaller);
    this.scene.add(this.highlight.group);
  }
  /** What stays opaque: the finding, or the place of it that is looked at. */
  private focusOn(place: Box | null): void {
    const { highlight, highlighted } = this;
    if (!highlight || !highlighted) return;
    const found = place ?? (diagonal(highlight.extent) > 0 ? highlight.extent : boxOf(highlight.points)), at = middle(found);
    this.focus.set(at.x, at.y, at.z, Math.max(0.5 * diagonal(found), highlighted.finding.verdict === 'contained' ? 2 * this.aims.smaller(highlighted) : 0));
  }
  /** The places of the finding that is shown: how many there are to step through. */
  get places(): readonly Place[] {
    return this.highlight && this.highlight.places.length > 1 ? this.highlight.places : [];
  }
  get placeSizes(): number[] {
    return this.places.map(({ box }) => diagonal(box));
  }
  private placeOf({ place }: State): Box | null {
    return place === null ? null : (this.places[place]?.box ?? null);
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
  /** Of the pair that is shown, or of all parts, as they are placed now. */
  private shownBox(state: State): Box {
    const out = emptyBox();
    for (const part of this.meeting ? [this.meeting.a, this.meeting.b] : this.boxes.keys()) if (this.visible(part, state)) include(out, this.placed(part));
    return out;
  }
  private inSight(state: State): boolean {
    const { clientWidth: wide, clientHeight: high } = this.element;
    return corners(this.shownBox(state)).map((p) => this.project(p)).every(([x, y]) => x >= 0 && x <= wide && y >= 0 && y <= high);
  }
  /** The larger link of a robot's pair: the other may be inside of it. */
  private outer(): number {
    if (!this.meeting || !this.player.kinematics) return -1;
    const { a, b } = this.meeting;
    return diagonal(this.boxes[a]!) > diagonal(this.boxes[b]!) ? a : b;
  }
  /** A part's box as it is placed now. */
  private placed(part: number): Box {
    return this.table.box(part, this.meshBoxes[this.model.page.parts[part]!.mesh]!);
  }

  private shift(part: number, explode: number): number[] {
    return middle(this.boxes[part]!).multiplyScalar(1.6 * explode).toArray();
  }
  private place(state: State): void {
    const { joints, time } = state, { player } = this;
    for (let part = 0; part < this.boxes.length; ++part)
      this.table.place(part, joints && player.kinematics ? player.joined(part, joints) : time === null ? this.table.resting(part) : player.at(part, time), this.shift(part, state.explode));
    this.shapes.show(state.time);
    this.contacts.show(state.time, state.explode === 0, this.meeting);
    if (!this.meeting) return;
    const p = this.placed(this.meeting.a), q = this.placed(this.meeting.b), box = common(p, q), at = middle(box);
    this.focus.set(at.x, at.y, at.z, Math.max(0.5 * diagonal(box), 0.25 * Math.min(diagonal(p), diagonal(q))));
  }

  /** Not of parts that nobody wants to see. */
  private marked({ a, b }: Item, state: State): boolean {
    if (state.isolated) return state.isolated.has(a) || state.isolated.has(b);
    return !state.hidden.has(a) && !state.hidden.has(b);
  }
  visible(part: number, state: State): boolean {
    return (!state.isolated || state.isolated.has(part)) && !state.hidden.has(part);
  }

  private looks(state: State, item: Item | null): void {
    const meeting = state.time === null || state.joints ? null : this.player.meeting(state.time);
    // The ground of a simulation would hide all that lies beyond it, and paint the whole picture.
    const played = simulated(this.player.motion) ? this.moving : null;
    const together = item && state.explode === 0 && state.time === null;
    for (let part = 0; part < this.boxes.length; ++part) {
      const side = together ? [item.a, item.b].indexOf(part) : -1;
      let look = Look.solid;
      if (!this.visible(part, state)) look = Look.hidden;
      else if (together) look = side >= 0 ? Look.dim : Look.ghost;
      else if (this.meeting) look = part !== this.meeting.a && part !== this.meeting.b ? Look.ghost : this.met || (played && !played.has(part)) || part === this.outer() ? Look.dim : Look.solid;
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
    this.anchor.set(NaN, NaN, NaN);
    const [a, b] = points.map((p) => this.local(p));
    if (a && b && a.distanceTo(b) > 0) {
      const head = 0.06 * Math.min(a.distanceTo(b), this.rig.span), from = a.toArray();
      this.measuredFrom = a;
      this.measured.add(...this.lines.haloed(Float32Array.from([...arrow(a, b, head), ...arrow(b, a, head)], (x, i) => x - from[i % 3]!), measureColor, 2));
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
    const { span, controls: { target } } = this.rig;
    this.materials.scale.value = (this.element.clientHeight || 1) / span;
    // Single precision has 24 bits: this far from the anchor 16 of them are left to the picture.
    if (!(this.anchor.distanceTo(target) <= 256 * span)) this.anchorAt(target);
    const { x, y, z, w } = this.focus;
    this.materials.focus.value.set(x - this.anchor.x, y - this.anchor.y, z - this.anchor.z, Math.max(w, 0.25 * span));
    this.section.tell(this.anchor);
    if (this.highlight) this.highlighter.dimension(this.highlight, span);
    const eye = this.rig.sight(this.anchor, ...depthsInSight(this.rig, this.table, this.depthBoxes, this.highlight ? corners(boxOf(this.highlight.labels.flatMap(({ at, from }) => (from ? [at, from] : [at])))) : []));
    this.renderer.info.reset();
    this.caps.prepare(this.renderer, eye);
    this.renderer.render(this.scene, eye);
    this.onDrawn();
  }
  private anchorAt(target: Vector3): void {
    this.anchor.copy(target);
    this.table.anchorAt(this.anchor);
    this.marks.anchorAt(this.anchor);
    this.contacts.object.position.copy(this.anchor).negate();
    this.measured.position.copy(this.measuredFrom).sub(this.anchor);
    this.highlight?.group.position.copy(this.highlight.origin).sub(this.anchor);
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
  /** The left upper corner of a label of this size: beside its place by `gap`, not cut off, and in sight while what it is written away from is. */
  written({ at, from }: Label, width: number, height: number, gap: number): [number, number] {
    const { clientWidth: wide, clientHeight: high } = this.element;
    let [x, y] = this.project(at);
    const begin = from && this.project(from), left = begin !== undefined && begin[0] > x;
    const within = (p: readonly number[]): boolean => p[0]! >= 0 && p[0]! <= wide && p[1]! >= 0 && p[1]! <= high;
    if (begin && within(begin) && !within([x, y])) {
      // An arrow that goes on beyond the border has its number there.
      const share = (from: number, to: number, room: number) => (to > room ? (room - from) / (to - from) : to < 0 ? from / (from - to) : 1);
      const s = Math.min(share(begin[0], x, wide), share(begin[1], y, high));
      [x, y] = [begin[0] + s * (x - begin[0]), begin[1] + s * (y - begin[1])];
    }
    const kept = (place: number, start: number, size: number, room: number) => (place < 0 || place > room ? start : Math.max(0, Math.min(start, room - size)));
    return [kept(x, left ? x - gap - width : x + gap, width, wide), kept(y, y - 0.5 * height, height, high)];
  }
}
