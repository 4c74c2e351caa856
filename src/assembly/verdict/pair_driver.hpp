#pragma once

#include "shape/shape_data.hpp"
#include "support/parallel.hpp"

#include <snug/assembly.hpp>
#include <snug/progress.hpp>
#include <snug/shape.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace snug::detail {

/// Pairs of n things.
[[nodiscard]] constexpr std::uint64_t pairs_of(std::uint64_t n) noexcept { return n == 0 ? 0 : n * (n - 1) / 2; }

/// The parts of an assembly by their paths, so that the order of the input does not show, each with the shape it shares with all parts
/// of the same mesh.
class OrderedParts {
 public:
  /// Ends early once `cancel` is: then it has the first of the parts only.
  OrderedParts(const Assembly& assembly, const CancelToken* cancel);

  /// How many there are, of those that were not cancelled.
  [[nodiscard]] std::size_t size() const noexcept { return shapes_.size(); }
  /// Where the i-th is in Assembly::parts().
  [[nodiscard]] std::uint32_t id(std::size_t i) const noexcept { return ids_[i]; }
  [[nodiscard]] const Part& part(std::size_t i) const noexcept { return parts_[ids_[i]]; }
  [[nodiscard]] const Shape& shape(std::size_t i) const noexcept { return shapes_[i]; }

 private:
  std::span<const Part> parts_;
  std::vector<std::uint32_t> ids_;
  std::vector<Shape> shapes_;
};

/// Tells the caller's hook how far the work has come, from the caller's thread only.
class PairProgress {
 public:
  PairProgress(const ProgressHook& hook, std::size_t total)
      : hook_(hook), total_(total), caller_(std::this_thread::get_id()) {
    if (hook_) hook_(0);
  }
  void advance() {
    const std::size_t done = done_.fetch_add(1) + 1;
    if (hook_ && done < total_ && std::this_thread::get_id() == caller_)
      hook_(static_cast<double>(done) / static_cast<double>(total_));
  }
  void finish() const {
    if (hook_) hook_(1);
  }

 private:
  const ProgressHook& hook_;
  std::size_t total_;
  std::thread::id caller_;
  std::atomic<std::size_t> done_{0};
};

using PartPair = std::pair<std::uint32_t, std::uint32_t>;

/// What `judge` says of each pair, in their order; nothing of those that were cancelled. It returns an optional report, or throws
/// LoopCancelled.
template <class Judge>
[[nodiscard]] auto judge_pairs(std::span<const PartPair> pairs, unsigned threads, const CancelToken* cancel,
                               PairProgress& progress, const Judge& judge) {
  std::vector<decltype(judge(pairs[0]))> reports(pairs.size());
  for_each_chunk(pairs.size(), threads, [&](std::size_t i) {
    if (cancel != nullptr && cancel->cancelled()) return;
    try {
      reports[i] = judge(pairs[i]);
      if (reports[i]) progress.advance();
    } catch (const LoopCancelled&) {
      // Nothing is known of the pair, as of those that come after it.
    }
  });
  return reports;
}

}  // namespace snug::detail
