#include "report/json_document.hpp"
#include "report/json_parts.hpp"
#include "report/text.hpp"
#include "support/text.hpp"

#include <snug/report.hpp>

#include <array>

namespace snug {

std::string chip_json(const ChipReport& report, const ChipSource& source) {
  using report::k_line;
  report::JsonDocument json;
  json.begin_object();
  json.fields("axis_tests", report.axis_tests, "bursts", report.bursts, "cancelled", report.cancelled, "candidates",
              report.candidates, "clock_hz", report.clock_hz, "config", report.configuration, "cycles", report.cycles,
              "dop_tests", report.dop_tests);
  json.key("fell_back");
  report.fell_back.empty() ? json.null() : json.value(report.fell_back);
  json.key("ignored_tests").value(report.ignored_tests);
  json.key("inputs");
  report::write_inputs(json, source.inputs);
  json.key("losses");
  report::write_problems(json, source.losses);
  json.key("memory").line("refreshes", report.refreshes, "row_misses", report.row_misses);
  json.key("most_waiting").value(report.most_waiting);
  json.key("options").begin_object();
  json.key("axes").value(report.axes);
  json.key("most_axes").value(report.most_axes);
  json.key("poses").begin_array();
  for (const bool of_b : {false, true}) {
    const Pose& pose = of_b ? source.pose_b : source.pose_a;
    const Quaternion& q = pose.rotation();
    json.begin_object(k_line);
    json.key("part").value(of_b ? source.part_b : source.part_a);
    json.key("position").value(pose.translation());
    json.key("rotation").list(std::array{q.w, q.x, q.y, q.z});
    json.end_object();
  }
  json.end_array();
  json.key("queue").value(report.queue);
  json.key("stack").value(report.stack_depth);
  json.end_object();
  json.key("pairs").begin_array();
  for (const TrianglePair& pair : report.pairs) {
    json.begin_array(k_line);
    json.value(pair.a);
    json.value(pair.b);
    json.end_array();
  }
  json.end_array();
  json.key("parts").begin_array(k_line);
  json.value(source.part_a);
  json.value(source.part_b);
  json.end_array();
  json.key("run");
  report::write_run(json, source.run);
  json.key("schema").value("snug.chip/1");
  json.key("seconds").value(report.seconds());
  json.key("stalls").line("memory", report.stalls.memory, "pipe", report.stalls.pipe, "result", report.stalls.result,
                          "triangle", report.stalls.triangle);
  json.key("triangle_tests").value(report.triangle_tests);
  json.end_object();
  return json.finish();
}

std::string chip_text(const ChipReport& report, const ChipSource& source) {
  const auto line = [](const char* what, std::uint64_t count) {
    std::string text = "  ";
    text += what;
    text.append(text.size() < 34 ? 34 - text.size() : 1, ' ');
    return text + std::to_string(count) + '\n';
  };
  std::string text =
      source.part_a + " / " + source.part_b + " on the chip, configuration " + report.configuration + '\n';
  if (report.cancelled) text += "  stopped before the end: there may be further pairs\n";
  if (!report.fell_back.empty()) text += "  the processor answered instead: " + report.fell_back + '\n';
  text += "  " + support::counted(report.axes, "axis", "axes");
  if (report.most_axes > report.axes) text += ", up to " + std::to_string(report.most_axes) + " while loading";
  text += std::string("; a ") + (report.queue ? "queue" : "stack") + " of " +
          support::counted(report.stack_depth, "entry", "entries") + '\n';
  text += line("clocks at 100 MHz", report.cycles);
  text += line("pairs of nodes", report.dop_tests);
  text += line("axes tried on them", report.axis_tests);
  text += line("of those too late to count", report.ignored_tests);
  text += line("bursts of 64 bytes", report.bursts);
  text += line("rows opened", report.row_misses);
  text += line("pairs of leaves that were left", report.triangle_tests);
  text += line("candidates", report.candidates);
  text += line("pairs of triangles that meet", report.pairs.size());
  text += line("entries of the stack, at most", report.most_waiting);
  text += "  clocks without a test:\n";
  text += line("  loading the next pair", report.stalls.memory);
  text += line("  waiting for results", report.stalls.result);
  for (const Problem& loss : source.losses)
    text += "LOST  " + report::printable(loss.part.empty() ? loss.text : loss.part + ": " + loss.text) + '\n';
  return text;
}

}  // namespace snug
