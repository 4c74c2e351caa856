// Meshes as few calls: what is used once, or is small, lies in one buffer; large meshes of many parts are instanced.

import {
  BufferAttribute, BufferGeometry, InstancedBufferAttribute, InstancedBufferGeometry, LineSegments, Mesh, type Material,
} from 'three';
import type { DecodedMesh } from '../decode';
import type { Model } from '../model';

const smallExpansion = 60_000; // vertices that instances of one mesh may take in the common buffer
const mostInstanced = 60;

/** Where the triangles of a part are. */
interface Home {
  geometry: BufferGeometry;
  firstIndex: number;
  firstVertex: number;
  instanced: boolean;
}

export class Batches {
  readonly geometries: { faces: BufferGeometry; lines: BufferGeometry }[] = [];
  private readonly homes: Home[] = [];

  constructor(private readonly model: Model, private readonly meshes: DecodedMesh[]) {
    const users: number[][] = model.page.meshes.map(() => []);
    model.page.parts.forEach((part, id) => users[part.mesh]!.push(id));
    const extra = (mesh: number) => (users[mesh]!.length - 1) * (meshes[mesh]!.positions.length / 4);
    const large = model.page.meshes.map((_, id) => id).filter((id) => users[id]!.length > 1 && extra(id) > smallExpansion);
    const instanced = new Set(large.sort((a, b) => extra(b) - extra(a)).slice(0, mostInstanced));
    for (const mesh of instanced) this.addInstanced(mesh, users[mesh]!);
    this.addCommon(model.page.parts.map((_, id) => id).filter((id) => !instanced.has(model.page.parts[id]!.mesh)));
  }

  private addInstanced(mesh: number, parts: number[]): void {
    const { positions, normals, index, lines } = this.meshes[mesh]!;
    const faces = new InstancedBufferGeometry();
    faces.setAttribute('position', new BufferAttribute(positions, 4));
    faces.setAttribute('normal', new BufferAttribute(normals, 4, true));
    faces.setAttribute('part', new InstancedBufferAttribute(Uint32Array.from(parts), 1));
    faces.setIndex(new BufferAttribute(index, 1));
    faces.instanceCount = parts.length;
    const edges = new InstancedBufferGeometry();
    edges.setAttribute('position', faces.getAttribute('position'));
    edges.setAttribute('normal', faces.getAttribute('normal'));
    edges.setAttribute('part', faces.getAttribute('part'));
    edges.setIndex(new BufferAttribute(lines, 1));
    edges.instanceCount = parts.length;
    this.geometries.push({ faces, lines: edges });
    for (const part of parts) this.homes[part] = { geometry: faces, firstIndex: 0, firstVertex: 0, instanced: true };
  }

  private addCommon(parts: number[]): void {
    if (!parts.length) return;
    const of = (part: number) => this.meshes[this.model.page.parts[part]!.mesh]!;
    const total = (size: (mesh: DecodedMesh) => number) => parts.reduce((sum, part) => sum + size(of(part)), 0);
    const vertices = total((mesh) => mesh.positions.length / 4);
    const positions = new Uint16Array(4 * vertices), normals = new Int8Array(4 * vertices), owner = new Uint32Array(vertices);
    const index = new Uint32Array(total((mesh) => mesh.index.length)), lines = new Uint32Array(total((mesh) => mesh.lines.length));
    const faces = new BufferGeometry(), edges = new BufferGeometry();
    let vertex = 0, corner = 0, end = 0;
    for (const part of parts) {
      const mesh = of(part);
      this.homes[part] = { geometry: faces, firstIndex: corner, firstVertex: vertex, instanced: false };
      positions.set(mesh.positions, 4 * vertex);
      normals.set(mesh.normals, 4 * vertex);
      owner.fill(part, vertex, vertex + mesh.positions.length / 4);
      for (let i = 0; i < mesh.index.length; ++i) index[corner++] = mesh.index[i]! + vertex;
      for (let i = 0; i < mesh.lines.length; ++i) lines[end++] = mesh.lines[i]! + vertex;
      vertex += mesh.positions.length / 4;
    }
    faces.setAttribute('position', new BufferAttribute(positions, 4));
    faces.setAttribute('normal', new BufferAttribute(normals, 4, true));
    faces.setAttribute('part', new BufferAttribute(owner, 1));
    faces.setIndex(new BufferAttribute(index, 1));
    for (const name of ['position', 'normal', 'part']) edges.setAttribute(name, faces.getAttribute(name));
    edges.setIndex(new BufferAttribute(lines, 1));
    this.geometries.push({ faces, lines: edges });
  }

  /** Objects that draw all faces, or all lines, with a material. */
  draw(material: Material, what: 'faces' | 'lines', order: number): (Mesh | LineSegments)[] {
    return this.geometries
      .filter(({ [what]: geometry }) => geometry.index!.count > 0)
      .map(({ [what]: geometry }) => {
        const object = what === 'faces' ? new Mesh(geometry, material) : new LineSegments(geometry, material);
        object.frustumCulled = false;
        object.renderOrder = order;
        return object;
      });
  }

  /** Some surfaces of a part, or all, as a geometry of their own that shares the vertices. */
  surfaces(part: number, surfaces: readonly number[] | null): BufferGeometry {
    const home = this.homes[part]!;
    const { surfaceStart, index } = this.meshes[this.model.page.parts[part]!.mesh]!;
    const ranges = surfaces ? surfaces.map((s) => [3 * surfaceStart[s]!, 3 * surfaceStart[s + 1]!] as const) : [[0, index.length] as const];
    const count = ranges.reduce((sum, [begin, end]) => sum + end - begin, 0);
    const source = home.geometry.index!.array as Uint32Array;
    const picked = new Uint32Array(count);
    let at = 0;
    for (const [begin, end] of ranges) {
      picked.set(source.subarray(home.firstIndex + begin, home.firstIndex + end), at);
      at += end - begin;
    }
    const out = home.instanced ? new InstancedBufferGeometry() : new BufferGeometry();
    out.setAttribute('position', home.geometry.getAttribute('position'));
    out.setAttribute('normal', home.geometry.getAttribute('normal'));
    out.setAttribute('part', home.instanced ? new InstancedBufferAttribute(Uint32Array.of(part), 1) : home.geometry.getAttribute('part'));
    if (out instanceof InstancedBufferGeometry) out.instanceCount = 1;
    out.setIndex(new BufferAttribute(picked, 1));
    return out;
  }

  /** Moves the vertices of a part that has a mesh of its own. */
  deform(part: number, positions: Uint16Array, normals: Int8Array): void {
    const { geometry, firstVertex } = this.homes[part]!;
    for (const [name, values] of [['position', positions], ['normal', normals]] as const) {
      const attribute = geometry.getAttribute(name) as BufferAttribute;
      attribute.array.set(values, 4 * firstVertex);
      attribute.addUpdateRange(4 * firstVertex, values.length);
      attribute.needsUpdate = true;
    }
  }

  /** Low and high corner of a mesh, in grid cells. */
  boxOf(mesh: number): Float64Array {
    const box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    const { positions } = this.meshes[mesh]!;
    for (let i = 0; i < positions.length; i += 4)
      for (let axis = 0; axis < 3; ++axis) {
        const value = positions[i + axis]!;
        if (value < box[axis]!) box[axis] = value;
        if (value > box[3 + axis]!) box[3 + axis] = value;
      }
    return box;
  }
}
