#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/verdict.hpp>

namespace snug::detail {

/// See snug::assess().
[[nodiscard]] PairReport assess_posed(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options);

/// Are all lengths finite and not negative?
[[nodiscard]] bool valid(const Bands& bands) noexcept;

}  // namespace snug::detail
