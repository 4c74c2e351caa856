#include "bvh/dop24/dop_tree.hpp"
#include "bvh/dop24/records.hpp"
#include "query/pairs/dop/fixed/axes.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace snug::detail {
namespace {

using scenes::Random;

std::vector<Mesh> some_meshes() {
  std::vector<Mesh> meshes{scenes::bumpy_knot(30, 8), scenes::box({-1, -2, -3}, {1, 2, 3}), scenes::sphere(1e-9, 6, 9)};
  MeshInput one;
  one.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  one.triangles = {{0, 1, 2}};
  meshes.push_back(Mesh::build(one).value());
  MeshInput same = one;  // triangles that no plane divides
  for (int i = 0; i < 100; ++i) same.triangles.push_back({0, 1, 2});
  meshes.push_back(Mesh::build(same).value());
  MeshInput point;
  point.vertices = {{3, 3, 3}};
  point.triangles = {{0, 0, 0}, {0, 0, 0}};
  meshes.push_back(Mesh::build(point).value());
  MeshInput far_apart;  // scales that differ by as much as doubles allow
  far_apart.vertices = {{0x1p995, 0, 0}, {-0x1p995, 1, 0}, {0, 0x1p-1000, 0}, {0, 0, 0x1p-1074}};
  far_apart.triangles = {{0, 1, 2}, {1, 2, 3}, {2, 3, 3}};
  meshes.push_back(Mesh::build(far_apart).value());
  MeshInput tiny;
  tiny.vertices = {{0x1p-1074, 0, 0}, {0, 0x1p-1070, 0}, {0, 0, 0}};
  tiny.triangles = {{0, 1, 2}, {2, 1, 0}};
  meshes.push_back(Mesh::build(tiny).value());
  return meshes;
}

TEST(DopTree, HoldsEveryTriangleInALeafOfItsOwn) {
  for (const Mesh& mesh : some_meshes())
    for (const DopSplit split : {DopSplit::width, DopSplit::area, DopSplit::median}) {
      const DopTree tree = build_dop_tree(mesh, split);
      EXPECT_EQ(validate(tree, mesh), std::nullopt);
      EXPECT_LE(tree.depth, 64U + 32U);
      EXPECT_LE(tree.largest, 1.7320508076);
    }
}

TEST(DopTree, DepthIsBoundedOnTrianglesThatCrowd) {
  // Each three times as far as the last: a split by cost cuts off one at a time.
  MeshInput in;
  double at = 1e-150;
  for (std::uint32_t i = 0; i < 900; ++i, at *= 3) {
    in.vertices.insert(in.vertices.end(), {{at, 0, 0}, {at, at, 0}, {at, 0, at}});
    in.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    if (at > 1e200) at = 1e-150;
  }
  const Mesh mesh = Mesh::build(in).value();
  const DopTree tree = build_dop_tree(mesh);
  EXPECT_EQ(validate(tree, mesh), std::nullopt);
  EXPECT_LE(tree.depth, 64U + 32U);
}

TEST(DopTree, IsRefittedToVerticesThatMoved) {
  const Mesh mesh = scenes::bumpy_knot(30, 8);
  const DopTree tree = build_dop_tree(mesh);
  EXPECT_EQ(refit_dop_tree(tree, mesh).dops, tree.dops);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    MeshInput in;
    in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
    for (const Point3& v : mesh.vertices()) in.vertices.push_back(100.0 * v + random.point(-1, 40));
    const Mesh moved = Mesh::build(in).value();
    const DopTree refitted = refit_dop_tree(tree, moved);
    EXPECT_EQ(validate(refitted, moved), std::nullopt);
    EXPECT_EQ(refitted.links, tree.links);
    // In coordinates of its own: error bounds are absolute in a unit in which no coordinate exceeds 1.
    const DopTree built = build_dop_tree(moved);
    EXPECT_EQ(refitted.centre, built.centre);
    EXPECT_EQ(refitted.exponent, built.exponent);
    EXPECT_EQ(refitted.dops[0], built.dops[0]);
    EXPECT_EQ(refitted.largest, built.largest);
  }
}

TEST(DopTree, ValidationFindsWhatIsWrong) {
  const Mesh mesh = scenes::sphere(1, 6, 9);
  const DopTree good = build_dop_tree(mesh);
  ASSERT_EQ(validate(good, mesh), std::nullopt);
  const auto broken = [&](auto&& change) {
    DopTree tree = good;
    change(tree);
    return validate(tree, mesh).has_value();
  };
  EXPECT_TRUE(broken([](DopTree& t) { t.dops[0].d[3] = 0; }));
  EXPECT_TRUE(broken([](DopTree& t) { t.dops.back().d[20] -= 0.01; }));
  EXPECT_TRUE(broken([](DopTree& t) { t.links[0].right = t.links[0].left; }));
  EXPECT_TRUE(broken([](DopTree& t) { t.links.back().left = 1 << 20; }));
  EXPECT_TRUE(broken([](DopTree& t) { t.links.pop_back(); }));
  EXPECT_TRUE(broken([](DopTree& t) { t.largest = 0.1; }));
}

DopRecords records_of_sphere(unsigned width) {
  const Mesh mesh = scenes::sphere(1, 6, 9);
  const DopTree tree = build_dop_tree(mesh);
  const DopFrame frame(tree, mesh.bounds(), {}, tree, mesh.bounds(), translation(1, 2, 3));
  return fixed::records_of(tree, frame.scale_a, fixed::Scenario(frame, tree, tree, fixed::Format::of_width(width)));
}

TEST(DopRecords, AreReadAsTheyWereWritten) {
  for (unsigned width = k_least_record_width; width <= k_most_record_width; ++width) {
    SCOPED_TRACE(width);
    const DopRecords records = records_of_sphere(width);
    const auto image = write_dop_records(records);
    ASSERT_TRUE(image);
    const unsigned bursts = width <= 18 ? 1 : width <= 40 ? 2 : 3;
    EXPECT_EQ(image.value().size(), 64 + 64 * bursts * records.links.size());
    const auto again = read_dop_records(image.value());
    ASSERT_TRUE(again);
    EXPECT_EQ(again.value(), records);
  }
}

TEST(DopRecords, LieInMemoryAsDocumented) {
  DopRecords records;
  records.width = 18, records.scale = 1;
  records.links = {{7, 0}};
  records.links[0].left = 0;
  for (int i = 0; i < 24; ++i) records.coefficients.push_back(i == 1 ? -1 : i);
  const auto image = write_dop_records(records).value();
  const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(image[64 + i]); };
  // 0 in bits 0 to 17, -1 in bits 18 to 35, 2 in bits 36 to 53
  EXPECT_EQ(byte(0), 0U);
  EXPECT_EQ(byte(2), 0xFCU);
  EXPECT_EQ(byte(3), 0xFFU);
  EXPECT_EQ(byte(4), 0x2FU);
  EXPECT_EQ(byte(5), 0U);
  EXPECT_EQ(byte(54), 0U);  // links begin at bit 432
  EXPECT_EQ(image.size(), 128U);
}

TEST(DopRecords, DamagedImagesAreRefused) {
  using Code = DopRecordsError::Code;
  const DopRecords records = records_of_sphere(18);
  const auto good = write_dop_records(records).value();
  const auto code_of = [](const DopRecords& r) { return read_dop_records(write_dop_records(r).value()).error().code; };
  EXPECT_EQ(read_dop_records(std::span(good).first(63)).error().code, Code::truncated);
  EXPECT_EQ(read_dop_records(std::span(good).first(good.size() - 1)).error().code, Code::truncated);
  auto longer = good;
  longer.push_back({});
  EXPECT_EQ(read_dop_records(longer).error().code, Code::too_long);
  DopRecords r = records;
  std::swap(r.links[0].left, r.links[0].right);  // still a tree
  EXPECT_TRUE(read_dop_records(write_dop_records(r).value()));
  r = records, r.links[1].left = 0;
  EXPECT_EQ(code_of(r), r.links[1].right == 0 ? Code::wrong_triangle : Code::wrong_child);
  r = records, r.links[0].right = 1u << 30;
  EXPECT_EQ(code_of(r), Code::wrong_child);
  r = records, r.links.back().left = 1u << 30;
  EXPECT_EQ(code_of(r), Code::wrong_triangle);
  r = records, r.coefficients[5] = -100000;
  EXPECT_EQ(code_of(r), Code::child_sticks_out);
  r = records, r.coefficients[5] = 1 << 17;
  EXPECT_EQ(write_dop_records(r).error().code, Code::coefficient_too_wide);
  auto padded = good;
  padded.back() = std::byte{1};
  EXPECT_EQ(read_dop_records(padded).error().code, Code::padding);
  // Any byte of the header changed, and whatever random damage there is: an answer, never a crash.
  for (std::size_t i = 0; i < 48; ++i)
    if (i < 32) {
      auto bad = good;
      bad[i] ^= std::byte{0x41};
      EXPECT_FALSE(read_dop_records(bad)) << i;
    }
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    auto bad = good;
    for (int k = 0; k < 3; ++k) bad[random.below(bad.size())] = static_cast<std::byte>(random.below(256));
    const auto read = read_dop_records(bad);
    EXPECT_TRUE(!read || read.value().links.size() == records.links.size());
  }
}

}  // namespace
}  // namespace snug::detail
