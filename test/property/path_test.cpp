// Whole paths, held to dense sampling with exact predicates.

#include "ccd/trajectory.hpp"
#include "penetration/posed_solid.hpp"
#include "penetration/shrink.hpp"
#include "scenes/random.hpp"
#include "scenes/scene.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

using scenes::Random;

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec3& a) { return std::sqrt(dot(a, a)); }

Vec3 direction(Random& random) {
  for (;;) {
    const Vec3 v = random.point(-1, 1);
    if (const double l = length(v); l > 0.1 && l <= 1) return (1 / l) * v;
  }
}

/// Turns of up to `widest` between keys, far pivots and fast spins among them.
Motion some_way(Random& random, int keys, double reach, double widest) {
  std::vector<PoseKey> out;
  const Vec3 axis = direction(random);
  const bool one_axis = random.uniform(0, 1) < 0.5;
  double angle = random.uniform(-3, 3);
  for (int i = 0; i < keys; ++i) {
    angle += random.uniform(-1, 1) * widest;
    const Vec3 at = random.point(-reach, reach);
    out.push_back({i + random.uniform(0, 0.5),
                   compose(translation(at.x, at.y, at.z), rotation(one_axis ? axis : direction(random), angle))});
  }
  return Motion::make(std::move(out), Arc::shorter).value();
}

/// The same, with a turn about an axis in the middle of it: up to a few revolutions, far pivots and screws among them.
Motion some_turning_way(Random& random, int keys, double reach, double widest) {
  const Motion before = some_way(random, keys, reach, widest);
  const Motion turned = before
                            .then(before.end() + random.uniform(0.2, 2),
                                  Turn{random.point(-2 * reach, 2 * reach), direction(random), random.uniform(-9, 9),
                                       random.uniform(0, 1) < 0.5 ? 0 : random.uniform(-3, 3)})
                            .value();
  const Motion after = some_way(random, 1, reach, widest);
  return turned.then(turned.end() + random.uniform(0.1, 1), after.keys().front().pose, Arc::shorter).value();
}

bool in(const std::vector<TimeSpan>& spans, double t) {
  return std::ranges::any_of(spans, [&](const TimeSpan& span) { return span.contains(t); });
}

TEST(PathProperty, NoPointGetsAheadOfItsBound) {
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double radius = 3;
    const int keys = 2 + static_cast<int>(seed % 5);
    const double widest = seed % 3 == 0 ? 3.1 : 0.4;
    const Motion motion = seed % 2 == 0 ? some_way(random, keys, 4, widest) : some_turning_way(random, keys, 4, widest);
    const TimeSpan range{motion.begin() - 0.2, motion.end() + 0.2};
    const ccd::Trajectory way(motion, radius, range);
    const double from = random.uniform(range.begin, range.end);
    const TimeSpan span{from, std::min(range.end, from + random.uniform(0, 1) * random.uniform(0, 3))};
    const ccd::MotionBound bound = way.over(span);
    for (int i = 0; i < 8; ++i) {
      const Vec3 n = direction(random);
      const Point3 p = random.uniform(0, radius) * direction(random);
      const Point3 middle = bound.middle.apply(p);
      const double ball = i % 2 == 0 ? 0 : random.uniform(0, 0.5);
      const Point3 centre = p + (0.99 * ball) * direction(random);
      const double most = bound.towards(n, bound.middle.apply(centre) - bound.origin, ball);
      const double farthest = bound.most(length(p - bound.pivot));
      for (int k = 0; k <= 40; ++k) {
        const Point3 now = motion.at(span.begin + k / 40.0 * span.length()).apply(p);
        EXPECT_LE(dot(n, now - middle), most + 1e-12);
        EXPECT_LE(length(now - middle), farthest + 1e-12);
      }
    }
  }
}

TEST(PathProperty, TheBoundOfATurnIsThatOfItsArc) {
  // A door on its hinge, far from its origin: points on the axis stay where they are, and nothing moves along the axis.
  const Motion motion = Motion::rest(translation(100, 0, 0)).then(1, Turn{{0, 0, 0}, {0, 0, 1}, 0.4}).value();
  const ccd::Trajectory way(motion, 3, {0, 1});
  const ccd::MotionBound bound = way.over({0, 1});
  EXPECT_LE(length(bound.origin), 1e-9);
  EXPECT_LE(bound.shift.longest(), 1e-12);
  EXPECT_LE(bound.towards({0, 0, 1}, bound.middle.apply({}) - bound.origin, 0), 1e-9);
  // By the chord of half the angle either way, and little more.
  EXPECT_LE(bound.most(100), 2 * 100 * std::sin(0.1) * 1.01);
}

TEST(PathProperty, PartsOfAGroupThatTurnsRestAgainstEachOther) {
  for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Motion group = some_turning_way(random, 3, 50, 1);
    const Motion a = group.carrying(some_way(random, 1, 20, 3).at(0)),
                 b = group.carrying(some_way(random, 1, 20, 3).at(0));
    const TimeSpan range{group.begin(), group.end()};
    const ccd::Trajectory way_a(a, 2, range), way_b(b, 2, range);
    EXPECT_TRUE(moves_along(way_a, way_b, range));
    // The one that turns a little more does not.
    const Motion other = a.then(a.end() + 1, a.keys().back().pose).value();
    const Motion turns = a.then(a.end() + 1, Turn{{}, {1, 2, 3}, 1e-6}).value();
    const TimeSpan longer{group.begin(), group.end() + 1};
    const ccd::Trajectory rests(other, 2, longer), on(turns, 2, longer);
    EXPECT_FALSE(moves_along(rests, on, longer));
  }
}

TEST(PathProperty, NoPointGetsAheadOfItsBoundWhicheverWayAHalfTurnGoes) {
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    // At rest, then a turn one way, then half a turn, back or on as rounding has it.
    const Pose frame = rotation(direction(random), random.uniform(-3, 3));
    const Vec3 axis = direction(random);
    const Pose turned = compose(rotation(axis, random.uniform(0.3, 1.8)), frame);
    const Pose half = Pose::make({0, axis.x, axis.y, axis.z}, {}).value();
    const Motion motion =
        Motion::make({{0, frame}, {2, frame}, {2.1, turned}, {2.2, compose(half, turned)}}, Arc::shorter).value();
    const ccd::Trajectory way(motion, 1, {motion.begin(), motion.end()});
    for (int i = 0; i < 8; ++i) {
      const TimeSpan span{random.uniform(0, i % 2 == 0 ? 1.7 : 2.2), 2.2};
      const ccd::MotionBound bound = way.over(span);
      const Vec3 n = direction(random);
      const Point3 p = direction(random), middle = bound.middle.apply(p);
      const double most = bound.towards(n, middle - bound.middle.translation(), 0), farthest = bound.most(1);
      for (int k = 0; k <= 100; ++k) {
        const Point3 now = motion.at(span.begin + k / 100.0 * span.length()).apply(p);
        ASSERT_LE(dot(n, now - middle), most + 1e-12);
        ASSERT_LE(length(now - middle), farthest + 1e-12);
      }
    }
  }
}

TEST(PathProperty, PartsTurnedOverTogetherCountAsAtRestOnlyIfTheyTurnTheSameWay) {
  // Both are turned by the same half turn; rounding in their own frames chooses the way each goes. Opposite ways lead them into
  // each other after a quarter, where a direct look finds them.
  const Pose turn = Pose::make({0, 0.6, 0.8, 0}, {}).value();
  Scratch scratch;
  int opposite = 0, together = 0;
  const auto cases = std::max<std::uint64_t>(test::scaled(100), 20);
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto part = [&](const Vec3& at) {
      const Pose frame = rotation(direction(random), random.uniform(-3, 3));
      const auto& m = frame.matrix();
      const Mesh box = scenes::box(at - Vec3{0.1, 0.1, 0.1}, at + Vec3{0.1, 0.1, 0.1});
      MeshInput input;
      for (const Point3& p : box.vertices())
        input.vertices.push_back({m[0] * p.x + m[3] * p.y + m[6] * p.z, m[1] * p.x + m[4] * p.y + m[7] * p.z,
                                  m[2] * p.x + m[5] * p.y + m[8] * p.z});
      input.triangles.assign(box.triangles().begin(), box.triangles().end());
      return std::pair{Shape(Mesh::build(std::move(input)).value()),
                       Motion::make({{0, frame}, {1, compose(turn, frame)}}, Arc::shorter).value()};
    };
    const auto [a, way_a] = part({0.8, -0.6, 0});
    const auto [b, way_b] = part({0, 0, 1});
    bool meet = false;
    for (int i = 0; i <= 64 && !meet; ++i) meet = intersects(a, way_a.at(i / 64.0), b, way_b.at(i / 64.0), scratch);
    const auto report = check_path(a, way_a, b, way_b).value();
    EXPECT_EQ(report.verdict, meet ? Verdict::clash : Verdict::clear);
    EXPECT_EQ(report.at_rest, !meet);
    (meet ? opposite : together) += 1;
  }
  EXPECT_GT(opposite, 0);
  EXPECT_GT(together, 0);
}

TEST(PathProperty, ShrunkBodiesHoldTheCentresOfAllBallsAndLieInside) {
  const Mesh meshes[] = {scenes::box({0, 0, 0}, {1, 2, 3}), scenes::torus(3, 1, 16, 10), scenes::bumpy_knot(60, 8),
                         scenes::pipe(2, 1, 1, 12)};
  for (std::size_t m = 0; m < std::size(meshes); ++m) {
    SCOPED_TRACE(m);
    const Mesh& mesh = meshes[m];
    const double by = 1e-3;
    const penetration::Shrunk shrunk = penetration::shrunk(Shape(mesh), by);
    EXPECT_GT(std::ranges::count(shrunk.regular, true), static_cast<std::ptrdiff_t>(shrunk.regular.size() / 2));
    for (std::size_t v = 0; v < mesh.vertices().size(); ++v)
      EXPECT_LE(length(shrunk.vertices[v] - mesh.vertices()[v]), by);
    const TriangleMeshView small{shrunk.vertices, mesh.triangles()};
    for (std::uint32_t t = 0; t < mesh.triangles().size(); t += 7) {
      if (!shrunk.regular[t]) continue;
      const Triangle c = small.triangle(t);
      const Point3 middle = (1.0 / 3) * (c[0] + c[1] + c[2]);
      EXPECT_EQ(locate(middle, mesh.view()).side, Side::inside);
    }
  }
}

/// The same mesh, its surfaces off by so much and of unknown form; flat ones, if they are to be known, only at their borders.
Mesh with_sag(const Mesh& mesh, double sag, bool flat_ones) {
  MeshInput input;
  input.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  for (const Surface& surface : mesh.surfaces()) {
    input.surfaces.push_back(surface);
    input.surfaces.back().sag.value = sag;
    if (!flat_ones || surface.kind != SurfaceKind::plane)
      input.surfaces.back().kind = SurfaceKind::unknown, input.surfaces.back().analytic.reset();
  }
  for (std::uint32_t t = 0; t < input.triangles.size(); ++t) input.surface_of_triangle.push_back(mesh.surface_of(t));
  return Mesh::build(std::move(input)).value();
}

TEST(PathProperty, BodiesShrunkByTheirSagsHoldTheCentresOfBallsThatStayInside) {
  const double by = 0.05, sag = 0.08;
  const Mesh meshes[] = {
      with_sag(scenes::cylinder(1, 2, 12), sag, true), with_sag(scenes::pipe(2, 1, 1, 12), sag, true),
      with_sag(scenes::box({-1, -1, -1}, {1, 1, 1}), sag, false), with_sag(scenes::torus(2, 0.7, 12, 8), sag, false)};
  for (std::size_t m = 0; m < std::size(meshes); ++m) {
    SCOPED_TRACE(m);
    const penetration::PosedSolid solid(Shape(meshes[m]), Pose{});
    const penetration::Shrunk less = penetration::shrunk(Shape(meshes[m]), by);
    const penetration::Shrunk more = penetration::shrunk(Shape(meshes[m]), by, solid.sag());
    double farther = 0;
    for (std::size_t v = 0; v < more.vertices.size(); ++v)
      farther = std::max(farther, length(more.vertices[v] - less.vertices[v]));
    EXPECT_GT(farther, 0.9 * sag);  // it does draw in
    Random random(m);
    int held = 0, left_out = 0;
    for (std::uint64_t i = 0; i < test::scaled(4000); ++i) {
      const Point3 p = random.point(-3, 3);
      if (locate(p, meshes[m].view()).side != Side::inside) continue;
      const bool inside = locate(p, {more.vertices, meshes[m].triangles()}).side == Side::inside;
      if (solid.face_distance(p) > by) {
        ASSERT_TRUE(inside) << p.x << ' ' << p.y << ' ' << p.z;
        ++held;
      }
      left_out += !inside;
    }
    EXPECT_GT(held, 0);
    EXPECT_GT(left_out, 0);
  }
}

/// Slides as deep as told along a floor and dips, for a hundredth of the way and between all instants that are looked at.
Motion slide_and_dip(double deep) {
  const auto at = [](double x, double z) { return translation(x, 0, z); };
  return Motion::make({{0, at(-100, -deep)},
                       {0.53, at(6, -deep)},
                       {0.535, at(7, -5)},
                       {0.54, at(8, -deep)},
                       {1, at(100, -deep)}})
      .value();
}

void expect_dip_alone(const PathPairReport& report) {
  EXPECT_EQ(report.verdict, Verdict::clash) << report.reason;
  ASSERT_EQ(report.intervals.size(), 1U);
  EXPECT_TRUE(report.intervals[0].begin >= 0.53 - 1e-5 && report.intervals[0].end <= 0.54 + 1e-5);
  EXPECT_TRUE(report.intervals[0].contains(0.535));
  EXPECT_TRUE(report.undecided.empty()) << report.reason;
}

TEST(PathProperty, AShortDipInALongContactIsAClash) {
  const Motion rest = Motion::rest({});
  // Within the sags it slides, beyond them it dips.
  const Mesh foot = with_sag(scenes::box({-5, -5, 0}, {5, 5, 20}), 0.1, false);
  const Mesh floor = with_sag(scenes::box({-200, -50, -40}, {200, 50, 0}), 0.1, false);
  for (const double deep : {0.0, 0.05, 0.1}) {
    SCOPED_TRACE(deep);
    expect_dip_alone(check_path(Shape(foot), slide_and_dip(deep), Shape(floor), rest).value());
    expect_dip_alone(check_path(Shape(floor), rest, Shape(foot), slide_and_dip(deep)).value());
  }
  // Where overlaps come close to the sags the dip is told, or else that something could not be.
  EXPECT_GE(check_path(Shape(foot), slide_and_dip(0.15), Shape(floor), rest).value().verdict, Verdict::undecided);
  // Two blocks that share an edge, whose corners have no way inwards.
  MeshInput input;
  for (const Mesh& block : {scenes::box({-10, -10, 0}, {0, 0, 20}), scenes::box({0, 0, 0}, {10, 10, 20})}) {
    const auto first = static_cast<std::uint32_t>(input.vertices.size());
    for (const Point3& p : block.vertices()) input.vertices.push_back(p);
    for (const Index3& t : block.triangles()) input.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const Shape blocks(Mesh::build(std::move(input)).value()), slab(scenes::box({-200, -50, -40}, {200, 50, 0}));
  for (const double deep : {0.1, 0.2}) {
    SCOPED_TRACE(deep);
    expect_dip_alone(
        check_path(blocks, slide_and_dip(deep), slab, rest, {.tolerances = {.touch_overlap = 0.5}}).value());
    expect_dip_alone(
        check_path(slab, rest, blocks, slide_and_dip(deep), {.tolerances = {.touch_overlap = 0.5}}).value());
  }
}

TEST(PathProperty, AShortDipOfAnOpenPartIsAClash) {
  // A pot without a lid.
  const Mesh box = scenes::box({-5, -5, 0}, {5, 5, 20});
  MeshInput input;
  input.vertices.assign(box.vertices().begin(), box.vertices().end());
  for (const Index3& t : box.triangles())
    if (std::ranges::any_of(t, [&](std::uint32_t v) { return box.vertices()[v].z == 0; })) input.triangles.push_back(t);
  ASSERT_EQ(input.triangles.size(), 10U);
  const Shape pot(Mesh::build(std::move(input)).value()), slab(scenes::box({-200, -50, -40}, {200, 50, 0}));
  const Motion rest = Motion::rest({});
  expect_dip_alone(check_path(pot, slide_and_dip(0.15), slab, rest, {.tolerances = {.touch_overlap = 0.3}}).value());
  expect_dip_alone(check_path(slab, rest, pot, slide_and_dip(0.15), {.tolerances = {.touch_overlap = 0.3}}).value());
  expect_dip_alone(check_path(pot, slide_and_dip(0), slab, rest).value());
  const Motion slide = Motion::make({{0, translation(-100, 0, -0.15)}, {1, translation(100, 1, -0.15)}}).value();
  const auto sliding = check_path(pot, slide, slab, rest, {.tolerances = {.touch_overlap = 0.3}}).value();
  EXPECT_EQ(sliding.verdict, Verdict::touch) << sliding.reason;
}

TEST(PathProperty, APinThatTurnsInItsBoreTouchesWithinItsSags) {
  const double sag = 1 - std::cos(3.14159265358979 / 16);
  const Shape pin(with_sag(scenes::cylinder(1, 8, 16), sag, true)),
      bush(with_sag(scenes::pipe(3, 1, 4, 16), sag, true));
  const Motion turn = Motion::make({{0, translation(0, 0, -2)},
                                    {1, compose(translation(0, 0, -3), rotation({0, 0, 1}, 2))},
                                    {2, compose(translation(0, 0, -1), rotation({0, 0, 1}, 4))}})
                          .value();
  const auto report = check_path(pin, turn, bush, Motion::rest({}), {.surfaces = false}).value();
  EXPECT_EQ(report.verdict, Verdict::touch) << report.reason;
  EXPECT_FALSE(report.firm);
  EXPECT_LT(report.pieces, 50'000U);
}

TEST(PathProperty, AClashIsFirmWhateverSagsMakeOfTouchesBeforeIt) {
  const double sag = 1 - std::cos(3.14159265358979 / 16);
  const Shape pin(with_sag(scenes::cylinder(1, 8, 16), sag, true)),
      bush(with_sag(scenes::pipe(3, 1, 4, 16), sag, true));
  // It turns in its bore, then goes half of its width into the wall.
  const Motion turn = Motion::make({{0, translation(0, 0, -2)},
                                    {1, compose(translation(0, 0, -2), rotation({0, 0, 1}, 1))},
                                    {2, compose(translation(1, 0, -2), rotation({0, 0, 1}, 1))}})
                          .value();
  const auto report = check_path(pin, turn, bush, Motion::rest({}), {.surfaces = false}).value();
  EXPECT_EQ(report.verdict, Verdict::clash) << report.reason;
  EXPECT_TRUE(report.firm);
}

TEST(PathProperty, NoOverlapIsDeeperThanAPartIsThick) {
  // Corners that draw in by more than the parts are thick would turn them inside out.
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1})), plate(scenes::box({-3, -3, 0}, {3, 3, 0.2}));
  const Motion through = Motion::make({{0, translation(-5, 0.1, 0.3)}, {1, translation(5, 0.2, -0.4)}}).value();
  for (const Shape* other : {&cube, &plate})
    for (const double overlap : {50.0, 3.0, 1.5}) {
      SCOPED_TRACE(overlap);
      const auto report =
          check_path(cube, through, *other, Motion::rest({}), {.tolerances = {.touch_overlap = overlap}}).value();
      EXPECT_EQ(report.verdict, Verdict::touch) << report.reason;
      EXPECT_TRUE(report.intervals.empty());
    }
  // A thin fin above a thick block, less than a fifth of the touch overlap: where it is, what is drawn in comes out on its other side.
  MeshInput input;
  for (const Mesh& block : {scenes::box({-5, -5, -10}, {5, 5, 0}), scenes::box({-0.1, -4, 1}, {0.1, 4, 9})}) {
    const auto first = static_cast<std::uint32_t>(input.vertices.size());
    for (const Point3& p : block.vertices()) input.vertices.push_back(p);
    for (const Index3& t : block.triangles()) input.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const Shape finned(Mesh::build(std::move(input)).value()), post(scenes::box({-1, -1, 3}, {1, 1, 6}));
  const Motion past = Motion::make({{0, translation(-8, 0.1, 0.3)}, {1, translation(8, 0.2, 0.4)}}).value();
  for (const double overlap : {1.1, 1.5, 1.9}) {
    SCOPED_TRACE(overlap);
    const auto report =
        check_path(post, past, finned, Motion::rest({}), {.tolerances = {.touch_overlap = overlap}}).value();
    EXPECT_TRUE(report.intervals.empty());
  }
}

struct Case {
  Mesh a, b;
  Motion way_a, way_b;
};

Case some_case(std::uint64_t seed) {
  Random random(seed);
  const Mesh meshes[] = {scenes::box({-1, -0.5, -0.02}, {1, 0.5, 0.02}),
                         scenes::box({-0.03, -0.03, -0.03}, {4, 0.03, 0.03}),
                         scenes::torus(1, 0.3, 10, 6),
                         scenes::sphere(0.6, 5, 7),
                         scenes::box({5, 5, 5}, {6, 6.5, 5.5}),
                         scenes::bumpy_knot(30, 5)};
  const Mesh& a = meshes[seed % 6];
  const Mesh& b = meshes[(seed / 6) % 6];
  const double reach = random.uniform(0.5, 3);
  const int keys = 2 + static_cast<int>(random.uniform(0, 4));
  Motion way_a = some_way(random, keys, reach, random.uniform(0, 3.1));
  Motion way_b =
      random.uniform(0, 1) < 0.5 ? Motion::rest(some_way(random, 1, 1, 3).at(0)) : some_way(random, 3, 1, 1.5);
  return {a, b, std::move(way_a), std::move(way_b)};
}

TEST(PathProperty, DenseSamplingFindsNothingThatWasMissedAndNothingMadeUp) {
  for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = some_case(seed);
    const Shape a(c.a), b(c.b);
    PathOptions options{.time_tolerance = 1e-4, .all_gaps = true, .surfaces = seed % 4 == 0};
    const PathPairReport report = check_path(a, c.way_a, b, c.way_b, options).value();
    EXPECT_TRUE(report.undecided.empty()) << report.reason;
    const double begin = std::min(c.way_a.begin(), c.way_b.keys().size() > 1 ? c.way_b.begin() : 1e9);
    const double end = std::max(c.way_a.end(), c.way_b.keys().size() > 1 ? c.way_b.end() : -1e9);
    Scratch scratch;
    double smallest = std::numeric_limits<double>::infinity();
    const int samples = 600;
    std::vector<int> hits(report.intervals.size());
    for (int i = 0; i <= samples; ++i) {
      const double t = std::min(end, begin + i * ((end - begin) / samples));
      const Pose pa = c.way_a.at(t), pb = c.way_b.at(t);
      const auto pairs = triangle_pairs(a, pa, b, pb, scratch);
      const bool contact = in(report.intervals, t) || in(report.touch_intervals, t);
      if (!pairs.empty()) {
        EXPECT_TRUE(contact) << t;
        for (std::size_t k = 0; k < hits.size(); ++k) hits[k] += report.intervals[k].contains(t) ? 1 : 0;
        if (options.surfaces) {
          for (const SurfacePair& pair : surface_pairs(a, pa, b, pb, scratch)) {
            const auto at = std::ranges::find_if(
                report.surface_pairs, [&](const SurfaceMeeting& m) { return m.a == pair.a && m.b == pair.b; });
            ASSERT_NE(at, report.surface_pairs.end());
            EXPECT_TRUE(in(at->intervals, t) || in(at->touch_intervals, t));
          }
        }
      }
      // Triangles of random poses that cross overlap by more than a billionth.
      if (std::ranges::any_of(pairs, [](const TrianglePair& p) { return p.relation == Relation::crossing; })) {
        EXPECT_TRUE(in(report.intervals, t)) << t;
      }
      if (report.smallest_gap) smallest = std::min(smallest, distance(a, pa, b, pb, scratch).value);
    }
    if (report.smallest_gap) {
      EXPECT_LE(report.smallest_gap->lower, smallest);
      EXPECT_NEAR(distance(a, c.way_a.at(report.smallest_gap->t), b, c.way_b.at(report.smallest_gap->t), scratch).value,
                  report.smallest_gap->value, 1e-9);
    }
    for (std::size_t k = 0; k < hits.size(); ++k) {
      const TimeSpan& span = report.intervals[k];
      // Ends are no farther from interference than the tolerance.
      bool near_begin = report.verdict == Verdict::contained, near_end = near_begin;
      for (int i = 0; i <= 64 && !(near_begin && near_end); ++i) {
        const double step = std::min(span.length(), 1.01e-4) * i / 64;
        near_begin =
            near_begin || intersects(a, c.way_a.at(span.begin + step), b, c.way_b.at(span.begin + step), scratch);
        near_end = near_end || intersects(a, c.way_a.at(span.end - step), b, c.way_b.at(span.end - step), scratch);
      }
      EXPECT_TRUE(near_begin && near_end) << span.begin << ' ' << span.end;
    }
  }
}

TEST(PathProperty, ExchangingTheBodiesChangesNoMoreThanTheirPlaces) {
  for (std::uint64_t seed = 0; seed < test::scaled(5); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = some_case(7 * seed + 1);
    PathOptions options{.time_tolerance = 1e-4, .surfaces = false};
    const auto one = check_path(Shape(c.a), c.way_a, Shape(c.b), c.way_b, options).value();
    const auto other = check_path(Shape(c.b), c.way_b, Shape(c.a), c.way_a, options).value();
    EXPECT_EQ(one.verdict, other.verdict);
    ASSERT_EQ(one.intervals.size(), other.intervals.size());
    for (std::size_t i = 0; i < one.intervals.size(); ++i) {
      EXPECT_NEAR(one.intervals[i].begin, other.intervals[i].begin, 2e-4);
      EXPECT_NEAR(one.intervals[i].end, other.intervals[i].end, 2e-4);
    }
  }
}

TEST(PathProperty, ReportsAreTheSameForEveryNumberOfThreads) {
  Assembly assembly(LengthUnit::millimetre);
  std::vector<Motion> motions;
  Random random(5);
  for (int i = 0; i < 7; ++i) {
    const std::string name = "part " + std::to_string(i);
    ASSERT_TRUE(assembly.add({name, i % 2 == 0 ? scenes::sphere(0.8, 4, 6) : scenes::box({0, 0, 0}, {1, 1, 2}), {}}));
    motions.push_back(some_way(random, i % 3 == 0 ? 1 : 3, 3, 1));
  }
  const auto told = [&](unsigned threads) {
    PathOptions options{.tolerances = {.clearance = 0.3}, .time_tolerance = 1e-4};
    options.threads = threads;
    return check_path(assembly, motions, options).value();
  };
  const PathReport one = told(1);
  EXPECT_FALSE(one.findings.empty());
  for (const unsigned threads : {2u, 5u}) {
    const PathReport many = told(threads);
    ASSERT_EQ(many.findings.size(), one.findings.size());
    for (std::size_t i = 0; i < one.findings.size(); ++i) {
      const PathFinding &x = one.findings[i], &y = many.findings[i];
      EXPECT_EQ(x.id, y.id);
      EXPECT_EQ(x.verdict, y.verdict);
      EXPECT_EQ(x.intervals, y.intervals);
      EXPECT_EQ(x.touch_intervals, y.touch_intervals);
      EXPECT_EQ(x.undecided, y.undecided);
      EXPECT_EQ(x.first_contact, y.first_contact);
      EXPECT_EQ(x.surface_pairs, y.surface_pairs);
      EXPECT_EQ(x.smallest_gap, y.smallest_gap);
      EXPECT_EQ(x.pieces, y.pieces);
    }
  }
}

/// A scene held to exact queries at instants of its motion.
void hold_to_samples(const std::string& name, int samples) {
  const scenes::Scene scene = scenes::find(name)->make({});
  const auto motions = scenes::world_motions(scene);
  PathOptions options{.surfaces = false};
  options.threads = 2;
  const PathReport report = check_path(scene.assembly, motions, options).value();
  EXPECT_TRUE(report.coverage.complete);
  const auto parts = scene.assembly.parts();
  std::vector<Shape> shapes;
  for (const Part& part : parts) shapes.emplace_back(part.mesh);
  Scratch scratch;
  for (int k = 0; k <= samples; ++k) {
    const double t = std::min(report.range.end, report.range.begin + k * (report.range.length() / samples));
    for (std::uint32_t i = 0; i < parts.size(); ++i)
      for (std::uint32_t j = i + 1; j < parts.size(); ++j) {
        if (!intersects(shapes[i], motions[i].at(t), shapes[j], motions[j].at(t), scratch)) continue;
        const auto finding = std::ranges::find_if(report.findings, [&](const PathFinding& f) {
          return (f.a.id == i && f.b.id == j) || (f.a.id == j && f.b.id == i);
        });
        ASSERT_NE(finding, report.findings.end()) << parts[i].path << ", " << parts[j].path << " at " << t;
        EXPECT_TRUE(in(finding->intervals, t) || in(finding->touch_intervals, t));
      }
  }
}

TEST(PathProperty, TheDiggerIsHeldToSamples) { hold_to_samples("digger", 100); }
TEST(PathProperty, ThePegIsHeldToSamples) { hold_to_samples("peg", 100); }
TEST(PathProperty, AssembliesThatComeApartAreHeldToSamples) {
  if (const char* is_long = std::getenv("SNUG_LONG"); is_long == nullptr || *is_long != '1')
    GTEST_SKIP() << "set SNUG_LONG=1";
  hold_to_samples("control-box", 300);
  hold_to_samples("plant", 300);
}

}  // namespace
}  // namespace snug
