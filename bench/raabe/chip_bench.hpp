#pragma once

#include "bench/raabe/run.hpp"
#include "query/dop/chip/walk.hpp"

#include <string>
#include <vector>

// What the chip's cycle model takes for two equal bodies at many poses.

namespace snug::bench::raabe {

inline constexpr double k_chip_hz = 1e8;

/// Two equal bodies, a list of poses, and what a chip takes for them in the mean.
class ChipBench {
 public:
  ChipBench(const Scene& scene, std::vector<pairs::PosePair> poses)
      : mesh_(scene.mesh), tree_(detail::build_dop_tree(mesh_)), poses_(std::move(poses)) {}

  struct Means {
    double clocks = 0, dop_tests = 0, axis_tests = 0, triangle_tests = 0, bursts = 0, hits = 0, waits_memory = 0,
           waits_result = 0, most_waiting = 0;
    [[nodiscard]] double us() const noexcept { return 1e6 * clocks / k_chip_hz; }
  };
  /// Several chips on one memory, each with poses of its own, and what all of them take: clocks for each query.
  [[nodiscard]] double clocks_side_by_side(const detail::chip::ChipSearch& search, unsigned chips) const;

  /// `steady`: memory that always answers after so many clocks, as the papers count; 0: DDR.
  [[nodiscard]] Means means(const detail::chip::ChipSearch& search, unsigned steady = 0) const;

 private:
  [[nodiscard]] detail::chip::Counters run(const pairs::PosePair& pose, const detail::chip::ChipSearch& search,
                                           unsigned steady) const;

  Mesh mesh_;
  detail::DopTree tree_;
  std::vector<pairs::PosePair> poses_;
};

/// Poses from deep overlap to nearly apart.
[[nodiscard]] std::vector<pairs::PosePair> chip_poses(const Scene& scene, std::size_t count);
/// Words of any width, n axes, and up to 64 of them if testing goes on; a stack that never overflows.
[[nodiscard]] detail::chip::ChipSearch search_of(unsigned width, unsigned axes, bool go_on);
[[nodiscard]] std::string whole(double x);

}  // namespace snug::bench::raabe
