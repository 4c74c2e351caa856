// A finding that lacks something must neither vanish nor take the others with it: what is missing is filled with nothing
// at all, and named.

import { verdicts, type Finding, type Side } from './types';

type Unknown = Record<string, unknown>;
const isObject = (value: unknown): value is Unknown => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isVector = (value: unknown): boolean => Array.isArray(value) && value.length === 3 && value.every(isNumber);
const orNull = (sound: (value: unknown) => boolean) => (value: unknown): boolean => value === null || sound(value);
const listOf = (sound: (value: unknown) => boolean) => (value: unknown): boolean => Array.isArray(value) && value.every(sound);
const isText = (value: unknown): boolean => typeof value === 'string';
const isTruth = (value: unknown): boolean => typeof value === 'boolean';
const withNumbers = (...keys: string[]) => (value: unknown): boolean => isObject(value) && keys.every((key) => isNumber(value[key]));

const isPatch = (value: unknown): boolean => withNumbers('a', 'b', 'area')(value) && isVector((value as Unknown)['normal']) && listOf(listOf(isVector))((value as Unknown)['loops']);
const isDepth = (value: unknown): boolean => withNumbers('lower', 'upper')(value) && isVector((value as Unknown)['centre']) && isVector((value as Unknown)['escape']);
const isRelation = (value: unknown): boolean => withNumbers('a', 'b', 'angle', 'offset')(value) && isText((value as Unknown)['relation']) && orNull(isNumber)((value as Unknown)['fit']);

function one(raw: unknown): Finding {
  const from = isObject(raw) ? raw : {};
  const lacks: string[] = [];
  const take = <T>(key: string, sound: (value: unknown) => boolean, otherwise: T, source = from, name = key): T => {
    if (sound(source[key])) return source[key] as T;
    lacks.push(name);
    return otherwise;
  };
  const inner = (key: string): Unknown => (isObject(from[key]) ? (from[key] as Unknown) : {});
  const side = (letter: 'a' | 'b'): Side => {
    const source = inner(letter), of = (key: string) => `${letter}.${key}`;
    return {
      part: take('part', isText, '(not told)', source, of('part')), surfaces: take('surfaces', listOf(isNumber), [], source, of('surfaces')),
      surface_names: take('surface_names', listOf(isText), [], source, of('surface_names')),
    };
  };
  const shells = inner('shells_inside');
  const out: Finding = {
    a: side('a'), b: side('b'), crossing_pairs: take('crossing_pairs', isNumber, 0), depth: take('depth', orNull(isDepth), null), duplicate: take('duplicate', isTruth, false),
    firm: take('firm', isTruth, false), gap: take('gap', orNull(isNumber), null), id: take('id', isText, ''), patches: take('patches', listOf(isPatch), []),
    point: take('point', orNull(isVector), null), reason: take('reason', orNull(isText), null), relations: take('relations', listOf(isRelation), []),
    resolution: take('resolution', isNumber, 0), sag: take('sag', isNumber, 0), sag_estimated: take('sag_estimated', isTruth, false),
    shells_inside: { a: take('a', listOf(isNumber), [], shells, 'shells_inside.a'), b: take('b', listOf(isNumber), [], shells, 'shells_inside.b') },
    surface_pairs: take('surface_pairs', listOf(listOf(isNumber)), []), triangle_pairs: take('triangle_pairs', isNumber, 0),
    verdict: take('verdict', (value) => verdicts.includes(value as never), 'undecided' as const), volume: take('volume', orNull(withNumbers('error', 'value')), null),
  };
  if (out.verdict === 'near' && out.gap === null && !lacks.includes('gap')) lacks.push('gap');
  return lacks.length ? { ...out, lacks } : (raw as Finding);
}

/** The findings in their order, each whole, each with an id of its own. */
export function completed(findings: unknown[]): Finding[] {
  const known = new Set<string>();
  return findings.map((raw, at) => {
    const finding = one(raw);
    const id = finding.id && !known.has(finding.id) ? finding.id : `finding-${at}`;
    known.add(id);
    return id === finding.id ? finding : { ...finding, id, lacks: [...new Set([...(finding.lacks ?? []), 'id'])] };
  });
}
