#include "report/json_document.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

#include "scenes/solids.hpp"
#include "scenes/workbench.hpp"

#include <snug/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

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
  EXPECT_EQ(printable("bolt\u200B\u00AD\uFEFF"), "bolt???");
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

TEST(ShortNumber, HasNoDigitsBelowTheResolution) {
  EXPECT_EQ(short_number(3.51e-13, 1e-12), "0");
  EXPECT_EQ(short_number(-3.51e-13, 1e-12), "0");
  EXPECT_EQ(short_number(0.25, 1e-12), "0.25");
  EXPECT_EQ(short_number(5.3e9), "5300000000");
}

TEST(VolumeOf, SaysHowLargeItMayBeWhereItsErrorExceedsIt) {
  Finding finding;
  EXPECT_EQ(volume_of(finding, LengthUnit::millimetre), "");
  finding.volume = OverlapVolume{12.5, 0};
  EXPECT_EQ(volume_of(finding, LengthUnit::millimetre), "12.5 mm³");
  finding.volume = OverlapVolume{12.5, 1};
  EXPECT_EQ(volume_of(finding, LengthUnit::millimetre), "12.5 mm³");
  finding.volume = OverlapVolume{0.5, 3.5};
  EXPECT_EQ(volume_of(finding, LengthUnit::millimetre), "up to 4 mm³");
  finding.volume = OverlapVolume{2e-9, 2e-9};
  EXPECT_EQ(volume_of(finding, LengthUnit::millimetre), "up to 4e-09 mm³");
}

TEST(Coordinate, HasTheDigitsThatLocateAPart) {
  EXPECT_EQ(coordinate(5300000000.25, 0.001), "5300000000.25");
  EXPECT_EQ(coordinate(-5300000000.25, 10), "-5300000000");
  EXPECT_EQ(coordinate(12.3456, 0.02), "12.35");
  EXPECT_EQ(coordinate(40, 0.001), "40");
  EXPECT_EQ(coordinate(100, 1), "100");
  EXPECT_EQ(coordinate(-1e-17, 0.001), "0");
  EXPECT_EQ(coordinate(-0.0, 0), "0");
  EXPECT_EQ(coordinate(-0.0004, 0.001), "0");
  EXPECT_EQ(coordinate(1.25e-12, 1e-15), "1.25e-12");
  EXPECT_EQ(coordinate(1.25e300, 1e290), "1.25e+300");
  EXPECT_EQ(coordinate(0.1, 0), "0.10000000000000001");
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
  const CheckOptions options{.tolerances = {.clearance = 2.5}};
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
    const CheckOptions options{.tolerances = {.clearance = 0.5}};
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

/// A row per finding: the names of the parts, in the order of the table.
std::vector<std::string> rows_of(const std::string& text, std::string_view verdict) {
  std::vector<std::string> rows;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("  " + std::string(verdict) + ' ') && line.find("mm deep") != std::string::npos)
      rows.push_back(line);
  }
  return rows;
}

/// Three posts that reach 1, 3 and 2 mm into a plate, the second one narrow.
Assembly posts() {
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"plate", scenes::box({0, 0, -10}, {100, 40, 0}), {}}).value();
  (void)assembly.add({"post one", scenes::box({10, 10, -1}, {30, 30, 9}), {}}).value();
  (void)assembly.add({"post two", scenes::box({40, 10, -3}, {44, 14, 9}), {}}).value();
  (void)assembly.add({"post three", scenes::box({60, 10, -2}, {80, 30, 9}), {}}).value();
  return assembly;
}

TEST(CheckText, PutsTheThickestOverlapFirst) {
  const Assembly assembly = posts();
  const CheckReport report = check(assembly);
  const auto order = [&](FindingOrder asked) {
    std::string names;
    for (const std::string& row : rows_of(check_text(assembly, {}, report, {.width = 160, .order = asked}), "clash"))
      for (const char* name : {"one", "two", "three"})
        if (row.find(name) != std::string::npos) names += std::string(name) + ' ';
    return names;
  };
  EXPECT_EQ(check_text(assembly, {}, report), check_text(assembly, {}, report, {.order = FindingOrder::depth}));
  EXPECT_EQ(order(FindingOrder::depth), "two three one ");
  EXPECT_EQ(order(FindingOrder::volume), "three one two ");
  EXPECT_EQ(order(FindingOrder::name), "one three two ");
}

TEST(SortFindings, IsATotalOrder) {
  const Assembly assembly = scenes::workbench();
  const CheckReport report = check(assembly, {.tolerances = {.clearance = 2.5}});
  for (const FindingOrder order : {FindingOrder::depth, FindingOrder::name, FindingOrder::volume}) {
    EXPECT_EQ(parse_finding_order(to_string(order)), order);
    std::vector<Finding> forward = report.findings, backward(report.findings.rbegin(), report.findings.rend());
    sort_findings(forward, order);
    sort_findings(backward, order);
    for (std::size_t i = 0; i < forward.size(); ++i) EXPECT_EQ(forward[i].id, backward[i].id);
  }
  EXPECT_FALSE(parse_finding_order("size"));
}

TEST(CheckText, HasTheIdOfEachFinding) {
  const Assembly assembly = scenes::workbench();
  const CheckOptions options{.tolerances = {.clearance = 2.5}};
  const CheckReport report = check(assembly, options);
  for (const std::size_t width : {60U, 80U, 127U, 128U, 160U}) {
    const std::string text = check_text(assembly, options, report, {.width = width});
    for (const Finding& finding : report.findings) EXPECT_NE(text.find(finding.id), std::string::npos) << width;
  }
}

TEST(CheckText, LocatesPartsFarFromTheOrigin) {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh cube = scenes::box({0, 0, 0}, {1, 1, 1});
  (void)assembly.add({"a", cube, translation(5.3e9, 0, -1e-9)}).value();
  (void)assembly.add({"b", cube, translation(5.3e9 + 0.5, 0, -1e-9)}).value();
  const std::string text = check_text(assembly, {}, check(assembly), {.width = 160});
  EXPECT_NE(text.find("(5300000000.75, "), std::string::npos) << text;
}

TEST(CheckText, FitsANarrowPage) {
  const Assembly assembly = scenes::workbench();
  const CheckOptions options{.tolerances = {.clearance = 2.5}};
  const CheckReport report = check(assembly, options);
  for (const std::size_t width : {60U, 80U, 100U, 110U, 128U, 160U}) {
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
