#pragma once

#include <snug/triangle.hpp>
#include <snug/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace snug::judge {

/// Seeded random numbers, the same on every platform: the standard fixes the engine but not its distributions, so the
/// mapping to integers and doubles is our own.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// From lo to hi, both included. The bias of the remainder is far below what any test here could notice.
  std::int64_t integer(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  bool one_in(std::int64_t n) { return integer(1, n) == 1; }
  /// In [0, 1), on a grid of 2^-53.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double lo, double hi) { return lo + (hi - lo) * unit(); }
  Vec3 in_cube(double half) {
    const double x = between(-half, half);
    const double y = between(-half, half);
    return {x, y, between(-half, half)};
  }

 private:
  std::mt19937_64 engine_;
};

/// `count` times SNUG_TEST_SCALE percent (100 if unset), tenfold if SNUG_LONG is set, at least one.
std::size_t scaled(std::size_t count);

/// The value, or its neighbour `ulps` steps up or down.
double nudge(double value, int ulps);

/// Exact texts, made to be pasted into a regression test.
std::string to_hex(const Point3& p);
std::string to_hex(const Triangle& t);
std::string to_hex(const Triangle& a, const Triangle& b);

/// Corner order number `order` of 6.
Triangle reordered(const Triangle& t, std::size_t order);

}  // namespace snug::judge
