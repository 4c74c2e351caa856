#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

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
  /// The name itself when it is new, else the name with "#2", "#3" …, the next that is free. The name is clean and not
  /// empty.
  [[nodiscard]] std::string next(const std::string& name);

 private:
  std::string nameless_;
  std::unordered_map<std::string, std::uint64_t> last_number_;
};

}  // namespace snug::io
