// What the page knows, joined: findings with the parts they concern, poses, colours.

import { meetingsOf, type Meeting } from './meetings';
import { Names } from './names';
import type { Finding, PageInfo, Report, Side } from './types';

export interface Item {
  finding: Finding;
  /** Its place in the report. */
  at: number;
  /** Parts, or -1 where the page lacks them. */
  a: number;
  b: number;
  /** Lower case, for the search. */
  words: string;
}

/** How grave a verdict is; larger is graver. */
export const gravity: Record<string, number> = { near: 1, touch: 2, undecided: 3, clash: 4, contained: 5 };

/** What a finding is ranked by among its like: how deep, or how little is left. */
export const depthOf = (finding: Finding): number => finding.depth?.upper ?? 0;

// Quiet colours for parts without one of their own; neighbours in the list differ in lightness as well as in hue.
const quiet = ['#b9c0c8', '#8fa3b5', '#cdc6b4', '#9db3a4', '#d3d5d4', '#a9b8bd', '#8d979d', '#bcc4b0'];

export const rgb = (hex: string): [number, number, number] => {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
};

export class Model {
  readonly items: Item[] = [];
  readonly byId = new Map<string, Item>();
  /** What meets in motion, the gravest first. */
  readonly meetings: Meeting[];
  readonly meetingById = new Map<string, Meeting>();
  readonly itemsOfPart: Item[][];
  readonly partId = new Map<string, number>();
  /** Colours of surfaces; the first is never used. */
  readonly palette: string[] = ['#000000'];
  readonly palettes: (Uint16Array | null)[];
  /** Of each mesh: whether its vertices move. */
  readonly deforms: boolean[];
  private readonly colors: [number, number, number][];
  /** What all paths begin with, levels only. */
  readonly common: string;
  private readonly leavesDiffer: boolean;
  /** Of all parts, as short() and brief() have them. */
  readonly names: Names;
  readonly briefNames: Names;

  constructor(readonly page: PageInfo, readonly report: Report | null) {
    page.parts.forEach((part, id) => this.partId.set(part.path, id));
    this.itemsOfPart = page.parts.map(() => []);
    const id = (side: Side) => this.partId.get(side.part) ?? -1;
    report?.findings.forEach((finding, at) => {
      const item: Item = {
        finding, at, a: id(finding.a), b: id(finding.b),
        words: [finding.a.part, finding.b.part, ...finding.a.surface_names, ...finding.b.surface_names, finding.id, finding.verdict].join('\n').toLowerCase(),
      };
      this.items.push(item);
      this.byId.set(finding.id, item);
      if (item.a >= 0) this.itemsOfPart[item.a]!.push(item);
      if (item.b >= 0) this.itemsOfPart[item.b]!.push(item);
    });
    const known = new Map<string, number>();
    this.palettes = page.meshes.map(({ colors, surfaces }) => {
      if (!colors) return null;
      const out = new Uint16Array(surfaces);
      colors.forEach((color, surface) => {
        if (!color) return;
        let index = known.get(color);
        if (index === undefined && this.palette.length < 65535) known.set(color, (index = this.palette.push(color) - 1));
        out[surface] = index ?? 0;
      });
      return out;
    });
    const deforming = new Set(page.motion?.deformations.map(({ part }) => page.parts[part]!.mesh));
    this.deforms = page.meshes.map((_, mesh) => deforming.has(mesh));
    const painted = page.meshes.map(({ colors }) => mostly(colors ?? []));
    this.colors = page.parts.map(({ color, mesh }, id) => rgb(color ?? painted[mesh] ?? quiet[id % quiet.length]!));
    this.common = commonLevels(page.parts.map((part) => part.path));
    this.leavesDiffer = new Set(page.parts.map((part) => leaf(part.path))).size === page.parts.length;
    const paths = [...page.parts.map(({ path }) => path), ...this.items.flatMap(({ finding: { a, b } }) => [a.part, b.part])];
    this.names = new Names(paths.map((path) => this.short(path)));
    this.briefNames = new Names(paths.map((path) => this.brief(path)));
    this.meetings = meetingsOf(page, gravity);
    for (const meeting of this.meetings) this.meetingById.set(meeting.id, meeting);
  }

  /** Of two links of a robot: in how much of the range they meet. */
  jointsOf({ a, b }: Meeting): NonNullable<PageInfo['robot']>['pairs'][number] | undefined {
    return this.page.robot?.pairs.find((pair) => pair.a === a && pair.b === b);
  }
  get unit(): string {
    return this.page.units;
  }
  color(part: number): [number, number, number] {
    return this.colors[part]!;
  }
  /** A path without what all have in common. */
  short(path: string): string {
    return path.startsWith(this.common) ? path.slice(this.common.length) : path;
  }
  /** Its last level, where that is enough to tell parts apart: for places where a name must be short. */
  brief(path: string): string {
    return this.leavesDiffer ? leaf(path) : this.short(path);
  }
  surfaceName(part: number, surface: number): string {
    return this.page.meshes[this.page.parts[part]!.mesh]!.names?.[surface] || `#${surface}`;
  }
  surfaceKind(part: number, surface: number): number {
    return (this.page.meshes[this.page.parts[part]!.mesh]!.kinds?.charCodeAt(surface) ?? 48) - 48;
  }
  get triangles(): number {
    return this.page.parts.reduce((sum, part) => sum + this.page.meshes[part.mesh]!.triangles, 0);
  }
}

/** What more than half of the surfaces are painted in, if there is such a colour. */
function mostly(colors: (string | null)[]): string | null {
  const counts = new Map<string | null, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  for (const [color, n] of counts) if (2 * n > colors.length) return color;
  return null;
}

const leaf = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path;

function commonLevels(paths: string[]): string {
  if (paths.length < 2) return '';
  let common = paths[0]!.slice(0, paths[0]!.lastIndexOf('/') + 1);
  for (const path of paths)
    while (common && !path.startsWith(common)) common = common.slice(0, common.lastIndexOf('/', common.length - 2) + 1);
  return common;
}
