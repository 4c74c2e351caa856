#include "assembly/pair_driver.hpp"
#include "assembly/path/path_part.hpp"
#include "assembly/verdict/assess.hpp"
#include "ccd/path_limits.hpp"
#include "mesh/mesh_data.hpp"
#include "support/parallel.hpp"

#include <snug/path.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>

namespace snug {

namespace {

using namespace assembly;

constexpr double k_resolution = 0x1p-30;  ///< of the largest coordinate

/// The range and the tolerance to use, or what is wrong with the options.
Result<PathTask, PathError> task_of(const PathOptions& options, std::span<const Motion* const> motions) {
  using Code = PathError::Code;
  if (!valid(options.tolerances)) return Failure{PathError{Code::bad_length}};
  if (!(options.time_tolerance >= 0) || !std::isfinite(options.time_tolerance))
    return Failure{PathError{Code::bad_tolerance}};
  const auto range = path_range(options.range, motions);
  if (!range) return Failure{range.error()};
  PathTask task{options, *range, 0, 0};
  // Below this, times are no longer told apart.
  const double finest =
      0x1p-44 * std::max(task.range.length(), std::max(std::abs(task.range.begin), std::abs(task.range.end)));
  task.time_tolerance =
      std::max(finest, options.time_tolerance > 0 ? options.time_tolerance : 1e-6 * task.range.length());
  return task;
}

std::set<std::uint32_t> surfaces_of(const PathPairReport& report, bool first) {
  std::set<std::uint32_t> surfaces;
  for (const SurfaceMeeting& pair : report.surface_pairs) surfaces.insert(first ? pair.a : pair.b);
  if (report.smallest_gap) surfaces.insert(first ? report.smallest_gap->surface_a : report.smallest_gap->surface_b);
  return surfaces;
}

}  // namespace

Motion placed(const Pose& pose, const Motion& relative) { return relative.placed_by(pose); }

Result<PathPairReport, PathError> check_path(const Shape& a, const Motion& motion_a, const Shape& b,
                                             const Motion& motion_b, const PathOptions& options) {
  if (!shape::are_meshes(a, b)) return Failure{PathError{PathError::Code::not_a_mesh}};
  auto task = task_of(options, std::array{&motion_a, &motion_b});
  if (!task) return Failure{task.error()};
  const double farthest = std::max(path_farthest(a.mesh(), motion_a), path_farthest(b.mesh(), motion_b));
  if (!std::isfinite(farthest)) return Failure{PathError{PathError::Code::bad_coordinate}};
  task->resolution = k_resolution * farthest;
  const double overlap = task->overlap();
  if (options.progress) options.progress(0);
  std::optional<PathPairReport> report;
  try {
    const PathPart part_a(a, motion_a, task->range, overlap, options.budget.cancel);
    const PathPart part_b(b, motion_b, task->range, overlap, options.budget.cancel);
    report = judge_pair(part_a, part_b, *task);
  } catch (const LoopCancelled&) {
    // Nothing is known of the pair.
  }
  if (report) {
    if (options.progress) options.progress(1);
    return std::move(*report);
  }
  PathPairReport cancelled;
  cancelled.verdict = Verdict::undecided;
  cancelled.reason = "cancelled";
  cancelled.undecided = {task->range};
  cancelled.complete = false;
  return cancelled;
}

Result<PathReport, PathError> check_path(const Assembly& assembly, std::span<const Motion> motions,
                                         const PathOptions& options) {
  const std::span<const Part> parts = assembly.parts();
  if (motions.size() != parts.size()) return Failure{PathError{PathError::Code::motion_count}};
  std::vector<const Motion*> all;
  for (const Motion& motion : motions) all.push_back(&motion);
  auto task = task_of(options, all);
  if (!task) return Failure{task.error()};
  double farthest = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].mesh.triangles().empty()) farthest = std::max(farthest, path_farthest(parts[i].mesh, motions[i]));
  if (!std::isfinite(farthest)) return Failure{PathError{PathError::Code::bad_coordinate}};
  task->resolution = k_resolution * farthest;
  const Tolerances& tolerances = task->options.tolerances = in_force(options.tolerances, assembly);
  const double overlap = task->overlap();

  const OrderedParts ordered(assembly, options.budget.cancel);
  std::vector<std::unique_ptr<PathPart>> bodies;
  std::vector<Aabb> boxes;
  PathReport result;
  const double margin = (0.5 * std::max(tolerances.clearance, tolerances.touch_gap) + task->resolution) * (1 + 0x1p-40);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    bodies.push_back(std::make_unique<PathPart>(ordered.shape(i), motions[ordered.id(i)], task->range, overlap,
                                                options.budget.cancel));
    const Aabb box = bodies.back()->trajectory().swept(ordered.part(i).mesh.bounds());
    boxes.push_back({box.lo - Vec3{margin, margin, margin}, box.hi + Vec3{margin, margin, margin}});
    if (!bodies.back()->trajectory().rests()) ++result.coverage.parts_moving;
  }
  auto candidates = overlapping_boxes(boxes);
  if (options.all_gaps) {
    candidates.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      for (std::uint32_t k = i + 1; k < bodies.size(); ++k) candidates.emplace_back(i, k);
  }

  const Watch watch{.cancel = options.budget.cancel, .progress = options.progress};
  auto reports = judge_pairs(candidates, options.threads, watch, [&](const PartPair& pair) {
    return judge_pair(*bodies[pair.first], *bodies[pair.second], *task);
  });

  PathCoverage& coverage = result.coverage;
  // Of parts that were not prepared any more it is not known which others they come near to.
  coverage.pairs_unfinished = pairs_of(parts.size() - ordered.skipped().size()) - pairs_of(bodies.size());
  FindingsOfPairs findings(assembly, ordered, result);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!reports[i]) {
      ++coverage.pairs_unfinished;
      continue;
    }
    PathPairReport& report = *reports[i];
    ++coverage.pairs_tested;
    if (report.at_rest) ++coverage.pairs_at_rest;
    if (!report.complete) ++coverage.pairs_cut_short;
    if (!report.undecided.empty()) ++coverage.undecided;
    if (!report.firm) ++coverage.not_firm;
    if (report.verdict == Verdict::clear) {
      if (report.smallest_gap)
        result.gaps.push_back(
            {ordered.id(candidates[i].first), ordered.id(candidates[i].second), *report.smallest_gap});
      continue;
    }
    const auto surfaces_a = surfaces_of(report, true), surfaces_b = surfaces_of(report, false);
    findings.add(candidates[i], std::move(report), surfaces_a, surfaces_b);
  }

  result.range = task->range;
  result.time_tolerance = task->time_tolerance;
  result.resolution = task->resolution;
  result.cancelled = coverage.pairs_unfinished > 0;
  findings.finish();
  coverage.complete = coverage.complete && coverage.undecided == 0 && coverage.pairs_cut_short == 0;
  return result;
}

}  // namespace snug
