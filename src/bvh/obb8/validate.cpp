#include "bvh/obb8/obb_box.hpp"

#include "geometry/vec_ops.hpp"

#include <cmath>
#include <string>

namespace snug::bvh {

namespace {

/// Coordinates of a tree are at most 1 and as doubles wrong by some 2^-53; so is what is compared here. The search allows
/// for 2^-46 (docs/exactness.md).
constexpr double k_rounding = 0x1p-50;

/// Walks the tree and holds every box to the corners below it, in doubles and by code of its own.
class Validator {
 public:
  Validator(const ObbTree& tree, const Mesh& mesh) : tree_(tree), mesh_(mesh), seen_(mesh.triangles().size()) {}

  std::optional<std::string> run() {
    if (tree_.empty())
      return mesh_.triangles().empty() ? std::nullopt : std::optional<std::string>("the tree is empty");
    if (tree_.nodes[0].count != 1) return "the first node holds more than the whole";
    std::vector<std::uint32_t> below;
    check_node(0, 1, below);
    for (std::size_t t = 0; t < seen_.size() && !problem_; ++t)
      if (!seen_[t]) fail("triangle " + std::to_string(t) + " is in no block");
    return problem_;
  }

 private:
  void fail(std::string words) {
    if (!problem_) problem_ = std::move(words);
  }

  /// Adds the blocks below a node.
  void check_node(std::uint32_t index, std::uint32_t depth, std::vector<std::uint32_t>& below) {
    if (problem_) return;
    if (index >= tree_.nodes.size()) return fail("node " + std::to_string(index) + " does not exist");
    if (depth > tree_.depth) return fail("node " + std::to_string(index) + " lies deeper than the tree says");
    const ObbNode& node = tree_.nodes[index];
    if (node.count == 0 || node.count > k_lanes || node.inner > node.count)
      return fail("node " + std::to_string(index) + " has a wrong number of children");
    for (std::uint32_t lane = 0; lane < node.count && !problem_; ++lane) {
      std::vector<std::uint32_t> of_child;
      if (lane < node.inner)
        check_node(node.first_node + lane, depth + 1, of_child);
      else
        of_child.push_back(node.first_block + lane - node.inner);
      for (const std::uint32_t block : of_child) {
        if (block >= tree_.blocks.size()) return fail("block " + std::to_string(block) + " does not exist");
        if (lane >= node.inner) check_block(block);
        if (node.surface != k_mixed_surfaces && tree_.blocks[block].surface != node.surface)
          fail("node " + std::to_string(index) + " holds more than its surface");
        check_box(node, lane, block);
      }
      below.insert(below.end(), of_child.begin(), of_child.end());
    }
  }

  void check_block(std::uint32_t index) {
    const TriangleBlock& block = tree_.blocks[index];
    if (block.count == 0 || block.count > k_lanes)
      return fail("block " + std::to_string(index) + " has a wrong number of triangles");
    for (std::uint32_t l = 0; l < block.count && !problem_; ++l) {
      const std::uint32_t t = block.id[l];
      if (t >= seen_.size() || seen_[t]) return fail("triangle " + std::to_string(t) + " is listed wrongly");
      seen_[t] = true;
      if (l > 0 && t <= block.id[l - 1])
        return fail("the triangles of block " + std::to_string(index) + " are out of order");
      if (mesh_.surface_of(t) != block.surface)
        fail("triangle " + std::to_string(t) + " is in a block of another surface");
      for (int k = 0; k < 3; ++k) {
        const Vec3 p = tree_point(t, k);
        for (int i = 0; i < 3; ++i) {
          const double kept = double{block.origin[i]} + block.corner[k][i][l] * double{block.step};
          if (!(std::abs(kept - p[i]) <= 0.5001 * double{block.step} + k_rounding))
            fail("a corner of triangle " + std::to_string(t) + " is further from its block's than half a step");
        }
      }
    }
  }

  void check_box(const ObbNode& node, std::uint32_t lane, std::uint32_t index) {
    const auto axes = box_axes(node, lane);
    const Vec3 centre = box_centre(node, lane);
    const TriangleBlock& block = tree_.blocks[index];
    for (std::uint32_t l = 0; l < block.count; ++l)
      for (int k = 0; k < 3; ++k) {
        const Vec3 d = tree_point(block.id[l], k) - centre;
        for (std::size_t i = 0; i < 3; ++i)
          if (!(std::abs(dot(axes[i], d)) <= double{node.step} * node.half[i][lane] + k_rounding))
            return fail("triangle " + std::to_string(block.id[l]) + " sticks out of a box above it");
      }
  }

  [[nodiscard]] Vec3 tree_point(std::uint32_t triangle, int corner) const {
    const Point3& p = mesh_.vertices()[mesh_.triangles()[triangle][static_cast<std::size_t>(corner)]];
    return std::ldexp(1.0, -tree_.exponent) * (p - tree_.centre);
  }

  const ObbTree& tree_;
  const Mesh& mesh_;
  std::vector<bool> seen_;
  std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> validate(const ObbTree& tree, const Mesh& mesh) { return Validator(tree, mesh).run(); }

}  // namespace snug::bvh
