#include "bvh/obb8/fit.hpp"

namespace snug::bvh {

double cost_of(const ObbTree& tree, double area) noexcept {
  // Searches come upon a box about as often as its area says, and pay the same for each. Areas of the boxes alone would
  // grow with the mesh; beside that of its triangles they tell how much more there is to look at than need be.
  double boxes = 0;
  for (const ObbNode& node : tree.nodes) {
    std::int64_t in_steps = 0;
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      const std::int64_t x = node.half[0][lane], y = node.half[1][lane], z = node.half[2][lane];
      in_steps += x * y + y * z + z * x;
    }
    boxes += 4 * static_cast<double>(in_steps) * (double{node.step} * double{node.step});
  }
  return area > 0 ? boxes / area : 0;
}

}  // namespace snug::bvh
