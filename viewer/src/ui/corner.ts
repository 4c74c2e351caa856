// Which way is up: a cube whose faces turn the view, and the axes.

import { Vector3, type Camera } from 'three';
import type { Vec3 } from '../types';
import { h, replace, svg } from './dom';

export const directions: [string, Vec3][] = [
  ['front', [0, -1, 0]], ['back', [0, 1, 0]], ['left', [-1, 0, 0]], ['right', [1, 0, 0]], ['top', [0, -0.001, 1]], ['bottom', [0, -0.001, -1]], ['oblique', [0.62, -1, 0.62]],
];
// Where text runs and where it goes down, in the world; the third axis points out of the face.
const sides: Record<string, [Vec3, Vec3, Vec3]> = {
  front: [[1, 0, 0], [0, 0, -1], [0, -1, 0]], back: [[-1, 0, 0], [0, 0, -1], [0, 1, 0]], left: [[0, -1, 0], [0, 0, -1], [-1, 0, 0]],
  right: [[0, 1, 0], [0, 0, -1], [1, 0, 0]], top: [[1, 0, 0], [0, -1, 0], [0, 0, 1]], bottom: [[1, 0, 0], [0, 1, 0], [0, 0, -1]],
};

export class Corner {
  readonly element = h('div', { class: 'corner' });
  private readonly cube = h('div', { class: 'cube' });
  private readonly triad = svg('svg', { class: 'triad', viewBox: '-40 -40 80 80', 'aria-hidden': 'true' });

  constructor(look: (direction: Vec3) => void) {
    for (const [label, direction] of directions.slice(0, 6)) {
      const face = h('button', { type: 'button', class: `face ${label}`, 'aria-label': `View from ${label}`, title: `View from ${label}`, click: (() => look(direction)) as never }, label);
      const [along, down, out] = sides[label]!;
      face.style.transform = `matrix3d(${along.join()},0,${down.join()},0,${out.join()},0,${out.map((x) => 25 * x).join()},1)`;
      this.cube.append(face);
    }
    this.element.append(this.cube, this.triad as unknown as HTMLElement);
  }

  turn(camera: Camera): void {
    const column = (k: number) => new Vector3().setFromMatrixColumn(camera.matrixWorld, k);
    const right = column(0), up = column(1), back = column(2);
    // From the world to the screen, whose y points down.
    const rows = [right, up.clone().negate(), back];
    const along = (axis: 'x' | 'y' | 'z') => rows.map((row) => row[axis].toFixed(5)).join();
    this.cube.style.transform = `translate(-50%, -50%) matrix3d(${along('x')},0,${along('y')},0,${along('z')},0,0,0,0,1)`;
    const axis = (name: 'x' | 'y' | 'z') => {
      const x = right[name] * 26, y = -up[name] * 26;
      return [svg('line', { x2: x, y2: y, class: `axis-${name}` }), svg('text', { x: x * 1.36, y: y * 1.36 + 3.5, class: `axis-${name}` }, name)];
    };
    replace(this.triad, ...(['x', 'y', 'z'] as ('x' | 'y' | 'z')[]).sort((p, q) => back[p] - back[q]).flatMap(axis));
  }
}
