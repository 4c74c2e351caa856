#include "scenes/solids.hpp"
#include "unit/io_support.hpp"

#include <sys/stat.h>

namespace snug {
namespace {

using test::in_mm;
using test::TempDir;

Assembly box() {
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"box", scenes::box({0, 0, 0}, {1, 1, 1}), {}});
  return assembly;
}

TEST(Save, CancelledLeavesNothingBehind) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"knot", scenes::bumpy_knot(400, 60), {}});
  const auto kept = dir.write("knot.obj", "precious");
  CancelToken token;
  SaveOptions options;
  options.cancel = &token;
  options.progress = [&](double share) {
    if (share > 0.4) token.cancel();
  };
  const auto saved = save(assembly, kept, options);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, IoError::Code::cancelled);
  EXPECT_EQ(test::slurp(kept), "precious");
  EXPECT_EQ(dir.file_count(), 1U);
}

TEST(Save, TellsWhyItCannot) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  EXPECT_EQ(save(assembly, dir.path() / "a.obj").error().code, IoError::Code::unsupported);
  (void)assembly.add({"box", scenes::box({0, 0, 0}, {1, 1, 1}), {}});
  EXPECT_EQ(save(assembly, dir.path() / "no" / "a.obj").error().code, IoError::Code::unwritable);
  EXPECT_EQ(save(assembly, dir.path() / "a.xyz").error().code, IoError::Code::unknown_format);
  EXPECT_EQ(save(assembly, dir.path() / "a.gltf").error().code, IoError::Code::unsupported);
  std::filesystem::create_directory(dir.path() / "folder.obj");
  EXPECT_EQ(save(assembly, dir.path() / "folder.obj").error().code, IoError::Code::unwritable);
  EXPECT_TRUE(save(assembly, dir.path() / "odd.name", {.format = FileFormat::obj}));
  EXPECT_EQ(dir.file_count(), 2U);
  const auto full = save(assembly, "/dev/full");
  EXPECT_FALSE(full);
}

TEST(Save, ThroughALinkReplacesItsTarget) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"box", scenes::box({0, 0, 0}, {1, 1, 1}), {}});
  dir.write("target.obj", "old");
  std::filesystem::create_symlink("target.obj", dir.path() / "link.obj");
  ASSERT_TRUE(save(assembly, dir.path() / "link.obj"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "link.obj"));
  EXPECT_TRUE(test::load_assembly(dir.path() / "target.obj", in_mm()));
  EXPECT_EQ(dir.file_count(), 2U);
}

TEST(Save, CoordinatesBeyondFloatAreRefusedInBinaryStl) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"far", scenes::box({0, 0, 0}, {1, 1, 1e39}), {}});
  const auto saved = save(assembly, dir.path() / "a.stl");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().text, "part 'far' has coordinates too large for the floats of STL");
  EXPECT_EQ(dir.file_count(), 0U);
  EXPECT_TRUE(save(assembly, dir.path() / "a.stl", {.ascii = true}));
}

TEST(Save, ThroughALinkToNothingCreatesItsTarget) {
  const TempDir dir;
  std::filesystem::create_directory(dir.path() / "far");
  std::filesystem::create_symlink("far/target.obj", dir.path() / "second.obj");
  std::filesystem::create_symlink("second.obj", dir.path() / "link.obj");
  ASSERT_TRUE(save(box(), dir.path() / "link.obj"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "link.obj"));
  EXPECT_TRUE(test::load_assembly(dir.path() / "far/target.obj", in_mm()));
  std::filesystem::create_symlink("loop.obj", dir.path() / "loop.obj");
  EXPECT_EQ(save(box(), dir.path() / "loop.obj").error().code, IoError::Code::unwritable);
}

TEST(Save, KeepsTheModeOfWhatItReplaces) {
  const TempDir dir;
  const auto file = dir.write("a.obj", "old");
  for (const mode_t mode : {0600U, 0664U}) {
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    ASSERT_TRUE(save(box(), file));
    struct stat status = {};
    ASSERT_EQ(::stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, mode);
  }
}

TEST(Save, NamesMayBeAsLongAsTheyCan) {
  const TempDir dir;
  std::string name = ".obj";
  name.insert(0, 251, 'n');
  const auto file = dir.path() / name;
  const auto saved = save(box(), file);
  ASSERT_TRUE(saved) << saved.error().message();
  EXPECT_TRUE(test::load_assembly(file, in_mm()));
  EXPECT_EQ(dir.file_count(), 1U);
  const auto zero = save(box(), dir.path() / std::string("a\0.obj", 6));
  ASSERT_FALSE(zero);
  EXPECT_EQ(zero.error().text, "has a zero byte in its name");
  EXPECT_EQ(dir.file_count(), 1U);
}

TEST(Save, TellsWhatTheFormatCannotKeep) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"can", scenes::cylinder(1, 2, 6), {}});
  (void)assembly.add({"box", scenes::box({0, 0, 0}, {1, 1, 0.5}), {}});
  const auto losses = [&](std::string_view name, bool ascii = false) {
    std::vector<Problem> problems;
    EXPECT_TRUE(save(assembly, dir.path() / name, {.ascii = ascii, .problems = &problems}));
    std::vector<std::string> texts;
    for (const Problem& p : problems) texts.push_back(p.part + ": " + p.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(losses("x.ply"), Texts{": kinds of surfaces are kept, their axes and radii are not"});
  EXPECT_EQ(losses("x.off"),
            (Texts{": 2 parts become one", "can: its 3 surfaces are not kept", "box: its 6 surfaces are not kept"}));
  EXPECT_EQ(losses("x.step"), Texts{});
  EXPECT_EQ(losses("x.stl"),
            (Texts{": 2 parts become one", "can: coordinates rounded to single precision, by up to 1.55436e-08 mm",
                   "can: its 3 surfaces are not kept", "box: its 6 surfaces are not kept"}));
  EXPECT_EQ(losses("x.stl", true), (Texts{"can: its 3 surfaces are not kept", "box: its 6 surfaces are not kept"}));
  EXPECT_EQ(losses("x.obj"), (Texts{"can: kinds and sags of its surfaces are not kept",
                                    "box: kinds and sags of its surfaces are not kept"}));
  EXPECT_EQ(losses("x.glb"), Texts{});  // what floats do not hold is noted beside them

  (void)assembly.add({"red", scenes::box({0, 0, 0}, {1, 1, 0.5}), {}, Rgba{255, 0, 0, 255}});
  EXPECT_EQ(losses("x.off").back(), ": colours are not kept");

  std::vector<Problem> problems;
  (void)assembly.add({"far", scenes::box({0, 0, 0}, {1, 1, 1e39}), {}});
  EXPECT_FALSE(save(assembly, dir.path() / "x.stl", {.problems = &problems}));
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace snug
