#include <snug/cast.hpp>

#include "geometry/unit_normal.hpp"
#include "query/convex/convex_cast.hpp"
#include "query/raycast/line_walk.hpp"

// Rays against meshes, by the exact ray_hit(), and against primitives, as points that move.

namespace snug {

namespace {

using namespace query;

/// A ray's direction brought to about unit length by a power of two.
struct ScaledRay {
  Vec3 direction;
  double per_t;  ///< times t of the ray is its t in the scaled unit
  ScaledRay(const Ray& ray, double scale) noexcept {
    const double by = scale_to_one(max_abs(ray.direction));
    direction = by * ray.direction;
    per_t = scale / by;
  }
};

/// Where floats can not serve: every triangle.
void look_at_all(const Shape& body, const Pose& pose, FirstHitSearch& search) {
  const TriangleMeshView mesh = body.mesh().view();
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle posed;
    pose.apply(mesh.triangle(t).corner, posed.corner);
    const auto hit = ray_hit(search.ray, posed);
    if (!hit || !(hit->t <= search.t_max) || (search.triangle != FirstHitSearch::k_none && !(hit->t < search.t)))
      continue;
    search.triangle = t, search.t = hit->t, search.from_inside = hit->from_inside;
    search.surface = body.mesh().surface_of(t);
    std::ranges::copy(posed.corner, search.corner);
  }
}

void first_hit(const Shape& body, const Pose& pose, FirstHitSearch& search) {
  if (!LineWalk(body, pose, kernels_for(Instructions::best)).run(search)) look_at_all(body, pose, search);
}

std::optional<RayCastHit> first_hit(const Ray& ray, const Posed& solid, double t_max) noexcept {
  const auto reached = boxes_meet({ray.origin, ray.origin}, ray.direction, posed_bounds(solid), t_max);
  if (!reached) return std::nullopt;
  const Ball ball = ball_of(solid);
  const double scale = PairScale({ray.origin, 0}, ball).scale;
  const ScaledRay scaled(ray, scale);
  const Point3 start[1] = {{0, 0, 0}};
  const Convex point(start);
  const double limit = t_max * scaled.per_t;
  std::optional<CastMeeting> met;
  if (solid.primitive().bounded()) {
    const Convex still = in_world_axes(solid, ray.origin, scale);
    met = cast_convex(still, point, scaled.direction, limit);
    if (met) sharpen_normal(still, point, scaled.direction, *met);
  } else {
    met = cast_convex(Plane(solid, ray.origin, scale), point, scaled.direction, limit);
  }
  if (!met) return std::nullopt;
  RayCastHit hit;
  // What is found lies a margin before the body, and may lie before its box; asked again up to there, it must be found.
  hit.t = std::min(std::max(met->t / scaled.per_t, *reached), t_max);
  hit.point = ray.origin + hit.t * ray.direction;
  hit.normal = met->normal;
  hit.from_inside = hit.normal == Vec3{};
  return hit;
}

}  // namespace

Result<std::optional<RayCastHit>, CastError> cast_ray(const Ray& ray, const Shape& body, const Pose& pose,
                                                      double t_max) {
  if (const auto code = wrong_cast(ray, pose, t_max)) return Failure{CastError{*code}};
  if (!body.is_mesh()) return first_hit(ray, {body, pose}, t_max);
  FirstHitSearch search;
  search.ray = ray, search.t_max = t_max;
  first_hit(body, pose, search);
  Result<std::optional<RayCastHit>, CastError> result(std::in_place);
  if (search.triangle == FirstHitSearch::k_none) return result;
  RayCastHit& hit = result.value().emplace();
  hit.t = search.t;
  hit.point = ray.origin + hit.t * ray.direction;
  hit.normal = unit_normal_of({{search.corner[0], search.corner[1], search.corner[2]}});
  hit.from_inside = search.from_inside;
  hit.triangle = search.triangle, hit.surface = search.surface;
  return result;
}

Result<bool, CastError> ray_meets(const Ray& ray, const Shape& body, const Pose& pose, double t_max) {
  if (const auto code = wrong_cast(ray, pose, t_max)) return Failure{CastError{*code}};
  if (!body.is_mesh()) return first_hit(ray, {body, pose}, t_max).has_value();
  FirstHitSearch search;
  search.ray = ray, search.t_max = t_max, search.any = true;
  first_hit(body, pose, search);
  return search.triangle != FirstHitSearch::k_none;
}

std::string CastError::message() const {
  switch (code) {
    case CastError::Code::bad_ray:
      return "the ray is not finite, too far out, or has no direction";
    case CastError::Code::bad_limit:
      return "the limit is negative or not a number";
    case CastError::Code::bad_motion:
      return "the motion is not finite or too long";
    case CastError::Code::unbounded:
      return "a half-space or plane can not be moved: move the other body the other way";
    case CastError::Code::bad_pose:
      return "a pose is not valid";
  }
  return "unknown error";
}

}  // namespace snug
