// The sweep of many bodies, held to all pairs (deforming) and to dense sampling with exact predicates (rigid).

#include "ccd/sweep/face_octree.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

namespace snug {
namespace {

/// A body that owns its vertices.
struct Body {
  std::vector<Point3> t0, t1;
  std::vector<Index3> triangles;
  double deviation = 0;
  [[nodiscard]] SweepBody view() const { return {t0, t1, triangles, deviation}; }
  [[nodiscard]] MovingTriangle moving(std::size_t t) const {
    const Index3& i = triangles[t];
    return {MovingPoint{t0[i[0]], t1[i[0]]}, MovingPoint{t0[i[1]], t1[i[1]]}, MovingPoint{t0[i[2]], t1[i[2]]}};
  }
};

std::vector<SweepBody> views(const std::vector<Body>& bodies) {
  std::vector<SweepBody> out;
  for (const Body& body : bodies) out.push_back(body.view());
  return out;
}

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  double operator()(double half) { return half * (static_cast<double>(engine_() >> 11) * 0x1p-52 - 1); }
  Vec3 vector(double half) {
    const double x = (*this)(half), y = (*this)(half);
    return {x, y, (*this)(half)};
  }
  /// Whole numbers.
  Vec3 on_grid(int half) {
    const auto c = [&] {
      return static_cast<double>(static_cast<int>(engine_() % static_cast<unsigned>(2 * half + 1)) - half);
    };
    const double x = c(), y = c();
    return {x, y, c()};
  }

 private:
  std::mt19937_64 engine_;
};

/// Soups that drift, change and, on a grid, touch.
std::vector<Body> soups(std::uint64_t seed, bool grid) {
  Numbers number(seed);
  std::vector<Body> bodies(2 + seed % 4);
  for (Body& body : bodies) {
    const Vec3 centre = grid ? number.on_grid(3) : number.vector(1.5),
               drift = grid ? number.on_grid(2) : number.vector(1);
    for (std::uint32_t t = 0; t < 12; ++t) {
      const Vec3 place = grid ? number.on_grid(2) : number.vector(1);
      for (int k = 0; k < 3; ++k) {
        const Point3 p = centre + place + (grid ? number.on_grid(1) : number.vector(0.4));
        body.t0.push_back(p);
        body.t1.push_back(p + drift + (grid ? Vec3{} : number.vector(0.2)));
      }
      body.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
  }
  return bodies;
}

std::vector<SweptPair> all_pairs(const std::vector<Body>& bodies) {
  std::vector<SweptPair> found;
  for (std::uint32_t a = 0; a < bodies.size(); ++a)
    for (std::uint32_t b = a + 1; b < bodies.size(); ++b)
      for (std::uint32_t i = 0; i < bodies[a].triangles.size(); ++i)
        for (std::uint32_t j = 0; j < bodies[b].triangles.size(); ++j)
          if (const auto contact = first_contact(bodies[a].moving(i), bodies[b].moving(j)))
            found.push_back({a, i, b, j, *contact, true});
  return found;
}

TEST(Sweep, FindsExactlyThePairsThatMeet) {
  std::size_t pairs = 0, checked = 0, possible = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(120); ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Body> bodies = soups(seed, seed % 3 == 0);
    const std::vector<SweptPair> expected = all_pairs(bodies);
    SweepStats stats;
    const auto found = sweep_step(views(bodies), {.octree_depth = static_cast<unsigned>(seed % 9)}, &stats);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, expected);
    EXPECT_EQ(stats.found, expected.size());
    pairs += expected.size();
    checked += stats.checked;
    possible += 144 * bodies.size() * (bodies.size() - 1) / 2;
  }
  EXPECT_GT(pairs, 0U);
  EXPECT_LT(checked, possible / 4);
}

TEST(FaceOctree, ListsEveryPairOfBoxesOnce) {
  std::uint64_t deepest = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    Numbers number(seed);
    std::vector<ccd::sweep::SweptFace> faces;
    for (std::uint32_t body = 0; body < 3; ++body)
      for (std::uint32_t t = 0; t < 400; ++t) {
        // On a grid boxes end where cells do; some boxes are large.
        const Point3 at = seed % 2 == 0 ? number.on_grid(8) : number.vector(8);
        const double size = t % 40 == 0 ? 9 : 1;
        Aabb box;
        box.include(at);
        box.include(at + (seed % 2 == 0 ? size * number.on_grid(1) : number.vector(size)));
        faces.push_back({box, body, t});
      }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected, listed;
    for (std::uint32_t i = 0; i < faces.size(); ++i)
      for (std::uint32_t j = i + 1; j < faces.size(); ++j)
        if (faces[i].body != faces[j].body && faces[i].box.overlaps(faces[j].box)) expected.emplace_back(i, j);
    const std::uint64_t cells =
        ccd::sweep::visit_face_pairs(faces, static_cast<unsigned>(seed % 8),
                                     [&](ccd::sweep::FacePair pair) { listed.emplace_back(pair.a, pair.b); });
    std::ranges::sort(listed);
    EXPECT_EQ(listed, expected);
    deepest = std::max(deepest, cells);
  }
  EXPECT_GT(deepest, 50U);
}

TEST(FaceOctree, EndsItsListSoonAfterACancel) {
  // All boxes overlap, in one cell and in many.
  for (const double size : {100.0, 0.5}) {
    std::vector<ccd::sweep::SweptFace> faces;
    for (std::uint32_t body = 0; body < 2; ++body)
      for (std::uint32_t t = 0; t < 1000; ++t) {
        const Point3 at{t % 10 * 0.3, t / 10 % 10 * 0.3, t / 100 * 0.3};
        faces.push_back({{at, at + Vec3{size, size, size}}, body, t});
      }
    CancelToken cancel;
    std::uint64_t listed = 0, all = 0;
    const auto count_all = [&](ccd::sweep::FacePair) { ++all; };
    const std::uint64_t cells = ccd::sweep::visit_face_pairs(faces, 6, count_all, &cancel);
    const auto count = [&](ccd::sweep::FacePair) {
      if (++listed == 10) cancel.cancel();
    };
    EXPECT_LE(ccd::sweep::visit_face_pairs(faces, 6, count, &cancel), cells);
    EXPECT_GT(all, 5000U);
    EXPECT_GE(listed, 10U);
    EXPECT_LE(listed, 1010U);  // what is left of one face's row
    listed = 0;
    EXPECT_EQ(ccd::sweep::visit_face_pairs(faces, 6, count, &cancel), 0U);
    EXPECT_EQ(listed, 0U);
  }
}

void expect_nothing_missed(const std::vector<Body>& bodies) {
  const std::vector<SweptPair> expected = all_pairs(bodies);
  const auto found = sweep_step(views(bodies));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, expected);
  const auto may_meet = sweep_step(views(bodies), {.separation = 0x1p-1000});
  ASSERT_TRUE(may_meet);
  ASSERT_GE(may_meet->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_LE((*may_meet)[i].time.t_lo, expected[i].time.t_hi);
}

TEST(Sweep, MissesNothingNextToUnderflow) {
  // Whole numbers times 2^-360: products of three of them vanish or keep a digit or two, and a lone digit is no gap.
  const auto pair = [](double scale, std::array<Vec3, 3> still, std::array<Vec3, 3> from, std::array<Vec3, 3> to) {
    std::vector<Body> bodies(2);
    for (std::size_t i = 0; i < 3; ++i) {
      bodies[0].t0.push_back(scale * still[i]), bodies[0].t1.push_back(scale * still[i]);
      bodies[1].t0.push_back(scale * from[i]), bodies[1].t1.push_back(scale * to[i]);
    }
    for (Body& body : bodies) body.triangles = {{0, 1, 2}};
    return bodies;
  };
  const std::vector<Body> known[] = {
      pair(0x1p-361, {Vec3{3, 7, -7}, {1, 3, 1}, {6, 8, -7}}, {Vec3{7, 0, 6}, {3, -4, -7}, {4, 5, 6}},
           {Vec3{-1, 8, -4}, {5, 2, 7}, {-7, -2, -5}}),
      pair(0x1p-360, {Vec3{-1, 1, -7}, {5, -2, -4}, {8, 1, 6}}, {Vec3{-5, -8, -2}, {2, -5, -3}, {6, -4, -3}},
           {Vec3{8, 0, 4}, {1, 5, 4}, {-3, 2, 1}})};
  for (const std::vector<Body>& bodies : known) {
    EXPECT_EQ(all_pairs(bodies).size(), 1U);
    expect_nothing_missed(bodies);
  }
  for (std::uint64_t seed = 0; seed < test::scaled(600); ++seed) {
    SCOPED_TRACE(seed);
    Numbers number(seed);
    std::array<std::array<Vec3, 3>, 3> places;
    for (auto& triangle : places)
      for (Vec3& p : triangle) p = number.on_grid(8);
    expect_nothing_missed(pair(std::ldexp(1.0, -357 - static_cast<int>(seed % 6)), places[0], places[1], places[2]));
  }
}

TEST(Sweep, IsTheSameForAnyThreadsAndSchedule) {
  for (const std::uint64_t seed : {1U, 3U, 7U}) {
    SCOPED_TRACE(seed);
    const std::vector<Body> bodies = soups(seed, false);
    SweepStats alone;
    const auto expected = sweep_step(views(bodies), {}, &alone);
    ASSERT_TRUE(expected);
    for (const SweepSchedule schedule : {SweepSchedule::fixed, SweepSchedule::flowing, SweepSchedule::stealing})
      for (const unsigned threads : {1U, 2U, 3U, 5U}) {
        SweepStats stats;
        const auto found = sweep_step(views(bodies), {.threads = threads, .schedule = schedule}, &stats);
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, *expected);
        EXPECT_EQ(stats.checked, alone.checked);
        EXPECT_EQ(stats.hulls_met, alone.hulls_met);
        EXPECT_EQ(stats.voxels, alone.voxels);
      }
  }
}

TEST(Sweep, ManyPortionsFlow) {
  // Two stacks of plates that slide into each other: more pairs than may wait.
  std::vector<Body> bodies(2);
  for (std::uint32_t b = 0; b < 2; ++b)
    for (std::uint32_t t = 0; t < 220; ++t) {
      const double z = 0.001 * t + 0.0005 * b;
      for (const Point3& p : {Point3{0, 0, z}, Point3{4, 0, z}, Point3{0, 4, z + 0.3}}) {
        bodies[b].t0.push_back(p + Vec3{6.0 * b, 0, 0});
        bodies[b].t1.push_back(p);
      }
      bodies[b].triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
  SweepStats stats;
  const auto expected = sweep_step(views(bodies), {}, &stats);
  ASSERT_TRUE(expected);
  EXPECT_GT(stats.checked, 64U * 256U);
  const auto found = sweep_step(views(bodies), {.threads = 3, .schedule = SweepSchedule::flowing}, nullptr);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, *expected);
}

/// A mesh that goes from one pose to another; its triangles may have more vertices than needed.
Body rigid(const Mesh& mesh, const Pose& t0, const Pose& t1) {
  Body body;
  double radius = 0;
  for (const Point3& p : mesh.vertices()) {
    body.t0.push_back(t0.apply(p));
    body.t1.push_back(t1.apply(p));
    radius = std::max(radius, std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z));
  }
  body.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  body.deviation = turning_deviation(radius * (1 + 1e-12), t0, t1);
  return body;
}

/// When sampling first sees two triangles share a point.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> sampled(const Mesh& a, const Motion& motion_a, const Mesh& b,
                                                                  const Motion& motion_b, int samples) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> first;
  const Shape shape_a(a), shape_b(b);
  Scratch scratch;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    for (const TrianglePair& pair : triangle_pairs(shape_a, motion_a.at(t), shape_b, motion_b.at(t), scratch))
      first.try_emplace({pair.a, pair.b}, t);
  }
  return first;
}

TEST(Sweep, MissesNothingThatTurns) {
  // A long thin rod that spins, and balls that turn in place while they pass: the worst for straight ways.
  const Mesh rod = scenes::box({-3, -0.02, -0.02}, {3, 0.02, 0.02}), ball = scenes::sphere(1, 6, 8);
  std::size_t met = 0, may_meet = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Numbers number(seed);
    const Mesh& a = seed % 2 == 0 ? rod : ball;
    const double angle = seed % 5 == 0 ? 2.8 : 0.02 + std::abs(number(0.8));
    const auto pose = [&](double radians, Vec3 axis, Vec3 at) {
      return compose(translation(at.x, at.y, at.z), rotation(axis, radians));
    };
    const Vec3 axis_a = number.vector(1), axis_b = number.vector(1), at_a = number.vector(1.2),
               at_b = number.vector(1.2);
    const double from = number(3);
    const Motion motion_a =
        Motion::make({{0, pose(from, axis_a, at_a)}, {1, pose(from + angle, axis_a, at_a + number.vector(0.3))}})
            .value();
    const Motion motion_b = Motion::make({{0, pose(0, axis_b, at_b)}, {1, pose(0.7 * angle, axis_b, at_b)}}).value();
    const std::vector<Body> bodies{rigid(a, motion_a.at(0), motion_a.at(1)),
                                   rigid(ball, motion_b.at(0), motion_b.at(1))};
    const auto found = sweep_step(views(bodies));
    ASSERT_TRUE(found);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> earliest;
    for (const SweptPair& pair : *found) {
      EXPECT_FALSE(pair.certain);
      earliest[{pair.triangle_a, pair.triangle_b}] = pair.time.t_lo;
    }
    may_meet += earliest.size();
    for (const auto& [pair, t] : sampled(a, motion_a, ball, motion_b, 200)) {
      const auto at = earliest.find(pair);
      ASSERT_TRUE(at != earliest.end()) << pair.first << ' ' << pair.second << " at " << t;
      EXPECT_LE(at->second, t);
      ++met;
    }
  }
  EXPECT_GT(met, 100U);
  EXPECT_GE(may_meet, met);
}

TEST(Sweep, KeepsEveryPairThatComesWithinTheSeparation) {
  std::size_t close = 0, beyond_contact = 0;
  for (std::uint64_t seed = 0; seed < std::max<std::uint64_t>(test::scaled(40), 12); ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Body> bodies = soups(seed, seed % 3 == 0);
    const double separation = seed % 2 == 0 ? 0.05 : 0.4;
    const auto found = sweep_step(views(bodies), {.separation = separation});
    const auto touching = sweep_step(views(bodies));
    ASSERT_TRUE(found && touching);
    EXPECT_GE(found->size(), touching->size());
    beyond_contact += found->size() - touching->size();
    std::map<std::array<std::uint32_t, 4>, double> earliest;
    for (const SweptPair& pair : *found) {
      EXPECT_FALSE(pair.certain);
      earliest[{pair.body_a, pair.triangle_a, pair.body_b, pair.triangle_b}] = pair.time.t_lo;
    }
    const auto at = [](const MovingTriangle& t, double time) -> Triangle {
      const auto corner = [&](const MovingPoint& p) { return (1 - time) * p.t0 + time * p.t1; };
      return {{corner(t[0]), corner(t[1]), corner(t[2])}};
    };
    for (std::uint32_t a = 0; a < bodies.size(); ++a)
      for (std::uint32_t b = a + 1; b < bodies.size(); ++b)
        for (std::uint32_t i = 0; i < bodies[a].triangles.size(); ++i)
          for (std::uint32_t j = 0; j < bodies[b].triangles.size(); ++j)
            for (int k = 0; k <= 8; ++k) {
              const Triangle p = at(bodies[a].moving(i), k / 8.0), q = at(bodies[b].moving(j), k / 8.0);
              if (closest_points(p, q).distance > separation * (1 - 1e-12)) continue;
              const auto pair = earliest.find({a, i, b, j});
              ASSERT_TRUE(pair != earliest.end()) << a << ' ' << i << ' ' << b << ' ' << j << " at " << k;
              EXPECT_LE(pair->second, k / 8.0);
              ++close;
            }
  }
  EXPECT_GT(close, 100U);
  EXPECT_GT(beyond_contact, 100U);
}

TEST(Sweep, DeviationOfATurnCountsFromItsPivot) {
  Numbers number(6);
  for (int i = 0; i < 50; ++i) {
    SCOPED_TRACE(i);
    const Turn turn{number.vector(5), number.vector(1), number(1.5), number(2)};
    const Motion motion = Motion::rest(translation(number(5), 0, 1)).then(1, turn).value();
    const Vec3 p = number.vector(2), arm = p - motion.pivot(0);
    const double radius = std::sqrt(arm.x * arm.x + arm.y * arm.y + arm.z * arm.z) * (1 + 1e-12);
    const double allowed = turning_deviation(radius, motion.at(0), motion.at(1));
    const Point3 from = motion.at(0).apply(p), to = motion.at(1).apply(p);
    for (int k = 0; k <= 64; ++k) {
      const double t = k / 64.0;
      const Vec3 off = motion.at(t).apply(p) - ((1 - t) * from + t * to);
      ASSERT_LE(std::sqrt(off.x * off.x + off.y * off.y + off.z * off.z), allowed + 1e-13);
    }
  }
}

TEST(Sweep, DeviationHoldsForEveryAngle) {
  Numbers number(5);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const Vec3 axis = number.vector(1), p = number.vector(2);
    const double angle = i < 100 ? number(3.14159) : std::ldexp(number(1), -i / 8);
    const double start = number(3);
    const Pose t0 = compose(translation(number(5), 0, 1), rotation(axis, start));
    const Pose t1 = compose(translation(number(5), 2, 1), rotation(axis, start + angle));
    const Motion motion = Motion::make({{0, t0}, {1, t1}}).value();
    const double radius = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z) * (1 + 1e-12);
    const double allowed = turning_deviation(radius, t0, t1);
    const Point3 from = t0.apply(p), to = t1.apply(p);
    for (int k = 0; k <= 64; ++k) {
      const double t = k / 64.0;
      const Vec3 off = motion.at(t).apply(p) - ((1 - t) * from + t * to);
      EXPECT_LE(std::sqrt(off.x * off.x + off.y * off.y + off.z * off.z), allowed);
    }
  }
}

TEST(Sweep, RefusesWhatMakesNoSense) {
  using Code = SweepError::Code;
  const std::vector<Point3> three{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, two{{0, 0, 0}, {1, 0, 0}};
  const std::vector<Point3> broken{{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}};
  const std::vector<Index3> triangle{{0, 1, 2}}, beyond{{0, 1, 3}};
  const auto code_of = [](const SweepBody& body) {
    const std::vector<SweepBody> bodies{{}, body};
    const auto result = sweep_step(bodies);
    EXPECT_FALSE(result);
    if (result) return Code::too_many;
    EXPECT_EQ(result.error().body, 1U);
    EXPECT_NE(result.error().message(), "");
    return result.error().code;
  };
  EXPECT_EQ(code_of({three, two, triangle}), Code::vertex_count);
  EXPECT_EQ(code_of({three, broken, triangle}), Code::non_finite_vertex);
  EXPECT_EQ(code_of({three, three, beyond}), Code::index_out_of_range);
  EXPECT_EQ(code_of({three, three, triangle, -1}), Code::bad_deviation);
  EXPECT_EQ(code_of({three, three, triangle, NAN}), Code::bad_deviation);
  for (const double separation : {-1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
    EXPECT_EQ(sweep_step({}, {.separation = separation}).error().code, Code::bad_separation);
  EXPECT_TRUE(sweep_step({})->empty());
  EXPECT_TRUE(sweep_step(std::vector<SweepBody>(3))->empty());
}

}  // namespace
}  // namespace snug
