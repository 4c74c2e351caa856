#include "scenes/solids.hpp"

#include <snug/snug.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace snug {
namespace {

using Ids = std::vector<std::uint32_t>;

MeshInput parts_of(const Mesh& mesh) {
  MeshInput in;
  in.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  return in;
}
MeshReport report_of(MeshInput in) { return inspect(Mesh::build(std::move(in)).value()); }

const Mesh k_cube = scenes::box({0, 0, 0}, {1, 1, 1});

TEST(Inspect, FindsNothingWrongWithASoundMesh) {
  const MeshReport report = inspect(k_cube);
  EXPECT_TRUE(report.clean());
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.shells, 1U);
}

TEST(Inspect, NamesTheEdgesAroundAHole) {
  MeshInput in = parts_of(k_cube);
  in.triangles.erase(in.triangles.begin() + 5);
  const MeshReport report = report_of(in);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.open.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(report.open));
  EXPECT_TRUE(report.flipped.empty());
}

TEST(Inspect, NamesDegenerateAndDuplicateTriangles) {
  MeshInput in = parts_of(k_cube);
  in.triangles.push_back({0, 0, 1});                                          // two corners fall together
  in.vertices.push_back({0.5, 0.5, 0.5}), in.triangles.push_back({0, 8, 7});  // on the diagonal
  const Index3 t = in.triangles[3];
  in.triangles.push_back({t[2], t[1], t[0]});
  const MeshReport report = report_of(in);
  EXPECT_EQ(report.degenerate, (Ids{12, 13}));
  EXPECT_EQ(report.duplicate, (Ids{14}));
  EXPECT_EQ(report.shell_of[12], MeshReport::k_no_shell);
  EXPECT_EQ(report.non_manifold.size(), 9U) << "three edges, three users each";
  EXPECT_EQ(report.open, (std::vector<EdgeId>{{13, 0}, {13, 1}, {13, 2}})) << "a needle has sides";
}

TEST(Inspect, ANeedleClosesAGapAndACollapsedTriangleChangesNothing) {
  // One face of the cube is split at the middle of an edge that its neighbour does not split.
  MeshInput in = parts_of(k_cube);
  in.vertices.push_back({0.5, 0, 0});
  const auto bottom = std::ranges::find(in.triangles, Index3{0, 3, 1});
  ASSERT_NE(bottom, in.triangles.end());
  *bottom = {0, 3, 8};
  in.triangles.push_back({8, 3, 1});
  EXPECT_FALSE(report_of(in).closed);
  in.triangles.push_back({0, 8, 1});  // turned so that 0–8 and 8–1 meet the split face and 1–0 the other
  EXPECT_TRUE(report_of(in).closed);
  EXPECT_TRUE(report_of(in).open.empty());
  in.triangles.push_back({0, 0, 5});
  EXPECT_TRUE(report_of(in).closed);
  EXPECT_TRUE(is_closed({in.vertices, in.triangles}));
  EXPECT_FALSE(is_closed({in.vertices, std::vector<Index3>{{0, 0, 5}}})) << "no sides at all";
  EXPECT_FALSE(report_of({in.vertices, {{0, 0, 5}}, {}, {}}).closed);
}

TEST(Inspect, NamesTheFewTrianglesThatAreTurnedAround) {
  MeshInput in = parts_of(k_cube);
  std::swap(in.triangles[4][0], in.triangles[4][1]);
  std::swap(in.triangles[9][0], in.triangles[9][1]);
  const MeshReport report = report_of(in);
  EXPECT_EQ(report.flipped, (Ids{4, 9}));
  EXPECT_FALSE(report.closed);
}

TEST(Inspect, NamesAWholeShellThatIsInsideOut) {
  MeshInput in = parts_of(k_cube);
  for (Index3& t : in.triangles) std::swap(t[0], t[1]);
  const MeshReport report = report_of(in);
  Ids all(12);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.flipped, all);
}

TEST(Inspect, TakesTheMajorityForRightEvenWhenTheFirstTriangleIsWrong) {
  MeshInput in = parts_of(k_cube);
  std::swap(in.triangles[0][0], in.triangles[0][1]);
  EXPECT_EQ(report_of(in).flipped, (Ids{0}));
  in.triangles.pop_back();  // the same where no volume tells
  EXPECT_EQ(report_of(in).flipped, (Ids{0}));
  // Inside out, but for one triangle: the others are to be turned.
  in = parts_of(k_cube);
  for (std::size_t t = 0; t < 12; ++t)
    if (t != 7) std::swap(in.triangles[t][0], in.triangles[t][1]);
  EXPECT_EQ(report_of(in).flipped, (Ids{0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11}));
}

void append(MeshInput& in, const Mesh& mesh, bool turned) {
  const auto shift = static_cast<std::uint32_t>(in.vertices.size());
  for (const Point3& p : mesh.vertices()) in.vertices.push_back(p);
  for (const Index3& t : mesh.triangles())
    in.triangles.push_back(turned ? Index3{t[1] + shift, t[0] + shift, t[2] + shift}
                                  : Index3{t[0] + shift, t[1] + shift, t[2] + shift});
}

TEST(Inspect, JudgesNestedShellsByWhatLiesAroundThem) {
  const Mesh large = scenes::box({0, 0, 0}, {9, 9, 9}), middle = scenes::box({1, 1, 1}, {8, 8, 8}),
             small = scenes::box({2, 2, 2}, {7, 7, 7});
  const auto flipped = [&](bool turn_large, bool turn_middle, bool turn_small) {
    MeshInput in;
    append(in, small, turn_small), append(in, large, turn_large), append(in, middle, turn_middle);
    return report_of(in).flipped.size();
  };
  EXPECT_EQ(flipped(false, true, false), 0U) << "a body in the cavity of a body";
  EXPECT_EQ(flipped(false, true, true), 12U) << "that body inside out";
  EXPECT_EQ(flipped(true, false, false), 24U) << "the hollow body inside out, the inner one right";
  EXPECT_EQ(flipped(false, false, false), 0U) << "bodies within bodies are nobody's mistake";
}

TEST(Inspect, AcceptsACavityThatTouchesTheWall) {
  MeshInput in = parts_of(scenes::box({0, 0, 0}, {4, 4, 4}));
  const std::vector<Point3> tetrahedron{{2, 1.3, 0}, {1, 1, 1}, {3, 1, 1}, {2, 3, 1}};
  for (const Point3& p : tetrahedron) in.vertices.push_back(p);
  for (const Index3& t : {Index3{8, 9, 10}, Index3{8, 10, 11}, Index3{8, 11, 9}, Index3{9, 11, 10}})
    in.triangles.push_back(t);
  const Ids first = report_of(in).flipped;
  for (std::size_t t = 12; t < 16; ++t) std::swap(in.triangles[t][0], in.triangles[t][1]);
  EXPECT_TRUE(first.empty());
  EXPECT_TRUE(report_of(in).flipped.empty()) << "either way: a cavity, or a body of its own";
}

TEST(Inspect, SeesARodThatIsInsideOut) {
  MeshInput in;
  append(in, scenes::box({0, 0, 0}, {1e7, 0.1, 0.1}), true);
  EXPECT_EQ(report_of(in).flipped.size(), 12U);
}

TEST(Inspect, TellsWhichShellsAreClosed) {
  MeshInput in = parts_of(k_cube);
  append(in, scenes::box({2, 2, 2}, {3, 3, 3}), false);
  in.triangles.pop_back();
  const MeshReport report = report_of(in);
  EXPECT_EQ(report.shell_closed, (std::vector<bool>{true, false}));
  EXPECT_FALSE(report.closed);
}

TEST(Inspect, TakesThousandsOfShellsInItsStride) {
  MeshInput in;
  for (int i = 0; i < 3000; ++i) append(in, k_cube, false);
  for (std::size_t v = 0; v < in.vertices.size(); ++v) in.vertices[v].x += 2.0 * static_cast<double>(v / 8);
  EXPECT_EQ(report_of(in).shells, 3000U);  // quadratic work on vertices would show as a time-out
}

TEST(Inspect, AcceptsACavityAndCountsShells) {
  MeshInput in = parts_of(scenes::box({-1, -1, -1}, {2, 2, 2}));
  for (const Point3& p : k_cube.vertices()) in.vertices.push_back(p);
  for (const Index3& t : k_cube.triangles()) in.triangles.push_back({t[1] + 8, t[0] + 8, t[2] + 8});
  const MeshReport report = report_of(in);
  EXPECT_TRUE(report.clean());
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.shells, 2U);
  EXPECT_EQ(report.shell_of[0], 0U);
  EXPECT_EQ(report.shell_of[12], 1U);
}

TEST(Inspect, AgreesWithIsClosedOnTheSameMesh) {
  MeshInput open = parts_of(k_cube);
  open.triangles.pop_back();
  for (const MeshInput& in : {parts_of(k_cube), open})
    EXPECT_EQ(report_of(in).closed, is_closed({in.vertices, in.triangles}));
}

}  // namespace
}  // namespace snug
