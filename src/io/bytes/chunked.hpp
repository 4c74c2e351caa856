#pragma once

#include "support/rooms.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace snug::io {

/// Grows without copying what it holds, and ends as one vector of exact size: a file whose counts are not known ahead
/// is read with little more memory than the mesh takes in the end, where a doubling vector would need up to three times
/// as much.
template <class T>
class ChunkedArray {
 public:
  void push_back(const T& value) {
    if (last_.size() == last_.capacity()) add_chunk();
    last_.push_back(value);
  }
  [[nodiscard]] std::size_t size() const noexcept { return full_size_ + last_.size(); }

  /// Everything, in order. The array is empty afterwards.
  [[nodiscard]] std::vector<T> take() {
    std::vector<T> out;
    if (full_.empty() && last_.capacity() - last_.size() <= last_.size() / 8) {
      out = std::move(last_);
    } else {
      out.reserve(size());
      full_.push_back(std::move(last_));
      for (std::vector<T>& chunk : full_) {
        out.insert(out.end(), chunk.begin(), chunk.end());
        chunk = {};  // given back before the next is copied
      }
    }
    full_.clear();
    last_ = {};
    full_size_ = 0;
    return out;
  }

 private:
  void add_chunk() {
    constexpr std::size_t k_smallest = 16, k_largest = std::size_t{1} << 17;
    const std::size_t capacity = std::clamp(2 * last_.capacity(), k_smallest, k_largest);
    full_size_ += last_.size();
    if (!last_.empty()) full_.push_back(std::move(last_));
    last_ = {};
    last_.reserve(capacity);
  }

  std::vector<std::vector<T>> full_;
  std::vector<T> last_;
  std::size_t full_size_ = 0;
};

}  // namespace snug::io
