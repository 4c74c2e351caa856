#include "count_allocations.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

// A Shape is a mesh or a primitive: what both can be asked, and how queries for triangles refuse primitives.

namespace snug {
namespace {

Shape cube() { return Shape(scenes::box({-1, -1, -1}, {1, 1, 1})); }
Shape ball(double radius = 1) { return Shape(Primitive::sphere(radius).value()); }
Shape ground() { return Shape(Primitive::half_space({0, 0, 1}).value()); }

/// Two bodies far apart, one of which at least is a primitive.
struct Case {
  Shape a, b;
};
std::vector<Case> cases() {
  return {{ball(), cube()}, {cube(), ball()}, {ball(), ball()}, {ground(), cube()}, {cube(), ground()}};
}
const Pose k_far = translation(0, 0, 50);

TEST(ShapeKinds, APrimitiveIsAShapeWithoutTriangles) {
  (void)ball();  // what all primitives share is made with the first
  const std::size_t before = test::allocations();
  const Shape shape = ball(2);
  const std::size_t made = test::allocations();
  const Shape copy = shape;
  const std::size_t copied = test::allocations();
  EXPECT_EQ(made, before + 1);
  EXPECT_EQ(copied, made);
  EXPECT_FALSE(shape.is_mesh());
  EXPECT_EQ(copy.primitive(), shape.primitive());
  EXPECT_EQ(shape.primitive()->radius(), 2);
  EXPECT_EQ(shape.bounds(), (Aabb{{-2, -2, -2}, {2, 2, 2}}));
  EXPECT_TRUE(shape.mesh().triangles().empty());
  EXPECT_TRUE(shape.mesh().vertices().empty());
  EXPECT_TRUE(shape.mesh().surfaces().empty());
  EXPECT_EQ(shape.mesh().surface_of(0), Mesh::k_no_surface);
  EXPECT_TRUE(cube().is_mesh());
  EXPECT_EQ(cube().primitive(), nullptr);
}

TEST(ShapeKinds, APrimitiveHasNothingToBuild) {
  const Shape shape = ball();
  EXPECT_TRUE(shape.prepare().has_value());
  EXPECT_TRUE(shape.prepare_for({.dops = true, .aligned = true}).has_value());
  CancelToken cancel;
  cancel.cancel();
  EXPECT_FALSE(shape.prepare({.cancel = &cancel}).has_value());
  EXPECT_EQ(shape.refit_cost(), 1);
  EXPECT_FALSE(shape.rebuild_advised());
  EXPECT_EQ(shape.rebuilt().primitive(), shape.primitive());
  EXPECT_EQ(shape.validate(), std::nullopt);
  EXPECT_EQ(shape.updated({}).error().code, MeshError::Code::vertex_count_differs);
  EXPECT_EQ(shape.updated({{0, 0, 0}}).error().code, MeshError::Code::vertex_count_differs);
  const Shape hull(Primitive::hull(std::vector<Point3>(100)).value());
  EXPECT_GT(hull.bytes(), shape.bytes() + 2000);
}

TEST(ShapeKinds, ListsOfTrianglesAndSurfacesRefusePrimitives) {
  Scratch scratch;
  for (const auto& [a, b] : cases())
    for (const Method method : {Method::surface, Method::brute, Method::dop, Method::dop_fixed}) {
      QueryOptions options{.method = method};
      if (method == Method::brute) options.surface.bounds = SurfaceSearch::Bounds::aligned;
      EXPECT_EQ(triangle_pairs(a, {}, b, k_far, scratch, options), std::vector{TrianglePair::refusal()});
      EXPECT_EQ(surface_pairs(a, {}, b, k_far, scratch, options), std::vector{SurfacePair::refusal()});
      EXPECT_EQ(first_pair(a, {}, b, k_far, scratch, options), TrianglePair::refusal());
      EXPECT_EQ(first_surface_pair(a, {}, b, k_far, scratch, options), SurfacePair::refusal());
      std::vector<TrianglePair> pairs;
      std::vector<SurfacePair> surfaces;
      const auto keep = [](auto& list) {
        return [&list](const auto& pair) {
          list.push_back(pair);
          return true;
        };
      };
      auto keep_pair = keep(pairs);
      auto keep_surface = keep(surfaces);
      visit_triangle_pairs(a, {}, b, k_far, scratch, keep_pair, options);
      visit_surface_pairs(a, {}, b, k_far, scratch, keep_surface, options);
      EXPECT_EQ(pairs, std::vector{TrianglePair::refusal()});
      EXPECT_EQ(surfaces, std::vector{SurfacePair::refusal()});
      EXPECT_EQ(try_triangle_pairs(a, {}, b, k_far, scratch, pairs, {}, options).because, Undecided::invalid_input);
      EXPECT_EQ(try_surface_pairs(a, {}, b, k_far, scratch, surfaces, {}, options).because, Undecided::invalid_input);
    }
}

TEST(ShapeKinds, ContactsMotionsAndVerdictsRefusePrimitives) {
  Scratch scratch;
  const Motion still = Motion::rest({}), beside = Motion::rest(k_far);
  for (const auto& [a, b] : cases()) {
    Contacts out;
    EXPECT_EQ(contacts(a, {}, b, k_far, scratch).error().code, ContactError::Code::not_a_mesh);
    EXPECT_EQ(contacts(a, {}, b, k_far, scratch, out).error().code, ContactError::Code::not_a_mesh);
    EXPECT_TRUE(out.touching()) << "nothing says that there is none";
    const Outcome<Answer> tried = try_contacts(a, {}, b, k_far, scratch, out, {}).value();
    EXPECT_EQ(tried.because, Undecided::invalid_input);
    EXPECT_EQ(contacts(a, {}, b, k_far, scratch).error().code, ContactError::Code::not_a_mesh);
    ContactTracker tracker, other;
    contacts(a, {}, b, k_far, tracker, out);
    EXPECT_TRUE(out.because == Undecided::invalid_input && out.touching());
    EXPECT_EQ(try_contacts(a, {}, b, k_far, tracker, out, {}).because, Undecided::invalid_input);
    EXPECT_GT(audit_rays(a, {}, b, k_far, tracker).erroneous(), 0U);
    const Shape mesh = cube();
    Contacts of_meshes;
    const TrackedPair pairs[] = {{&a, {}, &b, k_far, &tracker, &out}, {&mesh, {}, &mesh, k_far, &other, &of_meshes}};
    ContactBatch batch;
    batch.step(pairs);
    EXPECT_EQ(out.because, Undecided::invalid_input);
    EXPECT_FALSE(of_meshes.because);

    EXPECT_EQ(first_contact(a, still, b, beside, scratch).error().code, PathError::Code::not_a_mesh);
    EXPECT_EQ(check_path(a, still, b, beside).error().code, PathError::Code::not_a_mesh);
    EXPECT_FALSE(PathError{PathError::Code::not_a_mesh}.message().empty());
    EXPECT_FALSE(ContactError{ContactError::Code::not_a_mesh}.message().empty());
    const PairReport report = assess(a, {}, b, k_far);
    EXPECT_EQ(report.verdict, Verdict::undecided);
    EXPECT_FALSE(report.reason.empty());
    EXPECT_FALSE(separation_certificate(a, {}, b, k_far, scratch).has_value());
    EXPECT_TRUE(check(SeparationCertificate{}, a.mesh(), {}, b.mesh(), k_far).has_value());
    const ChipReport chip = chip_pairs(a, {}, b, k_far, scratch).value();
    EXPECT_EQ(chip.pairs, std::vector{TrianglePair::refusal()});
    EXPECT_FALSE(chip.fell_back.empty());
  }
}

TEST(ShapeKinds, AnAssemblyWithTheMeshOfAPrimitiveIsNotChecked) {
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({.path = "box", .mesh = cube().mesh(), .pose = {}}));
  ASSERT_TRUE(assembly.add({.path = "ball", .mesh = ball(0.5).mesh(), .pose = {}}));
  ASSERT_TRUE(assembly.add({.path = "other box", .mesh = cube().mesh(), .pose = k_far}));
  const std::vector<std::string> skipped{"ball"};
  const CheckReport report = check(assembly);
  EXPECT_EQ(report.coverage.parts_skipped, skipped);
  EXPECT_FALSE(report.coverage.complete);
  EXPECT_FALSE(report.cancelled);
  const std::vector<Motion> motions(3, Motion::rest({}));
  const PathReport path = check_path(assembly, motions).value();
  EXPECT_EQ(path.coverage.parts_skipped, skipped);
  EXPECT_FALSE(path.coverage.complete);
  EXPECT_FALSE(path.cancelled);
}

TEST(ShapeKinds, APrimitiveDoesNotMeetItself) {
  Scratch scratch;
  for (const Method method : {Method::surface, Method::brute}) {
    EXPECT_TRUE(self_intersections(ball(), scratch, {.method = method}).value().empty());
    EXPECT_FALSE(first_self_intersection(ball(), scratch, {.method = method}).value().has_value());
    bool any = false;
    const auto note = [&](const TrianglePair&) { return any = true; };
    visit_self_intersections(ball(), scratch, note, {.method = method}).value();
    EXPECT_FALSE(any);
  }
  EXPECT_FALSE(intersects_itself(ball(), scratch));
  EXPECT_TRUE(self_contacts(ball(), scratch).value().contacts.empty());
}

TEST(ShapeKinds, ATrackerAsksPrimitivesAnew) {
  Scratch scratch;
  for (const auto& [a, b] : cases()) {
    Tracker tracker(a, b);
    for (const double z : {50.0, 1.9, 0.5, -0.5, 3.0}) {
      SCOPED_TRACE(z);
      const Pose pose = translation(0.1, 0, z);
      const bool meet = intersects(a, {}, b, pose, scratch);
      EXPECT_EQ(tracker.intersects({}, pose), meet);
      EXPECT_EQ(tracker.try_intersects({}, pose, {}).yes(), meet);
      EXPECT_EQ(tracker.try_intersects({}, pose, {}).no(), !meet);
      EXPECT_EQ(tracker.within({}, pose, 1), within(a, {}, b, pose, 1, scratch));
      EXPECT_EQ(tracker.distance({}, pose).value, distance(a, {}, b, pose, scratch).value);
      EXPECT_EQ(tracker.try_distance({}, pose, {})->value, distance(a, {}, b, pose, scratch).value);
      EXPECT_EQ(tracker.known_apart({}, pose), 0);
      EXPECT_EQ(tracker.first_pair({}, pose), TrianglePair::refusal());
      std::vector<TrianglePair> pairs;
      tracker.triangle_pairs({}, pose, pairs);
      EXPECT_EQ(pairs, std::vector{TrianglePair::refusal()});
    }
    EXPECT_TRUE(tracker.intersects(Pose::invalid(), {}));
    EXPECT_EQ(tracker.try_intersects(Pose::invalid(), {}, {}).because, Undecided::invalid_input);
    tracker.set_shapes(cube(), cube());
    EXPECT_FALSE(tracker.intersects({}, k_far));
  }
}

TEST(ShapeKinds, BudgetsAreHeededBeforeAQueryOfPrimitivesBegins) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Scratch scratch;
  for (const auto& [a, b] : cases()) {
    CancelToken cancel;
    cancel.cancel();
    const std::array<std::pair<Budget, Undecided>, 3> spent{
        {{{.steps = 0}, Undecided::steps},
         {{.deadline = std::chrono::steady_clock::now()}, Undecided::deadline},
         {{.cancel = &cancel}, Undecided::cancelled}}};
    for (const auto& [budget, why] : spent) {
      EXPECT_EQ(try_intersects(a, {}, b, k_far, scratch, budget).because, why);
      EXPECT_EQ(try_within(a, {}, b, k_far, 1, scratch, budget).because, why);
      const Outcome<Distance> tried = try_distance(a, {}, b, k_far, scratch, budget);
      EXPECT_EQ(tried.because, why);
      EXPECT_FALSE(tried->complete);
      EXPECT_EQ(tried->lower, 0);
    }
    for (const double z : {50.0, 0.5, -0.5}) {
      const Pose pose = translation(0, 0, z);
      const Outcome<Answer> meet = try_intersects(a, {}, b, pose, scratch, {});
      EXPECT_EQ(meet.yes(), intersects(a, {}, b, pose, scratch));
      EXPECT_NE(meet.yes(), meet.no());
      EXPECT_FALSE(meet->pair.has_value());
      const Outcome<Answer> near = try_within(a, {}, b, pose, 10, scratch, {});
      EXPECT_EQ(near.yes(), within(a, {}, b, pose, 10, scratch));
      EXPECT_EQ(near->distance_at_least, near.no() ? 10 : 0);
      EXPECT_TRUE(try_within(a, {}, b, pose, -1, scratch, {}).no());
    }
    EXPECT_EQ(try_within(a, {}, b, k_far, nan, scratch, {}).because, Undecided::invalid_input);
    EXPECT_EQ(try_within(a, Pose::invalid(), b, k_far, 1, scratch, {}).because, Undecided::invalid_input);
    EXPECT_EQ(try_distance(a, {}, b, k_far, scratch, {}, {.enough = nan}).because, Undecided::invalid_input);
    EXPECT_TRUE(distance(a, {}, b, k_far, scratch, {.ignore_beyond = nan}).refused());
    // What need not be found may be.
    EXPECT_TRUE(distance(a, {}, b, k_far, scratch, {.ignore_beyond = 1}).found());
  }
}

TEST(ShapeKinds, TrianglesAreMetByMeshesAndPrimitives) {
  Scratch scratch;
  const Shape torus(scenes::torus(1, 0.3, 14, 9)), box = cube();
  const Pose pose = translation(1.4, 0.2, 0.1);
  std::vector<std::uint32_t> met, expected;
  for (const TrianglePair& pair : triangle_pairs(box, {}, torus, pose, scratch)) expected.push_back(pair.b);
  std::ranges::sort(expected);
  expected.erase(std::ranges::unique(expected).begin(), expected.end());
  triangles_meeting(box, {}, torus, pose, scratch, met);
  EXPECT_FALSE(met.empty());
  EXPECT_EQ(met, expected);
  triangles_meeting(box, {}, torus, k_far, scratch, met);
  EXPECT_TRUE(met.empty());
  triangles_meeting(torus, pose, ball(), {}, scratch, met);
  EXPECT_EQ(met, std::vector{TrianglePair::k_no_triangle});
}

TEST(ShapeKinds, ADistanceNamesTrianglesOfMeshesAlone) {
  Scratch scratch;
  const Distance to_mesh = distance(ball(), {}, cube(), k_far, scratch),
                 to_ball = distance(cube(), k_far, ball(), {}, scratch);
  EXPECT_TRUE(to_mesh.found() && to_mesh.complete && to_ball.found());
  EXPECT_EQ(to_mesh.triangle_a, Distance::k_no_triangle);
  EXPECT_LT(to_mesh.triangle_b, 12U);
  EXPECT_EQ(to_ball.triangle_a, to_mesh.triangle_b);
  EXPECT_EQ(to_ball.triangle_b, Distance::k_no_triangle);
  const Distance two = distance(ball(), {}, ball(), k_far, scratch);
  EXPECT_TRUE(two.found());
  EXPECT_EQ(two.triangle_a, Distance::k_no_triangle);
  EXPECT_EQ(two.triangle_b, Distance::k_no_triangle);
  EXPECT_FALSE(distance(cube(), {}, cube(), k_far, scratch, {.ignore_beyond = 1}).found());
  EXPECT_FALSE(Distance::refusal().found());
}

}  // namespace
}  // namespace snug
