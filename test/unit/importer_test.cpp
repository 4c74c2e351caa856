// The program that reads CAD files, run as the library runs it: the file on descriptor 0, the answer on 1.
#include "geometry/analytic/deviation.hpp"
#include "geometry/vec_ops.hpp"
#include "io/cad/wire.hpp"
#include "unit/io_support.hpp"

#include <snug/inspect.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <map>
#include <set>

extern char** environ;

namespace snug {
namespace {

namespace fs = std::filesystem;

fs::path importer() { return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "snug-import"; }

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Ended {
  int status = -1;  ///< exit status, or -1 when a signal ended it
  std::string output, words;
};

Ended run_importer(const fs::path& input, const std::vector<std::string>& arguments) {
  const test::TempDir folder;
  const std::string out = folder.path() / "out", err = folder.path() / "err";
  std::vector<std::string> words{importer().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  Ended run;
  if (failed != 0) return run;
  int status = 0;
  ::waitpid(child, &status, 0);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.output = content_of(out), run.words = content_of(err);
  return run;
}

Ended import_file(const fs::path& input, const std::string& format, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"--format", format, "--sag", "1e-4", "--angle", "20"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_importer(input, arguments);
}

/// Lines "progress x" that never fall, and nothing else.
void expect_only_progress(const std::string& words) {
  std::istringstream lines(words);
  double last = -1;
  for (std::string line; std::getline(lines, line);) {
    ASSERT_TRUE(line.starts_with("progress ")) << line;
    const double now = std::stod(line.substr(9));
    EXPECT_GE(now, last);
    last = now;
  }
  EXPECT_EQ(last, 1);
}

/// The answer, or nothing and a failed test.
std::optional<io::CadModel> model_of(const Ended& run) {
  EXPECT_EQ(run.status, 0) << run.words;
  if (run.status != 0) return std::nullopt;
  expect_only_progress(run.words);
  auto model = io::decode(run.output);
  EXPECT_TRUE(model) << model.error();
  return model ? std::optional(std::move(*model)) : std::nullopt;
}

/// True if every edge has its partner and no triangle looks the wrong way.
bool is_sound_solid(const MeshInput& mesh) {
  const MeshReport report = inspect(Mesh::build(mesh).value());
  return report.closed && report.flipped.empty();
}

double area_of(const Triangle& t, Vec3& normal) {
  normal = geometry::cross(t[1] - t[0], t[2] - t[0]);
  const double length = std::sqrt(geometry::dot(normal, normal));
  if (length > 0) normal = (1 / length) * normal;
  return length / 2;
}

/// Triangles lie within the sag of what their face is said to be, and look the way it does. Triangles much thinner than
/// they are long have no normal to speak of: the agreement is weighed by area.
void expect_forms_match(const MeshInput& mesh) {
  struct Agreement {
    double same = 0, opposite = 0;
  };
  std::map<std::uint32_t, Agreement> agreement;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Surface& surface = mesh.surfaces[mesh.surface_of_triangle[t]];
    if (!surface.analytic) continue;
    const Triangle triangle = TriangleMeshView{mesh.vertices, mesh.triangles}.triangle(t);
    EXPECT_LE(geometry::deviation(surface.kind, *surface.analytic, triangle), surface.sag.value * (1 + 1e-9) + 1e-9)
        << t;
    Vec3 normal;
    const double area = area_of(triangle, normal);
    const Vec3 expected = geometry::normal_at(surface.kind, *surface.analytic, geometry::middle_of(triangle));
    Agreement& sum = agreement[mesh.surface_of_triangle[t]];
    (geometry::dot(normal, expected) > 0 ? sum.same : sum.opposite) += area;
  }
  for (const auto& [surface, sum] : agreement)
    EXPECT_GT(sum.same, 20 * sum.opposite) << "surface " << surface << ", " << to_string(mesh.surfaces[surface].kind);
}

struct Known {
  std::string file, format;
  std::size_t parts, meshes, faces;
  std::optional<LengthUnit> units;
  double sag_limit_mm;  ///< no face was found farther from its triangles; 0.1 mm was asked for
};

class KnownCadFile : public testing::TestWithParam<Known> {};

TEST_P(KnownCadFile, HasItsPartsAndFacesAndClosedSolids) {
  const Known& known = GetParam();
  if (!fs::exists(importer())) GTEST_SKIP() << "no snug-import: built without OpenCASCADE";
  if (test::data_dir().empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  const fs::path file = test::data_dir() / known.file;
  if (!fs::exists(file)) GTEST_SKIP() << file << " is not there";
  const auto model = model_of(import_file(file, known.format));
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->losses.empty());
  EXPECT_EQ(model->instances.size(), known.parts);
  EXPECT_EQ(model->meshes.size(), known.meshes);
  EXPECT_EQ(model->units, known.units);
  EXPECT_TRUE(model->kernel.starts_with("OpenCASCADE 7"));
  std::size_t faces = 0;
  for (const io::CadInstance& instance : model->instances) faces += model->meshes[instance.mesh].surfaces.size();
  EXPECT_EQ(faces, known.faces);
  const double millimetre = 1e-3 / metres_per(known.units.value_or(LengthUnit::millimetre));
  for (const MeshInput& mesh : model->meshes) {
    EXPECT_TRUE(is_sound_solid(mesh));
    expect_forms_match(mesh);
    for (const Surface& surface : mesh.surfaces) EXPECT_LE(surface.sag.value, known.sag_limit_mm * millimetre);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Data, KnownCadFile,
    testing::Values(Known{"assemblies/box_sides.STEP", "step", 10, 6, 417, LengthUnit::inch, 0.1},
                    Known{"assemblies/sonde_xilinx.step", "step", 25, 8, 1'307, LengthUnit::millimetre, 0.1},
                    Known{"assemblies/Motor-c.brep", "brep", 17, 17, 223, std::nullopt, 0.1},
                    Known{"parts_step/NIST_MBE_PMI_3.stp", "step", 1, 1, 120, LengthUnit::inch, 0.1},
                    Known{"parts_step/NIST_MBE_PMI_11.stp", "step", 1, 1, 10, LengthUnit::millimetre, 0.1}),
    [](const auto& known) {
      std::string name = fs::path(known.param.file).stem().string();
      std::ranges::replace(name, '-', '_');
      return name;
    });

class Importer : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(importer())) GTEST_SKIP() << "no snug-import: built without OpenCASCADE";
  }
  /// A file of the test data, or the test is skipped.
  static fs::path data(const std::string& name) {
    const fs::path file = test::data_dir() / name;
    return test::data_dir().empty() || !fs::exists(file) ? fs::path() : file;
  }
  test::TempDir folder_;
};

TEST_F(Importer, TellsPathsPlacesAndColours) {
  const fs::path file = data("assemblies/box_sides.STEP");
  if (file.empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  const auto model = model_of(import_file(file, "step"));
  ASSERT_TRUE(model);
  std::map<std::string, std::size_t> instances;
  std::set<std::string> paths;
  for (const io::CadInstance& instance : model->instances) {
    EXPECT_TRUE(paths.insert(instance.path).second) << instance.path;
    ++instances[instance.path.substr(0, instance.path.find('#'))];
    EXPECT_EQ(instance.color, (Rgba{0xca, 0xd1, 0xee, 0xff}));
  }
  const std::map<std::string, std::size_t> expected{{"box_sides/box_base", 1},   {"box_sides/box_top", 1},
                                                    {"box_sides/gusset", 4},     {"box_sides/side_long", 2},
                                                    {"box_sides/side_short", 1}, {"box_sides/side_short_B", 1}};
  EXPECT_EQ(instances, expected);
}

TEST_F(Importer, GivesTheSameBytesEveryTime) {
  const fs::path file = data("assemblies/Motor-c.brep");
  if (file.empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  const Ended first = import_file(file, "brep");
  EXPECT_EQ(first.status, 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(import_file(file, "brep").output, first.output);
}

TEST_F(Importer, RefinesSingleFacesAndStaysClosed) {
  const fs::path file = data("assemblies/Motor-c.brep");
  if (file.empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  const auto coarse = model_of(import_file(file, "brep"));
  const auto fine =
      model_of(import_file(file, "brep", {"--refine", "0:5:1e-6", "--refine", "2:0:1e-5", "--refine", "2:3:2e-6"}));
  ASSERT_TRUE(coarse && fine);
  ASSERT_EQ(coarse->meshes.size(), fine->meshes.size());
  EXPECT_GT(coarse->meshes[0].surfaces[5].sag.value, 1e-2);
  EXPECT_LE(fine->meshes[0].surfaces[5].sag.value, 1e-3);
  EXPECT_LE(fine->meshes[2].surfaces[0].sag.value, 1e-2);
  EXPECT_LE(fine->meshes[2].surfaces[3].sag.value, 2e-3);
  for (const MeshInput& mesh : fine->meshes) EXPECT_TRUE(is_sound_solid(mesh));
  EXPECT_EQ(fine->meshes[1].vertices, coarse->meshes[1].vertices);
}

TEST_F(Importer, StaysClosedWhenNeighboursAreRefinedDifferently) {
  const fs::path file = data("assemblies/Motor-c.brep");
  if (file.empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  std::vector<std::string> finer;
  for (const int mesh : {0, 2, 5})
    for (int face = 0; face < 12; ++face) {
      finer.emplace_back("--refine");
      finer.push_back(std::to_string(mesh) + ":" + std::to_string(face) + ":" + std::to_string(1 + face * 7 % 9) +
                      "e-5");
    }
  const auto model = model_of(import_file(file, "brep", finer));
  ASSERT_TRUE(model);
  for (const MeshInput& mesh : model->meshes) EXPECT_TRUE(is_sound_solid(mesh));
}

TEST_F(Importer, SaysWhatIsWrongInALastLine) {
  const fs::path empty = folder_.write("empty", ""), words = folder_.write("words", "not a CAD file at all\n");
  const fs::path no_shape =
      folder_.write("no_shape.step",
                    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
                    "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n#1=CARTESIAN_POINT('',(0.,0.,0.));\nENDSEC;"
                    "\nEND-ISO-10303-21;\n");
  for (const std::string format : {"step", "iges", "brep"})
    for (const fs::path& file : {empty, words, no_shape}) {
      SCOPED_TRACE(format + " " + file.filename().string());
      const Ended run = import_file(file, format);
      EXPECT_EQ(run.status, 3);
      EXPECT_EQ(run.output, "");
      ASSERT_TRUE(run.words.ends_with('\n'));
      const std::size_t line = run.words.rfind('\n', run.words.size() - 2);
      EXPECT_TRUE(run.words.substr(line == std::string::npos ? 0 : line + 1).starts_with("error: ")) << run.words;
    }
}

TEST_F(Importer, CanOpenNothingInItsSandbox) {
  const Ended run = run_importer(folder_.write("empty", ""), {"--isolation"});
  if (run.output.find("system call filter (") != std::string::npos) GTEST_SKIP() << run.output;
  for (const std::string what : {"read a file", "read the parent's environment", "open for writing"})
    EXPECT_NE(run.output.find("try " + what + ": refused"), std::string::npos) << run.output;
}

TEST_F(Importer, ListsScaledCopiesAsLossesAndStrayDocumentsNot) {
  const fs::path file = folder_.write("sheet.step", R"step(ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));
ENDSEC;
DATA;
#1=APPLICATION_CONTEXT('');
#2=PRODUCT_CONTEXT('',#1,'mechanical');
#3=PRODUCT_DEFINITION_CONTEXT('part definition',#1,'design');
#4=PRODUCT('sheet','sheet','',(#2));
#5=PRODUCT_DEFINITION_FORMATION('','',#4);
#6=PRODUCT_DEFINITION('design','',#5,#3);
#7=PRODUCT_DEFINITION_SHAPE('','',#6);
#8=SHAPE_DEFINITION_REPRESENTATION(#7,#9);
#9=MANIFOLD_SURFACE_SHAPE_REPRESENTATION('',(#20,#60),#10);
#10=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#11))REPRESENTATION_CONTEXT('',''));
#11=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#20=SHELL_BASED_SURFACE_MODEL('',(#21));
#21=OPEN_SHELL('',(#22));
#22=ADVANCED_FACE('',(#23),#50,.T.);
#23=FACE_OUTER_BOUND('',#24,.T.);
#24=EDGE_LOOP('',(#25));
#25=ORIENTED_EDGE('',*,*,#26,.T.);
#26=EDGE_CURVE('',#27,#27,#28,.T.);
#27=VERTEX_POINT('',#29);
#28=CIRCLE('',#51,5.);
#29=CARTESIAN_POINT('',(5.,0.,0.));
#50=PLANE('',#51);
#51=AXIS2_PLACEMENT_3D('',#52,$,$);
#52=CARTESIAN_POINT('',(0.,0.,0.));
#60=MAPPED_ITEM('',#61,#62);
#61=REPRESENTATION_MAP(#51,#63);
#62=CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,'',$,$,#52,2.,$);
#63=MANIFOLD_SURFACE_SHAPE_REPRESENTATION('',(#20),#10);
#70=DOCUMENT_TYPE('');
#71=DOCUMENT_FILE('elsewhere.stp','',$,#70,'',$);
ENDSEC;
END-ISO-10303-21;
)step");
  const auto model = model_of(import_file(file, "step"));
  ASSERT_TRUE(model);
  std::vector<std::string> losses;
  for (const io::CadProblem& loss : model->losses) losses.push_back(loss.text);
  // The document belongs to no product: no geometry is missing for it.
  EXPECT_EQ(losses, (std::vector<std::string>{"copy #60 is scaled or mirrored, which is not followed"}));
}

TEST_F(Importer, RefusesArgumentsItCannotMakeSenseOf) {
  const fs::path empty = folder_.write("empty", "");
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"--format"},
      {"--format", "obj", "--sag", "1e-4", "--angle", "20"},
      {"--format", "step", "--sag", "0", "--angle", "20"},
      {"--format", "step", "--sag", "nan", "--angle", "20"},
      {"--format", "step", "--sag", "1e-4x", "--angle", "20"},
      {"--format", "step", "--sag", "1e-4", "--angle", "-1"},
      {"--format", "step", "--sag", "1e-4", "--angle", "20", "--refine", "1:2"},
      {"--format", "step", "--sag", "1e-4", "--angle", "20", "--refine", "-1:2:1e-5"},
      {"--format", "step", "--sag", "1e-4", "--angle", "20", "--limit-seconds", "soon"},
      {"--format", "step", "--sag", "1e-4", "--angle", "20", "--unknown", "1"}};
  for (const std::vector<std::string>& arguments : wrong) {
    const Ended run = run_importer(empty, arguments);
    EXPECT_EQ(run.status, 2) << testing::PrintToString(arguments);
    EXPECT_TRUE(run.words.starts_with("error: ")) << run.words;
  }
  const Ended version = run_importer(empty, {"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.output.starts_with("snug-import ")) << version.output;
}

}  // namespace
}  // namespace snug
