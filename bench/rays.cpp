// Single rays at a mesh of 60,000 triangles, from anywhere in any direction: ours, exact, beside Embree's floats. The engines
// take turns, batch by batch; the least of many rounds counts, in processor time, since the machine does other things too.

#include "bench/option_parser.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/peers/ray_engine.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"

#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>

namespace snug::bench {

namespace {

constexpr const char* k_help = R"(usage: snug-bench rays [options]

Single rays at the knot of 60,000 triangles, from anywhere in any direction, beside Embree where installed.

  --quick      fewer rays and rounds
  --json       one JSON document, snug.bench/1, instead of the table
  --csv FILE   the table
)";

/// From anywhere in the box of the mesh, every direction alike.
std::vector<Ray> incoherent_rays(const Mesh& mesh, std::size_t count, std::uint64_t seed) {
  scenes::Random random(seed);
  const Aabb& box = mesh.bounds();
  std::vector<Ray> rays;
  while (rays.size() < count) {
    const Vec3 d = random.point(-1, 1), u = random.point(0, 1);
    const double squared = d.x * d.x + d.y * d.y + d.z * d.z;
    if (squared > 1 || squared < 1e-6) continue;
    const Vec3 size = box.hi - box.lo;
    // As floats, so that all engines are given the same rays.
    const auto f = [](double x) { return double{static_cast<float>(x)}; };
    rays.push_back({{f(box.lo.x + u.x * size.x), f(box.lo.y + u.y * size.y), f(box.lo.z + u.z * size.z)},
                    {f(d.x), f(d.y), f(d.z)}});
  }
  return rays;
}

struct Contender {
  const RayEngine* engine;
  std::unique_ptr<RayMesh> mesh;
  std::vector<FirstHit> hits;
  std::vector<double> least_us;  ///< of each batch
};

/// FNV-1a over the triangles hit.
std::string hash_of(const std::vector<FirstHit>& hits) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const FirstHit& hit : hits) hash = (hash ^ hit.triangle) * 0x100000001b3ULL;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace

int run_rays(int argc, char** argv) {
  bool quick = false, json = false;
  std::string csv;
  OptionParser("rays", k_help).flag("--quick", quick).flag("--json", json).text("--csv", csv).parse(argc, argv);
  const Mesh mesh = scenes::bumpy_knot(526, 57);
  const std::size_t batches = quick ? 20 : 50, batch = 2000;
  const int rounds = quick ? 5 : 25;
  const std::vector<Ray> rays = incoherent_rays(mesh, batches * batch, 12);

  std::vector<Contender> contenders;
  for (const RayEngine& engine : ray_engines())
    contenders.push_back({&engine, engine.make(mesh), std::vector<FirstHit>(rays.size()),
                          std::vector<double>(batches, std::numeric_limits<double>::infinity())});
  for (int round = 0; round < rounds; ++round)
    for (std::size_t b = 0; b < batches; ++b)
      for (std::size_t k = 0; k < contenders.size(); ++k) {
        Contender& c = contenders[(k + static_cast<std::size_t>(round)) % contenders.size()];
        const auto part = std::span(rays).subspan(b * batch, batch);
        const double start = pairs::thread_cpu_us();
        c.mesh->cast(part, std::span(c.hits).subspan(b * batch, batch));
        c.least_us[b] = std::min(c.least_us[b], pairs::thread_cpu_us() - start);
      }

  Results results;
  results.suite = "rays";
  double ours = 0;
  for (const Contender& c : contenders) {
    double sum = 0;
    std::vector<double> sorted = c.least_us;
    std::ranges::sort(sorted);
    for (const double us : sorted) sum += us;
    const double mean = sum / static_cast<double>(rays.size());
    if (&c == &contenders.front()) ours = mean;
    const auto met = std::ranges::count_if(c.hits, [](const FirstHit& h) { return h.triangle != FirstHit::k_none; });
    results.rows.push_back({.suite = "rays",
                            .scene = "knot60k",
                            .bucket = "incoherent",
                            .query = "first",
                            .engine = std::string(c.engine->name),
                            .mean_us = mean,
                            .p99_us = sorted[sorted.size() * 99 / 100] / static_cast<double>(batch),
                            .answers = std::to_string(met),
                            .hash = hash_of(c.hits)});
    const double each = static_cast<double>(c.mesh->bytes()) / static_cast<double>(mesh.triangles().size());
    results.remarks.push_back(std::string(c.engine->name) + ": " + short_number(each) +
                              " bytes a triangle, the mesh itself left out");
    if (&c == &contenders.front()) continue;
    std::size_t others = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) others += c.hits[i].triangle != contenders.front().hits[i].triangle;
    results.remarks.push_back(std::string(c.engine->name) + " names another triangle, or none, for " +
                              std::to_string(others) + " of " + std::to_string(rays.size()) + " rays");
    const double ratio = mean / ours;
    results.bars.push_back({"rays a second beside " + std::string(c.engine->name), "at least 0.8x",
                            short_number(ratio) + "x", ratio >= 0.8 ? Bar::State::met : Bar::State::missed});
  }
  if (contenders.size() == 1)
    results.bars.push_back({"rays a second beside embree", "at least 0.8x", "-", Bar::State::not_measured});

  if (!csv.empty() && !write_text(csv, csv_text(results))) return 5;
  if (json) {
    std::cout << json_text(results);
    return 0;
  }
  std::vector<std::vector<std::string>> table{{"engine", "ns a ray", "Mrays/s", "hits", "hash"}};
  for (const Row& row : results.rows)
    table.push_back(
        {row.engine, short_number(1000 * row.mean_us), short_number(1 / row.mean_us), row.answers, row.hash});
  std::cout << table_text(table);
  for (const std::string& remark : results.remarks) std::cout << remark << '\n';
  for (const Bar& bar : results.bars)
    std::cout << bar.what << ": asked " << bar.asked << ", measured " << bar.measured << ", " << to_string(bar.state)
              << '\n';
  return 0;
}

}  // namespace snug::bench
