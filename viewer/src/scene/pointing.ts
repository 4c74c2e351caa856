// What is under the pointer, and what a click on it means.

import { Scene, Vector3, WebGLRenderTarget, type WebGLRenderer } from 'three';
import type { DecodedMesh } from '../decode';
import type { Item, Model } from '../model';
import type { Vec3 } from '../types';
import type { Batches } from './batches';
import type { CameraRig } from './camera';
import type { Markers } from './markers';
import type { Materials } from './materials';
import type { PartTable } from './part_table';
import { hit, type Hit } from './rays';
import type { SectionPlane } from './section';

const snap = 9; // pixels

export interface Pointed extends Hit {
  part: number;
}

export class Pointing {
  onHover: (at: Pointed | null, part: number, x: number, y: number) => void = () => {};
  onPick: (part: number) => void = () => {};
  onMark: (item: Item) => void = () => {};
  /** A point of a surface, in the file's coordinates; only while `measuring`. */
  onPoint: (point: Vec3) => void = () => {};
  measuring = false;
  marked = true;
  private readonly scene = new Scene();
  private readonly target = new WebGLRenderTarget(1, 1);

  constructor(
    private readonly element: HTMLElement, private readonly renderer: WebGLRenderer, private readonly rig: CameraRig, private readonly model: Model,
    private readonly table: PartTable, private readonly meshes: DecodedMesh[], batches: Batches, materials: Materials,
    private readonly section: SectionPlane, private readonly marks: Markers,
  ) {
    this.scene.add(...batches.draw(materials.pick, 'faces', 0));
    this.listen();
  }

  /** The part at a pixel of the element, or -1. */
  pick(x: number, y: number): number {
    const { eye: camera } = this.rig;
    camera.setViewOffset(this.element.clientWidth, this.element.clientHeight, x, y, 1, 1);
    this.renderer.setRenderTarget(this.target);
    this.renderer.clear();
    this.renderer.render(this.scene, camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(this.target, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    camera.clearViewOffset();
    return pixel[0]! + (pixel[1]! << 8) + (pixel[2]! << 16) - 1;
  }

  /** The surface at a pixel of the element. */
  at(x: number, y: number): Pointed | null {
    const part = this.pick(x, y);
    if (part < 0) return null;
    const from = new Vector3((2 * x) / this.element.clientWidth - 1, 1 - (2 * y) / this.element.clientHeight, -1).unproject(this.rig.camera);
    const found = hit(this.table, part, this.meshes[this.model.page.parts[part]!.mesh]!, from, this.rig.aim.direction.negate(), (p) => this.section.cuts(p));
    return found && { ...found, part };
  }
  /** A corner close by, or else the very point. */
  snapped(x: number, y: number, pointed: Pointed): Vector3 {
    const near = pointed.corners.map((p) => ({ p, far: Math.hypot(this.project(p)[0] - x, this.project(p)[1] - y) })).sort((p, q) => p.far - q.far)[0]!;
    return near.far < snap ? near.p : pointed.at;
  }
  /** Pixels of the element. */
  project(at: Vector3): [number, number] {
    const p = at.clone().project(this.rig.camera);
    return [(0.5 + 0.5 * p.x) * this.element.clientWidth, (0.5 - 0.5 * p.y) * this.element.clientHeight];
  }

  /** The gravest of the findings marked at a pixel. */
  private markAt(x: number, y: number): Item | null {
    if (!this.marked) return null;
    const [cx, cy, cz] = this.table.centre;
    return this.marks.items.find(({ finding: { point } }) => {
      if (!point) return false;
      const [px, py] = this.project(new Vector3(point[0] - cx, point[1] - cy, point[2] - cz));
      return Math.hypot(px - x, py - y) < 10;
    }) ?? null;
  }

  private click(x: number, y: number): void {
    if (this.measuring) {
      const pointed = this.at(x, y);
      if (!pointed) return;
      const [cx, cy, cz] = this.table.centre, p = this.snapped(x, y, pointed);
      this.onPoint([p.x + cx, p.y + cy, p.z + cz]);
      return;
    }
    const item = this.markAt(x, y);
    if (item) this.onMark(item);
    else this.onPick(this.pick(x, y));
  }

  private listen(): void {
    const canvas = this.renderer.domElement;
    let waiting = 0, down: [number, number] | null = null;
    canvas.addEventListener('pointermove', (event) => {
      clearTimeout(waiting);
      if (event.buttons) return this.onHover(null, -1, 0, 0);
      const { offsetX: x, offsetY: y } = event;
      waiting = window.setTimeout(() => {
        const pointed = this.at(x, y);
        this.onHover(pointed, pointed?.part ?? -1, x, y);
      }, 50);
    });
    canvas.addEventListener('pointerleave', () => {
      clearTimeout(waiting);
      this.onHover(null, -1, 0, 0);
    });
    canvas.addEventListener('pointerdown', (event) => (down = event.button === 0 ? [event.offsetX, event.offsetY] : null));
    canvas.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) < 4) this.click(event.offsetX, event.offsetY);
      down = null;
    });
    canvas.addEventListener('dblclick', (event) => {
      const pointed = this.measuring ? null : this.at(event.offsetX, event.offsetY);
      if (pointed) this.rig.fly({ ...this.rig.aim, target: pointed.at }, false);
    });
  }
}
