#include "aligned_support.hpp"
#include "any_shape.hpp"
#include "primitive_support.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

// Signed distances of two primitives, held to support functions in long doubles: of polytopes over all normals of faces and of pairs of
// edges, of round bodies over many directions.

namespace snug {
namespace {

using scenes::Random;
using test::Long;
using test::LongVec;
using Kind = Primitive::Kind;

LongVec cross(LongVec a, LongVec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
LongVec unit(LongVec v) { return (1 / test::length(v)) * v; }

/// How far a primitive reaches along a direction of unit length, from the world's origin.
Long reach(const Primitive& p, const Pose& pose, LongVec u) {
  const auto& r = pose.matrix();
  const LongVec d{r[0] * u.x + r[3] * u.y + r[6] * u.z, r[1] * u.x + r[4] * u.y + r[7] * u.z,
                  r[2] * u.x + r[5] * u.y + r[8] * u.z};
  const Long across = std::sqrt(d.x * d.x + d.y * d.y), along = std::abs(d.z) * p.half().z;
  const Long from = dot(u, test::wide(pose.translation()));
  switch (p.kind()) {
    case Kind::sphere:
      return from + p.radius();
    case Kind::capsule:
      return from + along + p.radius();
    case Kind::box:
      return from + std::abs(d.x) * p.half().x + std::abs(d.y) * p.half().y + along;
    case Kind::cylinder:
      return from + across * p.radius() + along;
    case Kind::cone:
      return from + std::max(across * p.radius() - d.z * p.half().z, d.z * p.half().z);
    case Kind::ellipsoid:
      return from + length(LongVec{d.x * p.half().x, d.y * p.half().y, d.z * p.half().z});
    case Kind::triangle:
    case Kind::hull: {
      Long most = -std::numeric_limits<Long>::infinity();
      for (const Point3& q : p.points()) most = std::max(most, dot(d, test::wide(q)));
      return from + most;
    }
    case Kind::half_space:
    case Kind::plane:
      break;
  }
  ADD_FAILURE() << "reaches without end";
  return 0;
}

/// How far a must go along u to be out of b.
Long way_out(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b, LongVec u) {
  return reach(b, pose_b, u) + reach(a, pose_a, Long(-1) * u);
}

/// Corners in the world; none of what is round.
std::vector<LongVec> corners_of(const Primitive& p, const Pose& pose) {
  std::vector<LongVec> corners;
  if (p.kind() == Kind::box)
    for (const Point3& q : test::corners_of(p)) corners.push_back(to_world(pose, test::wide(q)));
  for (const Point3& q : p.points()) corners.push_back(to_world(pose, test::wide(q)));
  return corners;
}

/// The exact depth of two polytopes: the least way out over the normals of all planes through three corners and the products of all
/// pairs of lines through two. Those that are none of a face or of edges only tell longer ways.
Long exact_depth(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b) {
  const auto of_a = corners_of(a, pose_a), of_b = corners_of(b, pose_b);
  Long least = std::numeric_limits<Long>::infinity();
  const auto look = [&](LongVec normal) {
    const Long size = test::length(normal);
    if (!(size > 1e-12L)) return;
    for (const Long sign : {Long(1), Long(-1)})
      least = std::min(least, way_out(a, pose_a, b, pose_b, (sign / size) * normal));
  };
  std::vector<LongVec> lines[2];
  for (const auto* corners : {&of_a, &of_b})
    for (std::size_t i = 0; i < corners->size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        lines[corners == &of_b].push_back((*corners)[i] - (*corners)[j]);
        for (std::size_t k = 0; k < j; ++k) look(cross((*corners)[i] - (*corners)[k], (*corners)[j] - (*corners)[k]));
      }
  for (const LongVec& p : lines[0])
    for (const LongVec& q : lines[1]) look(cross(p, q));
  return least;
}

/// The least way out over many directions, the best of them improved: no less than the depth, and mostly close to it.
Long sampled_depth(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b, Random& random,
                   int directions) {
  Long least = std::numeric_limits<Long>::infinity();
  LongVec best{1, 0, 0};
  const auto look = [&](LongVec u) {
    if (const Long way = way_out(a, pose_a, b, pose_b, u); way < least) least = way, best = u;
  };
  for (int i = 0; i < directions; ++i) {
    const LongVec v = test::wide(random.point(-1, 1));
    if (test::length(v) > 0.01L) look(unit(v));
  }
  for (Long step = 0.2L; step > 1e-9L; step *= 0.7L)
    for (int i = 0; i < 12; ++i) look(unit(best + step * test::wide(random.point(-1, 1))));
  return least;
}

bool is_flat(Kind kind) { return kind == Kind::half_space || kind == Kind::plane; }
bool is_polytope(Kind kind) { return kind == Kind::box || kind == Kind::hull || kind == Kind::triangle; }

struct Tally {
  int pairs = 0, overlapping = 0, wide = 0;
  double widest = 0;
};

/// What the header promises of one pair, whatever it is.
SignedDistance expect_promises(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b) {
  const Shape shape_a(a), shape_b(b);
  Scratch& scratch = test::own_scratch();
  const SignedDistance d = signed_distance(shape_a, pose_a, shape_b, pose_b, scratch),
                       back = signed_distance(shape_b, pose_b, shape_a, pose_a, scratch);
  const double e = resolution(shape_a, pose_a, shape_b, pose_b);
  EXPECT_FALSE(d.refused());
  EXPECT_EQ(d.value, back.value);
  EXPECT_EQ(d.lower, back.lower);
  EXPECT_EQ(d.upper, back.upper);
  EXPECT_EQ(d.on_a, back.on_b);
  EXPECT_EQ(d.on_b, back.on_a);
  EXPECT_EQ(d.normal, -back.normal);
  if (std::isinf(d.value)) return d;
  EXPECT_LE(d.lower, d.value);
  EXPECT_LE(d.value, d.upper);
  const Distance apart = distance(shape_a, pose_a, shape_b, pose_b, scratch);
  EXPECT_NEAR(std::max(d.value, 0.0), apart.value, e);
  if (apart.value > 0) {
    EXPECT_NEAR(apart.normal.length(), 1, 1e-12);
    EXPECT_NEAR((apart.on_a - apart.on_b - apart.value * apart.normal).length(), 0, 0x1p20 * e);
  } else {
    EXPECT_EQ(apart.normal, Vec3{});
  }
  if (is_flat(a.kind()) && is_flat(b.kind()) && d.normal == Vec3{}) return d;  // planes that cross
  EXPECT_NEAR(d.normal.length(), 1, 1e-12);
  // Moved as it says, they touch.
  const Vec3 out = (1e-9 * std::abs(d.value) + 2 * e - d.value) * d.normal;
  const Pose moved = Pose::make(pose_a.rotation(), pose_a.translation() + out).value();
  EXPECT_FALSE(d.value < 0 && intersects(shape_a, moved, shape_b, pose_b, scratch));
  return d;
}

struct Case {
  Kind a, b;
};
class EveryTwo : public testing::TestWithParam<Case> {};

TEST_P(EveryTwo, AreAsDeepAsTheirReachTells) {
  const auto [kind_a, kind_b] = GetParam();
  Tally tally;
  for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const test::Sizes sizes{scale, random.below(4) == 0};
    const Primitive a = test::random_primitive(random, kind_a, sizes),
                    b = test::random_primitive(random, kind_b, sizes);
    const auto turns = test::cube_rotations();
    const auto turn = [&] {
      return random.below(3) == 0 ? turns[random.below(turns.size())].rotation() : random.rotation();
    };
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Pose pose_a = Pose::make(turn(), far).value();
    Vec3 at = scale * std::array{0.0, 0.3, 0.8}[random.below(3)] * random.point(-1, 1);
    if (random.below(4) == 0) at = {at.x, 0, 0};
    const Pose pose_b = Pose::make(turn(), far + at).value();
    const SignedDistance d = expect_promises(a, pose_a, b, pose_b);
    const double e = resolution(Shape(a), pose_a, Shape(b), pose_b);
    if (is_flat(kind_a) || is_flat(kind_b)) {
      if (std::isfinite(d.value)) {
        EXPECT_LE(d.upper - d.lower, e);
      }
      continue;
    }
    ++tally.pairs;
    EXPECT_NEAR((d.on_a - d.on_b - d.value * d.normal).length(), 0, 0x1p20 * e + 2 * (d.upper - d.lower))
        << "to 1e-6 of their size";
    if (d.value > 0) continue;
    ++tally.overlapping;
    // The way it tells is one, and none is shorter than it proves.
    EXPECT_LE(double(way_out(a, pose_a, b, pose_b, test::wide(d.normal))), -d.value + e);
    const Long least = is_polytope(kind_a) && is_polytope(kind_b) ? exact_depth(a, pose_a, b, pose_b)
                                                                  : sampled_depth(a, pose_a, b, pose_b, random, 2000);
    EXPECT_GE(double(least), -d.upper - e) << "a way is shorter than proved possible";
    EXPECT_LE(-d.value - (d.upper - d.lower), double(least) + e) << "a shorter way was missed";
    if (is_polytope(kind_a) && is_polytope(kind_b)) {
      EXPECT_LE(d.upper - d.lower, e + 1e-14 * scale) << "not exact";
    }
    // Needles with round sides may keep theirs far apart.
    if (!sizes.degenerate && d.upper - d.lower > e + 1e-9 * -d.value + 1e-14 * std::max(scale, 1.0)) {
      ++tally.wide;
      tally.widest = std::max(tally.widest, (d.upper - d.lower) / -d.value);
    }
  }
  RecordProperty("overlapping", tally.overlapping);
  RecordProperty("wide", tally.wide);
  RecordProperty("widest", std::to_string(tally.widest));
  EXPECT_LE(tally.wide, tally.overlapping / 4) << "widest " << tally.widest;
  EXPECT_LE(tally.widest, 0.01);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Kind a : test::k_kinds)
    for (const Kind b : test::k_kinds)
      if (a <= b) all.push_back({a, b});
  return all;
}
std::string named(const testing::TestParamInfo<Case>& of) {
  std::string name = std::string(to_string(of.param.a)) + "_" + std::string(to_string(of.param.b));
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(SignedDistance, EveryTwo, testing::ValuesIn(cases()), named);

}  // namespace
}  // namespace snug
