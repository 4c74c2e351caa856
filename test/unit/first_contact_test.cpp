// Continuous contact: cases whose truth is plain, and the minimum distance. Random and degenerate ones are in test/judge.

#include "geometry/long_int.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace snug {
namespace {

MovingPoint moving(Point3 from, Point3 to) { return {from, to}; }
MovingPoint resting(Point3 at) { return {at, at}; }

const MovingTriangle k_face{resting({0, 0, 0}), resting({4, 0, 0}), resting({0, 4, 0})};

void expect_time(const std::optional<ContactTime>& contact, double t, double width = 1e-9) {
  ASSERT_TRUE(contact.has_value());
  EXPECT_LE(contact->t_lo, t);
  EXPECT_GE(contact->t_hi, t);
  EXPECT_LE(contact->t_hi - contact->t_lo, width);
}

TEST(VertexFace, FallsThrough) {
  expect_time(first_contact(moving({1, 1, 3}, {1, 1, -1}), k_face), 0.75);
  EXPECT_FALSE(first_contact(moving({3, 3, 3}, {3, 3, -1}), k_face));
  EXPECT_FALSE(first_contact(moving({1, 1, 3}, {1, 1, 1e-300}), k_face));
}

TEST(VertexFace, IsNeverClearWhereACoordinateIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t corner = 0; corner < 4; ++corner) {
      MovingPoint vertex = moving({30, 30, 3}, {30, 30, 2});
      MovingTriangle face = k_face;
      (corner == 3 ? vertex : face[corner]).t1.y = bad;
      EXPECT_TRUE(first_contact(vertex, face)) << corner;
      EXPECT_TRUE(first_contact(MovingEdge{vertex, face[0]}, MovingEdge{face[1], face[2]})) << corner;
      const MovingTriangle other{vertex, resting({31, 30, 3}), resting({30, 31, 3})};
      EXPECT_TRUE(first_contact(other, face)) << corner;
      EXPECT_FALSE(keeps_distance(vertex, face, {.distance = 1}).yes()) << corner;
    }
  const MovingPoint far = moving({30, 30, 3}, {30, 30, 2});
  EXPECT_EQ(keeps_distance(far, k_face, {.distance = std::numeric_limits<double>::quiet_NaN()}).because,
            Undecided::invalid_input);
  EXPECT_EQ(keeps_distance(far, k_face, {.distance = -1}).because, Undecided::invalid_input);
}

TEST(VertexFace, TouchesAtAnEnd) {
  EXPECT_EQ(first_contact(moving({1, 1, 3}, {1, 1, 0}), k_face), (ContactTime{1, 1}));
  EXPECT_EQ(first_contact(moving({1, 1, 0}, {1, 1, 3}), k_face), (ContactTime{0, 0}));
  EXPECT_EQ(first_contact(moving({2, 2, 1}, {2, 2, 0}), k_face), (ContactTime{1, 1}));  // on the edge
  EXPECT_FALSE(first_contact(moving({2, 2, 1}, {std::nextafter(2.0, 3.0), 2, 0}), k_face));
}

TEST(VertexFace, SlidesInThePlane) {
  expect_time(first_contact(moving({-1, 1, 0}, {1, 1, 0}), k_face), 0.5);
  expect_time(first_contact(moving({-1, 0, 0}, {7, 0, 0}), k_face), 0.125);  // along an edge
  EXPECT_FALSE(first_contact(moving({-1, 5, 0}, {5, 5, 0}), k_face));
  EXPECT_EQ(first_contact(resting({1, 1, 0}), k_face), (ContactTime{0, 0}));
  EXPECT_FALSE(first_contact(resting({1, 1, 1}), k_face));
}

TEST(VertexFace, KnowsCollapsedFaces) {
  const MovingTriangle segment{resting({0, 0, 0}), resting({4, 0, 0}), resting({2, 0, 0})};
  expect_time(first_contact(moving({1, -1, 0}, {1, 1, 0}), segment), 0.5);
  EXPECT_FALSE(first_contact(moving({5, -1, 0}, {5, 1, 0}), segment));
  const MovingTriangle point{resting({1, 1, 1}), resting({1, 1, 1}), resting({1, 1, 1})};
  expect_time(first_contact(moving({0, 0, 0}, {4, 4, 4}), point), 0.25);
  EXPECT_FALSE(first_contact(moving({0, 0, 0}, {4, 4, std::nextafter(4.0, 5.0)}), point));
  // A triangle that passes through a segment: it has no area at half time, when the vertex is on it.
  const MovingTriangle turning{resting({-1, 0, 0}), resting({1, 0, 0}), moving({0, 1, 0}, {0, -1, 0})};
  expect_time(first_contact(moving({0, 0, 1}, {0, 0, -1}), turning), 0.5);
}

TEST(EdgeEdge, Cross) {
  const MovingEdge bar{resting({-1, 0, 0}), resting({1, 0, 0})};
  expect_time(first_contact(bar, MovingEdge{moving({0, -1, 3}, {0, -1, -1}), moving({0, 1, 3}, {0, 1, -1})}), 0.75);
  EXPECT_FALSE(first_contact(bar, MovingEdge{moving({2, -1, 3}, {2, -1, -1}), moving({2, 1, 3}, {2, 1, -1})}));
  // End to end.
  expect_time(first_contact(bar, MovingEdge{moving({1, 0, 1}, {1, 0, -1}), moving({2, 0, 1}, {2, 0, -1})}), 0.5);
}

TEST(EdgeEdge, Parallel) {
  const MovingEdge bar{resting({0, 0, 0}), resting({2, 0, 0})};
  expect_time(first_contact(bar, MovingEdge{moving({1, 1, 0}, {1, -1, 0}), moving({3, 1, 0}, {3, -1, 0})}), 0.5);
  EXPECT_FALSE(first_contact(bar, MovingEdge{moving({3, 1, 0}, {3, -1, 0}), moving({5, 1, 0}, {5, -1, 0})}));
  // On one line all the time, from behind.
  expect_time(first_contact(bar, MovingEdge{moving({4, 0, 0}, {0, 0, 0}), moving({6, 0, 0}, {2, 0, 0})}), 0.5);
}

TEST(FirstContact, HoldsAtAnyScale) {
  for (const int exponent : {-1000, -500, -300, -60, 60, 300, 500, 990}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    const auto scaled = [&](const MovingPoint& p) { return MovingPoint{s * p.t0, s * p.t1}; };
    const MovingTriangle face{scaled(k_face[0]), scaled(k_face[1]), scaled(k_face[2])};
    expect_time(first_contact(scaled(moving({1, 1, 3}, {1, 1, -1})), face), 0.75);
    EXPECT_FALSE(first_contact(scaled(moving({3, 3, 3}, {3, 3, -1})), face));
    EXPECT_EQ(first_contact(scaled(moving({2, 2, 1}, {2, 2, 0})), face), (ContactTime{1, 1}));
  }
}

TEST(FirstContact, SurvivesTheWholeRangeOfDoubles) {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const MovingTriangle face{resting({-huge, -huge, 0}), resting({huge, -tiny, 0}),
                            moving({0, huge, tiny}, {tiny, huge, 0})};
  EXPECT_TRUE(first_contact(moving({0, 0, huge}, {tiny, 0, -huge}), face));
  EXPECT_FALSE(first_contact(moving({0, 0, huge}, {tiny, 0, tiny}), face));
  const MovingEdge a{resting({-huge, 0, tiny}), resting({huge, 0, tiny})};
  EXPECT_EQ(
      first_contact(a, MovingEdge{moving({0, -huge, 1}, {0, -huge, tiny}), moving({0, huge, 1}, {0, huge, tiny})}),
      (ContactTime{1, 1}));
}

TEST(FirstContact, IsTheFirstOfSeveral) {
  // The face swings through the vertex's path and back: the volume has two roots within the face.
  const MovingTriangle face{moving({-9, -9, 0}, {-9, -9, 0}), moving({9, -9, 0}, {9, -9, 0}),
                            moving({0, 30, 0}, {0, 30, 0})};
  const MovingTriangle tilting{moving({-9, -9, -1}, {-9, -9, 1}), face[1], face[2]};
  const auto contact = first_contact(moving({-8, -8, -0.5}, {8, -8, 0.01}), tilting);
  ASSERT_TRUE(contact);
  const auto later = first_contact(moving({8, -8, 0.01}, {-8, -8, -0.5}),
                                   {moving({-9, -9, 1}, {-9, -9, -1}), face[1], face[2]});  // time reversed
  ASSERT_TRUE(later);
  EXPECT_LE(contact->t_lo, 1 - later->t_lo + 1e-9);
}

TEST(FirstContact, OfTriangles) {
  const MovingTriangle fixed = k_face;
  const auto shifted = [](Vec3 from, Vec3 to) {
    return MovingTriangle{moving(Point3{1, 1, 1} + from, Point3{1, 1, 1} + to),
                          moving(Point3{2, 1, 2} + from, Point3{2, 1, 2} + to),
                          moving(Point3{1, 2, 2} + from, Point3{1, 2, 2} + to)};
  };
  expect_time(first_contact(fixed, shifted({0, 0, 0}, {0, 0, -2})), 0.5);
  expect_time(first_contact(shifted({0, 0, 0}, {0, 0, -2}), fixed), 0.5);
  EXPECT_FALSE(first_contact(fixed, shifted({9, 0, 0}, {9, 0, -2})));
  // They cross at the start without any corner or pair of edges in contact.
  EXPECT_EQ(first_contact(fixed, shifted({0, 0, -1.5}, {0, 0, 2})), (ContactTime{0, 0}));
}

TEST(KeepsDistance, ToldWhereItCanBe) {
  const MovingPoint falling = moving({1, 1, 3}, {1, 1, 1});
  EXPECT_TRUE(keeps_distance(falling, k_face, {.distance = 0.99}).yes());
  const Outcome<Separation> close = keeps_distance(falling, k_face, {.distance = 2});
  EXPECT_TRUE(close.no());
  EXPECT_LE(close->time.t_lo, 0.5);
  EXPECT_GE(close->time.t_hi, 0.5);
  EXPECT_LE(close->time.t_hi - close->time.t_lo, 4e-6);  // of a distance of 2, at a speed of 2
  // The smallest distance is the one asked for, throughout.
  const Outcome<Separation> doubt = keeps_distance(moving({1, 1, 1}, {2, 1, 1}), k_face, {.distance = 1});
  EXPECT_FALSE(doubt.yes());
  EXPECT_TRUE(keeps_distance(falling, k_face, {.distance = 0}).yes());
  // Boxes that are farther apart tell without a look at any piece of the time.
  EXPECT_TRUE(keeps_distance(falling, k_face, {.distance = 0.9999, .budget = {.steps = 0}}).yes());
  EXPECT_EQ(keeps_distance(falling, k_face, {.distance = 1, .budget = {.steps = 0}}).because, Undecided::steps);
  const MovingEdge edge{moving({0, 0, 9}, {0, 0, 8}), moving({1, 0, 9}, {1, 0, 8})};
  const MovingEdge other{moving({0, -1, 0}, {0, -1, 5}), moving({0, 1, 0}, {0, 1, 5})};
  EXPECT_TRUE(keeps_distance(edge, other, {.distance = 2.999, .budget = {.steps = 0}}).yes());
  EXPECT_TRUE(keeps_distance(other, edge, {.distance = 2.999, .budget = {.steps = 0}}).yes());
  EXPECT_EQ(keeps_distance(edge, other, {.distance = 3, .budget = {.steps = 0}}).because, Undecided::steps);
  EXPECT_EQ(keeps_distance(falling, k_face, {.distance = 1e200}).because, Undecided::tolerance);
}

/// Dense sampling of the distance, as the judge of minimum distances.
double least_sampled(const MovingEdge& a, const MovingEdge& b, double& at) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= 400; ++i) {
    const double t = i / 400.0;
    const auto place = [&](const MovingPoint& p) { return (1 - t) * p.t0 + t * p.t1; };
    const double d =
        closest_points({{place(a[0]), place(a[1]), place(a[1])}}, {{place(b[0]), place(b[1]), place(b[1])}}).distance;
    if (d < least) least = d, at = t;
  }
  return least;
}

TEST(KeepsDistance, AgreesWithSampling) {
  std::mt19937_64 engine(7);
  const auto place = [&] {
    const auto c = [&] { return static_cast<double>(engine() >> 11) * 0x1p-52 - 1; };
    const double x = c(), y = c();
    return Point3{x, y, c()};
  };
  std::size_t decided = 0;
  const std::uint64_t cases = test::scaled(160);
  for (std::uint64_t i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    const MovingEdge a{moving(place(), place()), moving(place(), place())};
    const MovingEdge b{moving(place(), place()), moving(place(), place())};
    double at = 0;
    const double least = least_sampled(a, b, at);
    if (least < 0.05) continue;
    EXPECT_TRUE(keeps_distance(a, b, {.distance = 1.001 * least}).no());
    // Sampling stays within half a step of the true minimum.
    EXPECT_TRUE(keeps_distance(a, b, {.distance = least - 0.01}).yes());
    ++decided;
  }
  EXPECT_GT(2 * decided, cases);
}

TEST(LongInt, ComputesLikePlainIntegers) {
  std::mt19937_64 engine(3);
  geometry::LimbArena arena;
  for (int i = 0; i < 20'000; ++i) {
    const auto mark = arena.mark();
    const auto a = static_cast<std::int64_t>(engine()) >> (engine() % 63),
               b = static_cast<std::int64_t>(engine()) >> (engine() % 63);
    const unsigned s = static_cast<unsigned>(engine() % 300);
    const auto x = geometry::LongInt::make(arena, a, s), y = geometry::LongInt::make(arena, b, s);
    EXPECT_EQ((x * y).sign(), (a > 0) - (a < 0) == 0 || b == 0 ? 0 : (a > 0) == (b > 0) ? 1 : -1);
    EXPECT_EQ((x - y).sign(), (a > b) - (a < b));
    // (a + b)^2 - (a - b)^2 = 4 a b
    const auto sum = x + y, difference = x - y;
    EXPECT_EQ((sum * sum - difference * difference - (x * y).shifted_left(2)).sign(), 0);
    EXPECT_EQ((x.shifted_left(77).shifted_right(77) - x).sign(), 0);
    const double down = x.rounded_down(s), up = -(-x).rounded_down(s);
    EXPECT_LE(down, up);
    EXPECT_LE(static_cast<long double>(down), static_cast<long double>(a));
    EXPECT_GE(static_cast<long double>(up), static_cast<long double>(a));
    EXPECT_LE(up - down, std::abs(down) * 0x1p-51);
    arena.release(mark);
  }
}

TEST(LongInt, OutgrowsItsFirstBlock) {
  geometry::LimbArena arena;
  geometry::LongInt power = geometry::LongInt::make(arena, 3);
  for (int i = 0; i < 14; ++i) power = power * power;  // 3^16384
  EXPECT_EQ(power.bits(), 25'969U);
  EXPECT_EQ((power - power).sign(), 0);
  EXPECT_EQ((power.shifted_left(1) - power - power).sign(), 0);
}

}  // namespace
}  // namespace snug
