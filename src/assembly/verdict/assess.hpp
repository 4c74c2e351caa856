#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/assembly.hpp>
#include <snug/progress.hpp>
#include <snug/verdict.hpp>

namespace snug::assembly {

/// See snug::assess(). A touch overlap that is not given is 0. Once cancelled, it ends soon, and what it returns means nothing.
[[nodiscard]] PairReport assess_posed(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options,
                                      const CancelToken* cancel = nullptr);

/// Are all lengths finite and not negative?
[[nodiscard]] bool valid(const Tolerances& tolerances) noexcept;
/// With the touch overlap of the assembly, if none is given.
[[nodiscard]] Tolerances in_force(const Tolerances& tolerances, const Assembly& assembly);

}  // namespace snug::assembly
