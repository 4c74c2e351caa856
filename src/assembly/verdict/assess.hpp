#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/verdict.hpp>

namespace snug::assembly {

/// See snug::assess(). Once cancelled, it ends soon, and what it returns means nothing.
[[nodiscard]] PairReport assess_posed(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options,
                                      const CancelToken* cancel = nullptr);

/// Are all lengths finite and not negative?
[[nodiscard]] bool valid(const Bands& bands) noexcept;

}  // namespace snug::assembly
