#include "aligned_support.hpp"
#include "any_shape.hpp"
#include "primitive_support.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

// Signed distances of meshes: convex ones are held to the primitives that they are, others to their own promises.

namespace snug {
namespace {

using scenes::Random;
using Kind = Primitive::Kind;

SignedDistance asked(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return signed_distance(a, pose_a, b, pose_b, test::own_scratch());
}

/// A point of the one body is inside the other, closed one, or they share one.
bool overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (intersects(a, pose_a, b, pose_b, test::own_scratch())) return true;
  const auto holds = [](const Shape& mesh, const Pose& pose, const Shape& other, const Pose& pose_other) {
    if (!mesh.is_mesh() || (!other.is_mesh() && !other.primitive()->bounded()) || !is_closed(mesh.mesh().view()))
      return false;
    Point3 p = pose_other.translation();
    if (other.is_mesh()) {
      p = pose_other.apply(other.mesh().vertices()[0]);
    } else if (!other.primitive()->points().empty()) {
      p = pose_other.apply(other.primitive()->points()[0]);
    }
    std::vector<Point3> posed(mesh.mesh().vertices().size());
    pose.apply(mesh.mesh().vertices(), posed);
    return locate(p, TriangleMeshView{posed, mesh.mesh().triangles()}).side == Side::inside;
  };
  return holds(a, pose_a, b, pose_b) || holds(b, pose_b, a, pose_a);
}

TEST(SignedDistanceOfMeshes, ConvexOnesAreAsDeepAsThePrimitivesTheyAre) {
  std::size_t deep = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Primitive box = test::random_primitive(random, Kind::box, {scale, false});
    const Kind kind = test::k_kinds[random.below(test::k_kinds.size())];
    const Primitive other = test::random_primitive(random, kind, {scale, random.below(4) == 0});
    const Shape mesh(scenes::box(box.bounds().lo, box.bounds().hi)), solid(box), beside(other);
    const Pose pose = Pose::make(random.rotation(), far).value();
    const Pose pose_other = Pose::make(random.rotation(), far + 0.5 * scale * random.point(-1, 1)).value();
    const SignedDistance of_mesh = asked(mesh, pose, beside, pose_other),
                         of_solid = asked(solid, pose, beside, pose_other),
                         back = asked(beside, pose_other, mesh, pose);
    const double e = resolution(solid, pose, beside, pose_other) + (of_solid.upper - of_solid.lower),
                 slack = 2 * e + 1e-9 * std::abs(of_solid.value);
    EXPECT_NEAR(of_mesh.value, of_solid.value, slack);
    EXPECT_NEAR(back.value, of_mesh.value, slack);
    EXPECT_LE(of_mesh.lower, of_mesh.value);
    EXPECT_LE(of_mesh.value, of_mesh.upper);
    EXPECT_LE(of_mesh.upper - of_mesh.lower, slack);
    EXPECT_NEAR((of_mesh.on_a - of_mesh.on_b - of_mesh.value * of_mesh.normal).length(), 0, 0x1p20 * e);
    EXPECT_NEAR((of_mesh.normal + back.normal).length(), 0, of_mesh.value > 0 ? 1e-3 : 2);
    deep += of_mesh.value < 0 ? 1 : 0;
    if (other.kind() != Kind::box) continue;
    const Shape both(scenes::box(other.bounds().lo, other.bounds().hi));
    EXPECT_NEAR(asked(mesh, pose, both, pose_other).value, of_solid.value, 2 * e) << "two meshes";
  }
  EXPECT_GT(deep, 0U);
}

TEST(SignedDistanceOfMeshes, WaysOutAreOnesAndNoShorterOneIsThanIsProved) {
  MeshInput sheet;
  sheet.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0.3}, {-1, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  const std::array meshes{Shape(scenes::torus(0.7, 0.3, 14, 9)), Shape(scenes::pipe(0.9, 0.5, 1.2, 12)),
                          Shape(scenes::bumpy_knot(60, 8)), Shape(Mesh::build(std::move(sheet)).value())};
  std::size_t deep = 0, proved = 0;
  double ratio = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape& a = meshes[random.below(meshes.size())];
    const Kind kind = test::k_kinds[random.below(test::k_kinds.size())];
    const Shape b = random.below(2) == 0 ? meshes[random.below(meshes.size())]
                                         : Shape(test::random_primitive(random, kind, {0.7, false}));
    const Pose pose_a = random.pose(0), pose_b = Pose::make(random.rotation(), random.point(-0.8, 0.8)).value();
    const SignedDistance d = asked(a, pose_a, b, pose_b);
    const double e = resolution(a, pose_a, b, pose_b);
    EXPECT_LE(d.lower, d.value);
    EXPECT_LE(d.value, d.upper);
    const Distance apart = distance(a, pose_a, b, pose_b, test::own_scratch());
    if (d.value > 0) {
      EXPECT_NEAR(d.value, apart.value, e);
      EXPECT_FALSE(overlap(a, pose_a, b, pose_b));
      continue;
    }
    ++deep;
    EXPECT_TRUE(overlap(a, pose_a, b, pose_b) || apart.value <= e);
    EXPECT_NEAR(d.normal.length(), 1, 1e-9);
    const auto moved = [&](const Vec3& way) {
      return Pose::make(pose_a.rotation(), pose_a.translation() + way).value();
    };
    EXPECT_FALSE(overlap(a, moved((4 * e - d.value) * d.normal), b, pose_b));
    if (d.upper < -1e-3) {
      ++proved, ratio += d.upper / d.value;
      for (int i = 0; i < 20; ++i) {
        const Vec3 way = (-0.999 * d.upper) * random.point(-1, 1).normalized();
        EXPECT_TRUE(overlap(a, moved(way), b, pose_b)) << "a way shorter than proved";
      }
    }
  }
  EXPECT_GT(deep, 0U);
  EXPECT_GT(proved, 0U);
  RecordProperty("proved_share_of_depth", std::to_string(ratio / double(proved)));
}

}  // namespace
}  // namespace snug
