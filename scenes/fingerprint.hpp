#pragma once

#include "scenes/scene.hpp"

namespace snug::scenes {

/// Of every number and name in the scene: equal scenes have equal fingerprints on every machine (FNV-1a, 64 bits).
[[nodiscard]] std::uint64_t fingerprint(const Scene& scene);

}  // namespace snug::scenes
