#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>
#include <snug/query.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

// Bodies whose edges are sharper than a right angle: the way over such an edge leads into one of the faces beside it.

namespace snug {
namespace {

using scenes::Random;

double along(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// A prism over a star of eight points, as a gear has teeth.
Mesh star(double height) {
  MeshInput input;
  constexpr std::uint32_t k_corners = 16, k_up = k_corners + 1;
  for (const double z : {-height / 2, height / 2}) {
    input.vertices.push_back({0, 0, z});
    for (std::uint32_t i = 0; i < k_corners; ++i) {
      const double radius = i % 2 == 0 ? 1.6 : 0.7, angle = 2 * 3.14159265358979 * i / k_corners;
      input.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  }
  for (std::uint32_t i = 1; i <= k_corners; ++i) {
    const std::uint32_t j = i % k_corners + 1;
    input.triangles.push_back({0, j, i});
    input.triangles.push_back({k_up, k_up + i, k_up + j});
    input.triangles.push_back({i, j, k_up + j});
    input.triangles.push_back({i, k_up + j, k_up + i});
  }
  return Mesh::build(std::move(input)).value();
}

Mesh tetrahedron(double size) {
  MeshInput input;
  input.vertices = {{size, size, size}, {size, -size, -size}, {-size, size, -size}, {-size, -size, size}};
  input.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return Mesh::build(std::move(input)).value();
}

Shape some_sharp_body(Random& random) {
  switch (random.below(3)) {
    case 0:
      return Shape(star(random.uniform(0.2, 2.2)));
    case 1:
      return Shape(tetrahedron(random.uniform(0.5, 1.5)));
    default:
      return Shape(scenes::torus(1.2, 0.3, 6, 4));
  }
}

/// How far along the way a last meets b, come from without.
std::optional<double> last_meeting(const Shape& a, const Quaternion& turned, const Vec3& from, const Vec3& way,
                                   const Shape& b, const Pose& pose_b, Scratch& scratch) {
  const auto meet = [&](double k) {
    return intersects(a, Pose::make(turned, from + k * way).value(), b, pose_b, scratch);
  };
  double k = 8;
  while (k > 0 && !meet(k)) k -= 0.05;
  if (!(k > 0)) return {};
  double lo = k, hi = k + 0.05;
  for (int i = 0; i < 40; ++i) (meet(0.5 * (lo + hi)) ? lo : hi) = 0.5 * (lo + hi);
  return lo;
}

TEST(SharpEdges, ContactsPartBodiesWithoutMovingThemFar) {
  // Pushed into one another by 2 mm along any way; then a goes where its contacts push it.
  constexpr double k_sunk = 0.002;
  Scratch scratch;
  std::uint64_t compared = 0, stuck = 0, far = 0, deep = 0, last = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape a = some_sharp_body(random), b = some_sharp_body(random);
    const Pose pose_b = Pose::make(random.rotation(), {}).value();
    const Quaternion turned = seed % 4 == 0 ? pose_b.rotation() : random.rotation();
    const Vec3 any = random.point(-1, 1), from = random.point(-1, 1);
    const Vec3 way = (1 / std::sqrt(along(any, any))) * any;
    const std::optional<double> met = last_meeting(a, turned, from, way, b, pose_b, scratch);
    if (!met) continue;
    ++compared;
    const Vec3 began = from + (*met - k_sunk) * way;
    Vec3 at = began;
    bool apart = false;
    double deepest = 0;
    for (int round = 0; round < 40 && !apart; ++round) {
      const Contacts found = contacts(a, Pose::make(turned, at).value(), b, pose_b, scratch).value();
      apart = !found.touching();
      Vec3 moved;
      for (int sweep = 0; sweep < 60; ++sweep)
        for (const Contact& c : found.contacts) {
          const double left = c.predicted ? 0 : c.depth - along(c.normal, moved);
          if (left > 0) moved = moved + left * c.normal;
          if (round == 0) deepest = std::max(deepest, c.depth);
        }
      at = at + 1.001 * moved + 1e-9 * way;
    }
    const double gone = std::sqrt(along(at - began, at - began));
    stuck += apart ? 0 : 1;
    far += gone > 4 * k_sunk ? 1 : 0;
    deep += deepest > 4 * k_sunk ? 1 : 0;
    last = apart && gone <= 4 * k_sunk ? last : seed;
  }
  EXPECT_GT(compared, test::scaled(1500) / 2);
  // Where a contact tells of less than all of the depth, it takes many rounds.
  EXPECT_LE(100 * stuck, compared) << stuck << " of " << compared << ", the last of seed " << last;
  EXPECT_LE(1000 * far, compared) << far << " of " << compared << ", the last of seed " << last;
  EXPECT_LE(1000 * deep, compared) << deep << " of " << compared << ", the last of seed " << last;
}

}  // namespace
}  // namespace snug
