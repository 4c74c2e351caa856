#include "arguments.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace snug::importer {

namespace {

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool read_positive(std::string_view text, double& value) {
  return read_number(text, value) && value > 0 && std::isfinite(value);
}

/// MESH:FACE:METRES
bool read_refinement(std::string_view text, Refinement& refinement) {
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return false;
  return read_number(text.substr(0, first), refinement.mesh) &&
         read_number(text.substr(first + 1, second - first - 1), refinement.face) &&
         read_positive(text.substr(second + 1), refinement.sag_metres);
}

bool read_format(std::string_view text, FileFormat& format) {
  if (text == "step")
    format = FileFormat::step;
  else if (text == "iges")
    format = FileFormat::iges;
  else if (text == "brep")
    format = FileFormat::brep;
  else
    return false;
  return true;
}

bool read_target(std::string_view text, std::optional<FileFormat>& format) {
  return read_format(text, format.emplace()) && format != FileFormat::step;
}

/// "um", "mm" …; spelled as to_string(LengthUnit) has them.
bool read_unit(std::string_view text, LengthUnit& unit) {
  const std::optional<LengthUnit> parsed = parse_length_unit(text);
  if (parsed) unit = *parsed;
  return parsed.has_value();
}

bool read_option(Arguments& arguments, std::string_view option, std::string_view value) {
  if (option == "--format") return read_format(value, arguments.format);
  if (option == "--to") return read_target(value, arguments.to);
  if (option == "--sag") return read_positive(value, arguments.sag_metres);
  if (option == "--angle") return read_positive(value, arguments.angle_degrees) && arguments.angle_degrees <= 180;
  if (option == "--unit") return read_unit(value, arguments.unit);
  if (option == "--refine") return read_refinement(value, arguments.refinements.emplace_back());
  if (option == "--bodies") return arguments.bodies = value == "yes";
  if (option == "--list-bytes") return read_number(value, arguments.list_bytes);
  if (option == "--limit-seconds") return read_positive(value, arguments.limits.seconds);
  if (option == "--limit-memory") return read_number(value, arguments.limits.memory_bytes);
  if (option == "--limit-output") return read_number(value, arguments.limits.output_bytes);
  return false;
}

}  // namespace

Result<Arguments, std::string> parse_arguments(std::span<char* const> words) {
  Arguments arguments;
  bool has_format = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view option = words[i];
    if (option == "--version") {
      arguments.version = true;
      return arguments;
    }
    if (option == "--isolation") {
      arguments.isolation = true;
      continue;
    }
    if (i + 1 == words.size()) return Failure{"'" + std::string(option) + "' is no option, or lacks its value"};
    const std::string_view value = words[++i];
    if (!read_option(arguments, option, value))
      return Failure{"cannot make sense of '" + std::string(option) + " " + std::string(value) + "'"};
    has_format = has_format || option == "--format";
  }
  if (arguments.isolation) return arguments;
  if (!has_format || (!arguments.to && (!(arguments.sag_metres > 0) || !(arguments.angle_degrees > 0))))
    return Failure{std::string("--format is needed, and --to or --sag and --angle")};
  return arguments;
}

}  // namespace snug::importer
