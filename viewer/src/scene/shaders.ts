// One program for all parts. Where a part is, how it is drawn and in which colour stand in a texture, four texels each,
// so that thousands of parts are one call, and moving or hiding one of them changes a few bytes.

export const partsPerRow = 256;

/** How a part is drawn: the fourth number of its last texel, to which `closedPart` is added if it bounds a volume. */
export const closedPart = 8;
export const enum Look {
  hidden = 0,
  solid = 1,
  ghost = 2,
  /** Of the selected finding: see-through but present. */
  dim = 3,
}

const part = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform mat4 viewMatrix, projectionMatrix;
uniform sampler2D parts, palette;
uniform int looks;
in vec4 position;
in vec3 normal;
in uint part;
int lookOf(vec4 s) { return int(s.a + 0.5) & 7; }
vec4 texel(int k) { return texelFetch(parts, ivec2(int(part % ${partsPerRow}u) * 4 + k, int(part / ${partsPerRow}u)), 0); }
`;

export const surfaceVertex = /* glsl */ `${part}
out vec3 at, facing, tint;
flat out int look;
void main() {
  vec4 x = texel(0), y = texel(1), z = texel(2), s = texel(3);
  vec4 p = vec4(position.xyz, 1.0);
  at = vec3(dot(x, p), dot(y, p), dot(z, p));
  facing = mat3(viewMatrix) * vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
  int color = int(position.w + 0.5);
  // The parts of a finding are told apart by their sides, not by what their file paints them in.
  tint = color > 0 && lookOf(s) != ${Look.dim} ? texelFetch(palette, ivec2(color % 256, color / 256), 0).rgb : s.rgb;
  look = lookOf(s);
  gl_Position = (looks >> look & 1) == 1 ? projectionMatrix * viewMatrix * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const surfaceFragment = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform vec4 cut;         // what is below this plane is cut away
uniform vec4 override;    // a colour for all, if its fourth number says so
uniform vec4 focus;       // where the finding is, and how large
uniform float ghostAlpha, dimAlpha;
uniform int layer;        // of an overridden colour: 0 where the finding is, 1 what lies away from it
in vec3 at, facing, tint;
flat in int look;
out vec4 color;
void main() {
  if (dot(cut.xyz, at) + cut.w < 0.0) discard;
  vec3 base = tint;
  float away = 0.0;
  if (override.a > 0.5) {
    // Faces may be large: they are opaque where they meet, and pale and thin away from there.
    away = smoothstep(1.1, 2.4, distance(at, focus.xyz) / focus.w);
    if ((away > 0.0) != (layer == 1)) discard;
    base = mix(override.rgb, mix(override.rgb, tint, 0.6), away);
  }
  vec3 n = normalize(facing);
  if (look == ${Look.solid} && !gl_FrontFacing && dot(cut.xyz, cut.xyz) > 0.0) {
    // The inside, seen through the cut, stands for the material that was cut.
    float hatch = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
    color = vec4(mix(base * 0.62, base * 0.72, hatch) , 1.0);
    return;
  }
  if (n.z < 0.0) n = -n;
  float sky = 0.5 + 0.5 * dot(n, viewMatrix[2].xyz);
  float key = max(dot(n, vec3(-0.3506, 0.5009, 0.7914)), 0.0);
  float rim = (1.0 - n.z) * (1.0 - n.z) * (1.0 - n.z);
  vec3 lit = base * (0.36 + 0.22 * sky + 0.52 * key) + vec3(0.10) * rim;
  if (look == ${Look.ghost} && override.a < 0.5) {
    color = vec4(mix(lit, vec3(dot(lit, vec3(0.33))), 0.6), ghostAlpha + 0.16 * rim);
  } else if (look == ${Look.dim} && override.a < 0.5) {
    color = vec4(lit, dimAlpha + 0.25 * rim);
  } else {
    color = vec4(lit, layer == 1 ? mix(1.0, 0.22, away) : 1.0);
  }
}`;

export const lineVertex = /* glsl */ `${part}
uniform float scale;
out vec3 at;
flat out int look;
flat out float fade;
void main() {
  vec4 x = texel(0), y = texel(1), z = texel(2), s = texel(3);
  vec4 p = vec4(position.xyz, 1.0);
  at = vec3(dot(x, p), dot(y, p), dot(z, p));
  look = lookOf(s);
  vec4 seen = projectionMatrix * viewMatrix * vec4(at, 1.0);
  // Before the faces they border, and by no more than two pixels before what lies closer still.
  seen.z -= min(0.0004, abs(projectionMatrix[2][2]) * 2.0 / scale) * seen.w;
  // Lines of parts that are a few pixels large would make black dots of them.
  float pixels = length(vec3(x.x, y.x, z.x)) * 65535.0 * scale;
  fade = smoothstep(8.0, 64.0, pixels);
  gl_Position = (looks >> look & 1) == 1 ? seen : vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const lineFragment = /* glsl */ `
precision highp float;
precision highp int;
uniform vec4 cut;
uniform vec3 ink;
uniform vec4 inkAlpha;    // by look
in vec3 at;
flat in int look;
flat in float fade;
out vec4 color;
void main() {
  if (dot(cut.xyz, at) + cut.w < 0.0) discard;
  color = vec4(ink, inkAlpha[look] * fade);
}`;

export const pickVertex = /* glsl */ `${part}
out vec3 at;
flat out uint id;
void main() {
  vec4 x = texel(0), y = texel(1), z = texel(2), s = texel(3);
  vec4 p = vec4(position.xyz, 1.0);
  at = vec3(dot(x, p), dot(y, p), dot(z, p));
  id = part;
  int look = lookOf(s);
  gl_Position = (looks >> look & 1) == 1 ? projectionMatrix * viewMatrix * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const pickFragment = /* glsl */ `
precision highp float;
precision highp int;
uniform vec4 cut;
in vec3 at;
flat in uint id;
out vec4 color;
void main() {
  if (dot(cut.xyz, at) + cut.w < 0.0) discard;
  uint n = id + 1u;
  color = vec4(float(n & 255u), float(n >> 8u & 255u), float(n >> 16u & 255u), 255.0) / 255.0;
}`;

// Backs minus fronts: see caps.ts. While a finding is shown, its two parts are counted one by one; otherwise colours are
// summed, and a number that tells neighbours of the same colour apart.
export const sumVertex = /* glsl */ `${part}
uniform vec2 pair;
out vec3 at;
flat out vec4 weight;
void main() {
  vec4 x = texel(0), y = texel(1), z = texel(2), s = texel(3);
  vec4 p = vec4(position.xyz, 1.0);
  at = vec3(dot(x, p), dot(y, p), dot(z, p));
  bool paired = pair.x >= 0.0;
  float id = float(part);
  weight = paired ? vec4(id == pair.x, id == pair.y, 0.0, 1.0) : vec4(floor(s.rg * 31.0 + 0.5), floor(s.b * 15.0 + 0.5) * 2.0 + mod(id, 2.0), 1.0);
  int look = lookOf(s);
  bool counts = int(s.a + 0.5) >= ${closedPart} && (paired ? look == ${Look.dim} : look == ${Look.solid});
  gl_Position = counts ? projectionMatrix * viewMatrix * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const sumFragment = /* glsl */ `
precision highp float;
uniform vec4 cut;
in vec3 at;
flat in vec4 weight;
out vec4 color;
void main() {
  if (dot(cut.xyz, at) + cut.w < 0.0) discard;
  color = gl_FrontFacing ? -weight : weight;
}`;

export const capVertex = /* glsl */ `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
in vec3 position;
void main() { gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0); }`;

export const capFragment = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D sums;
uniform vec2 pair;
uniform vec3 ink, colorA, colorB, colorBoth;
out vec4 color;
// Seen from behind the section everything is counted the other way round.
vec4 sumAt(ivec2 p) {
  vec4 s = texelFetch(sums, clamp(p, ivec2(0), textureSize(sums, 0) - 1), 0);
  return floor(s * sign(s.a) + 0.5);
}
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 here = sumAt(p);
  if (here.a < 0.5) discard;
  float rise = fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0), fall = fract((gl_FragCoord.x - gl_FragCoord.y) / 9.0);
  vec3 base;
  if (pair.x >= 0.0) {
    bool a = here.r > 0.5, b = here.g > 0.5;
    base = a && b ? colorBoth : a ? mix(colorA, vec3(1.0), rise < 0.5 ? 0.30 : 0.42) : mix(colorB, vec3(1.0), fall < 0.5 ? 0.30 : 0.42);
  } else {
    base = here.rgb / (31.0 * here.a) * 0.86 + 0.06;
    base *= rise < 0.34 ? 0.80 : 1.0;
    if (here.a > 1.5 && fall < 0.34) base *= 0.80;
  }
  bool border = sumAt(p + ivec2(1, 0)) != here || sumAt(p - ivec2(1, 0)) != here || sumAt(p + ivec2(0, 1)) != here || sumAt(p - ivec2(0, 1)) != here;
  color = vec4(border ? mix(base, ink, 0.75) : base, 1.0);
}`;
