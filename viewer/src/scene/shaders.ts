// One program for all parts. Where a part is, how it is drawn and in which colour stand in a texture, four texels each,
// so that thousands of parts are one call, and moving or hiding one of them changes a few bytes.

export const partsPerRow = 256;

/** How a part is drawn: the fourth number of its last texel. */
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
vec4 texel(int k) { return texelFetch(parts, ivec2(int(part % ${partsPerRow}u) * 4 + k, int(part / ${partsPerRow}u)), 0); }
`;

export const surfaceVertex = /* glsl */ `${part}
out vec3 at, facing, tint;
flat out int look;
void main() {
  vec4 x = texel(0), y = texel(1), z = texel(2), s = texel(3);
  vec4 p = vec4(position.xyz, 1.0);
  at = vec3(dot(x, p), dot(y, p), dot(z, p));
  facing = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
  int color = int(position.w + 0.5);
  tint = color > 0 ? texelFetch(palette, ivec2(color % 256, color / 256), 0).rgb : s.rgb;
  look = int(s.a + 0.5);
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
  // Faces may be large: they are opaque where they meet, and pale and thin away from there.
  float away = smoothstep(1.1, 2.4, distance(at, focus.xyz) / focus.w);
  if (override.a > 0.5 && (away > 0.0) != (layer == 1)) discard;
  vec3 base = override.a > 0.5 ? mix(override.rgb, mix(override.rgb, tint, 0.6), away) : tint;
  vec3 n = normalize((viewMatrix * vec4(facing, 0.0)).xyz);
  if (look == ${Look.solid} && !gl_FrontFacing && dot(cut.xyz, cut.xyz) > 0.0) {
    // The inside, seen through the cut, stands for the material that was cut.
    float hatch = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
    color = vec4(mix(base * 0.62, base * 0.72, hatch) , 1.0);
    return;
  }
  if (n.z < 0.0) n = -n;
  vec3 up = (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz;
  float sky = 0.5 + 0.5 * dot(n, up);
  float key = max(dot(n, normalize(vec3(-0.35, 0.5, 0.79))), 0.0);
  float rim = pow(1.0 - n.z, 3.0);
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
out vec3 at;
flat out int look;
void main() {
  vec4 x = texel(0), y = texel(1), z = texel(2), s = texel(3);
  vec4 p = vec4(position.xyz, 1.0);
  at = vec3(dot(x, p), dot(y, p), dot(z, p));
  look = int(s.a + 0.5);
  vec4 seen = projectionMatrix * viewMatrix * vec4(at, 1.0);
  seen.z -= 0.0004 * seen.w;  // before the faces they border
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
out vec4 color;
void main() {
  if (dot(cut.xyz, at) + cut.w < 0.0) discard;
  color = vec4(ink, inkAlpha[look]);
}`;

export const pickVertex = /* glsl */ `${part}
out vec3 at;
flat out uint id;
void main() {
  vec4 x = texel(0), y = texel(1), z = texel(2), s = texel(3);
  vec4 p = vec4(position.xyz, 1.0);
  at = vec3(dot(x, p), dot(y, p), dot(z, p));
  id = part;
  int look = int(s.a + 0.5);
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
