// Holds the RTL of the unit that refits, Vtop, to the cycle model, src/chip/refit.hpp: the same words in memory after the same clocks,
// over bodies that have moved. refit_cosim CONFIGURATION; exit code 0 if they agree, 1 if not. Built by studies.py.

#include "chip/cosim/pins.hpp"
#include "chip/refit.hpp"
#include "chip/walk.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "shape/trees.hpp"

#include <Vtop.h>

#include <cstdio>
#include <cstdlib>
#include <deque>

namespace snug::chip {
namespace {

class RefitRtl {
 public:
  explicit RefitRtl(const Configuration& configuration)
      : configuration_(configuration), top_(&snug::hardware::with_any_registers(context_)) {
    top_.rst_ni = 0;
    edge();
    top_.rst_ni = 1;
  }
  ~RefitRtl() { top_.final(); }

  /// Clocks until all is on its way to memory and memory is at rest.
  std::uint64_t run(const RefitSetup& setup, Words& words, DdrMemory& memory) {
    begin(setup);
    std::uint64_t clocks = 0, asked = 0, taken = 0;
    std::deque<std::size_t> places;  // in words, of beats that are to come
    while (asked < setup.count || !memory.at_rest() || taken < setup.count * beats()) {
      if (asked < setup.count || !memory.at_rest()) ++clocks;
      if (clocks > 1000 * std::uint64_t{setup.count} + 10000) return 0;
      const Beat beat = memory.beat();
      top_.read_ready_i = memory.ready(), top_.write_ready_i = memory.ready_to_write();
      top_.beat_valid_i = beat.valid, top_.data_ready_i = 1;
      for (unsigned i = 0; i < 4; ++i) top_.beat_i.at(i) = static_cast<std::uint32_t>(beat.data[i / 2] >> 32 * (i % 2));
      top_.clk_i = 0;
      top_.eval();
      if (top_.data_valid_o != 0) {
        if (places.empty()) return 0;
        for (unsigned i = 0; i < 2; ++i)
          words[places.front() + i] = top_.data_o.at(2 * i) | std::uint64_t{top_.data_o.at(2 * i + 1)} << 32;
        places.pop_front();
        ++taken;
      }
      if (top_.write_o != 0) {
        memory.write(top_.write_at_o, configuration_.record_bursts());
        for (std::size_t i = 0; i < beats(); ++i)
          places.push_back((std::size_t{top_.write_at_o} * k_burst_beats + i) * k_beat_words);
        ++asked;
      }
      memory.clock({top_.read_o != 0, top_.read_at_o, 1});
      edge();
    }
    return top_.busy_o == 0 ? clocks : 0;
  }

 private:
  [[nodiscard]] std::size_t beats() const { return std::size_t{configuration_.record_bursts()} * k_burst_beats; }
  void edge() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }
  void begin(const RefitSetup& setup) {
    const unsigned w = configuration_.width;
    top_.nodes_i = setup.nodes, top_.triangles_i = setup.triangles, top_.links_i = setup.links;
    top_.count_i = setup.count;
    for (unsigned m = 1; m <= 3; ++m) {
      // One bit for the sign, which none has.
      if (setup.up[m] >> (w + 5) != 0 || setup.down[m] < 0 || setup.add[m] < 0 || setup.add[m] >> w != 0)
        std::fputs("a number of the set-up does not fit\n", stderr), std::abort();
      snug::hardware::pins::put(top_.up_i, (m - 1) * (w + 6), w + 6, setup.up[m]);
      snug::hardware::pins::put(top_.down_i, (m - 1) * (w + 6), w + 6, setup.down[m]);
      snug::hardware::pins::put(top_.add_i, (m - 1) * w, w, setup.add[m]);
    }
    top_.beat_valid_i = 0, top_.read_ready_i = 0, top_.write_ready_i = 0, top_.data_ready_i = 0;
    top_.start_i = 1;
    edge();
    top_.start_i = 0;
  }

  Configuration configuration_;
  VerilatedContext context_;
  Vtop top_;
};

/// Every vertex somewhere else.
Mesh moved(const Mesh& mesh, scenes::Random& random, double by) {
  MeshInput input;
  input.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  for (Point3& v : input.vertices) v = v + random.point(-by, by);
  return Mesh::build(std::move(input)).value();
}

/// A body of so many triangles, which share nothing.
Mesh soup(scenes::Random& random, std::size_t count) {
  MeshInput input;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Point3 at = random.point(-1, 1);
    for (int k = 0; k < 3; ++k) input.vertices.push_back(at + random.point(-0.3, 0.3));
    input.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return Mesh::build(std::move(input)).value();
}

int compare(const Configuration& configuration) {
  RefitRtl rtl(configuration);
  std::uint64_t clocks = 0, nodes = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    scenes::Random random(seed);
    // Trees of one node, of a few, whose links end within a burst or with one, and larger ones.
    const Shape rest_a(soup(random, seed < 20 ? seed + 1 : 20 + random.below(200)));
    const Shape rest_b(seed % 5 == 0 ? scenes::bumpy_knot(20, 8) : soup(random, 1 + random.below(40)));
    const Mesh a = moved(rest_a.mesh(), random, 0.2), b = moved(rest_b.mesh(), random, 0.01);
    const DopTree tree_a = tree_to_refit(Access::data(rest_a).get<DopTree>(), a, configuration.width);
    const DopTree tree_b = tree_to_refit(Access::data(rest_b).get<DopTree>(), b, configuration.width);
    const Pose pose_a = Pose::make(random.rotation(), random.point(-1, 1)).value();
    const Pose pose_b = Pose::make(random.rotation(), random.point(-1, 1)).value();
    const DopPair bodies{a, tree_a, pose_a, b, tree_b, pose_b, kernels_for(Instructions::best)};
    Image image = make_image(bodies, configuration, {});
    const auto setups = refit_setups(bodies, image, configuration);
    if (!setups) return std::fprintf(stderr, "seed %d cannot be refitted\n", static_cast<int>(seed)), 1;
    Words of_rtl = image.words;
    for (const RefitSetup& setup : *setups) {
      DdrMemory memory(image.words), memory_of_rtl(of_rtl);
      const RefitCounters c = refit(setup, configuration, {}, image.words, memory);
      const std::uint64_t taken = rtl.run(setup, of_rtl, memory_of_rtl);
      if (taken != c.clocks || of_rtl != image.words)
        return std::printf("FAILED: seed %d, %u nodes: %s, %llu clocks, the model %llu\n", static_cast<int>(seed),
                           setup.count, of_rtl == image.words ? "same words" : "other words",
                           static_cast<unsigned long long>(taken), static_cast<unsigned long long>(c.clocks)),
               1;
      clocks += taken, nodes += setup.count;
    }
  }
  std::printf("refit_unit against cycle model, W = %u: %llu nodes in %llu clocks, the same words and clocks\n",
              configuration.width, static_cast<unsigned long long>(nodes), static_cast<unsigned long long>(clocks));
  return nodes > 10000 ? 0 : 1;
}

}  // namespace
}  // namespace snug::chip

int main(int argc, char** argv) {
  const auto* configuration = argc == 2 ? chip::find_configuration(argv[1]) : nullptr;
  if (configuration == nullptr) return std::fputs("usage: refit_cosim CONFIGURATION\n", stderr), 2;
  return chip::compare(*configuration);
}
