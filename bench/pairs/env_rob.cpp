// The pair of meshes FCL tests itself with, at random poses, as it does.

#include "bench/pairs/context.hpp"
#include "bench/pairs/two_bodies.hpp"

#include "scenes/random.hpp"

#include <snug/io.hpp>

#include <cstdlib>
#include <filesystem>

namespace snug::bench::pairs {

namespace {

constexpr std::size_t k_env_rob_warm_up = 3;

std::vector<PosePair> random_poses(std::uint64_t seed, std::size_t count) {
  scenes::Random random(seed);
  std::vector<PosePair> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const Quaternion rotation = random.rotation();
    const Point3 p = random.point(0, 3000);
    poses.push_back({{}, Pose::make(rotation, {2 * p.x - 3000, 2 * p.y - 3000, p.z}).value()});
  }
  return poses;
}

}  // namespace

void run_env_rob(Context& context) {
  const Options& options = context.options;
  if (!options.wants_scene("env-rob") || !options.wants_bucket("random")) return;
  const char* data = std::getenv("SNUG_DATA");
  if (data == nullptr || *data == '\0') {
    context.remark("env-rob: left out, since SNUG_DATA is not set");
    return;
  }
  const std::filesystem::path folder = std::filesystem::path(data) / "meshes";
  const auto env = load_mesh(folder / "env.obj"), rob = load_mesh(folder / "rob.obj");
  if (!env || !rob) {
    context.remark("env-rob: left out: " + (!env ? env.error() : rob.error()).message());
    return;
  }
  std::vector<PosePair> poses;
  std::map<const Engine*, std::unique_ptr<TwoBodies>> built;
  for (const Query query : {Query::all, Query::first, Query::distance}) {
    if (!options.wants_query(to_string(query)) || !options.wants_caches("warm")) continue;
    std::vector<Contender*> contenders;
    for (const Engine* engine : options.engines_for(query)) {
      auto& slot = built[engine];
      if (!slot) slot = std::make_unique<TwoBodies>(*engine, *env, *rob, poses);
      contenders.push_back(slot.get());
    }
    if (contenders.empty()) continue;
    const SeriesPlan plan{.query = query, .steps = context.poses(1000, 50), .warm_up = k_env_rob_warm_up};
    poses = random_poses(100 * options.seed + static_cast<std::uint64_t>(query), plan.steps + plan.warm_up);
    context.measure("env-rob", "random", contenders, plan);
  }
}

}  // namespace snug::bench::pairs
