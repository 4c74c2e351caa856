// Everything there is to know of the selected finding.

import { between, coordinate, count, exact, kindName, number, plural, tested, volume, withUnit } from '../format';
import { intervalAt, simulated, wordOf, type Meeting } from '../meetings';
import { gravity, type Item, type Model } from '../model';
import { Names } from '../names';
import { toHash, type State, type Store } from '../store';
import type { Relation, Side } from '../types';
import { h, iconButton, replace, verdictIcon } from './dom';
import { countedName, fittedName } from './fitted';
import { meetingFacts, meetingSides } from './meeting_details';

const meaning: Record<string, string> = {
  contained: 'One part lies wholly inside the other.', clash: 'The parts overlap.', undecided: 'It could not be told whether they clash.',
  touch: 'The parts meet, within the tolerances.', near: 'The gap is below the clearance asked for.',
};
const relationWords: Record<string, string> = {
  planar_mate: 'face to face', planar_align: 'flush', concentric: 'concentric', tangent: 'tangent', coincident: 'the same round surface',
};
const mostSurfaces = 40;

export class Details {
  /** `places`: how large those of the finding that is shown are, if there are several. */
  readonly element = h('aside', { class: 'details', 'aria-label': 'Details of the selected finding', tabindex: -1 });

  constructor(private readonly model: Model, private readonly store: Store, private readonly step: (by: 1 | -1) => void, private readonly places: () => readonly number[], private readonly cameraLink: () => State['camera']) {}

  apply(state: State, before: State | null): void {
    const meeting = state.meeting && !state.focus ? this.model.meetingById.get(state.meeting) : undefined;
    const same = (['selected', 'focus', 'place', 'hidden', 'isolated', 'meeting'] as const).every((key) => state[key] === before?.[key]);
    if (before && same && (!meeting || (this.when(meeting, state) === this.when(meeting, before) && (state.joints === null) === (before.joints === null) && (state.time === null) === (before.time === null)))) return;
    const item = state.selected ? this.model.byId.get(state.selected) : undefined;
    const focused = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    if (meeting) this.drawMeeting(meeting, state);
    else if (item) this.draw(item, state);
    else this.nothing();
    // Drawn anew under the finger that pressed a button in it.
    if (focused && !meeting) this.element.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
  }

  /** What the details of a meeting depend on: the interval, and whether it lasts. */
  private when(meeting: Meeting, { time }: State): string {
    const interval = time === null ? null : intervalAt(meeting, time, gravity);
    return interval ? `${meeting.intervals.indexOf(interval)} ${interval.begin <= time! && time! <= interval.end}` : '';
  }

  private drawMeeting(meeting: Meeting, state: State): void {
    const { a, b } = meetingSides(this.model, meeting, state);
    const focused = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement) ? [...this.element.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement) : -1;
    const link = h('button', { type: 'button', class: 'plain', click: (() => void this.copy(link, { meeting: meeting.id, time: this.store.state.time ?? meeting.first, focus: false })) as never }, 'Copy link');
    replace(this.element,
      h('button', { type: 'button', class: 'plain sheet-close', click: (() => this.store.set(simulated(this.model.page.motion) ? { meeting: null } : { time: null, playing: false })) as never }, 'Back to the list'),
      h('header', {}, verdictIcon(meeting.verdict), h('h2', {}, wordOf(this.model.page.motion, meeting.verdict)), h('span', { class: 'spring' }),
        iconButton('up', 'Previous pair (k)', () => this.step(-1)), iconButton('down', 'Next pair (j)', () => this.step(1))),
      state.time === null ? h('button', { type: 'button', class: 'primary', click: (() => this.store.set({ time: meeting.first, playing: false, explode: 0 })) as never }, 'Show it') : null,
      ...meetingFacts(this.model, this.store, meeting, state),
      this.side('a', meeting.a, a, 0, state), this.side('b', meeting.b, b, 0, state),
      h('footer', {}, h('code', { title: 'Id of the finding' }, meeting.id === `${meeting.a}-${meeting.b}` ? '' : meeting.id.slice(0, 40)), link));
    // Drawn anew under the finger that pressed a button in it.
    if (focused >= 0) [...this.element.querySelectorAll('button')][focused]?.focus();
  }

  private nothing(): void {
    const { report, meetings, page } = this.model;
    replace(this.element, h('p', { class: 'muted' },
      !meetings.length && page.motion?.coverage?.complete && !report ? 'Along the whole motion no two parts meet.'
        : !report && simulated(page.motion) ? `Play the simulation (space): red lines show where bodies meet, along which normals and how deep.${meetings.length ? ' Choose a pair to see when it meets, and how deep; Esc goes back to all.' : ''}`
        : meetings.length && !report?.findings.length ? 'Choose a pair to see when it meets, and where.'
        : !report ? 'Turn the assembly, hide parts, cut it open. Findings appear here once it has been checked: snug check … --html.'
        : report.findings.length ? 'Choose a finding to see where and how much.' : `${this.model.page.motion ? 'As they stand in the file, no' : 'No'} two parts clash, touch or come too close.`), this.about());
  }

  private draw(item: Item, state: State): void {
    const { finding } = item, { unit } = this.model;
    const rows: HTMLElement[] = [];
    const row = (label: string, value: Node | string, title = '') =>
      rows.push(h('div', { class: 'fact' }, h('dt', {}, label), h('dd', { title }, value)));
    if (finding.depth) {
      row(finding.verdict === 'touch' ? 'depth, forgiven' : 'depth', between(finding.depth.lower, finding.depth.upper, unit), `at least ${exact(finding.depth.lower)} ${unit}, at most ${exact(finding.depth.upper)} ${unit}`);
      row('B out by', this.vector(finding.depth.escape), `moving B by (${finding.depth.escape.map(exact).join(', ')}) ${unit} makes the interiors disjoint`);
    }
    if (finding.gap !== null) row('gap', finding.gap === 0 ? 'none: they share points' : withUnit(finding.gap, unit), `${exact(finding.gap)} ${unit}`);
    if (finding.volume) row('common volume', volume(finding.volume, unit), `${exact(finding.volume.value)} ± ${exact(finding.volume.error)} ${unit}³`);
    const area = finding.patches.reduce((sum, patch) => sum + patch.area, 0);
    if (finding.patches.length) row('contact area', `${number(area)}\u202f${unit}² in ${plural(finding.patches.length, 'patch', 'patches')}`, `${exact(area)} ${unit}²`);
    if (finding.point) row('where', `(${finding.point.map((x) => coordinate(x, this.sizeOf(item))).join(', ')})\u202f${unit}`, `(${finding.point.map(exact).join(', ')}) ${unit}`);
    if (finding.triangle_pairs > 0) row('triangles', `${plural(finding.triangle_pairs, 'pair meets', 'pairs meet')}, ${count(finding.crossing_pairs)} cross`);
    const curve = this.model.page.curves.find((c) => c.finding === item.at);
    if (curve && curve.segments < curve.crossing * 0.98 && curve.crossing > 100_000)
      row('drawn', `${count(curve.segments)} of ${count(curve.crossing)} pieces of the curve`);
    const firm = finding.firm
      ? finding.sag > 0 ? `firm: more than the tessellation error of ${withUnit(finding.sag, unit)} decides` : 'firm: decided exactly'
      : `not firm: within tessellation error ${withUnit(finding.sag, unit)}${finding.sag_estimated ? ', estimated' : ''}`;
    const link = h('button', { type: 'button', class: 'plain', click: (() => void this.copy(link, { selected: item.finding.id, focus: true })) as never }, 'Copy link');
    replace(this.element,
      h('button', { type: 'button', class: 'plain sheet-close', click: (() => this.store.set({ focus: false })) as never }, 'Back to the list'),
      h('header', {}, verdictIcon(finding.verdict), h('h2', {}, finding.verdict),
        h('span', { class: 'spring' }),
        iconButton('up', 'Previous finding (k)', () => this.step(-1)), iconButton('down', 'Next finding (j)', () => this.step(1))),
      h('p', { class: 'meaning' }, meaning[finding.verdict] ?? '', finding.duplicate ? ' Both occupy the same space: one is a duplicate.' : '', finding.reason ? ` ${finding.reason}.` : ''),
      state.focus ? null : h('button', { type: 'button', class: 'primary', click: (() => this.store.set({ focus: true, explode: 0, time: null })) as never }, 'Show it'),
      state.focus ? this.placesRow(state) : null,
      h('dl', {}, ...rows),
      finding.lacks ? h('p', { class: 'firm open' }, `incomplete: the report lacks ${finding.lacks.join(', ')}`) : null,
      finding.lacks?.includes('firm') ? null : h('p', { class: finding.firm ? 'firm' : 'firm open' }, firm),
      this.side('a', item.a, finding.a, finding.shells_inside.a.length, state), this.side('b', item.b, finding.b, finding.shells_inside.b.length, state),
      this.relations(item, finding.relations.filter((relation) => relation.relation !== 'none')),
      h('footer', {}, h('code', { title: 'Id of the finding: of the two paths alone' }, finding.id), link));
  }

  /** Where the parts meet more than once: which place is shown, and the others. */
  private placesRow(state: State): HTMLElement | null {
    const sizes = this.places(), n = sizes.length, place = this.placeOf(state);
    if (n < 2) return null;
    return h('div', { class: 'places', role: 'group', 'aria-label': 'Places where they meet' },
      iconButton('left', 'Previous place (p)', () => this.stepPlace(-1)),
      h('span', { role: 'status', id: 'place' }, place === null ? h('b', {}, plural(n, 'place')) : h('b', {}, `${count(place + 1)} of ${plural(n, 'place')}`),
        place === null ? ', all in sight' : `, ${withUnit(sizes[place]!, this.model.unit)} across`),
      iconButton('right', 'Next place (n)', () => this.stepPlace(1)), h('span', { class: 'spring' }),
      h('button', { type: 'button', class: 'plain', 'aria-label': 'Show all places', disabled: place === null, click: (() => this.store.set({ place: null })) as never }, 'all'));
  }
  /** A link may name one that is not there any more. */
  private placeOf({ place }: State): number | null {
    return place !== null && place < this.places().length ? place : null;
  }
  /** What the keys n and p step through; past the last comes the whole. */
  stepPlace(by: 1 | -1): void {
    const n = this.places().length, { focus } = this.store.state, place = this.placeOf(this.store.state);
    if (n < 2 || !focus) return;
    const next = (place === null ? (by > 0 ? 0 : n - 1) : place + by);
    this.store.set({ place: next < 0 || next >= n ? null : next });
  }

  /** About as large as the smaller part. */
  private sizeOf({ a, b }: Item): number {
    const { meshes, parts } = this.model.page;
    const steps = [a, b].filter((part) => part >= 0).map((part) => meshes[parts[part]!.mesh]!.step);
    return steps.length ? 65535 * Math.min(...steps) : 1;
  }
  private vector(v: number[]): string {
    return `(${v.map(number).join(', ')})\u202f${this.model.unit}`;
  }

  private side(letter: 'a' | 'b', part: number, side: Side, inside: number, state: State): HTMLElement {
    const title = (id: number, i: number): string => side.surface_names[i] || `surface ${id}`;
    const names = new Names(side.surfaces.map(title));
    const surfaces = side.surfaces.slice(0, mostSurfaces).map((id, i) => {
      const kind = part >= 0 ? kindName[this.model.surfaceKind(part, id)] : '';
      return h('li', {}, fittedName(names, title(id, i)), kind ? h('small', {}, ` ${kind}`) : null);
    });
    const toggle = (set: ReadonlySet<number>) => {
      const next = new Set(set);
      if (!next.delete(part)) next.add(part);
      return next;
    };
    const hidden = state.hidden.has(part), alone = state.isolated?.size === 1 && state.isolated.has(part);
    return h('section', { class: `side side-${letter}` },
      h('header', {}, h('span', { class: `letter ${letter}`, 'aria-label': `part ${letter}` }, letter.toUpperCase()), countedName(this.model.names, this.model.short(side.part), 120, 'name wrap'),
        part >= 0 ? iconButton('isolate', `Isolate part ${letter}`, () => this.store.set({ isolated: alone ? null : new Set([part]) }), { 'aria-pressed': String(alone) }) : null,
        part >= 0 ? iconButton(hidden ? 'eyeOff' : 'eye', `${hidden ? 'Show' : 'Hide'} part ${letter}`, () => this.store.set({ hidden: toggle(state.hidden) }), { 'aria-pressed': String(hidden) }) : null),
      inside ? h('p', { class: 'muted' }, `${plural(inside, 'shell')} inside the other part`) : null,
      surfaces.length ? h('details', { open: surfaces.length <= 8 }, h('summary', {}, plural(side.surfaces.length, 'surface')),
        h('ul', {}, ...surfaces, side.surfaces.length > mostSurfaces ? h('li', { class: 'muted' }, `and ${count(side.surfaces.length - mostSurfaces)} more, in the report`) : null)) : null);
  }

  private relations(item: Item, relations: Relation[]): HTMLElement | null {
    if (!relations.length) return null;
    const { unit } = this.model;
    const surface = (part: number, id: number) => (part >= 0 ? this.model.surfaceName(part, id) : `#${id}`);
    const [ofA, ofB] = [new Names(relations.map((r) => surface(item.a, r.a))), new Names(relations.map((r) => surface(item.b, r.b)))];
    const line = (r: Relation) => {
      const fit = r.fit === null ? '' : r.fit >= 0 ? `, clearance ${withUnit(r.fit, unit)}` : `, interference ${withUnit(-r.fit, unit)}`;
      return h('li', { title: `angle ${exact(r.angle)} rad, offset ${exact(r.offset)} ${unit}` }, h('b', {}, relationWords[r.relation] ?? r.relation), `${fit} `,
        h('small', {}, countedName(ofA, surface(item.a, r.a), 60, 'surface'), ' | ', countedName(ofB, surface(item.b, r.b), 60, 'surface')));
    };
    return h('details', { class: 'relations', open: relations.length <= 4 }, h('summary', {}, plural(relations.length, 'relation')), h('ul', {}, ...relations.slice(0, mostSurfaces).map(line)));
  }

  private about(): HTMLElement | null {
    const { report, page } = this.model;
    if (!report) return null;
    const { coverage: c, options: o } = report;
    const unit = page.units;
    return h('dl', { class: 'about' },
      h('div', { class: 'fact' }, h('dt', {}, 'checked'), h('dd', {}, `${plural(c.parts, 'part')}, ${plural(c.pairs_possible, 'pair')}; ${tested(c)}`)),
      h('div', { class: 'fact' }, h('dt', {}, 'clearance'), h('dd', {}, withUnit(o.clearance, unit))),
      h('div', { class: 'fact' }, h('dt', {}, 'touch gap'), h('dd', {}, withUnit(o.touch_gap, unit))),
      h('div', { class: 'fact' }, h('dt', {}, 'touch overlap'), h('dd', {}, withUnit(o.touch_overlap, unit))),
      h('div', { class: 'fact' }, h('dt', {}, 'resolution'), h('dd', {}, withUnit(report.resolution, unit))));
  }

  private async copy(button: HTMLElement, what: Partial<State>): Promise<void> {
    const { state } = this.store;
    const hash = toHash({ ...state, ...what, camera: state.focus || (what.meeting && state.time !== null) ? this.cameraLink() : null });
    const address = `${location.href.split('#')[0]}#${hash}`;
    let done = false;
    try {
      await navigator.clipboard.writeText(address);
      done = true;
    } catch {
      // Pages from disk may not use the clipboard's interface in every browser.
      const field = h('textarea', { class: 'offscreen', 'aria-hidden': 'true' });
      field.value = address;
      document.body.append(field);
      field.select();
      done = document.execCommand('copy');
      field.remove();
      button.focus();
    }
    history.replaceState(null, '', `#${hash}`);
    button.textContent = done ? 'Copied' : 'It is in the address bar';
    setTimeout(() => (button.textContent = 'Copy link'), 1600);
  }
}
