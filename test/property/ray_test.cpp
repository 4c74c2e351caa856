#include "contact/ray_target.hpp"
#include "device/ray_stackless.hpp"
#include "query/raycast/line_hit.hpp"
#include "query/raycast/line_walk.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "shape/trees.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

// Rays by the tree held to the exact test of ray_hit() on every triangle: same triangle, same bits of t, for every instruction
// set and for the stackless form; rays at edges and corners among them, which must not leak.

namespace snug {
namespace {

using scenes::Random;

struct Found {
  double t = std::numeric_limits<double>::infinity();
  std::uint32_t triangle = RayCastHit::k_none;
  bool from_inside = false;
  friend bool operator==(const Found&, const Found&) = default;
};

/// Takes a hit if it is nearer, or as near and of a smaller id.
void offer(const Ray& ray, const Triangle& t, std::uint32_t id, double t_max, Found& best) {
  const auto hit = ray_hit(ray, t);
  if (!hit || !(hit->t <= t_max)) return;
  if (hit->t < best.t || (hit->t == best.t && id < best.triangle)) best = {hit->t, id, hit->from_inside};
}

Triangle posed_triangle(const Mesh& mesh, const Pose& pose, std::uint32_t t) {
  return test::posed(mesh.view().triangle(t), pose);
}

Found judged(const Ray& ray, const Mesh& mesh, const Pose& pose, double t_max) {
  Found best;
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) offer(ray, posed_triangle(mesh, pose, t), t, t_max, best);
  return best;
}

Found by_tree(const Ray& ray, const Shape& shape, const Pose& pose, double t_max, Instructions instructions) {
  Found best;
  query::LineReach reach{.ahead = t_max};
  const query::LineWalk walk(shape, pose, query::kernels_for(instructions));
  EXPECT_TRUE(walk.run(ray, reach, [&](std::uint32_t t, query::LineReach& left) {
    offer(ray, posed_triangle(shape.mesh(), pose, t), t, t_max, best);
    left.ahead = std::min(left.ahead, best.t);
  }));
  return best;
}

Found by_search(const Ray& ray, const Shape& shape, const Pose& pose, double t_max, Instructions instructions) {
  query::FirstHitSearch search;
  search.ray = ray, search.t_max = t_max;
  EXPECT_TRUE(query::LineWalk(shape, pose, query::kernels_for(instructions)).run(search));
  if (search.triangle == query::FirstHitSearch::k_none) return {};
  EXPECT_EQ(search.surface, shape.mesh().surface_of(search.triangle));
  EXPECT_EQ((Triangle{{search.corner[0], search.corner[1], search.corner[2]}}),
            posed_triangle(shape.mesh(), pose, search.triangle));
  return {search.t, search.triangle, search.from_inside};
}

Found stackless(const Ray& ray, const Shape& shape, const std::vector<device::StacklessBox>& boxes, const Pose& pose,
                double t_max) {
  using namespace detail;
  Found best;
  const LineWalk lines(shape, pose, kernels_for(Instructions::best));
  RayWalk walk;
  LineWalk::Start start;
  if (!lines.prepare(ray, walk, start)) return best;
  LineReach reach{.ahead = t_max};
  LineWalk::narrow(start, reach, walk);
  const ObbTree& tree = Access::data(shape).get<ObbTree>();
  walk_stackless(boxes.data(), static_cast<std::uint32_t>(boxes.size()), walk, [&](std::uint32_t block) {
    for (std::uint32_t l = 0; l < tree.blocks[block].count; ++l) {
      const std::uint32_t t = tree.blocks[block].id[l];
      offer(ray, posed_triangle(shape.mesh(), pose, t), t, t_max, best);
    }
    reach.ahead = std::min(reach.ahead, best.t);
    LineWalk::narrow(start, reach, walk);
  });
  return best;
}

struct Case {
  const char* name;
  Mesh mesh;
};

std::vector<Case> cases() {
  return {{"box", scenes::box({-1, -2, -3}, {1, 2, 3})},
          {"sphere", scenes::sphere(1, 9, 14)},
          {"pipe", scenes::pipe(1, 0.9, 2, 24)},
          {"knot", scenes::bumpy_knot(40, 9)}};
}

/// A point of a triangle: a corner, the middle of a side, or anywhere.
Point3 some_point(const Triangle& t, Random& random) {
  const auto mix = [&](double u, double v) { return t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]); };
  switch (random.below(3)) {
    case 0:
      return t[random.below(3)];
    case 1:
      return mix(0.5, 0);
    default:
      return mix(random.uniform(0, 0.5), random.uniform(0, 0.5));
  }
}

/// Rays of every kind at a posed mesh: from anywhere, from afar, along axes, at and from corners and sides.
Ray some_ray(const Mesh& mesh, const Pose& pose, Random& random) {
  const auto t = static_cast<std::uint32_t>(random.below(mesh.triangles().size()));
  const Point3 at = some_point(posed_triangle(mesh, pose, t), random);
  Point3 from = pose.apply(random.point(-2, 2));
  if (random.below(4) == 0) from = pose.apply(random.point(-1e5, 1e5));
  if (random.below(4) == 0) from = pose.apply(mesh.vertices()[random.below(mesh.vertices().size())]);
  if (random.below(5) == 0) {
    const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    return {from, axis[random.below(3)]};
  }
  const Vec3 way = at - from;
  return {from, way == Vec3{} ? Vec3{0, 0, 1} : random.uniform(0.001, 5) * way};
}

TEST(RayTree, HitsWhatTheExactTestHits) {
  for (const Case& c : cases()) {
    const Shape shape(c.mesh);
    ASSERT_EQ(bvh::validate(detail::Access::data(shape).get<bvh::RayBvh>(),
                            detail::Access::data(shape).get<bvh::ObbTree>(), c.mesh),
              std::nullopt);
    const auto boxes = device::flatten(detail::Access::data(shape).get<bvh::RayBvh>());
    std::uint64_t hits = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(8000); ++seed) {
      SCOPED_TRACE(std::string(c.name) + " seed " + std::to_string(seed));
      Random random(seed);
      const Pose pose = seed % 3 == 0 ? Pose() : random.pose(seed % 7 == 0 ? 1e6 : 3);
      const Ray ray = some_ray(c.mesh, pose, random);
      const double t_max = random.below(3) == 0 ? random.uniform(0, 1) : std::numeric_limits<double>::infinity();
      const Found expected = judged(ray, c.mesh, pose, t_max);
      hits += expected.triangle != RayCastHit::k_none ? 1 : 0;
      for (const Instructions instructions : {Instructions::scalar, Instructions::sse2, Instructions::best}) {
        ASSERT_EQ(by_tree(ray, shape, pose, t_max, instructions), expected);
        ASSERT_EQ(by_search(ray, shape, pose, t_max, instructions), expected);
      }
      ASSERT_EQ(stackless(ray, shape, boxes, pose, t_max), expected);
      const auto cast = cast_ray(ray, shape, pose, t_max).value();
      ASSERT_EQ(cast.has_value(), expected.triangle != RayCastHit::k_none);
      if (cast) {
        ASSERT_EQ(cast->triangle, expected.triangle);
        ASSERT_EQ(cast->t, expected.t);
        ASSERT_EQ(cast->from_inside, expected.from_inside);
      }
      ASSERT_EQ(ray_meets(ray, shape, pose, t_max).value(), cast.has_value());
    }
    EXPECT_GT(hits, test::scaled(8000) / 4) << c.name;
  }
}

TEST(RayTree, NothingLeaksOutOfAClosedBody) {
  // From inside, at every corner and at points of every side: there is a hit, no later than where the ray was aimed.
  const Mesh mesh = scenes::sphere(1, 12, 18);
  const Shape shape(mesh);
  Random random(5);
  for (const double size : {1.0, 1e-7, 1e7}) {
    std::vector<Point3> vertices(mesh.vertices().begin(), mesh.vertices().end());
    for (Point3& v : vertices) v = size * v;
    const Shape scaled = shape.updated(std::move(vertices)).value();
    const TriangleMeshView view = scaled.mesh().view();
    for (std::uint32_t t = 0; t < view.triangles.size(); ++t) {
      const Triangle triangle = view.triangle(t);
      const Point3 from = (0.3 * size) * random.point(-1, 1);
      for (int k = 0; k < 6; ++k) {
        const Point3 &p = triangle[k % 3], &q = triangle[(k + 1) % 3];
        const Vec3 way = (k < 3 ? p : p + random.uniform(0, 1) * (q - p)) - from;
        const auto hit = cast_ray({from, way}, scaled, {}).value();
        ASSERT_TRUE(hit.has_value()) << size << " " << t << " " << k;
        ASSERT_TRUE(hit->from_inside);
        ASSERT_LE(hit->t, 1 + 1e-9);
      }
    }
  }
}

TEST(RayTree, FollowsABodyThatIsDeformed) {
  const Mesh mesh = scenes::bumpy_knot(30, 8);
  Shape shape(mesh);
  for (int step = 1; step < 5; ++step) {
    std::vector<Point3> vertices(mesh.vertices().begin(), mesh.vertices().end());
    for (Point3& v : vertices) v.z += 0.1 * step * v.x * v.x;
    shape = shape.updated(std::move(vertices)).value();
    ASSERT_EQ(bvh::validate(detail::Access::data(shape).get<bvh::RayBvh>(),
                            detail::Access::data(shape).get<bvh::ObbTree>(), shape.mesh()),
              std::nullopt);
    bvh::RayBvh again = bvh::build_ray_bvh(detail::Access::data(Shape(mesh)).get<bvh::ObbTree>(), mesh);
    bvh::refit_ray_bvh(again, detail::Access::data(shape).get<bvh::ObbTree>(), shape.mesh());
    ASSERT_EQ(bvh::validate(again, detail::Access::data(shape).get<bvh::ObbTree>(), shape.mesh()), std::nullopt);
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
      Random random(seed);
      const Ray ray = some_ray(shape.mesh(), {}, random);
      ASSERT_EQ(by_tree(ray, shape, {}, 10, Instructions::best), judged(ray, shape.mesh(), {}, 10)) << step << seed;
    }
  }
}

TEST(RayTree, TellsOfBoxesThatAreWrong) {
  const Mesh mesh = scenes::sphere(1, 9, 14);
  const Shape shape(mesh);
  const bvh::ObbTree& tree = detail::Access::data(shape).get<bvh::ObbTree>();
  bvh::RayBvh bvh = bvh::build_ray_bvh(tree, mesh);
  ASSERT_EQ(bvh::validate(bvh, tree, mesh), std::nullopt);
  const auto wrong = [&](auto&& change) {
    bvh::RayBvh changed = bvh;
    change(changed);
    return bvh::validate(changed, tree, mesh).has_value();
  };
  EXPECT_TRUE(wrong([](bvh::RayBvh& b) { b.nodes[1].lo[2][0] += 0.01F; }));
  EXPECT_TRUE(wrong([](bvh::RayBvh& b) { b.corners[2].vertex[1][0] += 1; }));
  EXPECT_TRUE(wrong([](bvh::RayBvh& b) { b.corners.pop_back(); }));
  for (std::size_t n = 0; n < bvh.nodes.size(); ++n) {
    const std::uint32_t lane = bvh.nodes[n].inner;
    if (lane == bvh.nodes[n].count) continue;
    EXPECT_TRUE(wrong([&](bvh::RayBvh& b) { b.nodes[n].low[lane] = std::int16_t(b.nodes[n].low[lane] + 1); })) << n;
    EXPECT_TRUE(wrong([&](bvh::RayBvh& b) { b.nodes[n].thickness[lane] = 0; })) << n;
    EXPECT_TRUE(wrong([&](bvh::RayBvh& b) { b.nodes[n].normal[0][lane] ^= 64; })) << n;
  }
}

TEST(RayTree, RaysFromVeryFarHitWhatTheyShould) {
  // Beyond 2^53 sizes of the body, all that is left of a ray's way past it is rounding.
  const Shape shape(scenes::box({-1, -1, -1}, {1, 1, 1}));
  std::uint64_t hits = 0;
  for (int exponent = 0; exponent < 330; ++exponent)
    for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
      SCOPED_TRACE(std::to_string(exponent) + " seed " + std::to_string(seed));
      Random random(seed);
      const Pose pose = random.pose(seed % 2 == 0 ? 1 : 1e9);
      const double far = std::ldexp(1.0, exponent);
      const Vec3 way = random.point(-1, 1);
      const Ray ray{pose.translation() - far * way, std::ldexp(1.0, static_cast<int>(random.below(60)) - 30) * way};
      const Found expected = judged(ray, shape.mesh(), pose, std::numeric_limits<double>::infinity());
      hits += expected.triangle != RayCastHit::k_none ? 1 : 0;
      const auto cast = cast_ray(ray, shape, pose).value();
      ASSERT_EQ(cast ? cast->triangle : RayCastHit::k_none, expected.triangle);
      ASSERT_EQ(cast ? cast->t : expected.t, expected.t);
      ASSERT_EQ(ray_meets(ray, shape, pose).value(), expected.triangle != RayCastHit::k_none);
    }
  EXPECT_GT(hits, test::scaled(20) * 60);
}

TEST(RayTree, PlanesKeepRaysFromBlocks) {
  // Without limits that hits narrow, the stackless walk opens every block whose box is met; planes spare about a third of them.
  const Mesh mesh = scenes::bumpy_knot(120, 24);
  const Shape shape(mesh);
  const auto boxes = device::flatten(detail::Access::data(shape).get<bvh::RayBvh>());
  const Pose pose;
  const query::LineWalk lines(shape, pose, query::kernels_for(Instructions::best));
  std::uint64_t by_boxes = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(40000); ++seed) {
    Random random(seed);
    const Ray ray{random.point(-2, 2), random.point(-1, 1)};
    query::RayWalk walk;
    query::LineWalk::Start start;
    if (!lines.prepare(ray, walk, start)) continue;
    query::LineReach reach;
    query::LineWalk::narrow(start, reach, walk);
    device::walk_stackless(boxes.data(), static_cast<std::uint32_t>(boxes.size()), walk,
                           [&](std::uint32_t) { ++by_boxes; });
    EXPECT_TRUE(lines.run(ray, reach, [](std::uint32_t, query::LineReach&) {}));
  }
  EXPECT_GT(by_boxes, test::scaled(40000) / 4);
  EXPECT_LT(4 * lines.triangle_tests, 3 * by_boxes);
  EXPECT_GT(2 * lines.triangle_tests, by_boxes);
}

TEST(RayTree, RaysAlongFlatBlocksAreNotKeptOut) {
  // All of a flat sheet lies between two planes that are one; a ray that comes in at a grazing angle is as near to them over all of
  // a box as floats can tell.
  constexpr std::uint32_t k_cells = 16;
  std::uint64_t hits = 0;
  for (const auto& [u, v] :
       {std::pair(Vec3{1, 0, 0}, Vec3{0, 1, 0}), std::pair(Vec3{1, 0, 0}, Vec3{0, 1, 1}),
        std::pair(Vec3{1, 0, -1}, Vec3{0, 1, -1}), std::pair(Vec3{1, 0.5, 0}, Vec3{-0.25, 0.5, 0.5})}) {
    MeshInput input;
    for (std::uint32_t i = 0; i <= k_cells; ++i)
      for (std::uint32_t j = 0; j <= k_cells; ++j)
        input.vertices.push_back((2.0 * i / k_cells - 1) * u + (2.0 * j / k_cells - 1) * v);
    for (std::uint32_t i = 0; i < k_cells; ++i)
      for (std::uint32_t j = 0; j < k_cells; ++j) {
        const std::uint32_t p = i * (k_cells + 1) + j, q = p + k_cells + 1;
        input.triangles.push_back({p, q, q + 1});
        input.triangles.push_back({p, q + 1, p + 1});
      }
    const Shape sheet(Mesh::build(std::move(input)).value());
    const Mesh& mesh = sheet.mesh();
    const Vec3 normal{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    for (std::uint64_t seed = 0; seed < test::scaled(2000); ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const Point3 at = mesh.vertices()[random.below(mesh.vertices().size())];
      const double height = std::ldexp(random.below(2) == 0 ? 1.0 : -1.0, -static_cast<int>(random.below(40)));
      const Point3 from = at + random.uniform(-2, 2) * u + random.uniform(-2, 2) * v + height * normal;
      const Ray ray{from, at - from};
      const Instructions instructions[] = {Instructions::best, Instructions::sse2, Instructions::scalar};
      const Pose pose;
      const query::LineWalk walk(sheet, pose, query::kernels_for(instructions[seed % 3]));
      std::vector<bool> seen(mesh.triangles().size());
      query::LineReach reach;
      ASSERT_TRUE(walk.run(ray, reach, [&](std::uint32_t t, query::LineReach&) { seen[t] = true; }));
      for (std::uint32_t t = 0; t < seen.size(); ++t) {
        if (!ray_hit(ray, mesh.view().triangle(t))) continue;
        ++hits;
        ASSERT_TRUE(seen[t]) << t;
      }
    }
  }
  EXPECT_GT(hits, test::scaled(2000) * 8);
}

/// A triangle and a ray at it, of any size and place: at its corners, sides or inside, flat, from its plane or from afar.
struct LineCase {
  Triangle triangle;
  Ray ray;
};
LineCase some_line(std::uint64_t seed) {
  Random random(seed);
  const double size =
      std::ldexp(1.0, static_cast<int>(random.below(seed % 4 == 0 ? 400 : 20)) - (seed % 4 == 0 ? 200 : 10));
  const Point3 place = seed % 3 == 0 ? Point3{} : (size * (seed % 3 == 1 ? 10.0 : 1e6)) * random.point(-1, 1);
  const auto corner = [&] { return place + size * random.point(-1, 1); };
  LineCase c;
  c.triangle = {{corner(), corner(), corner()}};
  if (random.below(8) == 0)
    c.triangle.corner[2] = c.triangle[0] + 1e-9 * (corner() - c.triangle[0]) + (c.triangle[1] - c.triangle[0]);
  const Point3 at = some_point(c.triangle, random);
  c.ray.origin = place + (size * (random.below(3) == 0 ? 1e3 : 2.0)) * random.point(-1, 1);
  if (random.below(6) == 0) c.ray.origin = some_point(c.triangle, random);
  if (random.below(6) == 0) c.ray.origin.z = c.triangle[0].z;
  const Vec3 way = at - c.ray.origin;
  c.ray.direction = way == Vec3{} ? Vec3{0, 0, 1} : random.uniform(-3, 3) * way;
  return c;
}

TEST(RayTree, LinesMeetTrianglesAsTheExactTestSays) {
  using geometry::LineMeeting;
  std::uint64_t plain = 0, unsure = 0, met_count = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(400000); ++seed) {
    const auto [t, ray] = some_line(seed);
    const Ray back{ray.origin, -ray.direction};
    const auto ahead = ray_hit(ray, t), behind = ray_hit(back, t);
    for (const Instructions instructions : {Instructions::scalar, Instructions::sse2, Instructions::best}) {
      const LineMeeting met = query::kernels_for(instructions).meet_line(ray, t[0], t[1], t[2]);
      for (const bool opposite : {false, true}) {
        const auto& expected = opposite ? behind : ahead;
        const auto found = query::ray_hit(opposite ? back : ray, t, met, opposite);
        ASSERT_EQ(found.has_value(), expected.has_value()) << seed;
        if (!found) continue;
        ASSERT_EQ(found->t, expected->t) << seed;
        ASSERT_EQ(found->kind, expected->kind) << seed;
        ASSERT_EQ(found->from_inside, expected->from_inside) << seed;
      }
      if (instructions != Instructions::best) continue;
      unsure += met.where == LineMeeting::Where::unsure ? 1 : 0;
      met_count += met.where == LineMeeting::Where::ahead || met.where == LineMeeting::Where::behind ? 1 : 0;
    }
  }
  EXPECT_GT(met_count, test::scaled(400000) / 10);
  EXPECT_GT(unsure, test::scaled(400000) / 20);
  // Where nothing is special, hardly any is left to the exact test.
  std::uint64_t left = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(100000); ++seed) {
    Random random(seed);
    const Triangle t{{random.point(-1, 1), random.point(-1, 1), random.point(-1, 1)}};
    const Ray ray{random.point(-1, 1), random.point(-1, 1)};
    ++plain;
    left += query::kernels_for(Instructions::best).meet_line(ray, t[0], t[1], t[2]).where == LineMeeting::Where::unsure;
  }
  EXPECT_LT(1000 * left, plain);
}

TEST(RayTree, WhereTLiesBetweenTwoDoublesTheExactTestIsAsked) {
  // t is 1 + 2^-53 to the last digit: no finite number of digits tells to which side to round.
  const Triangle t{{Point3{-1, -1, 1}, Point3{3, -1, 1}, Point3{-1, 3, 1}}};
  for (const Instructions instructions : {Instructions::scalar, Instructions::sse2, Instructions::best}) {
    const auto meet = [&](double z) {
      return query::kernels_for(instructions).meet_line({{0.1, 0.2, z}, {0, 0, 1}}, t[0], t[1], t[2]);
    };
    EXPECT_EQ(meet(-0x1p-53).where, geometry::LineMeeting::Where::unsure);
    EXPECT_EQ(meet(-0x1p-54).where, geometry::LineMeeting::Where::ahead);
    EXPECT_EQ(meet(-0x1p-54).t, 1);
    EXPECT_EQ(meet(-0x1p-52 - 0x1p-54).t, 1 + 0x1p-52);
    EXPECT_EQ(meet(2).where, geometry::LineMeeting::Where::behind);
  }
}

/// A body of two boxes, so that nothing but rays tells what is inside it; its triangles in either order.
Shape two_boxes(bool reversed) {
  MeshInput in;
  test::append(in, scenes::box({0, 0, 0}, {1, 1, 1}));
  test::append(in, scenes::box({-4, 2, 0}, {-3, 3, 1}));
  if (reversed) std::ranges::reverse(in.triangles);
  return Shape(Mesh::build(std::move(in)).value());
}

TEST(RayTarget, AnEdgePassedByIsMetFromWhereTheRayBegins) {
  for (const bool reversed : {false, true}) {
    const Shape shape = two_boxes(reversed);
    for (const auto traversal : {RayContactOptions::Traversal::tree, RayContactOptions::Traversal::basic}) {
      const Pose pose;
      const contact::RayTarget target(shape, pose, traversal, Instructions::best);
      ContactStats stats;
      // Past the edge along z at (0, 0): one face is met from outside, the other from inside.
      const auto past = target.meet({{-1, 1, 0.4}, {1, -1, 0}}, {}, stats).ahead;
      ASSERT_TRUE(past.has_value());
      EXPECT_EQ(past->t, 1);
      EXPECT_FALSE(past->from_inside) << reversed;
      const auto behind = target.meet({{-1, 1, 0.4}, {-1, 1, 0}}, {.ahead = -1, .behind = 9}, stats).behind;
      ASSERT_TRUE(behind.has_value());
      EXPECT_FALSE(behind->from_inside) << reversed;
      // Into a corner from inside, and at one from outside: all faces agree.
      const auto out = target.meet({{0.5, 0.5, 0.5}, {-1, -1, -1}}, {}, stats).ahead;
      ASSERT_TRUE(out.has_value());
      EXPECT_TRUE(out->from_inside);
      const auto in = target.meet({{-1, -1, -1}, {1, 1, 1}}, {}, stats).ahead;
      ASSERT_TRUE(in.has_value());
      EXPECT_FALSE(in->from_inside);
    }
  }
}

TEST(RayTarget, AnEdgeOfACavityIsMetFromInside) {
  // A box with a cavity: from within the walls, past an edge of the cavity, which turns its faces inwards.
  for (const bool reversed : {false, true}) {
    MeshInput in;
    test::append(in, scenes::box({-4, -4, -4}, {4, 4, 4}));
    test::append(in, scenes::box({0, 0, 0}, {1, 1, 1}), true);
    if (reversed) std::ranges::reverse(in.triangles);
    const Shape shape(Mesh::build(std::move(in)).value());
    const Pose pose;
    const contact::RayTarget target(shape, pose, RayContactOptions::Traversal::tree, Instructions::best);
    ContactStats stats;
    const auto past = target.meet({{-1, 1, 0.4}, {1, -1, 0}}, {}, stats).ahead;
    ASSERT_TRUE(past.has_value());
    EXPECT_EQ(past->t, 1);
    EXPECT_TRUE(past->from_inside) << reversed;
  }
}

}  // namespace
}  // namespace snug
