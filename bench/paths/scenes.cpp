#include "bench/paths/scenes.hpp"

#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <snug/io.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace snug::bench::paths {

namespace {

using scenes::Random;

Vec3 direction(Random& random) {
  while (true) {
    const Vec3 v = random.point(-1, 1);
    const double squared = v.x * v.x + v.y * v.y + v.z * v.z;
    if (squared > 0.01 && squared <= 1) return (1 / std::sqrt(squared)) * v;
  }
}

Pose at(const Quaternion& turned, const Vec3& where) { return Pose::make(turned, where).value(); }
Pose turned(const Pose& pose, const Vec3& axis, double radians, const Vec3& where) {
  return at(compose(rotation(axis, radians), at(pose.rotation(), {})).rotation(), where);
}

/// The meshes that FCL tests itself with: from a random place and rotation, as there, a way of up to 1,700 and a turn of up to a
/// right angle.
std::optional<PathScene> env_rob(std::uint64_t seed, std::size_t paths, std::string& why) {
  const char* data = std::getenv("SNUG_DATA");
  if (data == nullptr || *data == '\0') {
    why = "SNUG_DATA is not set";
    return std::nullopt;
  }
  const std::filesystem::path folder = std::filesystem::path(data) / "meshes";
  auto env = load_mesh(folder / "env.obj"), rob = load_mesh(folder / "rob.obj");
  if (!env || !rob) {
    why = (!env ? env.error() : rob.error()).message();
    return std::nullopt;
  }
  PathScene scene{std::move(env).value(), std::move(rob).value(), {}};
  Random random(seed);
  for (std::size_t i = 0; i < paths; ++i) {
    const Point3 p = random.point(0, 3000);
    const Pose from = at(random.rotation(), {2 * p.x - 3000, 2 * p.y - 3000, p.z});
    const Vec3 axis = direction(random);
    const double angle = random.uniform(0, 1.57);
    const Pose to = turned(from, axis, angle, from.translation() + random.point(-1000, 1000));
    scene.paths.push_back({{Pose{}, Pose{}}, {from, to}});
  }
  return scene;
}

/// Two knots of 9,600 triangles; one flies past the other, nearer or farther, turning.
std::optional<PathScene> knots(std::uint64_t seed, std::size_t paths, std::string& /*why*/) {
  const Mesh knot = scenes::bumpy_knot(240, 20);
  PathScene scene{knot, knot, {}};
  Random random(seed);
  for (std::size_t i = 0; i < paths; ++i) {
    const Pose a = at(random.rotation(), {}), start = at(random.rotation(), {});
    const Vec3 way = direction(random), aside = direction(random), axis = direction(random);
    const Vec3 passes = random.uniform(0, 2.4) * (aside - (aside.x * way.x + aside.y * way.y + aside.z * way.z) * way);
    const double angle = random.uniform(0, 2);
    const Pose from = at(start.rotation(), passes - 2.5 * way);
    scene.paths.push_back({{a, a}, {from, turned(from, axis, angle, passes + 2.5 * way)}});
  }
  return scene;
}

/// A box of 0.2 flies through a plate of thickness 0.001, or past it.
std::optional<PathScene> thin_plate(std::uint64_t seed, std::size_t paths, std::string& /*why*/) {
  PathScene scene{scenes::box({-1, -1, -0.0005}, {1, 1, 0.0005}), scenes::box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}), {}};
  Random random(seed);
  for (std::size_t i = 0; i < paths; ++i) {
    const Point3 low = random.point(-1.2, 1.2), high = random.point(-1.2, 1.2);
    const Pose from = at(random.rotation(), {low.x, low.y, random.uniform(-40, -1)});
    const Vec3 axis = direction(random);
    const double angle = random.uniform(0, 3);
    const Pose to = turned(from, axis, angle, {high.x, high.y, random.uniform(1, 40)});
    scene.paths.push_back({{Pose{}, Pose{}}, {from, to}});
  }
  return scene;
}

/// A rod of 6 by 0.02 spins by up to 170 degrees beside a post as thin.
std::optional<PathScene> spinning_rod(std::uint64_t seed, std::size_t paths, std::string& /*why*/) {
  PathScene scene{
      scenes::box({-0.01, -0.01, -1}, {0.01, 0.01, 1}), scenes::box({-3, -0.01, -0.01}, {3, 0.01, 0.01}), {}};
  Random random(seed);
  for (std::size_t i = 0; i < paths; ++i) {
    const double bearing = random.uniform(-3.1, 3.1), far = random.uniform(0.5, 3.4);
    const Pose post = compose(translation(far * std::cos(bearing), far * std::sin(bearing), random.uniform(-1.2, 1.2)),
                              rotation(direction(random), random.uniform(0, 0.5)));
    const Pose from =
        compose(rotation({0, 0, 1}, random.uniform(-3.1, 3.1)), rotation({0, 1, 0}, random.uniform(-0.2, 0.2)));
    const double angle = random.uniform(0.3, 2.96);
    scene.paths.push_back({{post, post}, {from, turned(from, {0, 0, 1}, angle, random.point(-0.2, 0.2))}});
  }
  return scene;
}

constexpr SceneKind k_kinds[] = {
    {"env-rob", "the meshes that FCL tests itself with (SNUG_DATA)", env_rob},
    {"knots", "two knots of 9,600 triangles that pass each other", knots},
    {"thin-plate", "a box that flies through a plate of thickness 0.001", thin_plate},
    {"spinning-rod", "a thin rod that spins beside a thin post", spinning_rod},
};

}  // namespace

std::span<const SceneKind> scene_kinds() { return k_kinds; }

}  // namespace snug::bench::paths
