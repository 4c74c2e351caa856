// Contacts of regions beside those of rays: time of a pose, interleaved, and whether a push by the deepest contact frees the body.
// usage: snug-bench regions [--csv FILE] [--quick]

#include "bench/measure.hpp"
#include "bench/suites.hpp"
#include "scenes/solids.hpp"

#include <snug/snug.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace snug;

struct RegionCase {
  std::string name;
  Shape a, b;
  std::vector<Pose> poses;  ///< of a; b stays
};

std::vector<RegionCase> region_cases(bool quick) {
  std::vector<RegionCase> all;
  const auto about_middle = [](const Vec3& axis, double angle) {
    return compose(rotation(axis, angle), translation(-0.5, -0.5, -0.5));
  };
  const auto cubes = [&](std::uint32_t squares) {
    const Shape cube(scenes::grid_cube(squares));
    RegionCase face{"cubes " + std::to_string(cube.mesh().triangles().size()) + ", face on face", cube, cube, {}};
    RegionCase tilted{"cubes " + std::to_string(cube.mesh().triangles().size()) + ", tilted", cube, cube, {}};
    for (int i = 0; i < 8; ++i) {
      const double turn = 0.05 + 0.17 * i;
      face.poses.push_back(compose(translation(0.5 + 0.03 * i, 0.5 + 0.02 * i, 1.49), about_middle({0, 0, 1}, turn)));
      tilted.poses.push_back(
          compose(translation(0.5 + 0.03 * i, 0.5 + 0.02 * i, 1.49), about_middle({0.3, 0.4, 1}, 0.03 * (i + 1))));
    }
    all.push_back(std::move(face));
    all.push_back(std::move(tilted));
  };
  cubes(10), cubes(30);
  if (!quick) cubes(90);
  const Shape torus(scenes::torus(1, 0.3, 30, 15));
  RegionCase tori{"tori 900", torus, torus, {}};
  for (int i = 0; i < 8; ++i)
    tori.poses.push_back(compose(translation(0.8 + 0.06 * i, 0.1 * i, 0.45), rotation({1, 0.2, 0.1}, 0.4 * i)));
  all.push_back(std::move(tori));
  const Shape knot(scenes::bumpy_knot(100, 20));
  const Aabb box = knot.mesh().bounds();
  RegionCase knots{"knots 4000", knot, knot, {}};
  for (int i = 0; i < 8; ++i)
    knots.poses.push_back(
        compose(translation(0.8 * (box.hi.x - box.lo.x), 0.02 * i, 0), rotation({0.1, 0.3, 1}, 0.7 * i)));
  all.push_back(std::move(knots));
  return all;
}

/// What the contenders found at all poses.
struct RegionsFound {
  std::size_t contacts = 0, freed = 0, poses = 0;
  double depth = 0;  ///< sum of the deepest

  void add(const RegionCase& which, const Pose& pose, const std::vector<Contact>& contacts_found, Scratch& scratch) {
    if (contacts_found.empty()) return;
    ++poses;
    contacts += contacts_found.size();
    const Contact& deepest = *std::ranges::max_element(contacts_found, {}, &Contact::depth);
    depth += deepest.depth;
    const Pose pushed =
        Pose::make(pose.rotation(), pose.translation() + (deepest.depth * (1 + 1e-9) + 1e-9) * deepest.normal).value();
    freed += intersects(which.a, pushed, which.b, {}, scratch) ? 0 : 1;
  }
};

}  // namespace

namespace snug::bench {

int run_contact_regions(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Table table({"case", "method", "us", "beside rays", "contacts", "mean depth", "freed by one push"});
  for (const RegionCase& which : region_cases(arguments.quick)) {
    Scratch scratch;
    Contacts rays, regions;
    const auto by_rays = [&](const Pose& pose) {
      (void)contacts(which.a, pose, which.b, {}, scratch, rays, {.complete = false});
    };
    const auto by_regions = [&](const Pose& pose, RayContactOptions::Normal normal) {
      (void)contacts(which.a, pose, which.b, {}, scratch, regions, {.normal = normal});
    };
    using Normal = RayContactOptions::Normal;
    std::vector<RegionsFound> found(3);
    for (const Pose& pose : which.poses) {
      by_rays(pose), found[0].add(which, pose, rays.contacts, scratch);
      by_regions(pose, Normal::smooth), found[1].add(which, pose, regions.contacts, scratch);
      by_regions(pose, Normal::minimum), found[2].add(which, pose, regions.contacts, scratch);
    }
    const auto times = interleaved(arguments.quick ? 5 : 15, {[&] {
                                                                for (const Pose& pose : which.poses) by_rays(pose);
                                                              },
                                                              [&] {
                                                                for (const Pose& pose : which.poses)
                                                                  by_regions(pose, Normal::smooth);
                                                              },
                                                              [&] {
                                                                for (const Pose& pose : which.poses)
                                                                  by_regions(pose, Normal::minimum);
                                                              }});
    const char* const names[] = {"rays", "regions, smooth", "regions, minimum"};
    for (std::size_t k = 0; k < 3; ++k) {
      const RegionsFound& f = found[k];
      const auto poses = static_cast<double>(which.poses.size());
      table.row({which.name, names[k], fixed(1e6 * times[k] / poses, 1), fixed(times[k] / times[0], 2),
                 std::to_string(f.contacts), fixed(f.poses > 0 ? f.depth / static_cast<double>(f.poses) : 0, 6),
                 std::to_string(f.freed) + " of " + std::to_string(f.poses)});
    }
  }
  return table.print("contacts of regions beside those of rays, us of a pose", arguments) ? 0 : 1;
}

}  // namespace snug::bench
