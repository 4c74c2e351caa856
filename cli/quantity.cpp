#include "quantity.hpp"

#include "errors.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace snug::cli {

namespace {

[[noreturn]] void refuse_quantity(std::string_view what, std::string_view text, const std::string& why) {
  fail_usage(std::string(what) + ": '" + std::string(text) + "' " + why);
}

constexpr std::array<std::pair<std::string_view, double>, 4> k_times{
    {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}}};

}  // namespace

double parse_time(std::string_view text, std::string_view what) {
  const std::string form = "; write a number and its unit, like 1ms (units: s, ms, us, min)";
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) refuse_quantity(what, text, "is not a time" + form);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) refuse_quantity(what, text, "has no unit" + form);
  for (const auto& [word, seconds] : k_times) {
    if (unit != word) continue;
    if (!(value * seconds > 0)) refuse_quantity(what, text, "is out of range; it must be above zero");
    return value * seconds;
  }
  refuse_quantity(what, text, "has the unknown unit '" + std::string(unit) + '\'' + form);
}

std::uint64_t parse_count(std::string_view text, std::string_view what, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    refuse_quantity(what, text, "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? singular : plural);
}

std::string counted(std::uint64_t count, std::string_view singular) {
  return counted(count, singular, std::string(singular) + 's');
}

}  // namespace snug::cli
