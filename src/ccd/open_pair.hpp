#pragma once

#include "bvh/descent.hpp"
#include "shape/boxed_mesh.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <limits>

namespace snug::ccd {

/// Two nodes, or two triangles (both or neither), of moving bodies that are not proved to stay apart.
struct OpenPair {
  static constexpr std::uint32_t k_triangle = 0x8000'0000U;
  std::uint32_t a = 0, b = 0;

  [[nodiscard]] static OpenPair of_triangles(std::uint32_t a, std::uint32_t b) noexcept {
    return {a | k_triangle, b | k_triangle};
  }
  [[nodiscard]] bool holds_triangles() const noexcept { return (a & k_triangle) != 0; }
  [[nodiscard]] std::uint32_t triangle_a() const noexcept { return a & ~k_triangle; }
  [[nodiscard]] std::uint32_t triangle_b() const noexcept { return b & ~k_triangle; }
};

/// Two triangles that are close or meet at an instant.
struct TriangleContact {
  double t = 0;
  std::uint32_t triangle_a = 0, triangle_b = 0;
  double distance = std::numeric_limits<double>::infinity();
  Point3 on_a, on_b;  ///< in the world
};

/// Pushes the two pairs into which a pair of nodes falls, that to be looked at first last.
template <class Push>
void open_node(const BoxedMesh& a, const BoxedMesh& b, OpenPair nodes, bool of_a, Push&& push) {
  if (of_a) {
    push(OpenPair{a.tree().nodes[nodes.a].right, nodes.b});
    push(OpenPair{nodes.a + 1, nodes.b});
  } else {
    push(OpenPair{nodes.a, b.tree().nodes[nodes.b].right});
    push(OpenPair{nodes.a, nodes.b + 1});
  }
}

/// The same for the larger node; of two leaves all pairs of triangles.
template <class Push>
void open(const BoxedMesh& a, const BoxedMesh& b, OpenPair nodes, Push&& push) {
  SNUG_ASSERT(!nodes.holds_triangles());
  const AabbTree::Node &node_a = a.tree().nodes[nodes.a], &node_b = b.tree().nodes[nodes.b];
  if (!node_a.leaf() || !node_b.leaf()) {
    const bool of_a = opens_first(node_a.leaf(), a.node(nodes.a).radius, node_b.leaf(), b.node(nodes.b).radius);
    return open_node(a, b, nodes, of_a, push);
  }
  for (std::uint32_t i = node_b.end; i-- > node_b.begin;)
    for (std::uint32_t k = node_a.end; k-- > node_a.begin;)
      push(OpenPair::of_triangles(a.tree().order[k], b.tree().order[i]));
}

}  // namespace snug::ccd
