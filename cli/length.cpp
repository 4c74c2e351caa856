#include "length.hpp"

#include "errors.hpp"

#include <charconv>
#include <cmath>

namespace snug::cli {

namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view text, const std::string& why) {
  fail_usage(std::string(what) + ": '" + std::string(text) + "' " + why);
}

}  // namespace

Length Length::parse(std::string_view text, std::string_view what) {
  const std::string form = "; write a number and its unit, like 0.5mm (units: " + std::string(k_units_list) + ')';
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) refuse(what, text, "is not a length" + form);
  if (error != std::errc{} || !std::isfinite(value)) refuse(what, text, "is not a finite number" + form);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty() && value == 0) return {0, LengthUnit::millimetre};  // nothing is nothing in every unit
  if (unit.empty()) refuse(what, text, "has no unit" + form);
  const auto known = parse_length_unit(unit);
  if (!known) refuse(what, text, "has the unknown unit '" + std::string(unit) + '\'' + form);
  if (value < 0) refuse(what, text, "is negative; lengths are zero or more");
  return {value, *known};
}

double Length::in(LengthUnit other) const noexcept {
  return unit == other ? value : value * metres_per(unit) / metres_per(other);
}

LengthUnit parse_unit(std::string_view text, std::string_view what) {
  const auto unit = parse_length_unit(text);
  if (!unit) refuse(what, text, "is not a unit of length; known are " + std::string(k_units_list));
  return *unit;
}

}  // namespace snug::cli
