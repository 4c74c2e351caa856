#pragma once

#include "assembly/verdict/pair_evidence.hpp"
#include "support/rooms.hpp"

namespace snug::assembly {

/// A verdict and what it rests on.
struct Decision {
  Verdict verdict = Verdict::clear;
  std::string reason = {};  ///< of what is undecided
  std::optional<Point3> point = std::nullopt;
  std::optional<double> gap = std::nullopt;
  SolidOverlap overlap = {};
  bool by_gap = false;  ///< no triangles meet, and nothing is inside: the distance decides
  bool firm = true;     ///< holds wherever the faces are within their sags
  std::vector<SurfacesInDoubt> in_doubt = {};

  [[nodiscard]] bool overlaps() const noexcept { return verdict >= Verdict::clash; }
};

/// The gravest verdict that the triangles deserve.
[[nodiscard]] Decision decide_by_triangles(PairEvidence& evidence);

/// The verdict that the faces deserve for which the triangles stand, and whether it is firm.
[[nodiscard]] Decision decide_by_faces(PairEvidence& evidence, const Decision& by_triangles);

/// A touch is undecided where the rounding of the poses may hide a clash.
[[nodiscard]] Decision decide_by_rounding(PairEvidence& evidence, Decision by_faces);
inline constexpr const char* k_hidden_by_rounding =
    "the rounding of the poses is not small beside the parts, so that a touch cannot be told from a clash";

}  // namespace snug::assembly
