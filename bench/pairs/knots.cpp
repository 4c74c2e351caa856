// Two equal bumpy torus knots at ten distances, from deep overlap to apart.

#include "bench/pairs/context.hpp"
#include "bench/pairs/knot_poses.hpp"

#include "scenes/solids.hpp"

#include <optional>

namespace snug::bench::pairs {

namespace {

struct KnotSize {
  const char* name;
  std::uint32_t along, around;  // 2 * along * around triangles
  std::size_t poses;
  double quick_share;  // of a quick run's time, after which no more is begun
  bool quick;          // whether a quick run has it unasked
};
// About as many triangles as published figures have: 5,940, 59,964 and 600,120.
constexpr KnotSize k_knot_sizes[] = {{"knot6k", 165, 18, 100, 0.3, true},
                                     {"knot60k", 526, 57, 100, 0.65, true},
                                     {"knot600k", 1667, 180, 40, 1.0, false}};
constexpr std::size_t k_knots_warm_up = 3, k_cold_poses = 25;

/// Meshes and engines of one size, made when first asked for.
class Knots {
 public:
  Knots(Context& context, const KnotSize& size)
      : context_(context),
        size_(size),
        mesh_(scenes::bumpy_knot(size.along, size.around)),
        poses_(Shape(mesh_), context.options.seed) {}

  void run(const Bucket& bucket, Query query, Caches caches) {
    if (over_ || !context_.options.wants_query(to_string(query))) return;
    if (!context_.options.wants_caches(caches == Caches::warm ? "warm" : "cold")) return;
    if (caches == Caches::cold && context_.options.quick && bucket.name != k_near_miss) return;
    if (engines_for(query).empty()) return;
    if (context_.out_of_time(size_.name + std::string(" from ") + std::string(bucket.name) + " on",
                             size_.quick_share)) {
      over_ = true;
      return;
    }
    const auto contenders = contenders_for(query);
    SeriesPlan plan{.query = query, .caches = caches, .warm_up = k_knots_warm_up};
    plan.steps = context_.poses(caches == Caches::cold ? k_cold_poses : size_.poses, 6);
    const auto stream = 2 * static_cast<std::uint64_t>(query) + static_cast<std::uint64_t>(caches);
    current_ = poses_.of(bucket, stream, plan.steps + plan.warm_up);
    context_.measure(size_.name, std::string(bucket.name), contenders, plan);
  }

 private:
  /// The bars are set beside FCL, so a quick run leaves the other peers out unless they are asked for.
  std::vector<const Engine*> engines_for(Query query) const {
    std::vector<const Engine*> chosen = context_.options.engines_for(query);
    if (context_.options.quick && context_.options.engines.empty() && find_engine("fcl") != nullptr)
      std::erase_if(chosen, [](const Engine* one) { return one->name() != "snug" && one->name() != "fcl"; });
    return chosen;
  }

  std::vector<Contender*> contenders_for(Query query) {
    std::vector<Contender*> chosen;
    for (const Engine* engine : engines_for(query)) {
      auto& slot = contenders_[engine];
      if (!slot) slot = std::make_unique<TwoBodies>(*engine, mesh_, mesh_, current_);
      chosen.push_back(slot.get());
    }
    return chosen;
  }

  Context& context_;
  const KnotSize& size_;
  Mesh mesh_;
  KnotPoses poses_;
  std::vector<PosePair> current_;
  bool over_ = false;  ///< no time is left
  std::map<const Engine*, std::unique_ptr<TwoBodies>> contenders_;
};

bool wanted(const Context& context, const KnotSize& size) {
  const Options& options = context.options;
  if (!options.wants_scene(size.name) || (options.quick && !size.quick && options.scenes.empty())) return false;
  return options.wants_query("all") || options.wants_query("first") || options.wants_query("distance");
}

}  // namespace

void run_knots(Context& context) {
  for (const KnotSize& size : k_knot_sizes) {
    if (!wanted(context, size)) continue;
    if (context.out_of_time(size.name, size.quick_share)) continue;
    std::optional<Knots> knots;
    for (const Bucket& bucket : k_buckets) {
      if (!context.options.wants_bucket(bucket.name)) continue;
      if (!knots) knots.emplace(context, size);
      for (const Query query : {Query::all, Query::first, Query::distance})
        for (const Caches caches : {Caches::warm, Caches::cold}) knots->run(bucket, query, caches);
    }
  }
}

}  // namespace snug::bench::pairs
