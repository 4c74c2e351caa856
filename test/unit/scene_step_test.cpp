// Every scene, written as STEP and read again: the same parts, and the same surfaces in each of them.
#include "geometry/vec_ops.hpp"
#include "io/step/patch.hpp"
#include "scenes/solids.hpp"
#include "unit/io_support.hpp"
#include "unit/worlds_support.hpp"

#include <set>

namespace snug {
namespace {

namespace fs = std::filesystem;

TEST(StepPatch, MarksAreTakenOffNames) {
  std::string name = io::marked_name({12, SurfaceKind::spline, 0xc0ffee}, "left ear");
  EXPECT_EQ(name, "snug.patch 0000000000c0ffee 12 spline left ear");
  EXPECT_TRUE(io::looks_marked(name));
  EXPECT_EQ(io::take_mark(name), (io::PatchMark{12, SurfaceKind::spline, 0xc0ffee}));
  EXPECT_EQ(name, "left ear");
  name = io::marked_name({0, SurfaceKind::unknown}, "");
  EXPECT_EQ(io::take_mark(name), (io::PatchMark{0, SurfaceKind::unknown}));
  EXPECT_EQ(name, "");
}

TEST(StepPatch, OtherNamesStayAsTheyAre) {
  const std::string token = "snug.patch 0123456789abcdef ";
  for (const std::string& text :
       {std::string(), std::string("snug.patch"), std::string("snug.patch "), std::string("snug.patch 1 spline"),
        std::string("snug.patch 0123456789abcde 1 spline"), std::string("snug.patch 0123456789abcdeg 1 spline"), token,
        token + "x spline", token + "1", token + "1 ", token + "1 wobbly", token + "-1 spline", token + "1x spline",
        token + "99999999999999999999 spline", "my " + token + "1 spline"}) {
    std::string name = text;
    EXPECT_FALSE(io::take_mark(name)) << text;
    EXPECT_EQ(name, text);
  }
}

std::map<std::string, Part> by_path(const Assembly& assembly) {
  std::map<std::string, Part> parts;
  for (const Part& part : assembly.parts()) parts.emplace(part.path, part);
  return parts;
}

double size_of(const Aabb& box) { return geometry::max_abs(box.hi - box.lo); }

/// What was analytic still is, and of the same kind; what was not is one surface with its own triangles.
void expect_same_surfaces(const Mesh& before, const Mesh& after) {
  ASSERT_EQ(after.surfaces().size(), before.surfaces().size());
  for (std::uint32_t s = 0; s < before.surfaces().size(); ++s) {
    SCOPED_TRACE("surface " + std::to_string(s));
    const Surface &was = before.surfaces()[s], &is = after.surfaces()[s];
    EXPECT_EQ(is.name, was.name);
    if (was.analytic) {
      EXPECT_EQ(is.kind, was.kind);
    }
    if (is.analytic) continue;
    EXPECT_EQ(is.kind, was.kind);
    EXPECT_EQ(after.triangles_of(s).size(), before.triangles_of(s).size());
    EXPECT_FALSE(is.sag.estimated);
    EXPECT_LE(is.sag.value, 1e-9 * size_of(before.bounds()));
  }
}

fs::path importer() { return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "snug-import"; }

/// Two pins in line as one part, whose round faces are one surface.
Mesh pins_in_line() {
  const Mesh pin = scenes::cylinder(2, 5, 24);
  MeshInput input;
  for (const double at : {0.0, 10.0}) {
    const auto first = static_cast<std::uint32_t>(input.vertices.size());
    const auto surfaces = static_cast<std::uint32_t>(input.surfaces.size());
    std::vector<std::uint32_t> id;
    for (const Surface& surface : pin.surfaces()) {
      const bool is_round = surface.kind == SurfaceKind::cylinder;
      const auto known = std::ranges::find(input.surfaces, SurfaceKind::cylinder, &Surface::kind);
      const auto place = static_cast<std::uint32_t>(known - input.surfaces.begin());
      id.push_back(is_round && place < surfaces ? place : static_cast<std::uint32_t>(input.surfaces.size()));
      if (id.back() < input.surfaces.size()) continue;
      input.surfaces.push_back(surface);
      input.surfaces.back().analytic->origin.z += at;
    }
    for (const Point3& p : pin.vertices()) input.vertices.push_back({p.x, p.y, p.z + at});
    for (std::uint32_t t = 0; t < pin.triangles().size(); ++t) {
      const Index3& c = pin.triangles()[t];
      input.triangles.push_back({c[0] + first, c[1] + first, c[2] + first});
      input.surface_of_triangle.push_back(id[pin.surface_of(t)]);
    }
  }
  return Mesh::build(std::move(input)).value();
}

TEST(StepPatch, PiecesOfACylinderComeBackAsOne) {
  if (!fs::exists(importer())) GTEST_SKIP() << "no snug-import: built without OpenCASCADE";
  const test::TempDir folder;
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"pins", pins_in_line(), {}}));
  ASSERT_EQ(assembly.parts()[0].mesh.surfaces().size(), 5U);
  ASSERT_TRUE(save(assembly, folder.path() / "a.step"));
  LoadOptions options;
  options.cad.importer = importer();
  const auto after = test::load_assembly(folder.path() / "a.step", options);
  ASSERT_TRUE(after) << after.error().message();
  ASSERT_EQ(after->parts().size(), 1U);
  expect_same_surfaces(assembly.parts()[0].mesh, after->parts()[0].mesh);
  const auto surfaces = after->parts()[0].mesh.surfaces();
  const auto round = std::ranges::find(surfaces, SurfaceKind::cylinder, &Surface::kind);
  ASSERT_NE(round, surfaces.end());
  ASSERT_TRUE(round->analytic);
  EXPECT_EQ(round->analytic->radius, 2);
}

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, IsTheSameAfterStep) {
  if (!fs::exists(importer())) GTEST_SKIP() << "no snug-import: built without OpenCASCADE";
  scenes::SceneOptions small;
  if (GetParam() == "knots") small.size = 500;
  if (GetParam() == "lattice") small.size = 27;
  const Assembly& before = test::world(GetParam(), small).assembly;
  const test::TempDir folder;
  const fs::path file = folder.path() / "scene.step";
  ASSERT_TRUE(save(before, file));
  LoadOptions options;
  options.cad.importer = importer();
  // Coarse: it is not about curved faces, which are meshed anew.
  double size = 0;
  for (const Part& part : before.parts()) size = std::max(size, size_of(part.mesh.bounds()));
  options.cad.sag_metres = 0.01 * size * metres_per(before.units());
  const auto after = test::load_assembly(file, options);
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_TRUE(after->losses().empty());
  EXPECT_EQ(after->units(), before.units());
  const auto parts = by_path(*after);
  ASSERT_EQ(parts.size(), before.parts().size());
  std::set<const void*> compared;
  for (const Part& part : before.parts()) {
    SCOPED_TRACE(part.path);
    const auto same = parts.find(part.path);
    ASSERT_NE(same, parts.end());
    if (compared.insert(part.mesh.vertices().data()).second) expect_same_surfaces(part.mesh, same->second.mesh);
  }
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const scenes::SceneEntry& entry : scenes::all()) names.emplace_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryScene, testing::ValuesIn(scene_names()), [](const auto& scene) {
  std::string name = scene.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace snug
