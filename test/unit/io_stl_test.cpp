#include "unit/io_support.hpp"

#include <bit>
#include <cstring>
#include <limits>

namespace snug {
namespace {

using test::error_of;
using test::load_text;
using test::problem_texts;

std::string facet(std::string_view a, std::string_view b, std::string_view c) {
  std::string out = "facet normal 0 0 1\nouter loop\n";
  for (const std::string_view v : {a, b, c}) out.append("vertex ").append(v).append("\n");
  return out + "endloop\nendfacet\n";
}

std::string solid(std::string_view name, std::string_view facets) {
  return "solid " + std::string(name) + "\n" + std::string(facets) + "endsolid " + std::string(name) + "\n";
}

using Corner = std::array<float, 3>;
std::string binary(std::string header, const std::vector<std::array<Corner, 3>>& triangles,
                   std::uint32_t lie_about_count = 0) {
  header.resize(80, ' ');
  const auto put = [&](const auto& value) {
    const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
    header.append(bytes.data(), bytes.size());
  };
  put(static_cast<std::uint32_t>(triangles.size()) + lie_about_count);
  for (const auto& triangle : triangles) {
    put(Corner{0, 0, 1});
    for (const Corner& corner : triangle) put(corner);
    put(std::uint16_t{0});
  }
  return header;
}
const std::array<Corner, 3> k_triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
const std::array<Corner, 3> k_neighbour{{{1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};

TEST(StlText, SolidsBecomeParts) {
  const auto loaded =
      load_text(solid("lid", facet("0 0 0", "1 0 0", "0 1 0")) +
                    solid("case of steel", facet("0 0 0", "1 0 0", "0 1 0") + facet("1 0 0", "1 1 0", "0 1 0")),
                "box.stl");
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->parts().size(), 2U);
  EXPECT_EQ(loaded->parts()[0].path, "lid");
  EXPECT_EQ(loaded->parts()[1].path, "case of steel");
  EXPECT_EQ(loaded->parts()[1].mesh.vertices().size(), 4U);
  EXPECT_EQ(loaded->parts()[1].mesh.triangles()[1], (Index3{1, 3, 2}));
  EXPECT_EQ(loaded->units(), LengthUnit::millimetre);
  EXPECT_TRUE(loaded->problems().empty());
}

TEST(StlText, OddSpellingIsAccepted) {
  const auto loaded = load_text(
      "\xEF\xBB\xBF\n  SOLID\r\n\tFacet  Normal nan -nan(ind) 1.#QNAN OUTER LOOP\r\n"
      "vertex 0 0 0 vertex +1 0 0\nVERTEX 0 1e0 -0\nendloop endfacet\nFACET OUTER LOOP vertex 0 0 0 "
      "vertex 1 0 0 vertex 0 0 1 ENDLOOP EndFacet endsolid whatever is here",
      "odd.stl");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->parts()[0].path, "odd");
  EXPECT_EQ(loaded->parts()[0].mesh.triangles().size(), 2U);
}

TEST(StlText, WeldingIsByExactEquality) {
  const auto loaded = load_text(
      solid("s", facet("0 0 0", "1 0 0", "0 1 0") + facet("-0 0 0", "1.0000000000000002 0 0", "0 1.0 -0.0")), "s.stl");
  ASSERT_TRUE(loaded);
  const Mesh& mesh = loaded->parts()[0].mesh;
  EXPECT_EQ(mesh.vertices().size(), 4U);
  EXPECT_EQ(mesh.triangles()[1], (Index3{0, 3, 2}));
}

TEST(StlText, OddThingsAreListed) {
  const auto loaded = load_text(
      solid("a", facet("0 0 0", "1 0 0", "0 1 0")) + solid("void", "") + solid("a", facet("0 0 0", "0 0 0", "0 1 0")),
      "s.stl");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(problem_texts(*loaded), (std::vector<std::string>{"solid 'void' has no facets and is left out",
                                                              "a#2: renamed: an earlier part is called 'a' too",
                                                              "a#2: 1 triangle has two equal corners"}));
}

TEST(StlText, ErrorsNameTheLine) {
  const std::string start = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n";
  EXPECT_EQ(error_of(start + "vertex 1 x 0\n", "s.stl"), "s.stl:5: expected three numbers after 'vertex', found 'x'");
  EXPECT_EQ(error_of(start + "vertex 1 0\nvertex 0 0 0", "s.stl"),
            "s.stl:6: expected three numbers after 'vertex', found 'vertex'");
  EXPECT_EQ(error_of(start + "vertex 1 1e999 0\n", "s.stl"), "s.stl:5: expected a finite number, found '1e999'");
  EXPECT_EQ(error_of(start + "vertex 1 NaN 0\n", "s.stl"), "s.stl:5: expected a finite number, found 'NaN'");
  EXPECT_EQ(error_of(start + "endloop\n", "s.stl"), "s.stl:5: expected 'vertex', found 'endloop'");
  EXPECT_EQ(error_of(start, "s.stl"), "s.stl:4: expected 'vertex', found the end of the file");
  EXPECT_EQ(error_of(start + "vertex 1 0 0\nvertex 0 1 0\nvertex 0 1 1\n", "s.stl"),
            "s.stl:7: expected 'endloop', found 'vertex'");
  EXPECT_EQ(error_of("solid s\nfacet normal 0 0 1 inner loop", "s.stl"),
            "s.stl:2: expected 'outer loop', found 'inner'");
  EXPECT_EQ(error_of("solid s\n" + facet("0 0 0", "1 0 0", "0 1 0"), "s.stl"),
            "s.stl:8: expected 'facet' or 'endsolid', found the end of the file");
  EXPECT_EQ(error_of(solid("s", facet("0 0 0", "1 0 0", "0 1 0")) + "junk", "s.stl"),
            "s.stl:10: expected 'solid', found 'junk'");
  EXPECT_EQ(error_of(solid("s", ""), "s.stl"), "s.stl:2: expected facets, found none in the whole file");
  EXPECT_EQ(error_of("hello", "s.stl"), "s.stl:1: expected 'solid', found 'hello'");
}

TEST(StlText, HostileBytesDoNotReachTheMessage) {
  EXPECT_EQ(error_of("solid s\n\x1b[31m" + std::string(500, 'x'), "s.stl"),
            "s.stl:2: expected 'facet' or 'endsolid', found '\\x1b[31m" + std::string(31, 'x') + "…'");
}

TEST(StlBinary, IsReadAndWelded) {
  const auto loaded = load_text(binary("made by hand", {k_triangle, k_neighbour}), "two.stl");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Part& part = loaded->parts()[0];
  EXPECT_EQ(part.path, "two");
  EXPECT_EQ(part.mesh.vertices().size(), 4U);
  EXPECT_EQ(part.mesh.triangles()[1], (Index3{1, 3, 2}));
}

TEST(StlBinary, IsRecognisedThoughItSaysSolidOrHasNoSuffix) {
  EXPECT_TRUE(load_text(binary("solid of some kind", {k_triangle}), "two.stl"));
  EXPECT_TRUE(load_text(binary("solid of some kind", {k_triangle}), "no_suffix"));
  EXPECT_TRUE(load_text(binary("", {k_triangle}), "misnamed.obj"));
}

TEST(StlBinary, ManyTrianglesKeepTheirOrderAndFirstVertices) {
  std::vector<std::array<Corner, 3>> triangles;
  for (int i = 0; i < 40'000; ++i) {
    const auto x = static_cast<float>(i % 200), y = static_cast<float>(i / 200);
    triangles.push_back({{{x, y, 0}, {x + 1, y, 0}, {x, y + 1, 0}}});
  }
  const auto loaded = load_text(binary("", triangles), "grid.stl");
  ASSERT_TRUE(loaded);
  const Mesh& mesh = loaded->parts()[0].mesh;
  EXPECT_EQ(mesh.vertices().size(), 201U * 201U - 1U);
  std::uint32_t highest = 0;
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t v = mesh.triangles()[t][c];
      ASSERT_LE(v, highest) << "ids are given in order of first use";
      highest = std::max(highest, v + 1);
      const Corner& corner = triangles[t][c];
      ASSERT_EQ(mesh.vertices()[v], (Point3{corner[0], corner[1], corner[2]}));
    }
  }
}

TEST(StlBinary, ErrorsNameTheByte) {
  const std::string good = binary("", {k_triangle, k_neighbour});
  EXPECT_EQ(error_of(good.substr(0, 150), "b.stl"),
            "b.stl: at byte 150: expected 2 triangles of 50 bytes, found the end of the file after 1");
  EXPECT_EQ(error_of(good.substr(0, 82), "b.stl"),
            "b.stl: at byte 82: expected a header of 84 bytes, found the end of the file");
  EXPECT_EQ(error_of(binary("", {k_triangle}, 0xfffffff0U), "b.stl"),
            "b.stl: at byte 134: expected 4294967281 triangles of 50 bytes, found the end of the file after 1");
  EXPECT_EQ(error_of(binary("", {k_triangle, k_neighbour}, 0xffffffffU), "b.stl"),
            "b.stl: at byte 134: expected the end of the file after 1 triangle, found 50 more bytes");
  EXPECT_EQ(error_of(binary("", {}), "b.stl"), "b.stl: at byte 80: expected triangles, found a count of zero");
  auto bad = k_neighbour;
  bad[1][2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error_of(binary("", {k_triangle, bad}), "b.stl"),
            "b.stl: at byte 158: expected a finite vertex, found NaN or infinity");
  bad[1][2] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of(binary("", {k_triangle, bad}), "b.stl"),
            "b.stl: at byte 158: expected a finite vertex, found NaN or infinity");
}

TEST(StlBinary, PaddingIsListed) {
  const auto loaded = load_text(binary("", {k_triangle}) + std::string(7, '\0'), "b.stl");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(problem_texts(*loaded), std::vector<std::string>{"7 bytes behind the last triangle ignored"});
}

}  // namespace
}  // namespace snug
