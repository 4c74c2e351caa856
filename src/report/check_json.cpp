#include "report/json_document.hpp"
#include "report/json_parts.hpp"

#include <snug/report.hpp>

#include <cmath>

namespace snug {

namespace {

using report::JsonDocument;
using report::k_line;
using report::write_side;

bool finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// A translation that separates two parts, and which of them it moves.
void write_separation(JsonDocument& json, const Vec3& escape, double length, const std::string& part) {
  json.key("separation").line("length", length, "part", part, "vector", escape);
}

void write_depth(JsonDocument& json, const std::optional<Depth>& depth, const std::string& part) {
  // Beyond the range of doubles there is nothing to say.
  if (!depth || !std::isfinite(depth->upper) || !finite(depth->centre) || !finite(depth->escape)) return json.null();
  json.begin_object(k_line);
  json.fields("centre", depth->centre, "escape", depth->escape, "lower", depth->lower);
  write_separation(json, depth->escape, depth->upper, part);
  json.key("thickness").line("lower", depth->lower, "upper", depth->thickness_bound);
  json.key("upper").value(depth->upper);
  json.end_object();
}

void write_crossing(JsonDocument& json, const std::optional<Crossing>& crossing, const std::string& part) {
  if (!crossing || !std::isfinite(crossing->length) || !std::isfinite(crossing->depth) || !finite(crossing->escape))
    return json.null();
  json.begin_object(k_line);
  json.key("depth").value(crossing->depth);
  json.key("length").value(crossing->length);
  write_separation(json, crossing->escape, crossing->depth, part);
  json.end_object();
}

void write_volume(JsonDocument& json, const std::optional<OverlapVolume>& volume) {
  if (!volume || !std::isfinite(volume->value) || !std::isfinite(volume->error)) return json.null();
  json.line("error", volume->error, "value", volume->value);
}

void write_patch(JsonDocument& json, const ContactPatch& patch) {
  json.begin_object();
  json.fields("a", patch.surface_a, "area", patch.area, "b", patch.surface_b);
  json.key("loops").begin_array();
  for (const auto& loop : patch.loops) json.list(loop);
  json.end_array();
  json.key("normal").value(patch.normal);
  json.end_object();
}

template <class Pairs, class Project>
void write_pairs(JsonDocument& json, const Pairs& pairs, Project project) {
  json.begin_array(k_line);
  for (const auto& pair : pairs) json.list(project(pair));
  json.end_array();
}

void write_mating(JsonDocument& json, const SurfaceMating& mating) {
  json.line("a", mating.surface_a, "angle", mating.angle, "b", mating.surface_b, "fit", mating.fit, "offset",
            mating.offset, "radius_difference", mating.radius_difference, "relation", to_string(mating.mating));
}

void write_finding(JsonDocument& json, const Finding& finding, const Assembly& assembly, bool with_triangles) {
  json.begin_object();
  json.key("a");
  write_side(json, finding.a, assembly);
  json.key("b");
  write_side(json, finding.b, assembly);
  json.key("crossing");
  write_crossing(json, finding.crossing, finding.b.part);
  json.key("crossing_pairs").value(finding.crossing_pairs);
  json.key("depth");
  write_depth(json, finding.depth, finding.b.part);
  json.fields("duplicate", finding.duplicate, "firm", finding.firm, "gap", finding.gap, "id", finding.id);
  json.key("in_doubt").begin_array();
  for (const SurfacesInDoubt& doubt : finding.in_doubt) {
    json.line("a", doubt.surface_a, "b", doubt.surface_b, "meet_exactly", doubt.meet_exactly);
  }
  json.end_array();
  json.key("patches").begin_array();
  for (const ContactPatch& patch : finding.patches) write_patch(json, patch);
  json.end_array();
  json.key("point").value(finding.point);
  json.key("reason");
  finding.reason.empty() ? json.null() : json.value(finding.reason);
  json.key("relations").begin_array();
  for (const SurfaceMating& mating : finding.matings) write_mating(json, mating);
  json.end_array();
  json.fields("resolution", finding.resolution, "sag", finding.sag, "sag_estimated", finding.sag_estimated);
  json.key("shells_inside").begin_object(k_line);
  json.key("a").list(finding.shells_of_a_inside);
  json.key("b").list(finding.shells_of_b_inside);
  json.end_object();
  json.key("surface_pairs");
  write_pairs(json, finding.surface_pairs, [](const auto& pair) { return pair; });
  json.key("triangle_pairs").value(finding.triangle_pairs);
  if (with_triangles) {
    json.key("triangles");
    write_pairs(json, finding.triangles, [](const TrianglePair& pair) { return std::array{pair.a, pair.b}; });
  }
  json.key("verdict").value(to_string(finding.verdict));
  json.key("volume");
  write_volume(json, finding.volume);
  json.end_object();
}

void write_options(JsonDocument& json, const CheckOptions& options, const Assembly& assembly,
                   const ReportSource& source) {
  json.begin_object();
  json.key("cad");
  report::write_cad(json, source.cad);
  json.fields("clearance", options.tolerances.clearance, "device", to_string(options.device), "method",
              to_string(options.method), "pairs", options.keep_triangles ? "triangles" : "surfaces");
  json.key("poses").begin_array();
  for (const std::string& path : source.placed) {
    const auto id = assembly.find(path);
    if (!id) continue;
    const Pose& pose = assembly.parts()[*id].pose;
    const Quaternion& q = pose.rotation();
    json.begin_object(k_line);
    json.key("part").value(path);
    json.key("position").value(pose.translation());
    json.key("rotation").list(std::array{q.w, q.x, q.y, q.z});
    json.end_object();
  }
  json.end_array();
  json.key("sort");
  source.sort ? json.value(to_string(*source.sort)) : json.null();
  json.key("touch_gap").value(options.tolerances.touch_gap);
  json.key("touch_overlap").value(touch_overlap_of(options.tolerances, assembly));
  json.end_object();
}

}  // namespace

std::string check_json(const Assembly& assembly, const CheckOptions& options, const CheckReport& report,
                       const ReportSource& source) {
  JsonDocument json;
  json.begin_object();
  json.key("cancelled").value(report.cancelled);
  json.key("coverage");
  report::write_coverage(json, report.coverage);
  json.key("findings").begin_array();
  for (const Finding& finding : report.findings) write_finding(json, finding, assembly, options.keep_triangles);
  json.end_array();
  json.key("inputs");
  report::write_inputs(json, source.inputs);
  json.key("options");
  write_options(json, options, assembly, source);
  json.key("problems");
  report::write_problems(json, assembly.problems());
  json.key("resolution").value(report.resolution);
  json.key("run");
  report::write_run(json, source.run);
  json.key("schema").value("snug.check/1");
  json.key("summary");
  report::write_summary(json, report, report::k_by_words);
  json.key("units").value(to_string(assembly.units()));
  json.end_object();
  return json.finish();
}

}  // namespace snug
