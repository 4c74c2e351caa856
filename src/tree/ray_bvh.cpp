#include "tree/ray_bvh.hpp"

#include <cmath>

namespace snug::detail {

namespace {

/// What a box is rounded by, and coordinates of the tree.
constexpr double k_rounding = 0x1p-24;

/// Puts a box into a lane.
void set(RayNode& node, std::uint32_t lane, const Point3& lo, const Point3& hi) noexcept {
  for (std::size_t i = 0; i < 3; ++i)
    node.lo[i][lane] = static_cast<float>(lo[i]), node.hi[i][lane] = static_cast<float>(hi[i]);
}

struct InTree {
  const ObbTree& tree;
  TriangleMeshView view;
  double unit;

  InTree(const ObbTree& t, const Mesh& mesh) noexcept
      : tree(t), view(mesh.view()), unit(std::ldexp(1.0, -t.exponent)) {}
  [[nodiscard]] Point3 point(const Point3& p) const noexcept { return unit * (p - tree.centre); }
  [[nodiscard]] Aabb block(const TriangleBlock& block) const noexcept {
    Aabb box;
    for (std::uint32_t l = 0; l < block.count; ++l)
      for (const std::uint32_t v : view.triangles[block.id[l]]) box.include(view.vertices[v]);
    return {point(box.lo), point(box.hi)};
  }
};

/// Around all lanes of a node.
void around(const RayNode& node, Point3& lo, Point3& hi) noexcept {
  float least[3] = {node.lo[0][0], node.lo[1][0], node.lo[2][0]};
  float most[3] = {node.hi[0][0], node.hi[1][0], node.hi[2][0]};
  for (std::uint32_t lane = 1; lane < node.count; ++lane)
    for (std::size_t i = 0; i < 3; ++i)
      least[i] = std::min(least[i], node.lo[i][lane]), most[i] = std::max(most[i], node.hi[i][lane]);
  lo = {least[0], least[1], least[2]}, hi = {most[0], most[1], most[2]};
}

}  // namespace

void refit_ray_bvh(RayBvh& bvh, const ObbTree& tree, const Mesh& mesh) {
  const InTree in(tree, mesh);
  bvh.nodes.resize(tree.nodes.size());
  // Children lie behind their parents.
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const ObbNode& from = tree.nodes[n];
    RayNode& node = bvh.nodes[n];
    node = {};
    node.first_node = from.first_node, node.first_block = from.first_block;
    node.inner = from.inner, node.count = from.count;
    for (std::uint32_t lane = 0; lane < k_lanes; ++lane) {
      Point3 lo{4, 4, 4}, hi{-4, -4, -4};  // beyond the last: nothing can meet it
      if (lane < node.inner) {
        around(bvh.nodes[node.first_node + lane], lo, hi);
      } else if (lane < node.count) {
        const Aabb box = in.block(tree.blocks[node.first_block + (lane - node.inner)]);
        lo = box.lo, hi = box.hi;
      }
      set(node, lane, lo, hi);
    }
  }
}

RayBvh build_ray_bvh(const ObbTree& tree, const Mesh& mesh) {
  RayBvh bvh;
  refit_ray_bvh(bvh, tree, mesh);
  return bvh;
}

std::optional<std::string> validate(const RayBvh& bvh, const ObbTree& tree, const Mesh& mesh) {
  const InTree in(tree, mesh);
  if (bvh.nodes.size() != tree.nodes.size()) return "there are not as many nodes as in the tree";
  for (std::uint32_t n = 0; n < bvh.nodes.size(); ++n) {
    const RayNode& node = bvh.nodes[n];
    const ObbNode& of_tree = tree.nodes[n];
    if (node.count != of_tree.count || node.inner != of_tree.inner || node.first_node != of_tree.first_node ||
        node.first_block != of_tree.first_block)
      return "node " + std::to_string(n) + " has other children than in the tree";
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      Aabb held;
      if (lane >= node.inner) {
        held = in.block(tree.blocks[node.first_block + (lane - node.inner)]);
      } else {
        around(bvh.nodes[node.first_node + lane], held.lo, held.hi);
      }
      for (std::size_t i = 0; i < 3; ++i)
        if (!(double{node.lo[i][lane]} <= held.lo[i] + k_rounding &&
              double{node.hi[i][lane]} >= held.hi[i] - k_rounding))
          return "something sticks out of box " + std::to_string(lane) + " of node " + std::to_string(n);
    }
  }
  return {};
}

}  // namespace snug::detail
