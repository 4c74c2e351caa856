#include "query/pairs/dop/dop.hpp"

#include "query/pairs/obb/posed_triangle.hpp"
#include "query/pairs/obb/search_memory.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::query {

namespace {

/// Decides exactly what the walk leaves.
class Decider : public DopTaker {
 public:
  explicit Decider(const DopPair& bodies) noexcept
      : a_(bodies.mesh_a, bodies.pose_a), b_(bodies.mesh_b, bodies.pose_b) {}

  [[nodiscard]] std::uint64_t exact_tests() const noexcept { return exact_tests_; }

 protected:
  ~Decider() = default;
  Relation decide(std::uint32_t a, std::uint32_t b) noexcept {
    ++exact_tests_;
    return relation(a_.get(a), b_.get(b));
  }

 private:
  PosedTriangle a_, b_;
  std::uint64_t exact_tests_ = 0;
};

class Asker final : public Decider {
 public:
  Asker(const DopPair& bodies, const PairVisitor& visit) noexcept : Decider(bodies), visit_(visit) {}
  bool take(std::uint32_t a, std::uint32_t b) override {
    const Relation how = decide(a, b);
    return how == Relation::disjoint || visit_({a, b, how});
  }

 private:
  const PairVisitor& visit_;
};

/// Once a pair of surfaces is found, none of its triangles is decided again.
class SurfaceAsker final : public Decider {
 public:
  SurfaceAsker(const DopPair& bodies, SurfacePairSet& met, const SurfaceVisitor& visit) noexcept
      : Decider(bodies), bodies_(bodies), met_(met), visit_(visit) {}
  bool take(std::uint32_t a, std::uint32_t b) override {
    const SurfacePair pair{bodies_.mesh_a.surface_of(a), bodies_.mesh_b.surface_of(b)};
    if (met_.contains(pair.a, pair.b) || decide(a, b) == Relation::disjoint) return true;
    met_.insert(pair.a, pair.b);
    return visit_(pair);
  }

 private:
  const DopPair& bodies_;
  SurfacePairSet& met_;
  const SurfaceVisitor& visit_;
};

template <class Taker>
void search(const DopPair& bodies, const DopOptions& options, DopMemory& memory, Taker& taker, Stats* stats) {
  dop_walk(bodies, options, memory, taker, stats);
  if (stats != nullptr) stats->exact_tests += taker.exact_tests();
}

/// Devices and the chip come upon pairs in orders of their own: those who see an order, or stop at the first, ask the
/// processor, so that answers do not depend on where they come from.
DopOptions in_order(DopOptions options) {
  options.devices = nullptr;
  options.chip = false;
  return options;
}

void visit_pairs(const DopPair& bodies, const DopOptions& options, DopMemory& memory, const PairVisitor& visit,
                 Stats* stats) {
  Asker asker(bodies, visit);
  search(bodies, options, memory, asker, stats);
}

void visit_surfaces(const DopPair& bodies, const DopOptions& options, DopMemory& memory, const SurfaceVisitor& visit,
                    Stats* stats) {
  memory.met.clear();
  SurfaceAsker asker(bodies, memory.met, visit);
  search(bodies, options, memory, asker, stats);
}

}  // namespace

void dop_visit(const DopPair& bodies, const DopOptions& options, DopMemory& memory, const PairVisitor& visit,
               Stats* stats) {
  visit_pairs(bodies, in_order(options), memory, visit, stats);
}

void dop_pairs(const DopPair& bodies, const DopOptions& options, DopMemory& memory, Stats* stats) {
  memory.pairs.clear();
  const auto append = [&](const TrianglePair& pair) {
    memory.pairs.push_back(pair);
    return true;
  };
  visit_pairs(bodies, options, memory, append, stats);
  sort_pairs(memory.pairs, memory.sorting);
  SNUG_ASSERT(std::ranges::is_sorted(memory.pairs));
}

std::optional<TrianglePair> dop_first(const DopPair& bodies, const DopOptions& options, DopMemory& memory,
                                      Stats* stats) {
  std::optional<TrianglePair> first;
  const auto keep = [&](const TrianglePair& pair) {
    first = pair;
    return false;
  };
  dop_visit(bodies, options, memory, keep, stats);
  return first;
}

void dop_visit_surfaces(const DopPair& bodies, const DopOptions& options, DopMemory& memory,
                        const SurfaceVisitor& visit, Stats* stats) {
  visit_surfaces(bodies, in_order(options), memory, visit, stats);
}

void dop_surfaces(const DopPair& bodies, const DopOptions& options, DopMemory& memory, Stats* stats) {
  memory.surfaces.clear();
  const auto append = [&](const SurfacePair& pair) {
    memory.surfaces.push_back(pair);
    return true;
  };
  visit_surfaces(bodies, options, memory, append, stats);
  std::ranges::sort(memory.surfaces);
  SNUG_ASSERT(std::ranges::adjacent_find(memory.surfaces) == memory.surfaces.end());
}

}  // namespace snug::query
