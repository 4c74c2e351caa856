#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

/// Unlike an assert, in force in every build.
#define FUZZ_CHECK(condition)                                                            \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

namespace snug::fuzz {

/// Takes values off an input; past its end they are zero.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t count = std::min(sizeof(T), left_);
    if (count > 0) std::memcpy(&value, data_, count);
    data_ += count;
    left_ -= count;
    return value;
  }
  /// Any bit pattern but NaN and infinity, which become zero.
  double take_finite() {
    const double value = take<double>();
    return std::isfinite(value) ? value : 0.0;
  }
  /// A small integer: these meet, align and degenerate all the time.
  double take_grid() { return take<std::int8_t>() % 4; }
  [[nodiscard]] bool empty() const { return left_ == 0; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace snug::fuzz
