#include "aligned_support.hpp"
#include "any_shape.hpp"
#include "primitive_support.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

// Primitives against primitives and meshes, held to closed forms, to the exact distance of meshes and to brute force.

namespace snug {
namespace {

using scenes::Random;
using test::Long;
using test::LongVec;
using Kind = Primitive::Kind;
using test::distance, test::intersects, test::resolution, test::triangles_meeting, test::within;

struct Case {
  Kind a, b;
};

/// A placement at a distance that is mostly near the sizes: some overlap, some nearly touch.
Pose place(Random& random, double scale, const Vec3& far, double reach) {
  const auto turns = test::cube_rotations();
  const Quaternion turn = random.below(3) == 0 ? turns[random.below(turns.size())].rotation() : random.rotation();
  Vec3 at = reach * scale * random.point(-1, 1);
  if (random.below(4) == 0) at = {at.x, 0, 0};
  return Pose::make(turn, far + at).value();
}

/// Everything the header promises of one pair.
void expect_promises(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b, int rounds) {
  const Distance d = distance(a, pose_a, b, pose_b), back = distance(b, pose_b, a, pose_a);
  const double e = resolution(a, pose_a, b, pose_b);
  EXPECT_EQ(e, resolution(b, pose_b, a, pose_a));
  EXPECT_EQ(d.value, back.value);
  EXPECT_EQ(d.lower, back.lower);
  EXPECT_EQ(d.on_a, back.on_b);
  EXPECT_EQ(d.on_b, back.on_a);
  EXPECT_LE(d.lower, d.value);
  EXPECT_LE(d.value - d.lower, e) << "the bounds have come together";
  // The witnesses are in the bodies, and as far apart as is said: so the distance is no larger.
  const bool closed = a.kind() != Kind::hull && b.kind() != Kind::hull;
  if (closed) {
    const LongVec on_a = test::wide(d.on_a), on_b = test::wide(d.on_b);
    EXPECT_LE(length(test::nearest(a, pose_a, on_a) - on_a), e);
    EXPECT_LE(length(test::nearest(b, pose_b, on_b) - on_b), e);
    EXPECT_NEAR(double(length(on_b - on_a)), d.value, e);
    // And it is no smaller than what another way finds.
    EXPECT_GE(double(test::after_projections(a, pose_a, b, pose_b, on_b, rounds)), d.value - e);
    EXPECT_GE(double(test::after_projections(a, pose_a, b, pose_b, test::wide(pose_b.translation()), rounds)),
              d.value - e);
  }
  EXPECT_EQ(intersects(a, pose_a, b, pose_b), intersects(b, pose_b, a, pose_a));
  if (d.value > e) {
    EXPECT_FALSE(intersects(a, pose_a, b, pose_b));
  }
  for (const double clearance : {0.5 * d.value, d.value + e, 2 * d.value + e}) {
    EXPECT_EQ(within(a, pose_a, b, pose_b, clearance), within(b, pose_b, a, pose_a, clearance));
    if (clearance >= d.value + e) {
      EXPECT_TRUE(within(a, pose_a, b, pose_b, clearance));
    }
    if (clearance + 2 * e < d.value) {
      EXPECT_FALSE(within(a, pose_a, b, pose_b, clearance));
    }
  }
}

class EveryTwoKinds : public testing::TestWithParam<Case> {};

TEST_P(EveryTwoKinds, KeepThePromises) {
  const auto [kind_a, kind_b] = GetParam();
  for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const double other = random.below(4) == 0 ? std::array{1e-3, 1.0, 1e4}[random.below(3)] : scale;
    const test::Sizes sizes{scale, random.below(2) == 0}, sizes_b{other, sizes.degenerate};
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Primitive a = test::random_primitive(random, kind_a, sizes),
                    b = test::random_primitive(random, kind_b, sizes_b);
    const Pose pose_a = place(random, scale, far, 0.4), pose_b = place(random, std::max(scale, other), far, 1.5);
    expect_promises(a, pose_a, b, pose_b, 100);
    // The same two nearly touching, or just in each other.
    const Distance d = distance(a, pose_a, b, pose_b);
    if (!(d.value > 0)) continue;
    const double e = resolution(a, pose_a, b, pose_b);
    // Corners that are aimed at one another miss by the error of the aim, which is the root of that of the distance, and those of
    // hulls may lean past each other, as may tips. What is flat is passed through.
    const bool round = std::max(kind_a, kind_b) <= Kind::capsule,
               leaning = kind_b >= Kind::hull && kind_b != Kind::ellipsoid;
    for (const double left : {1e-3 * d.value, 8 * e, 0.0, -8 * e, -1e-3 * d.value}) {
      SCOPED_TRACE(left);
      const Vec3 way = ((d.value - left) / d.value) * (d.on_a - d.on_b);
      const Pose nearer = Pose::make(pose_b.rotation(), pose_b.translation() + way).value();
      expect_promises(a, pose_a, b, nearer, 20);
      // A step along the line of the witnesses shortens the distance by as much; small bodies come out on the other side.
      const double now = distance(a, pose_a, b, nearer).value, slack = 4 * e + 1e-9 * d.value;
      EXPECT_LE(now, std::abs(left) + slack);
      if (left >= 0) {
        EXPECT_GE(now, left - slack);
      } else if (!sizes.degenerate && !leaning && -left < 0.01 * std::min(scale, other) &&
                 (left == -1e-3 * d.value || round)) {
        EXPECT_EQ(now, 0);
        EXPECT_TRUE(intersects(a, pose_a, b, nearer)) << "what is in each other is never missed";
      }
    }
  }
}

/// A point of the solid, close to its surface.
Point3 some_point(Random& random, const Primitive& p) {
  const Vec3 d = random.point(-1, 1);
  const double length = std::max(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), 1e-9), r = p.radius() / length;
  switch (p.kind()) {
    case Kind::sphere:
      return r * d;
    case Kind::capsule:
      return r * d + Vec3{0, 0, p.half().z * random.uniform(-1, 1)};
    case Kind::box: {
      Vec3 q{d.x * p.half().x, d.y * p.half().y, d.z * p.half().z};
      q.x = random.below(2) == 0 ? p.half().x : q.x, q.y = random.below(2) == 0 ? -p.half().y : q.y;
      return q;
    }
    case Kind::cylinder: {
      const double across = p.radius() / std::max(std::sqrt(d.x * d.x + d.y * d.y), 1e-9);
      return {across * d.x, across * d.y, random.below(2) == 0 ? p.half().z : d.z * p.half().z};
    }
    case Kind::ellipsoid: {
      const Vec3 on = (1 / length) * d;
      return {on.x * p.half().x, on.y * p.half().y, on.z * p.half().z};
    }
    case Kind::cone: {
      const double across = p.radius() / std::max(std::sqrt(d.x * d.x + d.y * d.y), 1e-9), up = random.uniform(0, 1);
      return {(1 - up) * across * d.x, (1 - up) * across * d.y, (2 * up - 1) * p.half().z};
    }
    case Kind::plane:
    case Kind::half_space:
      return d - (d.x * p.normal().x + d.y * p.normal().y + d.z * p.normal().z - p.offset()) * p.normal();
    case Kind::triangle:
    case Kind::hull: {
      Vec3 sum;
      double all = 0;
      for (const Point3& point : p.points()) {
        const double share = std::pow(random.uniform(0, 1), 8);  // a few count
        sum = sum + share * point, all += share;
      }
      return (1 / all) * sum;
    }
  }
  return {};
}

TEST_P(EveryTwoKinds, NeverMissWhatSharesAPoint) {
  const auto [kind_a, kind_b] = GetParam();
  for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const Primitive a = test::random_primitive(random, kind_a, {scale, random.below(3) == 0}),
                    b = test::random_primitive(random, kind_b, {scale, random.below(3) == 0});
    const Pose pose_a = place(random, scale, {}, 1);
    const Pose turn = Pose::make(random.rotation(), {}).value();
    // The same point of the world in both, to the rounding of the poses.
    const Vec3 at_a = pose_a.apply(some_point(random, a)), at_b = turn.apply(some_point(random, b));
    const Pose pose_b = Pose::make(turn.rotation(), at_a - at_b).value();
    EXPECT_TRUE(within(a, pose_a, b, pose_b, 1e-15 * scale));
    const Distance d = distance(a, pose_a, b, pose_b);
    EXPECT_LE(d.lower, 1e-15 * scale);
    EXPECT_LE(d.value, resolution(a, pose_a, b, pose_b));
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Kind a : test::k_kinds)
    for (const Kind b : test::k_kinds)
      if (a <= b) cases.push_back({a, b});
  return cases;
}
std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = std::string(to_string(info.param.a)) + "_" + std::string(to_string(info.param.b));
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Primitives, EveryTwoKinds, testing::ValuesIn(all_cases()), name_of);

TEST(Primitives, ThinBodiesThatAllButTouchAreDecided) {
  // Bodies a million times as long as wide make slivers of simplices. This one had its bounds stay apart.
  expect_promises(Primitive::cylinder(0.001, 1).value(),
                  Pose::make({-0.66425983491028096, -0.24871001714115046, -0.57232476490590389, -0.41151739036645452},
                             {0.53821839094670931, 0.24580061505369089, -0.15706313312867115})
                      .value(),
                  Primitive::box({0.01, 0.001, 0.001}).value(),
                  Pose::make({-0.23791456108312414, -0.39623407730316818, -0.43976574133923291, 0.77006578313328933},
                             {0.057890198043162595, 0.17485678100491919, -0.26232337421876434})
                      .value(),
                  20);
  for (std::uint64_t seed = 0; seed < test::scaled(2000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto size = [&] { return std::pow(10.0, -double(random.below(7))); };
    const auto thin = [&](Kind kind) {
      const double x = size(), y = size(), z = size();
      return kind == Kind::box        ? Primitive::box({x, y, z}).value()
             : kind == Kind::cylinder ? Primitive::cylinder(x, z).value()
                                      : Primitive::capsule(x, z).value();
    };
    const std::array kinds{Kind::box, Kind::cylinder, Kind::capsule};
    const Primitive a = thin(kinds[random.below(3)]), b = thin(kinds[random.below(3)]);
    const Pose pose_a = random.pose(1);
    Pose pose_b = Pose::make(random.rotation(), pose_a.translation() + size() * random.point(-1, 1)).value();
    for (int step = 0; step < 3; ++step) {
      expect_promises(a, pose_a, b, pose_b, 20);
      const Distance d = distance(a, pose_a, b, pose_b);
      if (!(d.value > 0)) break;
      const double share = step == 0 ? 1 - 1e-6 : 1;
      pose_b = Pose::make(pose_b.rotation(), pose_b.translation() + share * (d.on_a - d.on_b)).value();
    }
  }
}

TEST(Primitives, BoxesAndHullsAgreeWithTheExactDistanceOfMeshes) {
  Scratch scratch;
  for (std::uint64_t seed = 0; seed < test::scaled(1000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const auto box = [&] { return test::random_primitive(random, Kind::box, {scale, false}); };
    const Primitive a = box(), b = box();
    const Pose pose_a = place(random, scale, {}, 0.5), pose_b = place(random, scale, {}, 1.2);
    const auto mesh_of = [](const Primitive& p) { return Shape(scenes::box(p.bounds().lo, p.bounds().hi)); };
    const Shape mesh_a = mesh_of(a), mesh_b = mesh_of(b);
    const double e = resolution(a, pose_a, b, pose_b);
    const Distance exact = distance(mesh_a, pose_a, mesh_b, pose_b, scratch);
    const Primitive hull_a = Primitive::hull(test::corners_of(a)).value(),
                    hull_b = Primitive::hull(test::corners_of(b)).value();
    const double value = distance(a, pose_a, b, pose_b).value;
    EXPECT_NEAR(distance(hull_a, pose_a, hull_b, pose_b).value, value, e);
    EXPECT_NEAR(distance(a, pose_a, hull_b, pose_b).value, value, e);
    // One inside the other has a distance as a surface and none as a solid.
    const auto inside = [e](const Primitive& p, const Pose& pose, const Pose& other) {
      const LongVec centre = test::wide(other.translation());
      return length(test::nearest(p, pose, centre) - centre) <= e;
    };
    if (value > 0) {
      EXPECT_NEAR(value, exact.value, e);
    } else if (exact.value > e) {
      EXPECT_TRUE(inside(a, pose_a, pose_b) || inside(b, pose_b, pose_a));
    }
    // The same box as a solid against the other's triangles.
    const Distance mixed = distance(a, pose_a, mesh_b, pose_b);
    if (mixed.value > 0 && exact.value > e && value > 0) {
      EXPECT_NEAR(mixed.value, exact.value, e);
    }
    if (exact.value == 0) {
      EXPECT_TRUE(intersects(a, pose_a, mesh_b, pose_b));
    }
  }
}

class EveryKind : public testing::TestWithParam<Kind> {};

TEST_P(EveryKind, AgainstAMeshAgreesWithAllItsTriangles) {
  std::size_t hits = 0, cases = 0;
  const std::array meshes{Shape(scenes::torus(1, 0.3, 14, 9)), Shape(scenes::box({-1, -1, -1}, {1, 1, 1})),
                          Shape(scenes::pipe(0.9, 0.6, 1.2, 12))};
  for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const Shape shape(test::scaled(meshes[random.below(meshes.size())].mesh(), scale));
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Primitive p =
        test::random_primitive(random, GetParam(), {scale * random.uniform(0.1, 1), random.below(3) == 0});
    const Pose pose = place(random, scale, far, 1.6), pose_mesh = place(random, scale, far, 0.3);
    const double e = resolution(p, pose, shape, pose_mesh);
    std::vector<std::uint32_t> met, expected_all, expected_some;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::uint32_t t = 0; t < shape.mesh().triangles().size(); ++t) {
      const Triangle corners = test::posed(shape.mesh().view().triangle(t), pose_mesh);
      const Primitive triangle = Primitive::hull(corners.corner).value();
      const double d = distance(p, pose, triangle, {}).value;
      smallest = std::min(smallest, d);
      if (d == 0) expected_all.push_back(t);
      if (d <= e) expected_some.push_back(t);
    }
    const Distance d = distance(p, pose, shape, pose_mesh), back = distance(shape, pose_mesh, p, pose);
    EXPECT_NEAR(d.value, smallest, e);
    EXPECT_LE(d.value - d.lower, e);
    EXPECT_EQ(d.value, back.value);
    EXPECT_EQ(d.on_a, back.on_b);
    EXPECT_EQ(d.triangle_b, back.triangle_a);
    ASSERT_LT(d.triangle_b, shape.mesh().triangles().size());
    EXPECT_NEAR(double(length(test::wide(d.on_b) - test::wide(d.on_a))), d.value, e);
    if (p.kind() != Kind::hull) {
      EXPECT_LE(double(length(test::nearest(p, pose, test::wide(d.on_a)) - test::wide(d.on_a))), e);
    }
    EXPECT_EQ(intersects(p, pose, shape, pose_mesh), intersects(shape, pose_mesh, p, pose));
    if (smallest == 0) {
      EXPECT_TRUE(intersects(p, pose, shape, pose_mesh));
    }
    if (smallest > e) {
      EXPECT_FALSE(intersects(p, pose, shape, pose_mesh));
    }
    EXPECT_TRUE(within(p, pose, shape, pose_mesh, smallest + e));
    if (smallest > 3 * e) {
      EXPECT_FALSE(within(p, pose, shape, pose_mesh, smallest - 2 * e));
    }
    triangles_meeting(p, pose, shape, pose_mesh, met);
    EXPECT_TRUE(std::ranges::includes(met, expected_all));
    EXPECT_TRUE(std::ranges::includes(expected_some, met));
    hits += smallest == 0 ? 1 : 0, ++cases;
  }
  // A triangle seldom meets another mesh: under slow sanitizers, in none of a few cases.
  if (test::scaled(100) >= 25) {
    EXPECT_GT(hits, 0U);
  }
  EXPECT_LT(hits, cases);
}

std::string name_of_kind(const testing::TestParamInfo<Kind>& info) {
  std::string name(to_string(info.param));
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Primitives, EveryKind, testing::ValuesIn(test::k_kinds), name_of_kind);

}  // namespace
}  // namespace snug
