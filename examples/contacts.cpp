// A ring sinks into another. The tracker carries what rays hit from step to step; what comes out is what a physics engine or
// a haptic device asks for: where, how deep and which way out.
#include <snug/snug.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

/// `along` rings of `around` points each.
snug::Mesh torus(std::uint32_t along, std::uint32_t around) {
  snug::MeshInput input;
  for (std::uint32_t i = 0; i < along; ++i)
    for (std::uint32_t j = 0; j < around; ++j) {
      const double u = 2 * std::numbers::pi * i / along, v = 2 * std::numbers::pi * j / around;
      const double r = 1 + 0.3 * std::cos(v);
      input.vertices.push_back({r * std::cos(u), r * std::sin(u), 0.3 * std::sin(v)});
      const std::uint32_t next = (i + 1) % along * around, side = (j + 1) % around, at = i * around;
      input.triangles.push_back({at + j, next + j, next + side});
      input.triangles.push_back({at + j, next + side, at + side});
    }
  return snug::Mesh::build(std::move(input)).value();
}

int main() {
  const snug::Shape ring{torus(24, 12)}, hoop{torus(40, 16)};
  snug::ContactTracker tracker;  // one for each pair of bodies
  snug::Contacts found;          // its memory is used again
  for (int step = 0; step < 5; ++step) {
    const snug::Pose pose = snug::translation(1, 0, 0.66 - 0.03 * step);
    contacts(ring, pose, hoop, {}, tracker, found);
    reduce(found);  // at most four of each patch
    double deepest = 0;
    for (const snug::Contact& contact : found.contacts)
      if (!contact.predicted) deepest = std::max(deepest, contact.depth);
    std::printf("step %d: %s, depth %.3f\n", step, found.touching() ? "contact" : "apart", deepest);
  }
}
