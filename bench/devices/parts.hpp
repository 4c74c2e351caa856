#pragma once

#include "bench/devices/curves.hpp"
#include "bench/report/row.hpp"

#include <cstdint>

namespace snug::bench::devices {

struct Options {
  bool quick = false, json = false;
  std::string csv, curves;              ///< files
  std::uint32_t bodies = 0, steps = 0;  ///< 0: the suite's own
};

/// Figures 14 and 15 of Lehericey et al. (2013), and walks through DOP-trees, on one device and on two. False, with words on
/// stderr, if there are no two devices.
[[nodiscard]] bool measure(const Options& options, Results& results, std::vector<Curve>& curves);

}  // namespace snug::bench::devices
