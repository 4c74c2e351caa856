#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace snug::cli {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
constexpr auto k_patience = 1s;
constexpr auto k_redraw = 100ms;
constexpr Clock::duration k_next_line = 5s, k_last_line = 60s;
constexpr int k_bar = 30;

}  // namespace

ProgressBar::ProgressBar(std::string what, bool wanted)
    : what_(std::move(what)),
      wanted_(wanted),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + k_patience) {}

ProgressBar::~ProgressBar() {
  if (drawn_ && terminal_) std::fputs("\r\x1b[2K", stderr);
}

ProgressHook ProgressBar::hook() { return hook(0, 1); }

ProgressHook ProgressBar::hook(std::size_t i, std::size_t n) {
  if (!wanted_) return {};
  return [this, first = static_cast<double>(i), all = static_cast<double>(n)](double fraction) {
    show((first + fraction) / all);
  };
}

void ProgressBar::show(double fraction) {
  const auto now = Clock::now();
  if (now < next_) return;
  // A log of a long run should not fill with lines: every five seconds at first, every minute in the end.
  pause_ = terminal_ ? Clock::duration(k_redraw) : std::clamp<Clock::duration>(2 * pause_, k_next_line, k_last_line);
  next_ = now + pause_;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fraction = std::clamp(fraction, 0.0, 1.0);
  if (!terminal_) {
    std::fprintf(stderr, "snug: %s: %.0f %%, %.0f s\n", what_.c_str(), 100 * fraction, seconds);
    return;
  }
  const auto filled = static_cast<std::size_t>(fraction * k_bar);
  const std::string bar = std::string(filled, '#') + std::string(k_bar - filled, '.');
  std::fprintf(stderr, "\r\x1b[2K%s [%s] %3.0f %%  %.0f s", what_.c_str(), bar.c_str(), 100 * fraction, seconds);
}

}  // namespace snug::cli
