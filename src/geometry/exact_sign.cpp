#include "geometry/exact_sign.hpp"

#include "geometry/scaled_double.hpp"
#include "geometry/short_ints.hpp"
#include "geometry/wide_int.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

// Every finite double is an integer times a power of two. Each axis is scaled by its own power of two, which leaves the
// sign of the determinant alone, so that all its coordinates become integers; the determinant is then computed in
// integers just wide enough. Coordinates of real models lie close together in exponent and take the way of short integers
// or of few limbs; the widest one covers everything from the smallest subnormal to the largest double.

namespace snug::geometry {

namespace {

thread_local std::uint64_t t_exact_calls = 0;

/// One axis of all points of a determinant, on a common scale.
template <std::size_t Points>
struct Axis {
  std::array<ScaledDouble, Points> value;
  int lowest = 0;  ///< exponent of the unit
  int bits = 0;    ///< every magnitude is below 2^bits units

  explicit Axis(const std::array<double, Points>& coordinates) noexcept {
    int low = std::numeric_limits<int>::max();
    int high = std::numeric_limits<int>::min();
    for (std::size_t i = 0; i < Points; ++i) {
      SNUG_ASSERT(std::isfinite(coordinates[i]));
      value[i] = decompose(coordinates[i]);
      if (value[i].mantissa == 0) continue;
      const auto magnitude = static_cast<std::uint64_t>(std::abs(value[i].mantissa));
      low = std::min(low, value[i].exponent);
      high = std::max(high, value[i].exponent + static_cast<int>(std::bit_width(magnitude)));
    }
    if (low > high) return;  // all zero
    lowest = low;
    bits = high - low;
  }

  template <std::size_t N>
  [[nodiscard]] WideInt<N> at(std::size_t i) const noexcept {
    const ScaledDouble& s = value[i];
    return s.mantissa == 0 ? WideInt<N>{} : WideInt<N>::place(s.mantissa, static_cast<unsigned>(s.exponent - lowest));
  }
  template <std::size_t N>
  [[nodiscard]] WideInt<N> difference(std::size_t to, std::size_t from) const noexcept {
    return at<N>(to) - at<N>(from);
  }
};

/// Largest field in which differences stay below 2^(64N-2), so that a 2x2 or 3x3 determinant of them fits 2N or 3N limbs.
constexpr int bits_that_fit(std::size_t limbs) { return static_cast<int>(64 * limbs) - 3; }
constexpr std::size_t k_widest = 33;
static_assert(bits_that_fit(k_widest) >= 1024 + 1074, "the widest path must hold every pair of finite doubles");

template <std::size_t N>
using Row = std::array<WideInt<N>, 3>;

template <std::size_t N>
int sign_det3(const Row<N>& x, const Row<N>& y, const Row<N>& z) noexcept {
  const auto minor01 = x[0] * y[1] - y[0] * x[1];
  const auto minor12 = x[1] * y[2] - y[1] * x[2];
  const auto minor20 = x[2] * y[0] - y[2] * x[0];
  return (minor01 * z[2] + minor12 * z[0] + minor20 * z[1]).sign();
}

/// Rows 2i minus 2i+1: any three differences.
template <std::size_t N>
Row<N> differences(const Axis<6>& axis) noexcept {
  return {axis.difference<N>(0, 1), axis.difference<N>(2, 3), axis.difference<N>(4, 5)};
}
/// Points 1, 2, 3 minus point 0.
template <std::size_t N>
Row<N> differences(const Axis<4>& axis) noexcept {
  const WideInt<N> origin = axis.at<N>(0);
  return {axis.at<N>(1) - origin, axis.at<N>(2) - origin, axis.at<N>(3) - origin};
}

template <std::size_t Points>
int sign_det3(const Axis<Points>& x, const Axis<Points>& y, const Axis<Points>& z) noexcept {
  const int bits = std::max({x.bits, y.bits, z.bits});
  const auto in_width = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
    return sign_det3<N>(differences<N>(x), differences<N>(y), differences<N>(z));
  };
  if (bits <= bits_that_fit(1)) return in_width(std::integral_constant<std::size_t, 1>{});
  if (bits <= bits_that_fit(2)) return in_width(std::integral_constant<std::size_t, 2>{});
  if (bits <= bits_that_fit(6)) return in_width(std::integral_constant<std::size_t, 6>{});
  return in_width(std::integral_constant<std::size_t, k_widest>{});
}

using Axis2 = Axis<3>;  // a, b, c

template <std::size_t N>
int sign_det2(const Axis2& x, const Axis2& y) noexcept {
  return (x.difference<N>(1, 0) * y.difference<N>(2, 0) - y.difference<N>(1, 0) * x.difference<N>(2, 0)).sign();
}

ShortRow from_first(const ShortAxis<4>& axis) noexcept {
  return {axis.at[1] - axis.at[0], axis.at[2] - axis.at[0], axis.at[3] - axis.at[0]};
}

}  // namespace

int exact_sign_det3(Difference row0, Difference row1, Difference row2) noexcept {
  ++t_exact_calls;
  const std::array<const Point3*, 6> p{row0.to, row0.from, row1.to, row1.from, row2.to, row2.from};
  return sign_det3(Axis<6>({p[0]->x, p[1]->x, p[2]->x, p[3]->x, p[4]->x, p[5]->x}),
                   Axis<6>({p[0]->y, p[1]->y, p[2]->y, p[3]->y, p[4]->y, p[5]->y}),
                   Axis<6>({p[0]->z, p[1]->z, p[2]->z, p[3]->z, p[4]->z, p[5]->z}));
}

int exact_side_of_plane(const Point3& a, const Point3& b, const Point3& c, const Point3& d) noexcept {
  ++t_exact_calls;
  if (ShortAxis<4> x, y, z;
      x.assign({a.x, b.x, c.x, d.x}) && y.assign({a.y, b.y, c.y, d.y}) && z.assign({a.z, b.z, c.z, d.z}))
    return sign_det3(from_first(x), from_first(y), from_first(z));
  return sign_det3(Axis<4>({a.x, b.x, c.x, d.x}), Axis<4>({a.y, b.y, c.y, d.y}), Axis<4>({a.z, b.z, c.z, d.z}));
}

int exact_sign_det2(double ax, double ay, double bx, double by, double cx, double cy) noexcept {
  ++t_exact_calls;
  if (ShortAxis<3> x, y; x.assign({ax, bx, cx}) && y.assign({ay, by, cy})) {
    const Int128 left = static_cast<Int128>(x.at[1] - x.at[0]) * (y.at[2] - y.at[0]);
    const Int128 right = static_cast<Int128>(y.at[1] - y.at[0]) * (x.at[2] - x.at[0]);
    return static_cast<int>(left > right) - static_cast<int>(left < right);
  }
  const Axis2 x({ax, bx, cx});
  const Axis2 y({ay, by, cy});
  const int bits = std::max(x.bits, y.bits);
  if (bits <= bits_that_fit(1)) return sign_det2<1>(x, y);
  if (bits <= bits_that_fit(2)) return sign_det2<2>(x, y);
  if (bits <= bits_that_fit(6)) return sign_det2<6>(x, y);
  return sign_det2<k_widest>(x, y);
}

std::uint64_t exact_sign_calls() noexcept { return t_exact_calls; }

}  // namespace snug::geometry
