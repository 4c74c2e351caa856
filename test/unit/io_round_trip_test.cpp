#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "unit/io_support.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace snug {
namespace {

using test::in_mm;
using test::TempDir;

bool same_bits(std::span<const Point3> a, std::span<const Point3> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Any finite double a mesh may hold, small integers now and then.
double any_coordinate(scenes::Random& random) {
  if (random.below(8) == 0) return random.below(2) == 0 ? 0.0 : -0.0;
  if (random.below(4) == 0) return static_cast<double>(random.below(5)) - 2;
  for (;;) {
    const double value = std::bit_cast<double>(random.next());
    if (std::abs(value) <= k_max_coordinate) return value;
  }
}

/// A mesh with everything odd: unused vertices, empty surfaces, equal and missing names, surfaces out of order.
Mesh any_mesh(scenes::Random& random) {
  MeshInput input;
  for (std::uint64_t i = 0, n = 3 + random.below(30); i < n; ++i) {
    const double x = any_coordinate(random), y = any_coordinate(random);
    input.vertices.push_back({x, y, any_coordinate(random)});
  }
  const auto corner = [&] { return static_cast<std::uint32_t>(random.below(input.vertices.size())); };
  for (std::uint64_t i = 0, n = 1 + random.below(30); i < n; ++i) {
    const std::uint32_t a = corner(), b = corner();
    input.triangles.push_back({a, b, corner()});
  }
  constexpr std::string_view k_names[] = {"", "a", "a", "b \\", " c", "default", "line\nbreak", "d\\", "# x", "a#2"};
  if (random.below(4) != 0) {
    for (std::uint64_t i = 0, n = 1 + random.below(6); i < n; ++i)
      input.surfaces.push_back({std::string(k_names[random.below(std::size(k_names))]), SurfaceKind::unknown, {}});
    for (std::size_t i = 0; i < input.triangles.size(); ++i)
      input.surface_of_triangle.push_back(static_cast<std::uint32_t>(random.below(input.surfaces.size())));
  }
  return Mesh::build(std::move(input)).value();
}

Assembly any_assembly(scenes::Random& random) {
  Assembly assembly(LengthUnit::millimetre);
  for (std::uint64_t i = 0, n = 1 + random.below(4); i < n; ++i)
    (void)assembly.add({"part " + std::to_string(i), any_mesh(random), {}});
  return assembly;
}

std::vector<std::uint32_t> surface_ids(const Mesh& mesh) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) ids.push_back(mesh.surface_of(t));
  return ids;
}

TEST(RoundTrip, ObjKeepsVerticesBitForBitAndAllIds) {
  const TempDir dir;
  for (std::uint64_t seed = 0, n = test::scaled(500); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Assembly before = any_assembly(random);
    ASSERT_TRUE(save(before, dir.path() / "x.obj"));
    const auto after = test::load_assembly(dir.path() / "x.obj", in_mm());
    ASSERT_TRUE(after) << after.error().message();
    ASSERT_EQ(after->parts().size(), before.parts().size());
    for (std::size_t i = 0; i < before.parts().size(); ++i) {
      const Part &a = before.parts()[i], &b = after->parts()[i];
      EXPECT_EQ(a.path, b.path);
      ASSERT_TRUE(same_bits(a.mesh.vertices(), b.mesh.vertices()));
      ASSERT_TRUE(std::ranges::equal(a.mesh.triangles(), b.mesh.triangles()));
      ASSERT_EQ(surface_ids(a.mesh), surface_ids(b.mesh));
      ASSERT_EQ(a.mesh.surfaces().size(), b.mesh.surfaces().size());
    }
  }
}

TEST(RoundTrip, ObjKeepsNamesOfSurfaces) {
  const TempDir dir;
  Assembly before(LengthUnit::metre);
  (void)before.add({"can", scenes::cylinder(1, 2, 12), translation(0, 0, 1)});
  ASSERT_TRUE(save(before, dir.path() / "x.obj"));
  const auto after = test::load_assembly(dir.path() / "x.obj", {.units = LengthUnit::metre});
  ASSERT_TRUE(after);
  const Mesh &a = before.parts()[0].mesh, &b = after->parts()[0].mesh;
  EXPECT_TRUE(std::ranges::equal(a.surfaces(), b.surfaces(), {}, &Surface::name, &Surface::name));
  EXPECT_EQ(b.vertices()[0], before.parts()[0].pose.apply(a.vertices()[0]));
}

/// Corners of all triangles in order: what STL can keep, since it has no vertices of its own.
std::vector<Point3> corners(const Mesh& mesh) {
  std::vector<Point3> out;
  for (const Index3& t : mesh.triangles())
    for (const std::uint32_t v : t) out.push_back(mesh.vertices()[v]);
  return out;
}

TEST(RoundTrip, StlTextKeepsCorners) {
  const TempDir dir;
  for (std::uint64_t seed = 0, n = test::scaled(500); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Assembly before = any_assembly(random);
    ASSERT_TRUE(save(before, dir.path() / "x.stl", {.ascii = true}));
    const auto after = test::load_assembly(dir.path() / "x.stl", in_mm());
    ASSERT_TRUE(after) << after.error().message();
    ASSERT_EQ(after->parts().size(), before.parts().size());
    for (std::size_t i = 0; i < before.parts().size(); ++i)
      ASSERT_EQ(corners(before.parts()[i].mesh), corners(after->parts()[i].mesh));
  }
}

TEST(RoundTrip, StlBinaryKeepsFloats) {
  const TempDir dir;
  for (std::uint64_t seed = 0, n = test::scaled(100); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    MeshInput input;
    for (int i = 0; i < 60; ++i) {
      const auto number = [&] { return static_cast<double>(static_cast<float>(random.uniform(-1e3, 1e3))); };
      const double x = number(), y = number();
      input.vertices.push_back({x, y, number()});
    }
    for (std::uint32_t i = 0; i + 2 < 60; ++i) input.triangles.push_back({i, i + 1, i + 2});
    Assembly before(LengthUnit::millimetre);
    (void)before.add({"x", Mesh::build(std::move(input)).value(), {}});
    ASSERT_TRUE(save(before, dir.path() / "x.stl"));
    const auto once = test::load_assembly(dir.path() / "x.stl", in_mm());
    ASSERT_TRUE(once) << once.error().message();
    // Welding numbers vertices by first use, which here is their order already.
    EXPECT_TRUE(same_bits(before.parts()[0].mesh.vertices(), once->parts()[0].mesh.vertices()));
    EXPECT_TRUE(std::ranges::equal(before.parts()[0].mesh.triangles(), once->parts()[0].mesh.triangles()));
    const std::string bytes = test::slurp(dir.path() / "x.stl");
    ASSERT_TRUE(save(*once, dir.path() / "x.stl"));
    EXPECT_EQ(bytes, test::slurp(dir.path() / "x.stl"));
  }
}

TEST(RoundTrip, PartsOfABinaryStlBecomeOne) {
  const TempDir dir;
  Assembly before(LengthUnit::millimetre);
  (void)before.add({"a", scenes::box({0, 0, 0}, {1, 1, 1}), {}});
  (void)before.add({"b", scenes::box({0, 0, 0}, {1, 1, 1}), translation(5, 0, 0)});
  ASSERT_TRUE(save(before, dir.path() / "two.stl"));
  const auto after = test::load_assembly(dir.path() / "two.stl", in_mm());
  ASSERT_TRUE(after);
  ASSERT_EQ(after->parts().size(), 1U);
  EXPECT_EQ(after->parts()[0].mesh.triangles().size(), 24U);
  EXPECT_EQ(after->parts()[0].mesh.bounds().hi, (Point3{6, 1, 1}));
}

}  // namespace
}  // namespace snug
