#include "scene/form.hpp"

#include <snug/distance.hpp>
#include <snug/scene.hpp>

namespace snug::detail {

namespace {

/// Calls with(a, pose, b, pose) by what the two are; two meshes are the caller's.
template <class With>
auto by_kind(const Form& a, const Form& b, With&& with) {
  if (a.shape != nullptr) return with(*a.shape, *a.pose, *b.primitive, *b.pose);
  if (b.shape != nullptr) return with(*a.primitive, *a.pose, *b.shape, *b.pose);
  return with(*a.primitive, *a.pose, *b.primitive, *b.pose);
}

}  // namespace

bool meet(const Form& a, const Form& b, Scratch& scratch, const QueryOptions& how) {
  if (a.shape != nullptr && b.shape != nullptr) return intersects(*a.shape, *a.pose, *b.shape, *b.pose, scratch, how);
  return by_kind(a, b, [](const auto&... two) { return intersects(two...); });
}

bool within(const Form& a, const Form& b, double clearance, Scratch& scratch, const QueryOptions& how) {
  if (a.shape != nullptr && b.shape != nullptr)
    return snug::within(*a.shape, *a.pose, *b.shape, *b.pose, clearance, scratch, how);
  return by_kind(a, b, [&](const auto&... two) { return snug::within(two..., clearance); });
}

void contacts(const Form& a, const Form& b, Scratch& scratch, const QueryOptions& how,
              std::vector<std::uint32_t>& meeting, std::vector<TrianglePair>& out) {
  constexpr std::uint32_t none = SceneContacts::k_no_triangle;
  if (a.shape != nullptr && b.shape != nullptr)
    return triangle_pairs(*a.shape, *a.pose, *b.shape, *b.pose, scratch, out, how);
  out.clear();
  if (a.shape == nullptr && b.shape == nullptr) {
    if (intersects(*a.primitive, *a.pose, *b.primitive, *b.pose)) out.push_back({none, none, Relation::touching});
    return;
  }
  const Form &mesh = a.shape != nullptr ? a : b, &solid = a.shape != nullptr ? b : a;
  triangles_meeting(*solid.primitive, *solid.pose, *mesh.shape, *mesh.pose, meeting);
  for (const std::uint32_t t : meeting)
    out.push_back({a.shape != nullptr ? t : none, a.shape != nullptr ? none : t, Relation::touching});
}

Result<std::optional<RayCastHit>, CastError> cast_ray(const Ray& ray, const Form& body, double t_max) {
  return body.shape != nullptr ? snug::cast_ray(ray, *body.shape, *body.pose, t_max)
                               : snug::cast_ray(ray, *body.primitive, *body.pose, t_max);
}

Result<bool, CastError> ray_meets(const Ray& ray, const Form& body, double t_max) {
  return body.shape != nullptr ? snug::ray_meets(ray, *body.shape, *body.pose, t_max)
                               : snug::ray_meets(ray, *body.primitive, *body.pose, t_max);
}

Result<std::optional<ShapeCastHit>, CastError> cast_shape(const Form& moving, const Vec3& motion, const Form& other) {
  const auto cast = [&](const auto& a, const auto& b) {
    return snug::cast_shape(a, *moving.pose, motion, b, *other.pose);
  };
  if (moving.shape != nullptr)
    return other.shape != nullptr ? cast(*moving.shape, *other.shape) : cast(*moving.shape, *other.primitive);
  return other.shape != nullptr ? cast(*moving.primitive, *other.shape) : cast(*moving.primitive, *other.primitive);
}

}  // namespace snug::detail
