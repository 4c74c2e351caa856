#include "query/raycast/line_walk.hpp"

#include "geometry/vec_ops.hpp"
#include "shape/trees.hpp"

#define SNUG_LANES baseline
#include "query/raycast/lanes/line_start.hpp"
#undef SNUG_LANES

namespace snug::query {

namespace {

bool decide_exactly(const Ray& ray, const Point3 corner[3], double& t, bool& from_inside) noexcept {
  const auto hit = ray_hit(ray, Triangle{{corner[0], corner[1], corner[2]}});
  if (hit) t = hit->t, from_inside = hit->from_inside;
  return hit.has_value();
}

}  // namespace

LineWalk::LineWalk(const Shape& body, const Pose& pose, const Kernels& kernels) : kernels_(kernels) {
  const ShapeData& data = Access::data(body);
  const ObbTree& tree = data.get<ObbTree>();
  const RayBvh& bvh = data.get<RayBvh>();
  if (!tree.empty()) tree_.nodes = bvh.nodes.data();
  tree_.blocks = tree.blocks.data(), tree_.corners = bvh.corners.data();
  tree_.vertices = body.mesh().vertices().data();
  tree_.matrix = pose.matrix().data(), tree_.translation = pose.translation();
  tree_.centre = tree.centre, tree_.unit = bvh.unit;
  tree_.margin = bvh.margin + 0x1p-47 * (bvh.unit * absolute_sum(tree_.translation));
}

bool LineWalk::prepare(const Ray& ray, RayWalk& walk, Start& start) const noexcept {
  return lanes::baseline::begin_line(tree_, ray, walk, start);
}

void LineWalk::narrow(const Start& start, const LineReach& reach, RayWalk& walk) noexcept {
  lanes::baseline::narrow_line(start, reach, walk);
}

bool LineWalk::run(FirstHitSearch& search) const {
  search.decide = decide_exactly;
  return kernels_.first_hit(tree_, search);
}

}  // namespace snug::query
