#pragma once

#include "triangulate.hpp"

#include <span>

namespace snug::importer {

/// How far the edges of a meshed face are from the lines of nodes that stand for them: a bound for lines, circles and
/// ellipses, sampled for other curves.
[[nodiscard]] Sag measure_edges(const FaceMesh& face, std::span<const Point3> vertices);

}  // namespace snug::importer
