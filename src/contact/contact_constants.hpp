#pragma once

#include "contact/find_contacts.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <algorithm>
#include <cmath>

// The constants of the method where they are not given: from size and speed. docs/papers/lehericey.md has what they are held to.

namespace snug::contact {

/// Steps of motion like the last one that standard rays are to serve. More make more predictive rays, fewer more standard ones,
/// which cost less since groups of vertices and a grid leave few to be cast.
inline constexpr double k_steps_ahead = 1.5;
/// Thresholds in mean sides of triangles: below the first a walk finds its triangle at once or beside it, beyond the second
/// predictions are many and rays are mostly cast anew.
inline constexpr double k_least_sides = 0.1, k_most_sides = 0.5;
/// What may pass unseen of bodies that hardly move, in sizes of the smaller.
inline constexpr double k_least_sizes = 0.005;

struct ContactScale {
  double side = 0;  ///< mean side of a triangle, of the finer body
  double size = 0;  ///< longest side of the box, of the smaller body
};
[[nodiscard]] inline ContactScale scale_of(const Shape& a, const Shape& b) {
  const auto size = [](const Shape& shape) {
    const Vec3 extent = shape.bounds().hi - shape.bounds().lo;
    return std::max({extent.x, extent.y, extent.z});
  };
  return {std::min(Access::data(a).get<ContactMesh>().mean_edge(), Access::data(b).get<ContactMesh>().mean_edge()),
          std::min(size(a), size(b))};
}

/// The threshold of bodies that a step moves by this much.
[[nodiscard]] inline double automatic_threshold(const ContactScale& scale, double moved) noexcept {
  return std::clamp(k_steps_ahead * moved, k_least_sides * scale.side, k_most_sides * scale.side);
}
/// How far they may have moved before standard rays are cast anew, whatever the threshold was when they last were: one that was
/// made for bodies that came fast would last for good when they rest, and so would that of a few large triangles.
[[nodiscard]] inline double automatic_patience(const ContactScale& scale, double moved) noexcept {
  return std::max(k_steps_ahead * moved, std::min(k_least_sides * scale.side, k_least_sizes * scale.size));
}

/// Those given, and the others from size and speed.
[[nodiscard]] inline ContactConstants choose_constants(const RayContactOptions& given, const ContactScale& scale,
                                                       double moved) noexcept {
  ContactConstants c;
  c.displacement_threshold = given.displacement_threshold.value_or(automatic_threshold(scale, moved));
  if (!given.displacement_threshold && given.distance_extension)  // which must exceed it
    c.displacement_threshold = std::min(c.displacement_threshold, *given.distance_extension / k_extension);
  const bool predicts = given.rays == RayContactOptions::Rays::predictive;
  c.distance_extension =
      given.distance_extension.value_or(predicts ? k_extension * (given.confidence * c.displacement_threshold) : 0);
  // A ray turns with its vertex while it moves: as many triangles as twice the way is long.
  const double triangles = scale.side > 0 ? std::ceil(2 * c.displacement_threshold / scale.side) : 0;
  c.max_iterations = given.max_iterations.value_or(4 + static_cast<unsigned>(std::min(triangles, 60.0)));
  SNUG_ASSERT(c.max_iterations >= 1 && c.distance_extension >= 0);
  return c;
}

}  // namespace snug::contact
