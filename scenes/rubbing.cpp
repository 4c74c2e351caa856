#include "scenes/rubbing.hpp"

#include "scenes/solids.hpp"

#include <snug/query.hpp>

#include <algorithm>
#include <utility>

namespace snug::scenes {

namespace {

/// By way of Pose, whose trigonometry has the same bits everywhere.
double sine(double radians) { return rotation({0, 0, 1}, radians).matrix()[3]; }

Vec3 some_way(Random& random) {
  while (true)
    if (const Vec3 v = random.point(-1, 1); v.length() > 0.1 && v.length() <= 1) return v.normalized();
}

/// Two legs with a concave crease between them.
Mesh angle_piece() {
  constexpr std::pair<double, double> k_outline[] = {{-0.4, -0.5}, {0.35, -0.5}, {0.35, 0},
                                                     {-0.15, 0},   {-0.15, 0.5}, {-0.4, 0.5}};
  return prism(k_outline, -0.25, 0.25);
}

}  // namespace

Mesh capsule(double radius, double half_length, std::uint32_t rings, std::uint32_t segments) {
  const Mesh ball = sphere(radius, rings | 1U, segments);
  MeshInput input;
  for (const Point3& p : ball.vertices())
    input.vertices.push_back({p.x, p.y, p.z + (p.z > 0 ? half_length : -half_length)});
  input.triangles.assign(ball.triangles().begin(), ball.triangles().end());
  return Mesh::build(std::move(input)).value();
}

std::vector<RubbingBody> rubbing_bodies() {
  return {{"box", Shape(box({-0.4, -0.3, -0.5}, {0.4, 0.3, 0.5}))},
          {"cylinder", Shape(cylinder(0.4, 0.8, 14))},
          {"ball", Shape(sphere(0.5, 16, 32))},
          {"capsule", Shape(capsule(0.25, 0.3, 9, 20))},
          {"corner", Shape(box({-5, -5, -5}, {0.5, 0.5, 0.5}))},
          {"torus", Shape(torus(0.5, 0.2, 20, 10)), false},
          {"angle", Shape(angle_piece()), false},
          {"knot", Shape(bumpy_knot(60, 10)), false}};
}

Pose touching_pose(const Shape& a, const Shape& b, const Pose& pose_b, double depth, Random& random) {
  Scratch scratch;
  const Quaternion turn = random.rotation();
  const Point3 from = pose_b.apply(random.point(-0.3, 0.3));
  const Vec3 way = some_way(random);
  const auto at = [&](double far) { return Pose::make(turn, from + far * way).value(); };
  double near = 0, far = 16;
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (near + far);
    (intersects(a, at(middle), b, pose_b, scratch) ? near : far) = middle;
  }
  return at(near - depth);
}

double SmoothMotion::Oscillation::at(double time) const { return sine(speed * time + phase) - sine(phase); }

SmoothMotion::SmoothMotion(const Pose& start, double reach, Random& random)
    : start_(start), reach_(reach), along_{some_way(random), some_way(random)}, axis_(some_way(random)) {
  for (Oscillation& one : oscillation_) one = {random.uniform(2.5, 10), random.uniform(0, 6.28)};
}

Pose SmoothMotion::at(double time) const {
  const Vec3 moved = (reach_ * oscillation_[0].at(time)) * along_[0] + (reach_ * oscillation_[1].at(time)) * along_[1];
  const Pose turned =
      compose(rotation(axis_, reach_ * oscillation_[2].at(time)), Pose::make(start_.rotation(), {}).value());
  return Pose::make(turned.rotation(), start_.translation() + moved).value();
}

double displacement(const Mesh& mesh, const Pose& from, const Pose& to) {
  double most = 0;
  for (const Point3& p : mesh.vertices()) most = std::max(most, (to.apply(p) - from.apply(p)).length());
  return most;
}

}  // namespace snug::scenes
