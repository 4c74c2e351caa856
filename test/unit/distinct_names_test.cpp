#include "report/distinct_names.hpp"
#include "report/text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace snug::report {
namespace {

std::vector<std::string> texts(const std::vector<std::string>& names, std::size_t width) {
  const DistinctNames shown({names.begin(), names.end()}, width);
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(shown[name]);
  return out;
}

TEST(DistinctNames, LeavesShortNamesAlone) {
  EXPECT_EQ(texts({"lid", "case", "lid"}, 10), (std::vector<std::string>{"lid", "case", "lid"}));
}

TEST(DistinctNames, KeepsWhatDiffersInTheMiddle) {
  const std::vector<std::string> names{"gearbox/housing left side/bolt M6x20 ISO 4762",
                                       "gearbox/housing right side/bolt M6x20 ISO 4762"};
  const auto shown = texts(names, 20);
  EXPECT_NE(shown[0].find("left"), std::string::npos) << shown[0];
  EXPECT_NE(shown[1].find("right"), std::string::npos) << shown[1];
  for (const std::string& text : shown) EXPECT_LE(display_width(text), 20U) << text;
}

TEST(DistinctNames, NeverShowsTwoNamesByOneText) {
  std::vector<std::string> names;
  for (const char* beginning : {"machine", "machinery"})
    for (int module = 0; module < 12; ++module)
      for (const char* middle : {"/a rather long description of what it is ", "/部品の長い説明文がここにあります "})
        for (int number = 0; number < 12; ++number)
          names.push_back(beginning + std::string("/module ") + std::to_string(module) + middle +
                          std::to_string(number) + "/screw with a long end that all have");
  names.emplace_back(60, 'x');
  names.emplace_back(61, 'x');
  names.emplace_back("module…screw");
  for (std::size_t width = 0; width < 60; width += 4) {
    SCOPED_TRACE(width);
    const auto shown = texts(names, width);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), names.size());
  }
  // Where there is room to tell them apart, there is room for all.
  for (const std::string& text : texts({names.begin(), names.end() - 3}, 40))
    EXPECT_LE(display_width(text), 40U) << text;
}

TEST(DistinctNames, TellsHiddenCharactersApart) {
  const auto shown = texts({"bolt", "bolt\x01", "bolt\x02", "bolt\u200B", "bolt\\x01"}, 40);
  EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), 5U);
  for (const std::string& text : shown) EXPECT_EQ(printable(text), text);
  EXPECT_EQ(shown[1], "bolt\\x01");
}

}  // namespace
}  // namespace snug::report
