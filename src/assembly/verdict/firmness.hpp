#pragma once

#include "penetration/fits.hpp"
#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/verdict.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

// What is certain of two parts when their triangles only stand for faces that may be elsewhere by their sags. Every
// function here is conservative: what it calls certain holds for all faces within the sags.

namespace snug::assembly {

/// The smallest distance that the faces of two bodies may have, and between which two.
struct TrueGap {
  double least = 0;  ///< 0 if they may meet
  std::array<std::uint32_t, 2> surfaces{};
};
/// Nothing if the faces are further apart than `reach`, whatever the sags.
[[nodiscard]] std::optional<TrueGap> least_gap(const PosedSolid& a, const PosedSolid& b, double reach,
                                               const Fits& fits);

/// Are parts that touch sure to touch and no more? Wherever faces may meet within their sags, they must be faces that
/// triangles show exactly, or be divided: by the plane of a patch where flat faces lie on one another, by the plane of one of
/// both, by a plane that a round face is tangent to, by the form of a ball, or by a fit of equal radii or whose interference is `forgiven`. Planes divide give or take
/// `sunk`. Otherwise the faces that leave it open, ordered.
[[nodiscard]] std::vector<std::array<std::uint32_t, 2>> doubtful_contact(const PosedSolid& a, const PosedSolid& b,
                                                                         std::span<const ContactPatch> patches,
                                                                         const Fits& fits, double forgiven = 0,
                                                                         double sunk = 0);

/// Sags and tolerances of the two faces, added.
[[nodiscard]] inline double sag_between(const PosedSolid& a, const PosedSolid& b,
                                        const std::array<std::uint32_t, 2>& surfaces) {
  return a.sag().of(surfaces[0]) + b.sag().of(surfaces[1]);
}

}  // namespace snug::assembly
