// A haptic loop: where is the probe, how far from the walls, and is there time left to know?

#include <snug/snug.hpp>

#include <cstdio>
#include <utility>

namespace {

/// A block by its corners; outside is where its triangles turn counter-clockwise.
snug::Mesh block(snug::Point3 lo, snug::Point3 hi) {
  snug::MeshInput input;
  for (const double z : {lo.z, hi.z})
    for (const snug::Point3& p : {snug::Point3{lo.x, lo.y, z}, {hi.x, lo.y, z}, {hi.x, hi.y, z}, {lo.x, hi.y, z}})
      input.vertices.push_back(p);
  input.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  return snug::Mesh::build(std::move(input)).value();
}

}  // namespace

int main() {
  const snug::Shape box(block({0, 0, 0}, {40, 40, 5})), tool(block({-1, -1, 0}, {1, 1, 30}));
  const snug::Pose resting;
  snug::Tracker tracker(box, tool);
  int touching = 0, undecided = 0;
  for (int step = 0; step < 2000; ++step) {
    // Down to the plate, half a millimetre into it, and up again.
    const double height = 5 + 0.01 * (step < 1000 ? 950 - step : step - 1050);
    const snug::Pose moved = snug::translation(20, 15, height);
    const auto answer = tracker.try_intersects(resting, moved, {.steps = 200});
    touching += answer.yes() ? 1 : 0;
    undecided += !answer.decided() ? 1 : 0;
    if (answer.yes() || step % 250 != 0) continue;
    const snug::Distance apart = tracker.distance(resting, moved);
    std::printf("step %4d: %.2f mm above the plate\n", step, apart.value);
  }
  std::printf("%d steps in contact, %d undecided after 200 node tests\n", touching, undecided);
  return touching > 0 ? 0 : 1;
}
