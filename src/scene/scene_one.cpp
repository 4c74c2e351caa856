#include "scene/work.hpp"

#include <snug/distance.hpp>
#include <snug/scene.hpp>

#include <cmath>

// One body or shape against all bodies of a scene.

namespace snug {

namespace {

using namespace detail;

constexpr std::uint32_t k_no_slot = ~std::uint32_t{0};

/// Who asks: a body of the scene, or a shape from outside with groups of its own.
struct Asker {
  const Shape& shape;
  const Pose& pose;
  Groups groups;
  std::uint32_t slot = k_no_slot;
};

Asker asker_of(const SceneData& data, std::uint32_t slot) {
  return {*data.bodies[slot].shape, data.bodies[slot].pose, data.phase.groups(slot), slot};
}

bool wanted(const SceneData& data, std::uint32_t other, const Groups& groups, std::uint32_t self,
            const SceneOptions& options) {
  if (other == self) return false;
  if (self != k_no_slot ? !data.phase.allows(self, other) : !meet(groups, data.phase.groups(other))) return false;
  if (!options.filter) return true;
  const BodyId body = data.id(other);
  if (self == k_no_slot) return options.filter({{}, body});
  return options.filter(self < other ? BodyPair{data.id(self), body} : BodyPair{body, data.id(self)});
}

void update(SceneData& data) {
  const std::lock_guard lock(data.updating);
  data.phase.update();
}

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
  const SceneBody& body = data.bodies[other];
  return asker.slot < other ? query(asker.shape, asker.pose, *body.shape, body.pose)
                            : query(*body.shape, body.pose, asker.shape, asker.pose);
}

auto meets(const SceneData& data, const Asker& asker, const SceneOptions& options, const SceneScratchData& memory) {
  return [&data, &memory, asker, how = query_options(options)](std::size_t i, Scratch& scratch) {
    return ask(data, asker, memory.slots[i],
               [&](const auto&... bodies) { return intersects(bodies..., scratch, how); });
  };
}

void keep_hits(const SceneData& data, const SceneScratchData& memory, std::vector<BodyId>& bodies) {
  for (std::size_t i = 0; i < memory.slots.size(); ++i)
    if (memory.hits[i] != 0) bodies.push_back(data.id(memory.slots[i]));
}

Result<void, SceneError> all_meeting(SceneData& data, const Asker& asker, const SceneOptions& options,
                                     SceneScratchData& memory, std::vector<BodyId>& bodies) {
  bodies.clear();
  update(data);
  choose(data, posed_bounds(asker.shape.bounds(), asker.pose), asker, options, memory);
  auto decide = meets(data, asker, options, memory);
  if (!decide_all(memory.slots.size(), decide, options, memory)) return cancelled_error();
  keep_hits(data, memory, bodies);
  return {};
}

Result<std::optional<BodyId>, SceneError> first_meeting(SceneData& data, const Asker& asker,
                                                        const SceneOptions& options, SceneScratchData& memory) {
  update(data);
  choose(data, posed_bounds(asker.shape.bounds(), asker.pose), asker, options, memory);
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
  update(data);
  Aabb box = posed_bounds(asker.shape.bounds(), asker.pose);
  double largest = data.phase.largest_coordinate();
  for (const Vec3& corner : {box.lo, box.hi})
    largest = std::max({largest, std::abs(corner.x), std::abs(corner.y), std::abs(corner.z)});
  const double gap = widened(clearance, largest);
  box = {box.lo - Vec3{gap, gap, gap}, box.hi + Vec3{gap, gap, gap}};
  choose(data, box, asker, options, memory);
  auto decide = [&](std::size_t i, Scratch& scratch) {
    return ask(data, asker, memory.slots[i],
               [&](const auto&... two) { return within(two..., clearance, scratch, query_options(options)); });
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
  update(*data_);
  auto& slots = SceneAccess::data(scratch).slots;
  data_->phase.query(box, kernels_for(options.instructions), slots);
  for (const std::uint32_t slot : slots)
    if (wanted(*data_, slot, groups, k_no_slot, options)) bodies.push_back(data_->id(slot));
  return {};
}

Result<void, SceneError> Scene::bodies_meeting(BodyId body, SceneScratch& scratch, std::vector<BodyId>& bodies,
                                               const SceneOptions& options) const {
  const auto slot = data_->find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return all_meeting(*data_, asker_of(*data_, *slot), options, SceneAccess::data(scratch), bodies);
}

Result<void, SceneError> Scene::bodies_meeting(const Shape& shape, const Pose& pose, SceneScratch& scratch,
                                               std::vector<BodyId>& bodies, const Groups& groups,
                                               const SceneOptions& options) const {
  return all_meeting(*data_, {shape, pose, groups}, options, SceneAccess::data(scratch), bodies);
}

Result<std::optional<BodyId>, SceneError> Scene::first_body_meeting(BodyId body, SceneScratch& scratch,
                                                                    const SceneOptions& options) const {
  const auto slot = data_->find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return first_meeting(*data_, asker_of(*data_, *slot), options, SceneAccess::data(scratch));
}

Result<std::optional<BodyId>, SceneError> Scene::first_body_meeting(const Shape& shape, const Pose& pose,
                                                                    SceneScratch& scratch, const Groups& groups,
                                                                    const SceneOptions& options) const {
  return first_meeting(*data_, {shape, pose, groups}, options, SceneAccess::data(scratch));
}

Result<void, SceneError> Scene::bodies_within(BodyId body, double clearance, SceneScratch& scratch,
                                              std::vector<BodyId>& bodies, const SceneOptions& options) const {
  const auto slot = data_->find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return all_within(*data_, asker_of(*data_, *slot), clearance, options, SceneAccess::data(scratch), bodies);
}

Result<void, SceneError> Scene::bodies_within(const Shape& shape, const Pose& pose, double clearance,
                                              SceneScratch& scratch, std::vector<BodyId>& bodies, const Groups& groups,
                                              const SceneOptions& options) const {
  return all_within(*data_, {shape, pose, groups}, clearance, options, SceneAccess::data(scratch), bodies);
}

}  // namespace snug
