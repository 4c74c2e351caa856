#pragma once

#include "commands.hpp"

#include <stdexcept>
#include <string>

namespace snug::cli {

/// Ends the program with a message and an exit code; main() catches it.
class Failed : public std::runtime_error {
 public:
  Failed(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

[[noreturn]] inline void fail_usage(const std::string& message) { throw Failed(k_wrong_usage, message); }
[[noreturn]] inline void fail_input(const std::string& message) { throw Failed(k_unreadable_input, message); }
[[noreturn]] inline void fail_output(const std::string& message) { throw Failed(k_internal_error, message); }

}  // namespace snug::cli
