#include "report/json_document.hpp"
#include "report/text.hpp"

#include "scenes/solids.hpp"
#include "scenes/workbench.hpp"

#include <snug/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(CheckText, TellsFitsInWords) {
  const auto text = [](double pin, const Pose& at) {
    Assembly assembly(LengthUnit::millimetre);
    (void)assembly.add({"bush", scenes::pipe(9, 5, 10, 24), at}).value();
    (void)assembly.add({"pin", scenes::cylinder(pin, 10, 24), at}).value();
    const CheckOptions options{.clearance = 0.5};
    return check_text(assembly, options, check(assembly, options), {.width = 300});
  };
  const Pose tilted = compose(translation(3, 4, 5), rotation({1, 2, 3}, 0.7));
  for (const Pose& at : {Pose{}, tilted}) {
    // Equal but for rounding: nobody can build that as a clearance.
    for (const double pin : {5.0, std::nextafter(5.0, 0.0), std::nextafter(5.0, 9.0)})
      EXPECT_NE(text(pin, at).find("fit: line to line"), std::string::npos) << text(pin, at);
    EXPECT_NE(text(4.9, at).find("fit: clearance 0.1 mm"), std::string::npos) << text(4.9, at);
    EXPECT_NE(text(5.1, at).find("fit: interference 0.1 mm"), std::string::npos) << text(5.1, at);
  }
}

TEST(CheckText, FitsANarrowPage) {
  const Assembly assembly = scenes::workbench();
  const CheckOptions options{.clearance = 2.5};
  const CheckReport report = check(assembly, options);
  for (const std::size_t width : {60U, 80U, 100U, 160U}) {
    SCOPED_TRACE(width);
    for (const std::string& text : {check_text(assembly, options, report, {.width = width}),
                                    info_text(assembly, describe(assembly), {.width = width})})
      for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
        end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        const auto glyphs = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
        EXPECT_LE(static_cast<std::size_t>(glyphs), std::max<std::size_t>(width, 70)) << line;
      }
  }
}

}  // namespace
}  // namespace snug
