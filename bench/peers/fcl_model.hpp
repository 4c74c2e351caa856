#pragma once

#include <snug/mesh.hpp>
#include <snug/pose.hpp>

#include <fcl/geometry/bvh/BVH_model.h>

#include <vector>

// What FCL's peers share: meshes and poses in its own form.

namespace snug::bench {

/// Oriented boxes with rectangle swept spheres, the models its authors recommend for meshes.
using FclModel = fcl::BVHModel<fcl::OBBRSS<double>>;

inline fcl::Transform3d fcl_transform(const Pose& pose) {
  const auto& m = pose.matrix();
  fcl::Transform3d out = fcl::Transform3d::Identity();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      out.linear()(row, column) = m[static_cast<std::size_t>(3 * row + column)];
  const Vec3& t = pose.translation();
  out.translation() = fcl::Vector3d(t.x, t.y, t.z);
  return out;
}

inline void build_fcl_model(const Mesh& mesh, FclModel& model) {
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  vertices.reserve(mesh.vertices().size()), triangles.reserve(mesh.triangles().size());
  for (const Point3& v : mesh.vertices()) vertices.emplace_back(v.x, v.y, v.z);
  for (const Index3& t : mesh.triangles()) triangles.emplace_back(t[0], t[1], t[2]);
  model.beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model.addSubModel(vertices, triangles);
  model.endModel();
}

}  // namespace snug::bench
