#include "ccd/sweep/face_octree.hpp"
#include "ccd/sweep/stealing.hpp"
#include "ccd/sweep/swept_hull.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

namespace snug {

namespace {

using namespace ccd;
using namespace snug::ccd::sweep;

constexpr unsigned k_deepest = 20;
constexpr std::size_t k_portion = 32;         // pairs handed over at a time
constexpr std::size_t k_most_portions = 512;  // waiting; then the one that lists pairs checks some itself

class Laps {
 public:
  /// Since the last time, in microseconds.
  double lap() noexcept {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::micro>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Step 4 for one pair.
class Check {
 public:
  Check(std::span<const SweepBody> bodies, std::span<const SweptFace> faces, const SweepOptions& options) noexcept
      : bodies_(bodies), faces_(faces), options_(options) {}

  std::optional<SweptPair> operator()(FacePair pair, std::uint64_t& hulls_met) const noexcept {
    if (cancelled()) return std::nullopt;
    const SweptFace &fa = faces_[pair.a], &fb = faces_[pair.b];
    const MovingTriangle a = moving_triangle(bodies_[fa.body], fa.triangle);
    const MovingTriangle b = moving_triangle(bodies_[fb.body], fb.triangle);
    // Rounded up, as is every distance kept from it.
    const double deviation = (bodies_[fa.body].deviation + bodies_[fb.body].deviation) * (1 + 0x1p-50);
    if (hulls_apart(a, b, deviation)) return std::nullopt;
    ++hulls_met;
    SweptPair found{fa.body, fa.triangle, fb.body, fb.triangle, {0, 1}, options_.refine && deviation == 0};
    if (!options_.refine) return found;
    if (found.certain) {
      const auto contact = first_contact(a, b, {.time_tolerance = options_.time_tolerance});
      if (!contact) return std::nullopt;
      found.time = *contact;
    } else {
      const auto earliest = earliest_approach(a, b, deviation);
      if (!earliest) return std::nullopt;
      found.time = {*earliest, 1};
    }
    return found;
  }

  [[nodiscard]] bool cancelled() const noexcept { return options_.watch.cancelled(); }
  [[nodiscard]] const CancelToken* cancel() const noexcept { return options_.watch.cancel; }

 private:
  std::span<const SweepBody> bodies_;
  std::span<const SweptFace> faces_;
  const SweepOptions& options_;
};

/// What one thread has found.
struct Share {
  std::vector<SweptPair> found;
  std::uint64_t checked = 0, hulls_met = 0, shared = 0, exclusions = 0;

  /// A pair that no other thread has had anything to do with.
  void check(const Check& check, FacePair pair) {
    ++checked;
    if (const auto pair_found = check(pair, hulls_met)) found.push_back(*pair_found);
  }
  void take_and_check(const Check& check, FacePair pair) {
    ++shared;
    this->check(check, pair);
  }
};

/// Section 4.2 of the paper: the finished list, dealt out.
void check_fixed(std::span<const FacePair> pairs, const Check& check, std::span<Share> shares) {
  for_each_chunk(shares.size(), static_cast<unsigned>(shares.size()), [&](std::size_t c) {
    for (std::size_t i = c; i < pairs.size(); i += shares.size()) shares[c].take_and_check(check, pairs[i]);
  });
}

/// The finished list in equal parts, of which threads that are done take from the others.
void check_stealing(std::span<const FacePair> pairs, const Check& check, std::span<Share> shares) {
  const auto exclusions = share_by_stealing(pairs.size(), static_cast<unsigned>(shares.size()),
                                            [&](unsigned thread, std::size_t begin, std::size_t end) {
                                              for (std::size_t i = begin; i < end; ++i)
                                                shares[thread].take_and_check(check, pairs[i]);
                                            });
  shares[0].exclusions += exclusions;
}

/// Section 4.3: portions of pairs on their way from the thread that lists them to those that check them. One lock for each
/// portion, and a bounded number of portions.
class Flow {
 public:
  using Portion = std::vector<FacePair>;

  /// False if there are too many waiting.
  bool offer(Portion& portion) {
    {
      const std::scoped_lock lock(mutex_);
      if (waiting_.size() >= k_most_portions) return false;
      waiting_.push_back(std::move(portion));
    }
    arrived_.notify_one();
    return true;
  }
  void close() noexcept {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    arrived_.notify_all();
  }
  /// Waits for one; nothing once there will be none.
  std::optional<Portion> take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    Portion portion = std::move(waiting_.back());
    waiting_.pop_back();
    return portion;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Portion> waiting_;
  bool closed_ = false;
};

std::uint64_t check_flowing(std::span<const SweptFace> faces, unsigned depth, const Check& check,
                            std::span<Share> shares) {
  Flow flow;
  std::uint64_t voxels = 0;
  const auto take_all = [&](Share& share, const Flow::Portion& portion) {
    ++share.exclusions;
    for (const FacePair pair : portion) share.take_and_check(check, pair);
  };
  const auto list = [&](Share& share) {
    struct CloseAtEnd {  // also if memory runs out, or the others would wait forever
      Flow& flow;
      ~CloseAtEnd() { flow.close(); }
    } const close{flow};
    Flow::Portion portion;
    const auto hand_over = [&] {
      const std::size_t pairs = portion.size();
      ++share.exclusions;
      if (flow.offer(portion))
        share.shared += pairs;
      else
        for (const FacePair pair : portion) share.check(check, pair);
      portion.clear();
      portion.reserve(k_portion);
    };
    voxels = visit_face_pairs(
        faces, depth,
        [&](FacePair pair) {
          portion.push_back(pair);
          if (portion.size() == k_portion) hand_over();
        },
        check.cancel());
    hand_over();
  };
  for_each_chunk(shares.size(), static_cast<unsigned>(shares.size()), [&](std::size_t c) {
    if (c == 0) list(shares[c]);
    while (const auto portion = flow.take()) take_all(shares[c], *portion);
  });
  return voxels;
}

/// Without branches, so that it costs little beside the sweep itself.
bool all_within_reach(std::span<const Point3> points) noexcept {
  bool within = true;
  for (const Point3& p : points)
    within &=
        (std::abs(p.x) <= k_max_coordinate) & (std::abs(p.y) <= k_max_coordinate) & (std::abs(p.z) <= k_max_coordinate);
  return within;
}

std::optional<SweepError> find_error(std::span<const SweepBody> bodies) noexcept {
  using Code = SweepError::Code;
  constexpr std::size_t k_most = std::numeric_limits<std::uint32_t>::max();
  if (bodies.size() > k_most) return SweepError{Code::too_many, 0};
  std::size_t triangles = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const SweepBody& body = bodies[b];
    const auto error = [&](Code code) { return SweepError{code, static_cast<std::uint32_t>(b)}; };
    if (body.t0.size() != body.t1.size()) return error(Code::vertex_count);
    if (!(body.deviation >= 0 && body.deviation <= k_max_coordinate)) return error(Code::bad_deviation);
    if (!all_within_reach(body.t0) || !all_within_reach(body.t1)) return error(Code::non_finite_vertex);
    for (const Index3& triangle : body.triangles)
      for (const std::uint32_t i : triangle)
        if (i >= body.t0.size()) return error(Code::index_out_of_range);
    triangles += body.triangles.size();
    if (triangles > k_most) return error(Code::too_many);
  }
  return std::nullopt;
}

}  // namespace

std::string SweepError::message() const {
  const std::string what = "body " + std::to_string(body) + ": ";
  switch (code) {
    case Code::vertex_count:
      return what + "it has another number of vertices at the end than at the start";
    case Code::non_finite_vertex:
      return what + "a vertex is not finite or too far away";
    case Code::index_out_of_range:
      return what + "a triangle names a vertex that is not there";
    case Code::bad_deviation:
      return what + "its deviation is negative or not finite";
    case Code::bad_separation:
      return "the separation is negative or not finite";
    case Code::cancelled:
      return "cancelled";
    case Code::too_many:
      break;
  }
  return "more bodies or triangles than ids can name";
}

Result<std::vector<SweptPair>, SweepError> sweep_step(std::span<const SweepBody> bodies, const SweepOptions& options,
                                                      SweepStats* stats) {
  if (const auto error = find_error(bodies)) return Failure{*error};
  if (!(options.separation >= 0 && options.separation <= k_max_coordinate))
    return Failure{SweepError{SweepError::Code::bad_separation, 0}};
  // To keep a distance is to be told apart as if each body might be off by half of it.
  std::vector<SweepBody> widened;
  if (options.separation > 0) {
    widened.assign(bodies.begin(), bodies.end());
    for (SweepBody& body : widened) body.deviation = (body.deviation + 0.5 * options.separation) * (1 + 0x1p-50);
    bodies = widened;
  }
  const auto told = [&](double fraction) {
    if (options.watch.progress) options.watch.progress(fraction);
  };
  SweepStats counted;
  Laps watch;
  const auto regions = overlap_regions(bodies);
  for (const auto& of_body : regions) counted.overlap_regions += of_body.size();
  counted.overlap_regions /= 2;
  counted.step_us[0] = watch.lap();
  told(0.25);
  const std::vector<SweptFace> faces = faces_in_regions(bodies, regions);
  counted.faces = faces.size();
  counted.step_us[1] = watch.lap();
  told(0.5);

  const unsigned depth = std::min(options.octree_depth, k_deepest);
  const Check check(bodies, faces, options);
  std::vector<Share> shares(sensible_threads(options.threads));
  if (options.schedule == SweepSchedule::flowing) {
    counted.voxels = check_flowing(faces, depth, check, shares);
  } else {
    std::vector<FacePair> pairs;
    counted.voxels = visit_face_pairs(faces, depth, [&](FacePair pair) { pairs.push_back(pair); }, check.cancel());
    counted.step_us[2] = watch.lap();
    told(0.75);
    if (options.schedule == SweepSchedule::stealing)
      check_stealing(pairs, check, shares);
    else
      check_fixed(pairs, check, shares);
  }
  if (check.cancelled()) return Failure{SweepError{SweepError::Code::cancelled, 0}};
  std::vector<SweptPair> found;
  for (const Share& share : shares) {
    found.insert(found.end(), share.found.begin(), share.found.end());
    counted.checked += share.checked;
    counted.hulls_met += share.hulls_met;
    counted.shared_accesses += share.shared + share.found.size();
    counted.exclusions += share.exclusions;
  }
  std::ranges::sort(found, {},
                    [](const SweptPair& p) { return std::tuple(p.body_a, p.body_b, p.triangle_a, p.triangle_b); });
  counted.step_us[3] = watch.lap();
  counted.found = found.size();
  if (stats != nullptr) *stats = counted;
  told(1);
  return found;
}

}  // namespace snug
