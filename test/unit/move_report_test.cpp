#include "report/time_bar.hpp"
#include "scenes/workbench.hpp"

#include <snug/move_report.hpp>

#include <gtest/gtest.h>

namespace snug {
namespace {

using report::spans_text;
using report::time_bar;
using report::time_text;

PathPairReport pair_with(std::vector<TimeSpan> clash, std::vector<TimeSpan> touch = {},
                         std::vector<TimeSpan> undecided = {}) {
  PathPairReport pair;
  pair.intervals = std::move(clash), pair.touch_intervals = std::move(touch), pair.undecided = std::move(undecided);
  return pair;
}

TEST(TimeBar, ShowsTheGravestOfEachColumn) {
  const TimeSpan range{2, 12};
  EXPECT_EQ(time_bar(pair_with({}), range, 10), "..........");
  EXPECT_EQ(time_bar(pair_with({{2, 12}}), range, 10), "##########");
  EXPECT_EQ(time_bar(pair_with({{4, 6}}, {{3, 8}}), range, 10), ".=##==....");
  EXPECT_EQ(time_bar(pair_with({}, {}, {{11, 12}}), range, 10), ".........?");
  // An instant has a column; a rounding does not.
  EXPECT_EQ(time_bar(pair_with({{5.5, 5.5}}), range, 10), "...#......");
  EXPECT_EQ(time_bar(pair_with({{3.999999, 6.000001}}), range, 10), "..##......");
  EXPECT_EQ(time_bar(pair_with({{12, 12}}), range, 10), ".........#");
  EXPECT_EQ(time_bar(pair_with({{5, 5}}), {5, 5}, 4), "#...");
  PathPairReport near = pair_with({});
  near.smallest_gap.emplace().t = 2;
  EXPECT_EQ(time_bar(near, range, 10), "v.........");
}

TEST(TimeBar, TellsTimesAsFinelyAsReadersNeed) {
  EXPECT_EQ(time_text(9.5e-7, {0, 1}), "0");
  EXPECT_EQ(time_text(0.333333333, {0, 1}), "0.3333");
  EXPECT_EQ(time_text(-0.0, {0, 1}), "0");
  EXPECT_EQ(time_text(7, {7, 7}), "7");
  const std::vector<TimeSpan> spans{{0, 0.5}, {0.75, 0.75}, {1, 2}, {3, 4}};
  EXPECT_EQ(spans_text(spans, {0, 4}), "0 to 0.5, 0.75, 1 to 2 +1");
}

TEST(MoveText, NamesPartsFacesAndTimes) {
  const Assembly bench = scenes::workbench();
  PathReport report;
  report.range = {0, 4};
  report.coverage.parts = 2, report.coverage.parts_moving = 1;
  report.coverage.pairs_possible = report.coverage.pairs_tested = 1;
  report.coverage.complete = true;
  PathFinding finding;
  finding.verdict = Verdict::clash;
  finding.intervals = {{1, 2}};
  finding.a = {bench.parts()[0].path, 0, {0}};
  finding.b = {bench.parts()[1].path, 1, {0}};
  finding.id = "0123456789abcdef";
  finding.surface_pairs = {{0, 0, {{1, 2}}, {}}};
  report.findings = {finding, finding};
  report.findings[1].verdict = Verdict::touch;
  report.findings[1].at_rest = true;
  report.count[static_cast<std::size_t>(Verdict::clash)] = 1;
  report.count[static_cast<std::size_t>(Verdict::touch)] = 1;
  MoveSource source{
      .inputs = {}, .motion = InputFile{"way\x1b.json", std::nullopt}, .moving = {finding.a.part}, .run = {}};
  for (const std::size_t width : {60U, 100U, 160U}) {
    const std::string text = move_text(bench, {}, report, source, {.color = false, .width = width});
    EXPECT_NE(text.find("clash 1 to 2"), std::string::npos) << text;
    EXPECT_NE(text.find("faces: "), std::string::npos);
    EXPECT_NE(text.find("#"), std::string::npos);
    EXPECT_NE(text.find("1 of them touch"), std::string::npos);
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << "names can not drive the terminal";
  }
  const std::string json = move_json(bench, {}, report, source);
  EXPECT_NE(json.find("\"schema\": \"snug.move/1\""), std::string::npos);
  EXPECT_NE(json.find("\"intervals\": [[1, 2]]"), std::string::npos) << json;
}

}  // namespace
}  // namespace snug
