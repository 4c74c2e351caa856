#pragma once

#include <cstddef>
#include <functional>

namespace snug::detail {

/// Calls body(chunk) once for every chunk in [0, chunks), on up to `threads` threads, the caller's among them. Chunks are
/// handed out in rising order, but which thread takes which is open: write results by chunk, combine them in order.
/// A thread that the system refuses to start is done without. When a body throws (memory runs out), no further chunks are
/// begun and the first exception is thrown again to the caller.
void for_each_chunk(std::size_t chunks, unsigned threads, const std::function<void(std::size_t)>& body);

}  // namespace snug::detail
