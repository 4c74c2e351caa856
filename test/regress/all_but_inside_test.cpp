#include "contact_push.hpp"
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

using scenes::Random;
using test::deepest_of;
using test::push_of;

double along(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Vec3& v) { return std::sqrt(along(v, v)); }

Pose moved_by(const Vec3& way, const Pose& pose) { return compose(translation(way.x, way.y, way.z), pose); }

/// A face of a convex body: what is inside is behind it.
struct Face {
  Vec3 out;
  double at;
};
std::vector<Face> faces_of(const Mesh& convex) {
  std::vector<Face> faces;
  for (const Index3& t : convex.triangles()) {
    const Point3 p = convex.vertices()[t[0]];
    const Vec3 u = convex.vertices()[t[1]] - p, v = convex.vertices()[t[2]] - p;
    const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const Vec3 out = (1 / length(n)) * n;
    faces.push_back({out, along(out, p)});
  }
  return faces;
}

Mesh some_inner_body(Random& random) {
  switch (random.below(7)) {
    case 0:
      return scenes::box({-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25});
    case 1:
      return scenes::box({-0.4, -0.25, -0.02}, {0.4, 0.25, 0.02});
    case 2:
      return scenes::box({-0.4, -0.03, -0.03}, {0.4, 0.03, 0.03});
    case 3:
      return scenes::sphere(0.3, 6, 12);
    case 4:
      return scenes::cylinder(0.2, 0.5, 16);
    case 5:
      return scenes::cylinder(0.35, 0.03, 24);
    default:
      return scenes::torus(0.3, 0.08, 12, 8);
  }
}
Mesh some_outer_body(Random& random) {
  switch (random.below(3)) {
    case 0:
      return scenes::box({-1, -1, -1}, {1, 1, 1});
    case 1:
      return scenes::cylinder(1.2, 2, 24);
    default:
      return scenes::box({-3, -3, -0.6}, {3, 3, 0.6});
  }
}

struct Sliver {
  Shape inner, outer;
  Pose pose;       ///< of the inner one
  double way = 0;  ///< the shortest out of the other as a whole, along the normal of one of its faces
};
/// A body that sticks out of one face of another by next to nothing and is well inside otherwise; nothing if there is no room.
std::optional<Sliver> some_sliver(std::uint64_t seed) {
  Random random(seed);
  const Mesh inner = some_inner_body(random), outer = some_outer_body(random);
  constexpr std::array k_out{1e-14, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2};
  const double out = k_out[random.below(k_out.size())], bent = std::pow(10, random.uniform(-8, -1));
  Quaternion turned = random.rotation();
  if (seed % 4 == 0) turned = {1, 0, 0, 0};
  if (seed % 4 == 1)
    turned = {1, bent * random.uniform(-1, 1), bent * random.uniform(-1, 1), bent * random.uniform(-1, 1)};
  const std::vector<Face> faces = faces_of(outer);
  const Face face = faces[random.below(faces.size())];
  const Vec3 somewhere = random.point(-0.7, 0.7);
  const auto extent = [&](const Pose& pose, const Vec3& way) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Point3& p : inner.vertices())
      least = std::min(least, along(way, pose.apply(p))), most = std::max(most, along(way, pose.apply(p)));
    return std::pair(least, most);
  };
  const double top = extent(Pose::make(turned, somewhere).value(), face.out).second;
  const Pose pose = Pose::make(turned, somewhere + (face.at + out - top) * face.out).value();
  double way = std::numeric_limits<double>::infinity();
  for (const Face& other : faces) {
    const auto [least, most] = extent(pose, other.out);
    const double may_reach = along(other.out, face.out) > 1 - 1e-9 ? 2 * out + 1e-15 : -1e-3;
    if (most > other.at + may_reach) return {};
    way = std::min(way, other.at - least);
  }
  return Sliver{Shape(inner), Shape(outer), pose, way};
}

TEST(AllButInside, GetOutRatherThanIn) {
  Scratch scratch;
  std::uint64_t compared = 0, shallow = 0, after_one = 0, never = 0, last = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(2000); ++seed) {
    SCOPED_TRACE(seed);
    const std::optional<Sliver> it = some_sliver(seed);
    if (!it) continue;
    Contacts found = contacts(it->inner, it->pose, it->outer, {}, scratch).value();
    ASSERT_TRUE(found.touching());
    ++compared;
    const Contacts exchanged = contacts(it->outer, {}, it->inner, it->pose, scratch).value();
    EXPECT_EQ(deepest_of(exchanged), deepest_of(found));
    EXPECT_EQ(exchanged.contacts.size(), found.contacts.size());
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
  EXPECT_LE(200 * shallow, compared) << shallow << " of " << compared << ", the last of seed " << last;
  EXPECT_LE(200 * never, compared) << never << " of " << compared << ", the last of seed " << last;
  EXPECT_GE(100 * after_one, 90 * compared) << after_one << " of " << compared;
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
