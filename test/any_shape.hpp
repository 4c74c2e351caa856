#pragma once

#include <snug/snug.hpp>

// Queries of shapes and primitives alike, with a scratch of their own, for tests that hold primitives to other answers.

namespace snug::test {

[[nodiscard]] inline const Shape& shape_of(const Shape& shape) { return shape; }
[[nodiscard]] inline Shape shape_of(const Primitive& primitive) { return Shape(primitive); }

[[nodiscard]] inline Scratch& own_scratch() {
  static thread_local Scratch scratch;
  return scratch;
}

template <class A, class B>
double resolution(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b) {
  return snug::resolution(shape_of(a), pose_a, shape_of(b), pose_b);
}
template <class A, class B>
bool intersects(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b) {
  return snug::intersects(shape_of(a), pose_a, shape_of(b), pose_b, own_scratch());
}
template <class A, class B>
bool within(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double clearance) {
  return snug::within(shape_of(a), pose_a, shape_of(b), pose_b, clearance, own_scratch());
}
template <class A, class B>
Distance distance(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b) {
  return snug::distance(shape_of(a), pose_a, shape_of(b), pose_b, own_scratch());
}
template <class A>
void triangles_meeting(const A& a, const Pose& pose_a, const Shape& mesh, const Pose& pose_mesh,
                       std::vector<std::uint32_t>& triangles) {
  snug::triangles_meeting(shape_of(a), pose_a, mesh, pose_mesh, own_scratch(), triangles);
}
template <class A>
auto cast_ray(const Ray& ray, const A& body, const Pose& pose, double t_max = std::numeric_limits<double>::infinity()) {
  return snug::cast_ray(ray, shape_of(body), pose, t_max);
}
template <class A>
auto ray_meets(const Ray& ray, const A& body, const Pose& pose,
               double t_max = std::numeric_limits<double>::infinity()) {
  return snug::ray_meets(ray, shape_of(body), pose, t_max);
}
template <class A, class B>
auto cast_shape(const A& moving, const Pose& pose, const Vec3& motion, const B& other, const Pose& pose_other) {
  return snug::cast_shape(shape_of(moving), pose, motion, shape_of(other), pose_other);
}

}  // namespace snug::test
