#pragma once

#include "ccd/open_pair.hpp"
#include "ccd/relative_motion.hpp"
#include "query/distance/nearest.hpp"
#include "support/rooms.hpp"

#include <vector>

namespace snug::ccd {

/// A pair, and until when it was proved to stay clear.
struct WaitingPair : OpenPair {
  double t = 0;
};

/// What the search for the first contact keeps from call to call.
struct AdvancementMemory {
  RelativeMotion motion;
  std::vector<WaitingPair> later;
  std::vector<OpenPair> now;
  NearPairs near;
};

}  // namespace snug::ccd
