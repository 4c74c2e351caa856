#include "physics/convert.hpp"

#include <snug/bullet.hpp>
#include <snug/primitive.hpp>

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace snug::bullet {

MeshShape::MeshShape(Shape shape, const Pose& in_body) : unscaled_(shape), shape_(std::move(shape)), in_body_(in_body) {
  // Bullet keeps this number for engines like ours; none of its own shapes has it.
  m_shapeType = FAST_CONCAVE_MESH_PROXYTYPE;
  measure();
}

void MeshShape::measure() {
  Aabb box;
  for (const Point3& p : shape_.mesh().vertices()) box.include(in_body_.apply(p));
  centre_ = to_bullet(0.5 * (box.lo + box.hi));
  // Floats may be smaller than the doubles they stand for.
  half_ = to_bullet((0.5 + 1e-6) * (box.hi - box.lo));
}

Pose MeshShape::pose_at(const btTransform& body) const { return compose(pose_of(body), in_body_); }

void MeshShape::getAabb(const btTransform& body, btVector3& lo, btVector3& hi) const {
  btTransformAabb(centre_ - half_, centre_ + half_, getMargin(), body, lo, hi);
}

void MeshShape::processAllTriangles(btTriangleCallback* callback, const btVector3& lo, const btVector3& hi) const {
  // Boxes of rays may reach to the end of the world; nothing of the mesh is beyond its own.
  btVector3 least = centre_ - half_, most = centre_ + half_;
  least.setMax(lo);
  most.setMin(hi);
  if (least.x() > most.x() || least.y() > most.y() || least.z() > most.z()) return;
  const Shape box(Primitive::box(from_bullet(most - least)).value());
  const Vec3 middle = 0.5 * (from_bullet(least) + from_bullet(most));
  thread_local Scratch scratch;  // Bullet asks for each ray and step, on any thread
  std::vector<std::uint32_t> triangles;
  triangles_meeting(box, translation(middle.x, middle.y, middle.z), shape_, in_body_, scratch, triangles);
  for (const std::uint32_t t : triangles) {
    const Triangle triangle = shape_.mesh().view().triangle(t);
    btVector3 corners[3];
    for (std::size_t i = 0; i < 3; ++i) corners[i] = to_bullet(in_body_.apply(triangle[i]));
    callback->processTriangle(corners, 0, static_cast<int>(t));
  }
}

void MeshShape::calculateLocalInertia(btScalar mass, btVector3& inertia) const {
  const BodyMass unit = body_mass(shape_.mesh(), 1);
  const double density = unit.mass > 0 ? static_cast<double>(mass) / unit.mass : 0;
  // From the principal axes to those of the body; Bullet keeps the diagonal alone.
  const Pose frame = compose(in_body_, unit.frame);
  const auto& r = frame.matrix();
  const auto about = [&](std::size_t axis) {
    const double *row = r.data() + 3 * axis, i[3] = {unit.inertia.x, unit.inertia.y, unit.inertia.z};
    return density * (row[0] * row[0] * i[0] + row[1] * row[1] * i[1] + row[2] * row[2] * i[2]);
  };
  const Vec3 from = frame.translation();
  const double m = static_cast<double>(mass);
  inertia =
      to_bullet({about(0) + m * (from.y * from.y + from.z * from.z), about(1) + m * (from.x * from.x + from.z * from.z),
                 about(2) + m * (from.x * from.x + from.y * from.y)});
}

void MeshShape::setLocalScaling(const btVector3& scaling) {
  btAssert(scaling.x() > 0 && scaling.y() > 0 && scaling.z() > 0);
  if (scaling == scaling_) return;
  // About the origin of the body, as Bullet scales the children of a compound: the centre of mass stays there.
  const Vec3 scale = from_bullet(scaling);
  if (scale == Vec3{1, 1, 1}) {
    shape_ = unscaled_;  // to the last bit, and shared again
  } else {
    const Pose back = inverse(in_body_);
    std::vector<Point3> vertices;
    for (const Point3& v : unscaled_.mesh().vertices()) {
      const Point3 p = in_body_.apply(v);
      vertices.push_back(back.apply({scale.x * p.x, scale.y * p.y, scale.z * p.z}));
    }
    auto scaled = unscaled_.updated(std::move(vertices));
    btAssert(scaled);
    if (!scaled) return;
    shape_ = std::move(*scaled);
  }
  scaling_ = scaling;
  measure();
}

}  // namespace snug::bullet
