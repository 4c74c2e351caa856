// Files from elsewhere, of whose content something is known.
#include "unit/io_support.hpp"

namespace snug {
namespace {

struct Known {
  std::string file;
  std::size_t parts, surfaces, triangles;  ///< surfaces 0: by crease angle, not counted
};

class KnownFile : public testing::TestWithParam<Known> {};

TEST_P(KnownFile, HasWhatItsAuthorsSay) {
  const Known& known = GetParam();
  if (test::data_dir().empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  const auto file = test::data_dir() / known.file;
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const auto loaded = test::load_assembly(file, test::in_mm());
  ASSERT_TRUE(loaded) << loaded.error().message();
  std::size_t surfaces = 0, triangles = 0;
  for (const Part& part : loaded->parts()) {
    if (known.surfaces > 0) surfaces += part.mesh.surfaces().size();
    triangles += part.mesh.triangles().size();
  }
  EXPECT_EQ(loaded->parts().size(), known.parts);
  EXPECT_EQ(surfaces, known.surfaces);
  EXPECT_EQ(triangles, known.triangles);
}

INSTANTIATE_TEST_SUITE_P(Data, KnownFile,
                         testing::Values(Known{"assemblies/box_sides.obj", 10, 417, 2'200},
                                         Known{"assemblies/sonde_xilinx.obj", 25, 1'307, 23'002},
                                         Known{"assemblies/motor_c.obj", 17, 223, 19'430},
                                         Known{"assemblies/excavator.obj", 5, 0, 62'898},
                                         Known{"meshes/env.obj", 1, 0, 2'180}, Known{"meshes/rob.obj", 1, 0, 216},
                                         Known{"meshes/busted.STL", 1, 0, 3'878}, Known{"meshes/soup.stl", 1, 0, 100},
                                         Known{"meshes/unit_cube.STL", 1, 0, 12},
                                         Known{"meshes/multibody.stl", 2, 0, 32}),
                         [](const auto& known) { return std::filesystem::path(known.param.file).stem().string(); });

}  // namespace
}  // namespace snug
