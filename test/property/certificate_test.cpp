#include "aligned_support.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

namespace snug {
namespace {

using scenes::Random;

TEST(Certificate, ProvesThatBodiesAreClearAndNothingElse) {
  Scratch scratch;
  std::uint64_t clear = 0;
  const std::uint64_t count = test::scaled(300);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape a(seed % 2 == 0 ? scenes::torus(1, 0.3, 20, 10) : test::soup(random, 60)),
        b(scenes::sphere(0.5, 9, 12));
    const Pose pose_a = random.pose(0.5), pose_b = random.pose(seed % 3 == 0 ? 0.3 : 1.5);
    const auto certificate = separation_certificate(a, pose_a, b, pose_b, scratch);
    ASSERT_EQ(certificate.has_value(), !intersects(a, pose_a, b, pose_b, scratch, {.method = Method::brute}));
    if (!certificate) continue;
    ++clear;
    ASSERT_EQ(check(*certificate, a.mesh(), pose_a, b.mesh(), pose_b), std::nullopt);
    if (seed % 2 == 0) {  // triangles strewn about have no surface that few planes could follow
      ASSERT_LE(certificate->entries.size(), a.mesh().triangles().size() + b.mesh().triangles().size());
    }
  }
  EXPECT_GE(4 * clear, count);
}

TEST(Certificate, TellsAHairFromATouch) {
  Scratch scratch;
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  for (const double gap : {0x1p-51, 0x1p-40, 0x1p-20, 1.0}) {
    const Pose other = translation(2 + gap, 0.25, 0.5);
    const auto certificate = separation_certificate(cube, {}, cube, other, scratch);
    ASSERT_TRUE(certificate) << gap;
    EXPECT_EQ(check(*certificate, cube.mesh(), {}, cube.mesh(), other), std::nullopt) << gap;
    EXPECT_NE(check(*certificate, cube.mesh(), {}, cube.mesh(), translation(2, 0.25, 0.5)), std::nullopt)
        << "it must not prove another pose";
  }
  EXPECT_FALSE(separation_certificate(cube, {}, cube, translation(2, 0.25, 0.5), scratch));
}

TEST(Certificate, ADamagedOneIsRefused) {
  Scratch scratch;
  const Shape a(scenes::bumpy_knot(80, 8)), b(scenes::bumpy_knot(60, 8));
  Random random(5);
  const Pose pose_a = random.pose(0.1), pose_b = compose(translation(0.9, 0.4, 0.3), random.pose(0.1));
  std::optional<SeparationCertificate> good;
  Pose at = pose_b;
  for (int i = 0; !good && i < 200; ++i) {
    at = compose(translation(0.01 * i, 0.005 * i, 0), pose_b);
    good = separation_certificate(a, pose_a, b, at, scratch);
  }
  ASSERT_TRUE(good);
  const auto problem = [&](const SeparationCertificate& c) { return check(c, a.mesh(), pose_a, b.mesh(), at); };
  ASSERT_EQ(problem(*good), std::nullopt);
  ASSERT_GT(good->entries.size(), 4U) << "near enough to need several planes";
  for (std::size_t i = 0; i < good->entries.size(); ++i) {
    SeparationCertificate bad = *good;
    bad.entries.erase(bad.entries.begin() + static_cast<std::ptrdiff_t>(i));
    ASSERT_NE(problem(bad), std::nullopt) << "entry " << i << " missing";
    bad = *good;
    bad.entries.push_back(bad.entries[i]);
    ASSERT_NE(problem(bad), std::nullopt) << "entry " << i << " twice";
    bad = *good;
    bad.entries[i].normal = -bad.entries[i].normal;
    if (good->entries[i].normal != Vec3{}) {
      ASSERT_NE(problem(bad), std::nullopt) << "plane " << i << " turned";
    }
    bad = *good;
    bad.entries[i].a_end += 1;
    ASSERT_NE(problem(bad), std::nullopt) << "run " << i << " longer";
    bad = *good;
    bad.entries[i].offset = std::numeric_limits<double>::quiet_NaN();
    if (good->entries[i].normal != Vec3{}) {
      ASSERT_NE(problem(bad), std::nullopt) << "offset " << i << " no number";
    }
    // Two single triangles need no plane; more do.
    bad.entries[i].normal = {};
    const auto& e = bad.entries[i];
    ASSERT_EQ(problem(bad).has_value(), e.a_end - e.a_begin > 1 || e.b_end - e.b_begin > 1)
        << "plane " << i << " missing";
  }
  SeparationCertificate bad = *good;
  bad.order_a[0] = bad.order_a[1];
  EXPECT_NE(problem(bad), std::nullopt);
  bad = *good;
  bad.order_b.pop_back();
  EXPECT_NE(problem(bad), std::nullopt);
  bad = *good;
  bad.entries.clear();
  EXPECT_NE(problem(bad), std::nullopt);
}

}  // namespace
}  // namespace snug
