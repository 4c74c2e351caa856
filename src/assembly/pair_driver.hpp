#pragma once

#include "assembly/durable_id.hpp"
#include "shape/shape_data.hpp"
#include "support/rooms.hpp"
#include "support/watched.hpp"

#include <snug/assembly.hpp>
#include <snug/check.hpp>
#include <snug/progress.hpp>
#include <snug/shape.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

// What check(), check_path() and check_joints() share: parts in the order of their paths, candidate pairs, the loop over them, and
// findings with durable ids in order of gravity.

namespace snug::assembly {

/// Pairs of n things.
[[nodiscard]] constexpr std::uint64_t pairs_of(std::uint64_t n) noexcept { return n == 0 ? 0 : n * (n - 1) / 2; }

/// The parts of an assembly that have triangles, by their paths, so that the order of the input does not show, each with the shape it
/// shares with all parts of the same mesh.
class OrderedParts {
 public:
  /// Ends early once `cancel` is: then it has the first of the parts only.
  OrderedParts(const Assembly& assembly, const CancelToken* cancel);

  /// How many there are, of those that were not cancelled.
  [[nodiscard]] std::size_t size() const noexcept { return shapes_.size(); }
  /// Where the i-th is in Assembly::parts().
  [[nodiscard]] std::uint32_t id(std::size_t i) const noexcept { return ids_[i]; }
  [[nodiscard]] const Part& part(std::size_t i) const noexcept { return parts_[ids_[i]]; }
  [[nodiscard]] const Shape& shape(std::size_t i) const noexcept { return shapes_[i]; }
  /// Paths of the parts without triangles, in order.
  [[nodiscard]] const std::vector<std::string>& skipped() const noexcept { return skipped_; }

 private:
  std::span<const Part> parts_;
  std::vector<std::uint32_t> ids_;
  std::vector<Shape> shapes_;
  std::vector<std::string> skipped_;
};

using PartPair = std::pair<std::uint32_t, std::uint32_t>;

/// All pairs (i, j), i < j, of boxes that share a point, ordered. Empty boxes share none.
[[nodiscard]] std::vector<PartPair> overlapping_boxes(std::span<const Aabb> boxes);

/// The report of `judge` on each pair, in their order; none on those that were cancelled. `judge` returns an optional report, or throws
/// LoopCancelled. `threads` is a number, or a Team.
template <class Pair, class Threads, class Judge>
[[nodiscard]] auto judge_pairs(const std::vector<Pair>& pairs, Threads&& threads, const Watch& watch,
                               const Judge& judge) {
  std::vector<decltype(judge(pairs[0]))> reports(pairs.size());
  (void)for_each_chunk_watched(pairs.size(), threads, watch, [&](std::size_t i) {
    try {
      reports[i] = judge(pairs[i]);
    } catch (const LoopCancelled&) {
      // Nothing is known of the pair, as of those that come after it.
    }
  });
  return reports;
}

/// The gravest first; among equals, findings keep their order, which is that of names.
template <class Finding>
void sort_by_gravity(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, std::ranges::greater{}, &Finding::verdict);
}

/// Makes findings of the reports on pairs of parts, and counts what was looked at. `Result` is a CheckReport or a PathReport.
template <class Result>
class FindingsOfPairs {
 public:
  FindingsOfPairs(const Assembly& assembly, const OrderedParts& parts, Result& result)
      : parts_(parts), names_(assembly), result_(result) {
    auto& coverage = result.coverage;
    coverage.parts = assembly.parts().size();
    coverage.pairs_possible = pairs_of(coverage.parts);
    coverage.parts_skipped = parts.skipped();
    coverage.losses.assign(assembly.losses().begin(), assembly.losses().end());
  }

  /// To be called pair by pair in their order. `surfaces_a` and `surfaces_b` take part.
  template <class Report>
  void add(const PartPair& pair, Report report, const std::set<std::uint32_t>& surfaces_a,
           const std::set<std::uint32_t>& surfaces_b) {
    const std::uint32_t a = parts_.id(pair.first), b = parts_.id(pair.second);
    ++result_.count[static_cast<std::size_t>(report.verdict)];
    result_.findings.push_back(
        {std::move(report), names_.id(a, b), side(pair.first, surfaces_a), side(pair.second, surfaces_b)});
  }
  /// To be called at the end, when it is known whether the call was cancelled.
  void finish() {
    sort_by_gravity(result_.findings);
    auto& coverage = result_.coverage;
    coverage.complete =
        !result_.cancelled && coverage.pairs_possible > 0 && coverage.losses.empty() && coverage.parts_skipped.empty();
  }

 private:
  [[nodiscard]] FindingSide side(std::uint32_t part, const std::set<std::uint32_t>& surfaces) const {
    return {parts_.part(part).path, parts_.id(part), {surfaces.begin(), surfaces.end()}};
  }

  const OrderedParts& parts_;
  DurableNames names_;
  Result& result_;
};

}  // namespace snug::assembly
