#include "scene/work.hpp"

#include <snug/scene.hpp>

// All pairs of a scene.

namespace snug {

namespace {

using namespace scene;

// Two bodies with as many triangles together are searched by all threads at once, where there are too few such pairs to
// keep the threads busy.
constexpr std::size_t k_large_pair = 20'000;

struct TwoBodies {
  Posed a, b;
  TwoBodies(const SceneData& data, SlotsMet pair) : a(data.bodies[pair.a].posed()), b(data.bodies[pair.b].posed()) {}
  [[nodiscard]] std::size_t triangles() const {
    return a.shape.mesh().triangles().size() + b.shape.mesh().triangles().size();
  }
};

bool update_pairs(SceneData& data, const SceneOptions& options) {
  const std::lock_guard lock(data.updating);
  return data.phase.update_pairs(broad_run(options));
}

/// Of pairs that boxes leave, those with shapes that the caller wants.
void choose(const SceneData& data, const std::vector<SlotsMet>& pairs, const SceneOptions& options,
            std::vector<SlotsMet>& work) {
  work.clear();
  for (const SlotsMet& pair : pairs) {
    if (!data.slots[pair.a].shaped || !data.slots[pair.b].shaped) continue;
    if (options.filter && !options.filter({data.id(pair.a), data.id(pair.b)})) continue;
    work.push_back(pair);
  }
}

void keep_hits(const SceneData& data, const SceneScratchData& memory, std::vector<BodyPair>& pairs) {
  pairs.clear();
  for (std::size_t i = 0; i < memory.work.size(); ++i)
    if (memory.hits[i] != 0) pairs.push_back({data.id(memory.work[i].a), data.id(memory.work[i].b)});
}

/// Intersecting pairs of memory.work, one by one.
auto intersects_of(const SceneData& data, const SceneScratchData& memory, const SceneOptions& options) {
  return [&data, &memory, how = how_to_ask(options)](std::size_t i, Scratch& scratch) {
    const TwoBodies two(data, memory.work[i]);
    return meet(two.a, two.b, scratch, how);
  };
}

/// Triangles of every item of the work, in memory.by_pair; large pairs first, each by all threads.
bool find_triangles(const SceneData& data, const SceneOptions& options, SceneScratchData& memory) {
  const auto& work = memory.work;
  if (memory.by_pair.size() < work.size()) memory.by_pair.resize(work.size());
  std::size_t large = 0;
  for (const SlotsMet& pair : work) large += TwoBodies(data, pair).triangles() >= k_large_pair ? 1 : 0;
  const bool inside = large > 0 && large < 2 * std::size_t{options.threads};
  const auto find = [&](std::size_t i, Scratch& scratch, unsigned threads) {
    const TwoBodies two(data, work[i]);
    std::vector<std::uint32_t> meeting;  // none is needed for two meshes
    scene::contacts(two.a, two.b, scratch, how_to_ask(options, threads), meeting, memory.by_pair[i]);
    return !memory.by_pair[i].empty();
  };
  const auto is_large = [&](std::size_t i) { return TwoBodies(data, work[i]).triangles() >= k_large_pair; };
  if (inside)
    for (std::size_t i = 0; i < work.size(); ++i) {
      if (!is_large(i)) continue;
      if (options.cancel != nullptr && options.cancel->cancelled()) return false;
      find(i, own_scratch(memory), options.threads);
    }
  auto rest = [&](std::size_t i, Scratch& scratch) {
    return inside && is_large(i) ? !memory.by_pair[i].empty() : find(i, scratch, 1);
  };
  return decide_all(work.size(), rest, options, memory);
}

void add_contact(SceneContacts& contacts, const SceneData& data, SlotsMet pair,
                 const std::vector<TrianglePair>& triangles) {
  if (triangles.empty()) return;
  const std::size_t begin = contacts.triangles.size();
  contacts.triangles.insert(contacts.triangles.end(), triangles.begin(), triangles.end());
  contacts.bodies.push_back({data.id(pair.a), data.id(pair.b), begin, contacts.triangles.size()});
}

}  // namespace

Result<void, SceneError> Scene::box_pairs(std::vector<BodyPair>& pairs, const SceneOptions& options) const {
  pairs.clear();
  const WorkProgress progress(options, 1);
  if (!update_pairs(held(data_), options)) return cancelled_error();
  const auto& met = held(data_).phase.pairs();
  pairs.reserve(met.size());
  for (const SlotsMet& pair : met) {
    const BodyPair bodies{held(data_).id(pair.a), held(data_).id(pair.b)};
    if (!options.filter || options.filter(bodies)) pairs.push_back(bodies);
  }
  progress.finish();
  return {};
}

Result<void, SceneError> Scene::intersecting_pairs(SceneScratch& scratch, std::vector<BodyPair>& pairs,
                                                   const SceneOptions& options) const {
  pairs.clear();
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  if (!update_pairs(held(data_), options)) return cancelled_error();
  choose(held(data_), held(data_).phase.pairs(), options, memory.work);
  auto decide = intersects_of(held(data_), memory, options);
  if (!decide_all(memory.work.size(), decide, options, memory)) return cancelled_error();
  keep_hits(held(data_), memory, pairs);
  return {};
}

Result<std::optional<BodyPair>, SceneError> Scene::first_intersecting_pair(SceneScratch& scratch,
                                                                           const SceneOptions& options) const {
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  if (!update_pairs(held(data_), options)) return cancelled_error();
  choose(held(data_), held(data_).phase.pairs(), options, memory.work);
  auto decide = intersects_of(held(data_), memory, options);
  const auto first = decide_first(memory.work.size(), decide, options, memory);
  if (!first) return cancelled_error();
  if (*first == memory.work.size()) return std::optional<BodyPair>();
  return std::optional(BodyPair{held(data_).id(memory.work[*first].a), held(data_).id(memory.work[*first].b)});
}

Result<void, SceneError> Scene::contacts(SceneScratch& scratch, SceneContacts& contacts,
                                         const SceneOptions& options) const {
  contacts.bodies.clear(), contacts.triangles.clear();
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  if (!update_pairs(held(data_), options)) return cancelled_error();
  choose(held(data_), held(data_).phase.pairs(), options, memory.work);
  if (options.threads <= 1) {
    // Straight into the answer, without a list for each pair.
    auto find = [&](std::size_t i, Scratch& own) {
      const TwoBodies two(held(data_), memory.work[i]);
      scene::contacts(two.a, two.b, own, how_to_ask(options), memory.meeting, memory.triangles);
      add_contact(contacts, held(data_), memory.work[i], memory.triangles);
      return true;
    };
    if (decide_all(memory.work.size(), find, options, memory)) return {};
    contacts.bodies.clear(), contacts.triangles.clear();
    return cancelled_error();
  }
  if (!find_triangles(held(data_), options, memory)) return cancelled_error();
  for (std::size_t i = 0; i < memory.work.size(); ++i)
    add_contact(contacts, held(data_), memory.work[i], memory.by_pair[i]);
  return {};
}

Result<void, SceneError> Scene::pairs_within(double clearance, SceneScratch& scratch, std::vector<BodyPair>& pairs,
                                             const SceneOptions& options) const {
  pairs.clear();
  if (!(clearance >= 0)) return Failure{SceneError{SceneError::Code::bad_clearance}};
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  {
    const std::lock_guard lock(held(data_).updating);
    held(data_).phase.update();
  }
  const double gap = widened(clearance, held(data_).phase.largest_coordinate());
  if (!held(data_).phase.pairs_within(gap, broad_run(options), memory.broad, memory.near)) return cancelled_error();
  choose(held(data_), memory.near, options, memory.work);
  auto decide = [&](std::size_t i, Scratch& own) {
    const TwoBodies two(held(data_), memory.work[i]);
    return scene::within(two.a, two.b, clearance, own, how_to_ask(options));
  };
  if (!decide_all(memory.work.size(), decide, options, memory)) return cancelled_error();
  keep_hits(held(data_), memory, pairs);
  return {};
}

std::optional<std::string> Scene::validate() const {
  const std::lock_guard lock(held(data_).updating);
  held(data_).phase.update();
  return held(data_).phase.validate();
}

}  // namespace snug
