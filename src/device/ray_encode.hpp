#pragma once

#include "device/device_set.hpp"
#include "device/kernels/layout.h"
#include "query/shape_data.hpp"
#include "tree/ray_stackless.hpp"

#include <cmath>
#include <vector>

// Bodies and rays as kernels/rays.cl reads them.

namespace snug::detail {

/// The boxes and triangles of bodies, one after the other.
struct EncodedBodies {
  std::vector<SnugRayBody> bodies;
  std::vector<SnugRayBox> boxes;
  std::vector<SnugRayTriangle> triangles;

  /// False if there are too many for 28 bits.
  bool add(const Shape& shape) {
    const ObbTree& tree = Access::data(shape).obb_tree();
    const auto boxes_of = flatten(Access::data(shape).ray_bvh());
    const TriangleMeshView mesh = shape.mesh().view();
    if (boxes.size() + boxes_of.size() >= UINT32_MAX || triangles.size() + mesh.triangles.size() >= (1U << 28))
      return false;
    const auto first_box = static_cast<std::uint32_t>(boxes.size()),
               first = static_cast<std::uint32_t>(triangles.size());
    const double unit = std::ldexp(1.0, -tree.exponent);
    for (const StacklessBox& from : boxes_of) {
      SnugRayBox box{
          {from.lo[0], from.lo[1], from.lo[2]}, from.skip, {from.hi[0], from.hi[1], from.hi[2]}, SNUG_INNER_BOX};
      if (from.block != StacklessBox::k_inner) {
        const TriangleBlock& block = tree.blocks[from.block];
        box.leaf = (static_cast<std::uint32_t>(triangles.size()) - first) * 16 + block.count;
        for (std::uint32_t lane = 0; lane < block.count; ++lane)
          triangles.push_back(encoded(mesh, block.id[lane], tree, unit));
      }
      boxes.push_back(box);
    }
    bodies.push_back({first_box, static_cast<std::uint32_t>(boxes_of.size()), first,
                      static_cast<std::uint32_t>(triangles.size()) - first});
    return true;
  }

 private:
  static SnugRayTriangle encoded(const TriangleMeshView& mesh, std::uint32_t id, const ObbTree& tree, double unit) {
    SnugRayTriangle out{};
    const Triangle t = mesh.triangle(id);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) out.corner[k][i] = static_cast<float>(unit * (t[k][i] - tree.centre[i]));
    out.id = id;
    return out;
  }
};

[[nodiscard]] inline SnugRay encoded_ray(const DeviceRay& from, std::uint32_t body) noexcept {
  const RayWalk& w = from.walk;
  // What floats round off on the way from a corner to where it seems to be beside the line, near its origin, and what both
  // posings do, which is what the walk's margin has beyond its own 2^-18 (docs/devices.md).
  constexpr double k_rounded = 3e-7;
  const double posed = double{w.margin} - 0x1p-18;
  SnugRay ray{};
  double squared = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    ray.origin[i] = w.origin[i], ray.direction[i] = w.direction[i], ray.inverse[i] = w.inverse[i];
    squared += double{w.direction[i]} * double{w.direction[i]};
  }
  ray.body = body;
  ray.margin = w.margin;
  ray.doubt = static_cast<float>((k_rounded + (posed > 0 ? posed : 0)) * (1 + 0x1p-20));
  ray.from = w.from, ray.to = w.to;
  ray.zero = static_cast<float>(from.zero < -1e30 ? -1e30 : from.zero > 1e30 ? 1e30 : from.zero);
  ray.per_squared = static_cast<float>(1 / squared);
  return ray;
}

}  // namespace snug::detail
