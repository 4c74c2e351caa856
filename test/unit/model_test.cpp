#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace snug {
namespace {

MeshInput square() { return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, {}, {}}; }

TEST(Result, CarriesValuesAndErrors) {
  const Result<int, std::string> good = 3;
  const Result<int, std::string> bad = Failure{std::string("no")};
  EXPECT_TRUE(good);
  EXPECT_EQ(good.value(), 3);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error(), "no");
  EXPECT_EQ(bad.value_or(7), 7);
  EXPECT_DEATH((void)bad.value(), "snug: no");
  EXPECT_DEATH((void)good.error(), "asked of a success");
}

TEST(Mesh, RefusesBadInputAndNamesTheElement) {
  const auto code_of = [](MeshInput in, MeshOptions options = {}) {
    const auto built = Mesh::build(std::move(in), options);
    EXPECT_FALSE(built);
    return std::pair{built.error().code, built.error().element};
  };
  using Code = MeshError::Code;
  EXPECT_EQ(code_of({}).first, Code::empty);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    MeshInput in = square();
    in.vertices[2].y = bad;
    EXPECT_EQ(code_of(in), std::pair(Code::non_finite_vertex, std::uint64_t{2}));
  }
  MeshInput huge = square();
  huge.vertices[1].z = -1e301;
  EXPECT_EQ(code_of(huge), std::pair(Code::vertex_too_large, std::uint64_t{1}));
  MeshInput range = square();
  range.triangles[1][2] = 4;
  EXPECT_EQ(code_of(range), std::pair(Code::index_out_of_range, std::uint64_t{1}));
  MeshInput surface = square();
  surface.surfaces.resize(1);
  EXPECT_EQ(code_of(surface).first, Code::surface_count_differs);
  surface.surface_of_triangle = {0, 1};
  EXPECT_EQ(code_of(surface), std::pair(Code::surface_out_of_range, std::uint64_t{1}));
  surface.surface_of_triangle = {0, 0};
  surface.surfaces[0].sag.value = -1;
  EXPECT_EQ(code_of(surface), std::pair(Code::bad_sag, std::uint64_t{0}));
  EXPECT_EQ(code_of(square(), {.crease_angle_degrees = -1}).first, Code::bad_crease_angle);
  EXPECT_EQ(Mesh::build(range).error().message(), "triangle 1 names a vertex that does not exist");
}

TEST(Mesh, KeepsTheIdsOfTheInputWhenSurfacesAreInterleaved) {
  MeshInput in = square();
  in.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}};
  in.surfaces = {{"odd", SurfaceKind::plane, {}}, {"unused", {}, {}}, {"even", SurfaceKind::cylinder, {0.1, true}}};
  in.surface_of_triangle = {2, 0, 2, 0};
  const Mesh mesh = Mesh::build(in).value();
  EXPECT_EQ(mesh.triangles()[2], (Index3{0, 1, 3}));
  EXPECT_EQ(mesh.surface_of(2), 2U);
  EXPECT_EQ(mesh.surfaces()[2].name, "even");
  EXPECT_TRUE(std::ranges::equal(mesh.triangles_of(0), std::vector<std::uint32_t>{1, 3}));
  EXPECT_TRUE(mesh.triangles_of(1).empty());
  EXPECT_TRUE(std::ranges::equal(mesh.triangles_of(2), std::vector<std::uint32_t>{0, 2}));
  EXPECT_FALSE(mesh.surfaces_by_crease());
}

TEST(Mesh, FindsSurfacesByCreaseAngle) {
  const auto without_surfaces = [](const Mesh& mesh, double angle) {
    MeshInput in;
    in.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
    in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
    return Mesh::build(in, {.crease_angle_degrees = angle}).value();
  };
  const Mesh cube = scenes::box({0, 0, 0}, {1, 1, 1});
  const Mesh found = without_surfaces(cube, 30);
  EXPECT_TRUE(found.surfaces_by_crease());
  ASSERT_EQ(found.surfaces().size(), 6U);
  for (std::uint32_t t = 0; t < 12; ++t) EXPECT_EQ(found.surface_of(t), cube.surface_of(t));
  EXPECT_EQ(without_surfaces(cube, 90).surfaces().size(), 1U);
  EXPECT_EQ(without_surfaces(scenes::cylinder(1, 2, 32), 30).surfaces().size(), 3U);
  EXPECT_EQ(without_surfaces(scenes::cylinder(1, 2, 8), 30).surfaces().size(), 10U) << "steps of 45 degrees";
  EXPECT_EQ(without_surfaces(scenes::sphere(1, 16, 32), 30).surfaces().size(), 1U);
}

TEST(Mesh, HashDependsOnContentAlone) {
  const Mesh a = Mesh::build(square()).value(), b = Mesh::build(square()).value();
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_FALSE(a.same_data(b));
  const Mesh copy = a;
  EXPECT_TRUE(a.same_data(copy));
  MeshInput moved = square();
  moved.vertices[0].x = std::nextafter(0.0, 1.0);
  EXPECT_NE(Mesh::build(moved).value().hash(), a.hash());
  MeshInput turned = square();
  std::swap(turned.triangles[0], turned.triangles[1]);
  EXPECT_NE(Mesh::build(turned).value().hash(), a.hash());
  MeshInput named = square();
  named.surfaces = {{"x", {}, {}}};
  named.surface_of_triangle = {0, 0};
  EXPECT_NE(Mesh::build(named).value().hash(), a.hash());
}

TEST(Mesh, HashHasTheSameBitsEverywhereAndCoversSurfaces) {
  MeshInput in = square();
  in.surfaces = {{"a", SurfaceKind::plane, {0.5, false}}, {"b", SurfaceKind::plane, {}}};
  in.surface_of_triangle = {0, 1};
  const auto hash_of = [](const MeshInput& input) { return to_hex(Mesh::build(input).value().hash()); };
  const std::string original = hash_of(in);
  EXPECT_EQ(original, "3e2cfc179450a40bded6b5ba363ed3235e1f9064b2129dda84875d30203559f6");
  MeshInput other = in;
  other.surfaces[0].kind = SurfaceKind::cone;
  EXPECT_NE(hash_of(other), original);
  other = in;
  other.surfaces[0].sag.value = 0.25;
  EXPECT_NE(hash_of(other), original);
  other = in;
  other.surface_of_triangle = {1, 0};
  EXPECT_NE(hash_of(other), original);
  other = in;
  other.vertices[0].x = -0.0;
  EXPECT_EQ(hash_of(other), original) << "-0.0 equals 0.0";
}

TEST(Mesh, BoundsHoldEveryTriangleAndNothingElse) {
  MeshInput in = square();
  in.vertices.push_back({9, 9, 9});  // used by no triangle
  const Aabb bounds = Mesh::build(in).value().bounds();
  EXPECT_EQ(bounds, (Aabb{{0, 0, 0}, {1, 1, 0}}));
}

TEST(Mesh, CreaseSurfacesIgnoreFlipsAndAreNotBridgedByNeedles) {
  const Mesh cube = scenes::box({0, 0, 0}, {1, 1, 1});
  MeshInput in;
  in.vertices.assign(cube.vertices().begin(), cube.vertices().end());
  in.triangles.assign(cube.triangles().begin(), cube.triangles().end());
  MeshInput flipped = in;
  std::swap(flipped.triangles[0][1], flipped.triangles[0][2]);
  EXPECT_EQ(Mesh::build(flipped).value().surfaces().size(), 6U);
  // The bottom face is split in the middle of an edge; a needle fills the gap to the front face.
  in.vertices.push_back({0.5, 0, 0});
  const auto bottom = std::ranges::find(in.triangles, Index3{0, 3, 1});
  ASSERT_NE(bottom, in.triangles.end());
  *bottom = {0, 3, 8};
  in.triangles.push_back({8, 3, 1});
  in.triangles.push_back({0, 8, 1});
  EXPECT_EQ(Mesh::build(in).value().surfaces().size(), 6U);
}

TEST(Assembly, NamesAreUniqueAndInstancesShare) {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh mesh = Mesh::build(square()).value();
  EXPECT_EQ(assembly.add({"a", mesh, {}}).value(), 0U);
  EXPECT_EQ(assembly.add({"b", mesh, translation(0, 0, 1)}).value(), 1U);
  EXPECT_EQ(assembly.add({"b", mesh, {}}).error().code, AssemblyError::Code::duplicate_path);
  EXPECT_EQ(assembly.add({"", mesh, {}}).error().code, AssemblyError::Code::empty_path);
  EXPECT_EQ(assembly.parts().size(), 2U);
  EXPECT_EQ(assembly.find("b"), 1U);
  EXPECT_EQ(assembly.find("c"), std::nullopt);
  EXPECT_EQ(assembly.distinct_meshes(), 1U);
  assembly.place(0, translation(1, 0, 0)).value();
  EXPECT_EQ(assembly.parts()[0].pose.translation(), (Vec3{1, 0, 0}));
  EXPECT_EQ(to_string(assembly.units()), "mm");
  EXPECT_EQ(parse_length_unit("in"), LengthUnit::inch);
  EXPECT_EQ(parse_length_unit("parsec"), std::nullopt);
}

TEST(Assembly, RefusesSubAssembliesThatAreNotThereAndPosesThatAreNone) {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh mesh = Mesh::build(square()).value();
  EXPECT_EQ(assembly.add({"a", mesh, {}, {}, 0}).error().code, AssemblyError::Code::no_frame);
  EXPECT_EQ(assembly.find("a"), std::nullopt) << "refused, it leaves no trace";
  const auto bad = assembly.add_frame({"door", Pose::invalid()});
  EXPECT_EQ(bad.error().code, AssemblyError::Code::bad_frame);
  EXPECT_EQ(bad.error().message(), "the pose of sub-assembly 'door' is not valid");
  EXPECT_TRUE(assembly.frames().empty());
  EXPECT_EQ(assembly.add_frame({"door", translation(1, 0, 0)}).value(), 0U);
  EXPECT_EQ(assembly.add({"door/a", mesh, {}, {}, 0}).value(), 0U);
  EXPECT_EQ(assembly.add({"door/b", mesh, {}, {}, 1}).error().message(),
            "part 'door/b' belongs to a sub-assembly that is not there");
}

}  // namespace
}  // namespace snug
