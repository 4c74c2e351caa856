#include "query/convex/gap.hpp"
#include "query/convex/pair_frame.hpp"
#include "query/convex/solid_queries.hpp"
#include "query/convex/tree_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Primitives against the triangles of meshes, in the frame of the primitive.

namespace snug::query {

namespace {

/// What a walk asks of the primitive: of a bounded one, about the origin of the frame.
class Solid {
 public:
  Solid(const Primitive& primitive, double scale) noexcept
      : convex_(primitive, scale), half_(scale * core_half(primitive)), radius_(convex_.radius()) {}

  /// No more than the distance from anything in the box, but for rounding.
  [[nodiscard]] double bound(const FrameBox& box) const noexcept {
    double in_frame = 0, in_box = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& axis = box.axis[i];
      const double reach_box = (std::abs(box.axis[0][i]) * box.half.x + std::abs(box.axis[1][i]) * box.half.y) +
                               std::abs(box.axis[2][i]) * box.half.z;
      const double gap_frame = std::max(std::abs(box.centre[i]) - reach_box - half_[i], 0.0);
      in_frame += gap_frame * gap_frame;
      const double reach_solid = (std::abs(axis.x) * half_.x + std::abs(axis.y) * half_.y) + std::abs(axis.z) * half_.z;
      const double gap_box = std::max(std::abs(dot(axis, box.centre)) - box.half[i] - reach_solid, 0.0);
      in_box += gap_box * gap_box;
    }
    const double reach_along =
        (std::abs(dot(box.axis[0], along_)) * box.half.x + std::abs(dot(box.axis[1], along_)) * box.half.y) +
        std::abs(dot(box.axis[2], along_)) * box.half.z;
    return std::max(std::sqrt(std::max(in_frame, in_box)) - radius_, (dot(along_, box.centre) - reach_along) - end_);
  }
  [[nodiscard]] double bound(const Triangle& t) const noexcept {
    double squared = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [lo, hi] = std::minmax({t[0][i], t[1][i], t[2][i]});
      const double gap = std::max({lo - half_[i], -hi - half_[i], 0.0});
      squared += gap * gap;
    }
    const double nearest = std::min({dot(along_, t[0]), dot(along_, t[1]), dot(along_, t[2])});
    return std::max(std::sqrt(squared) - radius_, nearest - end_);
  }
  [[nodiscard]] Gap gap(const Triangle& t, const GapAim& aim) noexcept {
    const Gap found = gap_between(convex_, Convex(t.corner), aim);
    if (found.lower > 0) along_ = found.normal, end_ = dot(along_, convex_.support(along_)) + radius_;
    return found;
  }

 private:
  Convex convex_;
  Vec3 half_;
  double radius_;
  /// Across the last gap found, and where the solid ends that way. Neighbours mostly keep away likewise.
  Vec3 along_ = {0, 0, 0};
  double end_ = 0;
};

/// The same for a half-space or plane.
class Beyond {
 public:
  explicit Beyond(const Plane& plane) noexcept : plane_(plane) {}

  [[nodiscard]] double bound(const FrameBox& box) const noexcept {
    const Vec3& n = plane_.normal;
    const double reach = (std::abs(dot(n, box.axis[0])) * box.half.x + std::abs(dot(n, box.axis[1])) * box.half.y) +
                         std::abs(dot(n, box.axis[2])) * box.half.z;
    const double height = plane_.height(box.centre);
    return (plane_.two_sided ? std::abs(height) : height) - reach;
  }
  [[nodiscard]] double bound(const Triangle& t) const noexcept {
    const Convex corners(t.corner);
    const Plane plane = plane_.facing(corners);
    return plane.height(plane.lowest(corners));
  }
  [[nodiscard]] Gap gap(const Triangle& t, const GapAim&) const noexcept {
    Gap gap;
    const Convex corners(t.corner);
    const Plane plane = plane_.facing(corners);
    gap.on_b = plane.lowest(corners);
    const double height = plane.height(gap.on_b);
    if (!(height > 0)) gap.on_b = plane.shared(corners);
    gap.upper = std::max(height, 0.0), gap.lower = std::max(height - k_gap_rounding, 0.0);
    gap.on_a = gap.on_b - gap.upper * plane.normal;
    gap.normal = plane.normal;
    return gap;
  }

 private:
  Plane plane_;
};

/// Finds triangles no further away than a clearance, in the scaled unit: the first or all.
template <class Body>
struct NearTriangles {
  Body& body;
  const MeshInFrame& mesh;
  double clearance;
  std::vector<std::uint32_t>* all;  ///< none: the first will do

  [[nodiscard]] double bound(const FrameBox& box) const noexcept { return body.bound(box) - mesh.margin(); }
  [[nodiscard]] double limit() const noexcept { return clearance; }
  bool triangle(std::uint32_t t) const {
    const Triangle corners = mesh.triangle(t);
    if (body.bound(corners) - 2 * k_gap_rounding > clearance) return true;
    if (body.gap(corners, {.touching = clearance, .clear = clearance}).lower > clearance) return true;
    if (all == nullptr) return false;
    all->push_back(t);
    return true;
  }
};

template <class Body>
struct ClosestTriangle {
  Body& body;
  const MeshInFrame& mesh;
  Gap best = {};
  double lower = std::numeric_limits<double>::infinity();
  std::uint32_t id = Distance::k_no_triangle;

  [[nodiscard]] double bound(const FrameBox& box) const noexcept { return body.bound(box) - mesh.margin(); }
  [[nodiscard]] double limit() const noexcept { return best.upper; }
  bool triangle(std::uint32_t t) noexcept {
    const Triangle corners = mesh.triangle(t);
    if (body.bound(corners) - 2 * k_gap_rounding > best.upper) return true;
    const Gap gap = body.gap(corners, {.clear = best.upper});
    lower = std::min(lower, gap.lower);
    const bool touching = !(gap.lower > 0);  // nothing is closer
    if (touching || gap.upper < best.upper || (gap.upper == best.upper && t < id)) best = gap, id = t;
    return !touching;
  }
};

/// Calls with(body, mesh in frame, scale).
template <class With>
auto in_frame_of(const Posed& primitive, const Posed& of_mesh, With&& with) {
  const Ball ball = ball_of(primitive);
  const double scale = PairScale(ball, ball_of(of_mesh)).scale;
  if (primitive.primitive().bounded()) {
    const MeshInFrame mesh(of_mesh, ball.centre, &primitive.pose.matrix(), scale);
    Solid body(primitive.primitive(), scale);
    return with(body, mesh, scale);
  }
  // From the mesh, so that a plane given far away does no harm.
  const Point3 origin = ball_of(of_mesh).centre;
  const MeshInFrame mesh(of_mesh, origin, nullptr, scale);
  Beyond body(Plane(primitive, origin, scale));
  return with(body, mesh, scale);
}

}  // namespace

bool triangles_within(const Posed& primitive, const Posed& mesh, double clearance, std::vector<std::uint32_t>* all) {
  return in_frame_of(primitive, mesh, [&](auto& body, const MeshInFrame& in_frame, double scale) {
    NearTriangles<std::remove_cvref_t<decltype(body)>> near{body, in_frame, scale * clearance, all};
    return !TreeWalk(in_frame, near).run();
  });
}

Distance triangle_distance(const Posed& primitive, const Posed& mesh) {
  return in_frame_of(primitive, mesh, [](auto& body, const MeshInFrame& in_frame, double scale) {
    ClosestTriangle<std::remove_cvref_t<decltype(body)>> closest{body, in_frame};
    TreeWalk(in_frame, closest).run();
    Distance out;
    out.lower = std::min(closest.lower, closest.best.upper) / scale;
    out.value = closest.lower > 0 ? closest.best.upper / scale : 0;
    out.on_a = in_frame.to_world(closest.best.on_a), out.on_b = in_frame.to_world(closest.best.on_b);
    out.triangle_b = closest.id;
    if (out.value > 0) out.normal = in_frame.direction_to_world(normal_of(closest.best));
    return out;
  });
}

}  // namespace snug::query
