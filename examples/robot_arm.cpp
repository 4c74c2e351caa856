// An arm of six joints reaches about a cell: 20,000 random poses, each checked against the cell and against the arm itself.
#include <snug/snug.hpp>

#include <chrono>
#include <iostream>
#include <vector>

using snug::Primitive;

// From one joint to the next: a link of this length along z, turned about the joint's axis.
struct Joint {
  snug::Vec3 axis;
  double length, radius;
};

int main() {
  snug::Scene cell;
  const auto put = [&](const Primitive& solid, double x, double y, double z) {
    return cell.add(snug::Shape(solid), snug::translation(x, y, z)).value();
  };
  put(Primitive::half_space({0, 0, 1}, -0.05).value(), 0, 0, 0);  // the floor
  put(Primitive::box({1.2, 0.8, 0.05}).value(), 1.0, 0, 0.4);     // a table
  put(Primitive::cylinder(0.15, 0.4).value(), 1.0, 0.1, 0.625);   // a vessel on it
  put(Primitive::box({0.05, 3, 2}).value(), -0.9, 0, 1);          // a wall
  for (int i = 0; i < 12; ++i)                                    // a rack of rods
    put(Primitive::capsule(0.02, 2).value(), -0.6 + 0.1 * i, 1.2, 1);

  const std::vector<Joint> joints{{{0, 0, 1}, 0.35, 0.09}, {{0, 1, 0}, 0.45, 0.07}, {{0, 1, 0}, 0.40, 0.06},
                                  {{0, 0, 1}, 0.10, 0.05}, {{0, 1, 0}, 0.12, 0.05}, {{0, 0, 1}, 0.15, 0.03}};
  std::vector<snug::BodyId> arm;
  for (const Joint& joint : joints)
    arm.push_back(cell.add(snug::Shape(Primitive::capsule(joint.radius, joint.length).value())).value());
  for (std::size_t i = 0; i < arm.size(); ++i)  // neighbours, and theirs across the short wrist, share their joints
    for (std::size_t j = i + 1; j < arm.size() && j <= i + (i < 2 ? 1 : 3); ++j) cell.ignore(arm[i], arm[j]).value();

  std::uint32_t state = 1;
  const auto angle = [&] { return 3.0 * ((state = state * 1664525 + 1013904223) / 2147483648.0 - 1); };
  std::vector<snug::Pose> poses(arm.size());
  snug::SceneScratch scratch;
  constexpr int checks = 20'000;
  int free = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int check = 0; check < checks; ++check) {
    snug::Pose joint = snug::translation(0, 0, 0.1);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      joint = snug::compose(joint, snug::rotation(joints[i].axis, angle() * (i == 1 ? 0.4 : 1)));
      poses[i] = snug::compose(joint, snug::translation(0, 0, joints[i].length / 2));
      joint = snug::compose(joint, snug::translation(0, 0, joints[i].length));
    }
    cell.set_poses(arm, poses).value();
    // Only pairs with a link of the arm: what the cell's own bodies touch does not matter.
    const snug::SceneOptions options{
        .filter = [&](const snug::BodyPair& pair) { return pair.b.index >= arm[0].index; }};
    if (!cell.first_intersecting_pair(scratch, options).value()) ++free;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << free << " of " << checks << " poses are free\n";
  std::cerr << static_cast<int>(checks / took.count()) << " poses a second\n";
}
