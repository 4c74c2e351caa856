#include "penetration/shortest_translation.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>

namespace snug::penetration {

namespace {

/// A direction is turned by this much at first, then by less, as long as shorter ways are found, and no less than the last.
constexpr double k_first_turn = 0.5, k_last_turn = 0.01;
constexpr std::array<std::array<double, 2>, 8> k_around{
    {{1, 0}, {0.7, 0.7}, {0, 1}, {-0.7, 0.7}, {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}}};
/// A way this much shorter is worth it.
constexpr double k_gain = 0.995;

}  // namespace

void ShortestTranslation::look_along(const Vec3& direction) {
  double fails = how_.at_least;
  for (const double multiple : how_.multiples) {
    const double does = multiple * how_.first;
    if (!(does < length_)) return;
    if (works_(does * direction)) return shorten(direction, fails, does);
    fails = does;
  }
}

void ShortestTranslation::turn() {
  for (double turn = k_first_turn; turn > k_last_turn;) {
    const double before = length_;
    const Vec3 from = direction_, side = any_across(from), other = cross(from, side);
    for (const auto& [along, across] : k_around) {
      const Vec3 beside = (from + (turn * along) * side + (turn * across) * other).normalized();
      // Below the first length along a direction nothing is worth it: bodies that only touch would be turned down to the last double.
      if (const double does = k_gain * length_; does > std::max(how_.at_least, how_.first) && works_(does * beside))
        shorten(beside, how_.at_least, does);
    }
    if (!(length_ < before)) turn *= 0.5;
  }
}

void ShortestTranslation::shorten(const Vec3& direction, double fails, double does) {
  SNUG_ASSERT(does < length_ && fails <= does);
  for (int i = 0; i < how_.halvings; ++i) {
    const double between = 0.5 * (fails + does);
    (works_(between * direction) ? does : fails) = between;
  }
  direction_ = direction, length_ = does, improved_ = true;
}

}  // namespace snug::penetration
