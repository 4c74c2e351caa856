#pragma once

#include "support/rooms.hpp"

#include <cstddef>
#include <thread>
#include <vector>

namespace snug::io {

/// Tells the system that a large piece of memory is about to be filled from one end to the other, so that it may hand it
/// out in pages of megabytes. Page faults otherwise take a third of the time of loading. Does nothing where the system
/// has no such advice, or for small pieces.
void expect_filling(void* memory, std::size_t bytes) noexcept;

/// Has a second thread fetch the pages of an array from its end down while the caller fills it from its start up: the
/// system clears every page before it hands it out, which takes as long as reading the file. Nothing the program can see
/// changes. Without a second processor, or on systems without such a call, it does nothing.
class PagesAhead {
 public:
  /// Stops with the array given before. The array should stay where it is until then: for pages that are gone the work is
  /// wasted, though harmless.
  void fetch(void* memory, std::size_t bytes);

 private:
  std::jthread helper_;
};

/// reserve() with that advice.
template <class T>
void reserve_large(std::vector<T>& array, std::size_t count) {
  array.reserve(count);
  expect_filling(array.data(), array.capacity() * sizeof(T));
}
/// And with that help.
template <class T>
void reserve_large(std::vector<T>& array, std::size_t count, PagesAhead& pages) {
  reserve_large(array, count);
  pages.fetch(array.data(), count * sizeof(T));
}

/// Gives back slack worth the copying.
template <class T>
void trim(std::vector<T>& array) {
  if (array.capacity() - array.size() > array.size() / 8) array.shrink_to_fit();
}

}  // namespace snug::io
