#pragma once

#include "scene/body_queries.hpp"
#include "scene/broad_phase.hpp"
#include "support/one_user.hpp"
#include "support/rooms.hpp"

#include <snug/scene.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace snug::scene {

struct SceneBody {
  std::optional<Shape> shape = {};  ///< none: only a box
  Pose pose = {};
  std::uint64_t tag = 0;

  /// Precondition: it is not only a box.
  [[nodiscard]] Posed posed() const noexcept { return {*shape, pose}; }
};

/// What every use of an id looks at, apart from the rest so that many are read at once. Outlives the body.
struct SlotState {
  std::uint16_t generation = 0;
  bool there = false, shaped = false;
};

}  // namespace snug::scene

namespace snug::detail {

struct SceneData {
  std::uint16_t tag = 0;
  std::vector<SlotState> slots;
  std::vector<SceneBody> bodies;    ///< by slot
  std::vector<std::uint32_t> free;  ///< slots, the next one last
  std::size_t count = 0;
  BroadPhase phase;
  std::mutex updating;  ///< held by the query that brings `phase` up to date

  [[nodiscard]] BodyId id(std::uint32_t slot) const noexcept { return {slot, slots[slot].generation, tag}; }
  /// Whether the id is that of a body.
  [[nodiscard]] bool names(BodyId body) const noexcept {
    return body.scene == tag && body.index < slots.size() && slots[body.index].there &&
           slots[body.index].generation == body.generation;
  }
  [[nodiscard]] Result<std::uint32_t, SceneError> find(BodyId body, std::size_t element = 0) const noexcept;
  [[nodiscard]] Result<std::uint32_t, SceneError> find_shaped(BodyId body, std::size_t element = 0) const noexcept;
};

struct SceneScratchData {
  std::deque<Scratch> scratch;    ///< one for each thread that took part so far
  std::vector<Scratch*> at_hand;  ///< those not in use
  BroadMemory broad;
  std::vector<SlotsMet> near, work;
  std::vector<std::uint32_t> slots;
  std::vector<SweptSlot> swept;
  std::vector<std::uint32_t> meeting;  ///< triangles that a primitive meets
  std::vector<std::uint8_t> hits;
  std::vector<TrianglePair> triangles;
  std::vector<std::vector<TrianglePair>> by_pair;
  UserMark user;
};

}  // namespace snug::detail

namespace snug::scene {

using detail::SceneData;
using detail::SceneScratchData;

/// What a scene holds.
[[nodiscard]] inline SceneData& held(const std::unique_ptr<SceneData>& data) noexcept {
  SNUG_ASSERT(data != nullptr && "a Scene is used after it was moved from");
  return *data;
}

}  // namespace snug::scene

namespace snug::detail {

struct SceneAccess {
  static SceneData& data(const Scene& scene) noexcept { return held(scene.data_); }
  /// One that was moved from gets new memory.
  static SceneScratchData& data(SceneScratch& scratch) {
    if (scratch.data_ == nullptr) [[unlikely]]
      scratch.data_ = std::make_unique<SceneScratchData>();
    return *scratch.data_;
  }
};

}  // namespace snug::detail

namespace snug::scene {

using detail::SceneAccess;

}  // namespace snug::scene
