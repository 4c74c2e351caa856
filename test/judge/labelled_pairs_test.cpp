#include "judge_support.hpp"
#include "support.hpp"

#include <snug/triangle.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

// The labelled pairs of Shen, Heng and Tang (2003), Journal of Graphics Tools: 5,000 that intersect, 5,000 that do not.

namespace snug::judge {
namespace {

struct LabelledPair {
  Triangle a, b;
};

std::optional<std::vector<LabelledPair>> read_pairs(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  std::vector<LabelledPair> pairs;
  for (LabelledPair pair;; pairs.push_back(pair)) {
    for (Triangle* t : {&pair.a, &pair.b})
      for (Point3& p : t->corner)
        if (!(in >> p.x >> p.y >> p.z)) return pairs;
  }
}

void check_labels(const char* name, bool shares_point) {
  const std::filesystem::path file = test::data_dir() / "tritri" / name;
  const auto pairs = read_pairs(file);
  if (!pairs) GTEST_SKIP() << "no " << file << "; set SNUG_DATA to the folder that holds tritri/" << name;
  ASSERT_EQ(pairs->size(), 5'000U) << file;
  std::size_t wrong = 0;
  for (const LabelledPair& pair : *pairs) {
    if ((relation(pair.a, pair.b) != Relation::disjoint) == shares_point &&
        (relation(pair.b, pair.a) != Relation::disjoint) == shares_point)
      continue;
    if (++wrong <= 5) ADD_FAILURE() << name << to_hex(pair.a, pair.b);
  }
  std::printf("%s: %zu pairs, %zu wrong\n", name, pairs->size(), wrong);
}

TEST(LabelledPairs, IntersectedOnesShareAPoint) { check_labels("intersected.txt", true); }
TEST(LabelledPairs, SeparatedOnesDoNot) { check_labels("separated.txt", false); }

}  // namespace
}  // namespace snug::judge
