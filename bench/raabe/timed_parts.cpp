// What is timed: contenders take turns, answers are compared.

#include "bench/figueiredo/contenders.hpp"
#include "bench/figueiredo/published.hpp"
#include "bench/pairs/knot_poses.hpp"
#include "bench/raabe/run.hpp"
#include "shape/trees.hpp"

#include "scenes/random.hpp"
#include "scenes/scene.hpp"

#include <cmath>
#include <cstdio>
#include <deque>
#include <numbers>

namespace snug::bench::raabe {

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// The engines of Fig. 8.
struct Field {
  std::deque<MethodBodies> ours;
  std::deque<pairs::TwoBodies> peers;
  std::vector<pairs::Contender*> contenders;

  Field(const Scene& scene, const std::vector<pairs::PosePair>& poses, bool with_brute) {
    const Shape shape(scene.mesh);
    const unsigned axes = DopSearch().axes;
    for (const Setting& setting : {Setting{"surface", {}}, dop_setting("dop", axes),
                                   fixed_setting("dop_fixed-w18", 18, axes), fixed_setting("dop_fixed-w35", 35, axes)})
      contenders.push_back(&ours.emplace_back(setting, shape, poses));
    if (with_brute) contenders.push_back(&ours.emplace_back(Setting{"brute", {.method = Method::brute}}, shape, poses));
    if (const Engine* fcl = find_engine("fcl"))
      contenders.push_back(&peers.emplace_back(*fcl, scene.mesh, scene.mesh, poses));
  }
};

std::string ratio(double over, double under) { return under > 0 && over > 0 ? short_number(over / under) : "-"; }

}  // namespace

void time_axes(Run& run) {
  constexpr unsigned k_axes[] = {3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 72, 105};
  Rows rows{{"axes", "headlight us", "fixed, w18", "knot6k us", "fixed, w18"}};
  for (const unsigned axes : k_axes) rows.push_back({std::to_string(axes)});
  for (const Scene& scene : {headlight(), knot(false)}) {
    const Shape shape(scene.mesh);
    std::vector<pairs::PosePair> poses;
    for (const double distance : {0.0, 0.3, 0.6, 0.9, 1.2})
      for (const auto& pose : random_poses(scene, distance, run.either(8, 1), 5)) poses.push_back(pose);
    const std::size_t steps = poses.size() - 1;
    std::deque<MethodBodies> all;
    std::vector<pairs::Contender*> contenders;
    for (const unsigned axes : k_axes) {
      contenders.push_back(&all.emplace_back(dop_setting("dop", axes), shape, poses));
      contenders.push_back(&all.emplace_back(fixed_setting("dop_fixed-w18", 18, axes), shape, poses));
    }
    // One series for all, so that what the machine does meanwhile falls on all alike; a row for each number of axes.
    const std::size_t before = run.results.rows.size();
    const std::vector<double> means = run.time(scene.name, "axes", Query::all, contenders, steps);
    for (std::size_t i = 0; i < std::size(k_axes); ++i) {
      for (std::size_t k = 0; k < 2 && before + 2 * i + k < run.results.rows.size(); ++k) {
        run.results.rows[before + 2 * i + k].bucket = std::to_string(k_axes[i]);
        run.results.rows[before + 2 * i + k].query = "all-by-axes";
      }
      run.count("fig6", scene.name + " dop", std::to_string(k_axes[i]), means[2 * i]);
      run.count("fig6", scene.name + " w18", std::to_string(k_axes[i]), means[2 * i + 1]);
      rows[i + 1].push_back(short_number(means[2 * i]));
      rows[i + 1].push_back(short_number(means[2 * i + 1]));
    }
  }
  run.table("WSCG Fig. 6: time over the number of axes, mean microseconds of all pairs", rows);
}

void time_distances(Run& run) {
  Rows rows{
      {"scene", "distance", "surface us", "dop", "w18", "w35", "brute", "fcl", "fcl/dop", "w18/dop", "dop/surface"}};
  double log_fcl = 0, log_fixed = 0, worst_fixed = 0;
  int counted = 0, counted_fcl = 0;
  const auto measure = [&](const Scene& scene, const std::string& bucket, const std::vector<pairs::PosePair>& poses,
                           bool with_brute, bool is_knot) {
    Field field(scene, poses, with_brute);
    const std::vector<double> us = run.time(scene.name, bucket, Query::all, field.contenders, poses.size() - 1);
    const double brute = with_brute ? us[4] : 0, fcl = field.peers.empty() ? 0 : us.back();
    rows.push_back({scene.name, bucket, short_number(us[0]), short_number(us[1]), short_number(us[2]),
                    short_number(us[3]), with_brute ? short_number(brute) : "-", fcl > 0 ? short_number(fcl) : "-",
                    ratio(fcl, us[1]), ratio(us[2], us[1]), ratio(us[1], us[0])});
    for (std::size_t i = 0; i < field.contenders.size(); ++i)
      run.count("fig8-" + scene.name, field.contenders[i]->name(), bucket, us[i]);
    if (!is_knot || us[1] <= 0) return;
    log_fixed += std::log(us[2] / us[1]), worst_fixed = std::max(worst_fixed, us[2] / us[1]), ++counted;
    if (fcl > 0) log_fcl += std::log(fcl / us[1]), ++counted_fcl;
  };
  const Scene light = headlight();
  for (const double distance : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.7}) {
    char bucket[32];
    std::snprintf(bucket, sizeof bucket, "d=%.1f", distance);
    measure(light, bucket, random_poses(light, distance, run.either(24, 3), 29), true, false);
  }
  for (const bool large : {false, true}) {
    if (large && run.options.quick) continue;
    const Scene scene = knot(large);
    pairs::KnotPoses poses(Shape(scene.mesh), 1);
    for (const pairs::Bucket& bucket : pairs::k_buckets)
      measure(scene, std::string(bucket.name), poses.of(bucket, 0, run.either(large ? 10 : 24, 3)), false, true);
  }
  run.table("WSCG Fig. 8: all pairs over distances, mean microseconds", rows);
  if (counted == 0) return;
  const double fixed = std::exp(log_fixed / counted);
  const double fcl = counted_fcl > 0 ? std::exp(log_fcl / counted_fcl) : 0;
  run.results.bars.push_back({"knots, all pairs, FCL over dop, geometric mean", "at least 1", ratio(fcl, 1),
                              fcl <= 0   ? Bar::State::not_measured
                              : fcl >= 1 ? Bar::State::met
                                         : Bar::State::missed});
  run.results.bars.push_back({"knots, all pairs, dop_fixed W = 18 over dop, geometric mean", "at most 1.5",
                              ratio(fixed, 1) + " (worst " + short_number(worst_fixed) + ")",
                              fixed <= 1.5 ? Bar::State::met : Bar::State::missed});
  Rows bars{{"bar", "asked", "measured", "state"}};
  for (const Bar& bar : run.results.bars)
    bars.push_back({bar.what, bar.asked, bar.measured, std::string(to_string(bar.state))});
  run.table("Bars", bars);
}

std::vector<pairs::PosePair> turned_poses(const Scene& scene, int degrees, std::size_t count) {
  std::vector<pairs::PosePair> poses = random_poses(scene, 0.4, count, 31);
  scenes::Random random(37);
  for (pairs::PosePair& pose : poses) {
    const Pose turn = rotation(random.point(-1, 1), degrees * (std::numbers::pi / 180));
    pose.b = Pose::make(compose(pose.a, turn).rotation(), pose.b.translation()).value();
  }
  return poses;
}

void time_rotations(Run& run) {
  // Brute force does not care how bodies are turned.
  Rows rows{{"turned by", "surface us", "dop", "w18", "w35", "fcl", "dop/surface"}};
  const Scene light = headlight();
  for (const int degrees : {0, 15, 30, 60, 90, 120, 150, 180}) {
    const std::vector<pairs::PosePair> poses = turned_poses(light, degrees, run.either(24, 3));
    Field field(light, poses, false);
    const std::string bucket = "r=" + std::to_string(degrees);
    const std::vector<double> us = run.time(light.name, bucket, Query::all, field.contenders, poses.size() - 1);
    rows.push_back({std::to_string(degrees), short_number(us[0]), short_number(us[1]), short_number(us[2]),
                    short_number(us[3]), field.peers.empty() ? "-" : short_number(us.back()), ratio(us[1], us[0])});
    for (std::size_t i = 0; i < field.contenders.size(); ++i)
      run.count("fig8-rotation", field.contenders[i]->name(), bucket, us[i]);
  }
  run.table(
      "WSCG Fig. 8: two headlights 0.4 of their reach apart, one turned against the other, mean microseconds of all "
      "pairs",
      rows);
}

void time_assemblies(Run& run) {
  // The paper's own Dop Tree is Zachmann's; ours stands in for it on scenes that stand in for the paper's.
  Rows rows{{"", "digger", "control-box", "plant"}};
  const auto names = {"dop", "dop_fixed-w18", "published search", "surface"};
  for (const auto& question :
       {std::pair{Query::first, "Table 3, first triangles"}, {Query::all, "Table 4, all triangles"}}) {
    rows.push_back({question.second});
    for (const std::string name : names) rows.push_back({"  " + name + ", ms"});
    rows.push_back({"  dop over published search"});
    rows.push_back({"  paper: Dop Tree over S-CD"});
  }
  for (std::size_t s = 0; s < figueiredo::k_scenes.size(); ++s) {
    const std::string scene(figueiredo::k_scenes[s]);
    if (run.options.quick && s > 0) break;
    const figueiredo::AssemblySteps steps(scenes::find(figueiredo::k_scenes[s])->make({}));
    // Trees are built when first asked for, which no step is to pay for.
    for (const Shape& shape : steps.shapes)
      (void)shape.bytes(), (void)detail::Access::data(shape).get<bvh::DopTree>(),
          (void)detail::Access::data(shape).get<bvh::RTree>();
    const unsigned axes = DopSearch().axes;
    std::size_t row = 1;
    for (const Query query : {Query::first, Query::all}) {
      std::deque<MethodSteps> all;
      QueryOptions published;
      published.surface.bounds = SurfaceSearch::Bounds::aligned;
      for (const Setting& setting : {dop_setting("dop", axes), fixed_setting("dop_fixed-w18", 18, axes),
                                     Setting{"snug-aligned", published}, Setting{"surface", {}}})
        all.emplace_back(setting, steps);
      std::vector<pairs::Contender*> contenders;
      for (MethodSteps& one : all) contenders.push_back(&one);
      const std::vector<double> us = run.time(scene, "steps", query, contenders, run.either(60, 6));
      ++row;
      for (const double one : us) rows[row++].push_back(short_number(1e-3 * one));
      rows[row++].push_back(ratio(us[0], us[2]));
      const auto& toolkits = figueiredo::k_toolkits;
      const auto of = [&](std::size_t toolkit) {
        return query == Query::first ? toolkits[toolkit].first[s] : toolkits[toolkit].all[s];
      };
      rows[row++].push_back(ratio(of(3), of(4)));
    }
  }
  run.table("Figueiredo (2010), Tables 3 and 4: the DOP-tree column, milliseconds a step", rows);
}

}  // namespace snug::bench::raabe
