#include "scene/scene_data.hpp"

#include "geometry/vec_ops.hpp"
#include "shape/posed_bounds.hpp"

#include <snug/scene.hpp>

#include <atomic>
#include <cmath>
#include <limits>

// Bodies come, go and move; the queries are in scene_pairs.cpp, scene_one.cpp and scene_cast.cpp.

namespace snug {

namespace {

using namespace scene;
using Code = SceneError::Code;

constexpr std::size_t k_fetch_ahead = 16;  // boxes lie in the order of the tree, ids come in any

Failure<SceneError> refused(Code code, std::size_t element = 0) { return {SceneError{code, element}}; }

bool good(const Aabb& box) noexcept {
  // A NaN fails either comparison.
  return !box.empty() && max_abs(box.lo) <= k_max_coordinate && max_abs(box.hi) <= k_max_coordinate;
}

std::uint16_t next_tag() noexcept {
  static std::atomic<std::uint32_t> last{0};
  return static_cast<std::uint16_t>(1 + last.fetch_add(1, std::memory_order_relaxed) % 0xffffU);
}

/// A slot with nobody in it, whose generation was never given out. Only with room for one more.
std::uint32_t take_slot(SceneData& data) {
  if (!data.free.empty()) {
    const std::uint32_t slot = data.free.back();
    data.free.pop_back();
    return slot;
  }
  const std::size_t slots = data.slots.size() + 1;
  data.bodies.resize(slots);
  data.phase.resize(slots);
  data.slots.emplace_back();
  data.free.reserve(data.slots.capacity());  // so that remove() need not
  return static_cast<std::uint32_t>(slots - 1);
}

Result<BodyId, SceneError> add_body(SceneData& data, SceneBody body, const Aabb& box, const BodyOptions& options) {
  if (data.free.empty() && data.slots.size() >= std::numeric_limits<std::uint32_t>::max() - 64)
    return refused(Code::too_many_bodies);
  const std::uint32_t slot = take_slot(data);
  data.phase.add(slot, box, options.groups);
  data.slots[slot].there = true, data.slots[slot].shaped = body.shape.has_value();
  body.tag = options.tag;
  data.bodies[slot] = std::move(body);
  ++data.count;
  return data.id(slot);
}

}  // namespace

namespace detail {

Result<std::uint32_t, SceneError> SceneData::find(BodyId body, std::size_t element) const noexcept {
  if (body.scene != tag && body.scene != 0) return refused(Code::foreign_body, element);
  if (!names(body)) return refused(Code::stale_body, element);
  return body.index;
}

Result<std::uint32_t, SceneError> SceneData::find_shaped(BodyId body, std::size_t element) const noexcept {
  const auto slot = find(body, element);
  if (slot && !slots[*slot].shaped) return refused(Code::no_shape, element);
  return slot;
}

}  // namespace detail

SceneScratch::SceneScratch() : data_(std::make_unique<SceneScratchData>()) {}
SceneScratch::~SceneScratch() = default;
SceneScratch::SceneScratch(SceneScratch&&) noexcept = default;
SceneScratch& SceneScratch::operator=(SceneScratch&&) noexcept = default;

Scene::Scene() : data_(std::make_unique<SceneData>()) { data_->tag = next_tag(); }
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

Result<BodyId, SceneError> Scene::add(Shape shape, const Pose& pose, const BodyOptions& options) {
  if (!pose.is_valid()) return refused(Code::bad_pose);
  const Aabb box = posed_bounds(shape, pose);
  return add_body(held(data_), {.shape = std::move(shape), .pose = pose}, box, options);
}

Result<BodyId, SceneError> Scene::add_box(const Aabb& box, const BodyOptions& options) {
  if (!good(box)) return refused(Code::bad_box);
  return add_body(held(data_), {}, box, options);
}

Result<void, SceneError> Scene::remove(BodyId body) {
  const auto slot = held(data_).find(body);
  if (!slot) return Failure{slot.error()};
  held(data_).phase.remove(*slot);
  held(data_).bodies[*slot].shape.reset();
  SlotState& gone = held(data_).slots[*slot];
  gone.there = false;
  // A slot whose generations are used up is not used again: an old id would fit a new body.
  if (++gone.generation != 0) held(data_).free.push_back(*slot);
  --held(data_).count;
  return {};
}

Result<void, SceneError> Scene::set_pose(BodyId body, const Pose& pose) { return set_poses({&body, 1}, {&pose, 1}); }

Result<void, SceneError> Scene::set_poses(std::span<const BodyId> bodies, std::span<const Pose> poses) {
  if (bodies.size() != poses.size()) return refused(Code::counts_differ, std::min(bodies.size(), poses.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (const auto slot = held(data_).find_shaped(bodies[i], i); !slot) return Failure{slot.error()};
    if (!poses[i].is_valid()) return refused(Code::bad_pose, i);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i + k_fetch_ahead < bodies.size()) held(data_).phase.fetch(bodies[i + k_fetch_ahead].index);
    const std::uint32_t slot = bodies[i].index;
    held(data_).bodies[slot].pose = poses[i];
    held(data_).phase.set_box(slot, posed_bounds(held(data_).bodies[slot].posed()));
  }
  return {};
}

Result<void, SceneError> Scene::set_box(BodyId body, const Aabb& box) { return set_boxes({&body, 1}, {&box, 1}); }

Result<void, SceneError> Scene::set_boxes(std::span<const BodyId> bodies, std::span<const Aabb> boxes) {
  if (bodies.size() != boxes.size()) return refused(Code::counts_differ, std::min(bodies.size(), boxes.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!held(data_).names(bodies[i])) return Failure{held(data_).find(bodies[i], i).error()};
    if (held(data_).slots[bodies[i].index].shaped) return refused(Code::no_box, i);
    if (!good(boxes[i])) return refused(Code::bad_box, i);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i + k_fetch_ahead < bodies.size()) held(data_).phase.fetch(bodies[i + k_fetch_ahead].index);
    held(data_).phase.set_box(bodies[i].index, boxes[i]);
  }
  return {};
}

Result<void, SceneError> Scene::set_shape(BodyId body, Shape shape) {
  const auto slot = held(data_).find_shaped(body);
  if (!slot) return Failure{slot.error()};
  SceneBody& changed = held(data_).bodies[*slot];
  changed.shape = std::move(shape);
  held(data_).phase.set_box(*slot, posed_bounds(changed.posed()));
  return {};
}

Result<void, SceneError> Scene::set_groups(BodyId body, const Groups& groups) {
  const auto slot = held(data_).find(body);
  if (!slot) return Failure{slot.error()};
  held(data_).phase.set_groups(*slot, groups);
  return {};
}

Result<void, SceneError> Scene::ignore(BodyId a, BodyId b) {
  const auto slot_a = held(data_).find(a), slot_b = held(data_).find(b, 1);
  if (!slot_a || !slot_b) return Failure{slot_a ? slot_b.error() : slot_a.error()};
  if (*slot_a == *slot_b) return refused(Code::same_body);
  held(data_).phase.ignore(*slot_a, *slot_b);
  return {};
}

Result<void, SceneError> Scene::heed(BodyId a, BodyId b) {
  const auto slot_a = held(data_).find(a), slot_b = held(data_).find(b, 1);
  if (!slot_a || !slot_b) return Failure{slot_a ? slot_b.error() : slot_a.error()};
  if (*slot_a == *slot_b) return refused(Code::same_body);
  held(data_).phase.heed(*slot_a, *slot_b);
  return {};
}

std::size_t Scene::size() const noexcept { return held(data_).count; }
bool Scene::contains(BodyId body) const noexcept { return held(data_).names(body); }

void Scene::bodies(std::vector<BodyId>& out) const {
  out.clear();
  for (std::uint32_t slot = 0; slot < held(data_).slots.size(); ++slot)
    if (held(data_).slots[slot].there) out.push_back(held(data_).id(slot));
}

Result<const Shape*, SceneError> Scene::shape(BodyId body) const {
  const auto slot = held(data_).find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return &*held(data_).bodies[*slot].shape;
}

Result<Pose, SceneError> Scene::pose(BodyId body) const {
  const auto slot = held(data_).find_shaped(body);
  if (!slot) return Failure{slot.error()};
  return held(data_).bodies[*slot].pose;
}

Result<Groups, SceneError> Scene::groups(BodyId body) const {
  const auto slot = held(data_).find(body);
  if (!slot) return Failure{slot.error()};
  return held(data_).phase.groups(*slot);
}

Result<std::uint64_t, SceneError> Scene::tag(BodyId body) const {
  const auto slot = held(data_).find(body);
  if (!slot) return Failure{slot.error()};
  return held(data_).bodies[*slot].tag;
}

Result<Aabb, SceneError> Scene::bounds(BodyId body) const {
  const auto slot = held(data_).find(body);
  if (!slot) return Failure{slot.error()};
  return held(data_).phase.box(*slot);
}

std::string SceneError::message() const {
  const std::string at = " (element " + std::to_string(element) + ")";
  switch (code) {
    case Code::stale_body:
      return "there is no body of this id, or no longer" + at;
    case Code::foreign_body:
      return "the body belongs to another scene" + at;
    case Code::no_shape:
      return "the body is only a box: it has no shape and no pose" + at;
    case Code::no_box:
      return "the body has a shape, whose box it has" + at;
    case Code::bad_box:
      return "the box is empty, not finite or too large" + at;
    case Code::bad_clearance:
      return "the clearance is negative or not a number";
    case Code::counts_differ:
      return "there are not as many bodies as values for them";
    case Code::same_body:
      return "a pair takes two bodies, not one twice";
    case Code::too_many_bodies:
      return "more bodies than 32-bit ids can name";
    case Code::cancelled:
      return "cancelled";
    case Code::bad_cast:
      return "the ray or motion is not finite, too long or without direction, or a half-space was to move";
    case Code::bad_pose:
      return "the pose is not valid" + at;
    case Code::bad_contacts:
      return "the settings of contacts are not valid";
  }
  return "unknown error";
}

}  // namespace snug
