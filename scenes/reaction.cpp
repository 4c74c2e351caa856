// A ball of 70, a bunny of 453 and a pig of 1,085 vertices against the ground, after Table 1 of Lehericey et al. 2013, who
// press each into the ground at 20 depths and 400 orientations to see how far the reaction is from upright. Here they
// stand on the ground and are pressed in at 20 depths; orientations are for whoever measures to choose. 70 vertices are
// two poles and four rings of 17.

#include "scenes/animals.hpp"
#include "scenes/mesh_draft.hpp"
#include "scenes/solids.hpp"
#include "scenes/worlds.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace snug::scenes {

Scene reaction(const SceneOptions& /*options*/) {
  constexpr std::uint32_t k_depths = 20;
  constexpr double k_deepest = 0.2;  // metres, of bodies of height 1
  Scene scene;
  scene.name = "reaction";
  scene.assembly = Assembly(LengthUnit::metre);
  (void)scene.assembly.add({"ground", box({-2, -2, -1}, {2, 2, 0}), {}}).value();
  scene.duration = 1;
  scene.steps = k_depths + 1;
  const auto stand = [&](const char* path, const Mesh& mesh, double x, double y) {
    double lowest = mesh.vertices().front().z;
    for (const Point3& p : mesh.vertices()) lowest = std::min(lowest, p.z);
    (void)scene.assembly.add({path, mesh, translation(x, y, -lowest)}).value();
    scene.contacts.push_back({path, "ground"});
    scene.tracks.push_back({path, {{0, {}}, {1, translation(0, 0, -k_deepest)}}});
    scene.meetings.push_back({path, "ground", 0, 1, "pressed into the ground"});
  };
  stand("ball", sphere(0.5, 5, 17), -1, -0.65);
  stand("bunny", bunny(453), 0, 0);
  stand("pig", pig(1085), 1, 0.65);
  // By path the ground comes before the pig.
  for (auto& contact : scene.contacts)
    if (contact.b < contact.a) std::swap(contact.a, contact.b);
  for (auto& meeting : scene.meetings)
    if (meeting.b < meeting.a) std::swap(meeting.a, meeting.b);
  return scene;
}

}  // namespace snug::scenes
