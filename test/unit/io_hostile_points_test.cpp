#include "io/weld.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <map>

namespace snug {
namespace {

using io::FloatTriangle;
using io::VertexWelder;
using io::WeldHash;
using io::WeldPlan;

/// The number whose product with an odd `a` is 1, modulo 2^64 (Newton's iteration).
std::uint64_t inverse(std::uint64_t a) {
  std::uint64_t x = a;
  for (int i = 0; i < 6; ++i) x *= 2 - a * x;
  return x;
}

/// Distinct points that all share one value of a hash with fixed multipliers, the kind that was used here once.
std::vector<Point3> points_of_one_hash(std::size_t count) {
  scenes::Random random(1);
  std::vector<Point3> out;
  while (out.size() < count) {
    const double x = random.uniform(-100, 100), y = random.uniform(-100, 100);
    const std::uint64_t rest = 12345 - std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15U -
                               std::rotl(std::bit_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4fU, 21);
    const auto z = std::bit_cast<double>(std::rotr(rest, 42) * inverse(0x165667b19e3779f9U));
    if (std::isfinite(z)) out.push_back({x, y, z});
  }
  return out;
}

/// Every point twice; quadratic work would take minutes.
void expect_quick_welding(const std::vector<Point3>& points) {
  const auto start = std::chrono::steady_clock::now();
  VertexWelder welder(64);
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_EQ(welder.id(points[i]), i);
  EXPECT_EQ(welder.take(), points);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(HostilePoints, OfOneHashAreWeldedQuickly) { expect_quick_welding(points_of_one_hash(400'000)); }

TEST(HostilePoints, ThatDifferInFewBitsAreWeldedQuickly) {
  for (const int step : {0, 20, 29, 40, 51}) {
    SCOPED_TRACE(step);
    std::vector<Point3> points;
    // All coordinates change in the same few bits, from the lowest of the mantissa up to the exponent.
    for (std::uint64_t i = 0; i < 60; ++i)
      for (std::uint64_t j = 0; j < 60; ++j)
        for (std::uint64_t k = 0; k < 60; ++k) {
          const auto number = [&](std::uint64_t n) {
            return std::bit_cast<double>(std::bit_cast<std::uint64_t>(1.0) + (n << step));
          };
          points.push_back({number(i), number(j), number(k)});
        }
    expect_quick_welding(points);
  }
}

TEST(HostilePoints, HashTheSameAsFloatsAndAsDoubles) {
  const WeldHash& hash = WeldHash::of_this_process();
  scenes::Random random(2);
  for (std::uint64_t i = 0, n = test::scaled(10'000); i < n; ++i) {
    const auto number = [&] {
      return static_cast<float>(std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(250)) - 125));
    };
    const std::array<float, 3> p{number(), number(), number()};
    ASSERT_EQ(hash(p), hash(Point3{p[0], p[1], p[2]}));
  }
  EXPECT_EQ(hash(Point3{0.0, -0.0, 1e300}), hash(Point3{-0.0, 0.0, 1e300}));
  EXPECT_EQ(hash(std::array{0.0F, -0.0F, 1.0F}), hash(std::array{-0.0F, 0.0F, 1.0F}));
}

}  // namespace
}  // namespace snug
