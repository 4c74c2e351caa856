#include "support/assert.hpp"

#include <snug/diagnostics.hpp>
#include <snug/result.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace snug {

namespace {
void print_and_abort(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "snug: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}
std::atomic<AssertHandler> g_handler{&print_and_abort};
}  // namespace

AssertHandler set_assert_handler(AssertHandler handler) noexcept {
  return g_handler.exchange(handler != nullptr ? handler : &print_and_abort);
}

namespace support {
void assertion_failed(const char* expression, const char* file, int line) noexcept {
  g_handler.load()(expression, file, line);
}
}  // namespace support

namespace detail {
void stop(std::string_view message) noexcept {
  std::fprintf(stderr, "snug: %.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}
}  // namespace detail

}  // namespace snug
