#pragma once

#include "assembly/verdict/pair_evidence.hpp"
#include "support/rooms.hpp"

namespace snug::assembly {

[[nodiscard]] SheetOverlap sheet_overlap(PairEvidence& evidence);

}  // namespace snug::assembly
