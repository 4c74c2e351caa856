#pragma once

#include <snug/export.hpp>
#include <snug/pose.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace snug {

struct MotionError {
  enum class Code {
    empty,              ///< no key
    non_finite_time,    ///< NaN or infinity
    times_not_rising,   ///< every key must be later than the one before
    vertex_count,       ///< frames of different length
    non_finite_vertex,  ///< NaN, infinity or beyond k_max_coordinate
    bad_pose,           ///< an invalid pose: Pose::is_valid()
    longer_arc,         ///< the quaternions of two keys are more than half a turn apart: see Arc
    bad_turn,           ///< an axis without direction, an angle beyond k_max_turn, or lengths beyond k_max_pivot
  } code;
  std::size_t key = 0;
  [[nodiscard]] SNUG_API std::string message() const;
};

struct PoseKey {
  double t = 0;
  Pose pose;
};

/// Which way a rotation goes from one key to the next. A pose does not say: 200 degrees to the left and 160 to the right
/// end in the same place. The signs of the two quaternions do.
enum class Arc : std::uint8_t {
  as_signed,  ///< keys whose quaternions are more than half a turn apart are refused (longer_arc): use Motion::then(Turn)
  shorter,    ///< the shorter arc, whatever the signs: for data in which they mean nothing
};

/// Largest angle of a turn, in radians, and largest coordinate of a point that a body turns about.
inline constexpr double k_max_turn = 1e5;
inline constexpr double k_max_pivot = 0x1p990;

/// A turn about an axis, right-handed, by any number of revolutions: a true arc. With `advance` it is a screw motion.
struct Turn {
  Point3 point;        ///< on the axis, in the frame of the poses
  Vec3 direction;      ///< of the axis; any length but zero
  double radians = 0;  ///< may be negative, or many turns
  double advance = 0;  ///< along the direction, in all
};

/// Poses over time. Between keys the position is linear and the rotation a slerp; before the first and after the last key
/// the body rests. Computed without the C library's trigonometry: same bits everywhere.
///
/// What moves in straight lines is a point of the body, its *pivot*, about which it turns: its origin, unless the keys
/// come from a turn or make_about(). A turn is a row of keys no more than a quarter turn apart with one pivot on its axis.
class SNUG_API Motion {
 public:
  static Result<Motion, MotionError> make(std::vector<PoseKey> keys, Arc arc = Arc::as_signed);
  /// The same with another pivot, in the body's own frame.
  static Result<Motion, MotionError> make_about(const Point3& pivot, std::vector<PoseKey> keys,
                                                Arc arc = Arc::as_signed);
  /// Never moves. Its only key is at time zero.
  static Motion rest(const Pose& pose);

  /// This motion, and from its end until `t` a turn or a straight way. The axis is fixed in the frame of the poses.
  [[nodiscard]] Result<Motion, MotionError> then(double t, const Turn& turn) const&;
  [[nodiscard]] Result<Motion, MotionError> then(double t, const Pose& pose, Arc arc = Arc::as_signed) const&;
  /// Without a copy of the keys so far.
  [[nodiscard]] Result<Motion, MotionError> then(double t, const Turn& turn) &&;
  [[nodiscard]] Result<Motion, MotionError> then(double t, const Pose& pose, Arc arc = Arc::as_signed) &&;

  [[nodiscard]] std::span<const PoseKey> keys() const noexcept { return keys_; }
  [[nodiscard]] double begin() const noexcept { return keys_.front().t; }
  [[nodiscard]] double end() const noexcept { return keys_.back().t; }
  /// At a key's time exactly the key's pose; at NaN the invalid one.
  [[nodiscard]] Pose at(double t) const noexcept;

  /// The point of the body, in its own frame, that goes in a straight line from key i to the next.
  [[nodiscard]] Point3 pivot(std::size_t i) const noexcept { return pivots_.empty() ? Point3{} : pivots_[i]; }
  /// Is any pivot another point than the origin?
  [[nodiscard]] bool has_pivots() const noexcept { return !pivots_.empty(); }

  /// The same motion in another frame: every pose with `outer` after it.
  [[nodiscard]] Motion placed_by(const Pose& outer) const;
  /// That of a body which is carried along, at `inner` in this one's frame: every pose with `inner` before it.
  [[nodiscard]] Motion carrying(const Pose& inner) const;

 private:
  Motion() = default;
  std::vector<PoseKey> keys_;
  std::vector<Point3> pivots_;  ///< one for each key; empty if all are the origin
};

/// How far a point of a body goes and how far the body turns, back and forth counted as often as it happens.
struct Travel {
  double length = 0;
  double radians = 0;
};
/// From time `from` to `to`, for a point in the body's own frame. Rounded: to about nine digits where the body turns and
/// its pivot moves across the axis at the same time, otherwise to fourteen. Infinite if a time is NaN.
[[nodiscard]] SNUG_API Travel travel(const Motion& motion, const Point3& point, double from, double to);

/// The motion as keys alone, for whoever knows nothing of pivots: so many that straight lines between them leave the arcs by no
/// more than `share` of their radii.
[[nodiscard]] SNUG_API std::vector<PoseKey> sampled_keys(const Motion& motion, double share = 0.004);

struct VertexKey {
  double t = 0;
  std::vector<Point3> vertices;
};

/// Vertices over time: deforming bodies. Each vertex moves linearly between keys and rests outside them.
class SNUG_API VertexMotion {
 public:
  static Result<VertexMotion, MotionError> make(std::vector<VertexKey> keys);

  [[nodiscard]] std::span<const VertexKey> keys() const noexcept { return keys_; }
  [[nodiscard]] double begin() const noexcept { return keys_.front().t; }
  [[nodiscard]] double end() const noexcept { return keys_.back().t; }
  /// `out` must be as long as each key's vertices. At a key's time exactly the key's vertices; at NaN NaN.
  void at(double t, std::span<Point3> out) const noexcept;

 private:
  VertexMotion() = default;
  std::vector<VertexKey> keys_;
};

/// From begin to end, both included.
struct TimeSpan {
  double begin = 0, end = 0;

  [[nodiscard]] constexpr double length() const noexcept { return end - begin; }
  [[nodiscard]] constexpr bool contains(double t) const noexcept { return begin <= t && t <= end; }
  friend constexpr bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

/// Why motions, or a question about them, were refused.
struct PathError {
  enum class Code {
    motion_count,    ///< not as many motions as parts
    bad_length,      ///< clearance, touch gap, touch overlap or separation negative or not finite
    bad_tolerance,   ///< time tolerance negative or not finite
    bad_range,       ///< range not finite, or ends before it begins, or keys too close for speeds to be finite
    bad_coordinate,  ///< parts or ways beyond 2^200, whose products would not be finite, or a pose that is invalid
    not_a_mesh,      ///< a body is a primitive
  } code;
  [[nodiscard]] SNUG_API std::string message() const;
};

}  // namespace snug
