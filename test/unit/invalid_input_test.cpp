#include "any_shape.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

// docs/conventions.md, "Invalid input": a question that has no answer gets a refusal, never "clear" and never an abort.

namespace snug {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN(), k_infinity = std::numeric_limits<double>::infinity();

Shape cube() { return Shape(scenes::box({-1, -1, -1}, {1, 1, 1})); }
const Triangle k_triangle{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}};
const Triangle k_far{{{{0, 0, 9}, {1, 0, 9}, {0, 1, 9}}}};

/// The triangle with one coordinate replaced.
Triangle spoilt(const Triangle& t, int coordinate, double value) {
  Triangle bad = t;
  Point3& corner = bad.corner[static_cast<std::size_t>(coordinate / 3)];
  (coordinate % 3 == 0 ? corner.x : coordinate % 3 == 1 ? corner.y : corner.z) = value;
  return bad;
}

TEST(InvalidInput, TrianglesWithANaNAreNeitherTouchingNorDisjoint) {
  for (const double value : {k_nan, k_infinity, -k_infinity})
    for (int coordinate = 0; coordinate < 9; ++coordinate) {
      SCOPED_TRACE(coordinate);
      const Triangle bad = spoilt(k_triangle, coordinate, value);
      for (const Triangle& other : {k_triangle, k_far, bad}) {
        EXPECT_EQ(relation(bad, other), Relation::invalid);
        EXPECT_EQ(relation(other, bad), Relation::invalid);
        EXPECT_EQ(intersection(bad, other).relation, Relation::invalid);
        EXPECT_EQ(intersection(other, bad).count, 0U);
        const ClosestPoints points = closest_points(other, bad);
        EXPECT_EQ(points.distance, -k_infinity);
        EXPECT_TRUE(std::isnan(points.on_a.x) && std::isnan(points.on_b.z));
      }
      EXPECT_TRUE(is_degenerate(bad));
      const auto hit = ray_hit({{0.2, 0.2, -1}, {0, 0, 1}}, bad);
      ASSERT_TRUE(hit.has_value());
      EXPECT_EQ(hit->kind, RayHitKind::invalid);
      EXPECT_EQ(orient3d(bad[0], bad[1], bad[2], {0, 0, 1}), 0);
    }
  EXPECT_EQ(to_string(Relation::invalid), "invalid");
  // Huge coordinates whose sum overflows are as good as others.
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(relation({{{{huge, 0, 0}, {huge, 1, 0}, {huge, 0, 1}}}}, {{{{huge, 0, 0}, {huge, 1, 0}, {huge, 0, 1}}}}),
            Relation::touching);
  EXPECT_EQ(closest_points(k_triangle, k_far).distance, 9);
}

TEST(InvalidInput, RaysAndPointsWithANaNAreRefused) {
  for (const Ray& bad :
       {Ray{{k_nan, 0, 0}, {0, 0, 1}}, Ray{{0, 0, 0}, {0, k_infinity, 1}}, Ray{{0, 0, 0}, {0, 0, 0}}}) {
    const auto hit = ray_hit(bad, k_triangle);
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->kind, RayHitKind::invalid);
    EXPECT_EQ(hit->t, -k_infinity);
  }
  EXPECT_EQ(orient2d({0, 0}, {1, k_nan}, {0, 1}), 0);
  EXPECT_EQ(orient2d({0, 0}, {k_infinity, 0}, {0, 1}), 0);
  EXPECT_EQ(orient3d({k_nan, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 0);
  const Mesh mesh = cube().mesh();
  EXPECT_EQ(locate({k_nan, 0, 0}, mesh.view()).side, Side::invalid);
  EXPECT_EQ(locate({0, 0, 0}, mesh.view()).side, Side::inside);
}

TEST(InvalidInput, ViewsOfVerticesThatAreNotThereAreRefused) {
  const std::vector<Point3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Index3> beyond{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4'000'000'000U}};
  EXPECT_FALSE(is_closed({vertices, beyond}));
  EXPECT_EQ(locate({0.1, 0.1, 0.1}, {vertices, beyond}).side, Side::invalid);
  std::vector<Index3> all = beyond;
  all[3] = {1, 2, 3};
  EXPECT_TRUE(is_closed({vertices, all}));
  std::vector<Point3> spoilt = vertices;
  spoilt[3].x = k_nan;
  EXPECT_FALSE(is_closed({spoilt, all}));
  EXPECT_EQ(locate({0.1, 0.1, 0.1}, {spoilt, all}).side, Side::invalid);
}

TEST(InvalidInput, IdsBeyondTheLastNameNothing) {
  const Mesh mesh = cube().mesh();
  EXPECT_EQ(mesh.surface_of(1'000'000), Mesh::k_no_surface);
  EXPECT_EQ(mesh.surface_of(12), Mesh::k_no_surface);
  EXPECT_LT(mesh.surface_of(11), 6U);
  EXPECT_TRUE(mesh.triangles_of(1'000'000).empty());
  EXPECT_TRUE(mesh.triangles_of(Mesh::k_no_surface).empty());
  EXPECT_EQ(mesh.triangles_of(5).size(), 2U);
}

class EveryMethod : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(InvalidInput, EveryMethod,
                         testing::Values(Method::surface, Method::brute, Method::dop, Method::dop_fixed),
                         [](const auto& method) { return std::string(to_string(method.param)); });

TEST_P(EveryMethod, RefusesAnInvalidPoseAndNeverSaysClear) {
  const Shape a = cube(), b = cube();
  const Pose far = translation(50, 0, 0), bad = translation(k_nan, 0, 0);
  Scratch scratch;
  const QueryOptions options{.method = GetParam(), .threads = 0};
  for (const auto& [pose_a, pose_b] : {std::pair(bad, far), std::pair(far, bad), std::pair(bad, bad)}) {
    EXPECT_TRUE(intersects(a, pose_a, b, pose_b, scratch, options));
    EXPECT_TRUE(within(a, pose_a, b, pose_b, 1, scratch, options));
    const auto first = first_pair(a, pose_a, b, pose_b, scratch, options);
    ASSERT_TRUE(first.has_value());
    EXPECT_TRUE(first->refused());
    EXPECT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, options), std::vector{TrianglePair::refusal()});
    EXPECT_EQ(surface_pairs(a, pose_a, b, pose_b, scratch, options), std::vector{SurfacePair::refusal()});
    EXPECT_TRUE(first_surface_pair(a, pose_a, b, pose_b, scratch, options)->refused());
    int visited = 0;
    visit_triangle_pairs(
        a, pose_a, b, pose_b, scratch, [&](const TrianglePair& p) { return ++visited, p.refused(); }, options);
    visit_surface_pairs(
        a, pose_a, b, pose_b, scratch, [&](const SurfacePair& p) { return ++visited, p.refused(); }, options);
    EXPECT_EQ(visited, 2);
    const Distance apart = distance(a, pose_a, b, pose_b, scratch, {}, options);
    EXPECT_TRUE(apart.refused());
    EXPECT_FALSE(apart.complete);
    EXPECT_FALSE(apart.found());
    EXPECT_EQ(apart.lower, -k_infinity);
    EXPECT_EQ(resolution(a, pose_a, b, pose_b), k_infinity);
  }
  // The next question is answered as if nothing had been.
  EXPECT_FALSE(intersects(a, {}, b, far, scratch, options));
  EXPECT_TRUE(within(a, {}, b, far, k_nan, scratch, options)) << "a NaN clearance is refused";
  EXPECT_FALSE(within(a, {}, b, {}, -1, scratch, options)) << "and a negative one never met";
  EXPECT_TRUE(distance(a, {}, b, far, scratch, {.ignore_beyond = k_nan}, options).refused());
  EXPECT_TRUE(distance(a, {}, b, far, scratch, {.enough = k_nan}, options).refused());
  EXPECT_EQ(distance(a, {}, b, far, scratch, {}, options).value, 48);
}

TEST(InvalidInput, BudgetsAndTrackersAreUndecided) {
  const Shape a = cube(), b = cube();
  const Pose far = translation(50, 0, 0), bad = rotation({0, 0, 0}, 1);
  Scratch scratch;
  const auto invalid = std::optional(Undecided::invalid_input);
  EXPECT_EQ(try_intersects(a, bad, b, far, scratch, {}).because, invalid);
  EXPECT_EQ(try_within(a, far, b, bad, 1, scratch, {}).because, invalid);
  EXPECT_EQ(try_within(a, {}, b, far, k_nan, scratch, {}).because, invalid);
  EXPECT_EQ(try_within(a, bad, b, far, -1, scratch, {}).because, invalid);
  EXPECT_TRUE(try_within(a, {}, b, far, -1, scratch, {}).no());
  EXPECT_EQ(try_distance(a, bad, b, far, scratch, {}).because, invalid);
  std::vector<TrianglePair> pairs;
  std::vector<SurfacePair> surfaces;
  EXPECT_EQ(try_triangle_pairs(a, bad, b, far, scratch, pairs, {}).because, Undecided::invalid_input);
  EXPECT_EQ(try_surface_pairs(a, bad, b, far, scratch, surfaces, {}).because, Undecided::invalid_input);
  EXPECT_EQ(to_string(Undecided::invalid_input), "invalid input");

  Tracker tracker(a, b);
  EXPECT_EQ(tracker.distance({}, far).value, 48);
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(tracker.intersects({}, bad));
    EXPECT_TRUE(tracker.first_pair(bad, far)->refused());
    EXPECT_TRUE(tracker.within(bad, far, 1));
    EXPECT_TRUE(tracker.within({}, far, k_nan));
    EXPECT_TRUE(tracker.distance(bad, bad).refused());
    EXPECT_EQ(tracker.known_apart(bad, far), 0);
    EXPECT_EQ(tracker.try_distance(bad, far, {}).because, invalid);
    EXPECT_EQ(tracker.try_intersects(bad, far, {}).because, invalid);
    tracker.triangle_pairs(bad, far, pairs);
    EXPECT_EQ(pairs, std::vector{TrianglePair::refusal()});
    EXPECT_FALSE(tracker.intersects({}, far)) << "what was refused is not remembered";
    EXPECT_EQ(tracker.distance({}, far).value, 48);
  }
}

TEST(InvalidInput, PrimitivesAndCastsRefuse) {
  using test::cast_ray, test::cast_shape, test::distance, test::intersects, test::ray_meets, test::resolution,
      test::triangles_meeting, test::within;
  const Primitive ball = Primitive::sphere(1).value(), ground = Primitive::half_space({0, 0, 1}).value();
  const Shape mesh = cube();
  const Pose far = translation(50, 0, 50), bad = translation(0, k_infinity, 0);
  for (const Primitive& other : {ball, ground}) {
    EXPECT_TRUE(intersects(ball, bad, other, far));
    EXPECT_TRUE(within(ball, far, other, bad, 1));
    EXPECT_TRUE(distance(ball, far, other, bad).refused());
    EXPECT_EQ(resolution(ball, far, other, bad), k_infinity);
    EXPECT_TRUE(intersects(other, bad, mesh, far));
    EXPECT_TRUE(within(mesh, bad, other, far, 1));
    EXPECT_TRUE(distance(mesh, far, other, bad).refused());
    EXPECT_EQ(resolution(other, bad, mesh, far), k_infinity);
    std::vector<std::uint32_t> triangles;
    triangles_meeting(other, bad, mesh, {}, triangles);
    EXPECT_EQ(triangles, std::vector{TrianglePair::k_no_triangle});
  }
  const Ray ray{{0, 0, 9}, {0, 0, -1}};
  const Vec3 down{0, 0, -9};
  using Code = CastError::Code;
  EXPECT_EQ(cast_ray(ray, mesh, bad).error().code, Code::bad_pose);
  EXPECT_EQ(cast_ray(ray, ball, bad).error().code, Code::bad_pose);
  EXPECT_EQ(ray_meets(ray, mesh, bad).error().code, Code::bad_pose);
  EXPECT_EQ(ray_meets(ray, ball, bad).error().code, Code::bad_pose);
  EXPECT_EQ(cast_shape(mesh, bad, down, mesh, {}).error().code, Code::bad_pose);
  EXPECT_EQ(cast_shape(mesh, {}, down, mesh, bad).error().code, Code::bad_pose);
  EXPECT_EQ(cast_shape(mesh, {}, down, ball, bad).error().code, Code::bad_pose);
  EXPECT_EQ(cast_shape(ball, bad, down, mesh, {}).error().code, Code::bad_pose);
  EXPECT_EQ(cast_shape(ball, {}, down, ball, bad).error().code, Code::bad_pose);
  EXPECT_EQ(CastError{Code::bad_pose}.message(), "a pose is not valid");
}

TEST(InvalidInput, ContactsCertificatesAndAssembliesRefuse) {
  const Shape a = cube(), b = cube();
  const Pose far = translation(50, 0, 0), bad = Pose::invalid();
  Scratch scratch;
  Contacts out;
  EXPECT_EQ(contacts(a, bad, b, far, scratch, out).error().code, ContactError::Code::bad_pose);
  EXPECT_TRUE(out.touching()) << "nothing says that there is none";
  ContactTracker tracker;
  contacts(a, bad, b, far, tracker, out);
  EXPECT_EQ(out.because, Undecided::invalid_input);
  EXPECT_TRUE(out.touching());
  contacts(a, {}, b, far, tracker, out);
  EXPECT_FALSE(out.because);
  EXPECT_FALSE(out.touching());
  ContactTracker other;
  Contacts of_other;
  const TrackedPair pairs[] = {{&a, {}, &b, bad, &tracker, &out}, {&a, {}, &b, {}, &other, &of_other}};
  ContactBatch batch;
  batch.step(pairs);
  EXPECT_EQ(out.because, Undecided::invalid_input);
  EXPECT_FALSE(of_other.because);
  EXPECT_TRUE(of_other.touching());
  EXPECT_GT(audit_rays(a, bad, b, far, tracker).erroneous(), 0U);

  EXPECT_FALSE(separation_certificate(a, {}, b, bad, scratch).has_value());
  const auto proof = separation_certificate(a, {}, b, far, scratch);
  ASSERT_TRUE(proof.has_value());
  EXPECT_FALSE(check(*proof, a.mesh(), {}, b.mesh(), far).has_value());
  EXPECT_EQ(check(*proof, a.mesh(), {}, b.mesh(), bad), "a pose is not valid");
  EXPECT_EQ(turning_deviation(1, {}, bad), k_infinity);
  EXPECT_EQ(turning_deviation(k_nan, {}, {}), k_infinity);

  Assembly assembly(LengthUnit::millimetre);
  EXPECT_EQ(assembly.add({"a", a.mesh(), bad}).error().code, AssemblyError::Code::bad_pose);
  (void)assembly.add({"a", a.mesh(), far}).value();
  EXPECT_EQ(assembly.place(0, bad).error().message(), "the pose of part 'a' is not valid");
  EXPECT_EQ(assembly.place(7, far).error().code, AssemblyError::Code::no_part);
  EXPECT_EQ(assembly.parts()[0].pose, far) << "as it was";
}

TEST(MovedFrom, MeshesShapesPrimitivesAndScratchesStayGood) {
  Mesh mesh = scenes::box({-1, -1, -1}, {1, 1, 1});
  Shape shape(std::move(mesh));
  EXPECT_EQ(mesh.triangles().size(), 12U);
  const Shape taken = std::move(shape);
  Scratch scratch;
  Scratch other = std::move(scratch);
  EXPECT_TRUE(intersects(shape, {}, taken, {}, scratch));
  EXPECT_TRUE(intersects(shape, {}, taken, {}, other));
  const std::vector<Point3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Primitive hull = Primitive::hull(corners).value();
  const Primitive copy = std::move(hull);
  EXPECT_EQ(hull.points().size(), copy.points().size());
  EXPECT_TRUE(test::intersects(hull, {}, copy, {}));
  Scene scene;
  (void)scene.add(shape).value();
  SceneScratch of_scene;
  SceneScratch moved = std::move(of_scene);
  std::vector<BodyPair> pairs;
  scene.intersecting_pairs(of_scene, pairs).value();
  scene.intersecting_pairs(moved, pairs).value();
}

TEST(InvalidInput, MotionsRefuseInvalidPoses) {
  const Pose bad = translation(k_nan, 0, 0);
  ASSERT_FALSE(bad.is_valid());
  for (const std::size_t key : {0U, 1U}) {
    std::vector<PoseKey> keys{{0, {}}, {1, translation(5, 0, 0)}};
    keys[key].pose = bad;
    const auto motion = Motion::make(keys);
    ASSERT_FALSE(motion);
    EXPECT_EQ(motion.error().code, MotionError::Code::bad_pose);
    EXPECT_EQ(motion.error().key, key);
  }
  EXPECT_EQ(Motion::rest({}).then(1, bad).error().code, MotionError::Code::bad_pose);
  EXPECT_EQ(Motion::rest(bad).then(1, Pose{}).error().key, 0U);

  // What rests nowhere is not apart from everything.
  const Shape shape = cube();
  Scratch scratch;
  const auto contact = first_contact(shape, Motion::rest(bad), shape, Motion::rest({}), scratch);
  ASSERT_FALSE(contact);
  EXPECT_EQ(contact.error().code, PathError::Code::bad_coordinate);
  EXPECT_NE(contact.error().message().find("its pose is not valid"), std::string::npos);
  EXPECT_FALSE(Motion::rest({}).placed_by(bad).at(0).is_valid());
}

TEST(InvalidInput, MotionsAreNowhereAtNoTime) {
  const auto motion = Motion::make({{0, {}}, {1, translation(5, 0, 0)}}).value();
  EXPECT_FALSE(motion.at(k_nan).is_valid());
  EXPECT_FALSE(Motion::rest({}).at(k_nan).is_valid());
  EXPECT_EQ(travel(motion, {}, k_nan, 1).length, k_infinity);
  EXPECT_EQ(travel(motion, {}, 0, k_nan).radians, k_infinity);
  EXPECT_EQ(travel(motion, {}, 0, 1).length, 5);

  const auto vertices = VertexMotion::make({{0, {{0, 0, 0}}}, {1, {{1, 0, 0}}}}).value();
  std::vector<Point3> at(1);
  vertices.at(k_nan, at);
  EXPECT_FALSE(at[0].is_finite());
}

#if SNUG_ASSERTS
TEST(MovedFromDeath, TrackersAndScenesSaySo) {
  const Shape shape = cube();
  Tracker tracker(shape, shape);
  const Tracker taken = std::move(tracker);
  EXPECT_DEATH((void)tracker.intersects({}, {}), "Tracker is used after it was moved from");
  ContactTracker contact_tracker;
  const ContactTracker other = std::move(contact_tracker);
  EXPECT_DEATH((void)contacts(shape, {}, shape, {}, contact_tracker), "ContactTracker is used after it was moved from");
  Scene scene;
  const Scene whole = std::move(scene);
  EXPECT_DEATH((void)scene.size(), "Scene is used after it was moved from");
}
#endif

}  // namespace
}  // namespace snug
