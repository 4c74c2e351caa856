#include "assembly/verdict/assess.hpp"
#include "assembly/verdict/broad_phase.hpp"
#include "assembly/verdict/durable_id.hpp"
#include "mesh/mesh_data.hpp"
#include "shape/shape_data.hpp"
#include "shape/trees.hpp"
#include "support/parallel.hpp"

#include <snug/check.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <thread>

namespace snug {

namespace {

using namespace detail;

/// One shape per distinct mesh, one posed body per part that has a neighbour; both built when first needed, by whichever
/// thread comes first.
class Bodies {
 public:
  Bodies(const Assembly& assembly, const CancelToken* cancel)
      : parts_(assembly.parts()), cancel_(cancel), bodies_(parts_.size()) {
    std::map<ContentHash, Shape> by_content;
    try {
      for (const Part& part : parts_) {
        if (cancel != nullptr && cancel->cancelled()) break;  // nobody will ask for a body
        const auto [entry, added] = by_content.try_emplace(MeshAccess::hash(part.mesh, cancel), part.mesh);
        shapes_.push_back(entry->second);
      }
    } catch (const LoopCancelled&) {
      // As above.
    }
  }

  /// Throws LoopCancelled if cancelled while it is built.
  [[nodiscard]] const PosedSolid& body(std::uint32_t part) {
    Slot& slot = bodies_[part];
    std::call_once(slot.once,
                   [&] { slot.solid = std::make_unique<PosedSolid>(shapes_[part], parts_[part].pose, cancel_); });
    return *slot.solid;
  }

 private:
  struct Slot {
    std::once_flag once;
    std::unique_ptr<PosedSolid> solid;
  };
  std::span<const Part> parts_;
  const CancelToken* cancel_;
  std::vector<Shape> shapes_;
  std::vector<Slot> bodies_;
};

/// Box of the posed vertices, grown by half of what two parts may be apart and still be worth a look, and by what its
/// faces may be outside of their triangles.
Aabb reach_of(const Part& part, double half_band) {
  std::vector<Point3> posed(part.mesh.vertices().size());
  part.pose.apply(part.mesh.vertices(), posed);
  Aabb box;
  for (const Index3& t : part.mesh.triangles())
    for (const std::uint32_t v : t) box.include(posed[v]);
  // Rounding of the margin itself is covered by a share of the coordinates.
  const double margin = half_band + posing_error(part.mesh.bounds(), part.pose) + FaceSag(part.mesh).largest();
  const double widest = margin * (1 + 0x1p-40);
  return {box.lo - Vec3{widest, widest, widest}, box.hi + Vec3{widest, widest, widest}};
}

FindingSide side_of(const Part& part, std::uint32_t id, const PairReport& report, std::size_t side) {
  std::set<std::uint32_t> surfaces;
  for (const auto& pair : report.surface_pairs) surfaces.insert(pair[side]);
  return {part.path, id, {surfaces.begin(), surfaces.end()}};
}

/// Tells the caller's hook how far the work has come, from the caller's thread only.
class Progress {
 public:
  Progress(const CheckOptions& options, std::size_t total)
      : hook_(options.progress), total_(total), caller_(std::this_thread::get_id()) {}

  void start() const {
    if (hook_) hook_(0);
  }
  void advance() {
    const std::size_t done = done_.fetch_add(1) + 1;
    if (hook_ && done < total_ && std::this_thread::get_id() == caller_)
      hook_(static_cast<double>(done) / static_cast<double>(total_));
  }
  void finish() const {
    if (hook_) hook_(1);
  }

 private:
  const ProgressHook& hook_;
  std::size_t total_;
  std::thread::id caller_;
  std::atomic<std::size_t> done_{0};
};

}  // namespace

CheckReport check(const Assembly& assembly, const CheckOptions& options) {
  const AssessOptions how{{touch_overlap_of(options, assembly), options.touch_gap, options.clearance},
                          options.method,
                          options.keep_triangles,
                          options.device,
                          options.devices};
  const std::span<const Part> parts = assembly.parts();
  const std::uint64_t possible = parts.size() * (parts.size() - (parts.empty() ? 0 : 1)) / 2;
  if (!valid(how.bands)) {
    CheckReport refusal;
    refusal.refused = "clearance, touch gap and touch overlap must be finite and not negative";
    refusal.coverage.parts = parts.size();
    refusal.coverage.pairs_possible = refusal.coverage.undecided = possible;
    return refusal;
  }
  // By path, so that the order of the input does not show.
  std::vector<std::uint32_t> by_path(parts.size());
  std::iota(by_path.begin(), by_path.end(), 0U);
  std::ranges::sort(by_path, {}, [&](std::uint32_t i) -> const std::string& { return parts[i].path; });

  std::vector<Aabb> boxes;
  boxes.reserve(parts.size());
  const auto cancelled = [&] { return options.cancel != nullptr && options.cancel->cancelled(); };
  for (const std::uint32_t i : by_path) {
    if (cancelled()) break;
    boxes.push_back(reach_of(parts[i], 0.5 * std::max(options.clearance, options.touch_gap)));
  }
  const auto candidates = overlapping_boxes(boxes);

  Bodies bodies(assembly, options.cancel);
  std::vector<std::optional<PairReport>> reports(candidates.size());
  Progress progress(options, candidates.size());
  progress.start();
  for_each_chunk(candidates.size(), options.threads, [&](std::size_t i) {
    if (cancelled()) return;
    const auto [first, second] = candidates[i];
    try {
      PairReport report = assess_posed(bodies.body(by_path[first]), bodies.body(by_path[second]), how, options.cancel);
      if (cancelled()) return;  // it may not have been finished
      reports[i] = std::move(report);
      progress.advance();
    } catch (const LoopCancelled&) {
      // Nothing is known of the pair, as of those that come after it.
    }
  });

  CheckReport result;
  const DurableNames names(assembly);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!reports[i]) continue;
    ++result.coverage.pairs_tested;
    result.resolution = std::max(result.resolution, reports[i]->resolution);
    if (reports[i]->verdict == Verdict::clear) continue;
    const std::uint32_t a = by_path[candidates[i].first], b = by_path[candidates[i].second];
    Finding finding{std::move(*reports[i]), names.id(a, b), {}, {}};
    finding.a = side_of(parts[a], a, finding, 0);
    finding.b = side_of(parts[b], b, finding, 1);
    ++result.count[static_cast<std::size_t>(finding.verdict)];
    if (!finding.firm) ++result.coverage.not_firm;
    result.findings.push_back(std::move(finding));
  }
  // Candidates come by path; a stable sort keeps that among equals.
  std::ranges::stable_sort(result.findings, std::greater{}, &Finding::verdict);

  result.coverage.parts = parts.size();
  result.coverage.pairs_possible = possible;
  result.coverage.undecided = result.count_of(Verdict::undecided);
  result.cancelled = result.coverage.pairs_tested < candidates.size() || boxes.size() < parts.size();
  for (const Problem& loss : assembly.losses()) result.coverage.losses.push_back(loss);
  result.coverage.complete = !result.cancelled && result.coverage.pairs_possible > 0 && result.coverage.losses.empty();
  if (!result.cancelled) progress.finish();
  return result;
}

}  // namespace snug
