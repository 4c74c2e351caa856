// Pictures of findings for `snug check --images`: the page draws each at once and leaves it in the document as a data
// address, where the program that started the browser finds it.

import { roundBelow, withUnit } from './format';
import { amount } from './ui/findings';
import type { Geometry } from './load';
import type { Model } from './model';
import { unpicturable } from './scene/reach';
import { View } from './scene/view';
import { verdictColor } from './scene/markers';
import { colorA, colorB } from './scene/materials';
import type { Store } from './store';
import { h } from './ui/dom';

const width = 960, height = 640, caption = 56;

export function drawImages(model: Model, geometry: Geometry, store: Store, from: number, to: number): void {
  const stage = h('div', { class: 'image-stage' });
  stage.style.width = `${width}px`;
  stage.style.height = `${height}px`;
  document.documentElement.dataset['theme'] = 'light';
  document.body.append(stage);
  const out = h('div', { id: 'snug-images' });
  document.body.append(out);
  const refused = document.createElement('canvas').getContext('webgl2') ? unpicturable(model.page) : 'the browser has no WebGL';
  if (refused) {
    out.dataset['error'] = refused;
    return;
  }
  const view = new View(stage, model, geometry, store);
  view.theme(false);
  // Kept in the processor's memory, where it is read from.
  const sheet = h('canvas', { width, height: height + caption });
  const pen = sheet.getContext('2d', { willReadFrequently: true })!;
  for (const item of model.items.slice(from, to)) {
    view.apply({ ...store.state, selected: item.finding.id, focus: true }, null);
    view.drawNow();
    const sky = pen.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, '#fbfcfd');
    sky.addColorStop(1, '#dfe5ec');
    pen.fillStyle = sky;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(view.canvas, 0, 0, width, height);
    pen.font = '600 15px system-ui, sans-serif';
    for (const label of view.currentLabels) {
      const wide = pen.measureText(label.text).width + 12;
      const [x, y] = view.written(label, wide, 26, 10);
      pen.fillStyle = '#ffffffe6';
      pen.fillRect(x, y, wide, 26);
      pen.fillStyle = '#111827';
      pen.fillText(label.text, x + 6, y + 18);
    }
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, height, width, caption);
    pen.fillStyle = verdictColor[item.finding.verdict]!;
    pen.fillRect(0, height, 6, caption);
    const { a, b, verdict } = item.finding;
    let at = 20;
    const write = (text: string, room: number): void => {
      const short = model.names.short(text, (some) => pen.measureText(some).width <= room, `image ${room}`);
      pen.fillStyle = '#111827';
      pen.fillText(short, at, height + 24);
      at += pen.measureText(short).width + 10;
    };
    pen.font = '600 16px system-ui, sans-serif';
    write(`${verdict}:`, 200);
    for (const [color, path] of [[colorA, a.part], [colorB, b.part]] as const) {
      pen.fillStyle = color;
      pen.fillRect(at, height + 11, 14, 14);
      at += 20;
      write(model.short(path), 0.5 * (width - 200));
    }
    pen.font = '13px system-ui, sans-serif';
    pen.fillStyle = '#4b5563';
    const { text, more } = amount(item.finding, model.unit);
    pen.fillText(`${more ? `${text}, ${more}` : text}  ·  ${item.finding.id}`, 20, height + 44);
    scaleBar(pen, view.rig.span / height, model.unit);
    out.append(h('img', { 'data-at': item.at, 'data-id': item.finding.id, alt: '', src: sheet.toDataURL('image/png') }));
  }
  out.dataset['done'] = 'yes';
}

function scaleBar(pen: CanvasRenderingContext2D, perPixel: number, unit: string): void {
  const length = roundBelow(120 * perPixel), wide = length / perPixel;
  pen.fillStyle = '#4b5563';
  pen.fillRect(width - 20 - wide, height + 40, wide, 2);
  for (const x of [width - 20 - wide, width - 22]) pen.fillRect(x, height + 34, 2, 8);
  const text = withUnit(length, unit);
  pen.fillText(text, width - 20 - 0.5 * (wide + pen.measureText(text).width), height + 30);
}
