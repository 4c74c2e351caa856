#pragma once

#include <cstdint>
#include <vector>

namespace snug::headless {

/// Times of steps, of which there may be any number: the mean, and the one that 99 of a hundred do not exceed, to one percent.
/// Takes the same memory however many there are.
class StepTimes {
 public:
  void add(double seconds);
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] double mean() const noexcept { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  /// Of few steps the 99th of a hundred is the slowest.
  [[nodiscard]] double p99() const noexcept;

 private:
  std::vector<std::uint64_t> buckets_;  ///< each one percent wide
  std::uint64_t count_ = 0;
  double sum_ = 0, most_ = 0;
};

}  // namespace snug::headless
