// Haptic paths: a ball, a stylus and a ring rub on a dragon of 200,000 triangles and are driven through it, 0.05 mm in each millisecond, with a
// budget. How far the force jumps beyond the motion, in mm of displacement, and how long the slowest steps take.

#include "bench/measure.hpp"
#include "bench/suites.hpp"
#include "scenes/dragon.hpp"
#include "scenes/rubbing.hpp"
#include "scenes/solids.hpp"

#include <snug/snug.hpp>

#include <chrono>
#include <cmath>
#include <ctime>
#include <numbers>
#include <string>
#include <vector>

namespace {

using namespace snug;

constexpr double k_step = 0.05;    ///< mm
constexpr double k_height = 100;   ///< of the dragon, mm
constexpr double k_pressed = 0.5;  ///< how deep a probe that rubs is pressed in, mm
/// Steps of the search, which are the same on every machine, unlike a deadline.
constexpr std::uint64_t k_budget = 10'000;

double processor_us() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
}

Shape scaled(const Mesh& mesh, double scale) {
  MeshInput input;
  for (const Point3& p : mesh.vertices()) input.vertices.push_back(scale * p);
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  return Shape(Mesh::build(std::move(input)).value());
}

using HapticPath = std::vector<Pose>;

/// Around the dragon's body in the plane across x: at each angle as near to the axis as it gets, and on by k_pressed, joined smoothly and
/// divided into steps.
HapticPath rubbing_path(const Shape& probe, const Quaternion& turn, const Shape& dragon, const Point3& axis) {
  constexpr int k_angles = 48;
  Scratch scratch;
  const auto out = [](double angle) { return Vec3{0, std::cos(angle), std::sin(angle)}; };
  std::vector<double> radii;
  for (int i = 0; i < k_angles; ++i) {
    const Vec3 way = out(2 * std::numbers::pi * i / k_angles);
    double near = 0, far = 150;
    while (far - near > 1e-3) {
      const double middle = 0.5 * (near + far);
      const Pose pose = Pose::make(turn, axis + middle * way).value();
      (intersects(probe, pose, dragon, {}, scratch) ? near : far) = middle;
    }
    radii.push_back(near - k_pressed);
  }
  const auto at = [&](double angle) {
    const double place = angle / (2 * std::numbers::pi) * k_angles, whole = std::floor(place), t = place - whole;
    const auto radius = [&](int k) { return radii[static_cast<std::size_t>((int(whole) + k + k_angles) % k_angles)]; };
    // Catmull and Rom's spline.
    const double p = radius(-1), q = radius(0), r = radius(1), s = radius(2);
    const double far = q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
    return axis + far * out(angle);
  };
  HapticPath path;
  double angle = 0;
  while (angle < 2 * std::numbers::pi) {
    const Point3 here = at(angle);
    path.push_back(Pose::make(turn, here).value());
    double next = 1e-2;
    while ((at(angle + next) - here).length() > k_step) next *= 0.97;
    angle += next;
  }
  return path;
}

HapticPath straight_path(const Quaternion& turn, const Point3& from, const Point3& to) {
  const auto steps = static_cast<int>((to - from).length() / k_step);
  HapticPath path;
  for (int i = 0; i <= steps; ++i) path.push_back(Pose::make(turn, from + (double(i) / steps) * (to - from)).value());
  return path;
}

/// Of a path. Jumps are the part of a change of the push that the motion of the step does not explain.
struct HapticRun {
  std::vector<double> jumps, smooth_jumps, wall_us, worked_us;
  std::size_t touching = 0, undecided = 0;
};

/// `core`: what a ball is swept over to make the probe.
HapticRun run_path(const Shape& probe, const Shape& core, const Shape& dragon, const HapticPath& path) {
  // The true distance of the core is smooth between two steps if its nearest points on the dragon are seen in directions that differ by less
  // than k_same_way, and move along the core by less than k_same_place: they are then on one side of the medial axis. A surface of radius 5
  // mm turns the direction by 0.01.
  constexpr double k_same_way = 0.05, k_same_place = 20 * k_step;
  HapticRun run;
  Scratch scratch;
  Contacts found;
  Vec3 last;
  Distance before;
  bool known = false;
  for (const Pose& pose : path) {
    const auto wall = std::chrono::steady_clock::now();
    const double worked = processor_us();
    const auto answer = try_contacts(probe, pose, dragon, {}, scratch, found, {.steps = k_budget},
                                     {.normal = RayContactOptions::Normal::smooth})
                            .value();
    run.worked_us.push_back(processor_us() - worked);
    run.wall_us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - wall).count());
    const Distance nearest = distance(core, pose, dragon, {}, scratch);
    if (!answer.decided()) {
      // The device keeps its force; the next answer is not beside this one.
      ++run.undecided;
      known = false;
      continue;
    }
    Vec3 sum;
    double area = 0;
    for (const ContactArea& region : found.patches)
      if (region.kind != ContactArea::Kind::rays)
        sum = sum + (region.area * region.depth) * region.normal, area += region.area;
    const Vec3 push = area > 0 ? (1 / area) * sum : Vec3{};
    run.touching += area > 0 ? 1 : 0;
    if (known && (area > 0 || last != Vec3{})) {
      const double jump = std::max(0.0, (push - last).length() - k_step);
      run.jumps.push_back(jump);
      if (nearest.normal != Vec3{} && (nearest.normal - before.normal).length() < k_same_way &&
          (nearest.on_a - before.on_a).length() < k_same_place)
        run.smooth_jumps.push_back(jump);
    }
    last = push, before = nearest, known = true;
  }
  for (auto* list : {&run.jumps, &run.smooth_jumps, &run.wall_us, &run.worked_us}) std::ranges::sort(*list);
  return run;
}

std::string at_share(const std::vector<double>& sorted, double share, int digits) {
  if (sorted.empty()) return "-";
  return bench::fixed(sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))], digits);
}

}  // namespace

namespace snug::bench {

int run_haptic_paths(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Shape dragon = scaled(scenes::dragon(arguments.quick ? 10'002 : 100'002), k_height);
  dragon.prepare().value();
  struct Probe {
    const char* name;
    Shape shape, core;
    Quaternion turn;
  };
  constexpr double k_thin = 1e-4;
  const Quaternion tilted = rotation({1, 1, 0}, 0.7).rotation();
  const Probe probes[] = {
      {"ball", Shape(scenes::sphere(5, 24, 48)), Shape(scenes::sphere(k_thin, 4, 6)), {1, 0, 0, 0}},
      {"stylus", Shape(scenes::capsule(1.5, 30, 16, 24)), Shape(scenes::capsule(k_thin, 30, 3, 4)), tilted},
      {"ring", Shape(scenes::torus(12, 2.5, 64, 24)), Shape(scenes::torus(12, k_thin, 64, 3)), tilted}};
  Table table({"probe", "path", "steps", "touching", "undecided", "jump p99.9 mm", "largest", "smooth field: steps",
               "p99.9 mm", "largest", "p50 us", "p99.9 us", "working p99.9"});
  const Aabb box = dragon.mesh().bounds();
  const double middle = 0.5 * (box.lo.x + box.hi.x);
  for (const Probe& probe : probes) {
    probe.shape.prepare().value();
    const Point3 axis{middle + 5, 0, 42};
    for (const bool rubs : {true, false}) {
      const HapticPath path = rubs ? rubbing_path(probe.shape, probe.turn, dragon, axis)
                                   : straight_path(probe.turn, axis + Vec3{3, 60, 2}, axis + Vec3{-4, -60, -3});
      const HapticRun run = run_path(probe.shape, probe.core, dragon, path);
      table.row({probe.name, rubs ? "rubs on" : "through", std::to_string(path.size()), std::to_string(run.touching),
                 std::to_string(run.undecided), at_share(run.jumps, 0.999, 3), at_share(run.jumps, 1, 3),
                 std::to_string(run.smooth_jumps.size()), at_share(run.smooth_jumps, 0.999, 3),
                 at_share(run.smooth_jumps, 1, 3), at_share(run.wall_us, 0.5, 0), at_share(run.wall_us, 0.999, 0),
                 at_share(run.worked_us, 0.999, 0)});
    }
  }
  return table.print("haptic paths on a dragon of " + std::to_string(dragon.mesh().triangles().size()) +
                         " triangles and 100 mm, 0.05 mm a step; jumps of the mean push beyond the motion",
                     arguments)
             ? 0
             : 5;
}

}  // namespace snug::bench
