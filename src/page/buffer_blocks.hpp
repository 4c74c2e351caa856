#pragma once

#include "io/bytes/byte_sink.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace snug::page {

/// Bytes in base64, in blocks of a page that browsers neither run nor show. Together the blocks are one long buffer.
class BufferBlocks {
 public:
  explicit BufferBlocks(io::ByteSink& sink) : sink_(sink) {}

  /// Where the bytes begin in the buffer.
  std::uint64_t append(std::string_view bytes);
  void finish();
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  void write_block(std::string_view bytes);

  io::ByteSink& sink_;
  std::string pending_;
  std::uint64_t size_ = 0;
};

/// Without blanks between its tokens, and with '<' inside of strings told as \u003c, so that no name in it can end the
/// element it stands in.
[[nodiscard]] std::string json_for_html(std::string_view json);
/// Text of an element or attribute.
[[nodiscard]] std::string text_for_html(std::string_view text);

}  // namespace snug::page
