#pragma once

#include "chip/model/pipe_model.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace snug::hardware {

/// What is held to the golden model; which there are depends on what the program was built with.
struct UnitsUnderTest {
  std::vector<std::unique_ptr<OverlapUnit>> units;
  /// The untimed model, if there is one.
  std::function<std::vector<AxisAnswer>(const std::vector<AxisTest>&)> untimed;
  /// Writes what lines of RTL were reached, if the program was built to count them.
  std::function<void(const std::string&)> write_coverage;
};

[[nodiscard]] UnitsUnderTest make_units(const Configuration& configuration);

}  // namespace snug::hardware
