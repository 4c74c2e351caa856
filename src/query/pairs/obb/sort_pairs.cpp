#include "query/pairs/obb/search_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace snug::query {

namespace {

constexpr unsigned k_digit_bits = 11;
constexpr std::size_t k_digits = std::size_t{1} << k_digit_bits;

template <class Key>
void sort_by(std::vector<TrianglePair>& pairs, std::vector<TrianglePair>& spare, std::uint32_t largest, Key&& key) {
  for (unsigned shift = 0; shift < static_cast<unsigned>(std::bit_width(largest)); shift += k_digit_bits) {
    std::array<std::uint32_t, k_digits> place{};
    for (const TrianglePair& pair : pairs) ++place[(key(pair) >> shift) & (k_digits - 1)];
    std::uint32_t next = 0;
    for (std::uint32_t& p : place) {
      const std::uint32_t count = p;
      p = next;
      next += count;
    }
    for (const TrianglePair& pair : pairs) spare[place[(key(pair) >> shift) & (k_digits - 1)]++] = pair;
    pairs.swap(spare);
  }
}

}  // namespace

void sort_pairs(std::vector<TrianglePair>& pairs, std::vector<TrianglePair>& spare) {
  // Few pairs are sorted sooner by comparing them than the digits' counters are cleared.
  if (pairs.size() < 512) {
    std::ranges::sort(pairs);
    return;
  }
  spare.resize(pairs.size());
  std::uint32_t largest_a = 0, largest_b = 0;
  for (const TrianglePair& pair : pairs)
    largest_a = std::max(largest_a, pair.a), largest_b = std::max(largest_b, pair.b);
  sort_by(pairs, spare, largest_b, [](const TrianglePair& pair) { return pair.b; });
  sort_by(pairs, spare, largest_a, [](const TrianglePair& pair) { return pair.a; });
}

}  // namespace snug::query
