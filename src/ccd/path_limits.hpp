#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/motion.hpp>

#include <optional>
#include <span>

namespace snug::ccd {

/// The range asked for, or from the first to the last key of all motions with more than one.
[[nodiscard]] Result<TimeSpan, PathError> path_range(const std::optional<TimeSpan>& asked,
                                                     std::span<const Motion* const> motions) noexcept;

/// The largest coordinate that a part's points may have; infinite if too large for the methods here.
[[nodiscard]] double path_farthest(const Mesh& mesh, const Motion& motion) noexcept;

}  // namespace snug::ccd
