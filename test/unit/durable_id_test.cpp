#include "scenes/solids.hpp"

#include <snug/check.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace snug {
namespace {

struct Placed {
  std::string name;
  Pose pose;
  Mesh mesh = scenes::box({0, 0, 0}, {2, 2, 2});
};

/// An assembly as readers make it: names that repeat are numbered in order.
Assembly numbered(const std::vector<Placed>& parts, LengthUnit units = LengthUnit::millimetre) {
  Assembly assembly(units);
  std::map<std::string, int> met;
  for (const Placed& part : parts) {
    const int number = ++met[part.name];
    (void)assembly.add({part.name + (number > 1 ? '#' + std::to_string(number) : ""), part.mesh, part.pose}).value();
  }
  return assembly;
}

/// Ids of the findings with the plate, by where the other part is.
std::map<double, std::string> ids_by_place(const Assembly& assembly) {
  std::map<double, std::string> ids;
  for (const Finding& finding : check(assembly).findings) {
    const FindingSide& other = finding.a.part == "plate" ? finding.b : finding.a;
    ids[assembly.parts()[other.id].pose.translation().x] = finding.id;
  }
  return ids;
}

const Placed k_plate{"plate", {}, scenes::box({0, 0, -1}, {100, 5, 1})};

TEST(DurableId, IsOfThePathsWhereTheseAreTheirOwn) {
  const auto id = [](const Pose& pose, const Mesh& mesh) {
    return check(numbered({k_plate, {"bolt", pose, mesh}})).findings.at(0).id;
  };
  const std::string first = id(translation(3, 0, 0), scenes::box({0, 0, 0}, {2, 2, 2}));
  EXPECT_EQ(first, id(translation(50, 1, 0), scenes::box({0, 0, -1}, {3, 3, 3})));
  EXPECT_EQ(first.size(), 16U);
}

TEST(DurableId, OutlivesTheLossOfOtherInstances) {
  std::vector<Placed> parts{k_plate};
  for (const double x : {10, 20, 30, 40, 50}) parts.push_back({"sub/bolt", translation(x, 0, 0)});
  const auto before = ids_by_place(numbered(parts));
  ASSERT_EQ(before.size(), 5U);
  for (std::size_t gone = 1; gone <= 5; ++gone) {
    std::vector<Placed> rest = parts;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(gone));
    for (const auto& [x, id] : ids_by_place(numbered(rest))) EXPECT_EQ(before.at(x), id) << x << " without " << gone;
  }
}

TEST(DurableId, OutlivesTheLossOfAnInstanceOfASubAssembly) {
  const auto of = [](const std::vector<double>& places) {
    Assembly assembly = numbered({k_plate});
    int number = 0;
    for (const double x : places) {
      const std::string node = "bracket" + (++number > 1 ? '#' + std::to_string(number) : "");
      (void)assembly.add({node + "/bolt", scenes::box({0, 0, 0}, {2, 2, 2}), translation(x, 0, 0)}).value();
    }
    return ids_by_place(assembly);
  };
  const auto before = of({10, 20, 30}), after = of({20, 30});
  EXPECT_EQ(before.at(20), after.at(20));
  EXPECT_EQ(before.at(30), after.at(30));
  EXPECT_NE(after.at(20), after.at(30));
}

TEST(DurableId, TellsInstancesApartThatAreTurnedAboutOnePoint) {
  const Mesh blade = scenes::box({3, -1, -1}, {9, 1, 1});
  std::vector<Placed> parts{{"hub", {}, scenes::box({-4, -4, -1}, {4, 4, 1})}};
  for (int i = 0; i < 3; ++i) parts.push_back({"blade", rotation({0, 0, 1}, i * 1.5707963267948966), blade});
  std::map<std::string, int> ids;
  for (const Finding& finding : check(numbered(parts)).findings) ++ids[finding.id];
  EXPECT_EQ(ids.size(), 3U);
}

TEST(DurableId, TakesTheMiddleOfMeshesWhereFilesHaveNoPoses) {
  const auto of = [](const std::vector<double>& places) {
    std::vector<Placed> parts{k_plate};
    for (const double x : places) parts.push_back({"bolt", {}, scenes::box({x, 0, 0}, {x + 2, 2, 2})});
    std::map<double, std::string> ids;
    const Assembly assembly = numbered(parts);
    for (const Finding& finding : check(assembly).findings)
      ids[assembly.parts()[finding.a.id].mesh.bounds().lo.x] = finding.id;
    return ids;
  };
  const auto before = of({10, 20, 30}), after = of({10, 30});
  ASSERT_EQ(before.size(), 3U);
  EXPECT_EQ(before.at(10), after.at(10));
  EXPECT_EQ(before.at(30), after.at(30));
}

TEST(DurableId, IgnoresRoundingAndUnits) {
  const auto ids = [](double unit, double noise, LengthUnit units) {
    std::vector<std::string> out;
    std::vector<Placed> parts{{"plate", {}, scenes::box({0, 0, -unit}, {100 * unit, 5 * unit, unit})}};
    for (const double x : {0.0, 12.7, 25.40625, 60.0005})
      parts.push_back(
          {"bolt", translation(x * unit + noise, 0, 0), scenes::box({0, 0, 0}, {2 * unit, 2 * unit, 2 * unit})});
    for (const Finding& finding : check(numbered(parts, units)).findings) out.push_back(finding.id);
    std::ranges::sort(out);
    return out;
  };
  const auto exact = ids(1, 0, LengthUnit::millimetre);
  EXPECT_EQ(exact, ids(1, 1e-11, LengthUnit::millimetre));
  EXPECT_EQ(exact, ids(1, -1e-11, LengthUnit::millimetre));
  EXPECT_EQ(exact, ids(0.001, 0, LengthUnit::metre));
}

TEST(DurableId, NumbersOnlyInstancesThatCoincide) {
  const Assembly assembly = numbered(
      {k_plate, {"bolt", translation(9, 0, 0)}, {"bolt", translation(9, 0, 0)}, {"bolt", translation(50, 0, 0)}});
  std::map<std::string, int> ids;
  for (const Finding& finding : check(assembly).findings) ++ids[finding.id];
  EXPECT_EQ(ids.size(), 4U);  // three with the plate, and the two with each other
}

TEST(DurableId, TakesNumbersThatUsersGaveForNames) {
  const auto id = [](double x) {
    return check(numbered({k_plate, {"bolt#7", translation(x, 0, 0)}, {"bolt#8", translation(90, 0, 50)}}))
        .findings.at(0)
        .id;
  };
  EXPECT_EQ(id(10), id(20));
}

}  // namespace
}  // namespace snug
