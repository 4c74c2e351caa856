#include "support/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace snug::support {
namespace {

TEST(NearestName, CountsAnExchangeOfNeighboursAsOneMistake) {
  EXPECT_EQ(support::edit_distance("teh", "the"), 1U);
  EXPECT_EQ(support::edit_distance("kitten", "Sitting"), 3U);
  EXPECT_EQ(support::edit_distance("", "abc"), 3U);
  const std::array<std::string, 2> names{"pin", "ab"};
  EXPECT_EQ(nearest_name("ba", names), "ab");
  EXPECT_EQ(nearest_name("xy", names), std::nullopt);
}

}  // namespace
}  // namespace snug::support
