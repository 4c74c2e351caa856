#pragma once

#include "bench/physics/png.hpp"
#include "physics/headless/trials.hpp"

#include <span>

namespace snug::bench::physics {

/// The parts of a scene at their poses, seen in parallel projection; fixed ones are grey.
[[nodiscard]] Picture picture_of(const headless::Trial& trial, std::span<const Pose> poses, std::uint32_t width,
                                 std::uint32_t height);
/// One beside the other. Precondition: of the same height, with the same colours.
[[nodiscard]] Picture side_by_side(const Picture& left, const Picture& right);

}  // namespace snug::bench::physics
