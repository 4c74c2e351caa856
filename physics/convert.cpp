#include "physics/convert.hpp"

#include <snug/bullet.hpp>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace snug::bullet {

Pose pose_of(const btTransform& transform) {
  const btQuaternion q = transform.getRotation();
  const auto pose = Pose::make(
      {static_cast<double>(q.w()), static_cast<double>(q.x()), static_cast<double>(q.y()), static_cast<double>(q.z())},
      from_bullet(transform.getOrigin()));
  // A simulation that has blown up: bodies whose place is no number meet nobody, and others go on.
  return pose ? *pose : translation(0.5 * k_max_coordinate, 0, 0);
}

btTransform transform_of(const Pose& pose) {
  const Quaternion& q = pose.rotation();
  return btTransform(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y), static_cast<btScalar>(q.z),
                                  static_cast<btScalar>(q.w)),
                     to_bullet(pose.translation()));
}

namespace {

template <class T>
T at(const unsigned char* bytes, int stride, std::size_t i, std::size_t component) {
  return reinterpret_cast<const T*>(bytes + static_cast<std::size_t>(stride) * i)[component];
}

std::uint32_t index_at(PHY_ScalarType type, const unsigned char* bytes, int stride, std::size_t i, std::size_t corner) {
  switch (type) {
    case PHY_UCHAR:
      return at<unsigned char>(bytes, stride, i, corner);
    case PHY_SHORT:
      return at<unsigned short>(bytes, stride, i, corner);
    default:
      return at<std::uint32_t>(bytes, stride, i, corner);
  }
}

}  // namespace

Result<Mesh, MeshError> mesh_of(const btStridingMeshInterface& triangles) {
  MeshInput input;
  const Vec3 scale = from_bullet(triangles.getScaling());
  for (int part = 0; part < triangles.getNumSubParts(); ++part) {
    const unsigned char *vertices = nullptr, *indices = nullptr;
    int vertex_count = 0, vertex_stride = 0, index_stride = 0, faces = 0;
    PHY_ScalarType vertex_type = PHY_FLOAT, index_type = PHY_INTEGER;
    triangles.getLockedReadOnlyVertexIndexBase(&vertices, vertex_count, vertex_type, vertex_stride, &indices,
                                               index_stride, faces, index_type, part);
    const auto first = static_cast<std::uint32_t>(input.vertices.size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(vertex_count); ++i) {
      const auto coordinate = [&](std::size_t axis) {
        return vertex_type == PHY_DOUBLE ? at<double>(vertices, vertex_stride, i, axis)
                                         : static_cast<double>(at<float>(vertices, vertex_stride, i, axis));
      };
      input.vertices.push_back({coordinate(0) * scale.x, coordinate(1) * scale.y, coordinate(2) * scale.z});
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(faces); ++i)
      input.triangles.push_back({first + index_at(index_type, indices, index_stride, i, 0),
                                 first + index_at(index_type, indices, index_stride, i, 1),
                                 first + index_at(index_type, indices, index_stride, i, 2)});
    triangles.unLockReadOnlyVertexBase(part);
  }
  return Mesh::build(std::move(input));
}

}  // namespace snug::bullet
