import type { State, Store } from '../store';
import { h, iconButton } from './dom';

const keys: [string, string][] = [
  ['j, k', 'next, previous finding, or pair in motion'], ['n, p', 'next, previous place where the two parts meet'], ['Esc', 'back: from a finding, or a pair, to the whole assembly'], ['f', 'fit the view; again: closer to the depth, then both parts'], ['h', 'hide the part under the pointer, or part A'],
  ['i', 'isolate it; again: show all'], ['x', 'section plane on, off'], ['m', 'measure: click two points'], ['e', 'explode, or back together'], ['space', 'play or stop the motion'], ['/', 'search'],
  ['arrows', 'in the view: turn it; with Shift: move it'], ['+, −', 'in the view: zoom'], ['1 … 7', 'views: front, back, left, right, top, bottom, oblique'], ['?', 'this help'],
];

export class Help {
  readonly element = h('dialog', { class: 'help', 'aria-label': 'Help' });
  constructor(store: Store, version: string) {
    this.element.append(
      h('header', {}, h('h2', {}, 'Keys and mouse'), h('span', { class: 'spring' }), iconButton('close', 'Close help', () => store.set({ help: false }))),
      h('dl', {}, ...keys.flatMap(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])),
      h('p', {}, 'Left button turns, right button moves, the wheel zooms to the pointer, a double click sets the point to turn about. A click on a part lists its findings. On a touch screen one finger turns, two move and zoom.'),
      h('p', { class: 'muted' }, 'The picture is drawn from coordinates of 16 bits per part. Every number comes from the report, in full precision: hover over it to see all its digits. Only what you measure yourself comes from the picture.'),
      h('p', { class: 'muted' }, `snug ${version}. Contains three.js (MIT licence).`));
    this.element.addEventListener('close', () => store.set({ help: false }));
  }
  apply(state: State): void {
    if (state.help && !this.element.open) this.element.showModal();
    else if (!state.help && this.element.open) this.element.close();
  }
}
