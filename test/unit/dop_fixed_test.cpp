// Certification of the fixed-point test: exact integers are the judge. See docs/proof.md.

#include "geometry/wide_int.hpp"
#include "query/pairs/dop/fixed/axes.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug::query::fixed {
namespace {

using scenes::Random;

// Every double below is an integer times a power of two; products of three are kept in units of 2^-k_unit.
constexpr int k_weight_unit = 256, k_length_unit = 128, k_scale_unit = 64;
constexpr int k_unit = k_weight_unit + k_length_unit + k_scale_unit;
using Exact = WideInt<10>;

template <std::size_t N>
WideInt<N> in_units(double x, int unit) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  if (mantissa == 0) return {};
  EXPECT_GE(exponent - 53 + unit, 0) << "the judge's units are too coarse for " << x;
  return WideInt<N>::place(mantissa, static_cast<unsigned>(exponent - 53 + unit));
}

/// value 2^shift
Exact shifted(int128 value, unsigned shift) {
  const auto high = static_cast<std::int64_t>(value >> 48);
  const auto low = static_cast<std::int64_t>(value - (static_cast<int128>(high) << 48));
  return Exact::place(high, shift + 48) + Exact::place(low, shift);
}

/// One axis test: what doubles say, and what the chip makes of it.
struct Case {
  Format format;
  DopMapping a, b;
  double p = 0, scale = 0;
  std::array<double, 24> dop_a{}, dop_b{};

  [[nodiscard]] std::array<std::int64_t, 24> rounded(const std::array<double, 24>& dop) const {
    std::array<std::int64_t, 24> out{};
    for (std::size_t i = 0; i < 24; ++i) out[i] = coefficient(dop[i], scale);
    return out;
  }
  [[nodiscard]] Sums<int128> sums() const {
    const Axis axis{mapping_of(a, format.c), mapping_of(b, format.c), offset(p, scale, format)};
    return axis_sums<int128>(axis, rounded(dop_a).data(), rounded(dop_b).data(), format);
  }

  /// diff_1 and diff_2 of Eq. 4 times the scale, exactly, in units of the last place of a coefficient and of 2^-k_unit.
  [[nodiscard]] Exact exact(bool first) const {
    WideInt<8> images;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t ja = a.slab[i], jb = b.slab[i];
      const double of_a = dop_a[first ? ja : opposite_slab(ja)], of_b = dop_b[first ? opposite_slab(jb) : jb];
      images = images + in_units<5>(a.weight[i], k_weight_unit) * in_units<3>(of_a, k_length_unit);
      images = images + in_units<5>(b.weight[i], k_weight_unit) * in_units<3>(of_b, k_length_unit);
    }
    const WideInt<8> offset_in_units = in_units<8>(first ? p : -p, k_weight_unit + k_length_unit);
    return (images + offset_in_units) * in_units<2>(scale, k_scale_unit);
  }
  /// The chip's sums in the same units.
  [[nodiscard]] Exact of_chip(int128 sum) const { return shifted(sum, static_cast<unsigned>(k_unit) - format.c); }

  /// Eq. 21 times 2^b.
  [[nodiscard]] Exact bound() const {
    constexpr std::int64_t k_root_of_3 = 1996875468137577472;  // below √3 2^60
    const auto place = [](std::int64_t value, int shift) { return Exact::place(value, static_cast<unsigned>(shift)); };
    const int b_bits = static_cast<int>(format.b);
    return place(k_root_of_3, k_unit - 60 + 1) + place(6, k_unit + b_bits - static_cast<int>(format.c)) +
           place(1, k_unit + b_bits - static_cast<int>(format.z));
  }
};

Vec3 unit_vector(Random& random) {
  while (true) {
    const Vec3 v = random.point(-1, 1);
    const double length = std::sqrt(dop_corners::dot(v, v));
    if (length > 0.1 && length <= 1) return (1 / length) * v;
  }
}

constexpr std::array k_formats{Format{17, 17, 17}, Format{34, 34, 34}, Format{7, 7, 7},   Format{11, 11, 11},
                               Format{13, 13, 13}, Format{17, 34, 20}, Format{34, 17, 8}, Format{8, 20, 28},
                               Format{40, 40, 40}, Format{4, 4, 4},    Format{20, 5, 25}, Format{29, 29, 29}};

/// Coefficients any numbers, not only those of DOPs: the bound holds for all. Sometimes on the grid, where rounding up is
/// idle, and with an offset that makes the images touch or nearly so.
Case random_case(std::uint64_t seed) {
  Random random(seed);
  Case c;
  c.format = k_formats[seed % k_formats.size()];
  const double largest = std::ldexp(random.uniform(0.5, 1), static_cast<int>(random.below(20)) - 10);
  c.scale = scale_for(largest, c.format.b);
  const bool on_grid = random.below(3) == 0;
  for (auto* dop : {&c.dop_a, &c.dop_b})
    for (double& d : *dop) {
      // 2^-80 at least, so that the judge's units suffice.
      d = std::ldexp(std::round(std::ldexp(random.uniform(-largest, largest), 80)), -80);
      if (on_grid) d = std::clamp(std::round(d * c.scale) / c.scale, -largest, largest);
      if (random.below(20) == 0) d = random.below(2) == 0 ? largest : -largest;
      if (random.below(20) == 0) d = 0;
    }
  const auto direction = [&] {
    return random.below(4) == 0 ? k_directions<24>[random.below(24)] : unit_vector(random);
  };
  c.a = map_along(direction());
  c.b = map_along(direction());
  c.p = random.uniform(-3, 3) * largest;
  if (random.below(2) == 0) {
    double images = 0;
    for (std::size_t i = 0; i < 3; ++i)
      images += c.a.weight[i] * c.dop_a[c.a.slab[i]] + c.b.weight[i] * c.dop_b[opposite_slab(c.b.slab[i])];
    c.p = std::ldexp(std::round(std::ldexp(-images, 80)), -80);
  }
  return c;
}

TEST(DopFixed, ImagesContainTheExactOnesAndTheErrorIsBounded) {
  const bool is_long = test::scaled(100) >= 1000;
  const std::uint64_t count = test::scaled(is_long ? 1000000 : 200000);
  std::uint64_t separated = 0, nearly = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const Case c = random_case(seed);
    const Sums<int128> sums = c.sums();
    for (const bool first : {true, false}) {
      const int128 sum = first ? sums.first : sums.second;
      const Exact exact = c.exact(first), error = exact - c.of_chip(sum);
      ASSERT_GE(error.sign(), 0) << "seed " << seed << ": the image is too small";
      ASSERT_GE((c.bound() - error).sign(), 0) << "seed " << seed << ": the error exceeds Eq. 21";
      if (sum > 0) {
        ASSERT_GT(exact.sign(), 0) << "seed " << seed << ": a false negative";
      }
      separated += sum > 0 ? 1 : 0;
      nearly += (error + error + error - c.bound()).sign() > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(separated, count / 20) << "some must be separated for the test to mean something";
  EXPECT_GT(nearly, count / 20) << "errors must come near the bound for the test to mean something";
}

TEST(DopFixed, SixtyFourBitsGiveTheSameSumsWhereTheySuffice) {
  for (std::uint64_t seed = 0; seed < test::scaled(20000); ++seed) {
    const Case c = random_case(seed);
    if (!c.format.narrow()) continue;
    const Axis axis{mapping_of(c.a, c.format.c), mapping_of(c.b, c.format.c), offset(c.p, c.scale, c.format)};
    const auto a = c.rounded(c.dop_a), b = c.rounded(c.dop_b);
    const auto narrow = axis_sums<std::int64_t>(axis, a.data(), b.data(), c.format);
    const auto wide = axis_sums<int128>(axis, a.data(), b.data(), c.format);
    ASSERT_TRUE(narrow.first == wide.first && narrow.second == wide.second) << seed;
  }
}

TEST(DopFixed, NumbersFitTheWordsOfTheChip) {
  // The sums of W = 18 and 35 fit 2W + 3 bits (39 and 73), coefficients and weights W, offsets W + 2.
  for (std::uint64_t seed = 0; seed < test::scaled(40000); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed);
    const std::int64_t one_b = std::int64_t{1} << c.format.b, one_c = std::int64_t{1} << c.format.c;
    for (const auto& dop : {c.rounded(c.dop_a), c.rounded(c.dop_b)})
      for (const std::int64_t d : dop) ASSERT_TRUE(-one_b <= d && d < one_b);
    for (const DopMapping& m : {c.a, c.b})
      for (const double w : m.weight) {
        ASSERT_LE(mapping(w, c.format.c), 0);
        ASSERT_GE(mapping(w, c.format.c), -one_c);
      }
    const int128 limit = static_cast<int128>(1) << (c.format.b + c.format.c + 4);
    const Sums<int128> sums = c.sums();
    for (const int128 sum : {sums.first, sums.second}) ASSERT_TRUE(-limit <= sum && sum < limit);
  }
}

TEST(DopFixed, WeightsThatRoundingCarriedOutOfRangeAreHeld) {
  EXPECT_EQ(mapping(-1 - 0x1p-52, 17), -(1 << 17));
  EXPECT_EQ(mapping(-1, 17), -(1 << 17));
  EXPECT_EQ(mapping(0x1p-60, 17), 0);
  EXPECT_EQ(mapping(-0x1p-60, 17), -1);
  EXPECT_EQ(mapping(-0.5, 17), -(1 << 16));
}

TEST(DopFixed, CoefficientsComeOutLargerWhateverDoublesRound) {
  // A product just above a whole number that rounds to it: without the guard the coefficient would shrink.
  std::uint64_t idle = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(20000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Format format = k_formats[seed % k_formats.size()];
    const double largest = random.uniform(0.5, 2), scale = scale_for(largest, format.b);
    const double whole = std::floor(random.uniform(-largest, largest) * scale);
    if (whole == 0) continue;
    double a = whole / scale;
    if (random.below(2) == 0) a = std::nextafter(a, largest);
    a = std::clamp(a, -largest, largest);
    const std::int64_t rounded = coefficient(a, scale);
    const auto exact = in_units<5>(a, k_weight_unit) * in_units<2>(scale, k_scale_unit);
    const auto of_chip = WideInt<7>::place(rounded, k_weight_unit + k_scale_unit);
    ASSERT_GT((of_chip - exact).sign(), 0);
    // No more than the guard beyond the next whole number.
    ASSERT_LT((of_chip - exact - WideInt<7>::place(257, k_weight_unit + k_scale_unit - 8) -
               WideInt<7>::place(1, k_weight_unit + k_scale_unit - 12))
                  .sign(),
              0);
    idle +=
        a * scale == whole &&
                (exact - WideInt<7>::place(static_cast<std::int64_t>(whole), k_weight_unit + k_scale_unit)).sign() > 0
            ? 1
            : 0;
  }
  EXPECT_GT(idle, 10U) << "some products must round down to whole numbers for the test to mean something";
}

TEST(DopFixed, OffsetsBeyondFourDecideAloneAndAsTheyShould) {
  for (std::uint64_t seed = 0; seed < test::scaled(20000); ++seed) {
    SCOPED_TRACE(seed);
    Case c = random_case(seed);
    Random random(seed + 1);
    const double one = std::ldexp(1.0, static_cast<int>(c.format.b)) / c.scale;
    const double far = one * (random.below(4) == 0 ? 4 : random.uniform(4, 1e6));
    c.p = random.below(2) == 0 ? far : -far;
    const std::int64_t rounded = offset(c.p, c.scale, c.format);
    ASSERT_GE(rounded, -(std::int64_t{4} << c.format.z));
    ASSERT_LT(rounded, std::int64_t{4} << c.format.z);
    const Sums<int128> sums = c.sums();
    ASSERT_EQ(sums.first > 0, c.p > 0);
    ASSERT_EQ(sums.second > 0, c.p < 0);
  }
  const Format w18 = Format::of_width(18);
  EXPECT_EQ(offset(1e300, 1e300, w18), (4 << 17) - 1);
  EXPECT_EQ(offset(-1e300, 1e300, w18), -(4 << 17));
  EXPECT_EQ(offset(0.75, scale_for(1, 17), Format{17, 17, 0}), 0);
  EXPECT_EQ(offset(-0.25, scale_for(1, 17), Format{17, 17, 0}), -1);
}

TEST(DopFixed, DopsThatTouchOnTheGridAreNotSeparated) {
  // In whole numbers, with weights that need no rounding, sums are exact: 0 when closed DOPs touch.
  std::uint64_t touching = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(20000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Format f = k_formats[seed % k_formats.size()];
    const std::int64_t one = std::int64_t{1} << f.c, reach = (std::int64_t{1} << f.b) / 4;
    std::array<std::int64_t, 24> a{}, b{};
    for (auto* dop : {&a, &b})
      for (std::int64_t& d : *dop) d = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(reach)));
    Axis axis;
    axis.a = {{static_cast<std::uint8_t>(random.below(24)), 0, 0}, {-one, 0, 0}};
    axis.b = {{static_cast<std::uint8_t>(random.below(24)), 0, 0}, {-one, 0, 0}};
    // A gap along the axis of -1, 0 or 1 units in one of the two sums; offsets on the grid of the coefficients.
    if (f.z > f.b) continue;
    const std::int64_t step = std::int64_t{1} << (f.b - f.z);
    const auto gap = static_cast<std::int64_t>(random.below(3)) - 1;
    const bool first = random.below(2) == 0;
    auto& moved = first ? b[opposite_slab(axis.b.slab[0])] : a[opposite_slab(axis.a.slab[0])];
    const std::int64_t other = first ? a[axis.a.slab[0]] : b[axis.b.slab[0]];
    axis.offset = static_cast<std::int64_t>(random.below(2 * static_cast<std::uint64_t>(reach / step) + 1));
    if (!first) axis.offset = ~axis.offset;
    moved = (first ? axis.offset : ~axis.offset) * step - other - gap;
    if (moved < 0 || moved >= 4 * reach) continue;
    const Sums<int128> sums = axis_sums<int128>(axis, a.data(), b.data(), f);
    ASSERT_EQ((first ? sums.first : sums.second) > 0, gap > 0);
    if (gap > 0) {
      ASSERT_TRUE(sums.separated());
    } else if ((first ? sums.second : sums.first) <= 0) {
      ASSERT_FALSE(sums.separated());
    }
    touching += gap == 0 ? 1 : 0;
  }
  EXPECT_GT(touching, 20U);
  EXPECT_FALSE((Sums<std::int64_t>{0, 0}.separated()));
  EXPECT_TRUE((Sums<std::int64_t>{1, -5}.separated()));
  EXPECT_TRUE((Sums<std::int64_t>{-5, 1}.separated()));
}

TEST(DopFixed, FormatsOutOfRangeAreBroughtIntoIt) {
  EXPECT_EQ(Format::within_limits(0, 100, 17), (Format{4, 40, 17}));
  EXPECT_EQ(Format::within_limits(4, 4, 40), (Format{4, 4, 8}));
  EXPECT_EQ(Format::of_width(18), (Format{17, 17, 17}));
}

}  // namespace
}  // namespace snug::query::fixed
