#pragma once

#include "support/rooms.hpp"

#include <snug/triangle.hpp>

namespace snug::query {

/// How two triangles of one mesh stand to one another, apart from what they share as neighbours: disjoint if all points they
/// have in common lie on a corner or side that both have, by equal coordinates; otherwise what relation() says. Triangles
/// with the same three corners are touching. Exact, degenerate triangles included; the same for every order.
[[nodiscard]] Relation relation_beyond_shared(const Triangle& a, const Triangle& b) noexcept;

}  // namespace snug::query
