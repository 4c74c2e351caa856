#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"
#include "unit/firmness_parts.hpp"

#include <snug/check.hpp>
#include <snug/solid.hpp>
#include <snug/verdict.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

// Triangles stand for faces that may be elsewhere by their sags. Round parts, whose truth is known, show whether a verdict
// that is called firm can be wrong: it must not, ever.

namespace snug {
namespace {

using test::chord_sag;
using test::input_of;
using test::turned;
using test::with_sag;

Verdict true_verdict(double gap, double clearance) {
  return gap < 0 ? Verdict::clash : gap < clearance ? Verdict::near : Verdict::clear;
}

TEST(Firmness, MeshesThatAreTheTruthAreAlwaysFirm) {
  const Shape a(scenes::box({0, 0, 0}, {1, 1, 1})), b(scenes::box({0.5, 0, 1}, {1, 1, 2}));
  const PairReport r = assess(a, {}, b, {});
  EXPECT_TRUE(r.firm);
  EXPECT_EQ(r.sag, 0);
}

TEST(Firmness, PinInABushIsNeverFirmAndWrong) {
  const std::uint64_t cases = test::scaled(200);
  std::uint64_t firm = 0, touching = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const auto segments = static_cast<std::uint32_t>(8 + random.below(56));
    const double radius = 5, bore = radius + random.uniform(-0.3, 0.6), off = random.uniform(0, 0.2), clearance = 0.3;
    const Shape pin(with_sag(scenes::cylinder(radius, 20, segments), chord_sag(radius, segments)));
    const Shape bush(with_sag(scenes::pipe(9, bore, 10, segments), chord_sag(9, segments)));
    const Pose at = compose(translation(off, 0, -5), rotation({0, 0, 1}, random.uniform(0, 6)));
    const PairReport r = assess(pin, at, bush, {}, {.tolerances = {.clearance = clearance}});
    const double gap = bore - radius - off;
    const Verdict truth = true_verdict(gap, clearance);
    if (r.firm) {
      EXPECT_EQ(r.verdict, truth) << "gap " << gap << ", " << segments << " segments";
    } else {
      EXPECT_GE(r.verdict, std::min(truth, Verdict::touch)) << "a graver truth must not hide behind it";
      EXPECT_LE(r.verdict, Verdict::touch);
      EXPECT_LE(std::min(std::abs(gap), std::abs(gap - clearance)),
                2 * (chord_sag(radius, segments) + chord_sag(9, segments)));
    }
    firm += r.firm ? 1 : 0, touching += !r.firm && r.verdict == Verdict::touch ? 1 : 0;
    EXPECT_EQ(assess(bush, {}, pin, at, {.tolerances = {.clearance = clearance}}).firm, r.firm);
  }
  EXPECT_GT(firm, cases / 5);
  EXPECT_GT(touching, cases / 10);
}

TEST(Firmness, FitsAreKnownWhateverTheTrianglesDo) {
  struct Case {
    double bore;
    Verdict verdict;
    double gap;
  };
  for (const std::uint32_t segments : {12U, 17U, 48U})
    for (const Case& c : {Case{5.02, Verdict::near, 0.02},
                          {5.2, Verdict::near, 0.2},
                          {5.4, Verdict::clear, 0},
                          {5, Verdict::touch, 0}}) {
      SCOPED_TRACE(c.bore);
      SCOPED_TRACE(segments);
      const Shape pin(with_sag(scenes::cylinder(5, 20, segments), chord_sag(5, segments), 1e-7));
      const Shape bush(with_sag(scenes::pipe(9, c.bore, 10, segments), chord_sag(9, segments), 1e-7));
      for (const double turn : {0.0, 0.1, 0.37}) {
        const Pose at = compose(translation(0, 0, -5), rotation({0, 0, 1}, turn));
        const PairReport r = assess(pin, at, bush, {}, {.tolerances = {.clearance = 0.3}});
        EXPECT_EQ(r.verdict, c.verdict);
        EXPECT_TRUE(r.firm);
        if (c.gap > 0) {
          ASSERT_TRUE(r.gap);
          EXPECT_NEAR(*r.gap, c.gap, 1e-6);
        }
      }
    }
}

TEST(Firmness, StepsAndBottomsBesideAFitAreNotOverlooked) {
  const std::uint64_t cases = test::scaled(200);
  std::uint64_t firm = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const auto segments = static_cast<std::uint32_t>(10 + random.below(40));
    const double bore = 5 + random.uniform(-0.1, 0.4), below = random.uniform(-0.2, 0.5),
                 collar = random.uniform(-0.2, 0.5);
    const double clearance = 0.3, length = 8 + collar - below;  // the cup's hole is 8 deep
    const Shape cup(turned({{0, 0}, {9, 0}, {9, 10}, {bore, 10}, {bore, 2}, {0, 2}}, segments));
    const Shape pin(turned({{0, 0}, {5, 0}, {5, length}, {7, length}, {7, length + 2}, {0, length + 2}}, segments));
    ASSERT_TRUE(is_closed(cup.mesh().view())) << "bad test";
    const Pose at = compose(translation(0, 0, 2 + below), rotation({0, 0, 1}, random.uniform(0, 6)));
    const PairReport r = assess(pin, at, cup, {}, {.tolerances = {.clearance = clearance}});
    const double gap = std::min({bore - 5, below, collar});
    const Verdict truth = true_verdict(gap, clearance);
    if (r.firm) {
      EXPECT_EQ(r.verdict, truth) << "play " << bore - 5 << ", below " << below << ", collar " << collar;
    } else {
      EXPECT_GE(r.verdict, std::min(truth, Verdict::touch)) << "play " << bore - 5 << ", below " << below;
    }
    firm += r.firm ? 1 : 0;
  }
  EXPECT_GT(firm, cases / 5);
}

TEST(Firmness, CrownedFaceBesideAFlatContactIsNotWavedThrough) {
  // A box whose top is flat on one half and on the other a single chord of a wide cylinder that bulges by its sag.
  Mesh mesh = scenes::box({0, 0, -1}, {10, 10, 0});
  MeshInput in = input_of(mesh);
  Surface crown{"crown", SurfaceKind::cylinder, {0.05, false}};
  crown.analytic = AnalyticSurface{.origin = {5, 5, -1000 + 0.05}, .axis = {0, 1, 0}, .radius = 1000};
  in.surfaces.push_back(crown);
  in.surface_of_triangle[*mesh.triangles_of(1).begin()] = 6;  // one of the two triangles of the top
  const Shape plate(Mesh::build(std::move(in)).value()), lid(scenes::box({0, 0, 0}, {10, 10, 1}));
  const PairReport r = assess(plate, {}, lid, {});
  EXPECT_EQ(r.verdict, Verdict::touch);
  EXPECT_FALSE(r.firm);
}

TEST(Firmness, PinThatIsTooWideIsNeverFirmlyAMereTouch) {
  for (const double bore : {4.98, 4.9, 4.5}) {
    const std::uint32_t segments = 24;
    const Shape pin(with_sag(scenes::cylinder(5, 20, segments), chord_sag(5, segments), 1e-7));
    const Shape bush(with_sag(scenes::pipe(9, bore, 10, segments), chord_sag(9, segments), 1e-7));
    const PairReport r = assess(pin, translation(0, 0, -5), bush, {});
    EXPECT_TRUE(r.verdict == Verdict::clash || (r.verdict == Verdict::touch && !r.firm)) << bore;
    if (bore < 4.9) continue;  // its face is too far from the pin's to be listed
    EXPECT_TRUE(std::ranges::any_of(
        r.matings, [&](const SurfaceMating& m) { return m.fit && std::abs(*m.fit - (bore - 5)) < 1e-9; }));
  }
}

TEST(Firmness, AHeadBehindABoreIsNoFit) {
  // A pin wider than the bore stands on the bush: same axis, but not in it.
  const std::uint32_t segments = 24;
  const Shape head(with_sag(scenes::cylinder(7, 4, segments), chord_sag(7, segments), 1e-7));
  const Shape bush(with_sag(scenes::pipe(9, 5, 10, segments), chord_sag(9, segments), 1e-7));
  const PairReport resting = assess(head, translation(0, 0, 10), bush, {}, {.tolerances = {.clearance = 0.5}});
  EXPECT_EQ(resting.verdict, Verdict::touch);
  EXPECT_TRUE(resting.firm);
  const PairReport above = assess(head, translation(0, 0, 10.4), bush, {}, {.tolerances = {.clearance = 0.5}});
  EXPECT_EQ(above.verdict, Verdict::near);
  EXPECT_NEAR(*above.gap, 0.4, 1e-12);
  const PairReport sunk = assess(head, translation(0, 0, 9.5), bush, {});
  EXPECT_EQ(sunk.verdict, Verdict::clash);
  EXPECT_TRUE(sunk.firm);
}

/// On one axis, but end to end: the head does not sit in the bore that it covers.
TEST(Firmness, HeadOnABoreIsNoFit) {
  for (const std::uint32_t segments : {12U, 17U, 48U}) {
    SCOPED_TRACE(segments);
    const Shape head(with_sag(scenes::cylinder(8, 4, segments), chord_sag(8, segments), 1e-7));
    const Shape plate(with_sag(scenes::pipe(20, 5, 10, segments), chord_sag(20, segments), 1e-7));
    for (const double turn : {0.0, 0.1}) {
      const Pose at = compose(translation(0, 0, 10), rotation({0, 0, 1}, turn));
      for (const PairReport& r : {assess(head, at, plate, {}), assess(plate, {}, head, at)}) {
        EXPECT_EQ(r.verdict, Verdict::touch);
        EXPECT_TRUE(r.firm);
        for (const SurfaceMating& mating : r.matings) EXPECT_FALSE(mating.fit);
      }
      EXPECT_EQ(assess(head, compose(translation(0, 0, -0.5), at), plate, {}).verdict, Verdict::clash);
    }
  }
}

TEST(Firmness, SpheresAreNeverFirmAndWrong) {
  for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const auto rings = static_cast<std::uint32_t>(6 + random.below(20));
    const Mesh mesh = scenes::sphere(1, rings, 2 * rings);
    // The middle of a band's quadrilateral sags by both chords.
    const double sag = 2 * chord_sag(1, 2 * rings);
    const Shape ball(with_sag(mesh, sag));
    const double distance = random.uniform(1.8, 2.3), clearance = 0.1;
    const Pose at = compose(translation(distance, 0, 0), Pose::make(random.rotation(), {}).value());
    const PairReport r =
        assess(ball, Pose::make(random.rotation(), {}).value(), ball, at, {.tolerances = {.clearance = clearance}});
    const Verdict truth = true_verdict(distance - 2, clearance);
    if (r.firm)
      EXPECT_EQ(r.verdict, truth) << distance;
    else
      EXPECT_GE(r.verdict, std::min(truth, Verdict::touch)) << distance;
  }
}

TEST(Firmness, FlatContactIsFirmAlthoughItsBorderIsRound) {
  const double sag = chord_sag(5, 24);
  const Shape pin(with_sag(scenes::cylinder(5, 10, 24), sag, 1e-7)),
      plate(with_sag(scenes::box({-20, -20, -2}, {20, 20, 0}), 0, 1e-7));
  const PairReport resting = assess(pin, {}, plate, {});
  EXPECT_EQ(resting.verdict, Verdict::touch);
  EXPECT_TRUE(resting.firm);
  EXPECT_GT(resting.sag, sag);
  const PairReport sunk = assess(pin, translation(0, 0, -0.01), plate, {});
  EXPECT_EQ(sunk.verdict, Verdict::clash) << "flat faces are exact: a hundredth is deep enough";
  EXPECT_TRUE(sunk.firm);
  const PairReport above = assess(pin, translation(0, 0, 0.1), plate, {}, {.tolerances = {.clearance = 0.5}});
  EXPECT_EQ(above.verdict, Verdict::near);
  EXPECT_TRUE(above.firm);
  const PairReport lying = assess(pin, compose(translation(0, 0, 5), rotation({0, 1, 0}, 1.5)), plate, {});
  EXPECT_FALSE(lying.verdict == Verdict::touch && lying.firm) << "only the round side is near the plate";
}

TEST(Firmness, RoundFacesThatAreCalledPlanesAreNotFlat) {
  const double h = 9.98 / std::sqrt(2.0);  // a square bar whose edges clear the bore by 0.02, and cross its triangles
  MeshInput in = input_of(with_sag(scenes::pipe(20, 10, 20, 64), chord_sag(20, 64), 1e-7));
  for (Surface& surface : in.surfaces) surface.kind = SurfaceKind::plane, surface.analytic.reset();
  const Shape ring(Mesh::build(std::move(in)).value());
  const Shape bar(with_sag(scenes::box({-h, -h, -5}, {h, h, 25}), 0, 1e-7));
  const PairReport report = assess(ring, {}, bar, rotation({0, 0, 1}, std::numbers::pi / 64));
  EXPECT_FALSE(report.firm);
}

TEST(Firmness, ThinPlateThroughARoundPartIsAFirmClash) {
  const Shape plate(with_sag(scenes::box({-20, -20, -0.01}, {20, 20, 0.01}), 0));
  const Shape bar(with_sag(scenes::cylinder(5, 10, 16), chord_sag(5, 16)));
  const PairReport r = assess(bar, translation(0, 0, -5), plate, {});
  EXPECT_EQ(r.verdict, Verdict::clash) << "thinner than the sag, but its own faces are exact";
  EXPECT_TRUE(r.firm);
}

TEST(Firmness, ToleranceAloneDoesNotMakeATouchDoubtful) {
  const Shape a(with_sag(scenes::box({0, 0, 0}, {1, 1, 1}), 0, 1e-7)),
      b(with_sag(scenes::box({0, 0, 1}, {1, 1, 2}), 0, 1e-7));
  for (const double off : {0.0, 1e-7, -1e-8}) {
    const PairReport r = assess(a, {}, b, translation(0, 0, off));
    EXPECT_EQ(r.verdict, Verdict::touch) << off;
    EXPECT_TRUE(r.firm) << off;
  }
}

TEST(Firmness, ContainedIsFirmWhenTheGapExceedsTheSags) {
  const Shape ball(with_sag(scenes::sphere(0.05, 8, 16), 0.01)),
      block(with_sag(scenes::cylinder(5, 10, 16), chord_sag(5, 16)));
  const PairReport deep = assess(ball, translation(0, 0, 5), block, {});
  EXPECT_EQ(deep.verdict, Verdict::contained);
  EXPECT_TRUE(deep.firm);
  const double turn = std::numbers::pi / 16;  // below the middle of a flat of the wall
  const PairReport shallow = assess(ball, translation(4.80 * std::cos(turn), 4.80 * std::sin(turn), 5), block, {});
  EXPECT_FALSE(shallow.firm && shallow.verdict == Verdict::contained) << "its wall may be elsewhere by 0.1";
}

TEST(Firmness, PartsWhoseBoxesAreApartByLessThanTheirSagsAreListed) {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh round = with_sag(scenes::cylinder(5, 10, 16), chord_sag(5, 16));
  (void)assembly.add({"left", round, {}}).value();
  (void)assembly.add({"right", round, translation(10.05, 0, 0)}).value();
  const CheckReport report = check(assembly);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::touch);
  EXPECT_FALSE(report.findings[0].firm);
  EXPECT_EQ(report.coverage.not_firm, 1U);
  EXPECT_FALSE(report.findings[0].surface_pairs.empty());
}

}  // namespace
}  // namespace snug
