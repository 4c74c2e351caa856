// The software figures of Raabe et al. (2006).

#include "bench/pairs/answers.hpp"
#include "bench/raabe/run.hpp"
#include "bench/suites.hpp"
#include "scenes/random.hpp"
#include "scenes/scene.hpp"
#include "scenes/solids.hpp"
#include "scenes/worlds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace snug::bench {

namespace raabe {

namespace {

Scene scene_of(std::string name, Mesh mesh) {
  double reach = 0;
  for (const Point3& v : mesh.vertices()) reach = std::max(reach, std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  return {std::move(name), std::move(mesh), reach};
}

}  // namespace

Scene headlight() { return scene_of("headlight", scenes::headlight({}).assembly.parts()[0].mesh); }

Scene knot(bool large) {
  return large ? scene_of("knot60k", scenes::bumpy_knot(526, 57)) : scene_of("knot6k", scenes::bumpy_knot(165, 18));
}

std::vector<pairs::PosePair> random_poses(const Scene& scene, double distance, std::size_t count, std::uint64_t seed) {
  std::vector<pairs::PosePair> poses;
  scenes::Random random(seed);
  while (poses.size() < count) {
    const Vec3 v = random.point(-1, 1);
    const double length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    if (length < 0.1 || length > 1) continue;
    const Quaternion turn_a = random.rotation(), turn_b = random.rotation();
    poses.push_back(
        {Pose::make(turn_a, {}).value(), Pose::make(turn_b, (distance * scene.reach / length) * v).value()});
  }
  return poses;
}

Run::Run(const Options& o) : options(o), counts_text("figure,series,x,y\n") { results.suite = "raabe"; }

void Run::table(const std::string& title, const std::vector<std::vector<std::string>>& rows) {
  text += title + '\n' + table_text(rows) + '\n';
}

void Run::count(const std::string& figure, const std::string& series, const std::string& x, double y) {
  char value[40];
  std::snprintf(value, sizeof value, "%.6g", y);
  counts_text += figure + ',' + csv_cell(series) + ',' + csv_cell(x) + ',' + value + '\n';
}

std::vector<double> Run::time(const std::string& scene, const std::string& bucket, Query query,
                              const std::vector<pairs::Contender*>& contenders, std::size_t steps) {
  std::fprintf(stderr, "%s, %s\n", scene.c_str(), bucket.c_str());
  const auto trials = pairs::run_series(contenders, {.query = query,
                                                     .steps = steps,
                                                     .warm_up = 1,
                                                     .budget_s = options.quick ? 0.5 : 6,
                                                     .least = std::min<std::size_t>(steps, options.quick ? 2 : 5)});
  std::vector<double> means;
  for (const pairs::Trial& trial : trials) {
    means.push_back(trial.broke.empty() ? trial.mean_us() : 0);
    if (!trial.broke.empty()) {
      results.remarks.push_back(scene + ", " + bucket + ": " + trial.engine + ' ' + trial.broke);
      continue;
    }
    results.rows.push_back({results.suite, scene, bucket, std::string(to_string(query)), trial.engine, 1,
                            trial.mean_us(), trial.p99_us(), pairs::answers_text(query, trial),
                            pairs::hash_text(query, trial)});
  }
  for (const pairs::Comparison& d : pairs::compared(query, trials))
    if (d.steps > 0)
      results.remarks.push_back(scene + ", " + bucket + ": " + d.engine + " differs from " + d.judge + " at " +
                                std::to_string(d.steps) + " of " + std::to_string(d.of) + " steps (" +
                                std::to_string(d.count) + " against " + std::to_string(d.judge_count) + " in all)");
  return means;
}

}  // namespace raabe

int run_raabe(int argc, char** argv) {
  const raabe::Options options = raabe::parse(argc, argv);
  raabe::Run run(options);
  if (options.wants("trees")) count_trees(run);
  if (options.wants("axes")) count_axes(run);
  if (options.wants("widths")) count_widths(run);
  if (options.wants("projections")) count_projections(run);
  if (options.wants("time")) time_axes(run);
  if (options.wants("distance")) time_distances(run);
  if (options.wants("rotation")) time_rotations(run);
  if (options.wants("figueiredo")) time_assemblies(run);
  if (options.wants_chip("chip-widths")) chip_widths(run);
  if (options.wants_chip("chip-axes")) chip_axes(run);
  if (options.wants_chip("chip-schedule")) chip_schedules(run);
  if (options.wants_chip("chip-software")) chip_software(run);
  if (options.wants_chip("chip-rotation")) chip_rotations(run);
  if (options.wants_chip("chip-variants")) chip_variants(run);
  if (options.wants_chip("chip-bursts")) chip_bursts(run);
  if (options.wants_chip("chip-relative")) chip_relative(run);
  if (options.wants_chip("chip-levels")) chip_levels(run);
  if (options.wants_chip("chip-quads")) chip_quads(run);
  if (options.wants_chip("chip-deform")) chip_deform(run);
  if (options.wants_chip("chip-best")) chip_best(run);
  std::string text = options.json ? json_text(run.results) : run.text;
  if (!options.json)
    for (const std::string& remark : run.results.remarks) text += remark + '\n';
  std::fputs(text.c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, csv_text(run.results)) && written;
  if (!options.counts.empty()) written = write_text(options.counts, run.counts_text) && written;
  if (!options.svg.empty()) written = write_text(options.svg, svg_text(run.results)) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
