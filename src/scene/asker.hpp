#pragma once

#include "scene/work.hpp"
#include "support/rooms.hpp"

#include <snug/scene.hpp>

#include <mutex>

// What queries of one against all share.

namespace snug::scene {

inline constexpr std::uint32_t k_no_slot = ~std::uint32_t{0};

/// Who asks: a body of the scene, or one from outside with groups of its own.
struct Asker {
  Posed body;
  Groups groups;
  std::uint32_t slot = k_no_slot;
};

[[nodiscard]] inline Asker asker_of(const SceneData& data, std::uint32_t slot) {
  return {data.bodies[slot].posed(), data.phase.groups(slot), slot};
}

[[nodiscard]] inline bool wanted(const SceneData& data, std::uint32_t other, const Groups& groups, std::uint32_t self,
                                 const SceneOptions& options) {
  if (other == self) return false;
  if (self != k_no_slot ? !data.phase.allows(self, other) : !meet(groups, data.phase.groups(other))) return false;
  if (!options.filter) return true;
  const BodyId body = data.id(other);
  if (self == k_no_slot) return options.filter({{}, body});
  return options.filter(self < other ? BodyPair{data.id(self), body} : BodyPair{body, data.id(self)});
}

inline void update(SceneData& data) {
  const std::lock_guard lock(data.updating);
  data.phase.update();
}

}  // namespace snug::scene
