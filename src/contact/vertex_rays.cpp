#include "contact/vertex_rays.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::contact {

VertexRays::VertexRays(const Shape& source, const Pose& pose, const RayTarget& target, bool of_a,
                       const RayContactOptions& options)
    : source_(source),
      pose_(pose),
      from_(Access::data(source).get<ContactMesh>()),
      target_(target),
      options_(options),
      margin_(4 * resolution(source, pose, target.shape(), target.pose())),
      of_a_(of_a) {
  const auto &from = pose.matrix(), &to = target.pose().matrix();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      to_target_[3 * i + j] = (to[i] * from[j] + to[3 + i] * from[3 + j]) + to[6 + i] * from[6 + j];
  offset_ = turn_back(to, pose.translation() - target.pose().translation());
}

Ray VertexRays::ray_of(std::uint32_t vertex) const noexcept {
  return {posed(vertex), -turn(pose_.matrix(), from_.normal(vertex))};
}

Ray VertexRays::rim_ray_of(std::uint32_t vertex) const noexcept {
  return {posed(vertex), -turn(pose_.matrix(), from_.rim(vertex))};
}

double VertexRays::own_exit(std::uint32_t vertex) const {
  return from_.own_exit(vertex, [&]() -> double {
    // A sheet has no inside to leave.
    if (!from_.links().closed[from_.links().around(vertex)[0]]) return std::numeric_limits<double>::infinity();
    const Pose at_home;
    const RayTarget own(source_, at_home, options_.traversal, options_.instructions);
    const Ray ray{source_.mesh().vertices()[vertex], -from_.normal(vertex)};
    ContactStats unwanted;  // it is remembered: who asks first must not show
    const auto hit = own.meet(ray, {}, unwanted, {vertex}).ahead;
    if (!hit) return 0;  // nothing to leave: the ray starts outwards
    return hit->grazing || hit->from_inside ? hit->t : 0;
  });
}

bool VertexRays::tells(std::uint32_t own_triangle, const LineHit& hit) const noexcept {
  if (hit.grazing || !hit.from_inside) return false;
  return target_.contact_mesh().links().closed[hit.triangle] || from_.links().closed[own_triangle];
}

std::optional<VertexRays::Told> VertexRays::cast(const RayStart& start, double culling, ContactStats& stats) const {
  const std::uint32_t vertex = start.vertex;
  if (!start.outside) ++stats.standard_rays;
  if (culling >= 0) ++stats.predictive_rays;
  const Ray ray = ray_of(vertex);
  return conclude_of_all(vertex, target_.meet(ray, {start.outside ? -1 : own_exit(vertex), culling}, stats), stats);
}

std::optional<VertexRays::Told> VertexRays::conclude_of_all(std::uint32_t vertex, const LineHits& hits,
                                                            ContactStats& stats) const {
  auto told = conclude(vertex, hits);
  if (has_rim(vertex)) {
    // No further than the sheet may go.
    const Vec3 size = source_.bounds().hi - source_.bounds().lo;
    const LineHits along = target_.meet(rim_ray_of(vertex), {length_of(size)}, stats);
    const auto other = conclude(vertex, {along.ahead, {}, along.at_once});
    if (other && (!told || told->predicted || other->hit.t < told->hit.t)) told = Told{other->hit, false, true};
  }
  const ContactMesh& target = target_.contact_mesh();
  if (!told || told->predicted || target.simple() || !target.links().closed[told->hit.triangle] ||
      target_.holds(posed(vertex)))
    return told;
  return conclude(vertex, {{}, hits.behind, {}});
}

std::optional<VertexRays::Told> VertexRays::conclude(std::uint32_t vertex, const LineHits& hits) const noexcept {
  if (hits.ahead && is_contact(vertex, *hits.ahead)) return Told{*hits.ahead, false};
  if (hits.at_once && is_contact(vertex, *hits.at_once)) return Told{*hits.at_once, false};
  if (hits.behind && is_prediction(*hits.behind)) return Told{*hits.behind, true};
  return {};
}

std::optional<VertexRays::Told> VertexRays::follow(std::uint32_t vertex, std::uint32_t triangle, double culling,
                                                   unsigned most, ContactStats& stats) const {
  ++stats.iterative_rays;
  const Ray ray = ray_of(vertex);
  if (has_rim(vertex)) return conclude_of_all(vertex, target_.meet(ray, {own_exit(vertex), culling}, stats), stats);
  const LineReach reach{own_exit(vertex), culling};
  for (unsigned i = 0; i < most && triangle != MeshLinks::k_none; ++i) {
    ++stats.walked;
    LineHits hits;
    target_.offer(ray, reach, triangle, hits);
    if (const auto told = conclude(vertex, hits)) return told;
    // On across the side that the line passes furthest outside.
    const Triangle t = target_.posed(triangle);
    const Vec3 p[3] = {t[0] - ray.origin, t[1] - ray.origin, t[2] - ray.origin};
    double side[3];
    for (std::size_t k = 0; k < 3; ++k) side[k] = dot(ray.direction, cross(p[k], p[(k + 1) % 3]));
    const double facing = (side[0] + side[1]) + side[2] < 0 ? -1 : 1;
    double furthest = 0;
    std::size_t across = 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const double size = length_of(p[(k + 1) % 3] - p[k]);
      const double outside = size > 0 ? -facing * side[k] / size : 0;
      if (outside > furthest) furthest = outside, across = k;
    }
    if (across == 3) break;  // it does pass through, but too far away or from the wrong side
    triangle = target_.contact_mesh().links().neighbour[triangle][across];
  }
  ++stats.lost_rays;
  return {};
}

Contact VertexRays::contact(std::uint32_t vertex, const Point3& origin, const Told& told,
                            const Projected& projected) const noexcept {
  SNUG_ASSERT(!from_.links().around(vertex).empty());
  Contact made = contact_of(from_.links().around(vertex)[0], origin, told, projected);
  made.source = of_a_ ? Contact::Source::vertex_of_a : Contact::Source::vertex_of_b;
  made.vertex = vertex;
  made.id = (std::uint64_t{of_a_ ? 1U : 2U} << 32) | vertex;
  return made;
}

// kernels/project.cl does the same, operation by operation.
VertexRays::Projected VertexRays::projected(const Ray& ray, const LineHit& hit, bool predicted) const noexcept {
  using Direction = RayContactOptions::Direction;
  const Mesh& mesh = target_.mesh();
  const ContactMesh& to = target_.contact_mesh();
  const Vec3 way = (predicted ? -hit.t : hit.t) * ray.direction;
  const Pose& pose = target_.pose();
  const Point3 at = unposed(pose, ray.origin + way);
  const double outwards = predicted ? -1 : 1;  // along the ray, or against it, is out of the target
  const auto world = [&](const Vec3& v) { return turn(pose.matrix(), v); };
  Projected made;
  made.normal = world(to.surface_normal(mesh, hit.triangle, at));
  const auto faces = [&] { return dot(ray.direction, made.normal) > 0; };
  if (!faces()) made.normal = world(to.facing(hit.triangle) * unit_normal_of(mesh.view().triangle(hit.triangle)));
  if (!faces()) made.normal = ray.direction;
  if (options_.direction != Direction::reprojected) {
    if (options_.direction == Direction::weighted) made.weight = dot(ray.direction, made.normal);
    made.normal = ray.direction;
  }
  made.depth = outwards * (hit.t * dot(ray.direction, made.normal));
  made.there = ray.origin + made.depth * made.normal;
  return made;
}

Contact VertexRays::contact_of(std::uint32_t own_triangle, const Point3& origin, const Told& told,
                               const Projected& projected) const noexcept {
  const LineHit& hit = told.hit;
  Contact made;
  made.predicted = told.predicted;
  made.depth = projected.depth;
  made.depth_bound = told.predicted ? 0 : hit.t * (1 + 0x1p-36);
  made.weight = projected.weight;
  const std::uint32_t own_surface = source_.mesh().surface_of(own_triangle);
  const std::uint32_t surface = target_.mesh().surface_of(hit.triangle);
  if (of_a_) {
    made.triangle_a = own_triangle, made.triangle_b = hit.triangle;
    made.surface_a = own_surface, made.surface_b = surface;
    made.on_a = origin, made.on_b = projected.there;
    made.normal = projected.normal;
  } else {
    made.triangle_a = hit.triangle, made.triangle_b = own_triangle;
    made.surface_a = surface, made.surface_b = own_surface;
    made.on_a = projected.there, made.on_b = origin;
    made.normal = -projected.normal;
  }
  return made;
}

void find_own_exits(const Shape& shape) {
  const Pose at_home;
  const RayContactOptions options;
  const RayTarget target(shape, at_home, options.traversal, options.instructions);
  const VertexRays rays(shape, at_home, target, true, options);
  for (std::uint32_t v = 0; v < shape.mesh().vertices().size(); ++v)
    if (rays.from().has_ray(v)) (void)rays.own_exit(v);
}

}  // namespace snug::contact
