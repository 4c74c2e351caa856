// Marks in the names of STEP faces are words that anybody can write: they group faces, and prove nothing.
#include "io/step/patch.hpp"
#include "scenes/solids.hpp"
#include "unit/firmness_parts.hpp"
#include "unit/io_support.hpp"

#include <snug/verdict.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace snug {
namespace {

namespace fs = std::filesystem;

fs::path importer() { return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "snug-import"; }

class StepMarks : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(importer())) GTEST_SKIP() << "no snug-import: built without OpenCASCADE";
  }

  /// Written as STEP, with one text replaced by another wherever it stands, and read again.
  Assembly reread(const Assembly& assembly, const std::vector<std::pair<std::string, std::string>>& replaced = {}) {
    EXPECT_TRUE(save(assembly, file_));
    std::ostringstream all;
    all << std::ifstream(file_).rdbuf();
    std::string text = all.str();
    for (const auto& [from, to] : replaced) {
      EXPECT_NE(text.find(from), std::string::npos) << from;
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    }
    std::ofstream(file_) << text;
    LoadOptions options;
    options.cad.importer = importer();
    options.cad.sag_metres = 0.05e-3;
    auto loaded = test::load_assembly(file_, options);
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded ? std::move(*loaded) : Assembly(LengthUnit::millimetre);
  }

  test::TempDir folder_;
  fs::path file_ = folder_.path() / "a.step";
};

std::string face_called(const std::string& name) { return "ADVANCED_FACE('" + name + "'"; }

/// Surfaces named s0, s1 and so on.
Mesh with_names(const Mesh& mesh) {
  MeshInput in = test::input_of(mesh);
  for (std::size_t i = 0; i < in.surfaces.size(); ++i) in.surfaces[i].name = "s" + std::to_string(i);
  return Mesh::build(std::move(in)).value();
}

std::size_t place_of(const Mesh& mesh, SurfaceKind kind, bool hollow) {
  for (std::size_t i = 0; i < mesh.surfaces().size(); ++i)
    if (mesh.surfaces()[i].kind == kind && mesh.surfaces()[i].analytic->hollow == hollow) return i;
  ADD_FAILURE() << "no such surface";
  return 0;
}

const Mesh& part(const Assembly& assembly, std::string_view path) {
  return assembly.parts()[assembly.find(path).value()].mesh;
}

TEST_F(StepMarks, RoundFacesMarkedAsAPlaneAreNotTakenForOne) {
  const double h = 9.98 / std::sqrt(2.0);  // a square bar whose edges clear the bore by 0.02
  const Mesh ring = with_names(scenes::pipe(20, 10, 20, 64));
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"all/ring", ring, {}}));
  ASSERT_TRUE(assembly.add({"all/bar", scenes::box({-h, -h, -5}, {h, h, 25}), {}}));
  const std::string bore = "s" + std::to_string(place_of(ring, SurfaceKind::cylinder, true));
  const std::string end = "s" + std::to_string(place_of(ring, SurfaceKind::plane, false));
  const auto mark = [](const std::string& name) {
    return std::pair(face_called(name), face_called(io::marked_name({.id = 1, .kind = SurfaceKind::plane}, name)));
  };
  const Assembly marked = reread(assembly, {mark(bore), mark(end)});
  ASSERT_EQ(marked.parts().size(), 2U);
  const Mesh& mesh = part(marked, "all/ring");
  ASSERT_EQ(mesh.surfaces().size(), 3U);  // the mark does group
  EXPECT_EQ(std::ranges::count(mesh.surfaces(), SurfaceKind::unknown, &Surface::kind), 1);
  EXPECT_TRUE(std::ranges::any_of(marked.problems(), [](const Problem& problem) {
    return problem.part == "all/ring" && problem.text.find("is marked as a plane") != std::string::npos;
  }));
  const PairReport report = assess(Shape(mesh), {}, Shape(part(marked, "all/bar")), {});
  EXPECT_FALSE(report.firm && report.verdict == Verdict::clash) << to_string(report.verdict);
}

TEST_F(StepMarks, RadiiAreComparedByTheirOwnSize) {
  // A shaft with a step of 0.0009, a kilometre from the origin: what is little there is much for a fit.
  const auto moved = [](const Mesh& mesh, const Vec3& by) {
    MeshInput in = test::input_of(mesh);
    for (Point3& p : in.vertices) p = p + by;
    for (Surface& surface : in.surfaces) surface.analytic->origin = surface.analytic->origin + by;
    return in;
  };
  MeshInput shaft = moved(scenes::cylinder(10, 40, 64), {0, 1e6, 0});
  const MeshInput wider = moved(scenes::cylinder(10.0009, 40, 64), {0, 1e6, 50});
  const auto vertices = static_cast<std::uint32_t>(shaft.vertices.size());
  const auto surfaces = static_cast<std::uint32_t>(shaft.surfaces.size());
  shaft.vertices.insert(shaft.vertices.end(), wider.vertices.begin(), wider.vertices.end());
  shaft.surfaces.insert(shaft.surfaces.end(), wider.surfaces.begin(), wider.surfaces.end());
  for (const Index3& t : wider.triangles)
    shaft.triangles.push_back({t[0] + vertices, t[1] + vertices, t[2] + vertices});
  for (const std::uint32_t s : wider.surface_of_triangle) shaft.surface_of_triangle.push_back(s + surfaces);
  std::vector<std::pair<std::string, std::string>> marks;
  for (std::size_t i = 0; i < shaft.surfaces.size(); ++i) {
    std::string& name = shaft.surfaces[i].name = "s" + std::to_string(i);
    if (shaft.surfaces[i].kind == SurfaceKind::cylinder)
      marks.emplace_back(face_called(name),
                         face_called(io::marked_name({.id = 7, .kind = SurfaceKind::cylinder}, name)));
  }
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"shaft", Mesh::build(std::move(shaft)).value(), {}}));
  const Assembly read = reread(assembly, marks);
  const auto known = read.parts()[0].mesh.surfaces();
  ASSERT_EQ(known.size(), 5U);
  const auto wall = std::ranges::find(known, SurfaceKind::cylinder, &Surface::kind);
  ASSERT_NE(wall, known.end());
  EXPECT_FALSE(wall->analytic) << "two radii are not one";
}

TEST_F(StepMarks, NamesThatLookLikeMarksComeBackAsNames) {
  MeshInput in = test::input_of(scenes::cylinder(10, 40, 64));
  ASSERT_EQ(in.surfaces.size(), 3U);
  std::set<std::string> names;
  for (Surface& surface : in.surfaces)
    names.insert(surface.name =
                     io::marked_name({.id = 7, .kind = SurfaceKind::plane}, "n" + std::to_string(names.size())));
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"pin", Mesh::build(std::move(in)).value(), {}}));
  const Assembly read = reread(assembly);
  std::set<std::string> after;
  for (const Surface& surface : read.parts()[0].mesh.surfaces()) after.insert(surface.name);
  EXPECT_EQ(after, names);
}

TEST_F(StepMarks, DifferInFilesOfDifferentContent) {
  const auto marks = [&](double size) {
    MeshInput in = test::input_of(scenes::box({0, 0, 0}, {1, 1, size}));
    for (Surface& surface : in.surfaces) surface.name = "snug.patch " + surface.name;
    Assembly assembly(LengthUnit::millimetre);
    EXPECT_TRUE(assembly.add({"box", Mesh::build(std::move(in)).value(), {}}));
    EXPECT_TRUE(save(assembly, file_));
    const std::string text = test::slurp(file_), word = "ADVANCED_FACE('snug.patch ";
    const auto at = text.find(word);
    EXPECT_NE(at, std::string::npos);
    return text.substr(at + word.size(), 16);
  };
  EXPECT_EQ(marks(1), marks(1));
  EXPECT_NE(marks(1), marks(2));
}

}  // namespace
}  // namespace snug
