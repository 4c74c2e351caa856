#pragma once

#include <snug/ccd.hpp>
#include <snug/export.hpp>
#include <snug/pose.hpp>
#include <snug/progress.hpp>
#include <snug/result.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug {

// Many bodies during one step, rigid or deforming: which triangles meet between its two instants. After Kitamura, Smith,
// Takemura and Kishino: boxes of the motion and where they overlap, faces that reach into those regions, an octree of these
// faces that is never stored, swept hulls of the pairs left; then the guaranteed first contact of ccd.hpp. No pair that meets
// is left out.

/// A body during a step. Its faces are triangles alone: polygons must be cut into some. Vertices go from t0 to t1 in straight
/// lines while time runs from 0 to 1, as far as `deviation` tells.
struct SweepBody {
  std::span<const Point3> t0, t1;  ///< as many of both
  std::span<const Index3> triangles;
  /// No vertex is ever farther than this from its place on the straight way at the same time. Zero for deforming bodies;
  /// for rigid ones see turning_deviation().
  double deviation = 0;
};

/// How far vertices within `radius` of a rigid body's origin, turned by slerp from one pose to the other about that origin, may
/// be from straight ways at any time: radius θ²/8 for the angle θ, plus what rounding may add to posed vertices. To keep it
/// small, cut long turns into several steps. Infinite if a pose is invalid or the radius NaN.
[[nodiscard]] SNUG_API double turning_deviation(double radius, const Pose& t0, const Pose& t1) noexcept;

/// Two triangles of different bodies, body_a < body_b.
struct SweptPair {
  std::uint32_t body_a = 0, triangle_a = 0, body_b = 0, triangle_b = 0;
  /// Between bodies without deviation: they meet, and first in this interval. Otherwise they may meet, but not before t_lo.
  ContactTime time;
  bool certain = false;

  friend bool operator==(const SweptPair&, const SweptPair&) = default;
};

/// How the last stage, which costs most, is shared out among threads. The result is the same. `fixed` and `stealing` keep the
/// whole list of pairs, eight bytes each; `flowing` no more than half a thousand portions of it.
enum class SweepSchedule : std::uint8_t {
  fixed,     ///< thread i takes pairs i, i + N, i + 2N, … of the finished list
  flowing,   ///< one thread lists pairs, in portions, while the others check what is there; then it helps them
  stealing,  ///< threads start with equal parts of the finished list; who is done takes half of what another has left
};
/// Who does the stealing: "oneTBB", or "own" in a library built without it.
[[nodiscard]] SNUG_API std::string_view work_stealing() noexcept;

struct SweepOptions {
  unsigned octree_depth = 6;     ///< halvings of the region in which bodies overlap, at most 20
  double time_tolerance = 1e-9;  ///< of first contacts
  /// False: all pairs whose swept hulls can not be told apart, the published method's answer, none of them certain.
  bool refine = true;
  /// Pairs that come no farther apart than this count as well; above zero none of them is certain, and their times are the earliest
  /// at which they may come so close.
  double separation = 0;
  unsigned threads = 1;
  SweepSchedule schedule = SweepSchedule::fixed;
  Watch watch = {};  ///< told after each of the four steps; a token that is cancelled makes an error of the answer
};

/// What the steps of the method let through, and how long they took.
struct SweepStats {
  std::uint64_t overlap_regions = 0;  ///< step 1: pairs of bodies whose boxes overlap
  std::uint64_t faces = 0;            ///< step 2: faces that reach into a region
  std::uint64_t voxels = 0;           ///< step 3: cells of the octree that were looked into
  std::uint64_t checked = 0;          ///< step 4: pairs of faces
  std::uint64_t hulls_met = 0;        ///< pairs whose swept hulls could not be told apart
  std::uint64_t found = 0;            ///< pairs that meet, or may
  /// Times that threads reached into memory they share while pairs were checked, counted as in section 6.1 of the paper: a pair
  /// put on the list meanwhile, a pair taken from it, a pair found. Its own 2P + p (`flowing`) and P + p come out, but that
  /// who lists pairs may check some itself when too many wait.
  std::uint64_t shared_accesses = 0;
  /// Times that they had to exclude each other: a portion handed over or taken. `fixed` needs none; of `stealing` it differs from
  /// run to run.
  std::uint64_t exclusions = 0;
  double step_us[4] =
      {};  ///< wall time; steps 3 and 4 overlap in the flowing schedule and are then given as one, in [3]
};

struct SweepError {
  enum class Code {
    vertex_count,        ///< t0 and t1 differ in length
    non_finite_vertex,   ///< or beyond k_max_coordinate
    index_out_of_range,  ///< a triangle names a vertex that is not there
    bad_deviation,       ///< negative, NaN or infinite
    too_many,            ///< more bodies or triangles than ids can name
    bad_separation,      ///< negative, NaN or infinite
    cancelled,           ///< by the token of the options
  } code;
  std::uint32_t body = 0;
  [[nodiscard]] SNUG_API std::string message() const;
};

/// All pairs that meet during the step (see SweptPair), ordered by ids. Same result for every thread count and schedule.
[[nodiscard]] SNUG_API Result<std::vector<SweptPair>, SweepError> sweep_step(std::span<const SweepBody> bodies,
                                                                             const SweepOptions& options = {},
                                                                             SweepStats* stats = nullptr);

}  // namespace snug
