#pragma once

#include "ccd/sweep/swept_faces.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>

#include <cstdint>
#include <functional>
#include <span>

namespace snug::ccd::sweep {

/// Two faces by their places in the list, of different bodies, the first of the lower one.
struct FacePair {
  std::uint32_t a, b;
};

/// Step 3: all pairs of faces of different bodies whose boxes overlap, each once. Space is halved along all axes where faces of two
/// or more bodies meet, `depth` times at most; nothing of the octree is kept but the way down. A pair is listed in the one cell that
/// holds the lower corner of what its boxes have in common, so no table is needed to tell what has been listed. `faces`
/// must be ordered by body. Returns the number of cells looked into. Ends soon once the token, if any, is cancelled.
std::uint64_t visit_face_pairs(std::span<const SweptFace> faces, unsigned depth,
                               const std::function<void(FacePair)>& visit, const CancelToken* cancel = nullptr);

}  // namespace snug::ccd::sweep
