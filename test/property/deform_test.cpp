#include "aligned_support.hpp"
#include "scenes/deforming.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

// Bodies that change their form: refitted and rebuilt trees held to brute force, step after step.

namespace snug {
namespace {

/// Both shapes find what brute force finds, on every instruction set, in both orders, with threads.
void expect_brute(const Shape& moving, const Shape& still, const Pose& pose, Scratch& scratch, std::size_t& hits) {
  const auto expected = triangle_pairs(moving, {}, still, pose, scratch, {.method = Method::brute});
  hits += expected.empty() ? 0 : 1;
  for (const auto instructions : {Instructions::scalar, Instructions::best})
    ASSERT_EQ(triangle_pairs(moving, {}, still, pose, scratch, {.instructions = instructions}), expected);
  ASSERT_EQ(triangle_pairs(moving, {}, still, pose, scratch, {.threads = 3}), expected);
  auto other_way = triangle_pairs(still, pose, moving, {}, scratch);
  for (TrianglePair& pair : other_way) std::swap(pair.a, pair.b);
  std::ranges::sort(other_way);
  ASSERT_EQ(other_way, expected);
  ASSERT_EQ(intersects(moving, {}, still, pose, scratch), !expected.empty());
  if (!expected.empty()) {
    ASSERT_EQ(distance(moving, {}, still, pose, scratch).value, 0);
  }
}

/// Refits step after step, on one and on several threads, beside a new tree for every step.
template <class Form>
void follow(const Form& form, const Shape& still, const Pose& pose, std::uint64_t steps) {
  Scratch scratch;
  Shape refitted(form.mesh()), threaded(form.mesh(), {.threads = 3});
  std::size_t hits = 0;
  for (std::uint64_t step = 1; step <= steps; ++step) {
    SCOPED_TRACE(step);
    refitted = refitted.updated(form.at(0.07 * static_cast<double>(step))).value();
    threaded = threaded.updated(form.at(0.07 * static_cast<double>(step))).value();
    ASSERT_EQ(refitted.validate(), std::nullopt);
    expect_brute(refitted, still, pose, scratch, hits);
    const Shape rebuilt = refitted.rebuilt();
    ASSERT_TRUE(rebuilt.mesh().same_data(refitted.mesh()));
    expect_brute(rebuilt, still, pose, scratch, hits);
    ASSERT_EQ(refitted.refit_cost(), threaded.refit_cost()) << "the same for every thread count";
    ASSERT_EQ(triangle_pairs(threaded, {}, still, pose, scratch), triangle_pairs(rebuilt, {}, still, pose, scratch));
    ASSERT_EQ(self_intersections(refitted, scratch).value(),
              self_intersections(rebuilt, scratch, {.method = Method::brute}).value());
    ASSERT_EQ(rebuilt.refit_cost(), 1);
    ASSERT_FALSE(rebuilt.rebuild_advised());
  }
  EXPECT_GE(hits, steps / 2) << "they must meet now and then";
}

TEST(Deforming, AClothWavesOverABody) {
  const Shape body(scenes::torus(0.6, 0.25, 24, 12));
  follow(scenes::Cloth(22), body, translation(0.05, 0.1, -0.2), test::scaled(120));
}

TEST(Deforming, ASolidBreathesAgainstAnotherAndInside) {
  const Shape box(scenes::box({-0.9, -0.8, -0.9}, {0.9, 0.8, 0.9}));
  follow(scenes::Breathing(14, 20), box, {}, test::scaled(60));
  const Shape pipe(scenes::pipe(1.2, 1.0, 2.2, 40));
  follow(scenes::Breathing(14, 20), pipe, Pose::make({0.9, 0.1, 0.3, 0.2}, {0.1, 0, -1}).value(), test::scaled(60));
}

TEST(Deforming, ABarTwists) {
  const Shape body(scenes::bumpy_knot(60, 6));
  follow(scenes::Twisting(30, 6), body, translation(0.2, 0.1, 0), test::scaled(60));
}

TEST(Deforming, MovingAsAWholeOrGrowingCostsNothing) {
  const Shape knot(scenes::bumpy_knot(200, 12));
  EXPECT_EQ(knot.refit_cost(), 1);
  const Pose pose = Pose::make({0.5, 0.1, -0.3, 0.8}, {100, -20, 5}).value();
  std::vector<Point3> turned, grown;
  for (const Point3& p : knot.mesh().vertices()) turned.push_back(pose.apply(p)), grown.push_back(37.0 * p);
  EXPECT_NEAR(knot.updated(turned).value().refit_cost(), 1, 0.05);
  EXPECT_NEAR(knot.updated(grown).value().refit_cost(), 1, 1e-3);
}

TEST(Deforming, NeighboursThatPartMakeARebuildWorthIt) {
  // Every triangle goes somewhere else: no box of the old tree means anything.
  scenes::Random random(4);
  const Mesh soup = test::soup(random, 3000);
  std::vector<Point3> vertices(soup.vertices().begin(), soup.vertices().end());
  for (std::size_t t = 0; t < soup.triangles().size(); ++t) {
    const Vec3 away = random.point(-1, 1);
    for (const std::uint32_t v : soup.triangles()[t]) vertices[v] = vertices[v] + away;
  }
  const Shape refitted = Shape(soup).updated(vertices).value();
  EXPECT_GT(refitted.refit_cost(), 2);
  EXPECT_TRUE(refitted.rebuild_advised());
  const Shape rebuilt = refitted.rebuilt();
  EXPECT_FALSE(rebuilt.rebuild_advised());
  EXPECT_EQ(rebuilt.validate(), std::nullopt);
  // Refits of refits are held to the tree that was built.
  EXPECT_EQ(refitted.updated({soup.vertices().begin(), soup.vertices().end()}).value().refit_cost(), 1);
  Scratch scratch;
  const auto pairs = triangle_pairs(rebuilt, {}, Shape(soup), {}, scratch);
  EXPECT_EQ(triangle_pairs(refitted, {}, Shape(soup), {}, scratch), pairs);
}

TEST(Deforming, EveryMethodSeesTheNewVertices) {
  // All trees there are belong to the old vertices when the new ones come.
  const Shape ball(scenes::sphere(1, 16, 24)), other(scenes::torus(1.2, 0.3, 20, 10));
  Scratch scratch;
  std::vector<QueryOptions> ways(5);
  ways[1].method = Method::brute, ways[2].method = Method::dop, ways[3].method = Method::dop_fixed;
  ways[4].surface.bounds = SurfaceSearch::Bounds::aligned;
  for (const QueryOptions& way : ways) (void)triangle_pairs(ball, {}, other, {}, scratch, way);
  (void)assess(ball, {}, other, {});
  std::size_t before = 0;
  for (const double factor : {0.5, 0.95, 1.3}) {
    SCOPED_TRACE(factor);
    std::vector<Point3> vertices;
    for (const Point3& p : ball.mesh().vertices()) vertices.push_back({factor * p.x, p.y + factor * p.z, factor * p.z});
    const Shape moved = ball.updated(vertices).value();
    const auto expected = triangle_pairs(moved, {}, other, {}, scratch, ways[1]);
    EXPECT_NE(expected.size(), before);
    before = expected.size();
    for (const QueryOptions& way : ways) EXPECT_EQ(triangle_pairs(moved, {}, other, {}, scratch, way), expected);
    EXPECT_EQ(assess(moved, {}, other, {}).verdict, assess(Shape(moved.mesh()), {}, other, {}).verdict);
  }
}

TEST(Deforming, WithoutAreaThereIsNothingToAdvise) {
  const Shape point(Mesh::build({{{1, 2, 3}}, std::vector<Index3>(20, Index3{0, 0, 0}), {}, {}}).value());
  EXPECT_EQ(point.refit_cost(), 1);
  EXPECT_EQ(point.updated({{4, 5, 6}}).value().refit_cost(), 1);
  const Shape flat(scenes::sphere(1, 8, 10));
  const std::vector<Point3> nowhere(flat.mesh().vertices().size(), Point3{1, 1, 1});
  EXPECT_EQ(flat.updated(nowhere).value().refit_cost(), 1);
}

TEST(Deforming, BadVerticesAreErrors) {
  const Shape box(scenes::box({0, 0, 0}, {1, 1, 1}));
  const std::vector<Point3> good(box.mesh().vertices().begin(), box.mesh().vertices().end());
  using Code = MeshError::Code;
  const auto code = [&](std::vector<Point3> vertices) {
    const auto updated = box.updated(std::move(vertices));
    EXPECT_FALSE(updated.has_value());
    return updated.has_value() ? Code::empty : updated.error().code;
  };
  EXPECT_EQ(code({}), Code::vertex_count_differs);
  EXPECT_EQ(code({good.begin(), good.end() - 1}), Code::vertex_count_differs);
  std::vector<Point3> more = good;
  more.push_back({0, 0, 0});
  EXPECT_EQ(code(more), Code::vertex_count_differs);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<Point3> vertices = good;
    vertices[3].y = bad;
    EXPECT_EQ(code(vertices), Code::non_finite_vertex);
    EXPECT_EQ(box.updated(vertices).error().element, 3U);
  }
  std::vector<Point3> far = good;
  far[1].x = 1e300;
  EXPECT_EQ(code(far), Code::vertex_too_large);
  EXPECT_TRUE(box.updated(good));
}

TEST(Deforming, PreparingCanBeWatchedAndEnded) {
  const Mesh mesh = scenes::bumpy_knot(400, 24);
  for (const unsigned threads : {1U, 3U}) {
    const Shape shape(mesh, {.threads = threads});
    CancelToken token;
    token.cancel();
    EXPECT_FALSE(shape.prepare({.cancel = &token}));
    std::vector<double> told;
    CancelToken later;
    // In the midst of it.
    EXPECT_FALSE(shape.prepare({&later, [&](double fraction) {
                                  if (fraction > 0) later.cancel();
                                }}));
    EXPECT_TRUE(shape.prepare({nullptr, [&](double fraction) { told.push_back(fraction); }}));
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_TRUE(shape.prepare({.cancel = &token})) << "there is nothing left to do";
    EXPECT_EQ(shape.validate(), std::nullopt);
  }
}

}  // namespace
}  // namespace snug
