// Cut surfaces. Along a line of sight, beyond the section, a closed part has one more back than front exactly if the
// line enters it where the section is. So one pass that adds the backs of all parts and subtracts their fronts says for
// every pixel which material is cut there; the section is then drawn as a plane that looks it up. It takes no
// computation with triangles, works while parts move, and shows where the two parts of a finding have the same place.

import { FloatType, HalfFloatType, Matrix4, Mesh, NearestFilter, PlaneGeometry, Scene, Vector3, Vector4, WebGLRenderTarget, type OrthographicCamera, type WebGLRenderer } from 'three';
import type { Batches } from './batches';
import type { Materials } from './materials';

export class Caps {
  readonly plane: Mesh;
  private readonly scene = new Scene();
  private readonly target: WebGLRenderTarget | null;

  constructor(renderer: WebGLRenderer, batches: Batches, private readonly materials: Materials, private readonly reach: number) {
    this.plane = new Mesh(new PlaneGeometry(1, 1), materials.cap);
    this.plane.frustumCulled = false;
    this.plane.renderOrder = 1;
    this.plane.matrixAutoUpdate = false;
    this.plane.visible = false;
    this.scene.add(...batches.draw(materials.sum, 'faces', 0));
    // Sums of whole numbers: halves hold them exactly up to 2,048, which is some fifty layers of parts.
    const { extensions } = renderer;
    const renders = extensions.has('EXT_color_buffer_float') || extensions.has('EXT_color_buffer_half_float');
    const type = extensions.has('EXT_color_buffer_float') && extensions.has('EXT_float_blend') ? FloatType : HalfFloatType;
    this.target = renders ? new WebGLRenderTarget(1, 1, { type, depthBuffer: false, minFilter: NearestFilter, magFilter: NearestFilter }) : null;
    materials.sums.value = this.target?.texture ?? null;
  }

  resize(width: number, height: number, ratio: number): void {
    this.target?.setSize(Math.max(1, Math.floor(width * ratio)), Math.max(1, Math.floor(height * ratio)));
  }

  /** To be called before the picture that shows them; the plane is n · p + w = 0. */
  prepare(renderer: WebGLRenderer, camera: OrthographicCamera): void {
    const { x, y, z, w } = this.materials.cut.value as Vector4;
    this.plane.visible = this.target !== null && x * x + y * y + z * z > 0;
    if (!this.plane.visible) return;
    const out = new Vector3(x, y, z), side = new Vector3(y, z, x), size = 4 * this.reach;
    const basis = new Matrix4().makeBasis(side.clone().multiplyScalar(size), out.clone().cross(side).multiplyScalar(size), out);
    this.plane.matrix.copy(basis.setPosition(out.clone().multiplyScalar(-w)));
    this.plane.matrixWorld.copy(this.plane.matrix);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(this.scene, camera);
    renderer.setRenderTarget(null);
  }
}
