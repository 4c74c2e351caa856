#pragma once

#include "assembly/verdict/pair_evidence.hpp"
#include "support/rooms.hpp"

namespace snug::assembly {

[[nodiscard]] FacesGap find_faces_gap(PairEvidence& evidence);

}  // namespace snug::assembly
