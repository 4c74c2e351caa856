// What was looked at, how it came out, and what must not be missed.

import { count, plural } from '../format';
import { simulated } from '../meetings';
import type { Model } from '../model';
import type { State, Store } from '../store';
import { verdicts } from '../types';
import { h, iconButton, name, verdictIcon } from './dom';

/** Beyond that a graphics card of a laptop no longer draws a picture in the time of a blink. */
const manyTriangles = 3_000_000;

export function header(model: Model, store: Store): HTMLElement {
  const { page, report } = model;
  const clashing = model.meetings.filter(({ verdict }) => verdict === 'clash' || verdict === 'contained').length;
  const inMotion = clashing ? h('button', { type: 'button', class: 'pill v-clash', id: 'clashing', click: (() => store.set({ tab: 'motion' })) as never },
    verdictIcon('clash'), h('b', {}, count(clashing)), simulated(page.motion) ? ` ${clashing === 1 ? 'pair overlaps' : 'pairs overlap'} at contacts` : ` ${clashing === 1 ? 'pair clashes' : 'pairs clash'} in motion`) : null;
  // Green only where nothing anywhere speaks against it.
  const rest = page.motion ? ' at rest' : '', clean = report?.coverage.complete && !clashing;
  const looked = page.motion?.coverage;
  const cleanInMotion = looked && !clashing ? h('span', { class: looked.complete && !undecidedInMotion(model) ? 'pill clean' : 'pill' }, looked.complete ? 'no clash in motion' : 'no clash found in motion so far') : null;
  const pills = !report && simulated(page.motion) ? [h('span', { class: 'pill' }, 'simulated')] : !report && looked ? [] : !report ? [h('span', { class: 'pill' }, `not checked${rest}`)]
    : report.findings.length === 0 ? [h('span', { class: clean ? 'pill clean' : 'pill' }, `${report.coverage.complete ? 'clean' : 'nothing found'}${rest}`)]
    : verdicts.filter((verdict) => report.summary[verdict] > 0).map((verdict) =>
      h('button', {
        type: 'button', class: `pill v-${verdict}`, 'aria-label': `Show only ${verdict}: ${report.summary[verdict]}`,
        click: (() => store.set({ verdicts: new Set([verdict]), text: '', part: null, severity: 'any', tab: 'findings' })) as never,
      }, verdictIcon(verdict), h('b', {}, count(report.summary[verdict])), ` ${verdict}`));
  const next: Record<State['theme'], State['theme']> = { auto: 'dark', dark: 'light', light: 'auto' };
  return h('header', { class: 'top' },
    h('span', { class: 'mark', 'aria-hidden': 'true' }), h('h1', {}, name(page.title)),
    h('span', { class: 'facts' }, `${plural(page.parts.length, 'part')} · ${plural(model.triangles, 'triangle')} · ${page.units}`),
    h('span', { class: 'pills' }, ...pills, inMotion, cleanInMotion), h('span', { class: 'spring' }),
    iconButton('theme', 'Change between light and dark', () => store.set({ theme: next[store.state.theme] }), { id: 'theme' }),
    iconButton('help', 'Help and keys (?)', () => store.set({ help: true }), { id: 'help' }));
}

const undecidedInMotion = ({ meetings }: Model): number => meetings.filter(({ intervals }) => intervals.some(({ verdict }) => verdict === 'undecided')).length;

/** Whatever makes the list less than the whole truth. */
export function banners(model: Model, gone: readonly string[] = []): HTMLElement[] {
  const out: HTMLElement[] = [];
  const say = (grave: boolean, ...text: (Node | string)[]) => out.push(h('div', { class: grave ? 'banner grave' : 'banner', role: grave ? 'alert' : 'note' }, ...text));
  const { report, page } = model;
  for (const id of gone) say(true, h('strong', {}, 'The finding of this link is not here. '), `Nothing that was found has the id ${id.slice(0, 40)}: it may have been resolved since.`);
  if (report) {
    const { coverage } = report;
    if (report.cancelled) say(true, h('strong', {}, 'Cancelled. '), 'The check was stopped: findings may be missing.');
    else if (coverage.pairs_possible === 0) say(true, h('strong', {}, 'Nothing was tested. '), 'It takes two parts.');
    else if (coverage.losses.length) say(true, h('strong', {}, 'Incomplete. '), `${plural(coverage.losses.length, 'thing')} in the files could not be read, so findings may be missing.`);
    else if (!coverage.complete) say(true, h('strong', {}, 'Incomplete. '), 'Findings may be missing.');
    const lacking = report.findings.filter(({ lacks }) => lacks).length;
    if (lacking) say(true, h('strong', {}, `${plural(lacking, 'finding')} incomplete. `), 'The report lacks something of them; they are listed with what there is, and each says what is missing.');
    if (coverage.undecided) say(true, h('strong', {}, `${plural(coverage.undecided, 'pair')} undecided. `), 'They may clash; each says why.');
    if (coverage.parts_skipped.length) say(false, `${plural(coverage.parts_skipped.length, 'part')} without triangles ${coverage.parts_skipped.length === 1 ? 'was' : 'were'} not checked.`);
    if (coverage.not_firm) say(false, `${plural(coverage.not_firm, 'verdict')} ${coverage.not_firm === 1 ? 'is' : 'are'} not firm: finer triangles might change ${coverage.not_firm === 1 ? 'it' : 'them'}.`);
  }
  if (page.motion?.coverage && !page.motion.coverage.complete) say(true, h('strong', {}, 'Incomplete. '), 'Not everything was looked at along the motion: findings may be missing.');
  const open = undecidedInMotion(model);
  if (open) say(true, h('strong', {}, `${plural(open, 'pair')} undecided in motion. `), 'They may clash; each says when.');
  if (model.triangles > manyTriangles) say(false, `${count(model.triangles)} triangles are more than this page is made for (${count(manyTriangles)}): turning it may be slow.`);
  if (page.remarks.length) say(false, ...page.remarks.map((remark) => h('span', { class: 'remark' }, remark)));
  return out;
}
