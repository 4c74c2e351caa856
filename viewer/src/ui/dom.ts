// Elements from code. Text is always set as text: nothing of the input is ever read as markup.

type Props = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

function fill(element: Element, props: Props, children: (Node | string | null)[]): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
}
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: (Node | string | null)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}
export function svg(tag: string, props: Props = {}, ...children: (Node | string | null)[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, props, children);
  return element;
}

/** A name from the input, whatever its letters and their direction. */
export const name = (text: string, className = 'name'): HTMLElement =>
  h('bdi', { class: className, title: text.length > 600 ? `${text.slice(0, 600)}…` : text }, text.length > 4000 ? `${text.slice(0, 4000)}…` : text);

/** A verdict by shape; its colour comes from the style sheet. */
export function verdictIcon(verdict: string): SVGElement {
  const shapes: Record<string, () => SVGElement[]> = {
    clash: () => [svg('circle', { cx: 8, cy: 8, r: 6, fill: 'currentColor' })],
    contained: () => [
      svg('circle', { cx: 8, cy: 8, r: 6, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }), svg('circle', { cx: 8, cy: 8, r: 3, fill: 'currentColor' }),
    ],
    touch: () => [
      svg('circle', { cx: 8, cy: 8, r: 6, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }), svg('path', { d: 'M8 2a6 6 0 0 0 0 12z', fill: 'currentColor' }),
    ],
    near: () => [svg('circle', { cx: 8, cy: 8, r: 5.5, fill: 'none', stroke: 'currentColor', 'stroke-width': 2.5 })],
    undecided: () => [
      svg('path', { d: 'M5 5.6a3 3 0 1 1 4.4 2.6C8.4 8.8 8 9.200 8 10.300', fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round' }),
      svg('circle', { cx: 8, cy: 13.2, r: 1.3, fill: 'currentColor' }),
    ],
  };
  return svg('svg', { class: `icon v-${verdict}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, ...(shapes[verdict]?.() ?? []));
}

const glyphs: Record<string, string> = {
  fit: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3', section: 'M2 11 8 14l6-3M2 5l6-3 6 3-6 3zM2 8l6 3 6-3',
  eye: 'M1.500 8s2.500-4.500 6.500-4.500S14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  eyeOff: 'M1.500 8s2.500-4.500 6.500-4.500S14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM2.500 13.500l11-11', isolate: 'M8 1.500v3M8 11.500v3M1.500 8h3M11.500 8h3M8 6.500v3M6.500 8h3',
  link: 'M6.500 9.500l3-3M7 4.500l1.500-1.500a3 3 0 0 1 4.500 4.500L11.500 9M9 11.500 7.500 13A3 3 0 0 1 3 8.500L4.500 7', theme: 'M8 2.500a5.500 5.500 0 1 0 0 11zM8 2.500v11a5.500 5.500 0 0 0 0-11',
  help: 'M6 6a2 2 0 1 1 2.900 1.800C8.200 8.200 8 8.600 8 9.500M8 12v.2', play: 'M5 3.500l7 4.500-7 4.500z', pause: 'M5.500 3.500v9M10.500 3.500v9', first: 'M4 3.500v9M12 3.500 6.500 8l5.500 4.500z',
  home: 'M2.500 8 8 3l5.500 5M4.500 7v6h7V7', close: 'M4 4l8 8M12 4l-8 8', flip: 'M3 6h9l-2.500-2.500M13 10H4l2.500 2.500', up: 'M4 10l4-4 4 4', down: 'M4 6l4 4 4-4', left: 'M10 4 6 8l4 4', right: 'M6 4l4 4-4 4', measure: 'M1.500 10.500 10.500 1.500l4 4-9 9zM8.500 3.500l1.700 1.700M6.200 5.800 7.500 7.100M4 8l1.700 1.700', explode: 'M6 6 3 3m0 0h2.500M3 3v2.500M10 6l3-3m0 0h-2.500M13 3v2.500M6 10l-3 3m0 0h2.500M3 13v-2.500M10 10l3 3m0 0h-2.500M13 13v-2.500',
};
export const glyph = (id: string): SVGElement =>
  svg('svg', { class: 'glyph', viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    svg('path', { d: glyphs[id] ?? '', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));

/** A button with a picture, named for those who do not see it. */
export const iconButton = (id: string, label: string, click: (event: MouseEvent) => void, props: Props = {}): HTMLButtonElement =>
  h('button', { type: 'button', class: 'tool', 'aria-label': label, title: label, click: click as never, ...props }, glyph(id));

export const replace = (parent: Element, ...children: (Node | string | null)[]): void =>
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== null));
