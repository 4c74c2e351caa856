// Assemblies that are put together: what one step of the motion costs, over all pairs of parts whose boxes overlap.

#include "bench/pairs/assembly_motion.hpp"
#include "bench/pairs/context.hpp"

#include <deque>

namespace snug::bench::pairs {

namespace {

constexpr std::size_t k_motions_warm_up = 3;

void run_motion(Context& context, const char* name) {
  const Options& options = context.options;
  if (!options.wants_scene(name) || !options.wants_bucket("motion") || !options.wants_caches("warm")) return;
  if (!options.wants_query("all") && !options.wants_query("first")) return;
  if (context.out_of_time(name)) return;
  const scenes::Scene scene = scenes::find(name)->make({});
  const std::size_t count = context.poses(scene.steps, 15);
  const MotionSteps steps = motion_steps(scene, count, k_motions_warm_up);
  std::map<const Engine*, AssemblyBodies> bodies;
  std::deque<AssemblyMotion> contenders;
  // Distances of parts that are put together are mostly zero; the knots tell more.
  for (const Query query : {Query::all, Query::first}) {
    if (!options.wants_query(to_string(query))) continue;
    std::vector<Contender*> chosen;
    for (const Engine* engine : options.engines_for(query)) {
      const auto built = bodies.try_emplace(engine, *engine, steps.parts).first;
      chosen.push_back(&contenders.emplace_back(built->second, steps));
    }
    if (!chosen.empty())
      context.measure(name, "motion", chosen, {.query = query, .steps = count, .warm_up = k_motions_warm_up});
  }
}

}  // namespace

void run_motions(Context& context) {
  for (const char* name : {"digger", "control-box", "plant"}) run_motion(context, name);
}

}  // namespace snug::bench::pairs
