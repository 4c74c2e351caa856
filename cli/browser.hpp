#pragma once

#include <snug/progress.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace snug::cli {

/// A program of this name in PATH, or the first of several; empty if there is none.
[[nodiscard]] std::filesystem::path find_in_path(const std::vector<std::string>& names);

constexpr int k_took_too_long = 124, k_was_cancelled = 130;

/// Runs a program with its stdout in a file and its stderr nowhere. The exit status; 128 and more for signals, 127 if it
/// can not be started; where it was stopped, with all that it had started, one of the two above.
[[nodiscard]] int run_program(const std::vector<std::string>& arguments, const std::filesystem::path& output,
                              double max_seconds, const CancelToken* cancel = nullptr);

/// Starts a program in a session of its own, with no output. Its status if it ends within this time; nothing if it goes
/// on, which it may for as long as it likes.
[[nodiscard]] std::optional<int> launch_program(const std::vector<std::string>& arguments, double seconds);

/// "file:///…", with everything encoded that an address must not hold.
[[nodiscard]] std::string file_address(const std::filesystem::path& path);

/// A folder of its own for files that nobody keeps; removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Leaves it where it is.
  std::filesystem::path keep();

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

}  // namespace snug::cli
