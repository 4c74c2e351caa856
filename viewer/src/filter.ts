// Which findings are listed, and in which order.

import { depthOf, gravity, type Item, type Model } from './model';
import type { Severity, State } from './store';
import type { Verdict } from './types';

const bySeverity: Record<Severity, (item: Item, state: State) => boolean> = {
  any: () => true,
  failing: ({ finding }) => finding.verdict === 'clash' || finding.verdict === 'contained',
  open: ({ finding }) => finding.verdict === 'undecided' || !finding.firm || finding.lacks !== undefined,
  deeper: ({ finding }, { deeperThan }) => depthOf(finding) > deeperThan,
};

/** Everything but the choice of verdicts, so that each verdict can say how many it would show. */
function passes(item: Item, state: State): boolean {
  if (state.part !== null && item.a !== state.part && item.b !== state.part) return false;
  if (!bySeverity[state.severity](item, state)) return false;
  return matcher(state.text)(item);
}

let known: { text: string; matches: (item: Item) => boolean } = { text: '', matches: () => true };
let everything: readonly Item[] = [];
/** The words as they stand, if they stand so anywhere; else each of them, wherever. */
function matcher(text: string): (item: Item) => boolean {
  if (known.text !== text) {
    const phrase = text.trim().toLowerCase();
    const whole = everything.some((item) => item.words.includes(phrase));
    const words = phrase.split(/\s+/);
    known = { text, matches: (item) => (whole ? item.words.includes(phrase) : words.every((word) => item.words.includes(word))) };
  }
  return known.matches;
}

export function counts(model: Model, state: State): Record<Verdict, number> {
  everything = model.items;
  const out: Record<Verdict, number> = { contained: 0, clash: 0, undecided: 0, touch: 0, near: 0 };
  for (const item of model.items) if (passes(item, state)) ++out[item.finding.verdict];
  return out;
}

const order: Record<State['sort'], (p: Item, q: Item) => number> = {
  gravity: (p, q) => gravity[q.finding.verdict]! - gravity[p.finding.verdict]! || depthOf(q.finding) - depthOf(p.finding) || (p.finding.gap ?? 0) - (q.finding.gap ?? 0),
  depth: (p, q) => depthOf(q.finding) - depthOf(p.finding),
  volume: (p, q) => (q.finding.volume?.value ?? 0) - (p.finding.volume?.value ?? 0),
  gap: (p, q) => (p.finding.gap ?? Infinity) - (q.finding.gap ?? Infinity),
  name: (p, q) => (p.finding.a.part < q.finding.a.part ? -1 : p.finding.a.part > q.finding.a.part ? 1 : p.finding.b.part < q.finding.b.part ? -1 : 1),
};

export function listed(model: Model, state: State): Item[] {
  everything = model.items;
  return model.items
    .filter((item) => (state.verdicts.size === 0 || state.verdicts.has(item.finding.verdict)) && passes(item, state))
    .sort((p, q) => order[state.sort](p, q) || p.at - q.at);
}

/** What narrows the list, in words. */
export function narrowedBy(model: Model, state: State): string[] {
  const out: string[] = [];
  if (state.verdicts.size) out.push(`verdict ${[...state.verdicts].join(' or ')}`);
  if (state.part !== null) out.push(`part ${model.short(model.page.parts[state.part]!.path)}`);
  if (state.severity === 'failing') out.push('clashes and contained parts');
  if (state.severity === 'open') out.push('undecided, not firm or incomplete');
  if (state.severity === 'deeper') out.push(`deeper than ${state.deeperThan} ${model.unit}`);
  if (state.text) out.push(`the words “${state.text.slice(0, 80)}”`);
  return out;
}
