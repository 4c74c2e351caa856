#pragma once

#include <cstddef>
#include <vector>

namespace snug::io {

/// Tells the system that a large piece of memory is about to be filled from one end to the other, so that it may hand it
/// out in pages of megabytes. Page faults otherwise take a third of the time of loading. Does nothing where the system
/// has no such advice, or for small pieces.
void expect_filling(void* memory, std::size_t bytes) noexcept;

/// reserve() with that advice.
template <class T>
void reserve_large(std::vector<T>& array, std::size_t count) {
  array.reserve(count);
  expect_filling(array.data(), array.capacity() * sizeof(T));
}

/// Gives back slack worth the copying.
template <class T>
void trim(std::vector<T>& array) {
  if (array.capacity() - array.size() > array.size() / 8) array.shrink_to_fit();
}

}  // namespace snug::io
