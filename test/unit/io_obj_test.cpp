#include "unit/io_support.hpp"

namespace snug {
namespace {

using test::error_of;
using test::load_text;
using test::problem_texts;
using Texts = std::vector<std::string>;

const std::string k_square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

const Mesh& only_mesh(const Result<Assembly, IoError>& loaded) {
  EXPECT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->parts().size(), 1U);
  return loaded->parts()[0].mesh;
}

TEST(Obj, PolygonsAreFannedInOrder) {
  const auto loaded = load_text(k_square + "v 0.5 1.5 0\nf 1 2 3 5 4\nf 3 2 1\n", "house.obj");
  const Mesh& mesh = only_mesh(loaded);
  EXPECT_EQ(loaded->parts()[0].path, "house");
  ASSERT_EQ(mesh.triangles().size(), 4U);
  EXPECT_EQ(mesh.triangles()[0], (Index3{0, 1, 2}));
  EXPECT_EQ(mesh.triangles()[1], (Index3{0, 2, 4}));
  EXPECT_EQ(mesh.triangles()[2], (Index3{0, 4, 3}));
  EXPECT_EQ(mesh.triangles()[3], (Index3{2, 1, 0}));
  EXPECT_TRUE(mesh.surfaces_by_crease());
}

TEST(Obj, PolygonsThatFansLeaveAreListed) {
  // Before their vertices and behind them, in two parts.
  const std::string arrow = "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\n";
  const auto loaded = load_text("o early\nf 1 2 3 4\nf 4 1 2 3\n" + arrow + "o late\nf 1 2 3 4\nf 2 3 4 1\nf 1 2 3\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(test::problem_texts(*loaded),
            (std::vector<std::string>{"early: 1 polygon is not convex, and its fan of triangles leaves it",
                                      "late: 1 polygon is not convex, and its fan of triangles leaves it"}));
}

TEST(Obj, StopsBetweenPartsWhenCancelled) {
  std::string text = k_square;
  for (int i = 0; i < 1000; ++i) text += "o p" + std::to_string(i) + "\nf 1 2 3\n";
  CancelToken token;
  LoadOptions options = test::in_mm();
  options.cancel = &token;
  int reports = 0;
  options.progress = [&](double share) {
    if (share >= 0.9 && ++reports == 2) token.cancel();  // all is read
  };
  const auto loaded = load_text(text, "part.obj", options);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::cancelled);
}

TEST(Obj, IndicesMayCountBackwardsOrAhead) {
  const auto loaded = load_text("f 1 2 3\n" + k_square + "f -4 -3 -2\nf -1/2/3 1//5 +3/1\nv 5 5 5\nf -1 1 2\n");
  const Mesh& mesh = only_mesh(loaded);
  ASSERT_EQ(mesh.triangles().size(), 4U);
  EXPECT_EQ(mesh.triangles()[0], (Index3{0, 1, 2}));
  EXPECT_EQ(mesh.triangles()[1], (Index3{0, 1, 2}));
  EXPECT_EQ(mesh.triangles()[2], (Index3{3, 0, 2}));
  EXPECT_EQ(mesh.triangles()[3], (Index3{4, 0, 1}));
}

TEST(Obj, OddSpellingIsAccepted) {
  const auto loaded = load_text(
      "\xEF\xBB\xBF# comment ending in \\\r\nv 0 0 0 1.0\r\n\tv  1 0\t0 0.2 0.3 0.4\r\nv 1 \\\r\n  1 0\r\nv 0 1 0\\\n "
      "1\r\n"
      "f 1 2 \\\r\n3 \\\n 4",
      "x.obj");
  const Mesh& mesh = only_mesh(loaded);
  EXPECT_EQ(mesh.vertices().size(), 4U);
  EXPECT_EQ(mesh.vertices()[2], (Point3{1, 1, 0}));
  EXPECT_EQ(mesh.triangles().size(), 2U);
  EXPECT_TRUE(loaded->problems().empty());
}

TEST(Obj, ObjectsBecomePartsWithTheVerticesTheyUse) {
  const auto loaded = load_text(
      k_square + "v 9 9 9\no first\nf 2 3 4\nv 5 0 0\no second\nv 6 0 0\nv 7 7 7\nf 1 7 3\nf 6 3 1\n", "x.obj");
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->parts().size(), 2U);
  const Mesh& first = loaded->parts()[0].mesh;
  const Mesh& second = loaded->parts()[1].mesh;
  EXPECT_EQ(loaded->parts()[1].path, "second");
  // Vertex 5 is used by nobody and was declared before the first object, so it stays there.
  ASSERT_EQ(first.vertices().size(), 4U);
  EXPECT_EQ(first.vertices()[0], (Point3{1, 0, 0}));
  EXPECT_EQ(first.vertices()[3], (Point3{9, 9, 9}));
  EXPECT_EQ(first.triangles()[0], (Index3{0, 1, 2}));
  ASSERT_EQ(second.vertices().size(), 5U);
  EXPECT_EQ(second.vertices()[0], (Point3{0, 0, 0}));
  EXPECT_EQ(second.vertices()[2], (Point3{5, 0, 0}));
  EXPECT_EQ(second.vertices()[3], (Point3{6, 0, 0}));
  EXPECT_EQ(second.triangles()[0], (Index3{0, 3, 1}));
  EXPECT_EQ(second.triangles()[1], (Index3{2, 1, 0}));
}

TEST(Obj, ManyPartsOverFarVerticesTakeLinearTime) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "v " + std::to_string(i) + " 0 0\n";
  for (int i = 0; i < 60'000; ++i) text += "o\nf 1 30000 60000\n";
  const auto loaded = load_text(text, "x.obj");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->parts().size(), 60'000U);
  EXPECT_EQ(loaded->parts()[59'999].path, "x#60000");
  EXPECT_EQ(loaded->parts()[59'999].mesh.vertices()[1], (Point3{29'999, 0, 0}));
}

TEST(Obj, GroupsAndMaterialsBecomeSurfaces) {
  const auto loaded = load_text(k_square +
                                "f 1 2 3\ng top lid\nf 1 2 4\nusemtl red\nf 1 2 3 4\ng\nf 1 3 4\ng top lid\n"
                                "f 2 3 4\nusemtl blue\nusemtl red\nf 1 2 3\n");
  const Mesh& mesh = only_mesh(loaded);
  ASSERT_EQ(mesh.surfaces().size(), 4U);
  EXPECT_EQ(mesh.surfaces()[0].name, "");
  EXPECT_EQ(mesh.surfaces()[1].name, "top lid");
  EXPECT_EQ(mesh.surfaces()[2].name, "top lid:red");
  EXPECT_EQ(mesh.surfaces()[3].name, "red");
  std::vector<std::uint32_t> of;
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) of.push_back(mesh.surface_of(t));
  EXPECT_EQ(of, (std::vector<std::uint32_t>{0, 1, 2, 2, 3, 2, 2}));
  EXPECT_FALSE(mesh.surfaces_by_crease());
}

TEST(Obj, GroupsStayInForceAcrossObjects) {
  const auto loaded = load_text(k_square + "g a\no p\nf 1 2 3\ng b\nf 1 2 4\no q\nf 1 3 4\n");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->parts()[0].mesh.surfaces().size(), 2U);
  ASSERT_EQ(loaded->parts()[1].mesh.surfaces().size(), 1U);
  EXPECT_EQ(loaded->parts()[1].mesh.surfaces()[0].name, "b");
}

TEST(Obj, WhatHasNoPlaceInAMeshIsListed) {
  const auto loaded = load_text("648 216\n" + k_square +
                                "vt 0 0\nvn 0 0 1\nvp 1\ns off\nmtllib x.mtl\nl 1 2 3\np 1\np 2\ncurv 0 1 2\n"
                                "o empty\no full\nf 1 1 2\nf 1 2 3\n");
  EXPECT_EQ(only_mesh(loaded).triangles().size(), 2U);
  EXPECT_EQ(problem_texts(*loaded),
            (Texts{"2 point elements ('p') left out", "1 line element ('l') left out",
                   "1 line with the unknown keyword '648' left out", "1 line with the unknown keyword 'curv' left out",
                   "object 'empty' has no faces and is left out", "full: 1 triangle has two equal corners"}));
}

TEST(Obj, NamesAreMadeUniqueAndPrintable) {
  const auto loaded =
      load_text(k_square + "o a\nf 1 2 3\no a#2\nf 1 2 3\no a\nf 1 2 3\no caf\xe9\tx\nf 1 2 3\no \xc3\xa9\nf 1 2 3\n");
  ASSERT_TRUE(loaded);
  Texts paths;
  for (const Part& part : loaded->parts()) paths.push_back(part.path);
  EXPECT_EQ(paths, (Texts{"a", "a#2", "a#3", "caf\xc3\xa9 x", "\xc3\xa9"}));
  EXPECT_EQ(
      problem_texts(*loaded),
      (Texts{"a#3: renamed: an earlier part is called 'a' too",
             "caf\xc3\xa9 x: names hold control characters, replaced by blanks, or bytes that are not UTF-8, read as "
             "Latin-1"}));
}

TEST(Obj, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("v 0 0 0\nv 1 x 0\n"), "part.obj:2: expected three numbers after 'v', found 'x'");
  EXPECT_EQ(error_of("v 0 0 0\n\nv 1 0\n"), "part.obj:3: expected three numbers after 'v', found nothing");
  EXPECT_EQ(error_of("v 0 0 0\nv\n"), "part.obj:2: expected numbers after 'v', found nothing");
  EXPECT_EQ(error_of("v 0 0 0\nv 1 2 3x\n"), "part.obj:2: expected three numbers after 'v', found 'x'");
  EXPECT_EQ(error_of("v 0 0 nan\n"), "part.obj:1: expected a finite number, found 'nan'");
  EXPECT_EQ(error_of("v 0 0 0\nv -inf 0 0\n"), "part.obj:2: expected a finite number, found '-inf'");
  EXPECT_EQ(error_of("v 0 0 1e301\n"), "part.obj:1: expected a finite number, found '1e301'");
  EXPECT_EQ(error_of(k_square + "f 1 2\n"), "part.obj:5: expected at least three corners after 'f', found 2");
  EXPECT_EQ(error_of(k_square + "f\n"), "part.obj:5: expected numbers after 'f', found nothing");
  EXPECT_EQ(error_of(k_square + "f 1 2 three\n"), "part.obj:5: expected vertex numbers after 'f', found 'three'");
  EXPECT_EQ(error_of(k_square + "f 1 2 3.5\n"), "part.obj:5: expected vertex numbers after 'f', found '3.5'");
  EXPECT_EQ(error_of(k_square + "f 1 /2 3\n"), "part.obj:5: expected vertex numbers after 'f', found '/2'");
  EXPECT_EQ(error_of(k_square + "f 1 0 3\n"), "part.obj:5: vertices count from 1, found '0'");
  EXPECT_EQ(error_of(k_square + "f 1 2 -5\n"), "part.obj:5: there is no vertex '-5', only 4 so far");
  EXPECT_EQ(error_of(k_square + "f 1 2 99999999999999999999/1\n"),
            "part.obj:5: there is no vertex '99999999999999999999/1', only 4 so far");
  EXPECT_EQ(error_of(k_square + "f 1 2 4294967296\n"), "part.obj:5: there is no vertex '4294967296', only 4 so far");
  EXPECT_EQ(error_of(k_square + "f 1 2 3\nf 1 2 6\nf 1 2 9\nf 1 2 7\nv 1 2 3\nv 1 2 3\n"),
            "part.obj:7: there is no vertex '9', only 6 in the whole file");
  EXPECT_EQ(error_of(k_square), "part.obj:4: expected faces, found none in the whole file");
  EXPECT_EQ(error_of("# nothing\n"), "part.obj:1: expected faces, found none in the whole file");
}

TEST(Obj, LinesAreCountedAcrossContinuationsAndChunks) {
  std::string text = k_square + "f 1 2 \\\n 3\n";
  for (int i = 0; i < 100'000; ++i) text += "f 1 2 3 four\n";
  EXPECT_EQ(error_of(text), "part.obj:7: expected vertex numbers after 'f', found 'four'");
  text = k_square + "f 1 2 \\\n 3\n";
  for (int i = 0; i < 100'000; ++i) text += "f 1 2 3\n";
  EXPECT_EQ(error_of(text + "f 1 \\\n 2 z \\\n"), "part.obj:100007: expected vertex numbers after 'f', found 'z'");
}

TEST(Obj, NoStatementIsLostBehindAnother) {
  EXPECT_EQ(error_of("v 0 0 0 v 1 0 0\n"), "part.obj:1: expected numbers to the end of the line, found ' v 1 0 0'");
  EXPECT_TRUE(error_of("v 0 0 0\rv 1 0 0\n" + k_square + "f 1 2 3\n").starts_with("part.obj:1: expected numbers"));
  EXPECT_TRUE(error_of("v 0 0 0 garbage\n").starts_with("part.obj:1: expected numbers"));
  EXPECT_EQ(error_of(k_square + "f 1 2 3\ncall other.obj\n"), "part.obj:6: other files are not included ('call')");
  const auto loaded = load_text("v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\r\nv 0 1 0 # corner\nf 1 2 3 # the only face\n");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(only_mesh(loaded).vertices().size(), 3U);
}

TEST(Obj, LongNamesAreRefused) {
  const std::string name(2000, 'm');
  EXPECT_EQ(error_of(k_square + "usemtl " + name + "\nf 1 2 3\n"),
            "part.obj:5: expected a name of at most 1024 bytes, found 2000");
  EXPECT_EQ(error_of(k_square + "g " + name + "\nf 1 2 3\n"),
            "part.obj:5: expected a name of at most 1024 bytes, found 2000");
  EXPECT_EQ(error_of(k_square + "o " + name + "\nf 1 2 3\n"),
            "part.obj:5: expected a name of at most 1024 bytes, found 2000");
}

TEST(Obj, AGiganticPolygonIsReadAndBounded) {
  std::string text = k_square + "f";
  for (int i = 0; i < 1'000'000; ++i) text += " 1 2 3 4";
  EXPECT_EQ(only_mesh(load_text(text)).triangles().size(), 4'000'000U - 2);
  for (int i = 0; i < 1'200'000; ++i) text += " 1 2 3 4";
  EXPECT_EQ(error_of(text), "part.obj:5: a line is longer than 16777216 bytes");
}

TEST(Obj, ObjectsWithoutEndAreRefused) {
  std::string text = k_square;
  for (std::size_t i = 0; i <= io::k_max_parts; ++i) text += "o\nf 1 2 3\n";
  EXPECT_EQ(error_of(text), "part.obj:" + std::to_string(5 + 2 * io::k_max_parts) + ": more than 262144 objects");
}

}  // namespace
}  // namespace snug
