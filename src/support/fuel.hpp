#pragma once

#include "support/rooms.hpp"

#include <snug/budget.hpp>

#include <algorithm>

namespace snug::support {

/// Why a search that counts its steps itself has to end after so many, if it has. It looks at the clock and at the token now and then only:
/// once in `between_looks` steps.
[[nodiscard]] inline std::optional<Undecided> why_spent(const Budget& budget, std::uint64_t steps,
                                                        std::uint64_t between_looks) noexcept {
  if (budget.steps && steps >= *budget.steps) return Undecided::steps;
  if (steps % between_looks != 0) return std::nullopt;
  if (budget.cancel != nullptr && budget.cancel->cancelled()) return Undecided::cancelled;
  if (budget.deadline && std::chrono::steady_clock::now() >= *budget.deadline) return Undecided::deadline;
  return std::nullopt;
}

/// A budget as walks spend it: in portions, with a look at the clock between them.
class Fuel {
 public:
  Fuel() = default;
  explicit Fuel(const Budget& budget) noexcept
      : left_(budget.steps.value_or(k_no_end)),
        deadline_(budget.deadline),
        cancel_(budget.cancel),
        watched_(budget.deadline.has_value() || budget.cancel != nullptr) {}

  /// Steps that may be taken now; 0 if that is all.
  [[nodiscard]] std::uint64_t portion() noexcept {
    if (why_) return 0;
    if (left_ == 0)
      why_ = Undecided::steps;
    else if (watched_)
      watch();
    return why_ ? 0 : watched_ ? std::min(left_, k_between_looks) : left_;
  }
  void use(std::uint64_t steps) noexcept { left_ -= left_ == k_no_end ? 0 : std::min(left_, steps); }

  /// Spends steps one by one, with a look at the clock now and then. False once it is not enough.
  bool spend(std::uint64_t steps) noexcept {
    if (why_) return false;
    if (left_ < steps) why_ = Undecided::steps;
    use(steps);
    since_look_ += steps;
    if (!why_ && watched_ && since_look_ >= k_between_looks) since_look_ = 0, watch();
    return !why_;
  }

  /// Why it was not enough, if it was not.
  [[nodiscard]] std::optional<Undecided> why() const noexcept { return why_; }
  [[nodiscard]] bool counted() const noexcept { return left_ != k_no_end; }

 private:
  static constexpr std::uint64_t k_no_end = ~std::uint64_t{0};
  /// Some ten microseconds' worth of pairs of nodes, in which reading the clock does not show.
  static constexpr std::uint64_t k_between_looks = 32;

  void watch() noexcept {
    if (cancel_ != nullptr && cancel_->cancelled())
      why_ = Undecided::cancelled;
    else if (deadline_ && std::chrono::steady_clock::now() >= *deadline_)
      why_ = Undecided::deadline;
  }

  std::uint64_t left_ = k_no_end;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  const CancelToken* cancel_ = nullptr;
  bool watched_ = false;
  std::uint64_t since_look_ = k_between_looks;  ///< steps that were spent one by one
  std::optional<Undecided> why_;
};

}  // namespace snug::support
