#pragma once

#include "bench/pairs/series.hpp"

#include <span>
#include <string>
#include <vector>

namespace snug::bench::pairs {

/// FNV-1a over words.
class Hash {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ ((word >> (8 * byte)) & 0xff)) * 0x100000001b3ULL;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// Sorts the pairs and drops repeated ones.
[[nodiscard]] Answer answer_of(std::vector<IdPair>& pairs);

/// How one engine's answers stand to those of another, step by step.
struct Comparison {
  std::string engine, judge;
  std::size_t steps = 0, of = 0;
  std::uint64_t count = 0, judge_count = 0;  ///< over all steps
  double worst_relative = 0;                 ///< of distances
};

/// Of each trial beside the most trustworthy one, which comes first among equals, whether they agree or
/// not. Distances are compared to 1e-12 relative.
[[nodiscard]] std::vector<Comparison> compared(Query query, std::span<const Trial> trials);
/// Those of them that do not agree.
using Disagreement = Comparison;
[[nodiscard]] std::vector<Disagreement> disagreements(Query query, std::span<const Trial> trials);

/// For a table: answers in all, or the mean distance; and the hash over all steps, "-" where there is none.
[[nodiscard]] std::string answers_text(Query query, const Trial& trial);
[[nodiscard]] std::string hash_text(Query query, const Trial& trial);

}  // namespace snug::bench::pairs
