// IGES and BREP, written by way of STEP and the importer, and read again.
#include "geometry/vec_ops.hpp"
#include "scenes/solids.hpp"
#include "unit/io_support.hpp"
#include "unit/worlds_support.hpp"

#include <snug/inspect.hpp>

#include <cmath>

namespace snug {
namespace {

namespace fs = std::filesystem;
using Code = IoError::Code;

std::size_t count_surfaces(const Assembly& assembly) {
  std::size_t count = 0;
  for (const Part& part : assembly.parts()) count += part.mesh.surfaces().size();
  return count;
}

/// Where the part stands.
Aabb box_of(const Part& part) {
  Aabb box;
  for (const Point3& vertex : part.mesh.vertices()) box.include(part.pose.apply(vertex));
  return box;
}

class CadWrite : public testing::Test {
 protected:
  void SetUp() override {
    importer_ = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "snug-import";
    if (!fs::exists(importer_)) GTEST_SKIP() << "no snug-import: built without OpenCASCADE";
    save_options_.cad.importer = importer_;
    save_options_.problems = &lost_;
  }

  /// Saved and loaded again; coarsely, since curved faces are meshed anew anyway.
  Assembly there_and_back(const Assembly& assembly, const std::string& name) {
    const fs::path file = folder_.path() / name;
    lost_.clear();
    const auto saved = save(assembly, file, save_options_);
    EXPECT_TRUE(saved) << saved.error().message();
    LoadOptions options;
    options.cad.importer = importer_;
    options.cad.sag_metres = 1e-3;
    if (name.ends_with(".brep")) options.units = assembly.units();
    auto loaded = test::load_assembly(file, options);
    EXPECT_TRUE(loaded) << loaded.error().message();
    EXPECT_TRUE(!loaded || loaded->losses().empty());
    return loaded ? std::move(*loaded) : Assembly(assembly.units());
  }

  [[nodiscard]] bool told(std::string_view words) const {
    return std::ranges::any_of(lost_, [&](const Problem& p) { return p.text.find(words) != std::string::npos; });
  }

  fs::path importer_;
  test::TempDir folder_;
  SaveOptions save_options_;
  std::vector<Problem> lost_;
};

TEST_F(CadWrite, KeepsPartsFacesAndKinds) {
  for (const std::string scene : {"workbench", "digger", "peg"})
    for (const std::string name : {"a.iges", "a.brep"}) {
      SCOPED_TRACE(scene + " " + name);
      const Assembly& before = test::world(scene).assembly;
      const Assembly after = there_and_back(before, name);
      ASSERT_EQ(after.parts().size(), before.parts().size());
      EXPECT_EQ(count_surfaces(after), count_surfaces(before));
      for (std::size_t p = 0; p < before.parts().size(); ++p) {
        const Part &was = before.parts()[p], &is = after.parts()[p];
        ASSERT_EQ(is.mesh.surfaces().size(), was.mesh.surfaces().size());
        for (std::size_t s = 0; s < was.mesh.surfaces().size(); ++s)
          EXPECT_EQ(is.mesh.surfaces()[s].kind, was.mesh.surfaces()[s].kind);
        const Aabb box_was = box_of(was), box_is = box_of(is);
        EXPECT_LT(geometry::max_abs(box_was.lo - box_is.lo), 2) << was.path;
        EXPECT_LT(geometry::max_abs(box_was.hi - box_is.hi), 2) << was.path;
        EXPECT_TRUE(inspect(is.mesh).closed) << was.path;
      }
    }
}

TEST_F(CadWrite, IgesKeepsNamesColoursAndTheUnit) {
  Assembly assembly(LengthUnit::inch);
  const Mesh box = scenes::box({0, 0, 0}, {1, 2, 3});
  MeshInput painted{
      {box.vertices().begin(), box.vertices().end()}, {box.triangles().begin(), box.triangles().end()}, {}, {}};
  painted.surfaces.assign(box.surfaces().begin(), box.surfaces().end());
  for (std::uint32_t t = 0; t < painted.triangles.size(); ++t) painted.surface_of_triangle.push_back(box.surface_of(t));
  painted.surfaces[2].color = Rgba{255, 0, 0, 255};
  painted.surfaces[3].name = "the one with the label";
  const Mesh mesh = Mesh::build(std::move(painted)).value();
  const Pose aside = Pose::make({0.6, 0, 0, 0.8}, {10, 0, 0}).value();
  ASSERT_TRUE(assembly.add({"box", mesh, {}, Rgba{0, 128, 255, 255}}));
  ASSERT_TRUE(assembly.add({"group/other", mesh, aside, Rgba{0, 128, 255, 255}}));
  const Assembly after = there_and_back(assembly, "a.igs");
  EXPECT_EQ(after.units(), LengthUnit::inch);
  ASSERT_EQ(after.parts().size(), 2U);
  EXPECT_EQ(after.parts()[0].path, "box");
  EXPECT_EQ(after.parts()[1].path, "group_other");
  for (const Part& part : after.parts()) {
    const auto surfaces = part.mesh.surfaces();
    ASSERT_EQ(surfaces.size(), 6U);
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      const auto color = surfaces[s].color ? surfaces[s].color : part.color;
      EXPECT_EQ(color, (s == 2 ? Rgba{255, 0, 0, 255} : Rgba{0, 128, 255, 255})) << s;
    }
    EXPECT_EQ(part.mesh.surfaces()[3].name, "the one with the label");
  }
  EXPECT_TRUE(told("poses and instances are not kept"));
  EXPECT_TRUE(told("levels of paths are not kept"));
  EXPECT_FALSE(told("colours"));
}

TEST_F(CadWrite, BrepKeepsPosesAndInstances) {
  const Assembly& before = test::world("workbench").assembly;
  const Assembly after = there_and_back(before, "a.brp.brep");
  EXPECT_EQ(after.distinct_meshes(), before.distinct_meshes());
  EXPECT_TRUE(told("names of parts and surfaces are not kept, nor is the unit: to be read in mm"));
}

TEST_F(CadWrite, FreeFormSurfacesStayWholeInIgesAndBecomeFacetsInBrep) {
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"knot", scenes::bumpy_knot(20, 6), {}}));
  const std::size_t triangles = assembly.parts()[0].mesh.triangles().size();
  const Assembly iges = there_and_back(assembly, "a.iges");
  EXPECT_EQ(count_surfaces(iges), 1U);
  EXPECT_EQ(iges.parts()[0].mesh.triangles().size(), triangles);
  const Assembly brep = there_and_back(assembly, "a.brep");
  EXPECT_EQ(count_surfaces(brep), triangles);
  EXPECT_EQ(brep.parts()[0].mesh.triangles().size(), triangles);
  EXPECT_TRUE(told("written as flat triangles"));
}

TEST_F(CadWrite, OpenMeshesStaySheets) {
  const MeshInput sheet{{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 1}},
                        {{0, 1, 2}, {0, 2, 3}},
                        {{.name = "a", .sag = {}}, {.name = "b", .sag = {}}},
                        {0, 1}};
  Assembly assembly(LengthUnit::metre);
  ASSERT_TRUE(assembly.add({"one", Mesh::build(sheet).value(), {}}));
  ASSERT_TRUE(assembly.add({"two", Mesh::build(sheet).value(), Pose::make({}, {0, 0, 5}).value()}));
  for (const std::string name : {"a.iges", "a.brep"}) {
    SCOPED_TRACE(name);
    const Assembly after = there_and_back(assembly, name);
    ASSERT_EQ(after.parts().size(), 2U);
    EXPECT_EQ(count_surfaces(after), 4U);
    EXPECT_FALSE(inspect(after.parts()[1].mesh).closed);
  }
}

TEST_F(CadWrite, GivesTheSameBytesEveryTime) {
  for (const std::string name : {"a.iges", "a.brep"}) {  // with colours
    ASSERT_TRUE(save(test::world("digger").assembly, folder_.path() / name, save_options_));
    ASSERT_TRUE(save(test::world("digger").assembly, folder_.path() / ("b" + name), save_options_));
    EXPECT_TRUE(test::slurp(folder_.path() / name) == test::slurp(folder_.path() / ("b" + name))) << name;
  }
}

TEST_F(CadWrite, WithoutTheProgramItSaysWhatIsMissingAndLeavesNothing) {
  save_options_.cad.importer = folder_.path() / "no-such-program";
  for (const std::string name : {"a.iges", "a.brep"}) {
    const auto saved = save(test::world("workbench").assembly, folder_.path() / name, save_options_);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, Code::no_importer);
    EXPECT_NE(saved.error().text.find("no-such-program"), std::string::npos) << saved.error().text;
  }
  EXPECT_EQ(folder_.file_count(), 0U);
  EXPECT_TRUE(lost_.empty());
}

TEST_F(CadWrite, KeepsToItsLimitsAndCanBeCancelled) {
  save_options_.cad.max_memory_bytes = 64 << 20;
  const auto too_small = save(test::world("digger").assembly, folder_.path() / "a.iges", save_options_);
  ASSERT_FALSE(too_small);
  EXPECT_EQ(too_small.error().code, Code::import_limit) << too_small.error().text;
  save_options_.cad.max_memory_bytes = 4ULL << 30;
  CancelToken cancel;
  save_options_.cancel = &cancel;
  save_options_.progress = [&](double share) {
    if (share > 0.5) cancel.cancel();
  };
  const auto stopped = save(test::world("digger").assembly, folder_.path() / "a.iges", save_options_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Code::cancelled);
  EXPECT_EQ(folder_.file_count(), 0U);
}

}  // namespace
}  // namespace snug
