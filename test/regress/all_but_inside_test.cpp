#include "scenes/contact_cases.hpp"
#include "scenes/contact_push.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

// Bodies that lie in another but for a sliver: what parts the sliver leads in, and everything else of them stays inside.

namespace snug {
namespace {

using scenes::deepest_of;
using scenes::push_of;
using scenes::Random;

double along(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec3& v) { return std::sqrt(along(v, v)); }

Pose moved_by(const Vec3& way, const Pose& pose) { return compose(translation(way.x, way.y, way.z), pose); }

TEST(AllButInside, GetOutRatherThanIn) {
  Scratch scratch;
  std::uint64_t compared = 0, shallow = 0, after_one = 0, never = 0, last = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(2000); ++seed) {
    SCOPED_TRACE(seed);
    const std::optional<scenes::Sliver> it = scenes::some_sliver(seed);
    if (!it) continue;
    Contacts found = contacts(it->inner, it->pose, it->outer, {}, scratch).value();
    ASSERT_TRUE(found.touching());
    ++compared;
    const Contacts exchanged = contacts(it->outer, {}, it->inner, it->pose, scratch).value();
    EXPECT_EQ(deepest_of(exchanged), deepest_of(found));
    EXPECT_EQ(exchanged.contacts.size(), found.contacts.size());
    EXPECT_LE(deepest_of(found), 1.5 * it->way);
    const bool told = deepest_of(found) > 0.1 * it->way;
    Vec3 moved;
    int rounds = 0;
    for (; rounds < 40 && found.touching(); ++rounds) {
      moved = moved + 1.001 * push_of(found);
      found = contacts(it->inner, moved_by(moved, it->pose), it->outer, {}, scratch).value();
    }
    shallow += told ? 0 : 1;
    after_one += rounds == 1 ? 1 : 0;
    never += found.touching() ? 1 : 0;
    last = told && !found.touching() ? last : seed;
  }
  EXPECT_GT(compared, test::scaled(2000) / 3);
  EXPECT_EQ(shallow, 0U) << "the last of seed " << last;
  EXPECT_EQ(never, 0U) << "the last of seed " << last;
  EXPECT_EQ(after_one, compared);
}

TEST(AllButInside, FlushWithASideFromInside) {
  // Turned together, so that rounding lets one face of the small box stick out of the large one here and there.
  const Pose pose = Pose::make({0.955, 0.177, 0, 0.236}, {0.1, 0.2, 0.3}).value();
  const Shape outer(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch scratch;
  std::uint64_t crossing = 0;
  for (int x = -3; x <= 3; ++x)
    for (int y = -3; y <= 3; ++y)
      for (int z = -3; z <= 3; ++z) {
        if (std::max({std::abs(x), std::abs(y), std::abs(z)}) < 3) continue;
        SCOPED_TRACE(testing::Message() << x << ' ' << y << ' ' << z);
        const Vec3 middle{0.25 * x, 0.25 * y, 0.25 * z}, half{0.25, 0.25, 0.25};
        const Shape inner(scenes::box(middle - half, middle + half));
        const Contacts found = contacts(inner, pose, outer, pose, scratch).value();
        ASSERT_TRUE(found.touching());
        crossing += found.stats.completed > 0 ? 1 : 0;
        EXPECT_GT(deepest_of(found), 0.5 - 1e-6);
        const Vec3 push = 1.001 * push_of(found);
        EXPECT_LT(length(push), 1);
        EXPECT_FALSE(contacts(inner, moved_by(push, pose), outer, pose, scratch).value().touching());
        const Contacts exchanged = contacts(outer, pose, inner, pose, scratch).value();
        EXPECT_EQ(deepest_of(exchanged), deepest_of(found));
        EXPECT_EQ(exchanged.contacts.size(), found.contacts.size());
      }
  EXPECT_GT(crossing, 10U);
}

TEST(AllButInside, ButForATipAreToldNoMoreThanTheWayOut) {
  // Where three faces of a cube come out of a large flat one, no way leads out of all four: none may be told that runs along the flat one.
  const Shape cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})), block(scenes::box({-5, -5, -5}, {5, 5, 0}));
  Scratch scratch;
  for (std::uint64_t seed = 0; seed < test::scaled(3000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose turned = random.pose(0);
    double top = -1, bottom = 1;
    for (const Point3& v : cube.mesh().vertices()) {
      const double height = turned.apply(v).z - turned.translation().z;
      top = std::max(top, height), bottom = std::min(bottom, height);
    }
    const double out = std::pow(10, random.uniform(-8, -1)), way_out = top - bottom - out;
    const Vec3 where{random.uniform(-1, 1), random.uniform(-1, 1), out - top};
    const Pose pose = moved_by(where - turned.translation(), turned);
    const Contacts found = contacts(cube, pose, block, {}, scratch).value();
    EXPECT_LT(std::abs(deepest_of(found) - way_out), 1e-6);
    EXPECT_FALSE(contacts(cube, moved_by(1.001 * push_of(found), pose), block, {}, scratch).value().touching());
  }
}

}  // namespace
}  // namespace snug
