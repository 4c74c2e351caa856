#pragma once

#include <snug/io.hpp>

#include <string>

namespace CLI {
class App;
}

namespace snug::cli {

/// How CAD files are to be read, as the user gave it.
struct CadArguments {
  std::string sag, angle, cache = "auto", seconds, memory;

  /// Ends the program (wrong usage) where something is out of its range. What was not given stays as CadOptions has it,
  /// except for the cache, which is that of the user.
  [[nodiscard]] CadOptions parse() const;
};

void add_cad_arguments(CLI::App& app, CadArguments& arguments);

/// Just the limits of the importer.
void add_import_limits(CLI::App& app, CadArguments& arguments);

/// "4GiB", "512 MiB"; `bytes` in a unit that makes it short.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace snug::cli
