// Names in the room there is for them: shortened by names.ts, whole on hover, for screen readers and when copied.

import type { Names } from '../names';
import { h } from './dom';

const pen = document.createElement('canvas').getContext('2d');
const longestTitle = 2000;

interface Fitted {
  names: Names;
  full: string;
}
const fitted = new WeakMap<Element, Fitted>();
// With the next picture: what changes under an observer's eyes has it complain.
const observer = new ResizeObserver((entries) => requestAnimationFrame(() => {
  for (const { target } of entries) fit(target as HTMLElement);
}));

/** What is seen of a name; its text stays whole. */
function show(element: HTMLElement, full: string, short: string): void {
  if (short === full) delete element.dataset['short'];
  else element.dataset['short'] = short;
}

function fit(element: HTMLElement): void {
  const of = fitted.get(element), width = element.clientWidth;
  if (!of || !pen || !width) return;
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const fits = (text: string): boolean => {
    pen.font = font;
    return pen.measureText(text).width <= width;
  };
  show(element, of.full, of.names.short(of.full, fits, `${font} ${width}`));
}

const element = (full: string, className: string): HTMLElement =>
  h('bdi', { class: className, title: full.length > longestTitle ? `${full.slice(0, longestTitle)}…` : full }, h('span', {}, full));

/** As wide as its surroundings let it be, whatever it says. */
export function fittedName(names: Names, full: string, className = 'name'): HTMLElement {
  const out = element(full, `${className} fitted`);
  fitted.set(out, { names, full });
  observer.observe(out);
  return out;
}

/** At most so many letters, where there are several lines or nobody knows how wide they are. */
export function countedName(names: Names, full: string, most: number, className = 'name'): HTMLElement {
  const out = element(full, className);
  show(out, full, countedText(names, full, most));
  return out;
}
export const countedText = (names: Names, full: string, most: number): string => names.short(full, (text) => text.length <= most, String(most));

/** For those who are read to: whole, but for what nobody would listen to. */
export const spoken = (full: string): string => (full.length > longestTitle ? `${full.slice(0, longestTitle)}…` : full);
