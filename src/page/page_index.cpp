#include "page/page_index.hpp"

#include "report/json_document.hpp"

#include <snug/version.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace snug::page {

namespace {

using report::JsonDocument;
constexpr auto k_line = JsonDocument::Layout::line;

std::string hex(const Rgba& color) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", color[0], color[1], color[2]);
  return text;
}

void write_slice(JsonDocument& json, const Slice& slice) { json.list(std::array{slice.offset, slice.length}); }

void write_mesh(JsonDocument& json, const IndexedMesh& coded) {
  const auto surfaces = coded.mesh->surfaces();
  json.begin_object(k_line);
  json.key("bytes");
  write_slice(json, coded.slice);
  if (std::ranges::any_of(surfaces, [](const Surface& s) { return s.color.has_value(); })) {
    json.key("colors").begin_array(k_line);
    for (const Surface& surface : surfaces) surface.color ? json.value(hex(*surface.color)) : json.null();
    json.end_array();
  }
  if (std::ranges::any_of(surfaces, [](const Surface& s) { return s.kind != SurfaceKind::unknown; })) {
    std::string kinds;
    for (const Surface& surface : surfaces) kinds += static_cast<char>('0' + static_cast<int>(surface.kind));
    json.key("kinds").value(kinds);
  }
  if (std::ranges::any_of(surfaces, [](const Surface& s) { return !s.name.empty(); })) {
    json.key("names").begin_array(k_line);
    for (const Surface& surface : surfaces) json.value(surface.name);
    json.end_array();
  }
  json.fields("origin", coded.grid.origin, "step", coded.grid.step, "surfaces", surfaces.size(), "triangles",
              coded.mesh->triangles().size(), "vertices", coded.vertices);
  json.end_object();
}

std::array<double, 7> numbers(const Pose& pose) {
  const Quaternion& q = pose.rotation();
  const Vec3& t = pose.translation();
  return {q.w, q.x, q.y, q.z, t.x, t.y, t.z};
}

void write_part(JsonDocument& json, const Part& part, std::uint32_t mesh) {
  json.begin_object(k_line);
  if (part.color) json.key("color").value(hex(*part.color));
  json.key("mesh").value(mesh);
  json.key("path").value(part.path);
  json.key("pose").list(numbers(part.pose));
  json.end_object();
}

void write_interval(JsonDocument& json, const PageInterval& interval) {
  json.begin_object(k_line);
  json.fields("a", interval.a, "b", interval.b, "begin", interval.begin);
  json.key("depth");
  if (interval.depth)
    json.value(*interval.depth);
  else
    json.null();
  json.fields("end", interval.end, "sampled", interval.sampled, "verdict", to_string(interval.verdict), "what",
              interval.what);
  json.end_object();
}

void write_meeting(JsonDocument& json, const PageMeeting& meeting) {
  json.begin_object(k_line);
  json.fields("a", meeting.a, "b", meeting.b, "firm", meeting.firm);
  json.key("first_contact");
  meeting.first_contact ? json.list(std::array{meeting.first_contact->lower, meeting.first_contact->upper})
                        : json.null();
  json.key("id").value(meeting.id);
  json.key("smallest_gap");
  if (meeting.smallest_gap) {
    json.line("t", meeting.smallest_gap->t, "value", meeting.smallest_gap->value);
  } else {
    json.null();
  }
  json.key("surface_pairs").begin_array(k_line);
  for (const PageMeeting::Surfaces& pair : meeting.surface_pairs) {
    json.line("a", pair.a, "b", pair.b, "begin", pair.begin, "end", pair.end);
  }
  json.end_array();
  json.end_object();
}

void write_motion(JsonDocument& json, const PageMotion& motion, const PageIndex& index) {
  json.begin_object();
  json.key("begin").value(motion.begin);
  json.key("coverage");
  if (motion.coverage) {
    json.line("complete", motion.coverage->complete, "pairs", motion.coverage->pairs, "parts", motion.coverage->parts);
  } else {
    json.null();
  }
  json.key("deformations").begin_array();
  for (const IndexedDeformation& deformation : index.deformations) {
    json.begin_object(k_line);
    json.key("bytes");
    write_slice(json, deformation.slice);
    json.key("part").value(deformation.part);
    json.key("times").list(deformation.times);
    json.end_object();
  }
  json.end_array();
  json.key("end").value(motion.end);
  json.key("intervals").begin_array();
  for (const PageInterval& interval : motion.intervals) write_interval(json, interval);
  json.end_array();
  json.key("meetings").begin_array();
  for (const PageMeeting& meeting : motion.meetings) write_meeting(json, meeting);
  json.end_array();
  json.key("playback");
  if (motion.playback && index.poses && index.contacts) {
    json.begin_object(k_line);
    json.key("contacts");
    write_slice(json, *index.contacts);
    json.key("parts").list(motion.playback->parts);
    json.key("poses");
    write_slice(json, *index.poses);
    json.key("times").list(motion.playback->times);
    json.end_object();
  } else {
    json.null();
  }
  json.key("sampling").value(motion.sampling);
  json.key("tracks").begin_array();
  for (const PageTrack& track : motion.tracks) {
    json.begin_object(k_line);
    json.key("keys").begin_array(k_line);
    for (const PoseKey& key : sampled_keys(track.motion)) {
      const auto pose = numbers(key.pose);
      json.list(std::array{key.t, pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6]});
    }
    json.end_array();
    json.key("part").value(track.part);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_joint(JsonDocument& json, const RobotJoint& joint, const JointSpan* span) {
  json.begin_object(k_line);
  json.fields("axis", joint.axis, "child", joint.child, "kind", to_string(joint.kind), "lower", joint.lower);
  json.key("mimic");
  if (joint.mimic) {
    json.line("joint", joint.mimic->joint, "multiplier", joint.mimic->multiplier, "offset", joint.mimic->offset);
  } else {
    json.null();
  }
  json.key("name").value(joint.name);
  json.key("origin").list(numbers(joint.origin));
  json.key("parent").value(joint.parent);
  json.key("span");
  span != nullptr ? json.list(std::array{span->lower, span->upper}) : json.null();
  json.key("upper").value(joint.upper);
  json.end_object();
}

void write_robot(JsonDocument& json, const PageRobot& page, const PageIndex& index) {
  const Robot& robot = *page.robot;
  json.begin_object();
  json.key("instants").begin_array();
  for (const std::vector<double>& values : page.instants) json.list(values);
  json.end_array();
  json.key("joints").begin_array();
  for (std::uint32_t id = 0; id < robot.joints.size(); ++id) {
    const auto span = std::ranges::find(page.spans, id, &JointSpan::joint);
    write_joint(json, robot.joints[id], span == page.spans.end() ? nullptr : &*span);
  }
  json.end_array();
  json.key("links").begin_array();
  for (std::size_t id = 0; id < robot.links.size(); ++id) {
    json.begin_object(k_line);
    json.key("name").value(robot.links[id].name);
    json.key("part");
    page.part_of_link[id] ? json.value(*page.part_of_link[id]) : json.null();
    json.end_object();
  }
  json.end_array();
  json.key("map");
  if (index.joint_map) {
    json.begin_object(k_line);
    json.key("bytes");
    write_slice(json, index.joint_map->slice);
    json.key("joints").begin_array(k_line);
    for (const JointSpan& span : page.spans) json.value(span.joint);
    json.end_array();
    json.key("size").list(index.joint_map->size);
    json.end_object();
  } else {
    json.null();
  }
  json.key("order").list(robot.order);
  json.key("pairs").begin_array();
  for (const PageRobot::Pair& pair : page.pairs) {
    json.begin_object(k_line);
    json.fields("a", pair.a, "b", pair.b, "colliding", pair.shares.colliding, "free", pair.shares.free);
    json.key("instant");
    pair.instant ? json.value(*pair.instant) : json.null();
    json.key("undecided").value(pair.shares.undecided);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::string page_json(const PageInput& input, const PageIndex& index) {
  JsonDocument json;
  json.begin_object();
  json.key("bytes").value(index.bytes);
  json.key("curves").begin_array();
  for (const IndexedCurves& curves : index.curves) {
    json.begin_object(k_line);
    json.key("bytes");
    write_slice(json, curves.slice);
    json.fields("crossing", curves.crossing, "finding", curves.finding, "origin", curves.grid.origin, "segments",
                curves.segments, "step", curves.grid.step);
    json.end_object();
  }
  json.end_array();
  json.key("gaps").begin_array();
  for (const auto& [finding, witness] : index.witnesses) {
    json.line("a", witness.on_a, "b", witness.on_b, "finding", finding);
  }
  json.end_array();
  json.key("meshes").begin_array();
  for (const IndexedMesh& mesh : index.meshes) write_mesh(json, mesh);
  json.end_array();
  json.key("motion");
  input.motion ? write_motion(json, *input.motion, index) : json.null();
  json.key("parts").begin_array();
  for (std::size_t id = 0; id < index.mesh_of_part.size(); ++id)
    write_part(json, input.assembly.parts()[id], index.mesh_of_part[id]);
  json.end_array();
  json.key("remarks").list(input.remarks);
  json.key("robot");
  input.robot&& input.robot->robot != nullptr ? write_robot(json, *input.robot, index) : json.null();
  json.fields("schema", "snug.page/1", "title", input.title, "units", to_string(input.assembly.units()), "version",
              version());
  json.end_object();
  return json.finish();
}

}  // namespace snug::page
