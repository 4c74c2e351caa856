// COLLADA files that contradict themselves are refused, with the line, instead of losing geometry.
#include "unit/io_support.hpp"

#include <gtest/gtest.h>

namespace snug {
namespace {

using test::error_of;
using test::load_text;

/// Two triangles' vertices in one source, one triangle's in another, and the primitives given.
std::string file_of(const std::string& primitives, const std::string& nodes = "") {
  const auto source = [](const std::string& id, const std::string& count, const std::string& numbers) {
    return "<source id=\"s" + id + "\"><float_array id=\"a" + id + "\" count=\"" +
           std::to_string(3 * std::stoi(count)) + "\">" + numbers +
           "</float_array><technique_common><accessor source=\"#a" + id + "\" count=\"" + count +
           "\" stride=\"3\"><param name=\"X\"/><param name=\"Y\"/><param "
           "name=\"Z\"/></accessor></technique_common></source>" +
           "<vertices id=\"v" + id + "\"><input semantic=\"POSITION\" source=\"#s" + id + "\"/></vertices>\n";
  };
  return "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
         "<asset><unit meter=\"1\"/></asset>\n<library_geometries><geometry id=\"g\"><mesh>" +
         source("1", "4", "0 0 0 1 0 0 1 1 0 0 1 0") + source("2", "3", "0 0 5 1 0 5 0 1 5") + primitives +
         "</mesh></geometry></library_geometries>\n" + nodes +
         "<library_visual_scenes><visual_scene id=\"w\"><node name=\"n\">" +
         (nodes.empty() ? "<instance_geometry url=\"#g\"/>" : "<instance_node url=\"#n0\"/>") +
         "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#w\"/></scene></COLLADA>\n";
}
std::string polylist(const std::string& vertices, const std::string& sizes, const std::string& corners) {
  return "<polylist count=\"1\"><input semantic=\"VERTEX\" source=\"#" + vertices + "\" offset=\"0\"/><vcount>" +
         sizes + "</vcount><p>" + corners + "</p></polylist>";
}

TEST(Collada, ReadsEachPolygonOfItsOwnVertices) {
  const auto loaded = load_text(file_of(polylist("v1", "4", "0 1 2 3") + polylist("v2", "3", "0 1 2")), "a.dae", {});
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->parts()[0].mesh.triangles().size(), 3U);
}

TEST(Collada, RefusesCornersThatNoPolygonCounts) {
  EXPECT_NE(error_of(file_of(polylist("v1", "3", "0 1 2 3 0 2")), "a.dae").find("<vcount> counts 3"),
            std::string::npos);
  EXPECT_NE(error_of(file_of(polylist("v1", "3 3 3", "0 1 2 3 0 2")), "a.dae").find("shorter"), std::string::npos);
}

TEST(Collada, RefusesVerticesOfAnotherSource) {
  const std::string both = polylist("v2", "3", "0 1 2") + polylist("v1", "3", "0 1 2");
  EXPECT_NE(error_of(file_of(both + polylist("v2", "3", "0 1 3")), "a.dae").find("vertex 3 of 3"), std::string::npos);
}

TEST(Collada, EndsSoonWhereInstancesOfLongNamesMultiply) {
  std::string nodes = "<library_nodes>";
  const std::string name(100'000, 'x');
  for (int i = 0; i < 18; ++i) {
    const std::string next =
        i == 17 ? "<instance_geometry url=\"#g\"/>" : "<instance_node url=\"#n" + std::to_string(i + 1) + "\"/>";
    nodes +=
        "<node id=\"n" + std::to_string(i) + "\" name=\"" + name + "\">" + next + (i == 17 ? "" : next) + "</node>";
  }
  const std::string error = error_of(file_of(polylist("v1", "4", "0 1 2 3"), nodes + "</library_nodes>"), "a.dae");
  EXPECT_NE(error.find("256 MiB"), std::string::npos) << error;
}

}  // namespace
}  // namespace snug
