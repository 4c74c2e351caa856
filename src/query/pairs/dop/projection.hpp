#pragma once

#include "query/pairs/dop/fixed/axes.hpp"
#include "query/pairs/dop/walk.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>

namespace snug::query {

inline constexpr unsigned k_most_groups = (k_most_axes + k_axis_lanes - 1) / k_axis_lanes;

/// One axis of one body, as its nodes are projected onto it. Weights are in the type of a coefficient.
template <class Weight, class Number>
struct LaneAxis {
  std::array<std::uint8_t, 3> slab;
  std::array<Weight, 3> weight;
  Number lower, upper;  ///< added to the images
};

/// Projects nodes onto axes in doubles. Offset and error are contained in a's images, the bodies' units in the weights.
class FloatProjection {
 public:
  using Number = double;
  using Lane = LaneAxis<double, double>;
  static constexpr std::size_t k_extra_bytes = 0;

  FloatProjection(const DopFrame& frame, const DopTree&, const DopTree&, const fixed::Format&) noexcept
      : frame_(frame) {}

  void make(const DopAxis& axis, Lane& a, Lane& b) const noexcept {
    a = {axis.a.slab, scaled(axis.a.weight, frame_.scale_a), axis.offset - frame_.error, -axis.offset - frame_.error};
    b = {axis.b.slab, scaled(axis.b.weight, frame_.scale_b), 0, 0};
  }
  /// Where there is no axis.
  void make_none(Lane& a, Lane& b) const noexcept {
    a = {{}, {}, -1, -1};
    b = {{}, {}, 0, 0};
  }
  void prepare(unsigned /*body*/, const Dop24& /*dop*/, std::byte* /*extra*/) const noexcept {}
  void project(const Dop24& dop, const std::byte* /*extra*/, const Lane& lane, double& lower,
               double& upper) const noexcept {
    const double *d = dop.d.data(), *w = lane.weight.data();
    const std::uint8_t s0 = lane.slab[0], s1 = lane.slab[1], s2 = lane.slab[2];
    lower = ((w[0] * d[s0] + w[1] * d[s1]) + w[2] * d[s2]) + lane.lower;
    upper = ((w[0] * d[opposite(s0)] + w[1] * d[opposite(s1)]) + w[2] * d[opposite(s2)]) + lane.upper;
  }

 private:
  static std::array<double, 3> scaled(const std::array<double, 3>& w, double scale) noexcept {
    return {w[0] * scale, w[1] * scale, w[2] * scale};
  }

  const DopFrame& frame_;
};

/// The same in fixed point, as the chip does, with the narrowest numbers that hold a format's coefficients and sums. A node's
/// coefficients are rounded when it is first met.
template <class Sum, class Word>
class FixedProjection {
 public:
  using Number = Sum;
  using Lane = LaneAxis<Word, Sum>;
  static constexpr std::size_t k_extra_bytes = 24 * sizeof(Word);

  FixedProjection(const DopFrame& frame, const DopTree& a, const DopTree& b, const fixed::Format& format) noexcept
      : unit_scale_{frame.scale_a, frame.scale_b}, scenario_(frame, a, b, format) {}

  void make(const DopAxis& axis, Lane& a, Lane& b) const noexcept {
    if (!scenario_.usable || !(axis.offset == axis.offset)) return make_none(a, b);
    const fixed::Axis rounded = fixed::axis_of(axis, scenario_);
    a = {rounded.a.slab, narrowed(rounded.a.weight), fixed::offset_of_first<Sum>(rounded.offset, scenario_.format),
         fixed::offset_of_second<Sum>(rounded.offset, scenario_.format)};
    b = {rounded.b.slab, narrowed(rounded.b.weight), 0, 0};
  }
  void make_none(Lane& a, Lane& b) const noexcept {
    a = {{}, {}, 0, 0};
    b = {{}, {}, 0, 0};
  }
  void prepare(unsigned body, const Dop24& dop, std::byte* extra) const noexcept {
    auto* const coefficients = reinterpret_cast<Word*>(extra);
    const double unit_scale = unit_scale_[body];
    if (!scenario_.usable) {
      std::fill_n(coefficients, dop.d.size(), Word{0});
      return;
    }
    for (std::size_t i = 0; i < dop.d.size(); ++i)
      coefficients[i] = scenario_.template coefficient<Word>(dop.d[i], unit_scale);
  }
  void project(const Dop24& /*dop*/, const std::byte* extra, const Lane& lane, Sum& lower, Sum& upper) const noexcept {
    const auto* const coefficients = reinterpret_cast<const Word*>(extra);
    lower = fixed::lower_image<Sum>(lane, coefficients) + lane.lower;
    upper = fixed::upper_image<Sum>(lane, coefficients) + lane.upper;
  }
  [[nodiscard]] const fixed::Scenario& scenario() const noexcept { return scenario_; }

 private:
  static std::array<Word, 3> narrowed(const std::array<std::int64_t, 3>& w) noexcept {
    return {static_cast<Word>(w[0]), static_cast<Word>(w[1]), static_cast<Word>(w[2])};
  }

  double unit_scale_[2];
  fixed::Scenario scenario_;
};

}  // namespace snug::query
