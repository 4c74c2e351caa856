#pragma once

#include "io/large_array.hpp"

#include <snug/vec.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace snug::io {

/// Three corners as binary STL stores them.
using FloatTriangle = std::array<std::array<float, 3>, 3>;

/// Where to find the id of each corner of a triangle: at a corner of the triangle before, or in the table.
struct WeldPlan {
  static constexpr std::uint8_t k_lookup = 3;
  std::array<std::uint64_t, 3> hash;  ///< set where `from` is k_lookup
  std::array<std::uint8_t, 3> from;   ///< corner of the triangle before, or k_lookup
};

/// Files list neighbours one after the other, so most corners are corners of the triangle before, which their bits tell
/// without a look into the table. `before` is the triangle before the first, or null. Stops at a corner that is not
/// finite and returns its number (three per triangle). `out` must be as long as `in`.
[[nodiscard]] std::optional<std::size_t> plan_welding(const FloatTriangle* before, std::span<const FloatTriangle> in,
                                                      WeldPlan* out) noexcept;

/// Gives equal points one id, in order of first appearance. Equal means equal: the same coordinates, where -0.0 is 0.0,
/// and no tolerance, so nothing that a file keeps apart ever falls together. The point kept is the one seen first.
class VertexWelder {
 public:
  /// `expected` distinct points make it fast; more make it grow.
  explicit VertexWelder(std::size_t expected);

  /// The point's id. Precondition: finite, and not full().
  std::uint32_t id(const Point3& point) { return find_or_add(point, hash(point)); }

  /// id() of all corners, several times as fast, by plans made for all calls so far, in their order. Adds to `out`.
  void ids(std::span<const FloatTriangle> in, const WeldPlan* plans, std::vector<Index3>& out);

  /// Close to more points than ids can name; a reader looks at this from time to time, at least every million points.
  [[nodiscard]] bool full() const noexcept { return points_.size() > 0xfff00000U; }
  /// The points by id. The welder is empty afterwards.
  [[nodiscard]] std::vector<Point3> take();

  // Only the order of probing depends on it, never an id, so speed is all that counts: the high bits of the product
  // depend on every bit of the sum. Adding zero turns -0.0 into 0.0.
  static std::uint64_t hash(const Point3& p) noexcept {
    const auto bits = [](double v) { return std::bit_cast<std::uint64_t>(v + 0.0); };
    std::uint64_t h = bits(p.x) * 0x9e3779b97f4a7c15U + std::rotl(bits(p.y) * 0xc2b2ae3d27d4eb4fU, 21) +
                      std::rotl(bits(p.z) * 0x165667b19e3779f9U, 42);
    h ^= h >> 32;
    return h * 0xd6e8feb86659fd93U;
  }

 private:
  std::uint32_t find_or_add(const Point3& point, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t tag = hash << 32;
    std::size_t at = hash >> shift_;
    for (;; at = (at + 1) & mask) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) break;
      if ((slot ^ tag) >> 32 != 0) continue;
      const std::uint32_t known_id = static_cast<std::uint32_t>(slot) - 1;
      const Point3& known = points_[known_id];
      if ((known.x == point.x) & (known.y == point.y) & (known.z == point.z)) return known_id;
    }
    points_.push_back(point);
    const auto count = static_cast<std::uint32_t>(points_.size());
    slots_[at] = tag | count;
    if (points_.size() > most_) grow();
    return count - 1;
  }
  void resize_slots(std::size_t count);
  void grow();

  std::vector<Point3> points_;
  /// Low half of the hash and id + 1, or 0; a power of two of them. The hash keeps probing from looking at points that
  /// are not the one sought, each of which would have to come from memory.
  std::vector<std::uint64_t> slots_;
  int shift_ = 0;         ///< from a hash to a slot
  std::size_t most_ = 0;  ///< points with which the slots are full enough
  Index3 last_ids_{};     ///< of the triangle before
};

}  // namespace snug::io
