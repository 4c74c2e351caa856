#pragma once

#include "chip/model/overlap_unit.hpp"
#include "scenes/random.hpp"

namespace snug::hardware {

/// Numbers that depend on the seed alone.
class Random : public scenes::Random {
 public:
  using scenes::Random::Random;
  [[nodiscard]] bool one_in(std::uint64_t n) { return below(n) == 0; }
  /// Any word of so many bits.
  [[nodiscard]] std::int64_t word(unsigned bits) { return static_cast<std::int64_t>(next()) >> (64 - bits); }
};

/// The kinds of tests, in the shares in which random_test() makes them.
enum class TestKind : std::uint8_t {
  random,   ///< any words
  legal,    ///< as a host sends them: weights from -2^c to 0, offsets small
  extreme,  ///< greatest and least words and their neighbours
  edge,     ///< one sum is -1, 0 or 1 and decides: a wrong bit anywhere in it shows in the answer
  offsets,  ///< large offsets beside small numbers
};
inline constexpr unsigned k_test_kinds = 5;

[[nodiscard]] AxisTest random_test(Random& random, const Configuration& configuration, TestKind kind);

}  // namespace snug::hardware
