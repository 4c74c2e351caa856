#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace snug::bench::physics {

/// A picture of up to 256 colours.
struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::array<std::uint8_t, 3>> colours;
  std::vector<std::uint8_t> pixels;  ///< indices of colours, row after row from the top
};

/// The bytes of a PNG file; the same picture gives the same bytes.
[[nodiscard]] std::string png_of(const Picture& picture);

}  // namespace snug::bench::physics
