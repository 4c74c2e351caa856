#pragma once

#include "support/rooms.hpp"

#include <snug/path.hpp>

#include <vector>

namespace snug::assembly {

/// In rising order; those that share a time are joined.
[[nodiscard]] std::vector<TimeSpan> joined(std::vector<TimeSpan> spans);
/// What is in both. Both in rising order, apart; so is what comes back.
[[nodiscard]] std::vector<TimeSpan> common(const std::vector<TimeSpan>& a, const std::vector<TimeSpan>& b);
/// What is in `a` and not inside of `b`, closed; where only an instant is left it is dropped.
[[nodiscard]] std::vector<TimeSpan> without(const std::vector<TimeSpan>& a, const std::vector<TimeSpan>& b);

/// Adds a span to spans before it: as part of the last one, if it goes on where that ends.
void append(const TimeSpan& span, std::vector<TimeSpan>& spans);

}  // namespace snug::assembly
