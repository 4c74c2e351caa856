#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/verdict.hpp>

#include <array>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace snug::detail {

/// Pairs of faces whose distance is known from their analytic forms, so that their triangles need not be asked: bores and
/// what sits in them on the same axis or centre. Crossing triangles there mean nothing.
class Fits {
 public:
  Fits() = default;
  Fits(std::span<const SurfaceMating> matings, const PosedSolid& a, const PosedSolid& b);

  [[nodiscard]] bool empty() const noexcept { return gap_of_.empty(); }
  [[nodiscard]] bool knows(const std::array<std::uint32_t, 2>& surfaces) const { return gap_of_.contains(surfaces); }
  /// Negative for interference; infinite if there is none.
  [[nodiscard]] double tightest() const noexcept { return tightest_; }

  /// Do two triangles come within `sag` of each other only where their faces end at the faces of a fit, as the end of a
  /// bush does at its bore? Every corner that is not on a face of a fit is further away.
  [[nodiscard]] bool explain(const PosedSolid& a, std::uint32_t triangle_a, const PosedSolid& b,
                             std::uint32_t triangle_b, double sag) const;

 private:
  std::map<std::array<std::uint32_t, 2>, double> gap_of_;
  double tightest_ = std::numeric_limits<double>::infinity();
  std::vector<bool> on_fit_a_, on_fit_b_;  ///< per vertex: it is on a face of a fit
};

}  // namespace snug::detail
