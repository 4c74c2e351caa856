#pragma once

#include "physics/headless/world_scene.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace snug::headless {

/// A simulation that is hard on contacts, and what must hold at its end. Bodies are 10 cm large; lengths in metres.
struct Trial {
  std::string name;
  WorldScene scene;
  /// Bodies that are not where their shapes should hold them, of the poses of all parts.
  std::function<std::uint32_t(std::span<const Pose>)> out_of_place;
  Aabb view;     ///< what a picture of it should show
  Vec3 towards;  ///< from the scene to the viewer
};

/// Twelve cubes upon each other, each a little aside.
[[nodiscard]] Trial tower();
/// Links that hang from each other and from one that is fixed.
[[nodiscard]] Trial chain(std::uint32_t links = 50);
/// Three threaded rods with two nuts each, left where they are.
[[nodiscard]] Trial nuts_on_bolts();
/// Three gears around fixed pins on a plate; the first one is spun.
[[nodiscard]] Trial gears_in_mesh();
/// Tori that fall into a bowl.
[[nodiscard]] Trial tori_in_a_bowl(std::uint32_t count = 100);
/// Eight conical cups, one in the other.
[[nodiscard]] Trial cups_in_cups();
/// Four cards that stand on an edge of 2 mm and four pairs that lean on each other.
[[nodiscard]] Trial cards_on_edge();

[[nodiscard]] std::vector<Trial> trials();

}  // namespace snug::headless
