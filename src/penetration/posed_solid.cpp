#include "penetration/posed_solid.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/ray_count.hpp"
#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "query/posed/winds_once.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace snug::penetration {

namespace {

/// A ray of the world, as far as the bounds of a mesh, in the mesh's frame, where the boxes are: whatever it may meet lies in boxes
/// that it reaches.
class RayInOwnFrame {
 public:
  RayInOwnFrame(const PosedMesh& body, const Point3& p, const Vec3& direction) noexcept
      : from_(body.to_own_frame(p)), slack_(body.own_slack()) {
    const Vec3 along = body.turn_to_own_frame(direction);
    const double extent = max_abs(body.bounds().hi - body.bounds().lo) / body.scale();
    // A ray this steep passes a box sideways by no more than rounding.
    slack_ += k_steep * extent;
    end_ = 4 * extent + slack_;
    inverse_ = {inverse_of(along.x), inverse_of(along.y), inverse_of(along.z)};
    size_ = {std::abs(inverse_.x), std::abs(inverse_.y), std::abs(inverse_.z)};
  }

  [[nodiscard]] bool reaches(const NodeBox& box) const noexcept {
    double first = 0, last = end_;
    clip((box.middle.x - from_.x) * inverse_.x, (box.half.x + slack_) * size_.x, first, last);
    clip((box.middle.y - from_.y) * inverse_.y, (box.half.y + slack_) * size_.y, first, last);
    clip((box.middle.z - from_.z) * inverse_.z, (box.half.z + slack_) * size_.z, first, last);
    return first <= last;
  }

 private:
  static constexpr double k_steep = 0x1p-46;  ///< a slope that counts as none
  /// Of a slope that counts as none: so steep that a box beside the ray lies beyond its end, or before its start.
  static constexpr double k_sideways = 0x1p400;
  static double inverse_of(double along) noexcept { return std::abs(along) < k_steep ? k_sideways : 1 / along; }

  /// Leaves of the ray from first to last what is within `reach` of `at`, as measured along it. Without branches: most boxes are
  /// left out by an axis that nobody can predict.
  static void clip(double at, double reach, double& first, double& last) noexcept {
    const double rounding = 0x1p-50 * (std::abs(at) + reach);
    first = std::max(first, at - reach - rounding), last = std::min(last, at + reach + rounding);
  }

  Point3 from_;
  Vec3 inverse_, size_;  ///< of how fast the ray goes along each axis
  double slack_, end_ = 0;
};

/// Calls look(t) for the triangles in nodes that the ray reaches, until it returns false or the body is stopped.
template <class Look>
void descend_along(const PosedMesh& body, const RayInOwnFrame& ray, Look&& look) {
  const auto visit = [&](const auto& self, std::uint32_t node) -> bool {
    const AabbTree::Node& n = body.tree().nodes[node];
    if (n.leaf()) {
      if (body.stopped()) return false;
      for (std::uint32_t i = n.begin; i < n.end; ++i)
        if (!look(body.tree().order[i])) return false;
      return true;
    }
    // Both before either is entered: their boxes lie beside each other more often than not.
    const bool left = ray.reaches(body.mesh().node(node + 1)), right = ray.reaches(body.mesh().node(n.right));
    return (!left || self(self, node + 1)) && (!right || self(self, n.right));
  };
  if (!body.empty() && ray.reaches(body.mesh().node(0))) (void)visit(visit, 0);
}

/// The least that anything in a node's box can be from p, squared and rounded down.
class DistanceInOwnFrame {
 public:
  DistanceInOwnFrame(const PosedMesh& body, const Point3& p) noexcept
      : body_(body), p_(body.to_own_frame(p)), slack_(body.own_slack()) {}

  [[nodiscard]] double squared(std::uint32_t node) const noexcept {
    const NodeBox& box = body_.mesh().node(node);
    double squared = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double gap = std::max(0.0, std::abs(p_[axis] - box.middle[axis]) - (box.half[axis] + slack_));
      const double scaled = gap * body_.scale();  // a scaled body may be of a size whose squares overflow
      squared += scaled * scaled;
    }
    return squared * (1 - 0x1p-48);
  }

 private:
  const PosedMesh& body_;
  Point3 p_;
  double slack_;
};

/// Calls look(t) for the triangles in nodes whose squared distance from p is `worth` it, the nearer child first: a walk in
/// tree order would look at far boxes before it has a bound.
template <class Worth, class Look>
void descend_nearer_first(const PosedMesh& body, const Point3& p, Worth&& worth, Look&& look) {
  const DistanceInOwnFrame below(body, p);
  const auto visit = [&](const auto& self, std::uint32_t node) -> void {
    if (body.stopped()) return;
    const AabbTree::Node& n = body.tree().nodes[node];
    if (n.leaf()) {
      for (std::uint32_t i = n.begin; i < n.end; ++i) look(body.tree().order[i]);
      return;
    }
    std::uint32_t first = node + 1, second = n.right;
    double below_first = below.squared(first), below_second = below.squared(second);
    if (below_second < below_first) std::swap(first, second), std::swap(below_first, below_second);
    if (worth(below_first)) self(self, first);
    if (worth(below_second)) self(self, second);
  };
  if (!body.empty()) visit(visit, 0);
}

}  // namespace

PosedSolid::PosedSolid(const Shape& shape, const Pose& pose, const CancelToken* cancel)
    : pose_(pose),
      body_(BoxedMesh(shape, cancel), pose),
      topology_(&Access::data(shape).get<Topology>(cancel)),
      sag_(&Access::data(shape).get<FaceSag>(cancel)),
      error_(posing_error(shape.bounds(), pose)) {
  const auto& volumes = topology_->shell_volume;
  body_.watch(cancel);
  orientation_ = std::accumulate(volumes.begin(), volumes.end(), 0.0) < 0 ? -1 : 1;
  SNUG_ASSERT(topology_ != nullptr && sag_ != nullptr);
}

std::vector<Triangle> PosedSolid::fillings() const {
  std::vector<Triangle> all;
  for (const Topology::Rim& rim : rims())
    for_each_filling(rim, [&](const Triangle& t) { return all.push_back(t), true; });
  return all;
}

const Borders& PosedSolid::borders() const { return Access::data(shape()).get<Borders>(); }

bool PosedSolid::has_inside(Filling filling) const noexcept {
  return filling == Filling::holes_filled || std::ranges::count(topology_->shell_closed, true) > 0;
}

bool PosedSolid::winds_once() const { return Access::data(shape()).get<WindsOnce>(body_.watched()).yes; }

Side PosedSolid::locate(const Point3& p, Filling filling) const noexcept {
  if (!body_.bounds().overlaps({p, p})) return Side::outside;
  const AxisRay ray = AxisRay::shortest(p, body_.bounds());
  WindingCount count(ray);
  const RayInOwnFrame own_ray(body_, p, ray.direction());
  descend_along(body_, own_ray, [&](std::uint32_t t) { return !counts(t, filling) || count.add(body_.triangle(t)); });
  if (filling == Filling::holes_filled)
    for (const Topology::Rim& rim : rims()) {
      if (count.on_surface()) break;
      if (!own_ray.reaches({.middle = middle_of(rim.box), .half = 0.5 * (rim.box.hi - rim.box.lo)})) continue;
      for_each_filling(rim, [&](const Triangle& t) { return count.add(t); });
    }
  return count.side();
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
  const std::uint32_t surface = mesh().surface_of(t);
  const Triangle c = body_.triangle(t);
  const Vec3 d = closest_point(p, c) - p;
  double left = std::sqrt(dot(d, d)) - sag().of(surface);
  if (sag().flat(surface)) {  // it stays in its plane, whatever its border does
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    const double length = std::sqrt(dot(n, n));
    if (length > 0) left = std::max(left, std::abs(dot(p - c[0], n)) / length - sag().off_plane(surface));
  }
  return left;
}

double PosedSolid::face_distance(const Point3& p) const noexcept {
  double best = std::numeric_limits<double>::infinity();
  descend_nearer_first(
      body_, p, [&](double squared) { return std::sqrt(squared) - sag().largest() < best; },
      [&](std::uint32_t t) {
        if (counts(t, Filling::closed_shells)) best = std::min(best, face_distance(p, t));
      });
  return body_.stopped() ? 0 : best;
}

PosedSolid PosedSolid::moved(const Vec3& v) const {
  PosedSolid copy = *this;
  copy.body_ = body_.moved(v);
  return copy;
}

PosedSolid PosedSolid::with_vertices(std::vector<Point3> vertices) const {
  PosedSolid copy = *this;
  if (!topology_->rims.empty()) {
    std::vector<Topology::Rim> own = topology_->rims;
    for (Topology::Rim& rim : own) rim.measure(vertices);
    copy.own_rims_ = std::make_shared<const std::vector<Topology::Rim>>(std::move(own));
  }
  copy.body_ = body_.with_vertices(std::move(vertices));
  return copy;
}

PosedSolid PosedSolid::scaled(double power) const {
  SNUG_ASSERT(power > 0 && std::isfinite(power));
  PosedSolid copy = *this;
  copy.body_ = body_.scaled(power);
  copy.error_ *= power;
  copy.own_sag_ = std::make_shared<const FaceSag>(sag().scaled(power));
  copy.sag_ = copy.own_sag_.get();
  copy.scale_ *= power;
  return copy;
}

}  // namespace snug::penetration
