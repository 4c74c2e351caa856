#include "contact/contact_mesh.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "shape/shape_data.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

// What a grid tells of points without looking at triangles, held to all triangles one by one. Whoever is told to be outside, and
// is not, is a contact that no ray is cast for.

namespace snug::detail {
namespace {

using scenes::Random;

double distance_from(const Point3& p, const Mesh& mesh) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t)
    least = std::min(least, closest_points(Triangle{{p, p, p}}, mesh.view().triangle(t)).distance);
  return least;
}

/// A long thin bar, slanting through all cubes, whose sides are slivers.
Mesh needle(double thin, Random& random) {
  const Pose pose = Pose::make(random.rotation(), {}).value();
  const Mesh bar = scenes::box({-1, -thin, -2 * thin}, {1, thin, 2 * thin});
  MeshInput input;
  input.triangles.assign(bar.triangles().begin(), bar.triangles().end());
  for (const Point3& p : bar.vertices()) input.vertices.push_back(pose.apply(p));
  return Mesh::build(std::move(input)).value();
}

TEST(OutsideGrid, TellsNothingOfThePointsInsideAndNoDistanceTooLarge) {
  std::uint64_t told = 0, all = 0;
  for (std::uint64_t seed = 0; seed < std::max<std::uint64_t>(test::scaled(18), 6); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh mesh = seed % 6 == 0   ? scenes::bumpy_knot(30, 6)
                      : seed % 6 == 1 ? scenes::torus(1, 0.3, 14, 9)
                      : seed % 6 == 2 ? scenes::box({-1, -2, -0.01}, {3, 1, 0.01})
                      : seed % 6 == 3 ? scenes::sphere(2, 12, 16)
                      : seed % 6 == 4 ? needle(1e-9, random)
                                      : needle(1e-14, random);
    const Shape shape(mesh);
    const OutsideGrid& grid = Access::data(shape).get<ContactMesh>().outside();
    ASSERT_FALSE(grid.empty());
    for (int i = 0; i < 300; ++i, ++all) {
      Point3 p = random.point(-3.5, 3.5);
      if (i % 3 != 0) {  // at the surface, or a little off it
        const Triangle near = mesh.view().triangle(random.below(mesh.triangles().size()));
        const double u = random.uniform(0, 1), v = random.uniform(0, 1 - u);
        p = near[0] + u * (near[1] - near[0]) + v * (near[2] - near[0]);
        if (i % 3 == 2) p = p + 0.1 * random.point(-1, 1);
      }
      const double clearance = grid.clearance(p, 1e-12);
      if (clearance < 0) continue;
      ++told;
      EXPECT_GE(distance_from(p, mesh), clearance * (1 - 1e-9));
      EXPECT_GT(distance_from(p, mesh), 0);
      EXPECT_EQ(locate(p, mesh.view()).side, Side::outside) << p.x << ' ' << p.y << ' ' << p.z;
    }
  }
  EXPECT_GT(told, all / 10) << "a grid that tells nothing is of no use";
}

TEST(OutsideGrid, KnowsWhatIsBesideBodiesThatFillTheirBox) {
  // Their faces lie in the planes that the grid is laid by.
  const Vec3 edges[] = {{1, 1, 1}, {40, 1, 0.5}, {3, 2, 1}, {8, 0.001, 8}};
  for (const Vec3& e : edges) {
    const Shape shape(scenes::box({0, 0, 0}, {e.x, e.y, e.z}));
    const OutsideGrid& grid = Access::data(shape).get<ContactMesh>().outside();
    const double side = std::max({e.x, e.y, e.z}) / 8;  // of a cube, at most
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool above : {false, true}) {
        const double off = above ? 0.5 * e[axis] + 1.2 * side : -0.5 * e[axis] - 1.2 * side;
        const Point3 p = Point3{0.5 * e.x, 0.5 * e.y, 0.5 * e.z} +
                         off * Vec3{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
        EXPECT_GE(grid.clearance(p, 1e-12), 0) << e.x << ' ' << e.y << ' ' << e.z << ", axis " << axis;
      }
  }
}

TEST(OutsideGrid, LosesNoContactOfTinyBodies) {
  Scratch scratch;
  for (const int exponent : {0, -190, -210, -266, -270, -300, -350}) {
    const double scale = std::ldexp(1.0, exponent);
    const Shape ball(scenes::sphere(scale, 12, 16));
    const Pose aside = translation(1.5 * scale, 0, 0);
    const RayContactOptions options{.rays = RayContactOptions::Rays::standard, .complete = false};
    const auto found = contacts(ball, {}, ball, aside, scratch, options).value();
    EXPECT_GT(found.contacts.size(), 20U) << exponent;
  }
}

TEST(OutsideGrid, IsOnlyForOneClosedShell) {
  MeshInput open;
  open.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  open.triangles = {{0, 1, 2}};
  const Shape sheet(Mesh::build(std::move(open)).value());
  EXPECT_TRUE(Access::data(sheet).get<ContactMesh>().outside().empty());
  EXPECT_LT(Access::data(sheet).get<ContactMesh>().outside().clearance({9, 9, 9}, 0), 0);
}

}  // namespace
}  // namespace snug::detail
