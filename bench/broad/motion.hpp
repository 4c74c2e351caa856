#pragma once

#include "scenes/random.hpp"

#include <snug/vec.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace snug::bench::broad {

/// How boxes move.
struct Kind {
  std::string_view name;
  double speed;        ///< by step, in mean edge lengths
  std::size_t movers;  ///< how many of them; 0: all
};

/// Boxes of random size, spread evenly in a cube, that fly straight on and bounce off its walls.
class Motion {
 public:
  Motion(std::size_t count, const Kind& kind, std::uint64_t seed);

  /// Moves all to this step: the present one or the next.
  void go_to(std::size_t step);
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  /// Those that the last step moved.
  [[nodiscard]] std::span<const std::uint32_t> moved() const { return moved_; }

 private:
  void place(std::size_t i);

  double edge_ = 1;
  std::size_t step_ = 0;
  std::vector<Vec3> middle_, half_, velocity_;
  std::vector<Aabb> boxes_;
  std::vector<std::uint32_t> moved_;
};

}  // namespace snug::bench::broad
