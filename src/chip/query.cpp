#include <snug/chip.hpp>

#include "chip/walk.hpp"
#include "shape/trees.hpp"

#include <algorithm>

namespace snug {

std::string ChipError::message() const {
  std::string known;
  for (const std::string_view name : chip_configurations()) (known += known.empty() ? "" : ", ") += name;
  return "the chip has no configuration '" + configuration + "', only " + known;
}

std::vector<std::string_view> chip_configurations() {
  std::vector<std::string_view> names;
  for (const chip::Configuration& configuration : chip::configurations()) names.push_back(configuration.name);
  return names;
}

Result<ChipReport, ChipError> chip_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         Scratch& scratch, const ChipOptions& options) {
  const chip::Configuration* configuration = chip::find_configuration(options.configuration);
  if (configuration == nullptr) return Failure{ChipError{std::string(options.configuration)}};
  const unsigned axes = options.axes == 0 ? configuration->axes : options.axes;
  ChipReport report;
  report.configuration = configuration->name;
  report.axes = std::clamp(axes, 1U, chip::k_most_chip_axes);
  report.most_axes = options.go_on ? std::clamp(options.most_axes, report.axes, chip::k_most_chip_axes) : report.axes;
  report.stack_depth = std::max(options.stack_depth, 1U), report.queue = options.queue;
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) {
    report.fell_back = shape::are_meshes(a, b) ? "a pose is not valid" : "a body is a primitive";
    report.pairs.assign(1, TrianglePair::refusal());
    return report;
  }
  // Trees are built when first asked for, which takes a while: between them, too, somebody may have had enough.
  const Watch watch{.cancel = options.cancel};
  const Shape* const shapes[] = {&a, &b};
  for (const Shape* shape : shapes) {
    if (watch.cancelled()) break;
    (void)detail::Access::data(*shape).get<bvh::DopTree>();
  }
  report.cancelled = watch.cancelled();
  if (report.cancelled) return report;
  const query::DopPair bodies{a.mesh(),
                              detail::Access::data(a).get<bvh::DopTree>(),
                              pose_a,
                              b.mesh(),
                              detail::Access::data(b).get<bvh::DopTree>(),
                              pose_b,
                              query::kernels_for(Instructions::best)};
  const chip::Structure structure{.stack_depth = std::max(options.stack_depth, 1U), .queue = options.queue};
  const chip::ChipAnswer answer = chip::ask_chip(
      bodies, {*configuration, structure, {.axes = axes, .most_axes = options.most_axes, .go_on = options.go_on}},
      watch);

  const chip::Counters& c = answer.run.counters;
  report.cycles = c.clocks;
  report.dop_tests = c.dop_tests, report.axis_tests = c.axis_tests, report.ignored_tests = c.ignored;
  report.triangle_tests = c.triangle_tests, report.candidates = c.hits, report.bursts = c.bursts;
  report.row_misses = answer.row_misses, report.refreshes = answer.refreshes, report.most_waiting = c.most_waiting;
  report.stalls = {c.waits_memory, c.waits_result, c.waits_pipe, c.waits_triangle};
  report.fell_back = answer.fell_back;
  report.cancelled = answer.run.cancelled;
  if (report.fell_back.empty())
    report.pairs = chip::confirmed(answer.run.hits, a.mesh(), pose_a, b.mesh(), pose_b);
  else
    report.pairs = triangle_pairs(a, pose_a, b, pose_b, scratch);
  return report;
}

}  // namespace snug
