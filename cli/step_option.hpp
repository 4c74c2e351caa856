#pragma once

#include <snug/page.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace snug::cli {

/// One `--step` of `snug move`: a part or sub-assembly and how it moves in the axes of the assembly, as users write it:
/// "box/lid=shift 0,0,80mm", "box/lid=turn 110deg about 0,20,5mm along 1,0,0 pitch 1mm".
struct StepOption {
  std::string part;
  bool turns = false;
  std::array<double, 3> shift{};               ///< millimetres
  std::array<double, 3> point{}, direction{};  ///< millimetres; any length
  double degrees = 0, pitch = 0;               ///< pitch in millimetres

  /// Ends the program (wrong usage) for anything else.
  static StepOption parse(std::string_view text);
};

/// The steps one after another, a second each. Ends the program (wrong usage) for parts that the assembly lacks.
[[nodiscard]] PageMotion motion_of_steps(const std::vector<StepOption>& steps, const Assembly& assembly);

}  // namespace snug::cli
