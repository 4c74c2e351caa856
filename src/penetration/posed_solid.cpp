#include "penetration/posed_solid.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/ray_count.hpp"
#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "query/posed/winds_once.hpp"
#include "shape/trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace snug::detail {

namespace {

double squared_distance(const Point3& p, const Aabb& box) noexcept {
  double squared = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double gap = std::max({0.0, box.lo[axis] - p[axis], p[axis] - box.hi[axis]});
    squared += gap * gap;
  }
  return squared;
}

/// Calls look(t) for the triangles in nodes whose squared distance from p is `worth` it, the nearer child first: a walk in
/// tree order would look at far boxes before it has a bound.
template <class Worth, class Look>
void descend_nearer_first(const PosedBody& body, const Point3& p, Worth&& worth, Look&& look) {
  const auto visit = [&](const auto& self, std::uint32_t node) -> void {
    if (body.stopped()) return;
    const SurfaceTree::Node& n = body.tree().nodes[node];
    if (n.leaf()) {
      for (std::uint32_t i = n.begin; i < n.end; ++i) look(body.tree().order[i]);
      return;
    }
    std::uint32_t first = node + 1, second = n.right;
    if (squared_distance(p, body.box(second)) < squared_distance(p, body.box(first))) std::swap(first, second);
    if (worth(squared_distance(p, body.box(first)))) self(self, first);
    if (worth(squared_distance(p, body.box(second)))) self(self, second);
  };
  if (!body.empty()) visit(visit, 0);
}

}  // namespace

PosedSolid::PosedSolid(const Shape& shape, const Pose& pose, const CancelToken* cancel)
    : shape_(shape),
      mesh_(shape.mesh()),
      pose_(pose),
      body_(mesh_, Access::data(shape_).get<SurfaceTree>(cancel), pose),
      topology_(&Access::data(shape_).get<Topology>(cancel)),
      sag_(mesh_),
      error_(posing_error(shape.bounds(), pose)) {
  const auto& volumes = topology_->shell_volume;
  body_.watch(cancel);
  orientation_ = std::accumulate(volumes.begin(), volumes.end(), 0.0) < 0 ? -1 : 1;
  fill_holes();
}

void PosedSolid::fill_holes() {
  fillings_.clear();
  const auto vertices = body_.vertices();
  for (const Topology::Rim& rim : topology_->rims) {
    Point3 apex;
    const double share = 1.0 / static_cast<double>(rim.edges.size());
    for (const auto& [from, to] : rim.edges) apex = apex + share * vertices[from];
    for (const auto& [from, to] : rim.edges) fillings_.push_back({{vertices[from], vertices[to], apex}});
  }
}

bool PosedSolid::has_inside(Filling filling) const noexcept {
  return filling == Filling::holes_filled || std::ranges::count(topology_->shell_closed, true) > 0;
}

bool PosedSolid::winds_once() const { return Access::data(shape_).get<WindsOnce>(body_.watched()).yes; }

Side PosedSolid::locate(const Point3& p, Filling filling) const noexcept {
  int winding = 0;
  bool on = false;
  const auto reaches = [&](const Aabb& box) { return !on && ray_reaches(p, box); };
  descend_one(body_, reaches, [&](std::uint32_t t) {
    if (!on && counts(t, filling)) on = !count_crossing(p, body_.triangle(t), winding);
  });
  if (filling == Filling::holes_filled)
    for (const Triangle& t : fillings_) on = on || !count_crossing(p, t, winding);
  if (on) return Side::boundary;
  return winding != 0 ? Side::inside : Side::outside;
}

double PosedSolid::surface_distance(const Point3& p, Filling filling, double limit) const noexcept {
  double best = limit * limit;
  descend_nearer_first(
      body_, p, [&](double squared) { return squared < best; },
      [&](std::uint32_t t) {
        if (!counts(t, filling)) return;
        const Vec3 d = closest_point(p, body_.triangle(t)) - p;
        best = std::min(best, dot(d, d));
      });
  return body_.stopped() ? 0 : std::sqrt(best);
}

double PosedSolid::face_distance(const Point3& p, std::uint32_t t) const noexcept {
  const std::uint32_t surface = mesh_.surface_of(t);
  const Triangle c = body_.triangle(t);
  const Vec3 d = closest_point(p, c) - p;
  double left = std::sqrt(dot(d, d)) - sag_.of(surface);
  if (sag_.flat(surface)) {  // it stays in its plane, whatever its border does
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    const double length = std::sqrt(dot(n, n));
    if (length > 0) left = std::max(left, std::abs(dot(p - c[0], n)) / length - sag_.off_plane(surface));
  }
  return left;
}

double PosedSolid::face_distance(const Point3& p) const noexcept {
  double best = std::numeric_limits<double>::infinity();
  descend_nearer_first(
      body_, p, [&](double squared) { return std::sqrt(squared) - sag_.largest() < best; },
      [&](std::uint32_t t) {
        if (counts(t, Filling::closed_shells)) best = std::min(best, face_distance(p, t));
      });
  return body_.stopped() ? 0 : best;
}

PosedSolid PosedSolid::moved(const Vec3& v) const {
  PosedSolid copy = *this;
  copy.body_ = body_.moved(v);
  copy.fill_holes();
  return copy;
}

PosedSolid PosedSolid::with_vertices(std::vector<Point3> vertices) const {
  PosedSolid copy = *this;
  copy.body_ = body_.with_vertices(std::move(vertices));
  copy.fill_holes();
  return copy;
}

PosedSolid PosedSolid::scaled(double power) const {
  PosedSolid copy = *this;
  copy.body_ = body_.scaled(power);
  copy.error_ *= power;
  copy.sag_ = sag_.scaled(power);
  copy.scale_ *= power;
  copy.fill_holes();
  return copy;
}

}  // namespace snug::detail
