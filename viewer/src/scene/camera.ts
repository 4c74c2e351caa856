// Parallel projection, as drawings have it: lengths on the screen mean something wherever they are.

import { MOUSE, OrthographicCamera, Quaternion, TOUCH, Vector3, Matrix4 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Camera as Saved } from '../store';

export interface Aim {
  direction: Vector3; // from what is seen to the eye
  up: Vector3;
  target: Vector3;
  span: number; // height of what is seen
}

const flight = 300; // ms

function turned(direction: Vector3, up: Vector3): Quaternion {
  return new Quaternion().setFromRotationMatrix(new Matrix4().lookAt(direction, new Vector3(), up));
}

export class CameraRig {
  /** What the hand moves. Its numbers are double precision all the way. */
  readonly camera = new OrthographicCamera(-0.5, 0.5, 0.5, -0.5, 0, 1);
  /** What pictures are drawn with: see sight(). */
  readonly eye = new OrthographicCamera(-0.5, 0.5, 0.5, -0.5, 0, 1);
  readonly controls: OrbitControls;
  private flying: { from: Aim; to: Aim; start: number } | null = null;
  private reach = 1;

  constructor(element: HTMLElement, private readonly changed: () => void, moved: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.zoomToCursor = true;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.controls.rotateSpeed = 0.8;
    this.controls.addEventListener('change', () => changed());
    this.controls.addEventListener('start', () => (this.flying = null));
    this.controls.addEventListener('end', () => moved());
    // The controls keep silent about moves of less than a thousandth of a unit, which may be the whole picture.
    element.addEventListener('pointermove', (event) => event.buttons && changed());
    element.addEventListener('wheel', () => changed(), { passive: true });
  }

  /** Radius of all there is to see, about the origin. */
  setReach(reach: number): void {
    this.reach = reach;
    this.controls.minZoom = 1 / (reach * 8);
    this.controls.maxZoom = 1 / this.closest;
  }
  /** The eye's place has 52 bits; twelve of them are left to a picture of this height, more than screens have lines. */
  private get closest(): number {
    return this.reach * 2 ** -40;
  }
  resize(width: number, height: number): void {
    this.camera.left = (-0.5 * width) / height;
    this.camera.right = (0.5 * width) / height;
    this.camera.updateProjectionMatrix();
  }
  get span(): number {
    return 1 / this.camera.zoom;
  }
  get aim(): Aim {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    return { direction, up: this.camera.up.clone(), target: this.controls.target.clone(), span: this.span };
  }
  get saved(): Saved {
    const { direction, up, target, span } = this.aim;
    return { direction: direction.toArray(), up: up.toArray(), target: target.toArray(), span };
  }

  jump(aim: Aim): void {
    this.flying = null;
    this.controls.target.copy(aim.target);
    this.camera.position.copy(aim.target).addScaledVector(aim.direction, this.reach * 4);
    this.camera.zoom = 1 / aim.span;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.changed();
  }
  // By small steps, for keys. Angles in radians, shares of what is seen.
  turn(around: number, over: number): void {
    const { direction, ...rest } = this.aim;
    const level = Math.atan2(direction.y, direction.x) + around, high = Math.asin(Math.min(1, Math.max(-1, direction.z))) + over;
    const height = Math.min(1.5707, Math.max(-1.5707, high));
    this.jump({ ...rest, direction: new Vector3(Math.cos(height) * Math.cos(level), Math.cos(height) * Math.sin(level), Math.sin(height)) });
  }
  shift(right: number, up: number): void {
    const { target, span, ...rest } = this.aim;
    const axis = (k: number) => new Vector3().setFromMatrixColumn(this.camera.matrixWorld, k);
    this.jump({ ...rest, span, target: target.addScaledVector(axis(0), right * span).addScaledVector(axis(1), up * span) });
  }
  zoom(by: number): void {
    const { span, ...rest } = this.aim;
    this.jump({ ...rest, span: Math.min(this.reach * 8, Math.max(this.closest, span * by)) });
  }

  fly(to: Aim, now: boolean): void {
    if (now || matchMedia('(prefers-reduced-motion: reduce)').matches) return this.jump(to);
    this.flying = { from: this.aim, to, start: performance.now() };
    this.changed();
  }
  /** To be called before each picture; true while it goes on by itself. */
  step(): boolean {
    if (this.flying) {
      const { from, to, start } = this.flying;
      const s = Math.min(1, (performance.now() - start) / flight);
      const eased = s * s * (3 - 2 * s);
      if (s >= 1) {
        this.jump(to);
      } else {
        const q = turned(from.direction, from.up).slerp(turned(to.direction, to.up), eased);
        const flying = this.flying;
        this.jump({
          direction: new Vector3(0, 0, 1).applyQuaternion(q), up: to.up, target: from.target.clone().lerp(to.target, eased),
          span: from.span * Math.pow(to.span / from.span, eased),
        });
        this.flying = flying;
      }
    }
    // For rays from the screen alone: wherever the eye is, it is nowhere in particular in this projection.
    const forward = this.controls.target.clone().sub(this.camera.position).normalize();
    const middle = -this.camera.position.dot(forward);
    this.camera.near = middle - this.reach * 1.05;
    this.camera.far = middle + this.reach * 1.05;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    return this.flying !== null;
  }

  /** Whether what is seen is what an aim asks for, from wherever. */
  isAt({ target, span }: Aim): boolean {
    return Math.abs(this.span / span - 1) < 0.02 && this.controls.target.distanceTo(target) < 0.02 * span;
  }
  /** Axes of the picture, in the world: to the right, up, away from the eye. */
  get axes(): [right: Vector3, up: Vector3, away: Vector3] {
    const axis = (k: number) => new Vector3().setFromMatrixColumn(this.camera.matrixWorld, k);
    return [axis(0), axis(1), axis(2).negate()];
  }
  /**
   * The same view for the graphics card, which has 24 bits for a number and 24 for a depth: it stands at the target, its
   * places are told from `origin`, and its planes are no further apart than what is in sight. `from` and `to`: along the
   * line of sight, from the target.
   */
  sight(origin: Vector3, from: number, to: number): OrthographicCamera {
    const { eye, camera } = this;
    eye.left = camera.left;
    eye.right = camera.right;
    eye.zoom = camera.zoom;
    eye.quaternion.copy(camera.quaternion);
    eye.position.copy(this.controls.target).sub(origin);
    eye.near = from;
    eye.far = to;
    eye.updateProjectionMatrix();
    eye.updateMatrixWorld();
    return eye;
  }
}
