#pragma once

#include <snug/progress.hpp>

#include <chrono>
#include <string>

namespace snug::cli {

/// Shows on stderr how far a long call has come: a bar on a terminal once a second has passed, a plain line every few
/// seconds elsewhere, nothing when it is short or not wanted.
class ProgressBar {
 public:
  ProgressBar(std::string what, bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// For the long call; must not outlive the bar. Empty when nothing is wanted.
  [[nodiscard]] ProgressHook hook();
  /// The same for the i-th of n calls.
  [[nodiscard]] ProgressHook hook(std::size_t i, std::size_t n);

 private:
  using Clock = std::chrono::steady_clock;
  void show(double fraction);

  std::string what_;
  bool wanted_, terminal_, drawn_ = false;
  Clock::time_point start_, next_;
  Clock::duration pause_{0};
};

}  // namespace snug::cli
