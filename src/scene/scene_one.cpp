#include "scene/asker.hpp"
#include "shape/posed_bounds.hpp"

#include <snug/scene.hpp>

#include <cmath>

// One body or shape against all bodies of a scene.

namespace snug {

namespace {

using namespace scene;

/// Bodies with shapes whose boxes reach into `box`, in memory.slots.
void choose(const SceneData& data, const Aabb& box, const Asker& asker, const SceneOptions& options,
            SceneScratchData& memory) {
  data.phase.query(box, kernels_for(options.instructions), memory.slots);
  std::erase_if(memory.slots, [&](std::uint32_t slot) {
    return !data.slots[slot].shaped || !wanted(data, slot, asker.groups, asker.slot, options);
  });
}

/// The lower slot comes first, so that a pair is decided the same way by every query.
template <class Query>
bool ask(const SceneData& data, const Asker& asker, std::uint32_t other, Query&& query) {
  const Posed body = data.bodies[other].posed();
  return asker.slot < other ? query(asker.body, body) : query(body, asker.body);
}

auto meets(const SceneData& data, const Asker& asker, const SceneOptions& options, const SceneScratchData& memory) {
  return [&data, &memory, asker, how = how_to_ask(options)](std::size_t i, Scratch& scratch) {
    return ask(data, asker, memory.slots[i], [&](const Posed& a, const Posed& b) { return meet(a, b, scratch, how); });
  };
}

void keep_hits(const SceneData& data, const SceneScratchData& memory, std::vector<BodyId>& bodies) {
  for (std::size_t i = 0; i < memory.slots.size(); ++i)
    if (memory.hits[i] != 0) bodies.push_back(data.id(memory.slots[i]));
}

Result<void, SceneError> all_meeting(SceneData& data, const Asker& asker, const SceneOptions& options,
                                     SceneScratchData& memory, std::vector<BodyId>& bodies) {
  bodies.clear();
  const OneUser user(memory.user);
  if (!asker.body.pose.is_valid()) return Failure{SceneError{SceneError::Code::bad_pose}};
  update(data);
  choose(data, posed_bounds(asker.body), asker, options, memory);
  auto decide = meets(data, asker, options, memory);
  if (!decide_all(memory.slots.size(), decide, options, memory)) return cancelled_error();
  keep_hits(data, memory, bodies);
  return {};
}

Result<std::optional<BodyId>, SceneError> first_meeting(SceneData& data, const Asker& asker,
                                                        const SceneOptions& options, SceneScratchData& memory) {
  const OneUser user(memory.user);
  if (!asker.body.pose.is_valid()) return Failure{SceneError{SceneError::Code::bad_pose}};
  update(data);
  choose(data, posed_bounds(asker.body), asker, options, memory);
  auto decide = meets(data, asker, options, memory);
  const auto first = decide_first(memory.slots.size(), decide, options, memory);
  if (!first) return cancelled_error();
  if (*first == memory.slots.size()) return std::optional<BodyId>();
  return std::optional(data.id(memory.slots[*first]));
}

Result<void, SceneError> all_within(SceneData& data, const Asker& asker, double clearance, const SceneOptions& options,
                                    SceneScratchData& memory, std::vector<BodyId>& bodies) {
  bodies.clear();
  if (!(clearance >= 0)) return Failure{SceneError{SceneError::Code::bad_clearance}};
  const OneUser user(memory.user);
  if (!asker.body.pose.is_valid()) return Failure{SceneError{SceneError::Code::bad_pose}};
  update(data);
  Aabb box = posed_bounds(asker.body);
  double largest = data.phase.largest_coordinate();
  for (const Vec3& corner : {box.lo, box.hi})
    largest = std::max({largest, std::abs(corner.x), std::abs(corner.y), std::abs(corner.z)});
  const double gap = widened(clearance, largest);
  box = {box.lo - Vec3{gap, gap, gap}, box.hi + Vec3{gap, gap, gap}};
  choose(data, box, asker, options, memory);
  auto decide = [&](std::size_t i, Scratch& scratch) {
    return ask(data, asker, memory.slots[i], [&](const Posed& a, const Posed& b) {
      return scene::within(a, b, clearance, scratch, how_to_ask(options));
    });
  };
  if (!decide_all(memory.slots.size(), decide, options, memory)) return cancelled_error();
  keep_hits(data, memory, bodies);
  return {};
}

}  // namespace

Result<void, SceneError> Scene::bodies_in_box(const Aabb& box, SceneScratch& scratch, std::vector<BodyId>& bodies,
                                              const Groups& groups, const SceneOptions& options) const {
  bodies.clear();
  if (box.empty() || !std::isfinite(((box.hi.x - box.lo.x) + (box.hi.y - box.lo.y)) + (box.hi.z - box.lo.z)))
    return Failure{SceneError{SceneError::Code::bad_box}};
  const WorkProgress progress(options, 1);
  if (broad_run(options).cancelled()) return cancelled_error();
  update(held(data_));
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  auto& slots = memory.slots;
  held(data_).phase.query(box, kernels_for(options.instructions), slots);
  for (const std::uint32_t slot : slots)
    if (wanted(held(data_), slot, groups, k_no_slot, options)) bodies.push_back(held(data_).id(slot));
  progress.finish();
  return {};
}

Result<void, SceneError> Scene::bodies_meeting(BodyId body, SceneScratch& scratch, std::vector<BodyId>& bodies,
                                               const SceneOptions& options) const {
  bodies.clear();
  const auto slot = held(data_).find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return all_meeting(held(data_), asker_of(held(data_), *slot), options, SceneAccess::data(scratch), bodies);
}

Result<void, SceneError> Scene::bodies_meeting(const Shape& shape, const Pose& pose, SceneScratch& scratch,
                                               std::vector<BodyId>& bodies, const Groups& groups,
                                               const SceneOptions& options) const {
  return all_meeting(held(data_), {{shape, pose}, groups}, options, SceneAccess::data(scratch), bodies);
}

Result<std::optional<BodyId>, SceneError> Scene::first_body_meeting(BodyId body, SceneScratch& scratch,
                                                                    const SceneOptions& options) const {
  const auto slot = held(data_).find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return first_meeting(held(data_), asker_of(held(data_), *slot), options, SceneAccess::data(scratch));
}

Result<std::optional<BodyId>, SceneError> Scene::first_body_meeting(const Shape& shape, const Pose& pose,
                                                                    SceneScratch& scratch, const Groups& groups,
                                                                    const SceneOptions& options) const {
  return first_meeting(held(data_), {{shape, pose}, groups}, options, SceneAccess::data(scratch));
}

Result<void, SceneError> Scene::bodies_within(BodyId body, double clearance, SceneScratch& scratch,
                                              std::vector<BodyId>& bodies, const SceneOptions& options) const {
  bodies.clear();
  const auto slot = held(data_).find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return all_within(held(data_), asker_of(held(data_), *slot), clearance, options, SceneAccess::data(scratch), bodies);
}

Result<void, SceneError> Scene::bodies_within(const Shape& shape, const Pose& pose, double clearance,
                                              SceneScratch& scratch, std::vector<BodyId>& bodies, const Groups& groups,
                                              const SceneOptions& options) const {
  return all_within(held(data_), {{shape, pose}, groups}, clearance, options, SceneAccess::data(scratch), bodies);
}

}  // namespace snug
