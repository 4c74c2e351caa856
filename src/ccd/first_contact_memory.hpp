#pragma once

#include "ccd/pace.hpp"
#include "query/distance/nearest.hpp"

#include <cstdint>
#include <vector>

namespace snug::detail {

/// Two nodes or two triangles, and until when they were proved to stay clear of each other.
struct TimedPair {
  static constexpr std::uint32_t k_triangle = 0x8000'0000U;
  double t = 0;
  std::uint32_t a = 0, b = 0;

  [[nodiscard]] bool of_triangles() const noexcept { return (a & k_triangle) != 0; }
};

/// What the search for the first contact keeps from call to call.
struct FirstContactMemory {
  Pace pace;
  std::vector<TimedPair> later, now;
  NearPairs near;
};

}  // namespace snug::detail
