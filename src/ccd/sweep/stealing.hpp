#pragma once

#include "support/rooms.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace snug::ccd::sweep {

/// Calls body(thread, begin, end) on up to `threads` threads until all of [0, count) has been gone through once, in parts that are
/// taken from whoever has most left. `thread` is below `threads`, and no two calls run at the same time with the same one.
/// What a body throws reaches the caller. Returns how often threads had to exclude each other.
std::uint64_t share_by_stealing(std::size_t count, unsigned threads,
                                const std::function<void(unsigned, std::size_t, std::size_t)>& body);

/// The one that needs nothing but threads; share_by_stealing() where oneTBB is not.
std::uint64_t share_by_own_stealing(std::size_t count, unsigned threads,
                                    const std::function<void(unsigned, std::size_t, std::size_t)>& body);

}  // namespace snug::ccd::sweep
