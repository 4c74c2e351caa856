#include "query/posed/winds_once.hpp"

#include "geometry/ray_count.hpp"
#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <snug/triangle.hpp>

#include <numeric>

namespace snug::query {

namespace {

/// A mesh in its own frame, as walks want a body to be.
class OwnFrame {
 public:
  OwnFrame(const ShapeData& shape, const CancelToken* cancel)
      : view_(shape.mesh.view()),
        tree_(shape.get<AabbTree>(cancel)),
        boxes_(shape.get<NodeBoxes>(cancel).boxes),
        cancel_(cancel) {}
  [[nodiscard]] const AabbTree& tree() const noexcept { return tree_; }
  [[nodiscard]] bool empty() const noexcept { return boxes_.empty(); }
  [[nodiscard]] bool stopped() const noexcept { return cancel_ != nullptr && cancel_->cancelled(); }
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept { return view_.triangle(t); }
  [[nodiscard]] Aabb box(std::uint32_t node) const noexcept {
    const NodeBox& box = boxes_[node];
    return {box.middle - box.half, box.middle + box.half};
  }
  [[nodiscard]] Aabb box_of_triangle(std::uint32_t t) const noexcept { return box_of(triangle(t)); }

 private:
  TriangleMeshView view_;
  const AabbTree& tree_;
  const std::vector<NodeBox>& boxes_;
  const CancelToken* cancel_;
};

bool crosses_itself(const OwnFrame& body) {
  return !descend(body, body, {0, 0}, 0, [&](std::uint32_t t, std::uint32_t u) {
    return t >= u || relation(body.triangle(t), body.triangle(u)) != Relation::crossing;
  });
}

/// How often all other shells wind around a shell's first corner. Shells that touch there may be counted or not: either
/// answer errs towards leaving a volume out.
int winding_of_others(const OwnFrame& body, const Topology& topology, std::uint32_t shell) {
  const Point3 p = body.triangle(topology.triangles_of(shell)[0])[0];
  WindingCount count(RayAlongX{p});
  descend_one(
      body, [&](const Aabb& box) { return ray_reaches(p, box); },
      [&](std::uint32_t t) {
        if (topology.shell_of[t] != shell) count.add(body.triangle(t));
      });
  return count.winding();
}

bool winds_once(const ShapeData& shape, const CancelToken* cancel) {
  const auto& topology = shape.get<Topology>(cancel);
  if (!topology.closed || !topology.manifold) return false;
  SNUG_ASSERT(topology.shell_volume.size() == topology.shells());
  const OwnFrame body(shape, cancel);
  const double total = std::accumulate(topology.shell_volume.begin(), topology.shell_volume.end(), 0.0);
  const int orientation = total < 0 ? -1 : 1;
  for (std::uint32_t shell = 0; topology.shells() > 1 && shell < topology.shells() && !body.stopped(); ++shell) {
    const bool outward = orientation * topology.shell_volume[shell] > 0;
    if (orientation * winding_of_others(body, topology, shell) != (outward ? 0 : 1)) {
      if (body.stopped()) throw LoopCancelled{};
      return false;
    }
  }
  const bool once = !crosses_itself(body);
  if (body.stopped()) throw LoopCancelled{};
  return once;
}

}  // namespace

WindsOnce build(StructureOf<WindsOnce> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  return {winds_once(shape, cancel)};
}

}  // namespace snug::query
