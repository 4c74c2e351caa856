#pragma once

#include <snug/pose.hpp>
#include <snug/vec.hpp>

#include <cstdint>

namespace snug::scenes {

/// Seeded random numbers with the same bits everywhere (SplitMix64; the distributions of the standard library differ
/// between implementations).
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// 0 … count-1
  std::uint64_t below(std::uint64_t count) noexcept { return next() % count; }
  /// In [lo, hi), on a grid of 2^-53 of the range.
  double uniform(double lo, double hi) noexcept {
    return lo + (hi - lo) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }
  Point3 point(double lo, double hi) noexcept {
    const double x = uniform(lo, hi), y = uniform(lo, hi);
    return {x, y, uniform(lo, hi)};
  }
  Triangle triangle(double lo, double hi) noexcept {
    const Point3 a = point(lo, hi), b = point(lo, hi);
    return {{a, b, point(lo, hi)}};
  }
  /// Evenly distributed over all rotations.
  Quaternion rotation() noexcept {
    while (true) {
      const Quaternion q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double length2 = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
      if (length2 > 0.01 && length2 <= 1) return q;
    }
  }
  Pose pose(double reach) noexcept {
    const Quaternion q = rotation();
    return Pose::make(q, point(-reach, reach)).value();
  }

 private:
  std::uint64_t state_;
};

}  // namespace snug::scenes
