#include "bvh/ray/ray_bvh.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::bvh {

namespace {

/// What a box is rounded by, and coordinates of the tree.
constexpr double k_float_rounding = 0x1p-24;

/// Of floats no larger than 4 and of what is made of them: boxes, line, planes and products (docs/exactness.md).
constexpr double k_float_margin = 0x1p-18;

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
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept {
    const Triangle raw = view.triangle(t);
    return {{point(raw[0]), point(raw[1]), point(raw[2])}};
  }
  [[nodiscard]] Aabb block(const TriangleBlock& block) const noexcept {
    Aabb box;
    for (std::uint32_t l = 0; l < block.count; ++l)
      for (const std::uint32_t v : view.triangles[block.id[l]]) box.include(view.vertices[v]);
    return {point(box.lo), point(box.hi)};
  }
};

/// Two planes with a common normal, and the triangles of a block between them.
struct Slab {
  double normal[3] = {}, low = 0, high = 0;  ///< in steps

  void reach(const InTree& in, const TriangleBlock& block) noexcept {
    low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::uint32_t l = 0; l < block.count; ++l) {
      for (const Point3& p : in.triangle(block.id[l]).corner) {
        const double at = RayNode::k_steps * ((normal[0] * p.x + normal[1] * p.y) + normal[2] * p.z);
        low = std::min(low, at), high = std::max(high, at);
      }
    }
  }
};

/// The planes across the mean normal of a block, by area.
Slab slab_of(const InTree& in, const TriangleBlock& block) noexcept {
  SNUG_ASSERT(block.count >= 1 && block.count <= k_lanes);
  Vec3 sum;
  for (std::uint32_t l = 0; l < block.count; ++l) {
    const Triangle t = in.triangle(block.id[l]);
    sum = sum + cross(t[1] - t[0], t[2] - t[0]);
  }
  Slab slab;
  const double largest = max_abs(sum);
  if (!(largest > 0)) return slab;
  for (std::size_t i = 0; i < 3; ++i) slab.normal[i] = std::round(127 * (sum[i] / largest));
  slab.reach(in, block);
  return slab;
}

/// Puts the planes of all blocks of a node into their lanes.
void set_slabs(RayNode& node, const InTree& in) noexcept {
  Slab slabs[k_lanes];
  double thickest = 0x1p-10;  // so that the unit is not lost among floats
  for (std::uint32_t lane = node.inner; lane < node.count; ++lane) {
    slabs[lane] = slab_of(in, in.tree.blocks[node.first_block + (lane - node.inner)]);
    thickest = std::max(thickest, slabs[lane].high - std::floor(slabs[lane].low));
  }
  // A little more, for the rounding of the unit and of what is multiplied by it.
  node.unit = static_cast<float>(thickest / 127 * (1 + 0x1p-20));
  for (std::uint32_t lane = node.inner; lane < node.count; ++lane) {
    const Slab& slab = slabs[lane];
    for (std::size_t i = 0; i < 3; ++i) node.normal[i][lane] = static_cast<std::int8_t>(slab.normal[i]);
    SNUG_ASSERT(slab.low <= slab.high && slab.low >= -32768 && slab.high <= 32767);
    node.low[lane] = static_cast<std::int16_t>(std::floor(slab.low));
    const double units = (slab.high - std::floor(slab.low)) / double{node.unit};
    SNUG_ASSERT(units <= 127);
    node.thickness[lane] = static_cast<std::int8_t>(std::ceil(std::max(units * (1 + 0x1p-40), 0.0)));
  }
}

/// Around all lanes of a node.
void around(const RayNode& node, Point3& lo, Point3& hi) noexcept {
  SNUG_ASSERT(node.count > 0 && node.count <= k_lanes);
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
  bvh.unit = in.unit;
  bvh.margin = k_float_margin +
               0x1p-47 * (k_ray_tree_radius +
                          in.unit * (absolute_sum(tree.centre) + 4 * std::numeric_limits<double>::denorm_min()));
  bvh.nodes.resize(tree.nodes.size());
  // Children lie behind their parents.
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const ObbNode& from = tree.nodes[n];
    RayNode& node = bvh.nodes[n];
    node = {};
    node.first_node = from.first_node, node.first_block = from.first_block;
    node.inner = from.inner, node.count = from.count;
    for (std::uint32_t lane = 0; lane < k_lanes; ++lane) {
      const Aabb nothing;
      Point3 lo = nothing.lo, hi = nothing.hi;
      if (lane < node.inner) {
        SNUG_ASSERT(node.first_node > n && node.first_node + lane < bvh.nodes.size());
        around(bvh.nodes[node.first_node + lane], lo, hi);
      } else if (lane < node.count) {
        SNUG_ASSERT(node.first_block + (lane - node.inner) < tree.blocks.size());
        const Aabb box = in.block(tree.blocks[node.first_block + (lane - node.inner)]);
        lo = box.lo, hi = box.hi;
      }
      set(node, lane, lo, hi);
    }
    set_slabs(node, in);
  }
  bvh.corners.resize(tree.blocks.size());
  for (std::size_t b = 0; b < tree.blocks.size(); ++b) {
    const TriangleBlock& block = tree.blocks[b];
    for (std::uint32_t l = 0; l < k_lanes; ++l) {
      const Index3& corners = in.view.triangles[block.id[l < block.count ? l : 0]];
      std::ranges::copy(corners, bvh.corners[b].vertex[l]);
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
  if (bvh.corners.size() != tree.blocks.size()) return "there are not as many blocks as in the tree";
  for (std::uint32_t n = 0; n < bvh.nodes.size(); ++n) {
    const RayNode& node = bvh.nodes[n];
    const ObbNode& of_tree = tree.nodes[n];
    if (node.count != of_tree.count || node.inner != of_tree.inner || node.first_node != of_tree.first_node ||
        node.first_block != of_tree.first_block)
      return "node " + std::to_string(n) + " has other children than in the tree";
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      const auto told = [&](const char* what) {
        return what + std::string(" of box ") + std::to_string(lane) + " of node " + std::to_string(n);
      };
      Aabb held;
      Slab slab;
      for (std::size_t i = 0; i < 3; ++i) slab.normal[i] = node.normal[i][lane];
      if (lane >= node.inner) {
        const std::uint32_t b = node.first_block + (lane - node.inner);
        held = in.block(tree.blocks[b]);
        slab.reach(in, tree.blocks[b]);
        for (std::uint32_t l = 0; l < tree.blocks[b].count; ++l)
          if (!std::ranges::equal(in.view.triangles[tree.blocks[b].id[l]], bvh.corners[b].vertex[l]))
            return told("other corners than the mesh has");
      } else {
        around(bvh.nodes[node.first_node + lane], held.lo, held.hi);
      }
      for (std::size_t i = 0; i < 3; ++i)
        if (!(double{node.lo[i][lane]} <= held.lo[i] + k_float_rounding &&
              double{node.hi[i][lane]} >= held.hi[i] - k_float_rounding))
          return told("something sticks out");
      const double low = node.low[lane], high = low + double{node.unit} * node.thickness[lane];
      if (!(low <= slab.low && high >= slab.high)) return told("something lies beyond the planes");
    }
  }
  return {};
}

}  // namespace snug::bvh
