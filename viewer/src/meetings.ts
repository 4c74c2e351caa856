// Parts that meet while they move: all intervals of a pair are one finding.

import type { Interval, MeetingInfo, MotionInfo, PageInfo, Verdict } from './types';

export interface Meeting {
  id: string;
  a: number;
  b: number;
  /** The gravest of its intervals. */
  verdict: Verdict;
  /** Of the deepest contact of all its intervals; null: contacts were not looked for. */
  depth: number | null;
  /** By rising time. */
  intervals: Interval[];
  /** When to look at it first: where its gravest interval begins, or the gap is smallest. */
  first: number;
  firstContact: [number, number] | null;
  firm: boolean;
  gap: MeetingInfo['smallest_gap'];
  surfacePairs: MeetingInfo['surface_pairs'];
  /** Lower case, for the search. */
  words: string;
}

export function meetingsOf(page: PageInfo, gravity: Record<string, number>): Meeting[] {
  const { motion } = page;
  if (!motion) return [];
  const key = ({ a, b }: { a: number; b: number }): string => `${a}-${b}`;
  const known = new Map(motion.meetings.map((info) => [key(info), info]));
  const groups = new Map<string, Interval[]>(motion.meetings.filter(({ smallest_gap: gap }) => gap).map((info) => [key(info), []]));
  for (const interval of motion.intervals) {
    const group = groups.get(key(interval));
    if (group) group.push(interval);
    else groups.set(key(interval), [interval]);
  }
  const out = [...groups].map(([pair, intervals]): Meeting => {
    const info = known.get(pair), [a, b] = pair.split('-').map(Number) as [number, number];
    intervals.sort((p, q) => p.begin - q.begin || p.end - q.end);
    const gravest = intervals.reduce<Interval | null>((best, next) => (!best || graver(next, best, gravity) ? next : best), null);
    return {
      id: info?.id || pair, a, b, verdict: gravest?.verdict ?? 'near', depth: gravest?.depth ?? null, intervals, first: gravest?.begin ?? info?.smallest_gap?.t ?? motion.begin, firstContact: info?.first_contact ?? null, firm: info?.firm ?? true,
      gap: info?.smallest_gap ?? null, surfacePairs: info?.surface_pairs ?? [],
      words: [page.parts[a]!.path, page.parts[b]!.path, info?.id ?? '', ...new Set(intervals.flatMap(({ verdict, what }) => [wordOf(motion, verdict), what]))].join('\n').toLowerCase(),
    };
  });
  return out.sort((p, q) => gravity[q.verdict]! - gravity[p.verdict]! || (q.depth ?? 0) - (p.depth ?? 0) || p.first - q.first || p.a - q.a || p.b - q.b);
}

/** By verdict, and among its like by depth. */
const graver = (p: Interval, q: Interval, gravity: Record<string, number>): boolean =>
  gravity[p.verdict]! > gravity[q.verdict]! || (p.verdict === q.verdict && (p.depth ?? 0) > (q.depth ?? 0));

const overlaps = (verdict: Verdict): boolean => verdict === 'clash' || verdict === 'contained';

/**
 * When parts first come into contact, and when they first clash, which is never before. Contacts that are there from the start
 * are no news, if there are others: what is taken out of where it lies touches its seat, and bodies of a simulation lie on
 * one another, overlapping a little. A clash of parts from the start is.
 */
export function firsts(motion: MotionInfo): { contact: number | null; clash: number | null } {
  const earliest = (of: readonly Interval[]): number | null => of.reduce<number | null>((first, { begin: t }) => (first === null || t < first ? t : first), null);
  const contacts = motion.intervals.filter(({ verdict }) => verdict !== 'near');
  const news = contacts.filter(({ begin: t, verdict }) => t > motion.begin || (overlaps(verdict) && !simulated(motion)));
  const told = news.length ? news : contacts;
  return { contact: earliest(told), clash: earliest(told.filter(({ verdict }) => overlaps(verdict))) };
}

/** The interval that lasts at a time, the gravest if there are several; else the next one, else the last. */
export function intervalAt({ intervals }: Meeting, t: number, gravity: Record<string, number>): Interval | null {
  const now = intervals.filter(({ begin, end }) => begin <= t && t <= end);
  if (now.length) return now.reduce((best, next) => (gravity[next.verdict]! > gravity[best.verdict]! ? next : best));
  return intervals.find(({ begin }) => begin > t) ?? intervals.at(-1) ?? null;
}

/** Surfaces of either side that meet at some time of an interval. */
export function surfacesIn({ surfacePairs }: Meeting, interval: Interval | null): { a: number[]; b: number[] } {
  const met = surfacePairs.filter(({ begin, end }) => !interval || (begin <= interval.end && interval.begin <= end));
  const ids = (side: 'a' | 'b') => [...new Set(met.map((pair) => pair[side]))].sort((p, q) => p - q);
  return { a: ids('a'), b: ids('b') };
}

/** Places and contacts are those of single steps: what `snug simulate` leaves behind. Where somebody has looked for what meets along the way, it is no simulation. */
export const simulated = (motion: MotionInfo | null | undefined): boolean => !!motion?.playback?.parts.length && !motion.coverage;

/** Bodies that fall onto one another overlap a little all the time: no engineer would call that a clash. */
export const wordOf = (motion: MotionInfo | null | undefined, verdict: Verdict): string => (verdict === 'clash' && simulated(motion) ? 'overlap' : verdict);

/** Of a simulation the nearest instant that was computed, at which places and contacts are of one time; else the time itself. */
export function instantNear(motion: MotionInfo, t: number): number {
  if (!simulated(motion)) return t;
  const { times } = motion.playback!;
  return times.reduce((best, next) => (Math.abs(next - t) < Math.abs(best - t) ? next : best), times[0] ?? t);
}
