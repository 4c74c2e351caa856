#include "chip/cosim/stimulus.hpp"

#include "chip/cosim/golden_unit.hpp"

#include <algorithm>

namespace snug::hardware {

namespace {

std::int64_t greatest(unsigned bits) { return (std::int64_t{1} << (bits - 1)) - 1; }

std::int64_t extreme_word(Random& random, unsigned bits) {
  const std::array<std::int64_t, 8> words{-greatest(bits) - 1, -greatest(bits), -1, 0, 1, greatest(bits) - 1,
                                          greatest(bits),      greatest(bits)};
  return words[random.below(words.size())];
}

/// Words with few bits set or clear, so that single columns of an adder matter.
std::int64_t sparse_word(Random& random, unsigned bits) {
  const std::int64_t bit = std::int64_t{1} << random.below(bits - 1);
  return random.one_in(2) ? bit : -bit;
}

template <class Word>
void fill(AxisTest& test, Random& random, const Configuration& c, Word&& word) {
  for (auto* dop : {&test.dop_a, &test.dop_b})
    for (std::int64_t& d : *dop) d = word(c.width);
  for (AxisMapping* map : {&test.map_a, &test.map_b})
    for (std::size_t i = 0; i < 3; ++i) {
      map->slab[i] = static_cast<std::uint8_t>(random.below(c.k));
      map->weight[i] = word(c.width);
    }
  test.offset = word(c.width + 2);
}

std::size_t opposite(const Configuration& c, std::size_t slab) { return (slab + c.k / 2) % c.k; }

/// Turns a test into one in which the first sum is `target`, and the second well below 0, as long as numbers allow.
void bring_to_edge(AxisTest& test, Random& random, const Configuration& c, Wide target) {
  // The slab of a that is tuned must be read once only.
  while (std::count(test.map_a.slab.begin(), test.map_a.slab.end(), test.map_a.slab[0]) > 1 ||
         std::count(test.map_a.slab.begin(), test.map_a.slab.end(), opposite(c, test.map_a.slab[0])) > 0)
    test.map_a.slab[0] = static_cast<std::uint8_t>(random.below(c.k));
  for (AxisMapping* map : {&test.map_a, &test.map_b})
    for (std::int64_t& w : map->weight) w = w > 0 ? ~w : w;
  test.map_a.weight[0] = -1;
  std::int64_t& tuned = test.dop_a[test.map_a.slab[0]];
  tuned = 0;
  // What only the second sum reads: large numbers times weights that are not above 0.
  for (std::size_t i = 1; i < 3; ++i) {
    const std::size_t far = opposite(c, test.map_a.slab[i]);
    if (std::count(test.map_a.slab.begin(), test.map_a.slab.end(), far) == 0)
      test.dop_a[far] = greatest(c.width) - static_cast<std::int64_t>(random.below(4));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const bool read_by_first =
        std::ranges::any_of(test.map_b.slab, [&](std::size_t j) { return opposite(c, j) == test.map_b.slab[i]; });
    if (!read_by_first) test.dop_b[test.map_b.slab[i]] = greatest(c.width) - static_cast<std::int64_t>(random.below(4));
  }
  // The offset counts in units of 2^(W - 1); the tuned coefficient, times -1, takes what is left below one.
  test.offset = 0;
  const Wide unit = Wide{1} << (c.width - 1), rest = target - golden_sums(test, c).first;
  Wide offset = rest >= 0 ? (rest + unit - 1) / unit : -(-rest / unit);
  const Wide limit = greatest(c.width + 2);
  offset = std::clamp(offset, -limit, limit);
  test.offset = static_cast<std::int64_t>(offset);
  tuned = static_cast<std::int64_t>(std::clamp<Wide>(offset * unit - rest, 0, unit - 1));
}

/// The same test with bodies exchanged: the sums change places.
AxisTest exchanged(const AxisTest& test) {
  AxisTest other = test;
  std::swap(other.dop_a, other.dop_b);
  std::swap(other.map_a, other.map_b);
  other.offset = ~test.offset;
  return other;
}

}  // namespace

AxisTest random_test(Random& random, const Configuration& c, TestKind kind) {
  AxisTest test;
  const auto any = [&](unsigned bits) { return random.word(bits); };
  switch (kind) {
    case TestKind::random:
      fill(test, random, c, any);
      break;
    case TestKind::legal: {
      fill(test, random, c, any);
      for (AxisMapping* map : {&test.map_a, &test.map_b})
        for (std::int64_t& w : map->weight) w = w > 0 ? ~w : w;
      test.offset = random.word(c.width + 1);
      break;
    }
    case TestKind::extreme: {
      // Half of them draw from two words alone: only where all products are the greatest there are do sums need their last bit.
      const bool few = random.one_in(2);
      const bool mostly_least = random.one_in(2);
      fill(test, random, c, [&](unsigned bits) {
        if (!few) return extreme_word(random, bits);
        return random.one_in(8) != mostly_least ? -greatest(bits) - 1 : greatest(bits);
      });
      break;
    }
    case TestKind::edge: {
      const std::uint64_t style = random.below(3);
      fill(test, random, c, [&](unsigned bits) {
        return style == 0   ? random.word(bits) / 2
               : style == 1 ? sparse_word(random, bits)
                            : random.word(1 + static_cast<unsigned>(random.below(bits)));
      });
      bring_to_edge(test, random, c, static_cast<Wide>(random.below(3)) - 1);
      if (random.one_in(2)) test = exchanged(test);
      break;
    }
    case TestKind::offsets:
      fill(test, random, c, [&](unsigned bits) { return random.word(std::min(bits, 4U)); });
      test.offset = random.one_in(2) ? extreme_word(random, c.width + 2) : sparse_word(random, c.width + 2);
      break;
  }
  test.node_a = static_cast<std::uint32_t>(random.next());
  test.node_b = static_cast<std::uint32_t>(random.next());
  test.last = random.one_in(c.axes);
  return test;
}

}  // namespace snug::hardware
