#pragma once

#include <cstddef>

namespace snug::test {

/// Calls of operator new by this thread, from the start of the program.
[[nodiscard]] std::size_t allocations() noexcept;

}  // namespace snug::test
