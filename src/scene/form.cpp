#include "scene/form.hpp"

#include "query/convex/cast_checks.hpp"
#include "query/fuel.hpp"
#include "query/pairs/obb/oriented_pair.hpp"

#include <snug/budget.hpp>
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

bool two_meshes(const Form& a, const Form& b) noexcept { return a.shape != nullptr && b.shape != nullptr; }

/// Two meshes may take long, and their trees longer: those that can be ended are. The others are for comparison.
bool can_be_ended(const HowToAsk& how) noexcept { return how.cancel != nullptr && how.query.method == Method::surface; }

}  // namespace

bool prepared(const Form& a, const Form& b, const CancelToken* cancel) {
  const Watch watch{.cancel = cancel};
  for (const Form* const form : {&a, &b})
    if (form->shape != nullptr && !form->shape->prepare_for(k_for_pairs, watch)) return false;
  return true;
}

bool meet(const Form& a, const Form& b, Scratch& scratch, const HowToAsk& how) {
  if (how.cancel != nullptr && !prepared(a, b, how.cancel)) return false;
  if (two_meshes(a, b) && can_be_ended(how)) {
    Fuel fuel(Budget{.cancel = how.cancel});
    return oriented_first(oriented_pair(*a.shape, *a.pose, *b.shape, *b.pose, how.query),
                          Access::data(scratch).get<SearchMemory>(), fuel, nullptr)
        .has_value();
  }
  if (two_meshes(a, b)) return intersects(*a.shape, *a.pose, *b.shape, *b.pose, scratch, how.query);
  return by_kind(a, b, [](const auto&... two) { return intersects(two...); });
}

bool within(const Form& a, const Form& b, double clearance, Scratch& scratch, const HowToAsk& how) {
  if (how.cancel != nullptr && !prepared(a, b, how.cancel)) return false;
  if (two_meshes(a, b) && can_be_ended(how))
    return try_within(*a.shape, *a.pose, *b.shape, *b.pose, clearance, scratch, {.cancel = how.cancel}, how.query)
        .yes();
  if (two_meshes(a, b)) return snug::within(*a.shape, *a.pose, *b.shape, *b.pose, clearance, scratch, how.query);
  return by_kind(a, b, [&](const auto&... two) { return snug::within(two..., clearance); });
}

void contacts(const Form& a, const Form& b, Scratch& scratch, const HowToAsk& how, std::vector<std::uint32_t>& meeting,
              std::vector<TrianglePair>& out) {
  constexpr std::uint32_t none = SceneContacts::k_no_triangle;
  out.clear();
  if (how.cancel != nullptr && !prepared(a, b, how.cancel)) return;
  if (two_meshes(a, b) && can_be_ended(how)) {
    (void)try_triangle_pairs(*a.shape, *a.pose, *b.shape, *b.pose, scratch, out, {.cancel = how.cancel}, how.query);
    return;
  }
  if (two_meshes(a, b)) return triangle_pairs(*a.shape, *a.pose, *b.shape, *b.pose, scratch, out, how.query);
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

Result<std::optional<ShapeCastHit>, CastError> cast_shape(const Form& moving, const Vec3& motion, const Form& other,
                                                          const CancelToken* cancel) {
  const auto cast = [&](const auto& a, const auto& b) {
    return snug::cast_shape(a, *moving.pose, motion, b, *other.pose);
  };
  if (two_meshes(moving, other))
    return cast_meshes(*moving.shape, *moving.pose, motion, *other.shape, *other.pose, cancel);
  if (moving.shape != nullptr) return cast(*moving.shape, *other.primitive);
  return other.shape != nullptr ? cast(*moving.primitive, *other.shape) : cast(*moving.primitive, *other.primitive);
}

}  // namespace snug::detail
