#pragma once

#include "io/bytes/byte_source.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <vector>

namespace snug::io {

/// The number stored at `from` in the given byte order; no alignment needed.
template <class T>
  requires std::integral<T> || std::floating_point<T>
[[nodiscard]] inline T load_number(const char* from, std::endian order) noexcept {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (order != std::endian::native) std::ranges::reverse(bytes);  // compiles to one bswap
  return std::bit_cast<T>(bytes);
}

/// Binary data of a source from its current offset on.
class BinaryReader {
 public:
  explicit BinaryReader(ByteSource& source);

  /// The next `count` bytes in one piece; empty if the data ends before (nothing is consumed then) or on failure.
  /// Precondition: 0 < count <= k_max_piece. Valid until the next call.
  [[nodiscard]] std::string_view take(std::size_t count);
  /// As many whole records of `size` bytes as are at hand, at least one and at most `most`; empty when the data ends
  /// before one is complete, or on failure. The fast way through arrays. Valid until the next call.
  [[nodiscard]] std::string_view take_records(std::size_t size, std::uint64_t most);
  /// False if the data ends before.
  template <class T>
  [[nodiscard]] bool read(T& value, std::endian order = std::endian::little) {
    const std::string_view bytes = take(sizeof(T));
    if (bytes.empty()) return false;
    value = load_number<T>(bytes.data(), order);
    return true;
  }
  [[nodiscard]] bool skip(std::uint64_t count);
  /// The last `count` bytes of the piece taken last are to be taken again.
  void give_back(std::size_t count) noexcept { begin_ -= count; }

  /// Of the next byte to be taken, in the file.
  [[nodiscard]] std::uint64_t offset() const noexcept { return source_.offset() - (end_ - begin_); }
  /// Bytes still to be taken: bound every reserve() by what they can hold.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return source_.remaining() + (end_ - begin_); }

  /// An error at offset().
  [[nodiscard]] Failure<IoError> fail(IoError::Code code, std::string text) const;
  [[nodiscard]] Failure<IoError> fail_at(std::uint64_t byte, IoError::Code code, std::string text) const;
  /// Data ended: Code::truncated at the file's end, or the source's own failure.
  [[nodiscard]] Failure<IoError> fail_at_end(std::string_view expected) const;

  static constexpr std::size_t k_max_piece = std::size_t{1} << 20;

 private:
  bool ensure(std::size_t count);

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< bytes read but not yet taken
};

}  // namespace snug::io
