#pragma once

#include <snug/assembly.hpp>

#include <string>
#include <string_view>

namespace snug::cli {

/// A length as users give it: a number and its unit, "0.5mm". Bare numbers are refused: nothing is guessed.
struct Length {
  double value = 0;
  LengthUnit unit = LengthUnit::millimetre;

  /// Ends the program (wrong usage) for anything but a number that is not negative, and a unit, which 0 can do
  /// without; `what` names the option.
  static Length parse(std::string_view text, std::string_view what);
  [[nodiscard]] double in(LengthUnit other) const noexcept;
};

/// Ends the program (wrong usage) for anything but a known unit.
[[nodiscard]] LengthUnit parse_unit(std::string_view text, std::string_view what);

inline constexpr const char* k_units_list = "um, mm, cm, m, in, ft";

}  // namespace snug::cli
