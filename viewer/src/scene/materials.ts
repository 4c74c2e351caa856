// What parts are drawn with. All programs read the same numbers: where parts are, where the section is.

import { AddEquation, CustomBlending, DataTexture, DoubleSide, FrontSide, GLSL3, NearestFilter, OneFactor, RawShaderMaterial, RGBAFormat, UnsignedByteType, Vector2, Vector3, Vector4 } from 'three';
import { rgb, type Model } from '../model';
import type { PartTable } from './part_table';
import { capFragment, capVertex, lineFragment, lineVertex, Look, pickFragment, pickVertex, sumFragment, sumVertex, surfaceFragment, surfaceVertex } from './shaders';

export const colorA = '#0072b2', colorB = '#e69f00', colorBoth = '#e0350b';
export const everyLook = (1 << Look.solid) | (1 << Look.ghost) | (1 << Look.dim);

export class Materials {
  readonly cut = { value: new Vector4(0, 0, 0, 1) };
  readonly focus = { value: new Vector4(0, 0, 0, 1) };
  readonly ghostAlpha = { value: 0.05 };
  readonly ink = { value: new Vector3() };
  /** Pixels per unit of length. */
  readonly scale = { value: 1 };
  /** The parts of the finding that is shown, or -1. */
  readonly pair = { value: new Vector2(-1, -1) };
  readonly sums = { value: null as unknown };
  readonly solid: RawShaderMaterial;
  readonly ghost: RawShaderMaterial;
  readonly lines: RawShaderMaterial;
  readonly pick: RawShaderMaterial;
  readonly sum: RawShaderMaterial;
  readonly cap: RawShaderMaterial;
  /** For either side of a finding: where it is, and away from there. */
  readonly sides: [RawShaderMaterial, RawShaderMaterial][];
  private readonly shared: Record<string, { value: unknown }>;

  constructor(model: Model, table: PartTable) {
    this.shared = { parts: { value: table.texture }, palette: { value: palette(model) }, cut: this.cut, focus: this.focus, ghostAlpha: this.ghostAlpha, dimAlpha: { value: 0.15 } };
    this.solid = this.surface(1 << Look.solid, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    // Fronts alone: their backs would double the work, and what is seen through them gets no clearer.
    this.ghost = this.surface((1 << Look.ghost) | (1 << Look.dim), { transparent: true, depthWrite: false, side: FrontSide });
    this.lines = this.make(lineVertex, lineFragment, { looks: { value: everyLook }, ink: this.ink, scale: this.scale, inkAlpha: { value: new Vector4(0, 0.6, 0.16, 0.4) } }, { transparent: true, depthWrite: false });
    this.pick = this.make(pickVertex, pickFragment, { looks: { value: everyLook } });
    this.sides = [colorA, colorB].map((color, i) => {
      // Of faces that lie on one another, a's is seen.
      const behind = { polygonOffset: i === 1, polygonOffsetFactor: 1, polygonOffsetUnits: 8 };
      return [this.surface(everyLook, behind, color), this.surface(everyLook, { ...behind, transparent: true }, color, 1)];
    });
    this.sum = this.make(sumVertex, sumFragment, { pair: this.pair }, {
      transparent: true, depthTest: false, depthWrite: false, blending: CustomBlending, blendEquation: AddEquation, blendSrc: OneFactor, blendDst: OneFactor,
    });
    const color = (hex: string) => ({ value: new Vector3(...rgb(hex)) });
    this.cap = this.make(capVertex, capFragment, { sums: this.sums, pair: this.pair, ink: this.ink, colorA: color(colorA), colorB: color(colorB), colorBoth: color(colorBoth) }, {});
  }

  private make(vertexShader: string, fragmentShader: string, uniforms: Record<string, { value: unknown }>, more: object = {}): RawShaderMaterial {
    return new RawShaderMaterial({ glslVersion: GLSL3, vertexShader, fragmentShader, side: DoubleSide, uniforms: { ...this.shared, ...uniforms }, ...more });
  }
  private surface(looks: number, more: object, tint: string | null = null, layer = 0): RawShaderMaterial {
    return this.make(surfaceVertex, surfaceFragment, {
      looks: { value: looks }, layer: { value: layer }, override: { value: tint ? new Vector4(...rgb(tint), 1) : new Vector4(0, 0, 0, 0) },
    }, more);
  }
}

function palette(model: Model): DataTexture {
  const rows = Math.ceil(model.palette.length / 256);
  const data = new Uint8Array(rows * 1024);
  model.palette.forEach((color, i) => data.set([...rgb(color).map((c) => Math.round(255 * c)), 255], 4 * i));
  const texture = new DataTexture(data, 256, rows, RGBAFormat, UnsignedByteType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}
