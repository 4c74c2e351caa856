#pragma once

#include "bench/raabe/chip_area.hpp"
#include "bench/raabe/run.hpp"
#include "chip/walk.hpp"

#include <string>
#include <vector>

// What the chip's cycle model takes for two equal bodies at many poses.

namespace snug::bench::raabe {

inline constexpr double k_chip_hz = 1e8;

/// Two equal bodies, a list of poses, and what a chip takes for them in the mean.
class ChipBench {
 public:
  ChipBench(const Scene& scene, std::vector<pairs::PosePair> poses)
      : shape_(scene.mesh),
        tree_(bvh::build_dop_tree(scene.mesh)),
        quads_(bvh::build_quad_tree(scene.mesh)),
        poses_(std::move(poses)) {}

  struct Means {
    double clocks = 0, dop_tests = 0, axis_tests = 0, triangle_tests = 0, bursts = 0, hits = 0, waits_memory = 0,
           waits_result = 0, most_waiting = 0;
    double p99_us = 0, least_us = 0, most_us = 0;
    std::uint64_t met = 0;   ///< pairs that do meet, of all poses together
    double candidates = 0;   ///< for each of those: what the host has to look at once more
    std::uint64_t hash = 0;  ///< of those
    bool right = true;       ///< they are the same as a search on the processor finds
    [[nodiscard]] double us() const noexcept { return 1e6 * clocks / k_chip_hz; }
  };
  /// Several chips on one memory, each with poses of its own, and what all of them take: clocks for each query.
  [[nodiscard]] double clocks_side_by_side(const chip::ChipSearch& search, unsigned chips) const;

  /// `steady`: memory that always answers after so many clocks, as the papers count; 0: DDR.
  [[nodiscard]] Means means(const chip::ChipSearch& search, unsigned steady = 0) const;

 private:
  [[nodiscard]] chip::Image image(const pairs::PosePair& pose, const chip::ChipSearch& search) const;
  [[nodiscard]] chip::ChipRun run(const pairs::PosePair& pose, const chip::ChipSearch& search, unsigned steady) const;
  [[nodiscard]] const std::vector<TrianglePair>& meeting(std::size_t pose) const;

  Shape shape_;
  bvh::DopTree tree_;
  bvh::QuadTree quads_;
  std::vector<pairs::PosePair> poses_;
  mutable std::vector<std::vector<TrianglePair>> meeting_;  ///< by pose, found when first asked for
};

/// A variant with a name for tables and what it took.
struct ChipVariant {
  std::string name;
  chip::ChipSearch search;
  ChipBench::Means means;
  [[nodiscard]] ChipArea area() const { return area_of(search.configuration.width, search.structure); }
  /// Queries a second for each slice of the whole chip: between no packing and perfect packing.
  [[nodiscard]] double least_rate() const { return 1e6 / means.us() / area().most(); }
  [[nodiscard]] double most_rate() const { return 1e6 / means.us() / area().least(); }
  [[nodiscard]] std::string rates() const { return short_number(least_rate()) + " … " + short_number(most_rate()); }
};
/// Measures one, and notes it among the results and counts of a figure: series by width, x by name.
[[nodiscard]] ChipVariant measured(Run& run, const ChipBench& bench, const std::string& figure, std::string name,
                                   const chip::ChipSearch& search);

/// Poses from deep overlap to nearly apart.
[[nodiscard]] std::vector<pairs::PosePair> chip_poses(const Scene& scene, std::size_t count);
/// Words of any width, n axes, and up to 64 of them if testing goes on; a stack that never overflows.
[[nodiscard]] chip::ChipSearch search_of(unsigned width, unsigned axes, bool go_on);
[[nodiscard]] std::string whole(double x);

}  // namespace snug::bench::raabe
