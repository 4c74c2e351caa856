#include "query/posed/posed_mesh.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <utility>

namespace snug::query {

PosedMesh::PosedMesh(BoxedMesh mesh, const Pose& pose) : PosedMesh(std::move(mesh), pose, Aabb{}) {
  if (empty()) return;
  const auto highest = [this](std::size_t axis) {
    return largest_over_corners(
        *this, [axis](const Aabb& box) { return box.hi[axis]; }, [axis](const Point3& p) { return p[axis]; });
  };
  const auto lowest = [this](std::size_t axis) {
    return -largest_over_corners(
        *this, [axis](const Aabb& box) { return -box.lo[axis]; }, [axis](const Point3& p) { return -p[axis]; });
  };
  bounds_ = {{lowest(0), lowest(1), lowest(2)}, {highest(0), highest(1), highest(2)}};
}

PosedMesh::PosedMesh(BoxedMesh mesh, const Pose& pose, const Aabb& bounds) noexcept
    : mesh_(std::move(mesh)), pose_(pose), bounds_(bounds), rests_(is_identity(pose.matrix(), pose.translation())) {
  set_slack();
}

void PosedMesh::set_slack() noexcept {
  if (empty()) return;
  const NodeBox& all = mesh_.node(0);
  // Once for the corner, once each for middle, half and their sum; the rest is for what is added to both.
  slack_ =
      6 * scale_ * posing_error({all.middle - all.half, all.middle + all.half}, pose_) + 0x1p-50 * max_abs(offset_);
}

PosedMesh PosedMesh::moved(const Vec3& v) const noexcept {
  SNUG_ASSERT(offset_ == Vec3{});
  PosedMesh copy = *this;
  copy.offset_ = v, copy.altered_ = true;
  // Rounding keeps the order of coordinates, so the extreme corners stay the extreme ones.
  if (!empty()) copy.bounds_ = {bounds_.lo + v, bounds_.hi + v};
  copy.set_slack();
  return copy;
}

PosedMesh PosedMesh::with_vertices(std::vector<Point3> vertices) const {
  PosedMesh copy(BoxedMesh(mesh_.shape(), std::move(vertices)), Pose{});
  copy.watch(cancel_);
  return copy;
}

PosedMesh PosedMesh::scaled(double power) const noexcept {
  SNUG_ASSERT(offset_ == Vec3{});
  PosedMesh copy = *this;
  copy.scale_ *= power, copy.altered_ = true;
  if (!empty()) copy.bounds_ = {power * bounds_.lo, power * bounds_.hi};
  copy.set_slack();
  SNUG_ASSERT(power > 0 && copy.scale_ > 0);
  return copy;
}

std::vector<Point3> PosedMesh::vertices() const {
  std::vector<Point3> all;
  all.reserve(vertex_count());
  for (const Point3& own : mesh_.vertices()) all.push_back(posed(own));
  return all;
}

}  // namespace snug::query
