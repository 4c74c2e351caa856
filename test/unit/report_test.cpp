#include "report/json_document.hpp"
#include "report/text.hpp"

#include "scenes/solids.hpp"
#include "scenes/workbench.hpp"

#include <snug/report.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace snug {
namespace {

using namespace report;

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("plate"), 5U);
  EXPECT_EQ(display_width("Gehäuse"), 7U);
  EXPECT_EQ(display_width("部品"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\U0001F529"), 2U);
  EXPECT_EQ(display_width("\xff\xfe"), 2U);  // one '?' each
}

TEST(Printable, LeavesNothingThatMovesTheCursor) {
  EXPECT_EQ(printable("a\x1b[31mb\n\x7f\u0085\u202Ec"), "a?[31mb????c");
  EXPECT_EQ(printable("\xC3"), "?");
  EXPECT_EQ(printable("\xED\xA0\x80"), "???");
  EXPECT_EQ(printable("部品"), "部品");
}

TEST(Shortened, KeepsTheEndByWhichNamesDiffer) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("gearbox/housing/bolt 12", 10), "gea…olt 12");
  for (std::size_t width = 0; width < 12; ++width)
    EXPECT_LE(display_width(shortened("部品部品部品部品", width)), width);
  EXPECT_EQ(cut("abcdef", 4), "abc…");
}

TEST(ShortNumber, IsReadable) {
  EXPECT_EQ(short_number(0.5), "0.5");
  EXPECT_EQ(short_number(-0.0), "0");
  EXPECT_EQ(short_number(12345.678), "12346");
  EXPECT_EQ(short_number(2.13162e-13), "2.132e-13");
  EXPECT_EQ(short_number(9999.6), "10000");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(grouped(1234), "1234");
}

TEST(Wrapped, BreaksAtBlanks) { EXPECT_EQ(wrapped("one two three", 2, 9), "one two\n  three"); }

TEST(Table, LinesUpAndDropsEmptyColumns) {
  Table table;
  table.column("name");
  table.column("none");
  table.column("n", Table::Align::right);
  table.row({{"部品"}, {}, {"1"}});
  table.row({{"a"}, {}, {"10"}});
  EXPECT_EQ(table.render(80, false), "  name   n\n  部品   1\n  a     10\n");
}

TEST(JsonDocument, NeverWritesWhatIsNotJson) {
  JsonDocument json;
  json.begin_object();
  json.key("a").value(std::nan(""));
  json.key("b").list(std::array{1.5, -0.0, std::numeric_limits<double>::infinity()});
  json.key("c").value(Vec3{0, std::nan(""), 0});
  json.key("d").value("q\"\n\xff");
  json.key("e").begin_array();
  json.end_array();
  json.end_object();
  EXPECT_EQ(json.finish(),
            "{\n  \"a\": null,\n  \"b\": [1.5, 0, null],\n  \"c\": null,\n  \"d\": \"q\\\"\\u000a\\ufffd\",\n  \"e\": "
            "[]\n}\n");
}

TEST(Describe, TellsVolumesAndOddities) {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh box = scenes::box({0, 0, 0}, {2, 3, 4});
  (void)assembly.add({"box", box, translation(10, 0, 0)}).value();
  (void)assembly.add({"twin", box, Pose{}}).value();
  MeshInput open{.vertices = {box.vertices().begin(), box.vertices().end()},
                 .triangles = {box.triangles().begin() + 1, box.triangles().end()},
                 .surfaces = {},
                 .surface_of_triangle = {}};
  (void)assembly.add({"open", Mesh::build(open).value(), Pose{}}).value();
  assembly.add_problem({"twin", "renamed"});
  assembly.add_problem({"", "of the file"});

  const AssemblyInfo info = describe(assembly);
  ASSERT_EQ(info.parts.size(), 3U);
  EXPECT_EQ(info.parts[0].volume, 24);
  EXPECT_EQ(info.parts[0].bounds, (Aabb{{10, 0, 0}, {12, 3, 4}}));
  EXPECT_TRUE(info.parts[0].problems.empty());
  EXPECT_EQ(info.parts[1].problems, std::vector<std::string>{"renamed"});
  EXPECT_FALSE(info.parts[2].closed);
  EXPECT_FALSE(info.parts[2].volume.has_value());
  ASSERT_FALSE(info.parts[2].problems.empty());
  EXPECT_TRUE(info.parts[2].problems.front().starts_with("3 open edges: "));
  EXPECT_EQ(info.problems, std::vector<std::string>{"of the file"});
}

TEST(CheckText, IsTheSameForEveryColourButForColours) {
  const Assembly assembly = scenes::workbench();
  const CheckOptions options{.clearance = 2.5};
  const CheckReport report = check(assembly, options);
  const std::string plain = check_text(assembly, options, report);
  std::string colored = check_text(assembly, options, report, {.color = true});
  EXPECT_NE(colored, plain);
  for (std::size_t at; (at = colored.find('\x1b')) != std::string::npos;)
    colored.erase(at, colored.find('m', at) - at + 1);
  EXPECT_EQ(colored, plain);
}

}  // namespace
}  // namespace snug
