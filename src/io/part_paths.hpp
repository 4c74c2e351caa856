#pragma once

#include "support/rooms.hpp"

#include <snug/assembly.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace snug::io {

/// Names go into reports and onto terminals: bytes that are not UTF-8 are read as Latin-1, control characters become blanks,
/// and so does what turns the direction of writing. True if something had to be replaced.
bool clean_name(std::string& name);

/// Gives every part of a file a path of its own, in the order of the file.
class PartPaths {
 public:
  /// `nameless`: the name of parts that have none.
  explicit PartPaths(std::string nameless);

  [[nodiscard]] const std::string& nameless() const noexcept { return nameless_; }
  /// The name, clean, or nameless() for an empty one, when it is new; else that with "#2", "#3" …, the next that is free.
  [[nodiscard]] std::string next(std::string name);

 private:
  std::string nameless_;
  std::unordered_map<std::string, std::uint64_t> last_number_;
};

/// Paths of the parts of several files in one assembly, file by file: see merge().
[[nodiscard]] std::vector<std::vector<std::string>> merged_paths(std::span<const Assembly> assemblies,
                                                                 std::span<const std::string> files);

}  // namespace snug::io
