#include "interrupt.hpp"

#include <csignal>
#include <string_view>

#include <unistd.h>

namespace snug::cli {

namespace {

CancelToken interrupted;
volatile std::sig_atomic_t was_told = 0;

extern "C" void on_interrupt(int) {
  interrupted.cancel();
  if (was_told != 0) return;
  was_told = 1;
  constexpr std::string_view k_text = "\nsnug: stopping, with a report of what was done; once more to end at once\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, k_text.data(), k_text.size());
}

}  // namespace

const CancelToken& watch_interrupts(bool words) {
  was_told = words ? 0 : 1;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before = {};
    // A shell that runs us in the background asks for SIGINT to be ignored.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  return interrupted;
}

}  // namespace snug::cli
