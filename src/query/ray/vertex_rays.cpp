#include "query/ray/vertex_rays.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "query/shape_data.hpp"

#include <algorithm>
#include <cmath>

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

void VertexRays::list(double extension, std::vector<std::uint32_t>& stack, std::vector<std::uint32_t>& vertices) const {
  vertices.clear();
  const double grown = extension + margin_;
  if (options_.traversal == RayContactOptions::Traversal::tree) return list_by_tree(grown, stack, vertices);
  const auto all = source_.mesh().vertices();
  for (std::uint32_t v = 0; v < all.size(); ++v)
    if (from_.has_ray(v) && in_target_box(pose_.apply(all[v]), grown)) vertices.push_back(v);
}

void VertexRays::list_by_tree(double grown, std::vector<std::uint32_t>& stack,
                              std::vector<std::uint32_t>& vertices) const {
  const ObbTree& tree = Access::data(source_).obb_tree();
  const RayBvh& bvh = Access::data(source_).ray_bvh();
  if (tree.empty()) return;
  // A box along the axes of the source's tree around the target's box; the margin covers what is rounded.
  const Pose& to = target_.pose();
  const Aabb& box = target_.shape().bounds();
  const double unit = std::ldexp(1.0, -tree.exponent);
  Aabb reach;
  for (int corner = 0; corner < 8; ++corner) {
    const Point3 p{(corner & 1) != 0 ? box.hi.x + grown : box.lo.x - grown,
                   (corner & 2) != 0 ? box.hi.y + grown : box.lo.y - grown,
                   (corner & 4) != 0 ? box.hi.z + grown : box.lo.z - grown};
    reach.include(unit * (turn_back(pose_.matrix(), to.apply(p) - pose_.translation()) - tree.centre));
  }
  const double slack = 0x1p-20 * (1 + std::max(max_abs(reach.lo), max_abs(reach.hi)));
  const MeshLinks& links = from_.links();
  const TriangleMeshView mesh = source_.mesh().view();
  const auto reaches = [&](const RayNode& node, std::uint32_t lane) {
    for (std::size_t i = 0; i < 3; ++i)
      if (double{node.lo[i][lane]} - slack > reach.hi[i] || double{node.hi[i][lane]} + slack < reach.lo[i])
        return false;
    return true;
  };
  stack.assign(1, 0);
  while (!stack.empty()) {
    const RayNode& node = bvh.nodes[stack.back()];
    stack.pop_back();
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      if (!reaches(node, lane)) continue;
      if (lane < node.inner) {
        stack.push_back(node.first_node + lane);
        continue;
      }
      const TriangleBlock& block = tree.blocks[node.first_block + (lane - node.inner)];
      for (std::uint32_t l = 0; l < block.count; ++l)
        for (const std::uint32_t corner : mesh.triangles[block.id[l]]) {
          // Each with the first of its triangles.
          const std::uint32_t v = links.place[corner];
          if (links.around(v)[0] == block.id[l] && from_.has_ray(v) &&
              in_target_box(pose_.apply(mesh.vertices[v]), grown))
            vertices.push_back(v);
        }
    }
  }
}

Ray VertexRays::ray_of(std::uint32_t vertex) const noexcept {
  return {pose_.apply(source_.mesh().vertices()[vertex]), -turn(pose_.matrix(), from_.normal(vertex))};
}

double VertexRays::own_exit(std::uint32_t vertex) const {
  return from_.own_exit(vertex, [&]() -> double {
    // A sheet has no inside to leave.
    if (!from_.links().closed[from_.links().around(vertex)[0]]) return std::numeric_limits<double>::infinity();
    const Pose at_home;
    const RayTarget own(source_, at_home, options_.traversal, options_.instructions);
    const Ray ray{source_.mesh().vertices()[vertex], -from_.normal(vertex)};
    ContactStats unwanted;  // it is remembered: who asks first must not show
    const auto hit = own.meet(ray, {}, unwanted, vertex).ahead;
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
  return conclude(vertex, target_.meet(ray, {own_exit(vertex), culling}, stats));
}

std::optional<VertexRays::Told> VertexRays::conclude(std::uint32_t vertex, const LineHits& hits) const noexcept {
  if (hits.ahead && is_contact(vertex, *hits.ahead)) return Told{*hits.ahead, false};
  if (hits.behind && is_prediction(*hits.behind)) return Told{*hits.behind, true};
  return {};
}

std::optional<VertexRays::Told> VertexRays::follow(std::uint32_t vertex, std::uint32_t triangle, double culling,
                                                   unsigned most, ContactStats& stats) const {
  ++stats.iterative_rays;
  const Ray ray = ray_of(vertex);
  const LineReach reach{own_exit(vertex), culling};
  for (unsigned i = 0; i < most && triangle != MeshLinks::k_none; ++i) {
    ++stats.walked;
    LineHits hits;
    target_.offer(ray, reach, triangle, hits);
    if (hits.ahead && is_contact(vertex, *hits.ahead)) return Told{*hits.ahead, false};
    if (hits.behind && is_prediction(*hits.behind)) return Told{*hits.behind, true};
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
