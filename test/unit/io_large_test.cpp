#include "io/bytes/two_stages.hpp"
#include "scenes/random.hpp"
#include "unit/io_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

// Files large enough for a second thread, and the rules it works by.

namespace snug {
namespace {

using test::put;
using test::read_bytes;

/// Triangles of a net whose points recur near and far.
std::vector<Index3> net(std::uint32_t count) {
  std::vector<Index3> out;
  scenes::Random random(5);
  for (std::uint32_t i = 0; i < count; ++i)
    out.push_back({i / 2, i / 2 + 1, static_cast<std::uint32_t>(random.below(i + 1))});
  return out;
}
std::array<float, 3> place(std::uint32_t v) {
  return {static_cast<float>(v % 97), static_cast<float>(v), -static_cast<float>(v % 5)};  // -0.0 at times
}

std::string stl_of(const std::vector<Index3>& triangles) {
  std::string out(80, ' ');
  put(out, static_cast<std::uint32_t>(triangles.size()));
  for (const Index3& t : triangles) {
    for (int k = 0; k < 3; ++k) put(out, 0.0F);
    for (const std::uint32_t v : t)
      for (const float c : place(v)) put(out, c);
    put(out, std::uint16_t{0});
  }
  return out;
}

TEST(LargeFiles, StlIsWeldedInOrderOfFirstAppearance) {
  const auto triangles = net(150'000);
  const auto assembly = read_bytes(FileFormat::stl, stl_of(triangles)).value();
  const Mesh& mesh = assembly.parts()[0].mesh;
  ASSERT_EQ(mesh.triangles().size(), triangles.size());
  std::map<std::uint32_t, std::uint32_t> ids;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t v = triangles[t][c];
      const std::uint32_t id = ids.try_emplace(v, static_cast<std::uint32_t>(ids.size())).first->second;
      ASSERT_EQ(mesh.triangles()[t][c], id);
      const auto p = place(v);
      ASSERT_EQ(mesh.vertices()[id], (Point3{p[0], p[1], p[2]}));
    }
  EXPECT_EQ(mesh.vertices().size(), ids.size());
}

TEST(LargeFiles, StlErrorsNameTheByteWhateverTheOtherThreadDoes) {
  std::string bytes = stl_of(net(150'000));
  const std::size_t at = 84 + 50 * std::size_t{123'456} + 12 + 12;
  std::string bad;
  put(bad, std::numeric_limits<float>::quiet_NaN());
  bytes.replace(at + 4, 4, bad);
  for (int round = 0; round < 5; ++round) {
    const auto refused = read_bytes(FileFormat::stl, bytes);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, IoError::Code::non_finite);
    EXPECT_EQ(refused.error().byte, at);
  }
}

TEST(LargeFiles, StlCanBeCancelled) {
  const std::string bytes = stl_of(net(150'000));
  CancelToken cancel;
  LoadOptions options;
  options.cancel = &cancel;
  options.progress = [&](double share) {
    if (share > 0.4) cancel.cancel();
  };
  const auto refused = read_bytes(FileFormat::stl, bytes, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, IoError::Code::cancelled);
}

std::string ply_header(std::size_t vertices, std::size_t faces, std::string_view more = "") {
  return "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(vertices) +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " + std::to_string(faces) +
         "\nproperty list uchar int vertex_indices\n" + std::string(more) + "end_header\n";
}

TEST(LargeFiles, PlyKeepsEveryVertexAndTriangle) {
  // Large enough for pages to be fetched ahead; every thousandth face is a quadrangle.
  const std::uint32_t vertices = 400'000, faces = 800'000;
  std::string bytes = ply_header(vertices, faces);
  for (std::uint32_t v = 0; v < vertices; ++v)
    for (const float c : place(v)) put(bytes, c);
  std::vector<Index3> expected;
  for (std::uint32_t f = 0; f < faces; ++f) {
    const std::uint32_t a = f / 2, b = (f + 7) % vertices, c = vertices - 1 - a, d = 0;
    const bool four = f % 1000 == 999;
    put(bytes, static_cast<std::uint8_t>(four ? 4 : 3));
    for (const std::uint32_t v : {a, b, c}) put(bytes, v);
    if (four) put(bytes, d);
    expected.push_back({a, b, c});
    if (four) expected.push_back({a, c, d});
  }
  const auto assembly = read_bytes(FileFormat::ply, bytes).value();
  const Mesh& mesh = assembly.parts()[0].mesh;
  ASSERT_EQ(mesh.vertices().size(), vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const auto p = place(v);
    ASSERT_EQ(mesh.vertices()[v], (Point3{p[0], p[1], p[2]}));
  }
  EXPECT_TRUE(std::ranges::equal(mesh.triangles(), expected));
  Aabb box;
  for (const Point3& p : mesh.vertices()) box.include(p);
  EXPECT_EQ(mesh.bounds(), box);
}

TEST(LargeFiles, PlyFindsTheOneBadIndexOrCoordinate) {
  const std::uint32_t vertices = 3000, faces = 6000;
  std::string good = ply_header(vertices, faces);
  const std::size_t first = good.size();
  for (std::uint32_t v = 0; v < vertices; ++v)
    for (const float c : place(v)) put(good, c);
  const std::size_t first_face = good.size();
  for (std::uint32_t f = 0; f < faces; ++f) {
    put(good, std::uint8_t{3});
    for (std::uint32_t k = 0; k < 3; ++k) put(good, (f + k) % vertices);
  }
  ASSERT_TRUE(read_bytes(FileFormat::ply, good));
  scenes::Random random(11);
  for (std::uint64_t round = 0, n = test::scaled(60); round < n; ++round) {
    SCOPED_TRACE(round);
    const std::size_t face = first_face + 13 * random.below(faces) + 1 + 4 * random.below(3);
    for (const std::uint32_t index : {vertices, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
      std::string bad;
      put(bad, index);
      const auto refused = read_bytes(FileFormat::ply, std::string(good).replace(face, 4, bad));
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, IoError::Code::out_of_range);
      EXPECT_EQ(refused.error().byte, face);
    }
    const std::size_t coordinate = first + 4 * random.below(3 * vertices);
    for (const float value : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN()}) {
      std::string bad;
      put(bad, value);
      const auto refused = read_bytes(FileFormat::ply, std::string(good).replace(coordinate, 4, bad));
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, IoError::Code::non_finite);
      EXPECT_EQ(refused.error().byte, coordinate);
    }
  }
}

TEST(LargeFiles, PlyWithTooManyPartsIsRefused) {
  const std::size_t faces = io::k_max_parts + 1;
  std::string bytes = ply_header(3, faces, "property int part\n");
  for (std::uint32_t v = 0; v < 3; ++v)
    for (const float c : {v == 1 ? 1.0F : 0.0F, v == 2 ? 1.0F : 0.0F, 0.0F}) put(bytes, c);
  for (std::uint32_t f = 0; f < faces; ++f) {
    put(bytes, std::uint8_t{3});
    for (const std::uint32_t v : {0U, 1U, 2U}) put(bytes, v);
    put(bytes, f);
  }
  const auto refused = read_bytes(FileFormat::ply, bytes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, IoError::Code::too_large);
  EXPECT_EQ(refused.error().text, "262145 parts, the limit is 262144");
}

TEST(TwoStages, PassEverythingOnInOrder) {
  for (const bool side_by_side : {false, true})
    for (const int count : {0, 1, 3, 4, 5, 1000}) {
      int made = 0;
      std::vector<int> seen;
      io::in_two_stages<int>(
          side_by_side,
          [&](int& item) {
            if (made == count) return false;
            item = made++;
            return true;
          },
          [&](int& item) { seen.push_back(item); });
      ASSERT_EQ(seen.size(), static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
    }
}

TEST(TwoStages, PassOnWhatEitherThrows) {
  for (const bool side_by_side : {false, true}) {
    int made = 0;
    std::atomic<int> seen = 0;
    const auto produce = [&](int& item) {
      item = made++;
      return made < 1'000'000;
    };
    EXPECT_THROW(io::in_two_stages<int>(side_by_side, produce,
                                        [&](int& item) {
                                          if (item == 50) throw std::bad_alloc();
                                          ++seen;
                                        }),
                 std::bad_alloc);
    EXPECT_EQ(seen, 50);
    EXPECT_LT(made, 100);

    made = 0, seen = 0;
    EXPECT_THROW(io::in_two_stages<int>(
                     side_by_side,
                     [&](int& item) {
                       if (made == 50) throw std::bad_alloc();
                       return produce(item);
                     },
                     [&](int&) { ++seen; }),
                 std::bad_alloc);
    EXPECT_EQ(seen, 50);
  }
}

}  // namespace
}  // namespace snug
