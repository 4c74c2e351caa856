#include "query/surface/oriented.hpp"

namespace snug::detail {

namespace {

/// Poses triangles when they are asked for; a triangle met again and again is posed once.
class PosedTriangle {
 public:
  PosedTriangle(const Mesh& mesh, const Pose& pose) noexcept : view_(mesh.view()), pose_(pose) {}

  const Triangle& get(std::uint32_t t) noexcept {
    if (t != at_) {
      const Index3& corner = view_.triangles[t];
      triangle_ = {{pose_.apply(view_.vertices[corner[0]]), pose_.apply(view_.vertices[corner[1]]),
                    pose_.apply(view_.vertices[corner[2]])}};
      at_ = t;
    }
    return triangle_;
  }

 private:
  TriangleMeshView view_;
  const Pose& pose_;
  std::uint32_t at_ = ~std::uint32_t{0};
  Triangle triangle_;
};

struct Decider {
  PosedTriangle a, b;
  std::vector<TrianglePair>& pairs;

  static bool take_all(void* context, const CandidatePair* candidates, std::uint32_t count) {
    auto& self = *static_cast<Decider*>(context);
    for (std::uint32_t i = 0; i < count; ++i) {
      const CandidatePair c = candidates[i];
      if (const Relation how = relation(self.a.get(c.a), self.b.get(c.b)); how != Relation::disjoint)
        self.pairs.push_back({c.a, c.b, how});
    }
    return true;
  }
  static bool take_first(void* context, const CandidatePair* candidates, std::uint32_t count) {
    auto& self = *static_cast<Decider*>(context);
    for (std::uint32_t i = 0; i < count; ++i) {
      const CandidatePair c = candidates[i];
      if (const Relation how = relation(self.a.get(c.a), self.b.get(c.b)); how != Relation::disjoint) {
        self.pairs.push_back({c.a, c.b, how});
        return false;
      }
    }
    return true;
  }
};

PairSearch make_search(const OrientedPair& bodies, SearchMemory& memory) {
  const ObbTree &a = bodies.tree_a, &b = bodies.tree_b;
  memory.stack.resize(std::max(memory.stack.size(), stack_room(a, b)));
  memory.candidates.resize(k_candidates + 64);
  memory.pairs.clear();
  PairSearch search;
  search.nodes_a = a.nodes.data(), search.nodes_b = b.nodes.data();
  search.blocks_a = a.blocks.data(), search.blocks_b = b.blocks.data();
  search.order_a = a.order.data(), search.order_b = b.order.data();
  search.pose = RelativePose(a, bodies.mesh_a.bounds(), bodies.pose_a, b, bodies.mesh_b.bounds(), bodies.pose_b);
  search.stack = memory.stack.data();
  search.candidates = memory.candidates.data();
  search.stack[search.stack_size++] = {0, 0};
  return search;
}

Decider make_decider(const OrientedPair& bodies, SearchMemory& memory) {
  return {{bodies.mesh_a, bodies.pose_a}, {bodies.mesh_b, bodies.pose_b}, memory.pairs};
}

}  // namespace

std::vector<TrianglePair> oriented_pairs(const OrientedPair& bodies, SearchMemory& memory, unsigned threads) {
  (void)threads;
  if (bodies.tree_a.empty() || bodies.tree_b.empty()) return {};
  PairSearch search = make_search(bodies, memory);
  Decider decider = make_decider(bodies, memory);
  search.context = &decider;
  search.take = Decider::take_all;
  (void)bodies.kernels.walk(search);
  sort_pairs(memory.pairs, memory.sorting);
  return memory.pairs;
}

std::optional<TrianglePair> oriented_first(const OrientedPair& bodies, SearchMemory& memory) {
  if (bodies.tree_a.empty() || bodies.tree_b.empty()) return {};
  PairSearch search = make_search(bodies, memory);
  Decider decider = make_decider(bodies, memory);
  search.context = &decider;
  search.take = Decider::take_first;
  search.best_first = true;
  if (bodies.kernels.walk(search)) return std::nullopt;
  return memory.pairs.front();
}

}  // namespace snug::detail
