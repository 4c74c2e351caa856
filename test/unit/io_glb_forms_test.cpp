// What GLB notes about surfaces is held against the triangles: a note is anybody's word.
#include "scenes/solids.hpp"
#include "unit/firmness_parts.hpp"
#include "unit/io_gltf_builder.hpp"

#include <snug/io.hpp>

#include <algorithm>

namespace snug {
namespace {

class GlbForms : public test::Glb {
 protected:
  /// Written as GLB, with one text replaced by another of the same length, and read again.
  Assembly reread(const Assembly& assembly, const std::string& from = "", const std::string& to = "") {
    save(assembly, dir_.path() / "x.glb").value();
    std::string bytes = test::slurp(dir_.path() / "x.glb");
    EXPECT_EQ(from.size(), to.size());
    const auto at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) bytes.replace(at, from.size(), to);
    return test::load_assembly(dir_.write("y.glb", bytes)).value();
  }
  test::TempDir dir_;
};

const std::string k_name = "a name as long as a scale";

Assembly pin(double noted_radius) {
  MeshInput in = test::input_of(test::with_sag(scenes::cylinder(10, 40, 64), test::chord_sag(10, 64), 1e-7));
  for (Surface& surface : in.surfaces)
    if (surface.kind == SurfaceKind::cylinder) surface.analytic->radius = noted_radius;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({k_name, Mesh::build(std::move(in)).value(), {}}).value();
  return assembly;
}

const Surface& round_of(const Assembly& assembly) {
  const auto surfaces = assembly.parts()[0].mesh.surfaces();
  return *std::ranges::max_element(surfaces, {}, [&](const Surface& surface) {
    return assembly.parts()[0].mesh.triangles_of(static_cast<std::uint32_t>(&surface - surfaces.data())).size();
  });
}

TEST_F(GlbForms, FormThatFitsIsKept) {
  const Assembly read = reread(pin(10.01));  // off by less than the sag
  EXPECT_TRUE(read.problems().empty());
  EXPECT_EQ(round_of(read).kind, SurfaceKind::cylinder);
  ASSERT_TRUE(round_of(read).analytic);
  EXPECT_EQ(round_of(read).analytic->radius, 10.01);
}

TEST_F(GlbForms, FormThatTheTrianglesDoNotLieOnIsDropped) {
  for (const double radius : {10.02, 9.98, 10.3, 1e9}) {
    SCOPED_TRACE(radius);
    const Assembly read = reread(pin(radius));
    EXPECT_EQ(round_of(read).kind, SurfaceKind::unknown);
    EXPECT_FALSE(round_of(read).analytic);
    EXPECT_EQ(round_of(read).sag.value, test::chord_sag(10, 64));
    ASSERT_EQ(read.problems().size(), 1U);
    EXPECT_NE(read.problems()[0].text.find("1 surface is noted to be what the triangles do not lie on"),
              std::string::npos);
  }
}

TEST_F(GlbForms, SagAndToleranceGrowWithTheNode) {
  std::string name = "\"name\":\"" + k_name + '"', scale = "\"scale\":[100,100,100]";
  scale.resize(name.size(), ' ');
  const Surface even = round_of(reread(pin(10), name, scale));
  EXPECT_DOUBLE_EQ(even.sag.value, 100 * test::chord_sag(10, 64));
  EXPECT_DOUBLE_EQ(even.tolerance, 100 * 1e-7);
  scale = "\"scale\":[2,-7,0.5]";
  scale.resize(name.size(), ' ');
  const Surface uneven = round_of(reread(pin(10), name, scale));
  EXPECT_DOUBLE_EQ(uneven.sag.value, 7 * test::chord_sag(10, 64));
  EXPECT_FALSE(uneven.analytic);
}

}  // namespace
}  // namespace snug
