#include "robot/solid.hpp"

#include "geometry/vec_ops.hpp"
#include "model/topology.hpp"

#include <snug/solid.hpp>

#include <algorithm>
#include <cmath>

namespace snug::robot {

namespace {

using namespace detail;

constexpr std::size_t k_most_balls = 24;

const Shape* mesh_of(const Solid& solid) { return std::get_if<Shape>(&solid.body.solid); }
const Primitive* simple_of(const Solid& solid) { return std::get_if<Primitive>(&solid.body.solid); }

/// A lattice over the box with roughly as many points as are worth their cost: each is located among all triangles.
std::vector<Point3> lattice(const Aabb& box, std::size_t triangles) {
  const auto wanted = std::clamp(2e7 / static_cast<double>(triangles), 64.0, 600.0);
  const Vec3 edges = box.hi - box.lo;
  const double largest = max_abs(edges);
  const double cell = largest > 0 ? std::cbrt(std::max(edges.x, largest / 50) * std::max(edges.y, largest / 50) *
                                              std::max(edges.z, largest / 50) / wanted)
                                  : 1;
  const auto steps = [&](double edge) { return std::clamp(static_cast<int>(edge / cell), 1, 64); };
  const int nx = steps(edges.x), ny = steps(edges.y), nz = steps(edges.z);
  std::vector<Point3> out;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        out.push_back({box.lo.x + edges.x * (x + 0.5) / nx, box.lo.y + edges.y * (y + 0.5) / ny,
                       box.lo.z + edges.z * (z + 0.5) / nz});
  return out;
}

/// Large balls first, none with its centre in one before it.
std::vector<Ball> inner_balls(const Shape& shape) {
  std::vector<Ball> all;
  const Primitive point = Primitive::sphere(0).value();
  for (const Point3& p : lattice(shape.bounds(), shape.mesh().triangles().size())) {
    if (locate(p, shape.mesh().view()).side != Side::inside) continue;
    const auto place = Pose::make({}, p);
    if (place) all.push_back({p, distance(point, *place, shape, {}).lower});
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &Ball::radius);
  std::vector<Ball> chosen;
  for (const Ball& ball : all) {
    if (chosen.size() == k_most_balls || ball.radius <= 0) break;
    if (std::ranges::none_of(chosen, [&](const Ball& c) { return length_of(ball.centre - c.centre) < c.radius; }))
      chosen.push_back(ball);
  }
  return chosen;
}

Ball ball_around(const Aabb& box) { return {middle_of(box), 0.5 * length_of(box.hi - box.lo) * (1 + 1e-12)}; }

/// Of a point in the world, in the frame of the pose.
Point3 in_frame(const Pose& pose, const Point3& p) {
  const auto& r = pose.matrix();
  const Vec3 d = p - pose.translation();
  return {r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
          r[2] * d.x + r[5] * d.y + r[8] * d.z};
}

/// True if a closed mesh holds the point, which must be away from its surface by more than rounding moves it.
bool holds(const Solid& solid, const Pose& pose, const Point3& p) {
  const Shape* mesh = mesh_of(solid);
  if (mesh == nullptr || !solid.closed) return false;
  const Point3 local = in_frame(pose, p);
  Aabb here;
  here.include(local);
  return mesh->bounds().overlaps(here) && locate(local, mesh->mesh().view()).side == Side::inside;
}
bool holds_a_piece(const Solid& solid, const Pose& pose, const Solid& other, const Pose& pose_other) {
  return std::ranges::any_of(other.of_shells, [&](const Point3& p) { return holds(solid, pose, pose_other.apply(p)); });
}

/// The solid without what lies within `depth` of its surface, if anything is left and it is of the same kind.
std::optional<Primitive> eroded(const Primitive& solid, double depth) {
  const auto made = [](Result<Primitive, PrimitiveError> result) {
    return result ? std::optional(*result) : std::nullopt;
  };
  const Vec3& half = solid.half();
  switch (solid.kind()) {
    case Primitive::Kind::sphere:
      return made(Primitive::sphere(solid.radius() - depth));
    case Primitive::Kind::capsule:
      return made(Primitive::capsule(solid.radius() - depth, 2 * half.z));
    case Primitive::Kind::box:
      return made(Primitive::box({2 * (half.x - depth), 2 * (half.y - depth), 2 * (half.z - depth)}));
    case Primitive::Kind::cylinder:
      return made(Primitive::cylinder(solid.radius() - depth, 2 * (half.z - depth)));
    case Primitive::Kind::half_space:
    case Primitive::Kind::hull:
      break;
  }
  return std::nullopt;
}

double rounding(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  return std::visit([&](const auto& x, const auto& y) { return resolution(x, pose_a, y, pose_b); }, a.body.solid,
                    b.body.solid);
}

bool shares_a_point(const Primitive& simple, const Pose& pose, const Solid& b, const Pose& pose_b) {
  if (const Primitive* other = simple_of(b)) return intersects(simple, pose, *other, pose_b);
  return intersects(simple, pose, *mesh_of(b), pose_b) || holds(b, pose_b, pose.translation());
}

}  // namespace

Solid::Solid(const RobotBody& of) : body(of) {
  if (const Primitive* simple = simple_of(*this)) {
    of_shells.push_back({});
    outer = ball_around(simple->bounds());
    return;
  }
  const Shape& shape = *mesh_of(*this);
  outer = ball_around(shape.bounds());
  closed = is_closed(shape.mesh().view());
  const Topology topology = find_topology(shape.mesh());
  for (std::uint32_t shell = 0; shell < topology.shells(); ++shell) {
    const std::uint32_t triangle = topology.triangles_of(shell).front();
    of_shells.push_back(shape.mesh().vertices()[shape.mesh().triangles()[triangle][0]]);
  }
  if (closed) inner = inner_balls(shape);
}

Closeness closeness(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double limit,
                    Scratch& scratch) {
  Closeness out;
  const double apart =
      length_of(pose_b.apply(b.outer.centre) - pose_a.apply(a.outer.centre)) - (a.outer.radius + b.outer.radius);
  if (apart > limit) {
    out.lower = apart;
    return out;
  }
  const Shape *mesh_a = mesh_of(a), *mesh_b = mesh_of(b);
  const auto take = [&](const PrimitiveDistance& d) { out = {d.value, d.lower, false, d.on_a, d.on_b}; };
  if (mesh_a != nullptr && mesh_b != nullptr) {
    const Distance d = distance(*mesh_a, pose_a, *mesh_b, pose_b, scratch, {.ignore_beyond = limit});
    out = {d.value, d.lower, false, d.on_a, d.on_b};
  } else if (mesh_a != nullptr) {
    take(distance(*mesh_a, pose_a, *simple_of(b), pose_b));
  } else if (mesh_b != nullptr) {
    take(distance(*simple_of(a), pose_a, *mesh_b, pose_b));
  } else {
    take(distance(*simple_of(a), pose_a, *simple_of(b), pose_b));
  }
  // Nearer than rounding goes, inside and outside can not be told apart by a point moved to the other's frame.
  if (out.lower > 4 * rounding(a, pose_a, b, pose_b))
    out.inside = holds_a_piece(a, pose_a, b, pose_b) || holds_a_piece(b, pose_b, a, pose_a);
  return out;
}

bool deeper_than(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double depth) {
  // Queries on simple solids may take what is this close for touching.
  const double needed = depth + 4 * rounding(a, pose_a, b, pose_b);
  if (const Primitive* simple = simple_of(a)) {
    const auto left = eroded(*simple, needed);
    return left && shares_a_point(*left, pose_a, b, pose_b);
  }
  return std::ranges::any_of(a.inner, [&](const Ball& ball) {
    const auto left = Primitive::sphere(ball.radius - needed);
    if (!left) return false;
    const auto place = Pose::make({}, pose_a.apply(ball.centre));
    return place && shares_a_point(*left, *place, b, pose_b);
  });
}

}  // namespace snug::robot
