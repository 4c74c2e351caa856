// The picture: a function of the store, drawn when something has changed.

import {
  DataTexture, DoubleSide, GLSL3, NearestFilter, RawShaderMaterial, RGBAFormat, Scene, UnsignedByteType, Vector3, Vector4, WebGLRenderer,
  WebGLRenderTarget, type Object3D,
} from 'three';
import { between, withUnit } from '../format';
import type { Geometry } from '../load';
import { rgb, type Item, type Model } from '../model';
import type { State, Store } from '../store';
import type { Vec3 } from '../types';
import { Batches } from './batches';
import { CameraRig, type Aim } from './camera';
import { colorA, colorB, Highlighter, type Highlight, type Label } from './highlight';
import { markers } from './markers';
import { PartTable } from './part_table';
import { Player } from './player';
import { lineFragment, lineVertex, Look, pickFragment, pickVertex, surfaceFragment, surfaceVertex } from './shaders';

const everyLook = (1 << Look.solid) | (1 << Look.ghost) | (1 << Look.dim);

export class View {
  readonly rig: CameraRig;
  readonly labels: Label[] = [];
  readonly player: Player;
  /** Called after each picture. */
  onDrawn: () => void = () => {};
  onHover: (part: number, x: number, y: number) => void = () => {};
  onPick: (part: number) => void = () => {};
  onMark: (item: Item) => void = () => {};

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly pickScene = new Scene();
  private readonly table: PartTable;
  private readonly batches: Batches;
  private readonly highlighter: Highlighter;
  private readonly shared: Record<string, { value: unknown }>;
  private readonly ghosts: Object3D[];
  private readonly marks: Object3D;
  private readonly pickTarget = new WebGLRenderTarget(1, 1);
  private readonly meshBoxes: Float64Array[];
  private readonly boxes: Float64Array[]; // of parts at rest, about the centre
  private readonly reach: number;
  private highlight: Highlight | null = null;
  private highlighted: Item | null = null;
  private pending = false;

  constructor(readonly element: HTMLElement, private readonly model: Model, geometry: Geometry, private readonly store: Store) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setClearColor(0, 0);
    this.renderer.info.autoReset = false;
    element.prepend(this.renderer.domElement);

    this.batches = new Batches(model, geometry.meshes);
    this.table = new PartTable(model);
    const meshBoxes = (this.meshBoxes = model.page.meshes.map((_, mesh) => this.batches.boxOf(mesh)));
    const whole = this.center(meshBoxes);
    this.boxes = model.page.parts.map((part, id) => this.table.box(id, meshBoxes[part.mesh]!));
    this.reach = 0.5 * Math.hypot(whole[3]! - whole[0]!, whole[4]! - whole[1]!, whole[5]! - whole[2]!) || 1;

    this.shared = {
      parts: { value: this.table.texture }, palette: { value: this.palette() }, cut: { value: new Vector4(0, 0, 0, 1) },
      focus: { value: new Vector4(0, 0, 0, 1) }, ghostAlpha: { value: 0.05 }, dimAlpha: { value: 0.2 },
    };
    const surface = (looks: number, more: object, tint: string | null = null, layer = 0) =>
      new RawShaderMaterial({
        glslVersion: GLSL3, vertexShader: surfaceVertex, fragmentShader: surfaceFragment, side: DoubleSide,
        uniforms: { ...this.shared, looks: { value: looks }, layer: { value: layer }, override: { value: tint ? new Vector4(...rgb(tint), 1) : new Vector4(0, 0, 0, 0) } }, ...more,
      });
    const lines = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: lineVertex, fragmentShader: lineFragment, transparent: true, depthWrite: false,
      uniforms: { ...this.shared, looks: { value: everyLook }, ink: { value: new Vector3() }, inkAlpha: { value: new Vector4(0, 0.6, 0.16, 0.4) } },
    });
    this.shared['ink'] = lines.uniforms['ink']!;
    const solid = surface(1 << Look.solid, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const ghost = surface((1 << Look.ghost) | (1 << Look.dim), { transparent: true, depthWrite: false });
    this.scene.add(...this.batches.draw(solid, 'faces', 0), ...this.batches.draw(lines, 'lines', 4));
    this.ghosts = this.batches.draw(ghost, 'faces', 6);
    this.scene.add(...this.ghosts);
    const pick = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: pickVertex, fragmentShader: pickFragment, side: DoubleSide, uniforms: { ...this.shared, looks: { value: everyLook } },
    });
    this.pickScene.add(...this.batches.draw(pick, 'faces', 0));
    this.highlighter = new Highlighter(model, this.batches, geometry.buffer, this.table.centre, ...[colorA, colorB].map((color, i): [RawShaderMaterial, RawShaderMaterial] => {
      // Of faces that lie on one another, a's is seen.
      const behind = { polygonOffset: i === 1, polygonOffsetFactor: 1, polygonOffsetUnits: 8 };
      return [surface(everyLook, behind, color), surface(everyLook, { ...behind, transparent: true }, color, 1)];
    }) as [[RawShaderMaterial, RawShaderMaterial], [RawShaderMaterial, RawShaderMaterial]]);
    this.marks = markers(model.items, this.table.centre, this.renderer.getPixelRatio(), this.shared['cut']!);
    this.scene.add(this.marks);
    this.player = new Player(model, geometry.buffer, this.table, this.renderer.getPixelRatio());
    this.scene.add(this.player.contacts);

    this.rig = new CameraRig(this.renderer.domElement, () => this.draw(), () => {});
    this.rig.setReach(this.reach * Math.max(2.8, this.player.reachFactor(this.reach) + 1.2));
    this.listen();
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
    this.rig.jump(this.overview());
  }

  /** Moves the origin to the middle of all parts, where single precision is finest. The box of all about it. */
  private center(meshBoxes: Float64Array[]): Float64Array {
    const whole = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    const { parts } = this.model.page;
    if (!parts.length) return new Float64Array([-1, -1, -1, 1, 1, 1]);
    // Once roughly, from the first part, and then from what that shows.
    this.table.centre = [...this.table.resting(0).at];
    for (let round = 0; round < 2; ++round) {
      whole.set([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
      parts.forEach((part, id) => {
        this.table.place(id, this.table.resting(id), [0, 0, 0]);
        const box = this.table.box(id, meshBoxes[part.mesh]!);
        for (let axis = 0; axis < 3; ++axis) {
          whole[axis] = Math.min(whole[axis]!, box[axis]!);
          whole[axis + 3] = Math.max(whole[axis + 3]!, box[axis + 3]!);
        }
      });
      if (round === 0) this.table.centre = this.table.centre.map((c, axis) => c + 0.5 * (whole[axis]! + whole[axis + 3]!)) as Vec3;
    }
    this.whole = whole;
    return whole;
  }
  private whole = new Float64Array(6);

  private palette(): DataTexture {
    const rows = Math.ceil(this.model.palette.length / 256);
    const data = new Uint8Array(rows * 1024);
    this.model.palette.forEach((color, i) => data.set([...rgb(color).map((c) => Math.round(255 * c)), 255], 4 * i));
    const texture = new DataTexture(data, 256, rows, RGBAFormat, UnsignedByteType);
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    return texture;
  }

  // --- what is looked at -------------------------------------------------------------------------------------------

  private readonly iso = new Vector3(0.62, -1, 0.62).normalize();
  private readonly z = new Vector3(0, 0, 1);

  private boxAim(box: Float64Array, direction: Vector3): Aim {
    const middle = new Vector3(0.5 * (box[0]! + box[3]!), 0.5 * (box[1]! + box[4]!), 0.5 * (box[2]! + box[5]!));
    const right = this.z.clone().cross(direction).normalize();
    const up = direction.clone().cross(right);
    let wide = 0, high = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(box[(corner & 1) * 3]!, box[((corner >> 1) & 1) * 3 + 1]!, box[((corner >> 2) & 1) * 3 + 2]!).sub(middle);
      wide = Math.max(wide, Math.abs(p.dot(right)));
      high = Math.max(high, Math.abs(p.dot(up)));
    }
    const aspect = this.element.clientWidth / Math.max(1, this.element.clientHeight);
    return { direction, up: this.z.clone(), target: middle, span: 2.12 * Math.max(high, wide / aspect) || this.reach };
  }
  overview(direction = this.iso): Aim {
    const { isolated } = this.store.state;
    return this.boxAim(isolated?.size ? this.union([...isolated]) : this.whole, direction);
  }
  private union(parts: number[]): Float64Array {
    const box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    for (const part of parts)
      for (let axis = 0; axis < 3; ++axis) {
        box[axis] = Math.min(box[axis]!, this.boxes[part]![axis]!);
        box[axis + 3] = Math.max(box[axis + 3]!, this.boxes[part]![axis + 3]!);
      }
    return box;
  }

  /** Close enough to see how the surfaces meet, from where both can be seen. */
  private aimAt(highlight: Highlight, item: Item): Aim {
    const parts = [item.a, item.b].filter((part) => part >= 0).map((part) => this.boxes[part]!);
    const small = parts.sort((p, q) => diagonal(p) - diagonal(q))[0];
    // A part that lies inside another belongs to the picture as a whole.
    const whole = item.finding.verdict === 'contained' || !highlight.points.length;
    const box = pointBox(highlight.points);
    if (whole && small)
      for (let axis = 0; axis < 3; ++axis) {
        box[axis] = Math.min(box[axis]!, small[axis]!);
        box[axis + 3] = Math.max(box[axis + 3]!, small[axis + 3]!);
      }
    const normal = highlight.normal ?? this.z;
    let best = this.iso, score = -Infinity;
    for (const x of [-0.62, 0.62, -1, 1])
      for (const y of [-1, 1, -0.62, 0.62])
        for (const height of [0.62, -0.5]) {
          const d = new Vector3(x, y, height).normalize();
          const rate = -Math.abs(Math.abs(d.dot(normal)) - 0.5) + 0.35 * d.dot(this.iso) + (height > 0 ? 0.2 : 0);
          if (rate > score) (best = d), (score = rate);
        }
    const aim = this.boxAim(box, best);
    // Not so close that nobody knows where he is.
    const least = Math.max(0.9 * this.smallest(item), 0.02 * this.reach);
    aim.span = Math.max(aim.span * 1.5, Math.min(least, 0.6 * this.reach));
    return aim;
  }

  /** Diagonal of the smaller part of a finding. */
  private smallest(item: Item): number {
    const sizes = [item.a, item.b].filter((part) => part >= 0).map((part) => diagonal(this.boxes[part]!));
    return sizes.length ? Math.min(...sizes) : 0.1 * this.reach;
  }

  /** All that the motion passes through, more or less. */
  private motionBox(): Float64Array {
    const { begin, end } = this.player.motion!;
    const box = this.whole.slice();
    const state = this.store.state;
    for (let k = 0; k <= 16; ++k) {
      this.place({ ...state, time: begin + ((end - begin) * k) / 16 });
      this.model.page.parts.forEach((part, id) => {
        const own = this.table.box(id, this.meshBoxes[part.mesh]!);
        for (let axis = 0; axis < 3; ++axis) {
          box[axis] = Math.min(box[axis]!, own[axis]!);
          box[axis + 3] = Math.max(box[axis + 3]!, own[axis + 3]!);
        }
      });
    }
    this.place(state);
    return box;
  }

  fit(): void {
    const now = this.reducedTo();
    if (now) this.rig.fly(this.aimAt(now.highlight, now.item), false);
    else this.rig.fly(this.store.state.time === null ? this.overview(this.rig.aim.direction) : this.boxAim(this.motionBox(), this.rig.aim.direction), false);
  }
  private reducedTo() {
    return this.highlight && this.highlighted ? { highlight: this.highlight, item: this.highlighted } : null;
  }
  look(direction: Vec3): void {
    const aim = this.rig.aim;
    this.rig.fly({ ...aim, direction: new Vector3(...direction).normalize() }, false);
  }

  // --- from the store to the picture -------------------------------------------------------------------------------

  apply(state: State, before: State | null): void {
    const item = state.focus && state.selected ? (this.model.byId.get(state.selected) ?? null) : null;
    const selectionChanged = item !== this.highlighted;
    if (selectionChanged) this.select(item);
    const moving = state.time !== null;
    this.place(state);
    this.looks(state, item);
    if (this.highlight) this.highlight.group.visible = state.explode === 0 && !moving;
    this.marks.visible = !item && state.explode === 0 && !moving && !state.isolated && state.hidden.size === 0;
    this.cut(state);
    if (state.camera && !before) {
      const { direction, up, target, span } = state.camera;
      this.rig.jump({ direction: new Vector3(...direction), up: new Vector3(...up), target: new Vector3(...target), span });
    } else if (selectionChanged && item && this.highlight) {
      this.rig.fly(this.aimAt(this.highlight, item), before === null);
    } else if (moving && (before?.time ?? null) === null && this.player.motion) {
      this.rig.fly(this.boxAim(this.motionBox(), this.rig.aim.direction), before === null);
    } else if (before && state.explode !== before.explode && !selectionChanged) {
      const aim = this.rig.aim;
      this.rig.jump({ ...aim, span: (aim.span * (1 + state.explode)) / (1 + before.explode) });
    } else if (before && selectionChanged && !item && !state.focus) {
      this.rig.fly(this.overview(), false);
    }
    this.draw();
  }

  private select(item: Item | null): void {
    if (this.highlight) {
      this.scene.remove(this.highlight.group);
      this.highlighter.release(this.highlight);
    }
    this.highlighted = item;
    this.highlight = null;
    if (!item) return;
    const { depth, gap } = item.finding;
    this.highlight = this.highlighter.make(item, {
      depth: depth ? between(depth.lower, depth.upper, this.model.unit) : '', gap: gap === null ? '' : withUnit(gap, this.model.unit),
    });
    this.scene.add(this.highlight.group);
    const box = pointBox(this.highlight.points);
    const size = Math.max(0.5 * diagonal(box), (item.finding.verdict === 'contained' ? 2 : 0.25) * this.smallest(item), 1e-6 * this.reach);
    (this.shared['focus']!.value as Vector4).set(0.5 * (box[0]! + box[3]!), 0.5 * (box[1]! + box[4]!), 0.5 * (box[2]! + box[5]!), Number.isFinite(size) ? size : this.reach);
  }

  private place(state: State): void {
    const { parts } = this.model.page;
    const factor = state.explode * 1.6;
    for (let part = 0; part < parts.length; ++part) {
      const box = this.boxes[part]!;
      const shift = [0, 1, 2].map((axis) => factor * 0.5 * (box[axis]! + box[axis + 3]!));
      this.table.place(part, state.time === null ? this.table.resting(part) : this.player.at(part, state.time), shift);
    }
    this.player.show(state.time, state.explode === 0);
  }

  visible(part: number, state: State): boolean {
    return state.isolated ? state.isolated.has(part) && !state.hidden.has(part) : !state.hidden.has(part);
  }

  private looks(state: State, item: Item | null): void {
    const meeting = state.time === null ? null : this.player.meeting(state.time);
    const together = item && state.explode === 0 && state.time === null;
    for (let part = 0; part < this.model.page.parts.length; ++part) {
      let look = Look.solid;
      if (!this.visible(part, state)) look = Look.hidden;
      else if (together) look = part === item.a || part === item.b ? Look.dim : Look.ghost;
      this.table.look(part, look);
      this.table.tint(part, meeting?.has(part) ? rgb(meeting.get(part) === 'a' ? colorA : colorB) : this.model.color(part));
    }
  }

  private cut(state: State): void {
    const plane = this.shared['cut']!.value as Vector4;
    if (!state.section) {
      plane.set(0, 0, 0, 1);
      return;
    }
    const { axis, flip } = state.section;
    const at = this.cutAt(state)!;
    const sign = flip ? 1 : -1;
    plane.set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, -sign * at);
  }
  /** Where the section is on its axis, about the centre. */
  private cutAt(state: State): number | null {
    if (!state.section) return null;
    const { axis, at } = state.section;
    const low = this.whole[axis]!, high = this.whole[axis + 3]!;
    return low + at * (high - low);
  }
  /** In the file's own coordinates. */
  sectionPlace(state: State): number | null {
    const at = this.cutAt(state);
    return at === null ? null : at + this.table.centre[state.section!.axis];
  }
  /** The share of the extent at which the section goes through a finding, or through the middle. */
  shareOf(axis: 0 | 1 | 2): number {
    const point = this.highlighted?.finding.point;
    if (!point) return 0.5;
    const low = this.whole[axis]!, high = this.whole[axis + 3]!;
    return high > low ? Math.min(1, Math.max(0, (point[axis] - this.table.centre[axis] - low) / (high - low))) : 0.5;
  }

  theme(dark: boolean): void {
    (this.shared['ink']!.value as Vector3).set(...(dark ? ([0.02, 0.03, 0.05] as Vec3) : ([0.1, 0.13, 0.18] as Vec3)));
    this.shared['ghostAlpha']!.value = dark ? 0.07 : 0.05;
    this.draw();
  }

  // --- drawing -----------------------------------------------------------------------------------------------------

  resize(): void {
    const width = this.element.clientWidth || 1, height = this.element.clientHeight || 1;
    this.renderer.setSize(width, height);
    this.rig.resize(width, height);
    this.highlighter.resize(width, height);
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
    this.renderer.info.reset();
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
  get currentLabels(): Label[] {
    return this.highlight?.group.visible ? this.highlight.labels : [];
  }
  /** Pixels of the element, or null behind the edge of it. */
  project(at: Vector3): [number, number] {
    const p = at.clone().project(this.rig.camera);
    return [(0.5 + 0.5 * p.x) * this.element.clientWidth, (0.5 - 0.5 * p.y) * this.element.clientHeight];
  }

  // --- pointing ----------------------------------------------------------------------------------------------------

  /** The part at a pixel of the element, or -1. */
  pick(x: number, y: number): number {
    const { camera } = this.rig;
    camera.setViewOffset(this.element.clientWidth, this.element.clientHeight, x, y, 1, 1);
    this.renderer.setRenderTarget(this.pickTarget);
    this.renderer.clear();
    this.renderer.render(this.pickScene, camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    camera.clearViewOffset();
    return pixel[0]! + (pixel[1]! << 8) + (pixel[2]! << 16) - 1;
  }

  /** The gravest of the findings marked at a pixel. */
  private markAt(x: number, y: number): Item | null {
    if (!this.marks.visible) return null;
    const [cx, cy, cz] = this.table.centre;
    return this.model.items.find(({ finding: { point } }) => {
      if (!point) return false;
      const [px, py] = this.project(new Vector3(point[0] - cx, point[1] - cy, point[2] - cz));
      return Math.hypot(px - x, py - y) < 10;
    }) ?? null;
  }

  private listen(): void {
    const canvas = this.renderer.domElement;
    let waiting = 0, down: [number, number] | null = null;
    canvas.addEventListener('pointermove', (event) => {
      clearTimeout(waiting);
      if (event.buttons) {
        this.onHover(-1, 0, 0);
        return;
      }
      waiting = window.setTimeout(() => this.onHover(this.pick(event.offsetX, event.offsetY), event.offsetX, event.offsetY), 50);
    });
    canvas.addEventListener('pointerleave', () => {
      clearTimeout(waiting);
      this.onHover(-1, 0, 0);
    });
    canvas.addEventListener('pointerdown', (event) => (down = event.button === 0 ? [event.offsetX, event.offsetY] : null));
    canvas.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) < 4) {
        const item = this.markAt(event.offsetX, event.offsetY);
        if (item) this.onMark(item);
        else this.onPick(this.pick(event.offsetX, event.offsetY));
      }
      down = null;
    });
    canvas.addEventListener('dblclick', (event) => this.pivot(event.offsetX, event.offsetY));
  }
  /** Turns about what was clicked from now on. */
  private pivot(x: number, y: number): void {
    const part = this.pick(x, y);
    if (part < 0) return;
    const box = this.boxes[part]!;
    const aim = this.rig.aim;
    const middle = new Vector3(0.5 * (box[0]! + box[3]!), 0.5 * (box[1]! + box[4]!), 0.5 * (box[2]! + box[5]!));
    const ndc = new Vector3((2 * x) / this.element.clientWidth - 1, 1 - (2 * y) / this.element.clientHeight, 0).unproject(this.rig.camera);
    // The point of the ray that is as deep as the middle of the part.
    const depth = middle.sub(ndc).dot(aim.direction);
    this.rig.fly({ ...aim, target: ndc.addScaledVector(aim.direction, depth) }, false);
  }
}

function pointBox(points: Vector3[]): Float64Array {
  const box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (const p of points)
    p.toArray().forEach((value, axis) => {
      box[axis] = Math.min(box[axis]!, value);
      box[axis + 3] = Math.max(box[axis + 3]!, value);
    });
  return box;
}

function diagonal(box: Float64Array): number {
  return Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
}
