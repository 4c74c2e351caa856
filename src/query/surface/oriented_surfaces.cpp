#include "query/surface/oriented_search.hpp"

namespace snug::detail {

namespace {

/// Once a pair of surfaces is found, none of its triangles is looked at again.
struct SurfaceCollector : Decider {
  const OrientedPair& bodies;
  SearchMemory& memory;

  SurfaceCollector(const OrientedPair& pair, SearchMemory& out) noexcept : Decider(pair), bodies(pair), memory(out) {}

  static bool skip(void* context, std::uint32_t surface_a, std::uint32_t surface_b) {
    return static_cast<SurfaceCollector*>(context)->memory.met.contains(surface_a, surface_b);
  }
  static bool take(void* context, const CandidatePair* candidates, std::uint32_t count) {
    auto& self = *static_cast<SurfaceCollector*>(context);
    for (std::uint32_t i = 0; i < count; ++i) {
      const SurfacePair surfaces{self.bodies.mesh_a.surface_of(candidates[i].a),
                                 self.bodies.mesh_b.surface_of(candidates[i].b)};
      if (self.memory.met.contains(surfaces.a, surfaces.b)) continue;
      if (self.decide(candidates[i]) == Relation::disjoint) continue;
      self.memory.met.insert(surfaces.a, surfaces.b);
      self.memory.surfaces.push_back(surfaces);
    }
    return true;
  }
};

}  // namespace

void oriented_surfaces(const OrientedPair& bodies, SearchMemory& memory, Stats* stats) {
  memory.surfaces.clear();
  memory.met.clear();
  if (bodies.empty()) return;
  PairSearch search = pair_search(bodies, memory);
  SurfaceCollector collector(bodies, memory);
  search.context = &collector;
  search.take = SurfaceCollector::take;
  search.skip = SurfaceCollector::skip;
  (void)bodies.kernels.walk(search);
  tell(stats, search.counts, collector.exact_tests);
  std::ranges::sort(memory.surfaces);
}

}  // namespace snug::detail
