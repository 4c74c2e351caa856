#include "query/ray/vertex_rays.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "query/shape_data.hpp"

namespace snug::detail {

VertexRays::VertexRays(const Shape& source, const Pose& pose, const RayTarget& target, bool of_a,
                       const RayContactOptions& options)
    : source_(source),
      pose_(pose),
      from_(Access::data(source).contact_mesh()),
      target_(target),
      options_(options),
      margin_(4 * resolution(source, pose, target.shape(), target.pose())),
      of_a_(of_a) {}

bool VertexRays::in_target_box(const Point3& posed, double grown) const noexcept {
  const Pose& pose = target_.pose();
  const Point3 p = turn_back(pose.matrix(), posed - pose.translation());
  const Aabb& box = target_.shape().bounds();
  return p.x >= box.lo.x - grown && p.x <= box.hi.x + grown && p.y >= box.lo.y - grown && p.y <= box.hi.y + grown &&
         p.z >= box.lo.z - grown && p.z <= box.hi.z + grown;
}

Ray VertexRays::ray_of(std::uint32_t vertex) const noexcept {
  return {pose_.apply(source_.mesh().vertices()[vertex]), -turn(pose_.matrix(), from_.normal(vertex))};
}

double VertexRays::own_exit(std::uint32_t vertex, ContactStats& stats) const {
  return from_.own_exit(vertex, [&]() -> double {
    // A sheet has no inside to leave.
    if (!from_.links().closed[from_.links().around(vertex)[0]]) return std::numeric_limits<double>::infinity();
    const Pose at_home;
    const RayTarget own(source_, at_home, options_.traversal, options_.instructions);
    const Ray ray{source_.mesh().vertices()[vertex], -from_.normal(vertex)};
    const auto hit = own.meet(ray, {}, stats, vertex).ahead;
    if (!hit) return 0;  // nothing to leave: the ray starts outwards
    return hit->grazing || hit->from_inside != from_.inverted() ? hit->t : 0;
  });
}

bool VertexRays::is_contact(std::uint32_t vertex, const LineHit& hit) const noexcept {
  if (!from_inside(hit)) return false;
  return target_.contact_mesh().links().closed[hit.triangle] || from_.links().closed[from_.links().around(vertex)[0]];
}

std::optional<VertexRays::Told> VertexRays::cast(std::uint32_t vertex, double culling, ContactStats& stats) const {
  ++stats.standard_rays;
  if (culling >= 0) ++stats.predictive_rays;
  const Ray ray = ray_of(vertex);
  const LineHits hits = target_.meet(ray, {own_exit(vertex, stats), culling}, stats);
  if (hits.ahead && is_contact(vertex, *hits.ahead)) return Told{*hits.ahead, false};
  if (hits.behind && is_prediction(*hits.behind)) return Told{*hits.behind, true};
  return {};
}

Contact VertexRays::contact(std::uint32_t vertex, const Ray& ray, const LineHit& hit, bool predicted) const noexcept {
  using Direction = RayContactOptions::Direction;
  const Mesh& mesh = target_.mesh();
  const ContactMesh& to = target_.contact_mesh();
  const Vec3 way = (predicted ? -hit.t : hit.t) * ray.direction;
  const Pose& pose = target_.pose();
  const Point3 at = turn_back(pose.matrix(), (ray.origin + way) - pose.translation());
  const double facing = to.inverted() ? -1 : 1;
  const double outwards = predicted ? -1 : 1;  // along the ray, or against it, is out of the target
  const auto world = [&](const Vec3& v) { return facing * turn(pose.matrix(), v); };
  Vec3 normal = world(to.surface_normal(mesh, hit.triangle, at));
  if (!(dot(ray.direction, normal) > 0)) normal = world(unit_normal_of(mesh.view().triangle(hit.triangle)));
  if (!(dot(ray.direction, normal) > 0)) normal = ray.direction;
  Contact made;
  if (options_.direction != Direction::reprojected) {
    if (options_.direction == Direction::weighted) made.weight = dot(ray.direction, normal);
    normal = ray.direction;
  }
  made.predicted = predicted;
  made.depth = outwards * (hit.t * dot(ray.direction, normal));
  made.depth_bound = predicted ? 0 : hit.t * (1 + 0x1p-36);
  made.vertex = vertex;
  const std::uint32_t own_triangle = from_.links().around(vertex)[0];
  const Point3 there = ray.origin + made.depth * normal;
  const std::uint32_t own_surface = source_.mesh().surface_of(own_triangle);
  const std::uint32_t surface = mesh.surface_of(hit.triangle);
  made.id = (std::uint64_t{of_a_ ? 1U : 2U} << 32) | vertex;
  if (of_a_) {
    made.source = Contact::Source::vertex_of_a;
    made.triangle_a = own_triangle, made.triangle_b = hit.triangle;
    made.surface_a = own_surface, made.surface_b = surface;
    made.on_a = ray.origin, made.on_b = there;
    made.normal = normal;
  } else {
    made.source = Contact::Source::vertex_of_b;
    made.triangle_a = hit.triangle, made.triangle_b = own_triangle;
    made.surface_a = surface, made.surface_b = own_surface;
    made.on_a = there, made.on_b = ray.origin;
    made.normal = -normal;
  }
  return made;
}

}  // namespace snug::detail
