// Whether the data is what the format says, as far as the page would stumble over it: better to say so at once than to
// show a list that lacks something.

import { completed } from './completed';
import { verdicts, type PageInfo, type Report, type Slice } from './types';

function hold(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
const within = (id: unknown, list: unknown[], least = 0): boolean => Number.isInteger(id) && (id as number) >= least && (id as number) < list.length;

export function expectPage(page: PageInfo | null): asserts page is PageInfo {
  hold(page?.schema === 'snug.page/1', 'it holds no snug.page/1 document');
  for (const key of ['curves', 'gaps', 'meshes', 'parts', 'remarks'] as const) hold(Array.isArray(page[key]), `its ${key} are missing`);
  const slice = (bytes: Slice) => Array.isArray(bytes) && bytes[0] >= 0 && bytes[1] >= 0 && bytes[0] + bytes[1] <= page.bytes;
  for (const { bytes } of page.meshes) hold(slice(bytes), 'a mesh lies outside of the buffer');
  for (const { bytes } of page.curves) hold(slice(bytes), 'a curve lies outside of the buffer');
  for (const { mesh, path, pose } of page.parts) hold(within(mesh, page.meshes) && typeof path === 'string' && pose?.length === 7, 'a part has no mesh, path or pose');
  const { motion, robot } = page;
  if (robot) {
    const { joints, links, order, instants, map } = robot;
    hold(order.every((id) => within(id, joints)) && joints.every(({ parent, child, mimic, origin }) => within(parent, links) && within(child, links) && origin?.length === 7 && (!mimic || within(mimic.joint, joints))), 'a joint of the robot holds no link');
    hold(links.every(({ part }) => part === null || within(part, page.parts)), 'a link of the robot is no part');
    hold(instants.length > 0 && instants.every((values) => values.length === joints.length), 'joints of the robot lack their values');
    hold(!map || (slice(map.bytes) && map.joints.every((id) => within(id, joints)) && map.size[0] * map.size[1] === map.bytes[1]), 'the map of the joints lies outside of the buffer');
  }
  if (!motion) return;
  for (const { part } of [...motion.tracks, ...motion.deformations]) hold(within(part, page.parts), 'what moves is no part');
  for (const { bytes } of motion.deformations) hold(slice(bytes), 'a deformation lies outside of the buffer');
  for (const { a, b } of [...motion.intervals, ...motion.meetings]) hold(within(a, page.parts) && within(b, page.parts), 'what meets is no part');
  for (const { surface_pairs: pairs } of motion.meetings) hold(Array.isArray(pairs), 'a meeting does not tell its surfaces');
  for (const { begin, end, verdict } of motion.intervals) hold(begin <= end && verdicts.includes(verdict), 'an interval has no verdict, or ends before it begins');
  if (motion.playback) hold(slice(motion.playback.poses) && slice(motion.playback.contacts), 'a playback lies outside of the buffer');
}

/** Findings that lack something stay, with what there is of them. */
export function expectReport(report: Report | null): void {
  if (!report) return;
  hold(report.schema === 'snug.check/1' && report.coverage && report.summary && report.options && Array.isArray(report.findings), 'it holds no snug.check/1 document');
  report.findings = completed(report.findings);
}
