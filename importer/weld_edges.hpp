#pragma once

#include "document.hpp"
#include "support/disjoint_sets.hpp"

#include <span>

namespace snug::importer {

/// Joins the nodes at which meshed faces of one body meet: along shared edges, along seams, at corners and at poles.
/// `first_node` is per face the number of its first node in `sets`.
void weld_edges(std::span<const BodyFace> faces, std::span<const std::size_t> first_node, support::DisjointSets& sets);

}  // namespace snug::importer
