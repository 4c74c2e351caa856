#pragma once

#include <snug/progress.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::support {

struct ChildOptions {
  std::vector<std::string> arguments;  ///< the first is the program's path; PATH is not searched
  int input = -1;                      ///< descriptor that becomes its stdin; stays open here. None: /dev/null
  double max_seconds = 60;             ///< by the clock on the wall
  std::uint64_t max_output_bytes = 1 << 20;
  const CancelToken* cancel = nullptr;
  /// Called from the calling thread for every line on its stderr, without the line's end; of a longer line, the first
  /// k_longest_line bytes.
  std::function<void(std::string_view)> on_line = {};
};
inline constexpr std::size_t k_longest_line = 4096;

struct ChildEnd {
  enum class How : std::uint8_t {
    exited,     ///< `status` is its exit status
    signalled,  ///< `status` is the signal that ended it, and it was not sent by us
    timed_out,  ///< stopped by us, as are those below
    output_too_large,
    cancelled,
    not_started,  ///< `status` is the error (errno)
  } how = How::not_started;
  int status = 0;
  std::string output;                   ///< its stdout; what came until it was stopped
  std::uint64_t peak_memory_bytes = 0;  ///< resident
};

/// Runs a program to its end and reaps it. When this returns, the program and whatever it started in its process group
/// are gone, however it ended; it dies with the calling thread as well. It gets a process group of its own, no descriptor
/// beside the standard three, default signal handling, and of the environment just PATH, the C locale and options of
/// sanitizers. Any number of threads may call this at a time. Where the
/// process ignores SIGCHLD nobody can be waited for, and the answer is not_started with ECHILD.
[[nodiscard]] ChildEnd run_child(const ChildOptions& options);

}  // namespace snug::support
