#pragma once

#include "bench/pairs/series.hpp"

#include <memory>
#include <vector>

namespace snug::bench::pairs {

struct PosePair {
  Pose a, b;
};

/// Two bodies at a list of poses.
class TwoBodies final : public Contender {
 public:
  /// Builds both, or one for both if the meshes are the same. `poses` outlives this and may be filled anew.
  TwoBodies(const Engine& engine, const Mesh& a, const Mesh& b, const std::vector<PosePair>& poses);

  void prepare(std::size_t step) override;
  void run(Query query) override;
  Answer answer(Query query) override;

 private:
  const std::vector<PosePair>& poses_;
  std::unique_ptr<Body> a_, b_;
  std::unique_ptr<PairQueries> queries_;
  std::vector<IdPair> pairs_;
  bool hit_ = false;
  double distance_ = 0;
};

}  // namespace snug::bench::pairs
