#include "device/ray_stackless.hpp"

#include "support/assert.hpp"

namespace snug::device {

namespace {

void add_children(const RayBvh& bvh, std::uint32_t index, std::vector<StacklessBox>& boxes) {
  SNUG_ASSERT(index < bvh.nodes.size());
  const RayNode& node = bvh.nodes[index];
  for (std::uint32_t lane = 0; lane < node.count; ++lane) {
    const std::size_t at = boxes.size();
    StacklessBox& box = boxes.emplace_back();
    for (int i = 0; i < 3; ++i) box.lo[i] = node.lo[i][lane], box.hi[i] = node.hi[i][lane];
    box.block = lane < node.inner ? StacklessBox::k_inner : node.first_block + (lane - node.inner);
    if (lane < node.inner) add_children(bvh, node.first_node + lane, boxes);
    boxes[at].skip = static_cast<std::uint32_t>(boxes.size());
  }
}

}  // namespace

std::vector<StacklessBox> flatten(const RayBvh& bvh) {
  std::vector<StacklessBox> boxes;
  if (!bvh.nodes.empty() && bvh.nodes[0].count > 0) add_children(bvh, 0, boxes);
  return boxes;
}

}  // namespace snug::device
