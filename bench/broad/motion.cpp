#include "bench/broad/motion.hpp"

#include <cmath>

namespace snug::bench::broad {

namespace {

// Parts of the edge of the room that each box has: one in two meets a neighbour.
constexpr double k_least_edge = 0.2, k_largest_edge = 0.6, k_mean_edge = 0.4;

void bounce(double& x, double& v, double edge) {
  if (x < 0) x = -x, v = -v;
  if (x > edge) x = 2 * edge - x, v = -v;
}

}  // namespace

Motion::Motion(std::size_t count, const Kind& kind, std::uint64_t seed) : edge_(std::cbrt(static_cast<double>(count))) {
  scenes::Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    middle_.push_back(random.point(0, edge_));
    half_.push_back(0.5 * random.point(k_least_edge, k_largest_edge));
    velocity_.push_back(kind.speed * k_mean_edge * random.point(-1, 1));
    boxes_.emplace_back();
    place(i);
  }
  const std::size_t movers = kind.movers == 0 ? count : kind.movers;
  for (std::size_t k = 0; k < movers; ++k) moved_.push_back(static_cast<std::uint32_t>(k * (count / movers)));
}

void Motion::place(std::size_t i) { boxes_[i] = {middle_[i] - half_[i], middle_[i] + half_[i]}; }

void Motion::go_to(std::size_t step) {
  for (; step_ < step; ++step_)
    for (const std::uint32_t i : moved_) {
      Vec3 &at = middle_[i], &v = velocity_[i];
      at = at + v;
      bounce(at.x, v.x, edge_), bounce(at.y, v.y, edge_), bounce(at.z, v.z, edge_);
      place(i);
    }
}

}  // namespace snug::bench::broad
