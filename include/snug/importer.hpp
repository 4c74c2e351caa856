#pragma once

#include <snug/export.hpp>
#include <snug/io.hpp>
#include <snug/result.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace snug {

/// The program that reads CAD files, and how it is held in bounds on this machine.
struct ImporterInfo {
  std::filesystem::path program;
  std::string version;   ///< its own and that of the CAD kernel, as it tells them
  std::string in_force;  ///< limits and filters, in words
  struct Attempt {
    std::string what;  ///< "fork", "internet socket" …
    bool refused = false;
    std::string outcome;  ///< in words
  };
  std::vector<Attempt> attempts;  ///< what it tried and must not be able to do
};

/// Finds the importer as load() does, and has it tell its version and try its bounds with the limits of `options`. Fails
/// with no_importer or import_failed.
[[nodiscard]] SNUG_API Result<ImporterInfo, IoError> describe_importer(const CadOptions& options = {});

/// Where programs of this user keep what can be made again: $XDG_CACHE_HOME/snug or ~/.cache/snug. Empty when neither is
/// known.
[[nodiscard]] SNUG_API std::filesystem::path user_cache_folder();

}  // namespace snug
