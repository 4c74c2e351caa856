#include <snug/cast.hpp>

#include "primitive/convex_cast.hpp"

// Rays against meshes, by the exact ray_hit(), and against primitives, as points that move.

namespace snug {

namespace {

using namespace detail;

Vec3 unit_normal(const Triangle& t) noexcept {
  const double scale = scale_to_one(std::max(max_abs(t[1] - t[0]), max_abs(t[2] - t[0])));
  const Vec3 n = cross(scale * (t[1] - t[0]), scale * (t[2] - t[0]));
  const double largest = max_abs(n);
  if (!(largest > 0)) return {};
  const Vec3 scaled = (1 / largest) * n;
  return (1 / length_of(scaled)) * scaled;
}

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

struct FirstTriangle {
  const Ray& ray;
  const MeshInFrame& mesh;
  SweptBox point;
  double per_t;
  double t_max;
  bool any;
  std::optional<RayHit> best = {};
  std::uint32_t id = RayCastHit::k_none;

  [[nodiscard]] double bound(const FrameBox& box) const noexcept { return point.enter(box, mesh.margin()); }
  [[nodiscard]] double limit() const noexcept {
    const double t = best ? best->t : t_max;
    return t * per_t * (1 + 0x1p-36) + 0x1p-36;  // hits are as rounded as boxes, and those as early count too
  }
  bool triangle(std::uint32_t t) noexcept {
    const auto hit = ray_hit(ray, mesh.posed(t));
    if (!hit || !(hit->t <= t_max)) return true;
    if (!best || hit->t < best->t || (hit->t == best->t && t < id)) best = hit, id = t;
    return !any;
  }
};

std::optional<RayCastHit> first_hit(const Ray& ray, const Shape& body, const Pose& pose, double t_max, bool any) {
  if (!boxes_meet({ray.origin, ray.origin}, ray.direction, posed_bounds(body, pose), t_max)) return std::nullopt;
  const Ball ball = ball_of(body, pose);
  const double scale = PairScale({ray.origin, 0}, ball).scale;
  const MeshInFrame mesh(body, pose, ray.origin, nullptr, scale);
  const ScaledRay scaled(ray, scale);
  FirstTriangle first{ray, mesh, SweptBox({}, 0, -scaled.direction), scaled.per_t, t_max, any};
  TreeWalk(mesh, first).run();
  if (!first.best) return std::nullopt;
  RayCastHit hit;
  hit.t = first.best->t;
  hit.point = ray.origin + hit.t * ray.direction;
  hit.from_inside = first.best->from_inside;
  hit.triangle = first.id;
  if (any) return hit;
  hit.normal = unit_normal(mesh.posed(first.id));
  hit.surface = body.mesh().surface_of(first.id);
  return hit;
}

std::optional<RayCastHit> first_hit(const Ray& ray, const Primitive& body, const Pose& pose, double t_max) noexcept {
  if (!boxes_meet({ray.origin, ray.origin}, ray.direction, posed_bounds(body, pose), t_max)) return std::nullopt;
  const Ball ball = ball_of(body, pose);
  const double scale = PairScale({ray.origin, 0}, ball).scale;
  const ScaledRay scaled(ray, scale);
  const Point3 start[1] = {{0, 0, 0}};
  const Convex point(start);
  const double limit = t_max * scaled.per_t;
  std::optional<CastMeeting> met;
  if (body.bounded()) {
    const Convex still = in_world_axes(body, pose, ray.origin, scale);
    met = cast_convex(still, point, scaled.direction, limit);
    if (met) sharpen_normal(still, point, scaled.direction, *met);
  } else {
    met = cast_convex(Plane(body, pose, ray.origin, scale), point, scaled.direction, limit);
  }
  if (!met) return std::nullopt;
  RayCastHit hit;
  hit.t = std::min(met->t / scaled.per_t, t_max);
  hit.point = ray.origin + hit.t * ray.direction;
  hit.normal = met->normal;
  hit.from_inside = hit.normal == Vec3{};
  return hit;
}

}  // namespace

Result<std::optional<RayCastHit>, CastError> cast_ray(const Ray& ray, const Shape& body, const Pose& pose,
                                                      double t_max) {
  if (const auto code = wrong_ray(ray, t_max)) return Failure{CastError{*code}};
  return first_hit(ray, body, pose, t_max, false);
}

Result<std::optional<RayCastHit>, CastError> cast_ray(const Ray& ray, const Primitive& body, const Pose& pose,
                                                      double t_max) {
  if (const auto code = wrong_ray(ray, t_max)) return Failure{CastError{*code}};
  return first_hit(ray, body, pose, t_max);
}

Result<bool, CastError> ray_meets(const Ray& ray, const Shape& body, const Pose& pose, double t_max) {
  if (const auto code = wrong_ray(ray, t_max)) return Failure{CastError{*code}};
  return first_hit(ray, body, pose, t_max, true).has_value();
}

Result<bool, CastError> ray_meets(const Ray& ray, const Primitive& body, const Pose& pose, double t_max) {
  if (const auto code = wrong_ray(ray, t_max)) return Failure{CastError{*code}};
  return first_hit(ray, body, pose, t_max).has_value();
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
      return "a half-space can not be moved: move the other body the other way";
  }
  return "unknown error";
}

}  // namespace snug
