// Conservative advancement by itself: what first_contact() never gives it.
#include "ccd/advancement.hpp"
#include "scenes/solids.hpp"
#include "shape/shape_data.hpp"
#include "shape/trees.hpp"

#include <snug/diagnostics.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace snug::ccd {
namespace {

TEST(Advancement, AnswersNotNoWhereItContradictsWhatItKnows) {
  // Two fine balls pass each other closely: many pairs are looked at, and none is in contact.
  const Shape ball(scenes::sphere(1, 48, 72));
  const Motion resting = Motion::make({{0, {}}}).value();
  const Motion passing =
      Motion::make({{0, translation(-0.5, 1.4145, 1.4145)}, {1, translation(0.5, 1.4145, 1.4145)}}).value();
  const double radius = detail::Access::data(ball).get<NodeBoxes>().radius;
  AdvancementMemory memory;
  ASSERT_TRUE(memory.motion.set(resting, radius, passing, radius, {0, 1}, 4));
  static int broken;
  broken = 0;
  set_assert_handler([](const char*, const char*, int) { ++broken; });
  for (const bool lies : {false, true}) {
    MovingBody a(ball, resting), b(ball, passing);
    // Somebody claims contact before the end, where there is none.
    const AdvancementTask task{{0, 1}, {0, 4}, 0, nullptr, [&](double t) { return lies && t > 0.4 && t < 0.6; }};
    const Outcome<FirstContact> out = advance(a, b, task, {}, memory);
    EXPECT_GT(out.known.pairs, 64U) << "else it would not have looked ahead";
    EXPECT_FALSE(out.yes());
    EXPECT_EQ(out.no(), !lies);
    EXPECT_EQ(out.because, lies ? std::optional(Undecided::tolerance) : std::nullopt);
  }
  set_assert_handler(nullptr);
  EXPECT_LE(broken, 1);
}

}  // namespace
}  // namespace snug::ccd
