// A mark for every finding, drawn on top: shape and colour tell the verdict.

import { BufferAttribute, BufferGeometry, GLSL3, Group, Points, RawShaderMaterial, Vector3 } from 'three';
import { gravity, rgb, type Item } from '../model';
import type { Vec3 } from '../types';

export const verdictColor: Record<string, string> = {
  contained: '#8e3fa8', clash: '#d55e00', undecided: '#6b7280', touch: '#e69f00', near: '#0072b2',
};
const shapes = ['contained', 'clash', 'undecided', 'touch', 'near'];

export class Markers {
  readonly group = new Group();
  /** Those that have marks now, the gravest first. */
  items: readonly Item[] = [];
  private anchor = new Vector3();
  private readonly geometry = new BufferGeometry();
  private readonly positions: BufferAttribute;
  private readonly colors: BufferAttribute;
  private readonly shares: BufferAttribute;
  private readonly placed: Item[];

  constructor(items: readonly Item[], private readonly centre: Vec3, ratio: number, cut: { value: unknown }, scale: { value: number }) {
    this.placed = items.filter((item) => item.finding.point);
    const attribute = (name: string, size: number) => {
      const out = new BufferAttribute(new Float32Array(size * this.placed.length), size);
      this.geometry.setAttribute(name, out);
      return out;
    };
    this.positions = attribute('position', 3);
    this.colors = attribute('color', 4);
    this.shares = attribute('share', 1);
    // Twice: faint wherever they are, and strong where nothing lies before them.
    for (const seen of [false, true]) {
      const points = new Points(this.geometry, material(ratio, cut, scale, seen));
      points.frustumCulled = false;
      points.renderOrder = seen ? 30 : 29;
      this.group.add(points);
    }
    this.show(() => true);
  }

  show(isShown: (item: Item) => boolean): void {
    this.items = this.placed.filter(isShown);
    // Hundreds of contacts that are meant must not hide the few that are not.
    const many = this.items.filter(({ finding }) => finding.verdict === 'touch').length > 200;
    this.items.forEach(({ finding }, at) => {
      const i = this.items.length - 1 - at; // the gravest last, so that they lie on top
      this.colors.array.set([...rgb(verdictColor[finding.verdict]!), shapes.indexOf(finding.verdict)], 4 * i);
      this.shares.array[i] = finding.verdict === 'touch' && many ? 0.45 : gravity[finding.verdict]! > 3 ? 1.25 : 1;
    });
    this.colors.needsUpdate = this.shares.needsUpdate = true;
    this.geometry.setDrawRange(0, this.items.length);
    this.anchorAt(this.anchor);
  }
  /** As PartTable.anchorAt(). */
  anchorAt(anchor: Vector3): void {
    this.anchor = anchor;
    const from = anchor.toArray();
    this.items.forEach(({ finding: { point } }, at) => {
      const i = this.items.length - 1 - at;
      for (let axis = 0; axis < 3; ++axis) this.positions.array[3 * i + axis] = point![axis]! - this.centre[axis]! - from[axis]!;
    });
    this.positions.needsUpdate = true;
  }
}

/** `scale`: pixels per unit of length. */
function material(ratio: number, cut: { value: unknown }, scale: { value: number }, seen: boolean): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3, transparent: true, depthTest: seen, depthWrite: false,
    uniforms: { size: { value: 15 * ratio }, cut, scale, opacity: { value: seen ? 1 : 0.5 } },
    vertexShader: /* glsl */ `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform float size, scale;
uniform vec4 cut;
in vec3 position;
in vec4 color;
in float share;
out vec4 tint;
void main() {
  tint = color;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
  // What lies less deep than a mark is wide counts as seen, and its mark is not cut by a surface that leans over it.
  gl_Position.z += 22.0 / scale * projectionMatrix[2][2];
  if (dot(cut.xyz, position) + cut.w < 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = size * share;
}`,
    fragmentShader: /* glsl */ `
precision highp float;
uniform float opacity;
in vec4 tint;
out vec4 color;
void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  float r = length(p), soft = fwidth(r);
  float disc = 1.0 - smoothstep(0.92 - soft, 0.92, r);
  float inner = 1.0 - smoothstep(0.70 - soft, 0.70, r);
  vec3 fill = tint.rgb;
  int shape = int(tint.a + 0.5);
  if (shape == 0 && r > 0.28 && r < 0.46) fill = vec3(1.0);
  if (shape == 3 && p.x > 0.0) fill = mix(tint.rgb, vec3(1.0), 0.75);
  if (shape == 4 && r < 0.42) fill = vec3(1.0);
  if (shape == 2 && r < 0.30) fill = vec3(1.0);
  color = vec4(mix(vec3(1.0), fill, inner), disc * (shape < 3 ? min(1.0, 1.5 * opacity) : opacity)); // the grave ones are seen anywhere
}`,
  });
}
