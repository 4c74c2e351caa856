// What the importer can not have of a file it tells as a loss, of the very part that lacks it.
#include "unit/io_support.hpp"

#include <snug/inspect.hpp>

#include <algorithm>

namespace snug {
namespace {

namespace fs = std::filesystem;

/// The corner of a cube cut off: four plane faces.
Mesh corner_at(double x) {
  return Mesh::build(
             {{{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}},
              {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
              {{.name = "a", .sag = {}}, {.name = "b", .sag = {}}, {.name = "c", .sag = {}}, {.name = "d", .sag = {}}},
              {0, 1, 2, 3}})
      .value();
}

/// Two in one mesh.
Mesh corners_in_one() {
  MeshInput input;
  for (const double x : {0.0, 5.0}) {
    const Mesh one = corner_at(x);
    const auto first = static_cast<std::uint32_t>(input.vertices.size());
    input.vertices.insert(input.vertices.end(), one.vertices().begin(), one.vertices().end());
    for (const Index3& t : one.triangles()) {
      input.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      input.surface_of_triangle.push_back(static_cast<std::uint32_t>(input.surfaces.size()));
      input.surfaces.emplace_back();
    }
  }
  return Mesh::build(std::move(input)).value();
}

class ImporterLosses : public testing::Test {
 protected:
  void SetUp() override {
    importer_ = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "snug-import";
    if (!fs::exists(importer_)) GTEST_SKIP() << "no snug-import: built without OpenCASCADE";
    ASSERT_TRUE(pair_.add({"pair/one", corner_at(0), {}}));
    ASSERT_TRUE(pair_.add({"pair/two", corner_at(5), {}}));
  }

  std::string text_of(const Assembly& assembly, const std::string& name) {
    SaveOptions options;
    options.cad.importer = importer_;
    const auto saved = save(assembly, folder_.path() / name, options);
    EXPECT_TRUE(saved) << saved.error().message();
    return test::slurp(folder_.path() / name);
  }

  Result<Assembly, IoError> read(const std::string& text, const std::string& name, std::uint64_t memory = 4ULL << 30) {
    LoadOptions options;
    options.cad.importer = importer_;
    options.cad.max_memory_bytes = memory;
    if (name.ends_with(".brep")) options.units = LengthUnit::millimetre;
    return test::load_assembly(folder_.write(name, text), options);
  }

  fs::path importer_;
  test::TempDir folder_;
  Assembly pair_{LengthUnit::millimetre};
};

/// Text with one passage, from `begin` on and up to `end`, replaced; the file must have it.
std::string replaced(std::string text, std::string_view begin, std::string_view end, std::string_view by) {
  const std::size_t from = text.find(begin);
  const std::size_t to = from == std::string::npos ? from : text.find(end, from + begin.size());
  EXPECT_NE(to, std::string::npos) << begin;
  if (to != std::string::npos) text.replace(from, to - from + end.size(), by);
  return text;
}

/// In the last shell of the text, the last face left out.
std::string without_last_face(std::string text) {
  const std::size_t shell = text.rfind("=CLOSED_SHELL("), end = text.find("))", shell), comma = text.rfind(',', end);
  EXPECT_LT(shell, comma);
  return text.erase(comma, end - comma);
}

std::vector<std::string> texts(std::span<const Problem> problems) {
  std::vector<std::string> out;
  for (const Problem& p : problems) out.push_back(p.part + ": " + p.text);
  return out;
}

using Texts = std::vector<std::string>;

/// The solid of the first part taken out of its representation, so that of its placement and its solid the former is left.
std::string without_first_solid(std::string text) {
  const std::size_t one = text.find("ADVANCED_BREP_SHAPE_REPRESENTATION('one',("), solid = text.find(',', one + 43);
  EXPECT_LT(solid, text.size());
  text.erase(solid, text.find(')', solid) - solid);
  return text.erase(one, std::string_view("ADVANCED_BREP_").size());
}

TEST_F(ImporterLosses, ProductsThatTheFileGivesNothingHaveLostNothing) {
  const auto loaded = read(without_first_solid(text_of(pair_, "a.step")), "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->parts().size(), 1U);
  EXPECT_EQ(loaded->parts()[0].path, "pair/two");
  const Texts remarks = texts(loaded->problems());
  EXPECT_TRUE(std::ranges::any_of(remarks, [](const std::string& text) {
    return text.find("pair/one: a component without a shape: the file gives it no geometry") != std::string::npos;
  })) << testing::PrintToString(remarks);
  // What is lost is its faces, which nobody refers to any more.
  for (const std::string& loss : texts(loaded->losses())) EXPECT_TRUE(loss.starts_with(": face ")) << loss;
}

TEST_F(ImporterLosses, ProductsWithAShapeThatNobodyKnows) {
  // Instead of the solid the representation lists something that may be geometry, and is unknown to the kernel.
  std::string text = text_of(pair_, "a.step");
  const std::size_t one = text.find("ADVANCED_BREP_SHAPE_REPRESENTATION('one',("), comma = text.find(',', one + 43);
  text.replace(comma, text.find(')', comma) - comma, ",#90000");
  text.insert(text.rfind("ENDSEC;"), "#90000=VOXEL_SOLID('',3.);\n");
  const auto loaded = read(text, "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Texts losses = texts(loaded->losses());
  EXPECT_NE(std::ranges::find(losses, "pair/one: it has no shape"), losses.end()) << testing::PrintToString(losses);
  EXPECT_TRUE(std::ranges::any_of(losses, [](const std::string& loss) {
    return loss.find("is damaged: ") != std::string::npos;
  })) << testing::PrintToString(losses);
}

TEST_F(ImporterLosses, AnnotationsAmongTheShapesAreARemark) {
  std::string text = text_of(pair_, "a.step");
  const std::size_t one = text.find("ADVANCED_BREP_SHAPE_REPRESENTATION('one',("), comma = text.find(',', one + 43);
  text.insert(comma, ",#90000,#90001");
  text.insert(
      text.rfind("ENDSEC;"),
      "#90000=LEADER_DIRECTED_CALLOUT('',());\n"
      "#90001=(ANNOTATION_CURVE_OCCURRENCE()GEOMETRIC_REPRESENTATION_ITEM()LEADER_CURVE()REPRESENTATION_ITEM('')"
      "STYLED_ITEM((),$));\n");
  const auto loaded = read(text, "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(texts(loaded->losses()), Texts{});
  EXPECT_EQ(loaded->parts().size(), 2U);
  EXPECT_TRUE(std::ranges::any_of(texts(loaded->problems()), [](const std::string& remark) {
    return remark.find("annotations and the like") != std::string::npos;
  })) << testing::PrintToString(texts(loaded->problems()));
}

TEST_F(ImporterLosses, TolerancesCountUpToAShareOfThePart) {
  // A file that claims to be off by half of what is in it.
  std::string text = text_of(pair_, "a.brep");
  for (std::size_t at = 0; (at = text.find("1e-07", at)) != std::string::npos;) text.replace(at, 5, "0.5");
  const auto loaded = read(text, "b.brep");
  ASSERT_TRUE(loaded) << loaded.error().message();
  for (const Part& part : loaded->parts())
    for (const Surface& surface : part.mesh.surfaces()) {
      EXPECT_GT(surface.tolerance, 1e-6);
      EXPECT_LE(surface.tolerance, 1e-4 * 2);
    }
  EXPECT_TRUE(std::ranges::any_of(texts(loaded->problems()), [](const std::string& remark) {
    return remark.find("4 faces have CAD tolerances of up to 0.5, which counts up to") != std::string::npos;
  })) << testing::PrintToString(texts(loaded->problems()));
}

TEST_F(ImporterLosses, SolidsThatAreOpen) {
  const auto loaded = read(without_last_face(text_of(pair_, "a.step")), "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->parts().size(), 2U);
  EXPECT_EQ(loaded->parts()[1].mesh.surfaces().size(), 3U);
  ASSERT_EQ(loaded->losses().size(), 2U);
  EXPECT_TRUE(loaded->losses()[0].text.ends_with(" could not be read")) << loaded->losses()[0].text;  // the face
  EXPECT_TRUE(loaded->losses()[1].text.ends_with(" is open and became a sheet")) << loaded->losses()[1].text;
}

TEST_F(ImporterLosses, ArePinnedOnTheRightOneOfMany) {
  // All parts are called "solid". The last shell in the text is that of the second; it loses the first of its faces.
  std::string text = text_of(pair_, "a.brep");
  const std::size_t shell = text.rfind("\nSh\n"), faces = text.find('+', shell), second = text.find('+', faces + 1);
  ASSERT_LT(second, text.find('*', faces));
  text.erase(faces, second - faces);
  const auto loaded = read(text, "b.brep");
  ASSERT_TRUE(loaded) << loaded.error().message();
  ASSERT_EQ(loaded->parts().size(), 2U);
  EXPECT_EQ(texts(loaded->losses()), Texts{"solid#2: its faces do not meet: 3 open edges"});
}

TEST_F(ImporterLosses, EntitiesOfStepThatAreDamaged) {
  const std::string whole = text_of(pair_, "a.step");
  ASSERT_TRUE(read(whole, "b.step")->losses().empty());
  const auto loaded = read(replaced(whole, "=PLANE(''", ")", "=PLANE('',3.5)"), "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(std::ranges::any_of(texts(loaded->losses()), [](const std::string& text) {
    return text.find("is damaged: ") != std::string::npos;
  })) << testing::PrintToString(texts(loaded->losses()));
}

TEST_F(ImporterLosses, CopiesThatAreMirrored) {
  // The solid of the second part once more, by a mapping whose axes are left-handed.
  std::string text = text_of(pair_, "a.step");
  const std::size_t two = text.find("ADVANCED_BREP_SHAPE_REPRESENTATION('two',("), list = text.find("),", two);
  const std::string solid = text.substr(text.rfind(',', list) + 1, list - text.rfind(',', list) - 1);
  const std::size_t context = list + 2;
  const std::string units = text.substr(context, text.find(')', context) - context);
  text.insert(list, ",#90006");
  const std::string more =
      "#90000=CARTESIAN_POINT('',(0.,0.,0.));\n#90001=DIRECTION('',(1.,0.,0.));\n#90002=DIRECTION('',(0.,-1.,0.));\n"
      "#90003=DIRECTION('',(0.,0.,1.));\n#90004=AXIS2_PLACEMENT_3D('',#90000,$,$);\n"
      "#90005=REPRESENTATION_MAP(#90004,#90007);\n#90006=MAPPED_ITEM('',#90005,#90008);\n"
      "#90007=ADVANCED_BREP_SHAPE_REPRESENTATION('',(#90004," +
      solid + ")," + units +
      ");\n"
      "#90008=CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,'',#90001,#90002,#90000,1.,#90003);\nENDSEC;\nEND-ISO-10303-21;"
      "\n";
  const auto loaded = read(text.substr(0, text.rfind("ENDSEC;")) + more, "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Texts losses = texts(loaded->losses());
  EXPECT_NE(std::ranges::find(losses, ": copy #90006 is scaled or mirrored, which is not followed"), losses.end())
      << testing::PrintToString(losses);
}

TEST_F(ImporterLosses, FacesOfIgesThatRestOnNothingKnown) {
  // In the directory of an IGES file the type stands at the head of both lines of an entry: 190 is a plane.
  std::string text = text_of(pair_, "a.iges");
  const std::size_t plane = text.find("\n     190 ");
  ASSERT_NE(plane, std::string::npos);
  text.replace(plane + 1, 8, "     777");
  text.replace(text.find("\n     190 ", plane) + 1, 8, "     777");
  const auto loaded = read(text, "b.iges");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(std::ranges::any_of(texts(loaded->losses()), [](const std::string& loss) {
    return loss.starts_with(": face ") && loss.ends_with(" of type 510 could not be read");
  })) << testing::PrintToString(texts(loaded->losses()));
}

TEST_F(ImporterLosses, EntitiesOfIgesThatNobodyKnows) {
  // A solid that has become something else.
  std::string text = text_of(pair_, "a.iges");
  const std::size_t solid = text.find("\n     186 ");
  ASSERT_NE(solid, std::string::npos);
  text.replace(solid + 1, 8, "     777");
  text.replace(text.find("\n     186 ", solid) + 1, 8, "     777");
  const auto loaded = read(text, "b.iges");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(std::ranges::any_of(texts(loaded->losses()), [](const std::string& loss) {
    return loss.starts_with(": entity ") && loss.ends_with(" of type 777 could not be read");
  })) << testing::PrintToString(texts(loaded->losses()));
}

TEST_F(ImporterLosses, TooLittleMemoryIsToldAsSuch) {
  const auto loaded = read(text_of(pair_, "a.step"), "b.step", 80 << 20);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::import_limit) << loaded.error().message();
  EXPECT_NE(loaded.error().text.find("80 MiB"), std::string::npos) << loaded.error().text;
}

TEST_F(ImporterLosses, MirrorsInsideAPartTurnItsFacesOutward) {
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"both", corners_in_one(), {}}));
  std::string text = text_of(assembly, "a.brep");
  text = replaced(text, "Locations 0", "\n", "Locations 1\n1\n -1 0 0 0\n 0 1 0 0\n 0 0 1 0\n");
  // The last of the two solids in the group, at the place that is mirrored.
  const std::size_t group = text.find("\nCS\n"), end = text.find(" 0 *", group);
  ASSERT_LT(end, text.size());
  text.replace(end, 4, " 1 *");
  const auto loaded = read(text, "b.brep");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(texts(loaded->losses()), Texts{});
  ASSERT_EQ(loaded->parts().size(), 1U);
  const MeshReport report = inspect(loaded->parts()[0].mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.flipped.empty());
  EXPECT_TRUE(loaded->parts()[0].mesh.bounds().lo.x == -6 || loaded->parts()[0].mesh.bounds().lo.x == -1)
      << loaded->parts()[0].mesh.bounds().lo.x;
}

TEST_F(ImporterLosses, FacesKeepTheirColours) {
  const Mesh plain = corner_at(0);
  MeshInput input{{plain.vertices().begin(), plain.vertices().end()},
                  {plain.triangles().begin(), plain.triangles().end()},
                  {},
                  {0, 1, 2, 3}};
  input.surfaces.assign(plain.surfaces().begin(), plain.surfaces().end());
  input.surfaces[2].color = Rgba{200, 10, 30, 255};
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"part", Mesh::build(std::move(input)).value(), {}, Rgba{1, 2, 3, 255}}));
  const auto loaded = read(text_of(assembly, "a.step"), "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->parts()[0].color, (Rgba{1, 2, 3, 255}));
  const auto surfaces = loaded->parts()[0].mesh.surfaces();
  ASSERT_EQ(surfaces.size(), 4U);
  EXPECT_EQ(surfaces[2].color, (Rgba{200, 10, 30, 255}));
  EXPECT_FALSE(surfaces[1].color);
}

TEST_F(ImporterLosses, FacesShrunkToNothingAreNoLoss) {
  // A prism one side of which is thinner than the kernel's tolerance.
  constexpr double k_thin = 5e-8;
  const MeshInput prism{
      {{0, 0, 0}, {1, 0, 0}, {1, k_thin, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, k_thin, 1}, {0, 1, 1}},
      {{0, 2, 1},
       {0, 3, 2},
       {4, 5, 6},
       {4, 6, 7},
       {0, 1, 5},
       {0, 5, 4},
       {1, 2, 6},
       {1, 6, 5},
       {2, 3, 7},
       {2, 7, 6},
       {3, 0, 4},
       {3, 4, 7}},
      std::vector<Surface>(6),
      {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}};
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"prism", Mesh::build(prism).value(), {}}));
  const auto loaded = read(text_of(assembly, "a.step"), "b.step");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(texts(loaded->losses()), Texts{});
  EXPECT_EQ(loaded->parts()[0].mesh.surfaces().size(), 6U);
  EXPECT_TRUE(inspect(loaded->parts()[0].mesh).closed);
}

}  // namespace
}  // namespace snug
