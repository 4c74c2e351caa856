#include "io/weld.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace snug::io {

namespace {

/// Beginning of the cache line that a lookup will touch.
inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(address, 1);
#endif
}

struct CornerBits {
  std::uint64_t xy;
  std::uint32_t z;
  friend bool operator==(const CornerBits&, const CornerBits&) = default;
};

CornerBits bits_of(const std::array<float, 3>& corner) noexcept {
  CornerBits bits;
  std::memcpy(&bits.xy, corner.data(), sizeof bits.xy);
  std::memcpy(&bits.z, corner.data() + 2, sizeof bits.z);
  return bits;
}

bool is_finite(const std::array<float, 3>& corner) noexcept {
  const auto finite = [](float v) { return (std::bit_cast<std::uint32_t>(v) & 0x7f800000U) != 0x7f800000U; };
  return finite(corner[0]) & finite(corner[1]) & finite(corner[2]);
}

}  // namespace

VertexWelder::VertexWelder(std::size_t expected) {
  reserve_large(points_, expected);
  resize_slots(std::bit_ceil(expected + expected / 2 + 16));
}

void VertexWelder::resize_slots(std::size_t count) {
  slots_ = {};
  reserve_large(slots_, count);
  slots_.resize(count);
  shift_ = 64 - std::countr_zero(count);
  most_ = count - count / 4;
}

void VertexWelder::grow() {
  resize_slots(2 * slots_.size());
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    const std::uint64_t h = hash(points_[i]);
    std::size_t at = h >> shift_;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = h << 32 | (i + 1);
  }
}

std::optional<std::size_t> VertexWelder::ids(std::span<const FloatTriangle> in, Index3* out) {
  // Files list neighbours one after the other, so most corners are corners of the triangle before, which their bits
  // tell without a lookup. For the others the table's cache lines are asked for ahead: the table is much larger than
  // the caches, and waiting for one line after the other would take most of the time.
  constexpr std::uint8_t k_lookup = 3;
  struct Corner {
    std::uint64_t hash;
    std::uint8_t from;  ///< corner of the triangle before, or k_lookup
  };
  std::array<Corner, 3 * k_most_at_once> corners;
  std::optional<std::size_t> bad;
  std::size_t count = 3 * in.size();

  std::array<CornerBits, 3> before{};
  for (std::size_t c = 0; c < 3; ++c) before[c] = bits_of(last_[c]);
  bool has_before = has_last_;
  for (std::size_t t = 0; t < in.size() && !bad; ++t) {
    std::array<CornerBits, 3> now;
    for (std::size_t c = 0; c < 3; ++c) {
      now[c] = bits_of(in[t][c]);
      Corner& corner = corners[3 * t + c];
      corner.from = now[c] == before[0] ? 0 : now[c] == before[1] ? 1 : now[c] == before[2] ? 2 : k_lookup;
      if (!has_before) corner.from = k_lookup;
      if (corner.from != k_lookup) continue;
      if (!is_finite(in[t][c])) {
        bad = 3 * t + c;
        count = *bad;
        break;
      }
      corner.hash = hash({in[t][c][0], in[t][c][1], in[t][c][2]});
      prefetch(slots_.data() + (corner.hash >> shift_));
    }
    before = now;
    has_before = true;
  }

  for (std::size_t i = 0; i < count; ++i) {
    const Corner& corner = corners[i];
    const std::array<float, 3>& from = in[i / 3][i % 3];
    out[i / 3][i % 3] =
        corner.from != k_lookup ? last_ids_[corner.from] : find_or_add({from[0], from[1], from[2]}, corner.hash);
    if (i % 3 == 2) last_ids_ = out[i / 3];
  }
  if (!in.empty()) last_ = in.back(), has_last_ = true;
  return bad;
}

std::vector<Point3> VertexWelder::take() {
  slots_ = {};
  trim(points_);
  return std::exchange(points_, {});
}

}  // namespace snug::io
