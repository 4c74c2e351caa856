#pragma once

#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug {

/// How the chip of Raabe et al. (2006) is built and asked. Pairs do not depend on it; clocks and candidates do.
struct ChipOptions {
  std::string_view configuration = "w18";  ///< one of chip_configurations()
  unsigned axes = 0;                       ///< tried on a pair of nodes, 1 to 64; 0: as many as the configuration says
  bool go_on = true;                       ///< try more axes while the next pair is being loaded
  unsigned most_axes = 64;                 ///< and no more than that, up to 64
  std::uint32_t stack_depth = 512;
  bool queue = false;                   ///< first in, first out instead of a stack
  const CancelToken* cancel = nullptr;  ///< looked at every few thousand clocks, and before each tree is built
};

/// What a query took, clock by clock in a model that the RTL is held to (docs/chip-system.md). Memory is DDR at 100 MHz on a 64-bit bus.
struct ChipReport {
  std::string configuration;
  unsigned axes = 0, most_axes = 0;  ///< as they were used: both within 1 to 64, the same without testing on
  std::uint32_t stack_depth = 0;
  bool queue = false;
  double clock_hz = 1e8;
  std::uint64_t cycles = 0;
  [[nodiscard]] double seconds() const noexcept { return static_cast<double>(cycles) / clock_hz; }

  std::uint64_t dop_tests = 0;                  ///< pairs of nodes
  std::uint64_t axis_tests = 0;                 ///< of those, all together
  std::uint64_t ignored_tests = 0;              ///< of axes: their pair was apart already when they left the pipe
  std::uint64_t triangle_tests = 0;             ///< pairs of leaves that no axis told apart
  std::uint64_t candidates = 0;                 ///< of those, what the triangle unit reported
  std::uint64_t bursts = 0;                     ///< of 64 bytes
  std::uint64_t row_misses = 0, refreshes = 0;  ///< of the memory
  std::uint64_t most_waiting = 0;               ///< entries of the stack
  /// Clocks without an axis test, and those in which a loaded pair had to wait.
  struct Stalls {
    std::uint64_t memory = 0;    ///< no test: the next pair is being loaded
    std::uint64_t result = 0;    ///< no test: there is no next pair before results come
    std::uint64_t pipe = 0;      ///< the next pair of nodes waits for the current one
    std::uint64_t triangle = 0;  ///< the next pair of triangles waits for those before
    friend bool operator==(const Stalls&, const Stalls&) = default;
  } stalls;

  /// Why the processor had to answer instead, from the beginning; empty if the chip did.
  std::string fell_back;
  bool cancelled = false;           ///< before the end: pairs are right, but not all, and counts are of what was done
  std::vector<TrianglePair> pairs;  ///< exact, ordered by (a, b)
};

struct ChipError {
  std::string configuration;  ///< which there is none of
  [[nodiscard]] SNUG_API std::string message() const;
};

/// Names, narrowest words first.
[[nodiscard]] SNUG_API std::vector<std::string_view> chip_configurations();

/// Every pair of triangles that share a point, by the chip and, for its candidates, the exact test: the same as
/// triangle_pairs(), its refusal of an invalid pose included. Runs on one thread.
[[nodiscard]] SNUG_API Result<ChipReport, ChipError> chip_pairs(const Shape& a, const Pose& pose_a, const Shape& b,
                                                                const Pose& pose_b, Scratch& scratch,
                                                                const ChipOptions& options = {});

}  // namespace snug
