#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/verdict.hpp>

namespace snug::assembly {

/// The verdict on two bodies of moderate size, as assess_posed() gives it but for the last bits, which depend on which
/// body comes first. When cancelled on the way the report is empty.
[[nodiscard]] PairReport assessment(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options,
                                    const CancelToken* cancel);

}  // namespace snug::assembly
