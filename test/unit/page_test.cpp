#include "page/buffer_blocks.hpp"
#include "page/meeting.hpp"
#include "page/mesh_code.hpp"
#include "page_decoder.hpp"

#include "scenes/control_box.hpp"
#include "scenes/solids.hpp"
#include "scenes/workbench.hpp"
#include "scenes/worlds.hpp"

#include <snug/page.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include <unistd.h>

namespace snug {
namespace {

using Cell = std::array<std::int64_t, 3>;
using CellTriangle = std::array<Cell, 3>;

/// The same however its corners are turned; not when they are mirrored.
CellTriangle turned(const CellTriangle& t) {
  return std::min({t, CellTriangle{t[1], t[2], t[0]}, CellTriangle{t[2], t[0], t[1]}});
}

/// What the picture has to show: every triangle of every surface, on the grid.
void expect_same_triangles(const Mesh& mesh) {
  const page::CodedMesh coded = page::code_mesh(mesh);
  const auto decoded = test::decode_mesh(coded.bytes, mesh.surfaces().size(), mesh.triangles().size());
  EXPECT_EQ(decoded.left, 0U);
  EXPECT_EQ(decoded.cells.size(), coded.told.size());
  std::size_t at = 0;
  for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
    ASSERT_EQ(decoded.surface_counts[s], mesh.triangles_of(s).size());
    std::vector<CellTriangle> expected, found;
    for (const std::uint32_t id : mesh.triangles_of(s)) {
      const Triangle t = mesh.view().triangle(id);
      expected.push_back(turned({coded.grid.at(t[0]), coded.grid.at(t[1]), coded.grid.at(t[2])}));
      const auto [p, q, x] = decoded.triangles[at++];
      found.push_back(turned({decoded.cells[p], decoded.cells[q], decoded.cells[x]}));
    }
    std::ranges::sort(expected);
    std::ranges::sort(found);
    ASSERT_TRUE(expected == found) << "surface " << s;
  }
}

TEST(PageMesh, TellsWhereVerticesGo) {
  const scenes::Scene scene = scenes::deforming_spheres({});
  for (const scenes::Deformation& deformation : scene.deformations) {
    SCOPED_TRACE(deformation.part);
    const Mesh& mesh = scene.assembly.parts()[*scene.assembly.find(deformation.part)].mesh;
    Aabb room;
    for (const VertexKey& key : deformation.keys)
      for (const Point3& p : key.vertices) room.include(p);
    const page::CodedMesh coded = page::code_mesh(mesh, room);
    auto cells = test::decode_mesh(coded.bytes, mesh.surfaces().size(), mesh.triangles().size()).cells;
    ASSERT_EQ(cells.size(), coded.told.size());
    const std::string bytes = page::code_keys(coded, mesh, deformation.keys);
    test::PageReader reader(bytes);
    for (const VertexKey& key : deformation.keys)
      for (std::size_t i = 0; i < cells.size(); ++i) {
        for (std::int64_t& cell : cells[i]) cell += reader.number();
        ASSERT_EQ(cells[i], coded.grid.at(key.vertices[coded.told[i]])) << "vertex " << i << " at " << key.t;
      }
    EXPECT_EQ(reader.left(), 0U);
  }
}

TEST(PageMesh, KeepsEveryTriangleOfAnAssembly) {
  const scenes::Scene box = scenes::control_box();
  for (const Part& part : box.assembly.parts()) {
    SCOPED_TRACE(part.path);
    expect_same_triangles(part.mesh);
  }
}

TEST(PageMesh, KeepsSoupsOfTrianglesThatShareAnythingOrNothing) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    MeshInput input;
    const unsigned places = 1 + seed % 13, count = 1 + unsigned(random() % 300);
    for (unsigned i = 0; i < 3 + places; ++i)
      input.vertices.push_back({double(random() % 7), double(random() % 5) * 0.3, -double(random() % 3)});
    // Repeated corners, repeated triangles, edges of many triangles, and unused vertices.
    for (unsigned t = 0; t < count; ++t)
      input.triangles.push_back({std::uint32_t(random() % (3 + places)), std::uint32_t(random() % (3 + places)),
                                 std::uint32_t(random() % (3 + places))});
    const unsigned surfaces = 1 + seed % 4;
    input.surfaces.resize(surfaces);
    for (unsigned t = 0; t < count; ++t) input.surface_of_triangle.push_back(std::uint32_t(random() % surfaces));
    const auto mesh = Mesh::build(std::move(input));
    ASSERT_TRUE(mesh);
    expect_same_triangles(*mesh);
  }
}

TEST(PageMesh, StaysWithinTheGridOfHugeTinyAndFlatMeshes) {
  for (const double scale : {1e-300, 1e-3, 1.0, 1e9, 1e299}) {
    SCOPED_TRACE(scale);
    const auto mesh = Mesh::build({.vertices = {{0, 0, 0}, {scale, 0, 0}, {0, scale, 0}, {-scale, scale, 0}},
                                   .triangles = {{0, 1, 2}, {0, 2, 3}},
                                   .surfaces = {},
                                   .surface_of_triangle = {}});
    ASSERT_TRUE(mesh);
    expect_same_triangles(*mesh);
    const auto grid = page::code_mesh(*mesh).grid;
    EXPECT_GT(grid.step, 0);
  }
  const auto point =
      Mesh::build({.vertices = {{5, 5, 5}}, .triangles = {{0, 0, 0}}, .surfaces = {}, .surface_of_triangle = {}});
  ASSERT_TRUE(point);
  expect_same_triangles(*point);
}

TEST(PageMesh, TakesFewBytes) {
  const scenes::Scene box = scenes::control_box();
  std::size_t bytes = 0, triangles = 0;
  for (const Part& part : box.assembly.parts()) {
    bytes += page::code_mesh(part.mesh).bytes.size();
    triangles += part.mesh.triangles().size();
  }
  EXPECT_LT(static_cast<double>(bytes), 6.0 * static_cast<double>(triangles));  // 8 in base64
}

/// What the page draws of two parts that are said to clash, in the world.
std::vector<std::array<Point3, 2>> drawn(const Mesh& a, const Mesh& b, const Pose& pose_b, Verdict verdict,
                                         std::uint64_t& crossing) {
  Assembly assembly(LengthUnit::millimetre);
  EXPECT_TRUE(assembly.add({"a", a, {}}) && assembly.add({"b", b, pose_b}));
  ShapeCache shapes;
  Scratch scratch;
  const page::CodedCurves coded = page::code_curves(assembly, {0, 0, 1, verdict}, shapes, scratch);
  crossing = coded.crossing;
  test::PageReader reader(coded.bytes);
  std::vector<Point3> points(reader.varint());
  Cell cell{};
  const auto& [low, step] = coded.grid;
  for (Point3& p : points) {
    for (std::int64_t& c : cell) c += reader.number();
    p = {low.x + step * double(cell[0]), low.y + step * double(cell[1]), low.z + step * double(cell[2])};
  }
  std::vector<std::array<Point3, 2>> out(coded.segments);
  std::int64_t at = 0;
  for (auto& [from, to] : out) {
    from = points.at(std::size_t(at += reader.number()));
    to = points.at(std::size_t(at += reader.number()));
  }
  EXPECT_EQ(reader.left(), 0U);
  return out;
}

TEST(PageCurves, OfFlushBoxesThatOverlapAreTheEdgesOfWhatTheyShare) {
  const Mesh cube = scenes::box({0, 0, 0}, {10, 10, 10});
  std::uint64_t crossing = 0;
  const Aabb common{{7.5, 0, 0}, {10, 10, 10}};
  std::map<std::array<double, 3>, double> length;  // by the middle of the edge
  for (const auto& [p, q] : drawn(cube, cube, translation(7.5, 0, 0), Verdict::clash, crossing)) {
    std::array<double, 3> edge{};
    double long_by = 0;
    for (const auto axis : {&Point3::x, &Point3::y, &Point3::z}) {
      const double low = common.lo.*axis, high = common.hi.*axis, middle = 0.5 * (low + high);
      const std::size_t k = axis == &Point3::x ? 0 : axis == &Point3::y ? 1 : 2;
      const bool along = std::abs(p.*axis - q.*axis) > 1e-3;
      edge[k] = along ? middle : std::abs(p.*axis - low) < 1e-3 ? low : high;
      EXPECT_TRUE(along || std::abs(p.*axis - edge[k]) < 1e-3) << p.*axis;
      long_by += std::abs(p.*axis - q.*axis);
    }
    length[edge] += long_by;
  }
  EXPECT_EQ(crossing, 0U);
  EXPECT_EQ(length.size(), 12U);
  // Two triangles on either side may tell the same piece, and none may be missing.
  for (const auto& [edge, sum] : length) EXPECT_GT(sum, (edge[0] == 8.75 ? 2.5 : 10) - 1e-3);
  EXPECT_TRUE(drawn(cube, cube, translation(10, 0, 0), Verdict::touch, crossing).empty());
}

TEST(PageCurves, OfFlushCylindersLeaveTheirFacetsOut) {
  const Mesh rod = scenes::cylinder(5, 20, 48);
  std::uint64_t crossing = 0;
  const auto segments = drawn(rod, rod, translation(0, 0, 15), Verdict::clash, crossing);
  EXPECT_EQ(crossing, 0U);
  EXPECT_FALSE(segments.empty());
  for (const auto& [p, q] : segments) EXPECT_NEAR(p.z, q.z, 1e-3) << "rings alone";
}

TEST(PageCurves, OfBodiesThatCrossAreOfPairsThatCross) {
  const Mesh cube = scenes::box({0, 0, 0}, {10, 10, 10});
  std::uint64_t crossing = 0;
  const auto segments = drawn(cube, cube, translation(7.5, 1, 1), Verdict::clash, crossing);
  EXPECT_GT(crossing, 0U);
  EXPECT_LE(segments.size(), crossing);
}

TEST(PageText, CanNotLeaveItsElement) {
  EXPECT_EQ(page::json_for_html("{ \"a b\": \"</script><!-- \\\" x\" ,\n \"c\":[1, 2] }"),
            "{\"a b\":\"\\u003c/script>\\u003c!-- \\\" x\",\"c\":[1,2]}");
  EXPECT_EQ(page::json_for_html("\"ends in \\\\\" , 1"), "\"ends in \\\\\",1");
  EXPECT_EQ(page::text_for_html("<a href='x'>&\"\x01"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot; ");
}

class PageFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string written(const PageInput& input) {
    const auto saved = save_page(input, path_);
    EXPECT_TRUE(saved) << (saved ? "" : saved.error().message());
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("snug-page-test-" + std::to_string(::getpid()) + ".html");
};

TEST_F(PageFile, HoldsTheReportWordForWordAndAsksNobody) {
  const Assembly bench = scenes::workbench();
  const CheckReport report = check(bench);
  const std::string json = check_json(bench, {}, report, {});
  const std::string html =
      written({.assembly = bench, .title = "<bench>", .report = json, .pairs = page_pairs(report)});
  EXPECT_NE(html.find("<title>&lt;bench&gt;</title>"), std::string::npos);
  EXPECT_NE(html.find(page::json_for_html(json)), std::string::npos);
  EXPECT_EQ(html.find("<!--snug:"), std::string::npos) << "a mark of the template is left";
  for (const char* address : {"src=\"http", "href=\"http", "@import", "url(http", "new Function("})
    EXPECT_EQ(html.find(address), std::string::npos) << address;
  EXPECT_NE(html.find("Content-Security-Policy"), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  ASSERT_GT(report.count_of(Verdict::clash), 0U);
  EXPECT_NE(html.find("\"curves\":[{\"bytes\":"), std::string::npos) << "the clash has a curve";
}

TEST_F(PageFile, IsTheSameEveryTime) {
  const Assembly bench = scenes::workbench();
  const CheckReport report = check(bench);
  const PageInput input{.assembly = bench, .title = "t", .pairs = page_pairs(report)};
  EXPECT_EQ(written(input), written(input));
}

TEST_F(PageFile, HoldsMotionAndPlayback) {
  const Assembly bench = scenes::workbench();
  PageMotion motion{.begin = 0, .end = 2, .tracks = {}, .intervals = {}};
  motion.tracks.push_back({1, Motion::make({{0, Pose()}, {2, translation(0, 0, 5)}}).value()});
  motion.intervals.push_back({0, 1, Verdict::clash, 0.5, 0.75, "meets </script>", false});
  motion.intervals.push_back({0, 2, Verdict::clash, 1, 2, "", true, 0.125});
  motion.meetings.push_back({.a = 0,
                             .b = 1,
                             .id = "<id>",
                             .first_contact = PageMeeting::Bounds{0.5, 0.5625},
                             .smallest_gap = PageMeeting::Gap{.value = 0.25, .t = 1},
                             .surface_pairs = {{3, 2, 0.5, 0.625}},
                             .firm = false});
  motion.coverage = {.parts = 8, .pairs = 28, .complete = true};
  motion.playback = PagePlayback{.times = {0, 1},
                                 .parts = {1},
                                 .poses = {Pose(), translation(1, 2, 3)},
                                 .contacts = {{1, 0, 1, {1, 2, 3}, {0, 0, 1}, 0.5}}};
  const std::string html = written({.assembly = bench, .title = "t", .motion = motion});
  EXPECT_NE(html.find("\"keys\":[[0,1,0,0,0,0,0,0],[2,1,0,0,0,0,0,5]],\"part\":1"), std::string::npos);
  EXPECT_NE(html.find("\"begin\":0.5,\"depth\":null,\"end\":0.75,\"sampled\":false,\"verdict\":\"clash\",\"what\":"
                      "\"meets \\u003c/script>\""),
            std::string::npos);
  EXPECT_NE(html.find("\"b\":2,\"begin\":1,\"depth\":0.125,\"end\":2,"), std::string::npos);
  EXPECT_NE(html.find("\"meetings\":[{\"a\":0,\"b\":1,\"firm\":false,\"first_contact\":[0.5,0.5625],\"id\":\"\\u003cid>"
                      "\",\"smallest_gap\":{"
                      "\"t\":1,\"value\":0.25},\"surface_pairs\":[{\"a\":3,\"b\":2,\"begin\":0.5,\"end\":0.625}]}]"),
            std::string::npos);
  EXPECT_NE(html.find("\"coverage\":{\"complete\":true,\"pairs\":28,\"parts\":8}"), std::string::npos);
  EXPECT_NE(html.find(",56],\"times\":[0,1]"), std::string::npos) << "two poses of seven floats";
}

TEST_F(PageFile, StopsWhenCancelledAndLeavesNothing) {
  const Assembly bench = scenes::workbench();
  CancelToken cancel;
  cancel.cancel();
  const auto saved = save_page({.assembly = bench, .title = "t"}, path_, {.cancel = &cancel});
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, IoError::Code::cancelled);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST(ReportOrigin, IsReadFromAReport) {
  const Assembly bench = scenes::workbench();
  const CheckReport report = check(bench);
  const ReportSource source{.inputs = {{"bench.obj", "00ff", LengthUnit::inch}},
                            .placed = {bench.parts()[0].path},
                            .run = {},
                            .cad = CadMeshing{.sag = 0.1, .angle_degrees = 20}};
  const auto origin = read_report_origin(check_json(bench, {}, report, source), "r.json");
  ASSERT_TRUE(origin) << origin.error().message();
  ASSERT_EQ(origin->inputs.size(), 1U);
  EXPECT_EQ(origin->inputs[0].path, "bench.obj");
  EXPECT_EQ(origin->inputs[0].units, LengthUnit::inch);
  EXPECT_EQ(origin->placed[0].pose, bench.parts()[0].pose);
  EXPECT_EQ(origin->cad->angle_degrees, 20);
  ASSERT_EQ(origin->findings.size(), report.findings.size());
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    EXPECT_EQ(origin->findings[i].a, report.findings[i].a.part);
    EXPECT_EQ(origin->findings[i].verdict, report.findings[i].verdict);
  }
}

TEST(ReportOrigin, RefusesWhatIsNone) {
  for (const char* text : {"", "{", "[]", "{}", "{\"schema\":\"snug.info/1\"}", "{\"schema\":\"snug.check/1\"}",
                           "{\"schema\":\"snug.check/1\",\"units\":\"mm\",\"findings\":[{}]}"}) {
    const auto origin = read_report_origin(text, "r.json");
    ASSERT_FALSE(origin) << text;
    EXPECT_NE(origin.error().message().find("r.json"), std::string::npos);
  }
}

TEST(ReportOrigin, RefusesRoundsThatAreNoCount) {
  const auto read = [](const std::string& rounds) {
    return read_report_origin(
        "{\"schema\":\"snug.check/1\",\"units\":\"mm\",\"options\":{\"cad\":{\"rounds\":" + rounds + "}}}", "r.json");
  };
  EXPECT_EQ(read("3")->cad->rounds, 3U);
  EXPECT_EQ(read("4294967295")->cad->rounds, 4294967295U);
  for (const char* rounds : {"-1", "0.5", "4294967296", "1e300", "-1e300"}) {
    const auto origin = read(rounds);
    ASSERT_FALSE(origin) << rounds;
    EXPECT_NE(origin.error().message().find("rounds"), std::string::npos);
  }
}

TEST(ReportOrigin, SchemasAreThoseOfTheDocument) {
  EXPECT_EQ(document_schema(R"({"part":"snug.move/1","inner":{"schema":"x"},"schema":"snug.check/1"})"),
            "snug.check/1");
  for (const char* text : {"", "{", "[]", "{}", "{\"schema\":1}", "\"snug.move/1\""})
    EXPECT_EQ(document_schema(text), std::nullopt) << text;
}

TEST(ReadMotion, TakesTracksInOtherUnitsAndRefusesUnknownParts) {
  const Assembly bench = scenes::workbench();
  const std::string part = bench.parts()[0].path;
  const auto document = [&](const std::string& name, const std::string& keys) {
    return "{\"schema\":\"snug.motion/1\",\"units\":\"m\",\"tracks\":[{\"part\":\"" + name + "\",\"keys\":[" + keys +
           "]}]}";
  };
  const std::string key = "{\"t\":1,\"position\":[0.5,0,0],\"rotation\":[1,0,0,0]}";
  const auto motion = read_motion(document(part, key), "m.json", bench);
  ASSERT_TRUE(motion) << motion.error().message();
  EXPECT_EQ(motion->tracks[0].motion.keys()[0].pose.translation().x,
            convert_length(0.5, LengthUnit::metre, bench.units()));
  EXPECT_FALSE(read_motion(document("nobody", key), "m.json", bench));
  EXPECT_FALSE(read_motion(document(part, ""), "m.json", bench));
  EXPECT_FALSE(read_motion(document(part, key + "," + key), "m.json", bench));
  EXPECT_FALSE(read_motion(document(part, "{\"t\":1}"), "m.json", bench));
}

}  // namespace
}  // namespace snug
