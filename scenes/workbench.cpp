#include "scenes/workbench.hpp"

#include "scenes/solids.hpp"

namespace snug::scenes {

Assembly workbench() {
  Assembly assembly(LengthUnit::millimetre);
  const auto add = [&](const char* path, const Mesh& mesh, const Pose& pose = {}) {
    (void)assembly.add({path, mesh, pose}).value();
  };
  const Mesh foot = box({0, 0, 0}, {20, 60, 15});
  const Mesh washer = cylinder(6, 1.5, 24);
  add("bench/plate", box({0, 0, 15}, {120, 60, 25}));
  add("bench/foot left", foot);
  add("bench/foot right", foot, translation(100, 0, 0));
  add("bench/post", box({50, 20, 25}, {70, 40, 55}));
  add("bench/washer 1", washer, translation(30, 30, 25));
  add("bench/washer 2", washer, translation(90, 30, 25));
  // The screw's shank ends 4 mm deep in the post instead of on its face.
  add("bench/screw", cylinder(3, 24, 24), compose(translation(30, 30, 45), rotation({0, 1, 0}, 1.57079632679489662)));
  add("bench/cover", box({-5, -5, 57}, {125, 65, 59}));
  return assembly;
}

}  // namespace snug::scenes
