#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <array>

namespace snug::robot {

[[nodiscard]] inline std::array<Point3, 8> corners_of(const Aabb& box) {
  std::array<Point3, 8> out;
  for (std::size_t i = 0; i < 8; ++i)
    out[i] = {(i & 1) != 0 ? box.hi.x : box.lo.x, (i & 2) != 0 ? box.hi.y : box.lo.y,
              (i & 4) != 0 ? box.hi.z : box.lo.z};
  return out;
}

}  // namespace snug::robot
