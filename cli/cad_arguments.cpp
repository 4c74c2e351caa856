#include "cad_arguments.hpp"

#include "errors.hpp"
#include "length.hpp"
#include "options.hpp"
#include "output.hpp"

#include <snug/importer.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace snug::cli {

namespace {

struct Quantity {
  double value = 0;
  std::string_view unit;
};

[[noreturn]] void refuse_cad(std::string_view option, std::string_view text, std::string_view why) {
  fail_usage(std::string(option) + ": '" + std::string(text) + "' " + std::string(why));
}

/// A finite number and what stands behind it.
Quantity parse_quantity(std::string_view text, std::string_view option, std::string_view form) {
  Quantity out;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.value);
  if (error != std::errc{} || !std::isfinite(out.value))
    refuse_cad(option, text, "is not a number; write " + std::string(form));
  out.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (out.unit.starts_with(' ')) out.unit.remove_prefix(1);
  return out;
}

/// The CAD kernel computes with 1e-7 of a millimetre, and no mesh of a part is finer than a nanometre.
constexpr double k_finest = 0.999e-9;

double parse_sag(std::string_view text, std::string_view option) {
  const double metres = Length::parse(text, option).in(LengthUnit::metre);
  if (!(metres > 0) || !std::isfinite(metres)) refuse_cad(option, text, "is out of range; a sag is above zero");
  if (metres < k_finest) refuse_cad(option, text, "is finer than any mesh can be; 0.001um is the least");
  return metres;
}

double parse_angle(std::string_view text) {
  constexpr std::string_view k_form = "a number and its unit, like 20deg";
  const Quantity angle = parse_quantity(text, "--angle", k_form);
  if (angle.unit.empty()) refuse_cad("--angle", text, "has no unit; write " + std::string(k_form));
  if (angle.unit != "deg") refuse_cad("--angle", text, "has an unknown unit; angles are in deg");
  if (!(angle.value > 0 && angle.value < 180))
    refuse_cad("--angle", text, "is out of range; it must be between 0deg and 180deg");
  return angle.value;
}

double parse_seconds(std::string_view text) {
  const Quantity seconds = parse_quantity(text, "--import-seconds", "a number of seconds, like 60");
  if (!seconds.unit.empty()) refuse_cad("--import-seconds", text, "is not a plain number of seconds");
  if (!(seconds.value > 0)) refuse_cad("--import-seconds", text, "is out of range; it must be above zero");
  return seconds.value;
}

constexpr std::array<std::pair<std::string_view, double>, 6> k_byte_units{
    {{"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}};

std::uint64_t parse_bytes(std::string_view text) {
  constexpr std::string_view k_form = "a number and its unit, like 4GiB (units: KiB, MiB, GiB, kB, MB, GB)";
  const Quantity size = parse_quantity(text, "--import-memory", k_form);
  if (size.unit.empty()) refuse_cad("--import-memory", text, "has no unit; write " + std::string(k_form));
  for (const auto& [unit, factor] : k_byte_units) {
    if (size.unit != unit) continue;
    const double bytes = size.value * factor;
    if (!(bytes >= 1 && bytes < 0x1p60)) refuse_cad("--import-memory", text, "is out of range");
    return static_cast<std::uint64_t>(bytes);
  }
  refuse_cad("--import-memory", text, "has an unknown unit; write " + std::string(k_form));
}

}  // namespace

CadOptions CadArguments::parse() const {
  CadOptions out;
  if (automatic() && !may_be_automatic)
    refuse_cad("--sag", sag, "is for 'snug check' alone; write a length, like 0.1mm");
  if (!sag.empty() && !automatic()) out.sag_metres = parse_sag(sag, "--sag");
  if (!sag_limit.empty() && !automatic()) fail_usage("--sag-limit is of no use without --sag auto");
  if (automatic() && smallest_sag() > out.sag_metres)
    refuse_cad("--sag-limit", sag_limit,
               "is coarser than the 0.1mm that --sag auto starts with; it is where refining ends");
  out.bodies = bodies;
  if (!angle.empty()) out.angle_degrees = parse_angle(angle);
  if (!seconds.empty()) out.max_seconds = parse_seconds(seconds);
  if (!memory.empty()) out.max_memory_bytes = parse_bytes(memory);
  if (cache == "auto")
    out.cache = user_cache_folder();
  else if (cache != "off")
    out.cache = cache;
  return out;
}

void CadArguments::tell_unusable_cache() const {
  if (cache == "auto" || cache == "off") return;
  std::error_code failed;
  std::filesystem::create_directories(cache, failed);
  if (!failed && ::access(cache.c_str(), R_OK | W_OK | X_OK) != 0) failed = {errno, std::generic_category()};
  if (!failed && !std::filesystem::is_directory(cache)) failed = std::make_error_code(std::errc::not_a_directory);
  if (failed) say("--cache " + cache + " cannot be used: " + failed.message() + "; nothing is kept");
}

double CadArguments::smallest_sag() const {
  constexpr double k_share = 1.0 / 64;  // three rounds, eight times as many segments around
  return sag_limit.empty() ? k_share * CadOptions{}.sag_metres : parse_sag(sag_limit, "--sag-limit");
}

void add_import_limits(CLI::App& app, CadArguments& arguments) {
  not_empty(add_value(app, "--import-seconds", arguments.seconds, "N",
                      "time that reading a CAD file may take (default 600)"));
  not_empty(add_value(app, "--import-memory", arguments.memory, "SIZE",
                      "memory that reading a CAD file may take (default 4GiB)"));
}

void add_cad_arguments(CLI::App& app, CadArguments& arguments) {
  not_empty(add_value(app, "--sag", arguments.sag, "LENGTH",
                      "largest distance between a CAD face and its triangles (default 0.1mm)"));
  not_empty(add_value(app, "--angle", arguments.angle, "ANGLE",
                      "largest angle between neighbouring triangles of a curved CAD face (default 20deg)"));
  app.add_flag("--bodies", arguments.bodies,
               "every body of a CAD part with several becomes a part of its own, to be checked against the others");
  not_empty(add_value(app, "--cache", arguments.cache, "WHERE",
                      "folder that keeps CAD files once read: auto (default: that of the user), off, or a folder"));
  add_import_limits(app, arguments);
}

void add_sag_limit(CLI::App& app, CadArguments& arguments) {
  arguments.may_be_automatic = true;
  app.get_option("--sag")
      ->description(
          "largest distance between a CAD face and its triangles (default 0.1mm); auto: start there and mesh the "
          "faces that decide more finely until every verdict is firm or --sag-limit is reached")
      ->type_name("LENGTH|auto");
  not_empty(add_value(app, "--sag-limit", arguments.sag_limit, "LENGTH",
                      "with --sag auto: the smallest sag to ask for (default 1/64 of 0.1mm)"));
}

std::string bytes_text(std::uint64_t bytes) {
  const bool large = bytes >= 1U << 30;
  std::array<char, 48> text;
  std::snprintf(text.data(), text.size(), "%.4g %s", static_cast<double>(bytes) / (large ? 0x1p30 : 0x1p20),
                large ? "GiB" : "MiB");
  return text.data();
}

}  // namespace snug::cli
