#pragma once

#include <snug/export.hpp>

namespace snug {

/// What runs when the library finds that a caller (or the library itself) broke a contract. The default prints the
/// expression and its place to stderr and aborts. A handler that returns lets the program go on at its own risk.
using AssertHandler = void (*)(const char* expression, const char* file, int line);

/// Returns the handler in force before. nullptr restores the default. Thread-safe.
SNUG_API AssertHandler set_assert_handler(AssertHandler handler) noexcept;

}  // namespace snug
