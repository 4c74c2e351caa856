#include "query/shape_data.hpp"
#include "support/parallel.hpp"
#include "verdict/assess.hpp"
#include "verdict/broad_phase.hpp"
#include "verdict/durable_id.hpp"

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
  explicit Bodies(const Assembly& assembly) : parts_(assembly.parts()), bodies_(parts_.size()) {
    std::map<ContentHash, Shape> by_content;
    for (const Part& part : parts_) {
      const auto [entry, added] = by_content.try_emplace(part.mesh.hash(), part.mesh);
      shapes_.push_back(entry->second);
    }
  }

  [[nodiscard]] const PosedSolid& body(std::uint32_t part) {
    Slot& slot = bodies_[part];
    std::call_once(slot.once, [&] { slot.solid = std::make_unique<PosedSolid>(shapes_[part], parts_[part].pose); });
    return *slot.solid;
  }

 private:
  struct Slot {
    std::once_flag once;
    std::unique_ptr<PosedSolid> solid;
  };
  std::span<const Part> parts_;
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
  const AssessOptions how{{options.touch_overlap, options.touch_gap, options.clearance},
                          options.method,
                          options.keep_triangles,
                          options.device,
                          options.devices};
  if (!valid(how.bands)) stop("clearance, touch gap and touch overlap must be finite and not negative");

  const std::span<const Part> parts = assembly.parts();
  // By path, so that the order of the input does not show.
  std::vector<std::uint32_t> by_path(parts.size());
  std::iota(by_path.begin(), by_path.end(), 0U);
  std::ranges::sort(by_path, {}, [&](std::uint32_t i) -> const std::string& { return parts[i].path; });

  std::vector<Aabb> boxes;
  boxes.reserve(parts.size());
  for (const std::uint32_t i : by_path)
    boxes.push_back(reach_of(parts[i], 0.5 * std::max(options.clearance, options.touch_gap)));
  const auto candidates = overlapping_boxes(boxes);

  Bodies bodies(assembly);
  std::vector<std::optional<PairReport>> reports(candidates.size());
  Progress progress(options, candidates.size());
  progress.start();
  for_each_chunk(candidates.size(), options.threads, [&](std::size_t i) {
    if (options.cancel != nullptr && options.cancel->cancelled()) return;
    const auto [first, second] = candidates[i];
    PairReport report = assess_posed(bodies.body(by_path[first]), bodies.body(by_path[second]), how, options.cancel);
    if (options.cancel != nullptr && options.cancel->cancelled()) return;  // it may not have been finished
    reports[i] = std::move(report);
    progress.advance();
  });

  CheckReport result;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!reports[i]) continue;
    ++result.coverage.pairs_tested;
    result.resolution = std::max(result.resolution, reports[i]->resolution);
    if (reports[i]->verdict == Verdict::clear) continue;
    const std::uint32_t a = by_path[candidates[i].first], b = by_path[candidates[i].second];
    Finding finding{std::move(*reports[i]), durable_id(parts[a].path, parts[b].path), {}, {}};
    finding.a = side_of(parts[a], a, finding, 0);
    finding.b = side_of(parts[b], b, finding, 1);
    ++result.count[static_cast<std::size_t>(finding.verdict)];
    if (!finding.firm) ++result.coverage.not_firm;
    result.findings.push_back(std::move(finding));
  }
  // Candidates come by path; a stable sort keeps that among equals.
  std::ranges::stable_sort(result.findings, std::greater{}, &Finding::verdict);

  result.coverage.parts = parts.size();
  result.coverage.pairs_possible = parts.size() * (parts.size() - (parts.empty() ? 0 : 1)) / 2;
  result.coverage.undecided = result.count_of(Verdict::undecided);
  result.cancelled = result.coverage.pairs_tested < candidates.size();
  for (const Problem& loss : assembly.losses()) result.coverage.losses.push_back(loss);
  result.coverage.complete = !result.cancelled && result.coverage.pairs_possible > 0 && result.coverage.losses.empty();
  if (!result.cancelled) progress.finish();
  return result;
}

}  // namespace snug
