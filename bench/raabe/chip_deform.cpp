// Bodies that deform: trees refitted by the chip, by its host, or built anew.

#include "bench/pairs/clock.hpp"
#include "bench/raabe/chip_bench.hpp"
#include "chip/refit.hpp"
#include "query/pairs/dop/fixed/axes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace snug::bench::raabe {

namespace {

/// Bent and twisted, by so much of its reach at its ends.
Mesh bent(const Scene& scene, double by) {
  MeshInput input;
  input.vertices.assign(scene.mesh.vertices().begin(), scene.mesh.vertices().end());
  input.triangles.assign(scene.mesh.triangles().begin(), scene.mesh.triangles().end());
  for (Point3& v : input.vertices) {
    const Vec3 at = (1 / scene.reach) * v;
    v = v + (by * scene.reach) * Vec3{at.y * at.z, at.x * at.x, at.x * at.y};
  }
  return Mesh::build(std::move(input)).value();
}

/// Two equal bodies at a pose, in the chip's memory, and what it makes of them.
struct Deformed {
  const Mesh& mesh;
  const pairs::PosePair& pose;
  chip::ChipSearch search;

  [[nodiscard]] query::DopPair bodies(const bvh::DopTree& tree) const {
    return {mesh, tree, pose.a, mesh, tree, pose.b, query::kernels_for(Instructions::best)};
  }
  [[nodiscard]] chip::ChipRun query(const chip::Image& image) const {
    chip::System system(search.configuration, search.structure);
    chip::DdrMemory memory(image.words);
    return chip::run(system, image.setup, memory);
  }
  [[nodiscard]] chip::ChipRun rebuilt(const bvh::DopTree& tree) const {
    return query(chip::make_image(bodies(tree), search.configuration, search.axes));
  }
  /// With trees of the body at rest; adds up what refitting both takes.
  [[nodiscard]] chip::ChipRun refitted(const bvh::DopTree& rest, chip::RefitCounters& sum) const {
    const bvh::DopTree tree = chip::tree_to_refit(rest, mesh, search.configuration.width);
    const query::DopPair pair = bodies(tree);
    chip::Image image = chip::make_image(pair, search.configuration, search.axes);
    const auto setups = chip::refit_setups(pair, image, search.configuration);
    if (!setups) std::fprintf(stderr, "the chip cannot refit it\n"), std::abort();
    for (const chip::RefitSetup& setup : *setups) {
      chip::DdrMemory memory(image.words);
      const chip::RefitCounters c = chip::refit(setup, search.configuration, {}, image.words, memory);
      sum.clocks += c.clocks, sum.bursts_read += c.bursts_read, sum.bursts_written += c.bursts_written;
      sum.most_waiting = std::max(sum.most_waiting, c.most_waiting);
    }
    return query(image);
  }
  [[nodiscard]] std::size_t missed(const chip::ChipRun& run, const std::vector<TrianglePair>& meeting) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
    for (const chip::NumberPair& hit : run.hits) hits.emplace_back(hit.a, hit.b);
    std::ranges::sort(hits);
    return static_cast<std::size_t>(std::ranges::count_if(meeting, [&](const TrianglePair& pair) {
      return !std::ranges::binary_search(hits, std::pair{pair.a, pair.b});
    }));
  }
};

/// Processor time of a host that refits one body and rounds its coefficients, the least of five rounds.
double host_us(const bvh::DopTree& rest, const Mesh& mesh, unsigned width) {
  double least = 1e30;
  for (int round = 0; round < 5; ++round) {
    const double start = pairs::thread_cpu_us();
    const bvh::DopTree tree = bvh::refit_dop_tree(rest, mesh);
    const query::DopFrame frame(tree, mesh.bounds(), {}, tree, mesh.bounds(), {});
    const query::fixed::Scenario scenario(frame, tree, tree, query::fixed::Format::of_width(width));
    const bvh::DopRecords records = query::fixed::records_of(tree, 1, scenario);
    if (records.coefficients.empty()) return 0;
    least = std::min(least, pairs::thread_cpu_us() - start);
  }
  return least;
}

}  // namespace

void chip_deform(Run& run) {
  const Scene scene = headlight();
  const bvh::DopTree rest = bvh::build_dop_tree(scene.mesh);
  const auto poses = chip_poses(scene, run.either(3, 1));
  const auto triangles = static_cast<double>(scene.mesh.triangles().size());
  std::vector<std::vector<std::string>> rows{{"bent by", "W", "refitting both us", "its bursts", "query, refitted us",
                                              "query, built anew", "refitted over anew", "candidates, both",
                                              "pairs missed", "host: KiB, chip refits", "KiB, host refits",
                                              "host's processor us"}};
  for (const double by :
       run.options.quick ? std::vector<double>{0, 0.2} : std::vector<double>{0, 0.05, 0.1, 0.2, 0.4}) {
    const Mesh mesh = bent(scene, by);
    const bvh::DopTree anew = bvh::build_dop_tree(mesh);
    const Shape shape(mesh);
    Scratch scratch;
    for (const unsigned width : {18U, 35U}) {
      chip::RefitCounters refit;
      chip::Counters of_refitted, of_anew;
      std::size_t missed = 0;
      for (const pairs::PosePair& pose : poses) {
        const Deformed deformed{mesh, pose, search_of(width, 24, true)};
        const chip::ChipRun a = deformed.refitted(rest, refit), b = deformed.rebuilt(anew);
        const auto meeting = triangle_pairs(shape, pose.a, shape, pose.b, scratch);
        missed += deformed.missed(a, meeting) + deformed.missed(b, meeting);
        of_refitted.clocks += a.counters.clocks, of_anew.clocks += b.counters.clocks;
        of_refitted.hits += a.counters.hits, of_anew.hits += b.counters.hits;
      }
      const auto mean = [&](std::uint64_t sum) { return static_cast<double>(sum) / static_cast<double>(poses.size()); };
      const auto us = [&](std::uint64_t clocks) { return 1e6 / k_chip_hz * mean(clocks); };
      const double bursts = chip::configuration_of_width(width).record_bursts();
      // Corners go to the chip in any case; records if the host makes them.
      const double kib = 2 * triangles * 64 / 1024, kib_host = kib + 2 * (2 * triangles - 1) * bursts * 64 / 1024;
      char amount[16];
      std::snprintf(amount, sizeof amount, "%.2f", by);
      rows.push_back({amount, std::to_string(width), short_number(us(refit.clocks)),
                      whole(mean(refit.bursts_read + refit.bursts_written)), short_number(us(of_refitted.clocks)),
                      short_number(us(of_anew.clocks)),
                      short_number(static_cast<double>(of_refitted.clocks) / static_cast<double>(of_anew.clocks)),
                      whole(mean(of_refitted.hits)) + ", " + whole(mean(of_anew.hits)), std::to_string(missed),
                      whole(kib), whole(kib_host), short_number(2 * host_us(rest, mesh, width))});
      const std::string words = "w" + std::to_string(width);
      run.count("chip-deform", words + " refitted", amount, us(of_refitted.clocks));
      run.count("chip-deform", words + " built anew", amount, us(of_anew.clocks));
      run.count("chip-deform", words + " refitting", amount, us(refit.clocks));
      if (missed != 0)
        run.results.remarks.push_back("bent by " + std::string(amount) + ", " + words + ": pairs were missed");
    }
  }
  run.table("Bodies that deform: both refitted by the chip, then asked; beside trees built anew", rows);
  for (const unsigned width : {18U, 35U}) {
    const ChipArea area = refit_area(width), chip = area_of(width, {});
    run.text += "w" + std::to_string(width) + ": the unit that refits takes " + whole(area.least()) + " … " +
                whole(area.most()) + " slices, " + whole(area.multipliers) + " multipliers and " + whole(area.blocks) +
                " blocks, " + whole(100 * area.most() / chip.most()) + " % of the contract's chip without packing\n";
  }
  run.text += "\n";
}

}  // namespace snug::bench::raabe
