#pragma once

#include "query/pairs/dop/fixed/triangle.hpp"
#include "query/pairs/dop/frame.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

namespace snug::query::fixed {

/// What the host sends to the triangle unit for a pair of bodies at their poses.
[[nodiscard]] Placement placement_of(const DopFrame& frame, const Format& format) noexcept;

/// A vertex as the chip's memory holds it, and below.
[[nodiscard]] Corner corner_of(const Point3& vertex, const DopTree& tree, double unit_scale,
                               const Format& format) noexcept;
/// A triangle as the chip's memory holds it: in the coordinates of its tree times `unit_scale`, the frame's scale of that body.
[[nodiscard]] TriangleWords words_of(const Mesh& mesh, std::uint32_t triangle, const DopTree& tree, double unit_scale,
                                     const Format& format) noexcept;

}  // namespace snug::query::fixed
