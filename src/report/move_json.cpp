#include "report/json_document.hpp"
#include "report/json_parts.hpp"
#include "support/trig.hpp"

#include <snug/move_report.hpp>

#include <cmath>

namespace snug {

namespace {

using report::JsonDocument;
using report::k_line;
using report::write_side;

void write_spans(JsonDocument& json, std::span<const TimeSpan> spans) {
  json.begin_array(k_line);
  for (const TimeSpan& span : spans) json.list(std::array{span.begin, span.end});
  json.end_array();
}

void write_travel(JsonDocument& json, const PathTravel& travel) {
  json.begin_object(k_line);
  for (const auto& [name, of] : {std::pair{"a", travel.a}, {"b", travel.b}}) {
    json.key(name).begin_object(k_line);
    json.key("degrees").value(of.radians * (180 / support::k_pi));
    json.key("length").value(of.length);
    json.end_object();
  }
  json.end_object();
}

void write_travels(JsonDocument& json, const std::vector<SpanTravel>& travels) {
  json.begin_array();
  for (const SpanTravel& travel : travels) {
    json.begin_object(k_line);
    json.key("begin");
    write_travel(json, travel.begin);
    json.key("end");
    write_travel(json, travel.end);
    json.end_object();
  }
  json.end_array();
}

void write_depths(JsonDocument& json, const std::vector<std::optional<PathDepth>>& depths) {
  json.begin_array();
  for (const auto& depth : depths) {
    if (!depth) {
      json.null();
      continue;
    }
    json.line("lower", depth->lower, "t", depth->t, "upper", depth->upper);
  }
  json.end_array();
}

void write_contact(JsonDocument& json, const std::optional<ContactTime>& contact,
                   const std::optional<PathTravel>& travel) {
  if (!contact) return json.null();
  json.begin_object(k_line);
  json.key("t_hi").value(contact->t_hi);
  json.key("t_lo").value(contact->t_lo);
  if (travel) {
    json.key("travel");
    write_travel(json, *travel);
  }
  json.end_object();
}

void write_gap(JsonDocument& json, const std::optional<SmallestGap>& gap) {
  if (!gap) return json.null();
  json.line("lower", gap->lower, "on_a", gap->on_a, "on_b", gap->on_b, "surface_a", gap->surface_a, "surface_b",
            gap->surface_b, "t", gap->t, "value", gap->value);
}

void write_finding(JsonDocument& json, const PathFinding& finding, const Assembly& assembly) {
  json.begin_object();
  json.key("a");
  write_side(json, finding.a, assembly);
  json.key("at_rest").value(finding.at_rest);
  json.key("b");
  write_side(json, finding.b, assembly);
  json.key("depths");
  write_depths(json, finding.depths);
  json.key("firm").value(finding.firm);
  json.key("first_clash");
  write_contact(json, finding.first_clash, finding.first_clash_travel);
  json.key("first_contact");
  write_contact(json, finding.first_contact, finding.first_contact_travel);
  json.key("id").value(finding.id);
  json.key("interval_travel");
  write_travels(json, finding.interval_travel);
  json.key("intervals");
  write_spans(json, finding.intervals);
  json.key("point").value(finding.point);
  json.key("reason");
  finding.reason.empty() ? json.null() : json.value(finding.reason);
  json.fields("resolution", finding.resolution, "sag", finding.sag, "shown_at", finding.shown_at);
  json.key("smallest_gap");
  write_gap(json, finding.smallest_gap);
  json.key("surface_pairs").begin_array();
  for (const SurfaceMeeting& meeting : finding.surface_pairs) {
    json.begin_object(k_line);
    json.key("a").value(meeting.a);
    json.key("b").value(meeting.b);
    json.key("intervals");
    write_spans(json, meeting.intervals);
    json.key("touch_intervals");
    write_spans(json, meeting.touch_intervals);
    json.end_object();
  }
  json.end_array();
  json.key("touch_gap").value(finding.gap);
  json.key("touch_intervals");
  write_spans(json, finding.touch_intervals);
  json.key("touch_overlap").value(finding.overlap);
  json.key("touch_travel");
  write_travels(json, finding.touch_travel);
  json.key("undecided");
  write_spans(json, finding.undecided);
  json.key("verdict").value(to_string(finding.verdict));
  json.end_object();
}

void write_options(JsonDocument& json, const Assembly& assembly, const PathOptions& options, const PathReport& report,
                   const MoveSource& source) {
  json.begin_object();
  json.key("all_gaps").value(options.all_gaps);
  json.key("budget").value(options.budget.steps);
  json.key("cad");
  report::write_cad(json, source.cad);
  json.key("clearance").value(options.tolerances.clearance);
  json.key("moving_only").value(source.moving_only);
  json.key("steps").list(source.steps);
  json.fields("tolerance", report.time_tolerance, "touch_gap", options.tolerances.touch_gap, "touch_overlap",
              touch_overlap_of(options.tolerances, assembly));
  json.end_object();
}

}  // namespace

std::string move_json(const Assembly& assembly, const PathOptions& options, const PathReport& report,
                      const MoveSource& source) {
  JsonDocument json;
  json.begin_object();
  json.key("cancelled").value(report.cancelled);
  json.key("coverage");
  report::write_coverage(json, report.coverage, &report.coverage);
  json.key("findings").begin_array();
  for (const PathFinding& finding : report.findings) write_finding(json, finding, assembly);
  json.end_array();
  json.key("gaps").begin_array();
  for (const PathGap& gap : report.gaps) {
    json.begin_object(k_line);
    json.key("a").value(assembly.parts()[gap.a].path);
    json.key("b").value(assembly.parts()[gap.b].path);
    json.key("gap");
    write_gap(json, gap.gap);
    json.end_object();
  }
  json.end_array();
  json.key("inputs");
  report::write_inputs(json, source.inputs);
  json.key("motion");
  if (source.motion) {
    json.begin_object(k_line);
    json.key("parts").list(source.moving);
    json.key("path").value(source.motion->path);
    json.key("sha256").value(source.motion->sha256);
    json.end_object();
  } else {
    json.null();
  }
  json.key("options");
  write_options(json, assembly, options, report, source);
  json.key("problems");
  report::write_problems(json, assembly.problems());
  json.key("range").list(std::array{report.range.begin, report.range.end});
  json.key("resolution").value(report.resolution);
  json.key("run");
  report::write_run(json, source.run);
  json.key("schema").value("snug.move/1");
  json.key("summary");
  report::write_summary(json, report, report::k_by_words);
  json.key("undecided").begin_array();
  for (const PathFinding& finding : report.findings) {
    if (finding.undecided.empty()) continue;
    json.begin_object(k_line);
    json.fields("a", finding.a.part, "b", finding.b.part, "id", finding.id);
    json.key("intervals");
    write_spans(json, finding.undecided);
    json.key("reason").value(finding.reason);
    json.end_object();
  }
  json.end_array();
  json.key("units").value(to_string(assembly.units()));
  json.end_object();
  return json.finish();
}

}  // namespace snug
