#include "bench/pairs/guard.hpp"

#include <csetjmp>
#include <csignal>
#include <exception>

#include <unistd.h>

namespace snug::bench::pairs {

namespace {

constexpr int k_signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
constexpr unsigned k_longest_s = 60;

sigjmp_buf way_out;

void leave(int signal) { siglongjmp(way_out, signal); }

std::string words_for(int signal) {
  switch (signal) {
    case SIGABRT:
      return "aborts";
    case SIGALRM:
      return "takes more than a minute";
    case SIGFPE:
      return "divides by zero";
    default:
      return "crashes";
  }
}

}  // namespace

std::string guarded(const std::function<void()>& work) {
  struct sigaction ours = {}, before[std::size(k_signals)];
  ours.sa_handler = leave;
  ours.sa_flags = SA_NODEFER;
  for (std::size_t i = 0; i < std::size(k_signals); ++i) ::sigaction(k_signals[i], &ours, &before[i]);
  volatile int signal = 0;
  std::string words;
  signal = sigsetjmp(way_out, 1);
  if (signal == 0) {
    ::alarm(k_longest_s);
    try {
      work();
    } catch (const std::exception& error) {
      words = std::string("throws ") + error.what();
    }
  }
  ::alarm(0);
  for (std::size_t i = 0; i < std::size(k_signals); ++i) ::sigaction(k_signals[i], &before[i], nullptr);
  return signal == 0 ? words : words_for(signal);
}

}  // namespace snug::bench::pairs
