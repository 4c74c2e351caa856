#pragma once

#include "scenes/scene.hpp"

#include <snug/page.hpp>

#include <filesystem>

namespace snug::cli {

/// How a scene moves, and when its parts meet: as the scene says where it does, else as seen at so many instants, if
/// asked for with the points in which they do.
[[nodiscard]] std::optional<PageMotion> page_motion(const scenes::Scene& scene, bool contacts, unsigned instants = 200);

/// Checks the scene at its clearance and writes the page of it, with its motion. Says what a page can not show.
void write_scene_page(const scenes::Scene& scene, const std::filesystem::path& path, bool words);

}  // namespace snug::cli
