#pragma once

#include "assembly/verdict/overlaps.hpp"
#include "assembly/verdict/pair_evidence.hpp"
#include "support/rooms.hpp"

namespace snug::assembly {

[[nodiscard]] SolidOverlap solid_overlap(PairEvidence& evidence);

/// Thickness, way out and volume of closed bodies that have a ball in common; without one the volume alone, if they are known to
/// overlap.
[[nodiscard]] OverlapSize overlap_size(PairEvidence& evidence, const SolidOverlap& overlap, bool known_to_overlap);

/// Is all that meets divided by fits whose interference is forgiven? The way out of a bore is along its axis, so no depth
/// would show that. Triangles that stand for themselves are no cylinders.
[[nodiscard]] bool only_press_fits_meet(PairEvidence& evidence);

}  // namespace snug::assembly
