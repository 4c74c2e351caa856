#pragma once

#include <snug/export.hpp>
#include <snug/progress.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

namespace snug {

/// What a call may cost at most. As it stands: anything. Trees that are not there yet are built first, which only `cancel`
/// can end: loops that have no time for that prepare() their shapes.
struct Budget {
  /// Steps that the search may take, each call says of what: pairs of tree nodes, pieces of time, poses. With 0 nothing is
  /// looked at. Answers are then the same on every machine.
  std::optional<std::uint64_t> steps = {};
  /// Looked at now and then, some dozens of steps apart. What is known when it has passed depends on the machine and its load: the
  /// one exception to answers that are the same everywhere.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  const CancelToken* cancel = nullptr;

  [[nodiscard]] static Budget lasting(std::chrono::nanoseconds time) {
    return {.deadline = std::chrono::steady_clock::now() + time};
  }
};

/// Why a search could not decide.
enum class Undecided : std::uint8_t {
  steps,      ///< the budget's
  deadline,   ///< the budget's
  cancelled,  ///< by the budget's token
  tolerance,  ///< the truth is closer to the limit that was asked about than the tolerance of the call
  /// An invalid pose, a primitive where triangles are asked for, or a length that is NaN, or negative where it must not be.
  invalid_input,
  not_asked,  ///< nothing was looked for: what an Outcome says before it gets an answer
};
/// "steps", "deadline", "cancelled", "tolerance", "invalid input", "not asked".
[[nodiscard]] SNUG_API std::string_view to_string(Undecided why) noexcept;

/// What a search has found: its answer, or what is known of it so far and why that is not all. Of questions with yes or no for an answer,
/// T has a member `yes`, which means something only where the answer is decided: ask yes() and no(), which are both false otherwise.
/// One that was never filled is undecided, so that what a loop did not get to is not taken for a "no".
template <class T>
struct [[nodiscard]] Outcome {
  T known = {};
  std::optional<Undecided> because = Undecided::not_asked;  ///< if undecided; nothing once it is answered

  [[nodiscard]] bool decided() const noexcept { return !because; }
  [[nodiscard]] bool yes() const noexcept
    requires requires(const T& of) {
      { of.yes } -> std::convertible_to<bool>;
    }
  {
    return decided() && known.yes;
  }
  [[nodiscard]] bool no() const noexcept
    requires requires(const T& of) {
      { of.yes } -> std::convertible_to<bool>;
    }
  {
    return decided() && !known.yes;
  }
  [[nodiscard]] const T* operator->() const noexcept { return &known; }
  [[nodiscard]] const T& operator*() const noexcept { return known; }
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Of searches whose answer lies elsewhere: all of it, or nothing.
template <>
struct [[nodiscard]] Outcome<void> {
  std::optional<Undecided> because = Undecided::not_asked;  ///< if undecided

  [[nodiscard]] bool decided() const noexcept { return !because; }
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace snug
