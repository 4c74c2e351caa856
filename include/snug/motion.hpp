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
  } code;
  std::size_t key = 0;
  [[nodiscard]] SNUG_API std::string message() const;
};

struct PoseKey {
  double t = 0;
  Pose pose;
};

/// Poses over time. Between keys the position is linear and the rotation a slerp along the shorter arc; before the
/// first and after the last key the body rests. Computed without the C library's trigonometry: same bits everywhere.
class SNUG_API Motion {
 public:
  static Result<Motion, MotionError> make(std::vector<PoseKey> keys);
  /// Never moves.
  static Motion rest(const Pose& pose);

  [[nodiscard]] std::span<const PoseKey> keys() const noexcept { return keys_; }
  [[nodiscard]] double begin() const noexcept { return keys_.front().t; }
  [[nodiscard]] double end() const noexcept { return keys_.back().t; }
  /// At a key's time exactly the key's pose. `t` must not be NaN (asserted).
  [[nodiscard]] Pose at(double t) const noexcept;

 private:
  Motion() = default;
  std::vector<PoseKey> keys_;
};

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
  /// `out` must be as long as each key's vertices. At a key's time exactly the key's vertices.
  void at(double t, std::span<Point3> out) const noexcept;

 private:
  VertexMotion() = default;
  std::vector<VertexKey> keys_;
};

}  // namespace snug
