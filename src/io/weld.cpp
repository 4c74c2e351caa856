#include "io/weld.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <random>
#include <utility>

namespace snug::io {

namespace {

/// Asks for the cache line that a lookup will touch.
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

Point3 to_point(const std::array<float, 3>& corner) noexcept { return {corner[0], corner[1], corner[2]}; }

std::array<std::uint64_t, 6> random_keys() noexcept {
  std::array<std::uint64_t, 6> keys;
  // Where the system has no random numbers to give, the time is harder to guess than a constant.
  std::mt19937_64 fallback(static_cast<std::uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch().count()));  // NOLINT(cert-msc51-cpp)
  for (std::uint64_t& key : keys) key = fallback();
  try {
    std::random_device random;
    for (std::uint64_t& key : keys) key ^= std::uint64_t{random()} << 32 | random();
  } catch (const std::exception&) {
    return keys;
  }
  return keys;
}

}  // namespace

const WeldHash& WeldHash::of_this_process() noexcept {
  static const WeldHash k_hash(random_keys());
  return k_hash;
}

std::optional<std::size_t> plan_welding(const FloatTriangle* before, std::span<const FloatTriangle> in,
                                        WeldPlan* out) noexcept {
  constexpr std::uint8_t k_lookup = WeldPlan::k_lookup;
  const WeldHash& hash = WeldHash::of_this_process();
  std::array<CornerBits, 3> last{};
  if (before != nullptr)
    for (std::size_t c = 0; c < 3; ++c) last[c] = bits_of((*before)[c]);
  for (std::size_t t = 0; t < in.size(); ++t) {
    std::array<CornerBits, 3> now;
    for (std::size_t c = 0; c < 3; ++c) {
      now[c] = bits_of(in[t][c]);
      std::uint8_t from = now[c] == last[0] ? 0 : now[c] == last[1] ? 1 : now[c] == last[2] ? 2 : k_lookup;
      if (t == 0 && before == nullptr) from = k_lookup;
      out[t].from[c] = from;
      if (from != k_lookup) continue;
      if (!is_finite(in[t][c])) return 3 * t + c;
      out[t].hash[c] = hash(in[t][c]);
    }
    last = now;
  }
  return std::nullopt;
}

VertexWelder::VertexWelder(std::size_t expected) : hash_(WeldHash::of_this_process()) {
  reserve_large(points_, expected);
  resize_slots(std::bit_ceil(expected + expected / 2 + 16));
}

void VertexWelder::resize_slots(std::size_t count) {
  SNUG_ASSERT(std::has_single_bit(count));
  slots_ = {};
  reserve_large(slots_, count);
  slots_.resize(count);
  shift_ = 64 - std::countr_zero(count);
  most_ = count - count / 4;
  // An id is less than most_, and than 2^32 - 1: see full().
  tag_mask_ = static_cast<std::uint32_t>(~(std::uint64_t{count} - 1));
}

void VertexWelder::grow() {
  resize_slots(2 * slots_.size());
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    const std::uint64_t h = hash_(points_[i]);
    std::size_t at = first_slot(h);
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = tag_of(h) | (i + 1);
    SNUG_ASSERT(points_.size() < slots_.size());
  }
}

void VertexWelder::ids(std::span<const FloatTriangle> in, const WeldPlan* plans, std::vector<Index3>& out) {
  // The table is much larger than the caches, and waiting for one of its lines after the other would take most of the
  // time; so lines are asked for this many triangles ahead.
  constexpr std::size_t k_ahead = 32;
  const auto ask_for = [&](const WeldPlan& plan) {
    for (std::size_t c = 0; c < 3; ++c)
      if (plan.from[c] == WeldPlan::k_lookup) prefetch(slots_.data() + first_slot(plan.hash[c]));
  };
  for (std::size_t t = 0; t < std::min(k_ahead, in.size()); ++t) ask_for(plans[t]);
  const std::size_t first = out.size();
  out.resize(first + in.size());
  Index3* const to = out.data() + first;
  const Index3* before = &last_ids_;
  for (std::size_t t = 0; t < in.size(); ++t) {
    if (t + k_ahead < in.size()) ask_for(plans[t + k_ahead]);
    // Number by number, straight to its place: to copy three just stored as a whole, the processor would wait until every
    // store before is done, those to lines of the table that are still under way among them.
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint8_t from = plans[t].from[c];
      to[t][c] = from != WeldPlan::k_lookup ? (*before)[from] : find_or_add(to_point(in[t][c]), plans[t].hash[c]);
    }
    before = to + t;
  }
  last_ids_ = *before;
}

std::vector<Point3> VertexWelder::take() {
  slots_ = {};
  trim(points_);
  return std::exchange(points_, {});
}

}  // namespace snug::io
