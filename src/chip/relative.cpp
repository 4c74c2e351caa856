#include "chip/relative.hpp"

#include "chip/memory.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::chip {

DopWords largest_dop(unsigned width) noexcept {
  DopWords dop;
  dop.fill((std::int64_t{1} << (width - 1)) - 1);
  return dop;
}

RelativeChild relative_to(const DopWords& parent, const DopWords& child, unsigned q) noexcept {
  const std::int64_t most = (std::int64_t{1} << q) - 1;
  SNUG_ASSERT(q >= k_least_relative_bits && q <= k_most_relative_bits);
  std::int64_t least = -1;
  unsigned best = 0;
  for (unsigned shift = 0; shift < 63; ++shift) {
    std::int64_t left = 0, cut_off = 0;
    for (std::size_t j = 0; j < child.size(); ++j) {
      const std::int64_t whole = (parent[j] - child[j]) >> shift, less = std::min(whole, most);
      cut_off += whole - less;
      left += (parent[j] - child[j]) - (less << shift);
    }
    if (least < 0 || left < least) least = left, best = shift;
    if (cut_off == 0) break;  // a larger one only rounds more away
  }
  RelativeChild relative;
  relative.shift = best;
  for (std::size_t j = 0; j < child.size(); ++j) {
    SNUG_ASSERT(child[j] <= parent[j]);
    relative.less[j] = static_cast<std::uint32_t>(std::min((parent[j] - child[j]) >> best, most));
    // Rounded up: what is read is never below the true one.
    SNUG_ASSERT(parent[j] - (std::int64_t{relative.less[j]} << best) >= child[j]);
  }
  return relative;
}

DopWords absolute(const DopWords& parent, const RelativeChild& child) noexcept {
  DopWords dop;
  for (std::size_t j = 0; j < dop.size(); ++j)
    dop[j] = parent[j] - (static_cast<std::int64_t>(child.less[j]) << child.shift);
  return dop;
}

ReadChild read_child(const std::uint64_t* record, unsigned second, unsigned q) noexcept {
  ReadChild child;
  std::size_t at = std::size_t{second} * relative_child_bits(q);
  for (std::uint32_t& less : child.coefficients.less) {
    less = static_cast<std::uint32_t>(get_bits(record, at, q));
    at += q;
  }
  child.coefficients.shift = static_cast<unsigned>(get_bits(record, at, 6));
  const auto link = static_cast<std::uint32_t>(get_bits(record, at + 6, 32));
  child.links = get_bits(record, at + 38, 1) != 0 ? DopLinks{link, 0} : DopLinks{2 * link, 2 * link + 1};
  return child;
}

Words relative_records(const DopRecords& records, unsigned q) {
  const std::size_t nodes = records.links.size(), words = std::size_t{relative_record_bursts(q)} * k_burst_words;
  // Nodes that have children have them in records 1, 2, … in their own order.
  std::vector<std::uint32_t> record_of_children(nodes, 0);
  std::uint32_t count = 1;
  for (std::size_t i = 0; i < nodes; ++i)
    if (!records.links[i].leaf()) record_of_children[i] = count++;

  SNUG_ASSERT(count == (nodes + 1) / 2);
  Words out(count * words);
  std::vector<DopWords> read(nodes);  // what the chip will make of each
  const auto put = [&](std::uint32_t node, const DopWords& parent, std::uint32_t record, unsigned second) {
    DopWords exact;
    std::copy_n(records.coefficients.begin() + static_cast<std::ptrdiff_t>(exact.size() * node), exact.size(),
                exact.begin());
    const RelativeChild child = relative_to(parent, exact, q);
    read[node] = absolute(parent, child);
    std::uint64_t* const to = out.data() + record * words;
    std::size_t at = std::size_t{second} * relative_child_bits(q);
    for (const std::uint32_t less : child.less) at = put_bits(to, at, less, q);
    at = put_bits(to, at, child.shift, 6);
    const DopLinks& links = records.links[node];
    at = put_bits(to, at, links.leaf() ? links.left : record_of_children[node], 32);
    put_bits(to, at, links.leaf() ? 1 : 0, 1);
  };
  put(0, largest_dop(records.width), 0, 0);
  for (std::size_t i = 0; i < nodes; ++i) {
    if (records.links[i].leaf()) continue;
    put(records.links[i].left, read[i], record_of_children[i], 0);
    put(records.links[i].right, read[i], record_of_children[i], 1);
  }
  return out;
}

}  // namespace snug::chip
