#include "analytic_bodies.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Contacts do not depend on which body is a, on the frame of the world, or on how flat faces are cut into triangles.

namespace snug {
namespace {

using Normal = RayContactOptions::Normal;

/// What rounding may make of a depth or, in radians, of a normal: bodies of size 1, posed within a few units, are rounded by some 1e-15, and
/// the curve of a region that is 1e-4 wide turns by at most 1e-11. Directions of a walk are taken from a contact found so far.
constexpr double k_rounded = 1e-9;

/// Each triangle in four, at the middles of its sides.
Mesh quartered(const Mesh& mesh) {
  MeshInput input;
  input.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  const auto middle = [&](std::uint32_t i, std::uint32_t j) {
    const auto [at, is_new] = middles.try_emplace(std::minmax(i, j), static_cast<std::uint32_t>(input.vertices.size()));
    if (is_new) input.vertices.push_back(0.5 * input.vertices[i] + 0.5 * input.vertices[j]);
    return at->second;
  };
  for (const Index3& t : mesh.triangles()) {
    const std::uint32_t a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
    for (const Index3& part : {Index3{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}})
      input.triangles.push_back(part);
  }
  return Mesh::build(std::move(input)).value();
}

/// Every other triangle, at random, in three around a point of it.
Mesh cut_at_random(const Mesh& mesh, scenes::Random& random) {
  MeshInput input;
  input.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  for (const Index3& t : mesh.triangles()) {
    if (random.below(2) == 0) {
      input.triangles.push_back(t);
      continue;
    }
    const Point3 from = input.vertices[t[0]], u = input.vertices[t[1]] - from, v = input.vertices[t[2]] - from;
    const double along = random.uniform(0.2, 0.5);
    const auto inner = static_cast<std::uint32_t>(input.vertices.size());
    input.vertices.push_back(from + along * u + random.uniform(0.2, 0.4) * v);
    for (std::size_t k = 0; k < 3; ++k) input.triangles.push_back({t[k], t[(k + 1) % 3], inner});
  }
  return Mesh::build(std::move(input)).value();
}

/// Those whose size is about 1.
std::vector<scenes::RubbingBody> all_kinds() {
  std::vector<scenes::RubbingBody> kinds = scenes::rubbing_bodies();
  std::erase_if(kinds, [](const scenes::RubbingBody& body) { return body.name == "corner" || body.name == "capsule"; });
  return kinds;
}

/// Calls visit(i, pose of i, j, pose of j, random) for pairs of kinds that overlap by some 0.01 to 0.08.
template <class Visit>
void for_shallow_pairs(std::span<const scenes::RubbingBody> kinds, std::uint64_t seeds, Visit&& visit) {
  Scratch scratch;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = i; j < kinds.size(); ++j)
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE(testing::Message() << kinds[i].name << " and " << kinds[j].name << ", seed " << seed);
        scenes::Random random(seed);
        const Pose pose_b = random.pose(0.5);
        const Pose pose_a =
            scenes::touching_pose(kinds[i].shape, kinds[j].shape, pose_b, random.uniform(0.01, 0.08), random);
        if (intersects(kinds[i].shape, pose_a, kinds[j].shape, pose_b, scratch)) visit(i, pose_a, j, pose_b, random);
      }
}

/// True if each region of one answer has one of the same depth and normal in the other; the normals of `x` are turned first.
bool same_regions(const Contacts& x, const Contacts& y, const Pose& turn) {
  if (x.patches.size() != y.patches.size()) return false;
  return std::ranges::all_of(x.patches, [&](const ContactArea& p) {
    const Vec3 normal = test::turned(turn, p.normal);
    return std::ranges::any_of(y.patches, [&](const ContactArea& q) {
      return q.kind == p.kind && std::abs(q.depth - p.depth) < k_rounded &&
             test::angle_between(q.normal, normal) < k_rounded;
    });
  });
}

/// Of so many questions, how many have another answer.
struct Changed {
  std::uint64_t compared = 0, changed = 0;
  void add(bool same) { ++compared, changed += same ? 0 : 1; }
};

TEST(ContactsAreTheSame, WhicheverBodyIsFirst) {
  const std::vector<scenes::RubbingBody> kinds = all_kinds();
  Scratch scratch;
  std::uint64_t compared = 0;
  const auto compare = [&](std::size_t i, const Pose& pose_a, std::size_t j, const Pose& pose_b, scenes::Random&) {
    const Shape &a = kinds[i].shape, &b = kinds[j].shape;
    ++compared;
    for (const Normal normal : {Normal::smooth, Normal::minimum}) {
      const auto found = contacts(a, pose_a, b, pose_b, scratch, {.normal = normal}).value();
      const auto exchanged = contacts(b, pose_b, a, pose_a, scratch, {.normal = normal}).value();
      ASSERT_EQ(found.patches.size(), exchanged.patches.size());
      for (std::size_t k = 0; k < found.patches.size(); ++k) {
        const ContactArea &p = found.patches[k], &q = exchanged.patches[k];
        EXPECT_EQ(p.normal, -q.normal);
        EXPECT_EQ(p.depth, q.depth);
        EXPECT_EQ(p.area, q.area);
        EXPECT_EQ(p.centre, q.centre);
      }
    }
  };
  for_shallow_pairs(kinds, test::scaled(60), compare);
  EXPECT_GT(compared, 21 * test::scaled(60) * 3 / 4);
}

TEST(ContactsAreTheSame, InAWorldThatIsTurned) {
  const std::vector<scenes::RubbingBody> kinds = all_kinds();
  Scratch scratch;
  Changed smooth, minimum;
  const auto compare = [&](std::size_t i, const Pose& pose_a, std::size_t j, const Pose& pose_b,
                           scenes::Random& random) {
    const Shape &a = kinds[i].shape, &b = kinds[j].shape;
    const Pose world = random.pose(2), world_a = compose(world, pose_a), world_b = compose(world, pose_b);
    for (const Normal normal : {Normal::smooth, Normal::minimum}) {
      const auto found = contacts(a, pose_a, b, pose_b, scratch, {.normal = normal}).value();
      const auto turned = contacts(a, world_a, b, world_b, scratch, {.normal = normal}).value();
      (normal == Normal::smooth ? smooth : minimum).add(same_regions(found, turned, world));
    }
  };
  for_shallow_pairs(kinds, test::scaled(60), compare);
  EXPECT_GT(smooth.compared, 21 * test::scaled(60) * 3 / 4);
  EXPECT_EQ(smooth.changed, 0U);
  // Walks to a minimum begin in an order that depends on where the bodies are: a few end in another local minimum.
  EXPECT_LE(minimum.changed, 1 + minimum.compared / 200);
}

TEST(ContactsAreTheSame, HoweverFlatFacesAreCut) {
  std::vector<scenes::RubbingBody> kinds = all_kinds();
  kinds.pop_back();  // all but the knot
  scenes::Random cuts(1);
  std::vector<std::vector<Shape>> cut(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Mesh& mesh = kinds[i].shape.mesh();
    cut[i] = {kinds[i].shape, Shape(quartered(mesh)), Shape(quartered(quartered(mesh))),
              Shape(cut_at_random(mesh, cuts)), Shape(cut_at_random(mesh, cuts))};
  }
  Scratch scratch;
  Changed smooth, minimum;
  const auto compare = [&](std::size_t i, const Pose& pose_a, std::size_t j, const Pose& pose_b,
                           scenes::Random& random) {
    for (const Normal normal : {Normal::smooth, Normal::minimum}) {
      const auto found = contacts(cut[i][0], pose_a, cut[j][0], pose_b, scratch, {.normal = normal}).value();
      for (int k = 0; k < 3; ++k) {
        const Shape &a = cut[i][random.below(5)], &b = cut[j][1 + random.below(4)];
        const auto other = contacts(a, pose_a, b, pose_b, scratch, {.normal = normal}).value();
        (normal == Normal::smooth ? smooth : minimum).add(same_regions(found, other, {}));
      }
    }
  };
  for_shallow_pairs(kinds, test::scaled(60), compare);
  EXPECT_GT(smooth.compared, 3 * 15 * test::scaled(60) * 3 / 4);
  // Patches grow by rings of triangles, which are narrower where faces are cut, and walks begin with few directions where there are many
  // triangles.
  EXPECT_LE(smooth.changed, 1 + smooth.compared / 1000);
  EXPECT_LE(minimum.changed, 1 + minimum.compared / 200);
}

}  // namespace
}  // namespace snug
