#pragma once

#include "bench/peers/engine.hpp"

#include <snug/pose.hpp>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

// When two bodies first meet on their ways: our search and its peers behind one interface.

namespace snug::bench {

/// Both bodies from time 0 to 1: positions in straight lines, rotations by slerp about each body's origin.
struct RigidPath {
  std::array<Pose, 2> a, b;
};

struct PathAnswer {
  bool hit = false;
  double t = 1;  ///< of the first contact

  friend bool operator==(const PathAnswer&, const PathAnswer&) = default;
};

class PathQueries {
 public:
  virtual ~PathQueries() = default;
  virtual void prepare(const RigidPath& path) = 0;  ///< not timed: motions in the engine's own form
  virtual PathAnswer run() = 0;                     ///< timed
};

struct PathEngine {
  std::string_view name;
  std::string_view what;
  bool ours = false;
  /// The meshes must outlive it.
  std::unique_ptr<PathQueries> (*make)(const Mesh& a, const Mesh& b);
};

/// Ours first, then the peers found at configure time.
[[nodiscard]] std::span<const PathEngine> path_engines();

[[nodiscard]] std::unique_ptr<PathQueries> make_our_path(const Mesh& a, const Mesh& b);
[[nodiscard]] std::unique_ptr<PathQueries> make_our_samples_100(const Mesh& a, const Mesh& b);
[[nodiscard]] std::unique_ptr<PathQueries> make_fcl_naive_1000(const Mesh& a, const Mesh& b);
[[nodiscard]] std::unique_ptr<PathQueries> make_fcl_naive_10(const Mesh& a, const Mesh& b);
[[nodiscard]] std::unique_ptr<PathQueries> make_fcl_advancement(const Mesh& a, const Mesh& b);

}  // namespace snug::bench
