// What the page is given: docs/page/format.md and docs/schema/snug.check-1.schema.json.

export type Vec3 = [number, number, number];
export type Slice = [offset: number, length: number];
/** Rotation w, x, y, z, then translation. */
export type Pose = [number, number, number, number, number, number, number];

export interface MeshInfo {
  bytes: Slice;
  colors?: (string | null)[];
  kinds?: string;
  names?: string[];
  origin: Vec3;
  step: number;
  surfaces: number;
  triangles: number;
  vertices: number;
}
export interface PartInfo {
  color?: string;
  mesh: number;
  path: string;
  pose: Pose;
}
export interface CurveInfo {
  bytes: Slice;
  crossing: number;
  finding: number;
  origin: Vec3;
  segments: number;
  step: number;
}
export interface GapInfo {
  a: Vec3;
  b: Vec3;
  finding: number;
}
export interface Interval {
  a: number;
  b: number;
  begin: number;
  /** Of the deepest contact; null: contacts were not looked for. */
  depth: number | null;
  end: number;
  sampled: boolean;
  verdict: Verdict;
  what: string;
}
/** What is known of two parts that meet while they move, beside when. */
export interface MeetingInfo {
  a: number;
  b: number;
  /** Not before, not after. */
  first_contact: [number, number] | null;
  firm: boolean;
  id: string;
  smallest_gap: { t: number; value: number } | null;
  surface_pairs: { a: number; b: number; begin: number; end: number }[];
}
export interface MotionInfo {
  begin: number;
  /** Null: nobody has looked for what meets along the whole way. */
  coverage: { complete: boolean; pairs: number; parts: number } | null;
  /** Vertices of a part at some times; its mesh is its own. */
  deformations: { bytes: Slice; part: number; times: number[] }[];
  end: number;
  intervals: Interval[];
  meetings: MeetingInfo[];
  playback: { contacts: Slice; parts: number[]; poses: Slice; times: number[] } | null;
  sampling: number;
  /** Each key is its time and a pose relative to the part's own. */
  tracks: { keys: number[][]; part: number }[];
}
export interface JointInfo {
  axis: Vec3;
  child: number;
  kind: 'fixed' | 'revolute' | 'continuous' | 'prismatic';
  lower: number;
  mimic: { joint: number; multiplier: number; offset: number } | null;
  name: string;
  origin: Pose;
  parent: number;
  /** What was looked at. */
  span: [number, number] | null;
  upper: number;
}
export interface RobotInfo {
  /** Values of all joints at the times of the playback; first those at rest. */
  instants: number[][];
  joints: JointInfo[];
  links: { name: string; part: number | null }[];
  map: { bytes: Slice; joints: number[]; size: [number, number] } | null;
  order: number[];
  pairs: { a: number; b: number; colliding: number; free: number; instant: number | null; undecided: number }[];
}
export interface PageInfo {
  bytes: number;
  curves: CurveInfo[];
  gaps: GapInfo[];
  meshes: MeshInfo[];
  motion: MotionInfo | null;
  parts: PartInfo[];
  remarks: string[];
  /** Absent from pages of earlier versions. */
  robot?: RobotInfo | null;
  schema: string;
  title: string;
  units: string;
  version: string;
}

export const verdicts = ['contained', 'clash', 'undecided', 'touch', 'near'] as const;
export type Verdict = (typeof verdicts)[number];

export interface Side {
  part: string;
  surface_names: string[];
  surfaces: number[];
}
export interface Patch {
  a: number;
  b: number;
  area: number;
  loops: Vec3[][];
  normal: Vec3;
}
export interface Relation {
  a: number;
  b: number;
  angle: number;
  fit: number | null;
  offset: number;
  radius_difference: number | null;
  relation: string;
}
export interface Finding {
  a: Side;
  b: Side;
  crossing_pairs: number;
  depth: { centre: Vec3; escape: Vec3; lower: number; upper: number } | null;
  duplicate: boolean;
  firm: boolean;
  gap: number | null;
  id: string;
  /** What the report ought to tell of it and does not; the page fills this in. */
  lacks?: string[];
  patches: Patch[];
  point: Vec3 | null;
  reason: string | null;
  relations: Relation[];
  resolution: number;
  sag: number;
  sag_estimated: boolean;
  shells_inside: { a: number[]; b: number[] };
  surface_pairs: [number, number][];
  triangle_pairs: number;
  verdict: Verdict;
  volume: { error: number; value: number } | null;
}
export interface Problem {
  part: string | null;
  text: string;
}
export interface Report {
  cancelled: boolean;
  coverage: {
    complete: boolean;
    losses: Problem[];
    not_firm: number;
    pairs_possible: number;
    pairs_tested: number;
    parts: number;
    parts_skipped: string[];
    undecided: number;
  };
  findings: Finding[];
  inputs: { path: string; references?: { path: string; sha256: string }[]; sha256: string | null; units: string | null }[];
  options: { clearance: number; touch_gap: number; touch_overlap: number; method: string };
  problems: Problem[];
  resolution: number;
  run: { seconds: number; threads: number; version: string };
  schema: string;
  summary: Record<Verdict, number>;
  units: string;
}
