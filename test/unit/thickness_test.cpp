// The touch overlap compares the thickness of an overlap, and forgives only what is proved to be no thicker.
#include "penetration/thickness.hpp"
#include "penetration/posed_solid.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"
#include "unit/firmness_parts.hpp"

#include <snug/check.hpp>
#include <snug/query.hpp>
#include <snug/verdict.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace snug {
namespace {

using test::input_of;
using test::turned;
using test::with_sag;

PairReport with_overlap(const Shape& a, const Pose& at, const Shape& b, double overlap) {
  return assess(a, at, b, {}, {.tolerances = {.touch_overlap = overlap}});
}

TEST(Thickness, OfAScrewInItsCoreHoleIsForgivenThoughTheWayOutIsLong) {
  // Triangles that stand for themselves: no form of a face helps.
  const Shape screw(scenes::cylinder(1.5, 14, 24)), tapped(scenes::pipe(4, 1.25, 8, 24));
  const Pose at = compose(translation(0, 0, -3), rotation({0, 0, 1}, 0.05));
  const PairReport strict = with_overlap(screw, at, tapped, 0.2);
  ASSERT_EQ(strict.verdict, Verdict::clash);
  EXPECT_NEAR(strict.depth->lower, 0.25, 0.03);
  EXPECT_GT(strict.depth->upper, 2);
  for (const double overlap : {0.5, 0.8}) {
    const PairReport r = with_overlap(screw, at, tapped, overlap);
    EXPECT_EQ(r.verdict, Verdict::touch) << overlap << ' ' << r.reason;
    ASSERT_TRUE(r.depth && r.depth->thickness_bound) << "an overlap that is forgiven is still reported";
    EXPECT_EQ(*r.depth->thickness_bound, overlap);
    EXPECT_EQ(r.depth->lower, strict.depth->lower);
  }
}

TEST(Thickness, DoesNotForgiveADeepClashBesideAThinOne) {
  // The same screw with a head that is sunk by 2: the ball of the head is what counts.
  const Shape screw(turned({{0, -3}, {1.5, -3}, {1.5, 6}, {3, 6}, {3, 11}, {0, 11}}, 24));
  const Shape tapped(scenes::pipe(4, 1.25, 8, 24));
  for (const double overlap : {0.3, 0.5, 1.0})
    EXPECT_EQ(with_overlap(screw, {}, tapped, overlap).verdict, Verdict::clash);
  EXPECT_NE(with_overlap(screw, {}, tapped, 1.9).verdict, Verdict::touch);
}

TEST(Thickness, OfAPiercedPlateThinnerThanTheTouchOverlapIsNotProved) {
  // No ball in the plate is wider than 0.3, but a bar goes right through it.
  const Shape plate(scenes::box({-10, -10, 0}, {10, 10, 0.3})), bar(scenes::box({-1, -1, -5}, {1, 1, 5}));
  EXPECT_EQ(with_overlap(plate, {}, bar, 0.2).verdict, Verdict::clash);
  EXPECT_GE(with_overlap(plate, {}, bar, 0.5).verdict, Verdict::undecided);
}

TEST(Thickness, IsNeverProvedToBeLessThanABallThatWasFound) {
  const std::array shapes{Shape(scenes::box({-1, -1, -1}, {1, 1, 1})), Shape(scenes::cylinder(1, 2, 16)),
                          Shape(scenes::pipe(1.5, 1, 2, 16)),          Shape(scenes::sphere(1, 8, 12)),
                          Shape(scenes::torus(1.2, 0.4, 20, 10)),      Shape(scenes::bumpy_knot(40, 8))};
  const std::uint64_t cases = test::scaled(40);
  std::uint64_t clashes = 0, proved = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Shape &a = shapes[random.below(shapes.size())], &b = shapes[random.below(shapes.size())];
    const Pose at =
        compose(translation(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)),
                rotation({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1)}, random.uniform(0, 6)));
    const PairReport r = assess(a, at, b, {}, {.keep_triangles = true});
    if (r.verdict != Verdict::clash || !r.depth) continue;
    ++clashes;
    const penetration::PosedSolid posed_a(a, at), posed_b(b, {});
    for (const double share : {0.5, 0.9, 0.999})
      EXPECT_FALSE(penetration::no_thicker_than(posed_a, posed_b, r.triangles, share * r.depth->lower)) << share;
    // And the verdict follows: beyond the thickness found it may be forgiven, below it never is.
    EXPECT_EQ(with_overlap(a, at, b, 0.9 * r.depth->lower).verdict, Verdict::clash);
    const PairReport forgiven = with_overlap(a, at, b, 2.5 * r.depth->lower);
    EXPECT_TRUE(forgiven.verdict == Verdict::touch || forgiven.verdict == Verdict::undecided);
    proved += forgiven.verdict == Verdict::touch ? 1 : 0;
  }
  EXPECT_GT(clashes, cases / 4);
  EXPECT_GT(proved, clashes / 4) << "a bound that proves nothing is no bound";
}

TEST(Thickness, OfRoundingIsATouch) {
  // A rod line to line in its bore, turned forth and back: the walls weave through each other by roundings.
  const Shape rod(scenes::cylinder(5, 60, 36)), bore(scenes::pipe(9, 5, 10, 36));
  for (const double turn : {0.3, 1.1, 2.9}) {
    const Pose about = rotation({0.3, 1, 0.2}, turn), at = compose(about, translation(0, 0, -25));
    for (const double overlap : {0.0, 1e-3}) {
      const PairReport r = assess(rod, at, bore, about, {.tolerances = {.touch_overlap = overlap}});
      EXPECT_EQ(r.verdict, Verdict::touch) << turn << ": " << r.reason;
      EXPECT_FALSE(r.depth) << "what is below the resolution is no depth";
    }
  }
}

Assembly pair_of_boxes(LengthUnit unit, double overlap) {
  Assembly assembly(unit);
  EXPECT_TRUE(assembly.add({"base", scenes::box({0, 0, 0}, {10, 10, 10}), {}}));
  EXPECT_TRUE(assembly.add({"lid", scenes::box({2, 2, 10 - overlap}, {8, 8, 20}), {}}));
  return assembly;
}

TEST(DefaultTouchOverlap, IsAMicrometreInEveryUnit) {
  EXPECT_DOUBLE_EQ(default_touch_overlap(pair_of_boxes(LengthUnit::millimetre, 0)), 1e-3);
  EXPECT_DOUBLE_EQ(default_touch_overlap(pair_of_boxes(LengthUnit::metre, 0)), 1e-6);
  EXPECT_DOUBLE_EQ(default_touch_overlap(pair_of_boxes(LengthUnit::micrometre, 0)), 1);
  EXPECT_NEAR(default_touch_overlap(pair_of_boxes(LengthUnit::inch, 0)), 1e-3 / 25.4, 1e-18);
}

TEST(DefaultTouchOverlap, ForgivesWhatNobodyMadeAndNoMore) {
  const auto verdict = [](double overlap, std::optional<double> asked = {}) {
    const CheckReport report =
        check(pair_of_boxes(LengthUnit::millimetre, overlap), {.tolerances = {.touch_overlap = asked}});
    return report.findings.at(0).verdict;
  };
  EXPECT_EQ(verdict(3e-6), Verdict::touch);
  EXPECT_EQ(verdict(9e-4), Verdict::touch);
  EXPECT_EQ(verdict(1.1e-3), Verdict::clash);
  EXPECT_EQ(verdict(3e-6, 0.0), Verdict::clash) << "zero is as strict as the resolution";
  EXPECT_EQ(verdict(1.1e-3, 2e-3), Verdict::touch);
}

TEST(DefaultTouchOverlap, IsTheModellingToleranceIfThatIsMoreButNotThatOfOneBadFace) {
  const auto with_tolerances = [](double most, double one) {
    MeshInput in = input_of(scenes::box({0, 0, 0}, {1, 1, 1}));
    for (Surface& surface : in.surfaces) surface.tolerance = most;
    in.surfaces[3].tolerance = one;
    Assembly assembly(LengthUnit::millimetre);
    EXPECT_TRUE(assembly.add({"part", Mesh::build(std::move(in)).value(), {}}));
    return assembly;
  };
  EXPECT_DOUBLE_EQ(default_touch_overlap(with_tolerances(1e-7, 1e-7)), 1e-3);
  EXPECT_DOUBLE_EQ(default_touch_overlap(with_tolerances(0.01, 0.01)), 0.01);
  EXPECT_DOUBLE_EQ(default_touch_overlap(with_tolerances(1e-7, 2)), 1e-3);
  EXPECT_DOUBLE_EQ(default_touch_overlap(with_tolerances(1, 1)), 0.01) << "whatever a file claims";
  EXPECT_DOUBLE_EQ(default_touch_overlap(with_tolerances(1000, 1000)), 0.01);
}

TEST(CadTolerance, ForgivesAnOverlapOnlyIfItIsThatOfTheFacesAroundIt) {
  const auto box = [](double x, std::size_t loose, double tolerance) {
    MeshInput in = input_of(scenes::box({x, 0, 0}, {x + 10, 10, 10}));
    for (Surface& surface : in.surfaces) surface.kind = SurfaceKind::plane, surface.tolerance = 1e-7;
    in.surfaces.at(loose).tolerance = tolerance;
    return Shape(Mesh::build(std::move(in)).value());
  };
  int clashes = 0, forgiven = 0;
  for (std::size_t loose = 0; loose < 6; ++loose) {
    const PairReport r = with_overlap(box(0, loose, 0.6), {}, box(9.5, 0, 1e-7), 0.001);
    clashes += r.verdict == Verdict::clash && r.firm && r.depth && r.depth->lower > 0.49;
    forgiven += r.verdict == Verdict::touch && !r.firm;
  }
  EXPECT_EQ(clashes, 5) << "the overlap is 0.5 thick, and a face elsewhere says nothing of it";
  EXPECT_EQ(forgiven, 1) << "the face at x = 10 may be 0.6 off, so that the touch is not firm";
}

TEST(OpenMeshes, HaveTheLengthAndTheDepthOfTheirCrossing) {
  // A tube without ends through a sheet: the curve is its outline, and the shorter way out along its axis.
  const auto sheet = [](double half) {
    return Shape(
        Mesh::build(
            {{{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}}, {{0, 1, 2}, {0, 2, 3}}, {}, {}})
            .value());
  };
  const auto tube = [](double from, double to) {
    MeshInput in;
    for (const double z : {from, to})
      for (const auto& [x, y] : {std::pair{-1.0, -1.5}, {1.0, -1.5}, {1.0, 1.5}, {-1.0, 1.5}})
        in.vertices.push_back({x, y, z});
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t j = (i + 1) % 4;
      in.triangles.push_back({i, j, j + 4});
      in.triangles.push_back({i, j + 4, i + 4});
    }
    return Shape(Mesh::build(std::move(in)).value());
  };
  const PairReport r = assess(sheet(9.1), {}, tube(-3, 7), {});
  ASSERT_EQ(r.verdict, Verdict::clash);
  EXPECT_FALSE(r.depth);
  ASSERT_TRUE(r.crossing);
  EXPECT_NEAR(r.crossing->length, 10, 1e-9);
  EXPECT_NEAR(r.crossing->depth, 3, 0.1);
  EXPECT_NEAR(r.crossing->escape.z, 3, 0.1) << "b moves";
  const PairReport swapped = assess(tube(-3, 7), {}, sheet(9.1), {});
  EXPECT_EQ(swapped.crossing->depth, r.crossing->depth);
  EXPECT_EQ(swapped.crossing->escape.z, -r.crossing->escape.z);
  const PairReport shallow = assess(sheet(9.1), {}, tube(-0.5, 7), {});
  EXPECT_LT(shallow.crossing->depth, r.crossing->depth) << "so that they can be ordered";
}

TEST(Duplicates, AreClashesHoweverThinTheyAre) {
  for (const double thickness : {5e-4, 1e-5, 1e-9}) {
    SCOPED_TRACE(thickness);
    const Mesh foil = scenes::box({0, 0, 0}, {10, 10, thickness});
    // The same foil as CAD faces, of which the tolerance is more than it is thick, and with its triangles in another order. The
    // latter is told by its volume, which has to be more than rounding.
    MeshInput other = input_of(foil);
    std::ranges::reverse(other.triangles);
    std::ranges::reverse(other.surface_of_triangle);
    std::vector<Mesh> twins{foil, with_sag(foil, 0, 1e-3)};
    if (thickness > 1e-8) twins.push_back(Mesh::build(std::move(other)).value());
    for (const Mesh& twin : twins)
      for (const Pose& at : {Pose{}, compose(translation(3, 2, 1), rotation({1, 2, 3}, 0.7))}) {
        const PairReport r = assess(Shape(foil), at, Shape(twin), at, {.tolerances = {.touch_overlap = 1e-3}});
        EXPECT_EQ(r.verdict, Verdict::clash) << r.reason;
        EXPECT_TRUE(r.duplicate);
        EXPECT_TRUE(r.firm);
      }
  }
  // Two foils on one another, and one that is half as wide, are none.
  const Shape foil(scenes::box({0, 0, 0}, {10, 10, 5e-4})), half(scenes::box({0, 0, 0}, {5, 10, 5e-4}));
  EXPECT_FALSE(with_overlap(foil, translation(0, 0, 5e-4), foil, 1e-3).duplicate);
  EXPECT_EQ(with_overlap(foil, translation(0, 0, 5e-4), foil, 1e-3).verdict, Verdict::touch);
  EXPECT_FALSE(with_overlap(foil, {}, half, 1e-3).duplicate);
}

TEST(OverlapVolume, IsOffByNoMoreThanItsErrorForTheSagsOfTheFaces) {
  for (const std::uint32_t segments : {12U, 24U, 96U}) {
    const double sag = test::chord_sag(5, segments);
    const Shape rod(with_sag(scenes::cylinder(5, 10, segments), sag, 1e-7));
    const Shape block(scenes::box({-20, -20, 4}, {20, 20, 20}));
    const PairReport r = assess(rod, {}, block, {});
    ASSERT_TRUE(r.volume);
    const double truth = std::numbers::pi * 25 * 6;
    EXPECT_GT(std::abs(r.volume->value - truth), 1e-3) << "bad test";
    EXPECT_LE(std::abs(r.volume->value - truth), r.volume->error) << segments;
    EXPECT_LE(r.volume->error, 4 * std::abs(r.volume->value - truth)) << "and not much more";
  }
}

}  // namespace
}  // namespace snug
