#pragma once

#include "simd/packing.hpp"
#include "support/rooms.hpp"

#include <cmath>
#include <cstdint>

// Eight floats as a plain array: for machines without vector instructions that we know, and as the yardstick the others
// are held to. Every function rounds each lane as the vector instructions do, so all instruction sets give the same bits.

namespace snug::lanes::scalar {

struct Float8 {
  float lane[8];

  Float8() = default;
  explicit Float8(float all) noexcept {
    for (float& l : lane) l = all;
  }
  static Float8 load(const float* from) noexcept {
    Float8 r;
    for (int i = 0; i < 8; ++i) r.lane[i] = from[i];
    return r;
  }
  static Float8 load(const std::int16_t* from) noexcept {
    Float8 r;
    for (int i = 0; i < 8; ++i) r.lane[i] = static_cast<float>(from[i]);
    return r;
  }
  static Float8 load(const std::int8_t* from) noexcept {
    Float8 r;
    for (int i = 0; i < 8; ++i) r.lane[i] = static_cast<float>(from[i]);
    return r;
  }
  static Float8 load_bits(const std::uint32_t* from) noexcept {
    Float8 r;
    for (int i = 0; i < 8; ++i) r.lane[i] = __builtin_bit_cast(float, from[i]);
    return r;
  }
  void store(float* to) const noexcept {
    for (int i = 0; i < 8; ++i) to[i] = lane[i];
  }

  template <class Operation>
  static Float8 each(const Float8& a, const Float8& b, Operation&& operation) noexcept {
    Float8 r;
    for (int i = 0; i < 8; ++i) r.lane[i] = operation(a.lane[i], b.lane[i]);
    return r;
  }
  friend Float8 operator+(const Float8& a, const Float8& b) noexcept {
    return each(a, b, [](float x, float y) { return x + y; });
  }
  friend Float8 operator-(const Float8& a, const Float8& b) noexcept {
    return each(a, b, [](float x, float y) { return x - y; });
  }
  friend Float8 operator*(const Float8& a, const Float8& b) noexcept {
    return each(a, b, [](float x, float y) { return x * y; });
  }
  friend Float8 operator/(const Float8& a, const Float8& b) noexcept {
    return each(a, b, [](float x, float y) { return x / y; });
  }
};

/// a < b ? a : b, so that a NaN in either gives b, as the instruction does.
inline Float8 min(const Float8& a, const Float8& b) noexcept {
  return Float8::each(a, b, [](float x, float y) { return x < y ? x : y; });
}
inline Float8 max(const Float8& a, const Float8& b) noexcept {
  return Float8::each(a, b, [](float x, float y) { return x > y ? x : y; });
}
inline Float8 abs(const Float8& a) noexcept {
  Float8 r;
  for (int i = 0; i < 8; ++i) r.lane[i] = std::fabs(a.lane[i]);
  return r;
}
inline Float8 sqrt(const Float8& a) noexcept {
  Float8 r;
  for (int i = 0; i < 8; ++i) r.lane[i] = std::sqrt(a.lane[i]);
  return r;
}
/// The magnitude of a with the sign of s.
inline Float8 copysign(const Float8& a, const Float8& s) noexcept {
  return Float8::each(a, s, [](float x, float y) { return std::copysign(x, y); });
}
/// Bit i says whether a > b in lane i; a NaN is never greater.
/// Some of eight lanes.
struct Mask8 {
  unsigned lanes;
};
inline Mask8 operator&(const Mask8& a, const Mask8& b) noexcept { return {a.lanes & b.lanes}; }
inline Mask8 operator|(const Mask8& a, const Mask8& b) noexcept { return {a.lanes | b.lanes}; }
inline Mask8 above(const Float8& a, const Float8& b) noexcept {
  unsigned lanes = 0;
  for (unsigned i = 0; i < 8; ++i) lanes |= static_cast<unsigned>(a.lane[i] > b.lane[i]) << i;
  return {lanes};
}
inline unsigned lanes_in(const Mask8& mask) noexcept { return mask.lanes; }
inline unsigned greater(const Float8& a, const Float8& b) noexcept { return lanes_in(above(a, b)); }
/// Smallest and largest lane.
inline float least(const Float8& a) noexcept {
  float r = a.lane[0];
  for (int i = 1; i < 8; ++i) r = a.lane[i] < r ? a.lane[i] : r;
  return r;
}
inline float greatest(const Float8& a) noexcept {
  float r = a.lane[0];
  for (int i = 1; i < 8; ++i) r = a.lane[i] > r ? a.lane[i] : r;
  return r;
}
/// Of all lanes, added in the order that suits the vector instructions.
inline float sum(const Float8& a) noexcept {
  const float* l = a.lane;
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}
/// x where a > b, y elsewhere.
inline Float8 choose(const Float8& a, const Float8& b, const Float8& x, const Float8& y) noexcept {
  Float8 r;
  for (int i = 0; i < 8; ++i) r.lane[i] = a.lane[i] > b.lane[i] ? x.lane[i] : y.lane[i];
  return r;
}

/// Brings a set of lanes to the front; what follows them is open.
struct Packing {
  const std::uint8_t* order;

  explicit Packing(unsigned lanes) noexcept : order(k_packing.lane[lanes]) {}
  [[nodiscard]] Float8 packed(const Float8& a) const noexcept {
    float from[8], to[8];
    a.store(from);
    for (int i = 0; i < 8; ++i) to[i] = from[order[i]];
    return Float8::load(to);
  }
};

}  // namespace snug::lanes::scalar
