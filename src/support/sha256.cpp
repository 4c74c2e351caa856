#include "support/sha256.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <cstring>

namespace snug::support {

void Sha256::update(std::span<const std::byte> bytes) noexcept {
  SNUG_ASSERT(buffered_ < buffer_.size());
  if (bytes.empty()) return;  // data() may be null then, which memcpy() must not be given
  total_bytes_ += bytes.size();
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  if (buffered_ > 0) {
    const std::size_t take = std::min(left, buffer_.size() - buffered_);
    std::memcpy(buffer_.data() + buffered_, data, take);
    buffered_ += take, data += take, left -= take;
    if (buffered_ < buffer_.size()) return;
    sha256_blocks(state_, buffer_.data(), 1);
    buffered_ = 0;
  }
  sha256_blocks(state_, data, left / buffer_.size());
  data += left - left % buffer_.size(), left %= buffer_.size();
  if (left > 0) std::memcpy(buffer_.data(), data, left);
  buffered_ = left;
}

void Sha256::update_u64(std::uint64_t value) noexcept {
  std::array<std::byte, 8> bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
  update(bytes);
}

std::array<std::uint8_t, 32> Sha256::finish() noexcept {
  const std::uint64_t bits = total_bytes_ * 8;
  constexpr std::array<std::byte, 64> k_padding{std::byte{0x80}};
  update(std::span(k_padding).first(buffered_ < 56 ? 56 - buffered_ : 120 - buffered_));
  std::array<std::byte, 8> length;
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  update(length);
  SNUG_ASSERT(buffered_ == 0);
  std::array<std::uint8_t, 32> out;
  for (std::size_t i = 0; i < 32; ++i) out[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

std::string to_hex(const Digest& hash) {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += k_digits[byte >> 4];
    text += k_digits[byte & 15];
  }
  return text;
}

}  // namespace snug::support
