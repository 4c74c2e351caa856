#pragma once

#include "bench/pairs/series.hpp"
#include "bench/raabe/methods.hpp"
#include "bench/raabe/options.hpp"
#include "bench/report/row.hpp"

#include <string>
#include <vector>

namespace snug::bench::raabe {

/// A body that two of are put together, and where.
struct Scene {
  std::string name;
  Mesh mesh;
  double reach = 0;  ///< greatest distance of a corner from its origin
};
[[nodiscard]] Scene headlight();
/// As many triangles as published figures have, about: 5,940 or 59,964.
[[nodiscard]] Scene knot(bool large);

/// Random rotations of both bodies, origins `distance` times the reach apart in a random direction.
[[nodiscard]] std::vector<pairs::PosePair> random_poses(const Scene& scene, double distance, std::size_t count,
                                                        std::uint64_t seed);

/// 0.4 times the reach apart, b turned against a by so much about a random axis.
[[nodiscard]] std::vector<pairs::PosePair> turned_poses(const Scene& scene, int degrees, std::size_t count);

/// What the parts of the suite share.
class Run {
 public:
  explicit Run(const Options& o);

  const Options& options;
  Results results;
  std::string text;         ///< tables, as they come
  std::string counts_text;  ///< CSV: figure,series,x,y

  void table(const std::string& title, const std::vector<std::vector<std::string>>& rows);
  void count(const std::string& figure, const std::string& series, const std::string& x, double y);
  /// Times the contenders and adds a row for each; their mean microseconds, in order, 0 for one that broke.
  std::vector<double> time(const std::string& scene, const std::string& bucket, Query query,
                           const std::vector<pairs::Contender*>& contenders, std::size_t steps);
  /// Of two, by whether the run is quick.
  [[nodiscard]] std::size_t either(std::size_t usual, std::size_t quick) const { return options.quick ? quick : usual; }
};

// The parts, in the order of the papers.
void count_trees(Run& run);
void count_axes(Run& run);
void count_widths(Run& run);
void count_projections(Run& run);
void time_axes(Run& run);
void time_distances(Run& run);
void time_rotations(Run& run);
void time_assemblies(Run& run);
// Those of the chip, in clocks.
void chip_widths(Run& run);
void chip_axes(Run& run);
void chip_schedules(Run& run);
void chip_software(Run& run);
void chip_rotations(Run& run);
void chip_variants(Run& run);
void chip_bursts(Run& run);
void chip_relative(Run& run);
void chip_levels(Run& run);
void chip_quads(Run& run);
void chip_deform(Run& run);
void chip_best(Run& run);

}  // namespace snug::bench::raabe
