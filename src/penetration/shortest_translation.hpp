#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <functional>
#include <span>

namespace snug::penetration {

/// The search for a translation that moves one body out of another and is shorter than a known one. That of two meshes that are not
/// convex cannot be computed, so translations along chosen directions are tried, and each that works is verified where it leads to.
class ShortestTranslation {
 public:
  /// Are the bodies apart after this translation?
  using Works = std::function<bool(const Vec3&)>;
  struct How {
    double at_least = 0;                ///< none is shorter
    double first = 0;                   ///< along a direction, multiples of this length are tried in turn,
    std::span<const double> multiples;  ///< these, in ascending order,
    int halvings = 0;                   ///< and between the last that fails and the first that works so many more
  };

  /// `works` and the multiples outlive the search.
  ShortestTranslation(const Works& works, const Vec3& direction, double length, const How& how) noexcept
      : works_(works), how_(how), direction_(direction), length_(length) {}

  [[nodiscard]] Vec3 way() const noexcept { return length_ * direction_; }
  [[nodiscard]] double length() const noexcept { return length_; }
  /// Was a shorter one found?
  [[nodiscard]] bool improved() const noexcept { return improved_; }

  void look_along(const Vec3& direction);
  /// Tries directions beside the best, as long as these are shorter.
  void turn();

 private:
  /// Between a length along the direction that is known to fail and one that works.
  void shorten(const Vec3& direction, double fails, double does);

  const Works& works_;
  How how_;
  Vec3 direction_;
  double length_;
  bool improved_ = false;
};

}  // namespace snug::penetration
