#include "assembly/pair_driver.hpp"
#include "assembly/verdict/assess.hpp"
#include "mesh/mesh_data.hpp"
#include "shape/posed_bounds.hpp"
#include "shape/shape_data.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <snug/check.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>

namespace snug {

namespace {

using namespace assembly;

/// A posed body for each part that has a neighbour, built when first needed, by whichever thread comes first.
class Bodies {
 public:
  Bodies(const OrderedParts& parts, const CancelToken* cancel)
      : parts_(parts), cancel_(cancel), bodies_(parts.size()) {}

  /// Throws LoopCancelled if cancelled while it is built.
  [[nodiscard]] const PosedSolid& body(std::uint32_t i) {
    Slot& slot = bodies_[i];
    std::call_once(slot.once,
                   [&] { slot.solid = std::make_unique<PosedSolid>(parts_.shape(i), parts_.part(i).pose, cancel_); });
    return *slot.solid;
  }

 private:
  struct Slot {
    std::once_flag once;
    std::unique_ptr<PosedSolid> solid;
  };
  const OrderedParts& parts_;
  const CancelToken* cancel_;
  std::vector<Slot> bodies_;
};

/// What a part reaches: its box, grown by half of what two parts may be apart and still be worth a look, and by what its faces may be
/// outside of their triangles.
class Reach {
 public:
  Reach(const Part& part, const Shape& shape, double half_band) : part_(part) {
    // Rounding of the margin itself is covered by a share of the coordinates.
    const double margin =
        half_band + posing_error(part.mesh.bounds(), part.pose) + Access::data(shape).get<FaceSag>().largest();
    const double widest = margin * (1 + 0x1p-40);
    margin_ = {widest, widest, widest};
  }

  /// Around the posed box of the mesh: needs no look at a vertex, and holds exact().
  [[nodiscard]] Aabb coarse() const { return grown(shape::posed_bounds(part_.mesh.bounds(), part_.pose)); }
  /// Around the posed vertices.
  [[nodiscard]] Aabb exact() const { return grown(shape::exact_bounds(part_.mesh, part_.pose)); }

 private:
  [[nodiscard]] Aabb grown(const Aabb& box) const { return {box.lo - margin_, box.hi + margin_}; }

  const Part& part_;
  Vec3 margin_;
};

/// Pairs of parts that reach each other. Most parts of a large assembly are nowhere near another one even by their coarse boxes.
class Candidates {
 public:
  Candidates(const OrderedParts& parts, double half_band, const CancelToken* cancel) {
    const auto cancelled = [&] { return cancel != nullptr && cancel->cancelled(); };
    const auto reach = [&](std::uint32_t i) { return Reach(parts.part(i), parts.shape(i), half_band); };
    std::vector<Aabb> boxes;
    boxes.reserve(parts.size());
    for (std::uint32_t i = 0; i < parts.size() && !cancelled(); ++i) boxes.push_back(reach(i).coarse());
    looked_at_ = boxes.size();
    pairs_ = overlapping_boxes(boxes);
    std::vector<bool> exact(boxes.size());
    for (const auto& [a, b] : pairs_)
      for (const std::uint32_t i : {a, b})
        if (!exact[i] && !cancelled()) exact[i] = true, boxes[i] = reach(i).exact();
    std::erase_if(pairs_, [&](const PartPair& pair) { return !boxes[pair.first].overlaps(boxes[pair.second]); });
  }

  [[nodiscard]] const std::vector<PartPair>& pairs() const noexcept { return pairs_; }
  /// How many parts there was time for.
  [[nodiscard]] std::size_t looked_at() const noexcept { return looked_at_; }

 private:
  std::size_t looked_at_ = 0;
  std::vector<PartPair> pairs_;
};

std::set<std::uint32_t> surfaces_of(const PairReport& report, std::size_t side) {
  std::set<std::uint32_t> surfaces;
  for (const auto& pair : report.surface_pairs) surfaces.insert(pair[side]);
  return surfaces;
}

}  // namespace

CheckReport check(const Assembly& assembly, const CheckOptions& options) {
  const AssessOptions how{in_force(options.tolerances, assembly), options.method, options.keep_triangles,
                          options.device, options.devices};
  const std::span<const Part> parts = assembly.parts();
  const std::uint64_t possible = pairs_of(parts.size());
  if (!valid(how.tolerances)) {
    CheckReport refusal;
    refusal.refused = "clearance, touch gap and touch overlap must be finite and not negative";
    refusal.coverage.parts = parts.size();
    refusal.coverage.pairs_possible = refusal.coverage.undecided = possible;
    return refusal;
  }
  const OrderedParts ordered(assembly, options.cancel);
  const auto cancelled = [&] { return options.cancel != nullptr && options.cancel->cancelled(); };
  const Candidates found(ordered, 0.5 * std::max(how.tolerances.clearance, how.tolerances.touch_gap), options.cancel);
  const std::vector<PartPair>& candidates = found.pairs();

  Bodies bodies(ordered, options.cancel);
  const Watch watch{.cancel = options.cancel, .progress = options.progress};
  auto reports = judge_pairs(candidates, options.threads, watch, [&](const PartPair& pair) {
    std::optional report = assess_posed(bodies.body(pair.first), bodies.body(pair.second), how, options.cancel);
    if (cancelled()) report.reset();  // it may not have been finished
    return report;
  });

  SNUG_ASSERT(reports.size() == candidates.size());
  CheckReport result;
  Coverage& coverage = result.coverage;
  FindingsOfPairs findings(assembly, ordered, result);
  result.findings.reserve(static_cast<std::size_t>(std::ranges::count_if(
      reports, [](const std::optional<PairReport>& report) { return report && report->verdict != Verdict::clear; })));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!reports[i]) continue;
    PairReport& report = *reports[i];
    ++coverage.pairs_tested;
    result.resolution = std::max(result.resolution, report.resolution);
    if (report.verdict == Verdict::clear) continue;
    if (!report.firm) ++coverage.not_firm;
    const auto surfaces_a = surfaces_of(report, 0), surfaces_b = surfaces_of(report, 1);
    findings.add(candidates[i], std::move(report), surfaces_a, surfaces_b);
  }
  coverage.undecided = result.count_of(Verdict::undecided);
  SNUG_ASSERT(coverage.pairs_tested <= candidates.size() && candidates.size() <= coverage.pairs_possible);
  SNUG_ASSERT(result.findings.size() <= coverage.pairs_tested);
  result.cancelled =
      coverage.pairs_tested < candidates.size() || found.looked_at() + coverage.parts_skipped.size() < parts.size();
  findings.finish();
  return result;
}

}  // namespace snug
