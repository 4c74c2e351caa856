#include <snug/first_contact.hpp>

#include "ccd/advancement.hpp"
#include "ccd/path_limits.hpp"
#include "ccd/subdivision.hpp"
#include "query/distance/nearest.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "support/fuel.hpp"

#include <snug/distance.hpp>
#include <snug/query.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace snug {

namespace {

using namespace ccd;

/// Bodies with fewer pairs of triangles are not worth a coarse search. It lists what is near where bodies travel no more than that share
/// of the smaller one, and ends where few are listed, or at that depth.
constexpr std::uint64_t k_few_triangles = 1U << 20U;
constexpr double k_short_travel = 0.02;
constexpr int k_deepest = 12;
/// What is smaller is taken to be as large: squares of speeds would underflow, and bodies seem to rest.
constexpr double k_least_farthest = 0x1p-200;
constexpr std::size_t k_few_near = 64, k_most_near = 512;

/// Interval subdivision by the distance in the middle of a span and by how far the bodies travel in it: that asks the fast search of resting
/// bodies, which knows nothing of directions. Short spans that are left over go to conservative advancement.
class CoarseSearch {
 public:
  CoarseSearch(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b, double farthest,
               const FirstContactOptions& options, Scratch& scratch)
      : shape_a_(a),
        shape_b_(b),
        motion_a_(motion_a),
        motion_b_(motion_b),
        moving_a_(a, motion_a),
        moving_b_(b, motion_b),
        resolution_{options.separation, farthest},
        short_travel_(k_short_travel * std::min(moving_a_.mesh().radius(), moving_b_.mesh().radius())),
        options_(options),
        scratch_(scratch),
        memory_(Access::data(scratch).get<AdvancementMemory>()) {
    memory_.near.pairs.reserve(k_most_near);
  }

  Outcome<FirstContact> run(const TimeSpan& range) {
    const auto triangles = [](const Shape& shape) -> std::uint64_t { return shape.mesh().triangles().size(); };
    const bool few = triangles(shape_a_) * triangles(shape_b_) <= k_few_triangles;
    out_.known.resolution = resolution_.tolerance();
    if (few ? look_closely(range, nullptr) : look(range, 0)) return out_;
    out_.known.t = range.end;
    out_.because.reset();
    return out_;
  }

 private:
  /// True if the search is over.
  bool look(const TimeSpan& span, int depth) {
    if (const auto why = why_spent(options_.budget, out_.known.pairs, 1)) return give_up(span.begin, *why);
    ++out_.known.pairs;
    const TimePiece piece(span);
    const double travel = std::max(memory_.motion.travel(piece.earlier()), memory_.motion.travel(piece.later()));
    const double keeps = (travel + resolution_.margin()) * (1 + 0x1p-40);
    const Pose pose_a = motion_a_.at(piece.middle), pose_b = motion_b_.at(piece.middle);
    const bool last = depth == k_deepest || !piece.divisible();
    if (travel > short_travel_ && !last) {
      const Outcome<Answer> near = try_within(shape_a_, pose_a, shape_b_, pose_b, keeps, scratch_, time_left());
      if (!near.decided()) return give_up(span.begin, *near.because);
      if (near.no()) return false;
      return look(piece.earlier(), depth + 1) || look(piece.later(), depth + 1);
    }
    Fuel fuel(time_left());
    const bool gathered = gather(pose_a, pose_b, keeps, fuel);
    if (const auto why = fuel.why()) return give_up(span.begin, *why);
    if (gathered) {
      if (memory_.near.pairs.empty()) return false;
      if (last || memory_.near.pairs.size() <= k_few_near) return look_closely(span, &memory_.near.pairs);
    } else if (last) {
      return look_closely(span, nullptr);
    }
    return look(piece.earlier(), depth + 1) || look(piece.later(), depth + 1);
  }

  /// Queries of resting bodies count other steps, but end as early.
  [[nodiscard]] Budget time_left() const noexcept {
    return {.deadline = options_.budget.deadline, .cancel = options_.budget.cancel};
  }

  /// All triangles no farther apart than `reach`, unless there are too many.
  bool gather(const Pose& pose_a, const Pose& pose_b, double reach, Fuel& fuel) {
    const QueryOptions how;
    const OrientedPair bodies = oriented_pair(shape_a_, pose_a, shape_b_, pose_b, how);
    const DistanceLimits limits;
    memory_.near.most = k_most_near;
    Nearest(bodies, limits, Access::data(scratch_).get<SearchMemory>()).gather(memory_.near, reach, nullptr, fuel);
    return memory_.near.horizon >= reach;
  }

  bool look_closely(const TimeSpan& span, const std::vector<TrianglePairBound>* near) {
    const auto meet_at = [this](double t) {
      return intersects(shape_a_, motion_a_.at(t), shape_b_, motion_b_.at(t), scratch_);
    };
    const AdvancementTask task{span, resolution_, out_.known.pairs, near, meet_at};
    out_ = advance(moving_a_, moving_b_, task, options_, memory_);
    if (out_.because == Undecided::not_asked) out_.because.reset();  // it gives a reason where it gives up
    return !out_.no();
  }

  bool give_up(double t, Undecided why) noexcept {
    out_.because = why;
    out_.known.t = t;
    return true;
  }

  const Shape &shape_a_, &shape_b_;
  const Motion &motion_a_, &motion_b_;
  MovingBody moving_a_, moving_b_;
  ContactResolution resolution_;
  double short_travel_;
  const FirstContactOptions& options_;
  Scratch& scratch_;
  AdvancementMemory& memory_;
  Outcome<FirstContact> out_;
};

/// Which of two is to come first, so that rounding does not show the order they were given in.
bool in_order(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b) {
  const Mesh &ma = a.mesh(), &mb = b.mesh();
  const auto sizes = [](const Mesh& m, const Motion& w) {
    return std::tuple(m.triangles().size(), m.vertices().size(), w.keys().size());
  };
  if (sizes(ma, motion_a) != sizes(mb, motion_b)) return sizes(ma, motion_a) < sizes(mb, motion_b);
  const auto key = [](const PoseKey& k) {
    const Quaternion& q = k.pose.rotation();
    const Vec3& t = k.pose.translation();
    return std::tuple(k.t, t.x, t.y, t.z, q.w, q.x, q.y, q.z);
  };
  for (std::size_t i = 0; i < motion_a.keys().size(); ++i) {
    const auto ka = key(motion_a.keys()[i]), kb = key(motion_b.keys()[i]);
    if (ka != kb) return ka < kb;
    const Point3 pa = motion_a.pivot(i), pb = motion_b.pivot(i);
    if (pa != pb) return pa < pb;
  }
  const auto points = ma.vertices(), others = mb.vertices();
  if (const auto at = std::ranges::mismatch(points, others); at.in1 != points.end()) return *at.in1 < *at.in2;
  return !std::ranges::lexicographical_compare(mb.triangles(), ma.triangles());
}

}  // namespace

Result<Outcome<FirstContact>, PathError> first_contact(const Shape& a, const Motion& motion_a, const Shape& b,
                                                       const Motion& motion_b, Scratch& scratch,
                                                       const FirstContactOptions& options) {
  if (!are_meshes(a, b)) return Failure{PathError{PathError::Code::not_a_mesh}};
  // First: invalid poses have no order.
  const double farthest =
      std::max({path_farthest(a.mesh(), motion_a), path_farthest(b.mesh(), motion_b), k_least_farthest});
  if (!std::isfinite(farthest)) return Failure{PathError{PathError::Code::bad_coordinate}};
  if (!in_order(a, motion_a, b, motion_b)) {
    auto exchanged = first_contact(b, motion_b, a, motion_a, scratch, options);
    if (exchanged) {
      FirstContact& found = exchanged->known;
      std::swap(found.triangle_a, found.triangle_b);
      std::swap(found.on_a, found.on_b);
    }
    return exchanged;
  }
  if (!(options.separation >= 0) || !std::isfinite(options.separation))
    return Failure{PathError{PathError::Code::bad_length}};
  const auto range = path_range(options.range, std::array{&motion_a, &motion_b});
  if (!range) return Failure{range.error()};
  const OneUser user = use(scratch);
  RelativeMotion& motion = Access::data(scratch).get<AdvancementMemory>().motion;
  if (!motion.set(motion_a, Access::data(a).get<NodeBoxes>().radius, motion_b, Access::data(b).get<NodeBoxes>().radius,
                  *range, farthest))
    return Failure{PathError{PathError::Code::bad_range}};
  return CoarseSearch(a, motion_a, b, motion_b, farthest, options, scratch).run(*range);
}

}  // namespace snug
