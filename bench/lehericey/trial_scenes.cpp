#include "bench/lehericey/trial_scenes.hpp"

#include "scenes/animals.hpp"
#include "scenes/bodies.hpp"
#include "scenes/mesh_draft.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "scenes/vectors.hpp"

#include <algorithm>
#include <array>

namespace snug::bench::lehericey {

namespace {

using scenes::MeshDraft;

class SceneDraft {
 public:
  explicit SceneDraft(const char* name) { scene_.name = name; }
  headless::BodySpec& add(const Mesh& mesh, const Pose& pose, bool fixed = false) {
    const std::string path = "part " + std::to_string(scene_.bodies.size());
    (void)scene_.assembly.add({path, mesh, pose}).value();
    headless::BodySpec& body = scene_.bodies.emplace_back();
    body.fixed = fixed;
    return body;
  }
  void ground() { add(scenes::box({-50, -50, -1}, {50, 50, 0}), {}, true); }
  headless::WorldScene done() { return std::move(scene_); }

 private:
  headless::WorldScene scene_;
};

/// A rectangular tub without a lid.
Mesh tub(double half, double height, double wall) {
  MeshDraft draft;
  draft.surface("tub");
  const auto ring = [&](double reach, double z) {
    const std::uint32_t first = draft.vertex({-reach, -reach, z});
    draft.vertex({reach, -reach, z}), draft.vertex({reach, reach, z}), draft.vertex({-reach, reach, z});
    return first;
  };
  const std::array rings{ring(half + wall, 0), ring(half + wall, height), ring(half, height), ring(half, wall)};
  draft.quad(rings[0] + 3, rings[0] + 2, rings[0] + 1, rings[0]);
  for (std::size_t r = 0; r + 1 < rings.size(); ++r)
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t next = (k + 1) % 4;
      draft.quad(rings[r] + k, rings[r] + next, rings[r + 1] + next, rings[r + 1] + k);
    }
  draft.quad(rings[3], rings[3] + 1, rings[3] + 2, rings[3] + 3);
  return draft.build();
}

/// Eight parts of four kinds that fall into a tub.
headless::WorldScene bin() {
  SceneDraft scene("bin");
  scene.add(tub(0.7, 0.8, 0.1), {}, true);
  const std::array kinds{scenes::falling_body(scenes::bumpy_knot(60, 12), 0.3), scenes::torus(0.2, 0.07, 28, 12),
                         scenes::falling_body(scenes::pig(600), 0.3), scenes::pipe(0.15, 0.1, 0.3, 32)};
  scenes::Random random(21);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const double x = i % 2, y = i / 2 % 2, z = i / 4;
    scene.add(kinds.at(random.below(kinds.size())),
              Pose::make(random.rotation(), {0.66 * (x - 0.5), 0.66 * (y - 0.5), 0.6 + 0.66 * z}).value());
  }
  return scene.done();
}

constexpr std::uint32_t k_teeth = 20;

/// Teeth with sloping flanks, four corners each, around a bore; cut into slices along its axis.
Mesh gear(double radius, double tooth, double bore, double width) {
  constexpr std::uint32_t k_slices = 5, k_around = 4 * k_teeth;
  MeshDraft draft;
  draft.surface("gear");
  const auto point = [&](bool outer, std::uint32_t j, std::uint32_t slice) {
    constexpr double k_at[4] = {0.1, 0.4, 0.6, 0.9};  // two of the root, two of the tip, in teeth
    const std::uint32_t corner = j % 4;
    const auto [c, s] = scenes::cos_sin(scenes::k_full_turn * (j / 4 + k_at[corner]) / k_teeth);
    const double r = !outer ? bore : corner < 2 ? radius - tooth : radius + tooth;
    return Point3{r * c, r * s, width * (static_cast<double>(slice) / k_slices - 0.5)};
  };
  // Rings along the outside upwards, then along the bore downwards.
  constexpr std::uint32_t k_rings = 2 * (k_slices + 1);
  for (std::uint32_t ring = 0; ring < k_rings; ++ring) {
    const bool outer = ring <= k_slices;
    for (std::uint32_t j = 0; j < k_around; ++j) draft.vertex(point(outer, j, outer ? ring : k_rings - 1 - ring));
  }
  for (std::uint32_t ring = 0; ring < k_rings; ++ring) {
    const std::uint32_t from = ring * k_around, to = (ring + 1) % k_rings * k_around;
    for (std::uint32_t j = 0; j < k_around; ++j) {
      const std::uint32_t k = (j + 1) % k_around;
      draft.quad(from + j, from + k, to + k, to + j);
    }
  }
  return draft.build();
}

/// Two gears in mesh that start to turn, faster and faster, and slow down again.
TrialScene gears(std::uint32_t steps) {
  SceneDraft scene("gears");
  constexpr double k_radius = 0.5, k_tooth = 0.05;
  const Mesh mesh = gear(k_radius, k_tooth, 0.2, 0.25);
  // A little closer than they should be.
  const Vec3 apart{2 * k_radius - 0.3 * k_tooth, 0, 0.02};
  scene.add(mesh, {});
  scene.add(mesh, translation(apart.x, apart.y, apart.z));
  const auto angle = [steps](std::uint32_t step) {
    const double t = static_cast<double>(step) / steps;  // a speed of 4 t (1 - t), integrated
    return 0.02 * steps * (2 * t * t - 4.0 / 3 * t * t * t);
  };
  TrialScene trial{.name = "gears", .scene = scene.done(), .steps = steps};
  trial.driven = [=](std::uint32_t part, std::uint32_t step) {
    if (part == 0) return rotation({0, 0, 1}, angle(step));
    // Teeth stand a quarter of a pitch before, gaps a quarter behind: half a turn brings one before the other.
    return compose(translation(apart.x, apart.y, apart.z), rotation({0, 0, 1}, scenes::k_full_turn / 2 - angle(step)));
  };
  return trial;
}

/// Twelve bodies thrown at one another from two sides.
headless::WorldScene thrown() {
  SceneDraft scene("throw");
  scene.ground();
  const std::array kinds{scenes::falling_body(scenes::duck(500), 0.35),
                         scenes::falling_body(scenes::bumpy_knot(60, 12), 0.35)};
  scenes::Random random(22);
  for (std::uint32_t i = 0; i < 12; ++i) {
    const double side = i % 2 == 0 ? 1 : -1, row = i / 2 % 3, storey = i / 6;
    headless::BodySpec& body = scene.add(
        kinds.at(i / 2 % 2), Pose::make(random.rotation(), {1.5 * side, 0.8 * (row - 1), 0.8 + 0.8 * storey}).value());
    body.velocity = {-random.uniform(6, 12) * side, random.uniform(-1, 1), random.uniform(0, 2)};
    body.spin = random.point(-8, 8);
  }
  return scene.done();
}

/// Rings upon rings, each a little beside the one below.
headless::WorldScene stack() {
  SceneDraft scene("stack");
  scene.ground();
  const Mesh pipe = scenes::pipe(0.5, 0.32, 0.16, 48), torus = scenes::torus(0.4, 0.1, 48, 16);
  scenes::Random random(23);
  double z = 0.002;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const bool flat = i % 2 == 0;
    const Pose turn = rotation({0, 0, 1}, random.uniform(0, 6));
    scene.add(flat ? pipe : torus,
              compose(translation(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), flat ? z : z + 0.1), turn));
    z += (flat ? 0.16 : 0.2) + 0.002;
  }
  return scene.done();
}

}  // namespace

std::vector<std::string> trial_scenes() { return {"avalanche", "fountain", "bin", "gears", "throw", "stack"}; }

TrialScene trial_scene(const std::string& name, bool quick) {
  const auto steps = [&](std::uint32_t whole) { return quick ? whole / 3 : whole; };
  if (name == "avalanche") return {name, true, cut_down("avalanche", quick ? 8 : 16), steps(120)};
  if (name == "fountain") return {name, true, cut_down("fountain", quick ? 8 : 16), 94 + steps(120)};
  if (name == "bin") return {name, false, bin(), steps(120)};
  if (name == "gears") return gears(steps(240));
  if (name == "throw") return {name, false, thrown(), steps(120)};
  return {name, false, stack(), steps(150)};
}

std::vector<Frame> frames_of(const TrialScene& trial, const Stage& stage) {
  std::vector<Frame> frames;
  if (!trial.driven) {
    watch(trial.scene, {.sleep = false}, trial.steps, stage,
          [&](const headless::World&, const Frame& frame) { frames.push_back(frame); });
    return frames;
  }
  const std::vector<bool> all(trial.scene.bodies.size(), true);
  for (std::uint32_t step = 0; step < trial.steps; ++step) {
    Frame& frame = frames.emplace_back();
    for (std::uint32_t part = 0; part < all.size(); ++part) frame.poses.push_back(trial.driven(part, step));
    frame.pairs = stage.pairs(frame.poses, all);
  }
  return frames;
}

}  // namespace snug::bench::lehericey
