#pragma once

#include <snug/io.hpp>

#include <string>

namespace CLI {
class App;
}

namespace snug::cli {

/// How CAD files are to be read, as the user gave it.
struct CadArguments {
  std::string sag, sag_limit, angle, cache = "auto", seconds, memory;
  bool bodies = false;            ///< each body of a part with several is a part
  bool may_be_automatic = false;  ///< the command knows what to do with --sag auto

  /// --sag auto: faces that decide are to be meshed again, more finely.
  [[nodiscard]] bool automatic() const { return sag == "auto"; }
  /// No face is asked for a smaller sag than this, in metres.
  [[nodiscard]] double smallest_sag() const;

  /// Did the user say how faces are to be meshed, or shapes to be taken apart?
  [[nodiscard]] bool shapes_meshes() const { return !sag.empty() || !sag_limit.empty() || !angle.empty() || bodies; }
  /// Says on stderr that a folder named for the cache is of no use: reading goes on without.
  void tell_unusable_cache() const;

  /// Ends the program (wrong usage) where something is out of its range. What was not given stays as CadOptions has it,
  /// except for the cache, which is that of the user.
  [[nodiscard]] CadOptions parse() const;
};

void add_cad_arguments(CLI::App& app, CadArguments& arguments);

/// For a command that can mesh faces again: lets --sag be auto, and adds its limit.
void add_sag_limit(CLI::App& app, CadArguments& arguments);

/// Just the limits of the importer.
void add_import_limits(CLI::App& app, CadArguments& arguments);

/// "4GiB", "512 MiB"; `bytes` in a unit that makes it short.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace snug::cli
