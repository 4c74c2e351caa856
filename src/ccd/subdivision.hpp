#pragma once

#include "support/assert.hpp"
#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <snug/motion.hpp>

#include <cstdint>

// Interval subdivision: a span of time is looked at as a whole, and then its halves where that did not decide it.

namespace snug::ccd {

/// A piece of the time that is subdivided.
struct TimePiece {
  explicit TimePiece(const TimeSpan& of) noexcept : span(of), middle(of.begin + 0.5 * of.length()) {
    SNUG_ASSERT(of.begin <= middle && middle <= of.end);
  }

  TimeSpan span;
  double middle;

  /// Are there instants between its ends?
  [[nodiscard]] bool divisible() const noexcept { return span.begin < middle && middle < span.end; }
  [[nodiscard]] TimeSpan earlier() const noexcept { return {span.begin, middle}; }
  [[nodiscard]] TimeSpan later() const noexcept { return {middle, span.end}; }
};

/// What a subdivision may cost, and did.
struct PieceBudget {
  Budget budget;
  std::uint64_t pieces = 0;
  bool ran_out = false;  ///< it was asked for more than there was

  /// A piece takes so long that reading the clock for each does not show.
  [[nodiscard]] bool spent() noexcept {
    const bool nothing_left = why_spent(budget, pieces, 1).has_value();
    ran_out = ran_out || nothing_left;
    return nothing_left;
  }
  /// For work that is no piece of time: only the deadline and the token end it.
  [[nodiscard]] bool late() noexcept {
    const bool over = why_spent({.deadline = budget.deadline, .cancel = budget.cancel}, 0, 1).has_value();
    ran_out = ran_out || over;
    return over;
  }
  [[nodiscard]] bool cancelled() const noexcept { return budget.cancel != nullptr && budget.cancel->cancelled(); }
  /// Takes one piece; false if none is left.
  [[nodiscard]] bool take() noexcept {
    if (spent()) return false;
    ++pieces;
    return true;
  }
};

}  // namespace snug::ccd
