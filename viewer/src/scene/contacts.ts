// The contacts of an instant: a cross at each point, and its normal as long as it is deep or a little more.

import { BufferAttribute, BufferGeometry, GLSL3, LineSegments, RawShaderMaterial } from 'three';
import type { Vec3 } from '../types';
import { contactBytes, type Player } from './motion';

export class Contacts {
  readonly object: LineSegments;
  shown = 0;

  constructor(private readonly player: Player, private readonly centre: Vec3, private readonly size: number) {
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, depthTest: false, depthWrite: false, transparent: true,
      vertexShader: 'precision highp float; uniform mat4 modelViewMatrix, projectionMatrix; in vec3 position; void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: 'precision highp float; out vec4 color; void main() { color = vec4(1.0, 0.18, 0.0, 1.0); }',
    });
    this.object = new LineSegments(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 25;
    this.object.visible = false;
  }

  /** Of all parts, or of a pair alone. */
  show(t: number | null, visible: boolean, pair: { a: number; b: number } | null): void {
    const data = this.player.contacts;
    this.object.visible = visible && t !== null && data !== null;
    this.shown = 0;
    if (t === null || !data || !this.object.visible) return;
    const [begin, end] = this.player.contactsAt(t);
    const ends: number[] = [];
    for (let i = begin; i < end; ++i) {
      const part = (k: number) => data.getUint32(i * contactBytes + 4 + 4 * k, true);
      if (pair && (part(0) !== pair.a || part(1) !== pair.b) && (part(0) !== pair.b || part(1) !== pair.a)) continue;
      ++this.shown;
      const read = (k: number) => data.getFloat32(i * contactBytes + 12 + 4 * k, true);
      const p = [0, 1, 2].map((k) => read(k) - this.centre[k]!), n = [3, 4, 5].map(read);
      for (let axis = 0; axis < 3; ++axis) {
        const low = [...p], high = [...p];
        low[axis]! -= this.size;
        high[axis]! += this.size;
        ends.push(...low, ...high);
      }
      ends.push(...p, ...p.map((value, k) => value + n[k]! * Math.max(4 * this.size, Math.abs(read(6)))));
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(ends), 3));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
}
