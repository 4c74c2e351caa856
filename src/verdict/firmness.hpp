#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/verdict.hpp>

#include <array>
#include <optional>
#include <span>

// What is certain of two parts when their triangles only stand for faces that may be elsewhere by their sags. Every
// function here is conservative: what it calls certain holds for all faces within the sags.

namespace snug::detail {

/// The smallest distance that the faces of two bodies may have, and between which two.
struct TrueGap {
  double least = 0;  ///< 0 if they may meet
  std::array<std::uint32_t, 2> surfaces{};
};
/// Nothing if the faces are further apart than `reach`, whatever the sags.
[[nodiscard]] std::optional<TrueGap> least_gap(const PosedSolid& a, const PosedSolid& b, double reach);

/// Are contacts of these pairs what they seem? True if no contact depends on where a face is within its sag: each is
/// between faces that triangles show exactly, or at the border of a patch where flat faces lie on one another.
[[nodiscard]] bool contacts_are_firm(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                     std::span<const ContactPatch> patches, double resolution);

/// Sags and tolerances of the two faces, added.
[[nodiscard]] inline double sag_between(const PosedSolid& a, const PosedSolid& b,
                                        const std::array<std::uint32_t, 2>& surfaces) {
  return a.sag().of(surfaces[0]) + b.sag().of(surfaces[1]);
}

}  // namespace snug::detail
