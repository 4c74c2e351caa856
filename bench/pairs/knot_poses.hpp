#pragma once

#include "bench/pairs/two_bodies.hpp"

#include <snug/shape.hpp>

#include <array>
#include <string_view>

namespace snug::bench::pairs {

/// A distance of the two centres, or one from where the bodies first touch.
struct Bucket {
  std::string_view name;
  bool from_touch = false;
  double distance = 0;
};

inline constexpr std::array k_buckets{
    Bucket{"d=0", false, 0},
    Bucket{"d=0.1", false, 0.1},
    Bucket{"d=0.2", false, 0.2},
    Bucket{"d=0.4", false, 0.4},
    Bucket{"touch-0.05", true, -0.05},
    Bucket{"touch-0.005", true, -0.005},
    Bucket{"touch+0.0005", true, 0.0005},
    Bucket{"touch+0.005", true, 0.005},
    Bucket{"touch+0.05", true, 0.05},
    Bucket{"touch+0.5", true, 0.5},
};
inline constexpr std::string_view k_apart = "touch+0.5", k_near_miss = "touch+0.0005";

/// Random rotations of two equal bodies, and of the direction in which the second lies. Every bucket and every stream has
/// rotations of its own, so that no pose comes twice.
class KnotPoses {
 public:
  KnotPoses(Shape shape, std::uint64_t seed) : shape_(std::move(shape)), seed_(seed) {}
  [[nodiscard]] std::vector<PosePair> of(const Bucket& bucket, std::uint64_t stream, std::size_t count);

 private:
  double support(const Pose& pose, const Vec3& direction);
  double touch(const Pose& a, const Quaternion& rotation_b, const Vec3& direction);

  Shape shape_;
  std::uint64_t seed_;
  Scratch scratch_;
};

}  // namespace snug::bench::pairs
