#pragma once

#include <snug/export.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace snug {

namespace detail {
/// Prints `message` to stderr and aborts: asking a Result for what it does not hold is a bug of the caller.
[[noreturn]] SNUG_API void stop(std::string_view message) noexcept;

template <class E>
std::string message_of(const E& error) {
  if constexpr (requires { error.message(); }) {
    return std::string(error.message());
  } else {
    return std::string(error);
  }
}
}  // namespace detail

/// The failed side of a Result, so that `return snug::Failure{error};` works whatever the value type is.
template <class E>
struct Failure {
  E error;
};
template <class E>
Failure(E) -> Failure<E>;

/// A value or the reason why there is none. Mirrors the members of std::expected that we need until C++23 is at hand;
/// value() on a failure stops the program with the error's message instead of throwing.
template <class T, class E>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = E;

  /// A value to be filled in where it stands.
  explicit Result(std::in_place_t) : state_(std::in_place_index<0>) {}
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure<E> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& value() & { return *checked(); }
  [[nodiscard]] const T& value() const& { return *const_cast<Result*>(this)->checked(); }
  [[nodiscard]] T&& value() && { return std::move(*checked()); }

  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  [[nodiscard]] const E& error() const& {
    if (has_value()) detail::stop("Result::error() asked of a success");
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] E&& error() && { return std::move(const_cast<E&>(std::as_const(*this).error())); }

  template <class U>
  [[nodiscard]] T value_or(U&& fallback) const& {
    return has_value() ? value() : static_cast<T>(std::forward<U>(fallback));
  }

 private:
  T* checked() {
    if (!has_value()) detail::stop(detail::message_of(*std::get_if<1>(&state_)));
    return std::get_if<0>(&state_);
  }

  std::variant<T, E> state_;
};

/// The same for operations that have nothing to return but may fail.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  Result() = default;
  Result(Failure<E> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (!has_value()) detail::stop(detail::message_of(*std::get_if<1>(&state_)));
  }
  [[nodiscard]] const E& error() const {
    if (has_value()) detail::stop("Result::error() asked of a success");
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<std::monostate, E> state_;
};

}  // namespace snug
