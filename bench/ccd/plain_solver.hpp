#pragma once

#include <snug/ccd.hpp>

namespace snug::bench::ccd {

/// What most programs do: the times of coplanarity as roots of a cubic in doubles, then a look whether the vertex is inside,
/// or the edges meet, with a small tolerance. Fast, and wrong where rounding decides.
[[nodiscard]] bool plain_contact(const MovingPoint& vertex, const MovingTriangle& face) noexcept;
[[nodiscard]] bool plain_contact(const MovingEdge& a, const MovingEdge& b) noexcept;

/// Whether the boxes around the paths are apart: what such programs often ask first.
[[nodiscard]] bool paths_apart(const MovingPoint& vertex, const MovingTriangle& face) noexcept;
[[nodiscard]] bool paths_apart(const MovingEdge& a, const MovingEdge& b) noexcept;

}  // namespace snug::bench::ccd
