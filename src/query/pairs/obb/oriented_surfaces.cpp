#include "query/pairs/obb/parallel_search.hpp"

namespace snug::query {

namespace {

/// Once a pair of surfaces is found, none of its triangles is looked at again.
struct SurfaceAsker : Decider {
  const OrientedPair& bodies;
  SurfacePairSet& met;
  const SurfaceVisitor& visit;

  const SurfacePairSet* before;  ///< pairs found before the search began, if any

  SurfaceAsker(const OrientedPair& pair, SurfacePairSet& found, const SurfaceVisitor& visitor,
               const SurfacePairSet* known = nullptr) noexcept
      : Decider(pair), bodies(pair), met(found), visit(visitor), before(known) {}

  [[nodiscard]] bool known(std::uint32_t surface_a, std::uint32_t surface_b) const noexcept {
    return met.contains(surface_a, surface_b) || (before != nullptr && before->contains(surface_a, surface_b));
  }
  static bool skip(void* context, std::uint32_t surface_a, std::uint32_t surface_b) {
    return static_cast<SurfaceAsker*>(context)->known(surface_a, surface_b);
  }
  static bool take(void* context, const CandidatePair* candidates, std::uint32_t count) {
    auto& self = *static_cast<SurfaceAsker*>(context);
    for (std::uint32_t i = 0; i < count; ++i) {
      const SurfacePair surfaces{self.bodies.a.shape.mesh().surface_of(candidates[i].a),
                                 self.bodies.b.shape.mesh().surface_of(candidates[i].b)};
      if (self.known(surfaces.a, surfaces.b)) continue;
      if (self.decide(candidates[i]) == Relation::disjoint) continue;
      self.met.insert(surfaces.a, surfaces.b);
      if (!self.visit(surfaces)) return false;
    }
    return true;
  }
};

/// Keeps all.
struct Append {
  std::vector<SurfacePair>* surfaces;

  bool operator()(const SurfacePair& pair) const {
    surfaces->push_back(pair);
    return true;
  }
};

/// Parts do not know what others found meanwhile, only what was found before them all.
void collect_surfaces_in_parallel(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Fuel& fuel,
                                  Stats* stats) {
  ParallelSearch search(bodies, threads);
  const Append append_on_top{&memory.surfaces};
  const SurfaceVisitor visit_on_top(append_on_top);
  SurfaceAsker on_top(bodies, memory.met, visit_on_top);
  search.open(memory, on_top);
  std::vector<std::vector<SurfacePair>> found(search.parts());
  std::vector<Append> append(search.parts());
  std::vector<SurfaceVisitor> visit;
  for (std::size_t i = 0; i < search.parts(); ++i) append[i].surfaces = &found[i], visit.emplace_back(append[i]);
  search.search(fuel, [&](std::size_t part, SearchMemory& own) {
    own.met.clear();
    return SurfaceAsker(bodies, own.met, visit[part], &memory.met);
  });
  for (const auto& some : found) memory.surfaces.insert(memory.surfaces.end(), some.begin(), some.end());
  if (stats != nullptr) *stats += search.stats();
}

void visit_surfaces(const OrientedPair& bodies, SearchMemory& memory, const SurfaceVisitor& visit, Fuel& fuel,
                    Stats* stats) {
  memory.met.clear();
  if (ends_at_once(bodies, fuel)) return;
  SurfaceAsker asker(bodies, memory.met, visit);
  search_all(bodies, memory, asker, fuel, stats);
}

}  // namespace

void oriented_surfaces(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Fuel& fuel, Stats* stats) {
  memory.surfaces.clear();
  memory.met.clear();
  if (ends_at_once(bodies, fuel)) return;
  if (threads > 1 && !fuel.counted()) {
    collect_surfaces_in_parallel(bodies, memory, threads, fuel, stats);
  } else {
    const Append append{&memory.surfaces};
    visit_surfaces(bodies, memory, append, fuel, stats);
  }
  std::ranges::sort(memory.surfaces);
  const auto repeated = std::ranges::unique(memory.surfaces);
  memory.surfaces.erase(repeated.begin(), repeated.end());
}

void oriented_visit_surfaces(const OrientedPair& bodies, SearchMemory& memory, const SurfaceVisitor& visit,
                             Stats* stats) {
  Fuel fuel;
  visit_surfaces(bodies, memory, visit, fuel, stats);
}

}  // namespace snug::query
