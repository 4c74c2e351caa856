#include "physics/headless/trials.hpp"

#include "scenes/machine_parts.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <algorithm>
#include <cmath>

namespace snug::headless {

namespace {

/// Steps a second: gravity then moves a body by 0.17 mm in a step.
constexpr double k_rate = 240;
constexpr double k_quarter_turn = 0.5 * 3.14159265358979323846;

BodySpec& add(WorldScene& scene, const Mesh& mesh, const Pose& pose, bool fixed = false) {
  (void)scene.assembly.add({"part " + std::to_string(scene.bodies.size()), mesh, pose}).value();
  BodySpec& body = scene.bodies.emplace_back();
  body.fixed = fixed;
  return body;
}

WorldScene empty(const char* name) {
  WorldScene scene;
  scene.name = name;
  scene.rate_hz = k_rate;
  return scene;
}

void add_floor(WorldScene& scene) { add(scene, scenes::box({-0.6, -0.6, -0.1}, {0.6, 0.6, 0}), {}, true); }

/// How many poses after the first `skipped` ones do not fulfil holds(i, pose).
template <class Holds>
auto count_unless(std::size_t skipped, Holds holds) {
  return [=](std::span<const Pose> poses) {
    std::uint32_t count = 0;
    for (std::size_t i = skipped; i < poses.size(); ++i) count += holds(i - skipped, poses[i]) ? 0 : 1;
    return count;
  };
}

bool within(const Vec3& v, double reach) { return v.x * v.x + v.y * v.y + v.z * v.z <= reach * reach; }

}  // namespace

Trial tower() {
  constexpr double k_half = 0.05;
  Trial trial{.name = "tower", .scene = empty("tower"), .out_of_place = {}, .view = {}, .towards = {1, -2, 0.6}};
  add_floor(trial.scene);
  const Mesh cube = scenes::box({-k_half, -k_half, -k_half}, {k_half, k_half, k_half});
  scenes::Random random(1);
  const auto height = [](std::size_t i) { return k_half + static_cast<double>(i) * (2 * k_half + 1e-4) + 1e-4; };
  for (std::uint32_t i = 0; i < 12; ++i)
    add(trial.scene, cube,
        compose(translation(random.uniform(-0.004, 0.004), random.uniform(-0.004, 0.004), height(i)),
                rotation({0, 0, 1}, random.uniform(-0.1, 0.1))));
  trial.out_of_place = count_unless(1, [=](std::size_t i, const Pose& pose) {
    return within(pose.translation() - Vec3{0, 0, height(i)}, 0.25 * k_half);
  });
  trial.view = {{-0.3, -0.3, 0}, {0.3, 0.3, 1.25}};
  return trial;
}

Trial chain(std::uint32_t links) {
  constexpr double k_radius = 0.04, k_tube = 0.01, k_step = 2 * (k_radius - k_tube) - 2e-5;
  Trial trial{.name = "chain", .scene = empty("chain"), .out_of_place = {}, .view = {}, .towards = {1, -1, 0.1}};
  const Mesh link = scenes::torus(k_radius, k_tube, 24, 10);
  for (std::uint32_t i = 0; i <= links; ++i)
    add(trial.scene, link,
        compose(translation(0, 0, -k_step * i),
                i % 2 == 0 ? rotation({1, 0, 0}, k_quarter_turn) : rotation({0, 1, 0}, k_quarter_turn)),
        i == 0);
  // Linked rings can not be further apart than where tube hangs on tube.
  trial.out_of_place = [](std::span<const Pose> poses) {
    std::uint32_t count = 0;
    for (std::size_t i = 1; i < poses.size(); ++i)
      count += within(poses[i].translation() - poses[i - 1].translation(), k_step + k_tube) ? 0 : 1;
    return count;
  };
  trial.view = {{-0.1, -0.1, -1.0}, {0.1, 0.1, 0.06}};
  return trial;
}

Trial nuts_on_bolts() {
  const scenes::Thread thread;
  constexpr std::uint32_t k_pitches = 14, k_nut = 2;
  constexpr double k_clearance = 4e-4, k_width = 0.1, k_apart = 0.13;
  Trial trial{
      .name = "nuts on bolts", .scene = empty("nuts"), .out_of_place = {}, .view = {}, .towards = {0.4, -2, 0.7}};
  const Mesh rod = scenes::threaded_rod(thread, k_pitches);
  const Mesh nut = scenes::hexagonal_nut(thread, k_nut, k_width, k_clearance);
  const auto x = [](std::size_t bolt) { return k_apart * (static_cast<double>(bolt) - 1); };
  for (std::uint32_t bolt = 0; bolt < 3; ++bolt) add(trial.scene, rod, translation(x(bolt), 0, 0), true);
  const auto place = [=](std::size_t i) {
    const double z = thread.pitch * static_cast<double>(2 + i / 2 + 6 * (i % 2));
    return Vec3{x(i / 2), 0, z};
  };
  for (std::uint32_t i = 0; i < 6; ++i) add(trial.scene, nut, translation(place(i).x, 0, place(i).z));
  trial.out_of_place = count_unless(
      3, [=](std::size_t i, const Pose& pose) { return within(pose.translation() - place(i), 0.5 * thread.pitch); });
  trial.view = {{-0.2, -0.05, -0.01}, {0.2, 0.05, 0.18}};
  return trial;
}

Trial gears_in_mesh() {
  constexpr double k_root = 0.042, k_tip = 0.05, k_bore = 0.01, k_width = 0.02;
  constexpr double k_apart = k_root + k_tip + 0.001, k_loose = 3e-4;
  constexpr std::uint32_t k_teeth = 16;
  Trial trial{
      .name = "gears in mesh", .scene = empty("gears"), .out_of_place = {}, .view = {}, .towards = {0.2, -1, 1.6}};
  const auto x = [](std::size_t i) { return k_apart * (static_cast<double>(i) - 1); };
  add_floor(trial.scene);
  const Mesh pin = scenes::cylinder(k_bore - k_loose, 0.03, 32);
  const Mesh gear = scenes::spur_gear(k_root, k_tip, k_bore, k_width, k_teeth);
  for (std::uint32_t i = 0; i < 3; ++i) add(trial.scene, pin, translation(x(i), 0, 0), true);
  for (std::uint32_t i = 0; i < 3; ++i) {
    // The one in the middle is turned by half a tooth: its teeth are in the gaps of the others.
    const Pose turned = rotation({0, 0, 1}, i == 1 ? 2 * k_quarter_turn / k_teeth : 0);
    BodySpec& body = add(trial.scene, gear, compose(translation(x(i), 0, 1e-4), turned));
    if (i == 0) body.spin = {0, 0, 10};
  }
  trial.out_of_place = count_unless(
      4, [=](std::size_t i, const Pose& pose) { return within(pose.translation() - Vec3{x(i), 0, 0}, 0.002); });
  trial.view = {{-0.15, -0.06, 0}, {0.15, 0.06, 0.03}};
  return trial;
}

Trial tori_in_a_bowl(std::uint32_t count) {
  constexpr double k_bowl = 0.4, k_wall = 0.05, k_ring = 0.035, k_tube = 0.015, k_cell = 0.115;
  Trial trial{
      .name = "tori in a bowl", .scene = empty("tori"), .out_of_place = {}, .view = {}, .towards = {0.4, -1, 1.3}};
  add(trial.scene, scenes::bowl(k_bowl, k_wall, 10, 40), {}, true);
  const Mesh torus = scenes::torus(k_ring, k_tube, 24, 12);
  scenes::Random random(5);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double column = i % 5, row = i / 5 % 5, layer = i / 25;
    add(trial.scene, torus,
        Pose::make(random.rotation(), {k_cell * (column - 2), k_cell * (row - 2), 0.34 + k_cell * layer}).value());
  }
  // A torus that lies in the bowl has its middle in the half ball, and those piled up stay above it.
  trial.out_of_place = count_unless(1, [=](std::size_t, const Pose& pose) {
    const Vec3& at = pose.translation();
    return at.z > k_bowl ? within({at.x, at.y, 0}, k_bowl) : within(at - Vec3{0, 0, k_bowl}, k_bowl);
  });
  trial.view = {{-0.45, -0.45, -0.05}, {0.45, 0.45, 0.5}};
  return trial;
}

Trial cups_in_cups() {
  constexpr double k_bottom = 0.03, k_top = 0.04, k_height = 0.1, k_wall = 0.003;
  // Walls touch where the upper cup is higher by the wall's thickness over the slope.
  constexpr double k_step = k_wall * k_height / (k_top - k_bottom);
  Trial trial{.name = "cups in cups", .scene = empty("cups"), .out_of_place = {}, .view = {}, .towards = {1, -2, 0.8}};
  add_floor(trial.scene);
  const Mesh cup = scenes::cup(k_bottom, k_top, k_height, k_wall, 48);
  for (std::uint32_t i = 0; i < 8; ++i) add(trial.scene, cup, translation(0, 0, 1e-4 + i * (k_step + 5e-4)));
  trial.out_of_place = count_unless(1, [=](std::size_t i, const Pose& pose) {
    return within(pose.translation() - Vec3{0, 0, static_cast<double>(i) * k_step}, 0.5 * k_step);
  });
  trial.view = {{-0.1, -0.1, 0}, {0.1, 0.1, 0.33}};
  return trial;
}

Trial cards_on_edge() {
  constexpr double k_half_width = 0.05, k_height = 0.07, k_half = 0.001, k_lean = 0.25, k_gap = 5e-5;
  Trial trial{
      .name = "cards on edge", .scene = empty("cards"), .out_of_place = {}, .view = {}, .towards = {0.6, -1.2, 0.8}};
  add_floor(trial.scene);
  const Mesh card = scenes::box({-k_half_width, -k_half, 0}, {k_half_width, k_half, k_height});
  for (std::uint32_t i = 0; i < 4; ++i) add(trial.scene, card, translation(-0.08, 0.08 * i - 0.12, k_gap));
  const Pose lean = rotation({1, 0, 0}, -k_lean);
  const Vec3 top = lean.apply({0, k_half, k_height}), foot = lean.apply({0, k_half, 0});
  for (std::uint32_t i = 0; i < 4; ++i)
    for (const double turn : {0.0, 2 * k_quarter_turn})
      add(trial.scene, card,
          compose(translation(0.08, 0.09 * i - 0.135, k_gap),
                  compose(rotation({0, 0, 1}, turn), compose(translation(0, -top.y - k_gap, -foot.z), lean))));
  // One that has fallen over, or through the floor, has its upper edge below half of its height.
  trial.out_of_place = count_unless(1, [=](std::size_t, const Pose& pose) {
    return pose.apply({0, 0, k_height}).z > 0.5 * k_height && pose.apply({0, 0, 0}).z > -0.01;
  });
  trial.view = {{-0.14, -0.18, 0}, {0.14, 0.18, 0.08}};
  return trial;
}

std::vector<Trial> trials() {
  std::vector<Trial> all;
  all.push_back(tower()), all.push_back(chain()), all.push_back(nuts_on_bolts()), all.push_back(gears_in_mesh());
  all.push_back(tori_in_a_bowl()), all.push_back(cups_in_cups()), all.push_back(cards_on_edge());
  return all;
}

}  // namespace snug::headless
