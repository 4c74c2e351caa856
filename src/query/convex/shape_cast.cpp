#include <snug/cast.hpp>

#include "query/convex/convex_cast.hpp"

// Shapes moved against one another; mesh against mesh is in mesh_cast.cpp.

namespace snug {

namespace {

using namespace query;
using CastResult = Result<std::optional<ShapeCastHit>, CastError>;

/// In which a primitive is at rest and triangles of a mesh pass it by.
template <class Still>
struct FirstMeeting {
  const Still& still;
  const MeshInFrame& mesh;
  SweptBox swept;
  Vec3 way;  ///< of the mesh
  FirstOfMany<std::uint32_t> first{way};

  // Triangles count as met when they are as close as this.
  static constexpr double k_margin = 2 * k_cast_gap;
  [[nodiscard]] double bound(const FrameBox& box) const noexcept {
    if constexpr (std::is_same_v<Still, Plane>) {
      const Vec3& n = still.normal;
      const double reach = (std::abs(dot(n, box.axis[0])) * box.half.x + std::abs(dot(n, box.axis[1])) * box.half.y) +
                           std::abs(dot(n, box.axis[2])) * box.half.z;
      const double at = still.height(box.centre), side = still.two_sided && at < 0 ? -1 : 1;
      const double height = side * at - reach - (mesh.margin() + k_margin), closing = -side * dot(n, way);
      if (!(height > 0)) return 0;
      return closing > 0 ? height / closing * (1 - 0x1p-48) : std::numeric_limits<double>::infinity();
    } else {
      return swept.enter(box, mesh.margin() + k_margin);
    }
  }
  [[nodiscard]] double limit() const noexcept { return first.limit(); }
  bool triangle(std::uint32_t t) noexcept {
    const Triangle corners = mesh.triangle(t);
    if constexpr (!std::is_same_v<Still, Plane>) {
      if (!swept.may_meet(corners, mesh.margin() + k_margin, limit())) return true;
    }
    first.compare(still, Convex(corners.corner), t);
    if constexpr (!std::is_same_v<Still, Plane>) {
      if (first.best()) {
        const Vec3& n = first.best()->normal;
        swept.set_along(n, dot(n, still.support(n)) + still.radius());
      }
    }
    return !first.settled();
  }
};

/// The mesh moves by `way` past the primitive; sides are named from the mesh's view.
std::optional<ShapeCastHit> mesh_moves(const Posed& mesh, const Vec3& way, const Posed& solid) {
  const auto reached = boxes_meet(posed_bounds(mesh), way, posed_bounds(solid), 1);
  if (!reached) return std::nullopt;
  const Ball ball = ball_of(solid), of_mesh = ball_of(mesh);
  const double scale = PairScale(ball, of_mesh, max_abs(way)).scale;
  const auto hit_of = [&](auto& meeting, const MeshInFrame& frame) {
    TreeWalk(frame, meeting).run();
    const auto& first = meeting.first;
    std::optional<ShapeCastHit> hit;
    if (!first.best()) return hit;
    hit.emplace();
    hit->t = first.best()->t, hit->gap = first.best()->gap / scale;
    hit->on_moving = frame.to_world(first.best()->on_moving), hit->on_other = frame.to_world(first.best()->on_still);
    hit->normal = frame.direction_to_world(first.best()->normal);
    hit->triangle_moving = first.ids();
    move_up_to(*reached, way, *hit);
    return hit;
  };
  const Primitive& primitive = solid.primitive();
  if (!primitive.bounded()) {
    const MeshInFrame frame(mesh, of_mesh.centre, nullptr, scale);
    const Plane plane(solid, of_mesh.centre, scale);
    FirstMeeting<Plane> first{plane, frame, SweptBox({}, 0, {}), scale * way};
    return hit_of(first, frame);
  }
  const MeshInFrame frame(mesh, ball.centre, &solid.pose.matrix(), scale);
  const Vec3 in_frame = frame.direction_to_frame(scale * way);
  const Convex still(primitive, scale);
  FirstMeeting<Convex> first{
      still, frame, SweptBox(scale * core_half(primitive), scale * core_radius(primitive), in_frame), in_frame};
  return hit_of(first, frame);
}

std::optional<ShapeCastHit> primitive_moves(const Posed& moving, const Vec3& motion, const Posed& other) {
  const auto reached = boxes_meet(posed_bounds(moving), motion, posed_bounds(other), 1);
  if (!reached) return std::nullopt;
  const Ball ball = ball_of(moving);
  const double scale = PairScale(ball, ball_of(other), max_abs(motion)).scale;
  const Convex convex = in_world_axes(moving, ball.centre, scale);
  const bool bounded = other.primitive().bounded();
  auto met = bounded ? cast_convex(in_world_axes(other, ball.centre, scale), convex, scale * motion, 1)
                     : cast_convex(Plane(other, ball.centre, scale), convex, scale * motion, 1);
  std::optional<ShapeCastHit> hit;
  if (!met) return hit;
  if (bounded) sharpen_normal(in_world_axes(other, ball.centre, scale), convex, scale * motion, *met);
  hit.emplace();
  hit->t = met->t, hit->gap = met->gap / scale;
  hit->on_moving = ball.centre + (1 / scale) * met->on_moving;
  hit->on_other = ball.centre + (1 / scale) * met->on_still;
  hit->normal = met->normal;
  move_up_to(*reached, motion, *hit);
  return hit;
}

}  // namespace

namespace query {

CastResult cast_shapes(const Posed& moving, const Vec3& motion, const Posed& other, const CancelToken* cancel) {
  if (const auto code = wrong_cast(motion, moving, other)) return Failure{CastError{*code}};
  if (moving.is_mesh())
    return other.is_mesh() ? cast_meshes(moving, motion, other, cancel) : mesh_moves(moving, motion, other);
  if (!other.is_mesh()) return primitive_moves(moving, motion, other);
  auto hit = mesh_moves(other, -motion, moving);
  if (hit) {
    // Seen from the primitive the mesh has moved; in the world it is the other way round.
    const Vec3 way = hit->t * motion;
    std::swap(hit->on_moving, hit->on_other);
    hit->on_moving = hit->on_moving + way, hit->on_other = hit->on_other + way;
    hit->normal = -hit->normal;
    std::swap(hit->triangle_moving, hit->triangle_other);
  }
  return hit;
}

}  // namespace query

CastResult cast_shape(const Shape& moving, const Pose& pose, const Vec3& motion, const Shape& other,
                      const Pose& pose_other) {
  return cast_shapes({moving, pose}, motion, {other, pose_other}, nullptr);
}

}  // namespace snug
