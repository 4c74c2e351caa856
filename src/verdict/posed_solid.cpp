#include "verdict/posed_solid.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/ray_count.hpp"
#include "geometry/vec_ops.hpp"
#include "query/shape_data.hpp"
#include "query/surface/descend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

}  // namespace

PosedSolid::PosedSolid(const Shape& shape, const Pose& pose)
    : shape_(shape),
      mesh_(shape.mesh()),
      pose_(pose),
      body_(mesh_, Access::data(shape_).tree(), pose),
      topology_(&Access::data(shape_).topology()),
      error_(posing_error(shape.bounds(), pose)) {
  const auto& volumes = topology_->shell_volume;
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

bool PosedSolid::winds_once() const { return Access::data(shape_).winds_once(); }

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

double PosedSolid::surface_distance(const Point3& p, Filling filling) const noexcept {
  double best = std::numeric_limits<double>::infinity();
  const auto nearer = [&](const Aabb& box) { return squared_distance(p, box) < best; };
  const auto look = [&](std::uint32_t t) {
    if (!counts(t, filling)) return;
    const Vec3 d = closest_point(p, body_.triangle(t)) - p;
    best = std::min(best, dot(d, d));
  };
  // The nearer child first: the walk in tree order would look at far boxes before it has a bound.
  const auto visit = [&](const auto& self, std::uint32_t node) -> void {
    const SurfaceTree::Node& n = body_.tree().nodes[node];
    if (n.leaf()) {
      for (std::uint32_t i = n.begin; i < n.end; ++i) look(body_.tree().order[i]);
      return;
    }
    std::uint32_t first = node + 1, second = n.right;
    if (squared_distance(p, body_.box(second)) < squared_distance(p, body_.box(first))) std::swap(first, second);
    if (nearer(body_.box(first))) self(self, first);
    if (nearer(body_.box(second))) self(self, second);
  };
  if (!body_.empty()) visit(visit, 0);
  return std::sqrt(best);
}

PosedSolid PosedSolid::moved(const Vec3& v) const {
  PosedSolid copy = *this;
  copy.body_ = body_.moved(v);
  copy.fill_holes();
  return copy;
}

PosedSolid PosedSolid::scaled(double power) const {
  PosedSolid copy = *this;
  copy.body_ = body_.scaled(power);
  copy.error_ *= power;
  copy.scale_ *= power;
  copy.fill_holes();
  return copy;
}

}  // namespace snug::detail
