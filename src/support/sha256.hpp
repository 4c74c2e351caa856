#pragma once

#include "support/sha256_blocks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace snug::support {

/// A SHA-256.
using Digest = std::array<std::uint8_t, 32>;
/// In lower-case hexadecimal digits.
[[nodiscard]] std::string to_hex(const Digest& digest);

/// SHA-256 (FIPS 180-4), fed piecewise.
class Sha256 {
 public:
  void update(std::span<const std::byte> bytes) noexcept;
  /// Numbers go in little-endian, whatever the machine.
  void update_u64(std::uint64_t value) noexcept;
  [[nodiscard]] Digest finish() noexcept;

 private:
  Sha256State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> buffer_{};
  std::size_t buffered_ = 0;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace snug::support
