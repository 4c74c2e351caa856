#pragma once

#include "assembly/verdict/firmness.hpp"
#include "penetration/common_ball.hpp"
#include "support/rooms.hpp"

#include <snug/verdict.hpp>

#include <optional>
#include <string>

// What evidence sums up: facts that several rules read.

namespace snug::assembly {

/// Depth and volume of an overlap, as far as they are known.
struct OverlapSize {
  std::optional<Depth> depth;
  std::optional<OverlapVolume> volume;
  bool within_tolerance = false;  ///< see PairEvidence::Ball
};

/// What closed shells of two bodies have in common, by their triangles.
struct SolidOverlap {
  enum class Kind : std::uint8_t {
    none,        ///< nothing that is wider than rounding, or it was not looked for
    same_solid,  ///< one solid is there twice
    thick,       ///< thicker than the band
    forgiven,    ///< proved to be no thicker than the band
    press_fit,   ///< it may be thicker, but all that meets is in fits whose interference is forgiven
    by_sag,      ///< it may be thicker, but the faces need not have it
    open,        ///< it may be thicker than the band, and nothing proves that it is or is not
  };
  Kind kind = Kind::none;
  bool searched = false;           ///< both have closed shells that may overlap
  std::optional<CommonBall> ball;  ///< in both
  bool thin = false;               ///< shrunk bodies proved that it is no thicker than the band
  OverlapSize size;                ///< measured where the way out might forgive it
  std::string reason = {};         ///< why it is open
};

/// What open shells show: where they cross the other body, and whether they may be inside it.
struct SheetOverlap {
  std::optional<Point3> crossing;
  bool may_be_inside = false;
};

/// How far apart the faces of two bodies may be whose closest triangles are known.
struct FacesGap {
  std::optional<TrueGap> least;  ///< nothing: further than is of interest, whatever the sags
  double shown = 0;              ///< what the triangles show, as far as the faces allow it
  double most = 0;
  /// Triangles do not meet, but only because of rounding, the CAD tolerance, or because they do not show the form of their faces.
  bool meet = false;
  bool firm = false;  ///< the verdict is the same for the least and the most
};

}  // namespace snug::assembly
