#include "physics/headless/step_times.hpp"

#include <algorithm>
#include <cmath>

namespace snug::headless {

namespace {

constexpr double k_least = 1e-9;  // seconds; no clock tells less
constexpr double k_ratio = 1.01;
constexpr std::size_t k_buckets = 3500;  // up to a million seconds

}  // namespace

void StepTimes::add(double seconds) {
  if (buckets_.empty()) buckets_.resize(k_buckets);
  const double place = std::log(std::max(seconds, k_least) / k_least) / std::log(k_ratio);
  ++buckets_[std::min(static_cast<std::size_t>(place), k_buckets - 1)];
  ++count_;
  sum_ += seconds;
  most_ = std::max(most_, seconds);
}

double StepTimes::p99() const noexcept {
  // Counted from the slowest, since the last place is known exactly.
  std::uint64_t above = count_ - (count_ * 99 + 99) / 100;
  if (above == 0) return most_;
  for (std::size_t i = buckets_.size(); i-- > 0;) {
    if (above < buckets_[i]) return std::min(most_, k_least * std::pow(k_ratio, static_cast<double>(i) + 0.5));
    above -= buckets_[i];
  }
  return most_;
}

}  // namespace snug::headless
