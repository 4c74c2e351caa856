#include "scenes/contact_cases.hpp"
#include "scenes/contact_push.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

// Pegs in holes: their walls meet along a whole arc, in long triangles that slant across any one way out.

namespace snug {
namespace {

using scenes::deepest_of;
using scenes::Random;

/// A peg with a way out to the side: as deep as it reaches into the wall, the same whichever body comes first, and free where contacts push
/// it. True if it meets the wall.
bool expect_way_out(const scenes::PegInHole& it, Scratch& scratch) {
  const double reach = it.reach();
  const Contacts found = contacts(it.peg, it.pose, it.hole, {}, scratch).value();
  EXPECT_EQ(found.touching(), reach > 0);
  if (reach < 0) return false;
  EXPECT_LE(deepest_of(found), 1.5 * reach);
  const Contacts exchanged = contacts(it.hole, {}, it.peg, it.pose, scratch).value();
  EXPECT_EQ(deepest_of(exchanged), deepest_of(found));
  EXPECT_EQ(exchanged.contacts.size(), found.contacts.size());
  const scenes::Pushed pushed = scenes::push_out(it.peg, it.pose, it.hole, {}, 40, scratch);
  EXPECT_TRUE(pushed.free);
  // No further than back to the middle.
  EXPECT_LE(pushed.moved.length(), 1.5 * it.aside);
  return true;
}

TEST(ContactPegs, AreToldAsDeepAsTheyAreAndFindTheirWayOut) {
  Scratch scratch;
  std::uint64_t compared = 0, clear = 0;
  // The first three: triangles that overlap by far more along the blended normal of the wall than across their own faces.
  std::vector<std::uint64_t> seeds{5804, 10488, 14426};
  for (std::uint64_t seed = 0; seed < test::scaled(1500); ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const scenes::PegInHole it = scenes::some_peg(seed);
    if (std::abs(it.reach()) < 1e-6) continue;
    ++(expect_way_out(it, scratch) ? compared : clear);
  }
  EXPECT_GT(compared, test::scaled(1500) / 4);
  EXPECT_GT(clear, test::scaled(1500) / 8);
}

TEST(ContactPegs, ThatTaperFindTheirWayOut) {
  Scratch scratch;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    const scenes::PegInHole it = scenes::some_tapered_peg(seed);
    if (std::abs(it.reach()) < 1e-6) continue;
    compared += expect_way_out(it, scratch) ? 1 : 0;
  }
  EXPECT_GT(compared, test::scaled(400) / 4);
}

TEST(ContactPegs, WithLobesAreNoDeeperThanAKnownWayOut) {
  Scratch scratch;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    const auto it = scenes::some_lobed_shaft(seed);
    if (!it) continue;
    ++compared;
    const Contacts found = contacts(it->shaft, it->pose, it->hole, {}, scratch).value();
    EXPECT_LE(deepest_of(found), 1.5 * it->way.length());
    EXPECT_TRUE(scenes::push_out(it->shaft, it->pose, it->hole, {}, 3, scratch).free);
  }
  EXPECT_GT(compared, test::scaled(100) / 2);
}

TEST(ContactPegs, ThatBiteIntoTheWallAllAroundAreToldHowFar) {
  // There is no way out to the side, and none is told that leads all the way through.
  Scratch scratch;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(800); ++seed) {
    SCOPED_TRACE(seed);
    const scenes::PegInHole it = scenes::some_tight_peg(seed);
    const double reach = it.reach();
    if (std::abs(reach) < 1e-6) continue;
    const Contacts found = contacts(it.peg, it.pose, it.hole, {}, scratch).value();
    ASSERT_EQ(found.touching(), reach > 0);
    if (reach < 0) continue;
    ++compared;
    EXPECT_LE(deepest_of(found), 1.5 * reach);
    const Contacts exchanged = contacts(it.hole, {}, it.peg, it.pose, scratch).value();
    EXPECT_EQ(deepest_of(exchanged), deepest_of(found));
    EXPECT_EQ(exchanged.contacts.size(), found.contacts.size());
  }
  EXPECT_GT(compared, test::scaled(800) / 2);
}

}  // namespace
}  // namespace snug
