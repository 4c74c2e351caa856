#include "bench/physics/png.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace snug::bench::physics {

namespace {

/// A stream of deflate (RFC 1951): one block with the fixed codes, repeats found by a hash of three bytes.
class Deflate {
 public:
  std::string of(std::span<const std::uint8_t> bytes) {
    bits(0b011, 3);  // the last block, fixed codes
    std::vector<std::ptrdiff_t> before(k_table, -1);
    for (std::size_t at = 0; at < bytes.size();) {
      std::size_t best = 0, distance = 0;
      if (at + k_least <= bytes.size()) {
        std::ptrdiff_t& known = before[hash(bytes.subspan(at))];
        const auto consider = [&](std::ptrdiff_t from) {
          if (from < 0 || at - static_cast<std::size_t>(from) > k_window) return;
          const std::size_t length = common(bytes, static_cast<std::size_t>(from), at);
          if (length > best) best = length, distance = at - static_cast<std::size_t>(from);
        };
        consider(known);
        consider(static_cast<std::ptrdiff_t>(at) - 1);
        known = static_cast<std::ptrdiff_t>(at);
      }
      if (best >= k_least) {
        repeat(best, distance);
        at += best;
      } else {
        symbol(bytes[at++]);
      }
    }
    symbol(256);
    bits(0, 7);  // the rest of the last byte
    return std::move(out_);
  }

 private:
  static constexpr std::size_t k_least = 3, k_most = 258, k_window = 32768, k_table = 1U << 15U;

  static std::size_t hash(std::span<const std::uint8_t> bytes) {
    const std::uint32_t three =
        bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8U | static_cast<std::uint32_t>(bytes[2]) << 16U;
    return (three * 2654435761U) >> 17U;
  }
  static std::size_t common(std::span<const std::uint8_t> bytes, std::size_t from, std::size_t at) {
    std::size_t length = 0;
    while (length < k_most && at + length < bytes.size() && bytes[from + length] == bytes[at + length]) ++length;
    return length;
  }

  void bits(std::uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      byte_ |= (value >> i & 1U) << used_;
      if (++used_ == 8) out_ += static_cast<char>(byte_), byte_ = 0, used_ = 0;
    }
  }
  /// Codes of Huffman go in from their highest bit.
  void code(std::uint32_t value, unsigned count) {
    for (unsigned i = count; i-- > 0;) bits(value >> i & 1U, 1);
  }
  void symbol(std::uint32_t s) {
    if (s < 144)
      code(0x30 + s, 8);
    else if (s < 256)
      code(0x190 + s - 144, 9);
    else if (s < 280)
      code(s - 256, 7);
    else
      code(0xC0 + s - 280, 8);
  }
  void repeat(std::size_t length, std::size_t distance) {
    // Classes of lengths and distances double in size, lengths every four and distances every two.
    std::uint32_t symbol_of = 257, base = 3, extra = 0;
    if (length == k_most) {
      symbol(285);
    } else {
      for (std::uint32_t k = 0;; ++k) {
        extra = k < 8 ? 0 : k / 4 - 1;
        if (length < base + (1U << extra)) break;
        base += 1U << extra, ++symbol_of;
      }
      symbol(symbol_of);
      bits(static_cast<std::uint32_t>(length) - base, extra);
    }
    std::uint32_t class_of = 0;
    for (base = 1;; ++class_of) {
      extra = class_of < 4 ? 0 : class_of / 2 - 1;
      if (distance < base + (1U << extra)) break;
      base += 1U << extra;
    }
    code(class_of, 5);
    bits(static_cast<std::uint32_t>(distance) - base, extra);
  }

  std::string out_;
  std::uint32_t byte_ = 0;
  unsigned used_ = 0;
};

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) text += static_cast<char>(value >> shift & 0xFFU);
  return text;
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::uint32_t adler32(std::span<const std::uint8_t> bytes) {
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t byte : bytes) a = (a + byte) % 65521, b = (b + a) % 65521;
  return b << 16U | a;
}

std::string chunk(std::string_view kind, const std::string& data) {
  const std::string both = std::string(kind) + data;
  return big_endian(static_cast<std::uint32_t>(data.size())) + both + big_endian(crc32(both));
}

}  // namespace

std::string png_of(const Picture& picture) {
  std::string palette;
  for (const auto& colour : picture.colours)
    for (const std::uint8_t channel : colour) palette += static_cast<char>(channel);
  std::vector<std::uint8_t> rows;
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    rows.push_back(0);  // no filter
    const auto row = picture.pixels.begin() + static_cast<std::ptrdiff_t>(y) * picture.width;
    rows.insert(rows.end(), row, row + picture.width);
  }
  // Eight bits a pixel, by palette.
  const std::string head = big_endian(picture.width) + big_endian(picture.height) + std::string("\x08\x03\0\0\0", 5);
  const std::string data = std::string("\x78\x01", 2) + Deflate().of(rows) + big_endian(adler32(rows));
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("PLTE", palette) + chunk("IDAT", data) + chunk("IEND", {});
}

}  // namespace snug::bench::physics
