#include "io/step/write_text.hpp"
#include "io/step/write_tree.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "scenes/workbench.hpp"
#include "unit/io_support.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace snug {
namespace {

using test::TempDir;

TEST(StepText, EscapesNames) {
  EXPECT_EQ(io::step_string("plain"), "'plain'");
  EXPECT_EQ(io::step_string("it's a \\"), "'it''s a \\\\'");
  EXPECT_EQ(io::step_string("\xC3\xA4"), "'\\X2\\00E4\\X0\\'");
  EXPECT_EQ(io::step_string("a\xC3\xA4\xE2\x82\xACz"), "'a\\X2\\00E420AC\\X0\\z'");
  EXPECT_EQ(io::step_string("\xF0\x9F\x94\xA9"), "'\\X4\\0001F529\\X0\\'");
  EXPECT_EQ(io::step_string("a\nb"), "'a\\X2\\000A\\X0\\b'");
  EXPECT_EQ(io::step_string("\xFF\xC0\xAF"), "'\\X2\\FFFDFFFDFFFD\\X0\\'");
}

TEST(StepText, WritesRealsWithTheirPoint) {
  EXPECT_EQ(io::step_real(1), "1.");
  EXPECT_EQ(io::step_real(-0.5), "-0.5");
  EXPECT_EQ(io::step_real(1e-7), "1.E-07");
  EXPECT_EQ(io::step_real(2.5e300), "2.5E+300");
}

TEST(StepTree, HasALevelForEveryNameInAPath) {
  using Levels = std::vector<std::string_view>;
  EXPECT_EQ(io::levels_of("a/b/c"), (Levels{"a", "b", "c"}));
  EXPECT_EQ(io::levels_of("a"), (Levels{"a"}));
  EXPECT_EQ(io::levels_of("/a/b/"), (Levels{"/a", "b/"}));
  EXPECT_EQ(io::levels_of("a//b"), (Levels{"a//b"}));
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += "/a";
  EXPECT_EQ(io::levels_of(deep).size(), 32U);
}

/// The entities of a file: what each is, and the ids it names.
struct StepFile {
  std::string text;
  std::map<std::uint64_t, std::string> entities;

  explicit StepFile(const std::filesystem::path& file) : text(test::slurp(file)) {
    std::size_t at = text.find("DATA;\n") + 6;
    while (text[at] == '#') {
      const std::size_t equals = text.find('=', at), end = text.find(";\n", at);
      entities[std::stoull(text.substr(at + 1, equals - at - 1))] = text.substr(equals + 1, end - equals - 1);
      at = end + 2;
    }
  }
  [[nodiscard]] std::size_t count(std::string_view kind) const {
    const std::string head = std::string(kind) + '(';
    return static_cast<std::size_t>(
        std::ranges::count_if(entities, [&](const auto& entity) { return entity.second.starts_with(head); }));
  }
  static std::vector<std::uint64_t> refs(const std::string& entity) {
    std::vector<std::uint64_t> out;
    for (std::size_t at = entity.find('#'); at != std::string::npos; at = entity.find('#', at + 1))
      out.push_back(std::stoull(entity.substr(at + 1)));
    return out;
  }
};

/// Every entity names only such as stand before it, and every edge of a closed shell is passed once each way.
void expect_sound(const StepFile& file) {
  std::map<std::uint64_t, int> passes, balance;
  for (const auto& [id, entity] : file.entities) {
    for (const std::uint64_t ref : StepFile::refs(entity)) EXPECT_LT(ref, id) << entity;
    if (!entity.starts_with("ORIENTED_EDGE(")) continue;
    const std::uint64_t edge = StepFile::refs(entity).at(0);
    ++passes[edge];
    balance[edge] += entity.ends_with(".T.)") ? 1 : -1;
  }
  if (file.count("OPEN_SHELL") > 0) return;
  for (const auto& [edge, count] : passes) {
    EXPECT_EQ(count, 2) << edge;
    EXPECT_EQ(balance[edge], 0) << edge;
  }
}

std::vector<std::string> texts(const std::vector<Problem>& problems) {
  std::vector<std::string> out;
  for (const Problem& p : problems) out.push_back(p.part + ": " + p.text);
  return out;
}

Assembly one(const Mesh& mesh, const char* path = "part") {
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({path, mesh, {}});
  return assembly;
}

TEST(StepWrite, FacesAreWhatTheSurfacesAre) {
  const TempDir dir;
  struct Expected {
    const char* name;
    Mesh mesh;
    std::size_t faces, planes, cylinders, spheres, tori, circles, lines;
  };
  for (const Expected& e : {Expected{"box", scenes::box({0, 0, 0}, {1, 2, 3}), 6, 6, 0, 0, 0, 0, 12},
                            Expected{"can", scenes::cylinder(5, 10, 24), 3, 2, 1, 0, 0, 2, 0},
                            Expected{"pipe", scenes::pipe(5, 3, 10, 24), 4, 2, 2, 0, 0, 4, 0},
                            Expected{"ball", scenes::sphere(5, 12, 24), 1, 0, 0, 1, 0, 0, 0},
                            Expected{"ring", scenes::torus(10, 3, 24, 12), 1, 0, 0, 0, 1, 2, 0}}) {
    SCOPED_TRACE(e.name);
    std::vector<Problem> problems;
    ASSERT_TRUE(save(one(e.mesh), dir.path() / "a.step", {.problems = &problems}));
    EXPECT_EQ(texts(problems), std::vector<std::string>{});
    const StepFile file(dir.path() / "a.step");
    EXPECT_EQ(file.count("ADVANCED_FACE"), e.faces);
    EXPECT_EQ(file.count("PLANE"), e.planes);
    EXPECT_EQ(file.count("CYLINDRICAL_SURFACE"), e.cylinders);
    EXPECT_EQ(file.count("SPHERICAL_SURFACE"), e.spheres);
    EXPECT_EQ(file.count("TOROIDAL_SURFACE"), e.tori);
    EXPECT_EQ(file.count("CIRCLE"), e.circles);
    EXPECT_EQ(file.count("LINE"), e.lines);
    EXPECT_EQ(file.count("MANIFOLD_SOLID_BREP"), 1U);
    expect_sound(file);
  }
}

/// A mesh without what it knows of its surfaces but which triangles they have.
Mesh forgetful(const Mesh& mesh) {
  MeshInput input{
      {mesh.vertices().begin(), mesh.vertices().end()}, {mesh.triangles().begin(), mesh.triangles().end()}, {}, {}};
  for (const Surface& surface : mesh.surfaces()) input.surfaces.push_back({.name = surface.name, .sag = {}});
  for (std::uint32_t t = 0; t < input.triangles.size(); ++t) input.surface_of_triangle.push_back(mesh.surface_of(t));
  return Mesh::build(std::move(input)).value();
}

TEST(StepWrite, RecognisesRoundSurfacesAndTellsSo) {
  const TempDir dir;
  std::vector<Problem> problems;
  ASSERT_TRUE(save(one(forgetful(scenes::pipe(5, 3, 10, 7))), dir.path() / "a.step", {.problems = &problems}));
  EXPECT_EQ(texts(problems),
            std::vector<std::string>{"part: 2 surfaces of unknown kind written as what the vertices lie "
                                     "on: cylinder, cone, sphere or torus"});
  const StepFile file(dir.path() / "a.step");
  EXPECT_EQ(file.count("ADVANCED_FACE"), 4U);
  EXPECT_EQ(file.count("CYLINDRICAL_SURFACE"), 2U);
  expect_sound(file);
}

TEST(StepWrite, AHexagonalBarIsNoCylinder) {
  const TempDir dir;
  std::vector<Problem> problems;
  ASSERT_TRUE(save(one(forgetful(scenes::cylinder(5, 10, 6))), dir.path() / "a.step", {.problems = &problems}));
  EXPECT_EQ(texts(problems), std::vector<std::string>{"part: 1 surface written as flat triangles"});
  const StepFile file(dir.path() / "a.step");
  EXPECT_EQ(file.count("ADVANCED_FACE"), 2U + 12U);
  EXPECT_EQ(file.count("CYLINDRICAL_SURFACE"), 0U);
  expect_sound(file);
}

TEST(StepWrite, WhatHasNoFormBecomesTriangles) {
  const TempDir dir;
  std::vector<Problem> problems;
  ASSERT_TRUE(save(one(scenes::bumpy_knot(40, 8)), dir.path() / "a.stp", {.problems = &problems}));
  EXPECT_EQ(texts(problems), std::vector<std::string>{"part: 1 surface written as flat triangles"});
  const StepFile file(dir.path() / "a.stp");
  EXPECT_EQ(file.count("ADVANCED_FACE"), 640U);
  expect_sound(file);
}

TEST(StepWrite, InstancesShareOneProduct) {
  const TempDir dir;
  Assembly assembly = scenes::workbench();
  ASSERT_TRUE(save(assembly, dir.path() / "a.step"));
  const StepFile file(dir.path() / "a.step");
  EXPECT_EQ(file.count("NEXT_ASSEMBLY_USAGE_OCCURRENCE"), 8U);
  EXPECT_EQ(file.count("PRODUCT"), 1U + assembly.distinct_meshes());
  EXPECT_EQ(file.count("MANIFOLD_SOLID_BREP"), assembly.distinct_meshes());
  expect_sound(file);
  ASSERT_TRUE(save(assembly, dir.path() / "b.step"));
  EXPECT_EQ(file.text, StepFile(dir.path() / "b.step").text);
}

TEST(StepWrite, CavitiesAndOpenMeshes) {
  const TempDir dir;
  MeshInput input;
  const auto add = [&](const Mesh& mesh, bool turn) {
    const auto first = static_cast<std::uint32_t>(input.vertices.size());
    const auto surface = static_cast<std::uint32_t>(input.surfaces.size());
    input.vertices.insert(input.vertices.end(), mesh.vertices().begin(), mesh.vertices().end());
    for (const Surface& s : mesh.surfaces()) input.surfaces.push_back({.name = s.name, .kind = s.kind, .sag = {}});
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      Index3 c = mesh.triangles()[t];
      if (turn) std::swap(c[1], c[2]);
      input.triangles.push_back({c[0] + first, c[1] + first, c[2] + first});
      input.surface_of_triangle.push_back(surface + mesh.surface_of(t));
    }
  };
  add(scenes::sphere(10, 12, 24), false);
  add(scenes::cylinder(3, 5, 24), true);
  MeshInput without = input;
  ASSERT_TRUE(save(one(Mesh::build(std::move(input)).value()), dir.path() / "a.step"));
  const StepFile hollow(dir.path() / "a.step");
  EXPECT_EQ(hollow.count("BREP_WITH_VOIDS"), 1U);
  EXPECT_EQ(hollow.count("ORIENTED_CLOSED_SHELL"), 1U);
  EXPECT_EQ(hollow.count("ADVANCED_FACE"), 4U);
  expect_sound(hollow);

  without.triangles.pop_back(), without.surface_of_triangle.pop_back();
  ASSERT_TRUE(save(one(Mesh::build(std::move(without)).value()), dir.path() / "b.step"));
  const StepFile open(dir.path() / "b.step");
  EXPECT_EQ(open.count("MANIFOLD_SOLID_BREP"), 1U);
  EXPECT_EQ(open.count("SHELL_BASED_SURFACE_MODEL"), 1U);
  expect_sound(open);
}

TEST(StepWrite, AnyTrianglesGiveASoundFile) {
  const TempDir dir;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    MeshInput input;
    const double reach = seed % 5 == 0 ? 1e299 : seed % 7 == 0 ? 1e-300 : 10;
    for (int i = 0; i < 12; ++i) {  // on a grid, so that some coincide and some are in line
      const auto on_grid = [&] { return reach * static_cast<double>(random.below(4)) / 4; };
      const double x = on_grid(), y = on_grid();
      input.vertices.push_back({x, y, on_grid()});
    }
    for (int t = 0; t < 24; ++t) {
      const auto pick = [&] { return static_cast<std::uint32_t>(random.below(12)); };
      const std::uint32_t a = pick(), b = pick();
      input.triangles.push_back({a, b, pick()});
    }
    const auto kind = static_cast<SurfaceKind>(random.below(7));
    input.surfaces.assign(3, {.name = "s", .kind = kind, .sag = {}});
    for (int t = 0; t < 24; ++t) input.surface_of_triangle.push_back(static_cast<std::uint32_t>(random.below(3)));
    const auto saved = save(one(Mesh::build(std::move(input)).value()), dir.path() / "a.step");
    ASSERT_TRUE(saved) << saved.error().message();
    const StepFile file(dir.path() / "a.step");
    for (const auto& [id, entity] : file.entities) {
      for (const std::uint64_t ref : StepFile::refs(entity)) EXPECT_LT(ref, id) << entity;
      EXPECT_EQ(entity.find("nan"), std::string::npos) << entity;
      EXPECT_EQ(entity.find("inf"), std::string::npos) << entity;
    }
  }
}

TEST(StepWrite, CancelledLeavesNothing) {
  const TempDir dir;
  CancelToken token;
  SaveOptions options;
  options.cancel = &token;
  options.progress = [&](double share) {
    if (share > 0.2) token.cancel();
  };
  const auto saved = save(one(scenes::bumpy_knot(400, 60)), dir.path() / "a.step", options);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, IoError::Code::cancelled);
  EXPECT_EQ(dir.file_count(), 0U);
}

/// The importer beside the folder of this test, or wherever it is found; none where it was not built.
std::optional<LoadOptions> through_importer() {
  LoadOptions options;
  std::error_code unknown;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  if (const auto beside = here.parent_path() / "snug-import"; std::filesystem::exists(beside))
    options.cad.importer = beside;
  const TempDir dir;
  const auto probe = dir.path() / "probe.step";
  (void)save(one(scenes::box({0, 0, 0}, {1, 1, 1})), probe);
  const auto loaded = test::load_assembly(probe, options);
  if (!loaded && loaded.error().code == IoError::Code::no_importer) return std::nullopt;
  return options;
}

double volume_of(const Mesh& mesh) {
  double sum = 0;
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
    const Triangle c = mesh.view().triangle(t);
    sum += (c[0].x * (c[1].y * c[2].z - c[1].z * c[2].y) - c[0].y * (c[1].x * c[2].z - c[1].z * c[2].x) +
            c[0].z * (c[1].x * c[2].y - c[1].y * c[2].x)) /
           6;
  }
  return sum;
}

/// Written, read by the CAD kernel and compared: paths, units, colours, names and kinds of faces, volumes.
void expect_same_through_cad(const Assembly& assembly, const LoadOptions& options, double volume_tolerance) {
  const TempDir dir;
  const auto saved = save(assembly, dir.path() / "a.step");
  ASSERT_TRUE(saved) << saved.error().message();
  const auto loaded = test::load_assembly(dir.path() / "a.step", options);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(loaded->losses().empty());
  EXPECT_EQ(loaded->units(), assembly.units());
  EXPECT_EQ(loaded->distinct_meshes(), assembly.distinct_meshes());
  ASSERT_EQ(loaded->parts().size(), assembly.parts().size());
  for (const Part& part : assembly.parts()) {
    SCOPED_TRACE(part.path);
    const auto id = loaded->find(part.path);
    ASSERT_TRUE(id);
    const Part& again = loaded->parts()[*id];
    EXPECT_EQ(again.color, part.color);
    ASSERT_EQ(again.mesh.surfaces().size(), part.mesh.surfaces().size());
    for (std::size_t s = 0; s < part.mesh.surfaces().size(); ++s) {
      EXPECT_EQ(again.mesh.surfaces()[s].name, part.mesh.surfaces()[s].name);
      EXPECT_EQ(again.mesh.surfaces()[s].kind, part.mesh.surfaces()[s].kind);
    }
    const double before = volume_of(part.mesh), after = volume_of(again.mesh);
    EXPECT_NEAR(after, before, volume_tolerance * std::abs(before));
  }
}

TEST(StepRoundTrip, ScenesComeBackWithTheirPartsAndFaces) {
  const auto options = through_importer();
  if (!options) GTEST_SKIP() << "the CAD importer was not built";
  {
    SCOPED_TRACE("workbench");
    expect_same_through_cad(scenes::workbench(), *options, 0.02);
  }
  for (const LengthUnit unit : {LengthUnit::micrometre, LengthUnit::millimetre, LengthUnit::centimetre,
                                LengthUnit::metre, LengthUnit::inch, LengthUnit::foot}) {
    SCOPED_TRACE(to_string(unit));
    Assembly assembly(unit);
    const Mesh can = scenes::cylinder(5, 10, 48);
    (void)assembly.add({"set/it's \xC3\xA4 \\ \xE2\x82\xAC", can, translation(20, 0, 0), Rgba{255, 0, 0, 255}}).value();
    (void)assembly.add(
        {"set/inner/can", can, compose(translation(0, 20, 0), rotation({1, 2, 3}, 1)), Rgba{255, 0, 0, 255}});
    (void)assembly.add({"set/inner/pipe", scenes::pipe(5, 3, 10, 48), {}, Rgba{0, 128, 255, 255}});
    (void)assembly.add({"set/ball", scenes::sphere(5, 24, 48), translation(0, 0, 30)});
    (void)assembly.add({"set/ring", scenes::torus(10, 3, 48, 24), translation(0, 0, -30)});
    LoadOptions fine = *options;
    fine.cad.sag_metres = 0.02 * metres_per(unit);
    expect_same_through_cad(assembly, fine, 0.03);
  }
}

/// Faces of a mesh file become CAD faces: as many, and all readable.
class StepOfData : public testing::TestWithParam<const char*> {};

TEST_P(StepOfData, HasAFaceForEverySurface) {
  const auto options = through_importer();
  if (!options) GTEST_SKIP() << "the CAD importer was not built";
  if (test::data_dir().empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  const auto file = test::data_dir() / GetParam();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const auto assembly = test::load_assembly(file, test::in_mm());
  ASSERT_TRUE(assembly) << assembly.error().message();
  const TempDir dir;
  ASSERT_TRUE(save(*assembly, dir.path() / "a.step"));
  const auto again = test::load_assembly(dir.path() / "a.step", *options);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE(again->losses().empty());
  ASSERT_EQ(again->parts().size(), assembly->parts().size());
  for (std::size_t p = 0; p < assembly->parts().size(); ++p) {
    EXPECT_EQ(again->parts()[p].path, assembly->parts()[p].path);
    EXPECT_EQ(again->parts()[p].mesh.surfaces().size(), assembly->parts()[p].mesh.surfaces().size());
  }
}

INSTANTIATE_TEST_SUITE_P(Data, StepOfData,
                         testing::Values("assemblies/box_sides.obj", "assemblies/motor_c.obj",
                                         "assemblies/sonde_xilinx.obj"),
                         [](const auto& known) { return std::filesystem::path(known.param).stem().string(); });

}  // namespace
}  // namespace snug
