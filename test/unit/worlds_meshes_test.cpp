// Every mesh of every world: closed, manifold, outward, free of self-intersections, and of the size the papers give.

#include "scenes/animals.hpp"
#include "worlds_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

const std::vector<std::string>& worlds() {
  static const std::vector<std::string> names{
      "headlight", "spheres-240", "spheres-960", "spheres-2048", "spheres-3968", "deforming-spheres", "avalanche",
      "fountain",  "reaction",    "knots",       "lattice",      "peg",          "thin-plate",        "tool-and-box"};
  return names;
}

class EveryWorld : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Worlds, EveryWorld, testing::ValuesIn(worlds()), [](const auto& param) {
  std::string name = param.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Worlds, SelfIntersectionsWouldBeSeen) {
  const Mesh box = test::world("thin-plate").assembly.parts()[0].mesh;
  MeshInput twice{.vertices = {box.vertices().begin(), box.vertices().end()},
                  .triangles = {box.triangles().begin(), box.triangles().end()},
                  .surfaces = {},
                  .surface_of_triangle = {}};
  for (const Point3& p : box.vertices()) twice.vertices.push_back(p + Vec3{1, 2, 0.01});
  for (const Index3& t : box.triangles()) twice.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  EXPECT_GT(test::self_intersections(Mesh::build(std::move(twice)).value()), 0U);
  EXPECT_EQ(test::self_intersections(box), 0U);
}

TEST_P(EveryWorld, IsRegisteredAndHasPartsOfSoundMeshes) {
  ASSERT_NE(scenes::find(GetParam()), nullptr);
  const scenes::Scene scene = test::world(GetParam());
  EXPECT_EQ(scene.name, GetParam());
  ASSERT_FALSE(scene.assembly.parts().empty());
  for (const Mesh& mesh : test::distinct_meshes(scene)) {
    SCOPED_TRACE(mesh.triangles().size());
    const MeshReport report = inspect(mesh);
    EXPECT_TRUE(report.clean());
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.shells, 1U);
    EXPECT_EQ(test::self_intersections(mesh), 0U);
  }
}

/// Surfaces hang together, as CAD faces do: a surface in two pieces would come back from a STEP file as two.
TEST_P(EveryWorld, SurfacesHangTogether) {
  for (const Mesh& mesh : test::distinct_meshes(test::world(GetParam())))
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
      // Limbs of animals are where the triangles happen to be; they are no CAD faces.
      if (mesh.surfaces()[s].kind == SurfaceKind::unknown) continue;
      MeshInput alone{.vertices = {mesh.vertices().begin(), mesh.vertices().end()},
                      .triangles = {},
                      .surfaces = {},
                      .surface_of_triangle = {}};
      for (const std::uint32_t t : mesh.triangles_of(s)) alone.triangles.push_back(mesh.triangles()[t]);
      EXPECT_EQ(inspect(Mesh::build(std::move(alone)).value()).shells, 1U) << mesh.surfaces()[s].name;
    }
}

/// How far a point is from an analytic surface.
double off(SurfaceKind kind, const AnalyticSurface& s, const Point3& p) {
  const Vec3 d = p - s.origin;
  const auto dot = [](const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  const double along = dot(d, s.axis), around = std::sqrt(std::max(0.0, dot(d, d) - along * along));
  switch (kind) {
    case SurfaceKind::plane:
      return std::abs(along);
    case SurfaceKind::cylinder:
      return std::abs(around - s.radius);
    case SurfaceKind::cone:
      return std::abs(around - s.radius - along * std::tan(s.half_angle)) * std::cos(s.half_angle);
    case SurfaceKind::sphere:
      return std::abs(std::sqrt(dot(d, d)) - s.radius);
    default:
      return 1e300;
  }
}

TEST_P(EveryWorld, LiesOnItsAnalyticSurfacesWithinTheSag) {
  for (const Mesh& mesh : test::distinct_meshes(test::world(GetParam())))
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
      const Surface& surface = mesh.surfaces()[s];
      if (!surface.analytic) continue;
      SCOPED_TRACE(surface.name);
      for (const std::uint32_t t : mesh.triangles_of(s)) {
        const Triangle c = mesh.view().triangle(t);
        for (const Point3& p : c.corner) EXPECT_LT(off(surface.kind, *surface.analytic, p), 1e-9);
        if (surface.kind == SurfaceKind::plane || surface.sag.value == 0) continue;
        for (const Point3& p :
             {0.5 * (c[0] + c[1]), 0.5 * (c[1] + c[2]), 0.5 * (c[2] + c[0]), (1.0 / 3) * (c[0] + c[1] + c[2])})
          EXPECT_LE(off(surface.kind, *surface.analytic, p), surface.sag.value * (1 + 1e-9));
      }
    }
}

/// A face looks out of its surface, or at its axis if it is hollow.
TEST_P(EveryWorld, FacesLookTheWayTheirAnalyticFormsSay) {
  for (const Mesh& mesh : test::distinct_meshes(test::world(GetParam())))
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
      const Surface& surface = mesh.surfaces()[s];
      if (!surface.analytic) continue;
      SCOPED_TRACE(surface.name);
      const AnalyticSurface& form = *surface.analytic;
      for (const std::uint32_t t : mesh.triangles_of(s)) {
        const Triangle c = mesh.view().triangle(t);
        const Vec3 u = c[1] - c[0], v = c[2] - c[0];
        const Vec3 normal{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
        Vec3 expected = form.axis;
        if (surface.kind != SurfaceKind::plane) {
          const Vec3 d = (1.0 / 3) * (c[0] + c[1] + c[2]) - form.origin;
          const double along =
              surface.kind == SurfaceKind::sphere ? 0 : d.x * form.axis.x + d.y * form.axis.y + d.z * form.axis.z;
          expected = (form.hollow ? -1.0 : 1.0) * (d - along * form.axis);
        }
        EXPECT_GT(normal.x * expected.x + normal.y * expected.y + normal.z * expected.z, 0);
      }
    }
}

struct Size {
  std::string scene, part;
  std::size_t vertices, triangles;
};
TEST(Worlds, MeshesHaveTheSizesOfThePapers) {
  for (const Size& size : std::initializer_list<Size>{{"headlight", "headlight/left", 2974, 5948},
                                                      {"spheres-240", "spheres/a", 122, 240},
                                                      {"spheres-960", "spheres/a", 482, 960},
                                                      {"spheres-2048", "spheres/b", 1026, 2048},
                                                      {"spheres-3968", "spheres/b", 1986, 3968},
                                                      {"avalanche", "bodies/bunny 511", 453, 902},
                                                      {"fountain", "bodies/bunny 0", 453, 902},
                                                      {"fountain", "bodies/pig 1", 1067, 2130},
                                                      {"fountain", "bodies/knot 2", 1728, 3456},
                                                      {"fountain", "bodies/duck 499", 1731, 3458},
                                                      {"reaction", "ball", 70, 136},
                                                      {"reaction", "bunny", 453, 902},
                                                      {"reaction", "pig", 1085, 2166}}) {
    SCOPED_TRACE(size.scene + ' ' + size.part);
    const scenes::Scene scene = test::world(size.scene);
    const auto id = scene.assembly.find(size.part);
    ASSERT_TRUE(id.has_value());
    const Mesh& mesh = scene.assembly.parts()[*id].mesh;
    EXPECT_EQ(mesh.vertices().size(), size.vertices);
    EXPECT_EQ(mesh.triangles().size(), size.triangles);
  }
}

TEST(Worlds, AnimalsHaveAnyNumberOfVertices) {
  for (const std::uint32_t vertices : {150U, 1001U}) {
    SCOPED_TRACE(vertices);
    for (const Mesh& mesh : {scenes::bunny(vertices), scenes::pig(vertices), scenes::duck(vertices)}) {
      EXPECT_EQ(mesh.vertices().size(), vertices);
      EXPECT_EQ(mesh.triangles().size(), 2 * vertices - 4);
      EXPECT_TRUE(inspect(mesh).clean());
      EXPECT_GT(mesh.surfaces().size(), 5U);
    }
  }
}

TEST(Worlds, KnotsHaveAboutAsManyTrianglesAsAskedFor) {
  for (const std::uint32_t size : {1000U, 10'000U, 123'456U}) {
    SCOPED_TRACE(size);
    const auto triangles =
        static_cast<double>(test::world("knots", {.size = size}).assembly.parts()[0].mesh.triangles().size());
    EXPECT_NEAR(triangles, size, 0.02 * size);
  }
}

}  // namespace
}  // namespace snug
