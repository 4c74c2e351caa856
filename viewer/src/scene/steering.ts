// The view by keyboard: arrows turn it, with Shift they move it, plus and minus zoom.

import type { CameraRig } from './camera';

const angle = Math.PI / 18, step = 0.06, zoom = 1.2;

export function steerByKeys(canvas: HTMLCanvasElement, rig: CameraRig): void {
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) rig.shift(step * arrow[0], step * arrow[1]);
    else if (arrow) rig.turn(angle * arrow[0], angle * arrow[1]);
    else if (event.key === '+' || event.key === '=') rig.zoom(1 / zoom);
    else if (event.key === '-') rig.zoom(zoom);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
