#pragma once

#include <snug/ccd.hpp>

#include <optional>

namespace snug::judge {

// Truth about continuous contact by CGAL's algebraic numbers over integers of unlimited length. No code is shared with snug,
// and other polynomials are asked: quartics in space instead of quadratics along axes.

struct MovingTruth {
  bool hit = false;
  bool claim_holds =
      false;  ///< no contact was claimed and there is none, or the first contact lies in the claimed interval
};
[[nodiscard]] MovingTruth moving_truth(const MovingPoint& vertex, const MovingTriangle& face,
                                       const std::optional<ContactTime>& claim);
[[nodiscard]] MovingTruth moving_truth(const MovingEdge& a, const MovingEdge& b,
                                       const std::optional<ContactTime>& claim);

}  // namespace snug::judge
