// Lines as wide as asked for, on top of everything, bright on a halo so that they show on any ground.

import { Plane, Vector3, type Object3D } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

export class Lines {
  // Kept from finding to finding: compiling their programs anew takes longer than all the rest.
  private readonly materials = new Map<string, LineMaterial>();
  /** What lies below it is cut away: the section. */
  readonly section = new Plane(new Vector3(), 1);
  private size: [number, number] = [1, 1];

  resize(width: number, height: number): void {
    this.size = [width, height];
    for (const material of this.materials.values()) material.resolution.set(width, height);
  }

  private line(segments: Float32Array, color: string, width: number, order: number, opacity: number, cut: boolean): LineSegments2 {
    const key = `${color} ${width} ${opacity} ${cut}`;
    let material = this.materials.get(key);
    if (!material) {
      material = new LineMaterial({ color, linewidth: width, depthTest: false, depthWrite: false, transparent: true, opacity });
      material.resolution.set(...this.size);
      if (cut) material.clippingPlanes = [this.section];
      this.materials.set(key, material);
    }
    const object = new LineSegments2(new LineSegmentsGeometry().setPositions(segments), material);
    object.frustumCulled = false;
    object.renderOrder = order;
    return object;
  }

  haloed(segments: Float32Array, color: string, width: number, cut = false): Object3D[] {
    return [this.line(segments, '#ffffff', width + 3, 20, 0.85, cut), this.line(segments, color, width, 21, 1, cut)];
  }
}

/** A line with a head at its end, as ends of segments. */
export function arrow(from: Vector3, to: Vector3, head = 0.22 * from.distanceTo(to)): number[] {
  const along = to.clone().sub(from).normalize();
  const across = new Vector3(Math.abs(along.x) < 0.5 ? 1 : 0, 0, Math.abs(along.x) < 0.5 ? 0 : 1).cross(along).normalize();
  const neck = to.clone().addScaledVector(along, -head);
  const left = neck.clone().addScaledVector(across, 0.41 * head), right = neck.clone().addScaledVector(across, -0.41 * head);
  return [from, to, to, left, to, right].flatMap((p) => p.toArray());
}
