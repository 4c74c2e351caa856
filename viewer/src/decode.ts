// From the page's buffer to arrays for the graphics card. Runs off the main thread; no DOM, no three.js.

import type { MeshInfo } from './types';

export interface DecodedMesh {
  /** Four per vertex: the cell on the mesh's grid, and the surface's colour in the palette (0: the part's own). */
  positions: Uint16Array;
  /** Four per vertex, the last unused. */
  normals: Int8Array;
  /** Triangles in the order of the surfaces. */
  index: Uint32Array;
  /** Where the triangles of each surface begin, and where the last ends. */
  surfaceStart: Uint32Array;
  /** Pairs of vertices: borders between surfaces, open borders, sharp edges. */
  lines: Uint32Array;
  /** Bounds a volume: each edge is run through as often one way as the other. */
  closed: boolean;
  /** For each vertex the one it was in the file; of meshes that deform. */
  source: Uint32Array | null;
}

const noVertex = 0xffffffff;

export class Reader {
  at = 0;
  constructor(private readonly bytes: Uint8Array) {}
  byte(): number {
    if (this.at >= this.bytes.length) throw new Error('the buffer ends too early');
    return this.bytes[this.at++]!;
  }
  varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  }
  /** A number of either sign. */
  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** Triangles by vertex and vertices by grid cell, as the mesh was before it was coded. */
function connectivity(reader: Reader, vertices: number, triangles: number) {
  const cells = new Uint16Array(3 * vertices);
  const corners = new Uint32Array(3 * triangles);
  const open = new Uint32Array(3 * 15).fill(noVertex);
  const recent = new Uint32Array(14).fill(noVertex);
  const predicted = [0, 0, 0];
  let seen = 0;

  const vertex = (code: number): number => {
    if (code >= 1 && code <= 14) return recent[code - 1]!;
    let id: number;
    if (code === 0) {
      id = seen++;
      for (let axis = 0; axis < 3; ++axis) {
        const cell = predicted[axis]! + reader.signed();
        predicted[axis] = cell;
        cells[3 * id + axis] = cell;
      }
    } else {
      id = seen - 1 - reader.varint();
    }
    recent.copyWithin(1, 0, 13);
    recent[0] = id;
    return id;
  };
  const leaveOpen = (from: number, to: number, opposite: number) => {
    open.copyWithin(3, 0, 42);
    open[0] = from;
    open[1] = to;
    open[2] = opposite;
  };

  for (let t = 0; t < triangles; ++t) {
    const code = reader.byte();
    const edge = code >> 4;
    let p: number, q: number, x: number;
    if (edge < 15) {
      p = open[3 * edge]!;
      q = open[3 * edge + 1]!;
      const o = open[3 * edge + 2]!;
      for (let axis = 0; axis < 3; ++axis)
        predicted[axis] = cells[3 * p + axis]! + cells[3 * q + axis]! - cells[3 * o + axis]!;
      x = vertex(code & 15);
      leaveOpen(x, q, p);
      leaveOpen(p, x, q);
    } else {
      const both = reader.byte();
      p = vertex(both >> 4);
      q = vertex(both & 15);
      x = vertex(code & 15);
      leaveOpen(q, p, x);
      leaveOpen(x, q, p);
      leaveOpen(p, x, q);
    }
    corners[3 * t] = p;
    corners[3 * t + 1] = q;
    corners[3 * t + 2] = x;
  }
  return { cells, corners };
}

/** Unit normals, three per triangle; zero where a triangle has no area. */
function faceNormals(cells: Uint16Array, corners: Uint32Array) {
  const count = corners.length / 3;
  const normals = new Float32Array(corners.length);
  const areas = new Float32Array(count);
  for (let t = 0; t < count; ++t) {
    const a = 3 * corners[3 * t]!, b = 3 * corners[3 * t + 1]!, c = 3 * corners[3 * t + 2]!;
    const ux = cells[b]! - cells[a]!, uy = cells[b + 1]! - cells[a + 1]!, uz = cells[b + 2]! - cells[a + 2]!;
    const vx = cells[c]! - cells[a]!, vy = cells[c + 1]! - cells[a + 1]!, vz = cells[c + 2]! - cells[a + 2]!;
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.sqrt(x * x + y * y + z * z);
    areas[t] = length;
    if (length === 0) continue;
    normals[3 * t] = x / length;
    normals[3 * t + 1] = y / length;
    normals[3 * t + 2] = z / length;
  }
  return { normals, areas };
}

const smooth = Math.cos((40 * Math.PI) / 180);

/** Each vertex once per surface and per side of a sharp edge, so that shading is smooth within surfaces alone. */
function splitVertices(cells: Uint16Array, corners: Uint32Array, start: Uint32Array, palette: Uint16Array | null) {
  const { normals, areas } = faceNormals(cells, corners);
  const vertices = cells.length / 3;
  const stamp = new Int32Array(vertices).fill(-1);
  const head = new Int32Array(vertices);
  let room = Math.ceil(vertices * 1.6) + 64;
  let positions = new Uint16Array(4 * room);
  let sums = new Float32Array(3 * room);
  let first = new Float32Array(3 * room);
  let next = new Int32Array(room);
  let source = new Uint32Array(room);
  let count = 0;
  const index = new Uint32Array(corners.length);
  const grow = () => {
    room *= 2;
    const larger = <T extends { set(from: T): void }>(from: T, to: T): T => (to.set(from), to);
    positions = larger(positions, new Uint16Array(4 * room));
    sums = larger(sums, new Float32Array(3 * room));
    first = larger(first, new Float32Array(3 * room));
    next = larger(next, new Int32Array(room));
    source = larger(source, new Uint32Array(room));
  };

  for (let surface = 0; surface + 1 < start.length; ++surface) {
    const color = palette ? palette[surface]! : 0;
    for (let t = start[surface]!; t < start[surface + 1]!; ++t) {
      const x = normals[3 * t]!, y = normals[3 * t + 1]!, z = normals[3 * t + 2]!, area = areas[t]!;
      for (let k = 3 * t; k < 3 * t + 3; ++k) {
        const v = corners[k]!;
        let found = -1;
        if (stamp[v] === surface)
          for (let g = head[v]!; g >= 0; g = next[g]!)
            if (area === 0 || first[3 * g]! * x + first[3 * g + 1]! * y + first[3 * g + 2]! * z > smooth) {
              found = g;
              break;
            }
        if (found < 0) {
          if (count === room) grow();
          found = count++;
          next[found] = stamp[v] === surface ? head[v]! : -1;
          stamp[v] = surface;
          head[v] = found;
          source[found] = v;
          first[3 * found] = x;
          first[3 * found + 1] = y;
          first[3 * found + 2] = z;
          positions[4 * found] = cells[3 * v]!;
          positions[4 * found + 1] = cells[3 * v + 1]!;
          positions[4 * found + 2] = cells[3 * v + 2]!;
          positions[4 * found + 3] = color;
        }
        sums[3 * found] = sums[3 * found]! + x * area;
        sums[3 * found + 1] = sums[3 * found + 1]! + y * area;
        sums[3 * found + 2] = sums[3 * found + 2]! + z * area;
        index[k] = found;
      }
    }
  }
  const packed = new Int8Array(4 * count);
  for (let g = 0; g < count; ++g) {
    const x = sums[3 * g]!, y = sums[3 * g + 1]!, z = sums[3 * g + 2]!;
    const scale = 127 / (Math.sqrt(x * x + y * y + z * z) || 1);
    packed[4 * g] = Math.round(x * scale);
    packed[4 * g + 1] = Math.round(y * scale);
    packed[4 * g + 2] = Math.round(z * scale);
  }
  return { positions: positions.slice(0, 4 * count), normals: packed, index, faces: normals, source: source.slice(0, count) };
}

/** Edges worth drawing. An open-addressed table of edges: those of two triangles are decided when the second comes. */
function edgeLines(corners: Uint32Array, index: Uint32Array, faces: Float32Array, start: Uint32Array) {
  const halfEdges = corners.length;
  let size = 64;
  while (size < halfEdges * 1.5) size *= 2;
  const table = new Int32Array(size).fill(-1); // half-edge, or -2 - half-edge once it has a partner
  const balance = new Int16Array(size);
  const surfaceOf = new Uint32Array(halfEdges / 3);
  for (let s = 0; s + 1 < start.length; ++s) surfaceOf.fill(s, start[s]!, start[s + 1]!);
  const following = (h: number) => (h % 3 === 2 ? h - 2 : h + 1);
  const lines: number[] = [];
  const emit = (h: number) => lines.push(index[h]!, index[following(h)]!);
  for (let h = 0; h < halfEdges; ++h) {
    const a = corners[h]!, b = corners[following(h)]!;
    if (a === b) continue;
    const low = a < b ? a : b, high = a < b ? b : a;
    let at = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & (size - 1);
    for (;; at = (at + 1) & (size - 1)) {
      const held = table[at]!;
      if (held === -1) {
        table[at] = h;
        balance[at] = a < b ? 1 : -1;
        break;
      }
      const other = held < -1 ? -2 - held : held;
      const c = corners[other]!, d = corners[following(other)]!;
      if (!((c === a && d === b) || (c === b && d === a))) continue;
      balance[at] = balance[at]! + (a < b ? 1 : -1);
      if (held >= 0) {
        const t = (h / 3) | 0, u = (other / 3) | 0;
        const turn = faces[3 * t]! * faces[3 * u]! + faces[3 * t + 1]! * faces[3 * u + 1]! + faces[3 * t + 2]! * faces[3 * u + 2]!;
        // Surfaces that go over into one another smoothly are told apart by a line too, as in drawings.
        if (surfaceOf[t] !== surfaceOf[u] || turn < smooth) emit(h);
        table[at] = -2 - other;
      }
      break;
    }
  }
  for (let i = 0; i < size; ++i) if (table[i]! >= 0) emit(table[i]!);
  return { lines: Uint32Array.from(lines), closed: halfEdges > 0 && balance.every((b) => b === 0) };
}

export function decodeMesh(bytes: Uint8Array, info: MeshInfo, palette: Uint16Array | null, deforms: boolean): DecodedMesh {
  const reader = new Reader(bytes);
  const surfaceStart = new Uint32Array(info.surfaces + 1);
  for (let s = 0; s < info.surfaces; ++s) surfaceStart[s + 1] = surfaceStart[s]! + reader.varint();
  const { cells, corners } = connectivity(reader, info.vertices, info.triangles);
  const { positions, normals, index, faces, source } = splitVertices(cells, corners, surfaceStart, palette);
  return { positions, normals, index, surfaceStart, ...edgeLines(corners, index, faces, surfaceStart), source: deforms ? source : null };
}

/** Vertices of a mesh at the keys of its deformation, three cells each: `first` holds those of the mesh itself. */
export function decodeKeys(bytes: Uint8Array, first: Uint16Array, keys: number): Uint16Array[] {
  const reader = new Reader(bytes);
  const out: Uint16Array[] = [];
  let before = first;
  for (let k = 0; k < keys; ++k) {
    const cells = new Uint16Array(first.length);
    for (let i = 0; i < cells.length; ++i) cells[i] = before[i]! + reader.signed();
    out.push((before = cells));
  }
  return out;
}

/** Where two surfaces cross: segments between points. */
export interface Curves {
  /** Three numbers each, relative to the centre asked for. */
  points: Float64Array;
  /** The same on the curve's grid. */
  cells: Int32Array;
  /** Two points for each segment. */
  ends: Uint32Array;
}

export function decodeCurves(bytes: Uint8Array, origin: number[], step: number, segments: number, centre: number[]): Curves {
  const reader = new Reader(bytes);
  const count = reader.varint();
  const points = new Float64Array(3 * count), cells = new Int32Array(3 * count), ends = new Uint32Array(2 * segments);
  const cell = [0, 0, 0];
  for (let i = 0; i < count; ++i)
    for (let axis = 0; axis < 3; ++axis) {
      cells[3 * i + axis] = cell[axis] = cell[axis]! + reader.signed();
      points[3 * i + axis] = origin[axis]! - centre[axis]! + cell[axis]! * step;
    }
  let before = 0;
  for (let s = 0; s < segments; ++s) {
    const from = (ends[2 * s] = before + reader.signed());
    before = ends[2 * s + 1] = from + reader.signed();
  }
  return { points, cells, ends };
}

/** The page's buffer out of its blocks. */
export function joined(blocks: readonly string[], bytes: number): Uint8Array {
  const out = new Uint8Array(bytes);
  let at = 0;
  for (const block of blocks) {
    const part = decodeBase64(block);
    if (at + part.length > bytes) throw new Error('the buffer is longer than the page says');
    out.set(part, at);
    at += part.length;
  }
  if (at !== bytes) throw new Error('the buffer is shorter than the page says');
  return out;
}

export function decodeBase64(text: string): Uint8Array {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (native) return native(text);
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) out[i] = binary.charCodeAt(i);
  return out;
}
