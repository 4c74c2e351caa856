#pragma once

#include "bench/peers/path_engine.hpp"

#include <snug/mesh.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::bench::paths {

/// Two bodies and ways of theirs.
struct PathScene {
  Mesh a, b;
  std::vector<RigidPath> paths;
};

struct SceneKind {
  std::string_view name;
  std::string_view what;
  /// Nothing, and why, if files are missing.
  std::optional<PathScene> (*make)(std::uint64_t seed, std::size_t paths, std::string& why);
};

[[nodiscard]] std::span<const SceneKind> scene_kinds();

}  // namespace snug::bench::paths
