#pragma once

#include "io/bytes/large_array.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace snug::io {

/// Three corners as binary STL stores them.
using FloatTriangle = std::array<std::array<float, 3>, 3>;

/// Hashes points by multipliers that differ from one process to the next: nobody can write a file whose points all fall
/// on one another, for which welding would take hours. Sums of 32-bit words times random 64-bit numbers are universal
/// (Thorup, High Speed Hashing for Integers and Strings, 2015, section 3.5). Only the order of probing depends on them,
/// never an id.
class WeldHash {
 public:
  static const WeldHash& of_this_process() noexcept;

  /// Equal for -0.0 and 0.0.
  [[nodiscard]] std::uint64_t operator()(const std::array<float, 3>& p) const noexcept {
    return mix(word(p[0]) * keys_[0] + word(p[1]) * keys_[1] + word(p[2]) * keys_[2]);
  }
  /// The same where the coordinates are floats.
  [[nodiscard]] std::uint64_t operator()(const Point3& p) const noexcept {
    return mix(sum(p.x, 0) + sum(p.y, 1) + sum(p.z, 2));
  }

 private:
  explicit WeldHash(const std::array<std::uint64_t, 6>& keys) noexcept : keys_(keys) {}

  static std::uint64_t word(float v) noexcept { return std::bit_cast<std::uint32_t>(v + 0.0F); }
  [[nodiscard]] std::uint64_t sum(double v, std::size_t axis) const noexcept {
    constexpr double k_most = std::numeric_limits<float>::max();
    if (v >= -k_most && v <= k_most && static_cast<double>(static_cast<float>(v)) == v)
      return word(static_cast<float>(v)) * keys_[axis];
    const auto bits = std::bit_cast<std::uint64_t>(v);
    return (bits >> 32) * keys_[axis] + (bits & 0xffffffffU) * keys_[axis + 3];
  }
  /// One to one. A slot is chosen by the upper bits, which depend on all bits of the sum.
  static std::uint64_t mix(std::uint64_t h) noexcept {
    h ^= h >> 32;
    return h * 0xd6e8feb86659fd93U;
  }

  std::array<std::uint64_t, 6> keys_;
};

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
  std::uint32_t id(const Point3& point) { return find_or_add(point, hash_(point)); }

  /// id() of all corners, several times as fast, by plans made for all calls so far, in their order. Adds to `out`.
  void ids(std::span<const FloatTriangle> in, const WeldPlan* plans, std::vector<Index3>& out);

  /// Close to more points than ids can name; a reader looks at this from time to time, at least every million points.
  [[nodiscard]] bool full() const noexcept { return points_.size() > 0xfff00000U; }
  /// The points by id. The welder is empty afterwards.
  [[nodiscard]] std::vector<Point3> take();

 private:
  std::uint32_t find_or_add(const Point3& point, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint32_t tag = tag_of(hash), tag_mask = tag_mask_;
    for (std::size_t at = first_slot(hash);; at = (at + 1) & mask) {
      const std::uint32_t slot = slots_[at];
      if (slot == 0) return add(point, tag, slots_[at]);
      if (((slot ^ tag) & tag_mask) != 0) continue;
      const std::uint32_t known = (slot & ~tag_mask) - 1;
      if (is_point(known, point)) return known;
    }
  }
  std::uint32_t add(const Point3& point, std::uint32_t tag, std::uint32_t& slot) {
    points_.push_back(point);
    const auto count = static_cast<std::uint32_t>(points_.size());
    slot = tag | count;
    if (points_.size() > most_) grow();
    return count - 1;
  }
  [[nodiscard]] bool is_point(std::uint32_t id, const Point3& point) const noexcept {
    const Point3& known = points_[id];
    return (known.x == point.x) & (known.y == point.y) & (known.z == point.z);
  }
  [[nodiscard]] std::uint32_t tag_of(std::uint64_t hash) const noexcept {
    return static_cast<std::uint32_t>(hash) & tag_mask_;
  }
  [[nodiscard]] std::size_t first_slot(std::uint64_t hash) const noexcept { return hash >> shift_; }
  void resize_slots(std::size_t count);
  void grow();

  const WeldHash& hash_;
  std::vector<Point3> points_;
  /// id + 1, and above it as much of the hash as there is room for; or 0. A power of two of them. The hash keeps us from
  /// looking at points that are not the one sought, each of which would have to come from memory. With all of the hash the
  /// table would be twice as large, and the caches would hold half as much of it.
  std::vector<std::uint32_t> slots_;
  int shift_ = 0;               ///< from a hash to a slot
  std::uint32_t tag_mask_ = 0;  ///< the bits of a slot that are of the hash
  std::size_t most_ = 0;        ///< points with which the slots are full enough
  Index3 last_ids_{};           ///< of the triangle before
};

}  // namespace snug::io
