#include "geometry/exact_sign.hpp"
#include "geometry/wide_int.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

namespace snug {
namespace {

using geometry::WideInt;
using scenes::Random;
__extension__ using int128 = __int128;

TEST(WideInt, MultipliesAndSubtractsLikeBuiltInIntegers) {
  Random random(7);
  for (std::uint64_t i = 0; i < test::scaled(100000); ++i) {
    const auto a = static_cast<std::int64_t>(random.next()) >> random.below(64);
    const auto b = static_cast<std::int64_t>(random.next()) >> random.below(64);
    const auto c = static_cast<std::int64_t>(random.next()) >> (2 + random.below(62));
    const auto d = static_cast<std::int64_t>(random.next()) >> (2 + random.below(62));
    if (a == INT64_MIN || b == INT64_MIN) continue;
    const int128 difference = static_cast<int128>(a >> 2) * (b >> 2) - static_cast<int128>(c) * d;
    const auto wide =
        WideInt<1>::place(a >> 2, 0) * WideInt<1>::place(b >> 2, 0) - WideInt<1>::place(c, 0) * WideInt<1>::place(d, 0);
    ASSERT_EQ(wide.sign(), difference > 0 ? 1 : difference < 0 ? -1 : 0);
    ASSERT_EQ(wide.limb[0], static_cast<std::uint64_t>(difference));
    ASSERT_EQ(wide.limb[1], static_cast<std::uint64_t>(difference >> 64));
  }
}

TEST(WideInt, PlacesMantissasAcrossLimbs) {
  const auto x = WideInt<3>::place(-3, 63);
  EXPECT_EQ(x.sign(), -1);
  const auto y = x + WideInt<3>::place(3, 63);
  EXPECT_EQ(y.sign(), 0);
  EXPECT_EQ((x + WideInt<3>::place(1, 65)).sign(), 1);
  EXPECT_EQ((x + WideInt<3>::place(1, 64)).sign(), -1);
}

/// A number of so many bits, its highest one worth 2^exponent: an integer in the unit of its axis, or just not.
double number_of_bits(Random& random, int exponent) {
  const auto bits = static_cast<unsigned>(random.below(53));
  const auto mantissa = static_cast<double>((random.next() >> (63 - bits)) | 1U);
  return std::ldexp(random.below(2) == 0 ? mantissa : -mantissa, exponent - static_cast<int>(bits));
}

TEST(ShortInts, AgreeWithWideOnesUpToTheirLimits) {
  for (const int base : {0, -899, -901, 860, 899, 902, -1020}) {
    Random random(23);
    int zeros = 0;
    for (std::uint64_t i = 0; i < test::scaled(20000); ++i) {
      SCOPED_TRACE(testing::Message() << "base " << base << ", case " << i);
      // Exponents so far apart that some axes just fit 61 bits and some just do not.
      // Now and then so far that the smaller vanish beside the larger.
      const auto spread = static_cast<int>(random.below(random.below(8) == 0 ? 2000 : 14));
      const auto coordinate = [&] {
        const auto lower = static_cast<int>(random.below(static_cast<std::uint64_t>(spread) + 1));
        return number_of_bits(random, std::max(base - lower, -1020));
      };
      std::array<Point3, 4> p;
      for (Point3& q : p) q = {coordinate(), coordinate(), coordinate()};
      // Often nearly in one plane, or quite: by a corner or a coordinate in common, or as the middle of two others.
      const std::uint64_t how = random.below(5);
      if (how == 0) p[3] = p[random.below(3)];
      if (how == 1) p[1].y = p[2].y = p[3].y = p[0].y;
      if (how == 2) p[3] = {(p[0].x + p[1].x) / 2, (p[0].y + p[1].y) / 2, (p[0].z + p[1].z) / 2};
      if (how == 3) p[3] = {p[0].x, p[0].y, std::nextafter(p[0].z, 0)};
      const int side = geometry::exact_side_of_plane(p[0], p[1], p[2], p[3]);
      zeros += side == 0;
      ASSERT_EQ(side, geometry::exact_sign_det3({&p[1], &p[0]}, {&p[2], &p[0]}, {&p[3], &p[0]}));
      ASSERT_EQ(side, -orient3d(p[0], p[1], p[2], p[3]));
      const std::array<Point3, 3> flat{Point3{p[0].x, p[0].y, 0}, {p[1].x, p[1].y, 0}, {p[2].x, p[2].y, 0}};
      const Point3 above{p[0].x, p[0].y, std::ldexp(1.0, base)};
      ASSERT_EQ(geometry::exact_sign_det2(p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y),
                geometry::exact_sign_det3({&flat[1], &flat[0]}, {&flat[2], &flat[0]}, {&above, &flat[0]}));
    }
    EXPECT_GT(zeros, 0) << "seed 23, base " << base;
  }
}

TEST(Orient, FollowsItsDocumentedSigns) {
  EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), -1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 7, 0}), 0);
}

TEST(Orient, SeesTheLastBitAnywhereInTheRange) {
  for (const double scale : {DBL_TRUE_MIN, DBL_MIN, 1e-200, 1e-100, 1e-9, 1.0, 1e9, 1e100, 1e200, DBL_MAX / 16}) {
    SCOPED_TRACE(scale);
    const double up = std::nextafter(scale, DBL_MAX);
    // b and c on the diagonal through the origin; d one step off it.
    EXPECT_EQ(orient2d({0, 0}, {scale, scale}, {4 * scale, 4 * scale}), 0);
    EXPECT_EQ(orient2d({0, 0}, {scale, scale}, {scale, up}), 1);
    EXPECT_EQ(orient2d({0, 0}, {scale, scale}, {up, scale}), -1);
    const Point3 a{0, 0, 0}, b{scale, 0, scale}, c{0, scale, scale};
    EXPECT_EQ(orient3d(a, b, c, {scale, scale, 2 * scale}), 0);
    EXPECT_EQ(orient3d(a, b, c, {scale, scale, std::nextafter(2 * scale, DBL_MAX)}), -1);
    EXPECT_EQ(orient3d(a, b, c, {scale, scale, std::nextafter(2 * scale, 0)}), 1);
  }
}

TEST(Orient, SurvivesMixedMagnitudes) {
  EXPECT_EQ(orient3d({0, 0, 0}, {DBL_TRUE_MIN, 0, 0}, {0, DBL_TRUE_MIN, 0}, {DBL_MAX, -DBL_MAX, -DBL_TRUE_MIN}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {DBL_MAX, 0, 0}, {0, DBL_MAX, 0}, {-DBL_MAX, DBL_MAX, DBL_TRUE_MIN}), -1);
  EXPECT_EQ(orient3d({-DBL_MAX, 0, 0}, {DBL_MAX, 0, 0}, {0, DBL_MAX, 0}, {0, -DBL_MAX, 0}), 0);
  EXPECT_EQ(orient2d({-DBL_MAX, -DBL_MAX}, {DBL_MAX, DBL_MAX}, {0, DBL_TRUE_MIN}), 1);
  EXPECT_EQ(orient2d({-DBL_MAX, -DBL_MAX}, {DBL_MAX, DBL_MAX}, {0, 0}), 0);
}

TEST(Orient, ChangesSignWithEveryExchangeOfPoints) {
  Random random(11);
  for (std::uint64_t i = 0; i < test::scaled(20000); ++i) {
    SCOPED_TRACE(i);
    // Points of a small grid, often coplanar, far from the origin.
    const double offset = random.below(2) == 0 ? 0 : 1e7;
    const auto coordinate = [&] { return offset + static_cast<double>(random.below(4)) * 0.1; };
    std::array<Point3, 4> p;
    for (Point3& q : p) q = {coordinate(), coordinate(), coordinate()};
    const int sign = orient3d(p[0], p[1], p[2], p[3]);
    ASSERT_EQ(orient3d(p[1], p[0], p[2], p[3]), -sign);
    ASSERT_EQ(orient3d(p[0], p[2], p[1], p[3]), -sign);
    ASSERT_EQ(orient3d(p[0], p[1], p[3], p[2]), -sign);
    ASSERT_EQ(orient3d(p[1], p[2], p[0], p[3]), sign);
  }
}

TEST(Orient, TheFilterSettlesGenericInputAlone) {
  Random random(13);
  const std::uint64_t before = geometry::exact_sign_calls();
  for (int i = 0; i < 1000; ++i)
    (void)orient3d(random.point(-1, 1), random.point(-1, 1), random.point(-1, 1), random.point(-1, 1));
  EXPECT_LE(geometry::exact_sign_calls() - before, 1U);
}

}  // namespace
}  // namespace snug
