#include "scene/work.hpp"

#include <snug/scene.hpp>
#include <snug/verdict.hpp>

#include <algorithm>
#include <mutex>

// Contacts and depths of all pairs of a scene. Scene::manifolds() stands above the scene, since depths are those of verdicts.

namespace snug {

namespace {

using namespace scene;

/// Whether two bodies touch or overlap, and how.
bool find_manifold(const Posed& a, const Posed& b, const ManifoldOptions& how, const SceneOptions& options,
                   Scratch& scratch, SceneManifold& out) {
  if (!a.is_mesh() || !b.is_mesh()) return meet(a, b, scratch, how_to_ask(options));
  const auto answer =
      try_contacts(a.shape, a.pose, b.shape, b.pose, scratch, out.contacts, {.cancel = options.cancel}, how.contacts);
  if (!answer || !answer->yes()) return false;
  for (const Contact& contact : out.contacts.contacts) out.deepest = std::max(out.deepest, contact.depth);
  if (how.depth) out.depth = assess(a.shape, a.pose, b.shape, b.pose).depth;
  return true;
}

}  // namespace

Result<void, SceneError> Scene::manifolds(SceneScratch& scratch, std::vector<SceneManifold>& manifolds,
                                          const ManifoldOptions& how, const SceneOptions& options) const {
  manifolds.clear();
  if (!snug::validate(how.contacts)) return Failure{SceneError{SceneError::Code::bad_contacts}};
  SceneData& data = held(data_);
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  {
    const std::lock_guard lock(data.updating);
    if (!data.phase.update_pairs(broad_run(options))) return cancelled_error();
  }
  memory.work.clear();
  for (const SlotsMet& pair : data.phase.pairs()) {
    if (!data.slots[pair.a].shaped || !data.slots[pair.b].shaped) continue;
    if (options.filter && !options.filter({data.id(pair.a), data.id(pair.b)})) continue;
    memory.work.push_back(pair);
  }
  std::vector<SceneManifold> found(memory.work.size());
  auto decide = [&](std::size_t i, Scratch& own) {
    const SlotsMet pair = memory.work[i];
    found[i].a = data.id(pair.a), found[i].b = data.id(pair.b);
    return find_manifold(data.bodies[pair.a].posed(), data.bodies[pair.b].posed(), how, options, own, found[i]);
  };
  if (!decide_all(memory.work.size(), decide, options, memory)) return cancelled_error();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (memory.hits[i] != 0) manifolds.push_back(std::move(found[i]));
  return {};
}

}  // namespace snug
