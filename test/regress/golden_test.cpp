#include "golden_cases.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

// Cases with known answers that users of other systems met, each at three scales, in the 24 rotations of the cube (which
// are exact) and in as many that are not, and in both orders.

namespace snug {
namespace {

using test::GoldenCase;

/// By a power of two, so that flush faces stay flush.
Mesh scaled(MeshInput in, double scale) {
  for (Point3& p : in.vertices) p = scale * p;
  return Mesh::build(std::move(in)).value();
}

void expect_close(const std::optional<double>& found, double known, double slack, const char* what) {
  ASSERT_TRUE(found) << what;
  EXPECT_NEAR(*found, known, 1e-6 * std::abs(known) + slack) << what;
}

void expect_answer(const GoldenCase& c, double scale, const PairReport& r) {
  ASSERT_EQ(r.verdict, c.verdict) << to_string(r.verdict) << " instead of " << to_string(c.verdict) << "; " << r.reason;
  if (c.verdict == Verdict::undecided) {
    EXPECT_FALSE(r.reason.empty());
  }
  EXPECT_EQ(r.duplicate, c.duplicate);
  const double noise = 4 * r.resolution;
  if (c.depth) {
    ASSERT_TRUE(r.depth);
    EXPECT_LE(r.depth->lower, *c.depth * scale + noise);
    EXPECT_GE(r.depth->upper, *c.depth * scale - noise);
    EXPECT_GE(r.depth->lower, (c.lower_share - 1e-6) * *c.depth * scale - noise);
    expect_close(r.depth->upper, *c.depth * scale, noise, "upper bound of the depth");
  }
  if (c.volume) {
    ASSERT_TRUE(r.volume);
    const double known = *c.volume * scale * scale * scale;
    // Posing moves faces by up to the resolution; the volume error counts the rounding of the sum alone.
    expect_close(r.volume->value, known, r.volume->error + 100 * noise * scale * scale, "volume");
  }
  if (c.gap) expect_close(r.gap, *c.gap * scale, noise, "gap");
  if (c.patch_area) {
    ASSERT_EQ(r.patches.size(), 1U);
    expect_close(r.patches[0].area, *c.patch_area * scale * scale, 100 * noise * scale, "area of the patch");
    ASSERT_EQ(r.patches[0].loops.size(), 1U);
    EXPECT_EQ(r.patches[0].loops[0].size(), c.patch_corners);
  }
}

void expect_exchanged(const PairReport& ab, const PairReport& ba) {
  EXPECT_EQ(ab.verdict, ba.verdict);
  EXPECT_EQ(ab.reason, ba.reason);
  EXPECT_EQ(ab.triangle_pairs, ba.triangle_pairs);
  EXPECT_EQ(ab.crossing_pairs, ba.crossing_pairs);
  EXPECT_EQ(ab.gap, ba.gap);
  EXPECT_EQ(ab.point, ba.point);
  ASSERT_EQ(ab.depth.has_value(), ba.depth.has_value());
  if (ab.depth) {
    EXPECT_EQ(ab.depth->lower, ba.depth->lower);
    EXPECT_EQ(ab.depth->upper, ba.depth->upper);
    // Coincident bodies are one and the same pair in both orders.
    if (!ab.duplicate) {
      EXPECT_EQ(ab.depth->escape, -ba.depth->escape);
    }
  }
  ASSERT_EQ(ab.volume.has_value(), ba.volume.has_value());
  if (ab.volume) {
    EXPECT_EQ(ab.volume->value, ba.volume->value);
  }
  ASSERT_EQ(ab.surface_pairs.size(), ba.surface_pairs.size());
  ASSERT_EQ(ab.patches.size(), ba.patches.size());
}

class Golden : public testing::TestWithParam<GoldenCase> {};

TEST_P(Golden, AnyRotationScaleAndOrder) {
  const GoldenCase& c = GetParam();
  std::vector<Pose> poses = test::cube_rotations();
  scenes::Random random(4);
  const std::uint64_t inexact = test::scaled(24);
  for (std::uint64_t i = 0; i < inexact; ++i) poses.push_back(Pose::make(random.rotation(), {}).value());

  for (const double scale : {0x1p-10, 1.0, 0x1p13}) {
    const Shape a(scaled(c.a, scale)), b(scaled(c.b, scale));
    const AssessOptions options{.tolerances = {scale * c.tolerances.clearance, scale * c.tolerances.touch_gap,
                                               scale * c.tolerances.touch_overlap.value_or(0)}};
    for (std::size_t i = 0; i < poses.size(); ++i) {
      SCOPED_TRACE("scale " + std::to_string(scale) + ", rotation " + std::to_string(i));
      const PairReport ab = assess(a, poses[i], b, poses[i], options);
      expect_answer(c, scale, ab);
      expect_exchanged(ab, assess(b, poses[i], a, poses[i], options));
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(test::golden_cases()), [](const auto& one) {
  std::string name;
  for (const char ch : one.param.name) name += std::isalnum(static_cast<unsigned char>(ch)) != 0 ? ch : '_';
  return name;
});

}  // namespace
}  // namespace snug
