#pragma once

#include "assembly/verdict/pair_evidence.hpp"
#include "support/rooms.hpp"

#include <string>

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

[[nodiscard]] SolidOverlap solid_overlap(PairEvidence& evidence);

/// Thickness, way out and volume of closed bodies that have a ball in common; without one the volume alone, if they are known to
/// overlap.
[[nodiscard]] OverlapSize overlap_size(PairEvidence& evidence, const SolidOverlap& overlap, bool known_to_overlap);

/// Is all that meets divided by fits whose interference is forgiven? The way out of a bore is along its axis, so no depth
/// would show that. Triangles that stand for themselves are no cylinders.
[[nodiscard]] bool only_press_fits_meet(PairEvidence& evidence);

}  // namespace snug::assembly
