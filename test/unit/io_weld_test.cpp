#include "io/weld.hpp"

#include "mesh/used_bounds.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace snug {
namespace {

using io::FloatTriangle;
using io::VertexWelder;
using io::WeldPlan;

/// Few different values, zeros of both signs among them: equal corners all the time.
std::vector<FloatTriangle> any_triangles(scenes::Random& random, std::size_t count, std::uint64_t variety) {
  std::vector<FloatTriangle> out(count);
  for (FloatTriangle& t : out)
    for (auto& corner : t)
      for (float& c : corner) {
        const auto value = static_cast<float>(random.below(variety));
        c = random.below(2) == 0 ? value : -value;
      }
  return out;
}

TEST(Weld, NumbersPointsByFirstAppearance) {
  for (std::uint64_t seed = 0, n = test::scaled(100); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const auto triangles = any_triangles(random, 1 + random.below(2000), 1 + random.below(20));
    VertexWelder in_batches(random.below(100)), one_by_one(0);
    std::vector<Index3> ids;
    const FloatTriangle* before = nullptr;
    for (std::size_t at = 0; at < triangles.size();) {
      const std::size_t count = std::min<std::size_t>(1 + random.below(300), triangles.size() - at);
      const std::span batch(triangles.data() + at, count);
      std::vector<WeldPlan> plans(count);
      ASSERT_FALSE(plan_welding(before, batch, plans.data()));
      in_batches.ids(batch, plans.data(), ids);
      before = &batch.back();
      at += count;
    }
    std::map<Point3, std::uint32_t> expected;  // which orders -0 and 0 alike
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto& corner = triangles[t][c];
        const Point3 p{corner[0], corner[1], corner[2]};
        const std::uint32_t id = expected.try_emplace(p, static_cast<std::uint32_t>(expected.size())).first->second;
        ASSERT_EQ(ids[t][c], id);
        ASSERT_EQ(one_by_one.id(p), id);
      }
    const auto points = in_batches.take();
    ASSERT_EQ(points.size(), expected.size());
    for (const auto& [point, id] : expected) ASSERT_EQ(points[id], point);
    ASSERT_EQ(one_by_one.take(), points);
  }
}

TEST(Weld, FindsTheFirstCornerThatIsNotFinite) {
  scenes::Random random(7);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    auto triangles = any_triangles(random, 50, 3);
    std::vector<WeldPlan> plans(triangles.size());
    triangles[31][1][2] = bad;
    triangles[40][0][0] = bad;
    EXPECT_EQ(plan_welding(nullptr, triangles, plans.data()), 3 * 31 + 1);
    triangles[0][0][1] = bad;
    EXPECT_EQ(plan_welding(nullptr, triangles, plans.data()), 0);
  }
}

TEST(UsedBounds, AreThoseOfTheCorners) {
  for (std::uint64_t seed = 0, n = test::scaled(200); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    std::vector<Point3> vertices(1 + random.below(3000));
    for (Point3& v : vertices) v = random.point(-9, 9);
    std::vector<Index3> triangles(1 + random.below(3000));
    Aabb expected;
    for (Index3& t : triangles)
      for (std::uint32_t& v : t) {
        v = static_cast<std::uint32_t>(random.below(vertices.size()));
        expected.include(vertices[v]);
      }
    EXPECT_EQ(mesh::used_bounds({vertices, triangles}), expected);
    EXPECT_TRUE(mesh::all_in_range(vertices));
    EXPECT_TRUE(mesh::all_indices_below(triangles, vertices.size()));
    triangles[random.below(triangles.size())][random.below(3)] = static_cast<std::uint32_t>(vertices.size());
    EXPECT_FALSE(mesh::all_indices_below(triangles, vertices.size()));
    vertices[random.below(vertices.size())].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(mesh::all_in_range(vertices));
  }
}

}  // namespace
}  // namespace snug
