#pragma once

#include "chip/model/configuration.hpp"

#include <cstdint>
#include <string>

namespace snug::hardware {

/// What programs of co-simulation are told.
struct Arguments {
  const Configuration* configuration = nullptr;
  std::uint64_t vectors = 0;
  std::uint64_t seed = 1;
  std::string coverage;  ///< file for the lines of RTL that were reached
};

/// `./run test --long` sets SNUG_LONG.
[[nodiscard]] bool long_run();
/// False for wrong usage; what is not given stays as it is.
[[nodiscard]] bool read(int argc, char** argv, Arguments& arguments);
/// Says how `program` is used; returns exit code 2.
int usage(const char* program);

}  // namespace snug::hardware
