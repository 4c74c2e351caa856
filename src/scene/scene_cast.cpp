#include "scene/asker.hpp"

#include "query/convex/cast_checks.hpp"
#include "shape/posed_bounds.hpp"

#include <algorithm>

// Rays and moving bodies against all bodies of a scene, in the order in which their boxes are reached.

namespace snug {

namespace {

using namespace scene;

Failure<SceneError> refused() { return {SceneError{SceneError::Code::bad_cast}}; }

/// Bodies whose boxes are reached, in memory.swept, the earliest first.
void choose(SceneData& data, const Aabb& box, const Vec3& way, double limit, const Groups& groups, std::uint32_t self,
            const SceneOptions& options, SceneScratchData& memory) {
  update(data);
  data.phase.sweep(box, way, limit, memory.swept);
  std::erase_if(memory.swept, [&](const SweptSlot& s) {
    return !data.slots[s.slot].shaped || !wanted(data, s.slot, groups, self, options);
  });
  std::ranges::sort(memory.swept, [](const SweptSlot& a, const SweptSlot& b) {
    return a.enter != b.enter ? a.enter < b.enter : a.slot < b.slot;
  });
}

/// The first hit of all: cast(body, t of the best so far or nothing) gives that of one body.
template <class Found, class Cast>
Result<std::optional<Found>, SceneError> first_of(const SceneData& data, const SceneOptions& options,
                                                  const SceneScratchData& memory, Cast&& cast) {
  std::optional<Found> best;
  WorkProgress progress(options, memory.swept.size());
  for (const SweptSlot& next : memory.swept) {
    if (best && next.enter > best->hit.t) break;
    if (options.cancel != nullptr && options.cancel->cancelled()) return cancelled_error();
    const Posed other = data.bodies[next.slot].posed();
    if (options.cancel != nullptr && !prepared(other.shape, options.cancel)) return cancelled_error();
    const auto hit = cast(other, best);
    if (options.cancel != nullptr && options.cancel->cancelled()) return cancelled_error();
    if (!hit) return refused();
    const BodyId body = data.id(next.slot);
    if (*hit && (!best || (*hit)->t < best->hit.t || ((*hit)->t == best->hit.t && body < best->body)))
      best = Found{body, **hit};
    progress.advance();
  }
  progress.finish();
  return best;
}

Result<std::optional<SceneCastHit>, SceneError> cast(SceneData& data, const Asker& asker, const Vec3& motion,
                                                     SceneScratchData& memory, const SceneOptions& options) {
  const OneUser user(memory.user);
  const Posed& moving = asker.body;
  if (!moving.pose.is_valid()) return Failure{SceneError{SceneError::Code::bad_pose}};
  if (wrong_cast(motion, moving, moving)) return refused();
  if (options.cancel != nullptr && !prepared(moving.shape, options.cancel)) return cancelled_error();
  choose(data, posed_bounds(moving), motion, 1, asker.groups, asker.slot, options, memory);
  return first_of<SceneCastHit>(data, options, memory, [&](const Posed& other, const auto&) {
    return cast_shapes(moving, motion, other, options.cancel);
  });
}

}  // namespace

Result<std::optional<SceneRayHit>, SceneError> Scene::cast_ray(const Ray& ray, SceneScratch& scratch, double t_max,
                                                               const Groups& groups,
                                                               const SceneOptions& options) const {
  if (wrong_ray(ray, t_max)) return refused();
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  choose(held(data_), {ray.origin, ray.origin}, ray.direction, t_max, groups, k_no_slot, options, memory);
  // Up to the best so far: what is hit at the same time still counts.
  return first_of<SceneRayHit>(held(data_), options, memory,
                               [&](const Posed& body, const std::optional<SceneRayHit>& best) {
                                 return snug::cast_ray(ray, body.shape, body.pose, best ? best->hit.t : t_max);
                               });
}

Result<bool, SceneError> Scene::ray_meets(const Ray& ray, SceneScratch& scratch, double t_max, const Groups& groups,
                                          const SceneOptions& options) const {
  if (wrong_ray(ray, t_max)) return refused();
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  choose(held(data_), {ray.origin, ray.origin}, ray.direction, t_max, groups, k_no_slot, options, memory);
  WorkProgress progress(options, memory.swept.size());
  bool meets = false;
  for (std::size_t i = 0; i < memory.swept.size() && !meets; ++i) {
    if (options.cancel != nullptr && options.cancel->cancelled()) return cancelled_error();
    const Posed body = held(data_).bodies[memory.swept[i].slot].posed();
    if (options.cancel != nullptr && !prepared(body.shape, options.cancel)) return cancelled_error();
    meets = snug::ray_meets(ray, body.shape, body.pose, t_max).value();
    progress.advance();
  }
  progress.finish();
  return meets;
}

Result<std::optional<SceneCastHit>, SceneError> Scene::cast_shape(BodyId moving, const Vec3& motion,
                                                                  SceneScratch& scratch,
                                                                  const SceneOptions& options) const {
  const auto slot = held(data_).find_shaped(moving);
  if (!slot) return Failure{slot.error()};
  return cast(held(data_), asker_of(held(data_), *slot), motion, SceneAccess::data(scratch), options);
}

Result<std::optional<SceneCastHit>, SceneError> Scene::cast_shape(const Shape& moving, const Pose& pose,
                                                                  const Vec3& motion, SceneScratch& scratch,
                                                                  const Groups& groups,
                                                                  const SceneOptions& options) const {
  return cast(held(data_), {{moving, pose}, groups}, motion, SceneAccess::data(scratch), options);
}

}  // namespace snug
