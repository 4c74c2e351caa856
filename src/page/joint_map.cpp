#include "page/joint_map.hpp"

#include <algorithm>
#include <cmath>

namespace snug::page {

namespace {

// As fine as a page shows it: a line as wide as a slider, or a square beside it.
constexpr std::uint32_t k_strip_points = 1024, k_square_points = 256;

char code_of(JointCell::State state) {
  switch (state) {
    case JointCell::State::free:
      return 1;
    case JointCell::State::undecided:
      return 2;
    case JointCell::State::colliding:
      return 3;
  }
  return 0;
}

/// The points, from and up to but not including, that a part of a span covers: at least one.
std::array<std::uint32_t, 2> covered(const JointSpan& span, double lower, double upper, std::uint32_t points) {
  const double length = span.upper - span.lower;
  const auto share = [&](double value) {
    return length > 0 ? std::clamp((value - span.lower) / length, 0.0, 1.0) * points : 0.0;
  };
  const auto from = std::min(static_cast<std::uint32_t>(std::floor(share(lower))), points - 1);
  const auto to = static_cast<std::uint32_t>(std::ceil(length > 0 ? share(upper) : points));
  return {from, std::max(to, from + 1)};
}

}  // namespace

JointMap draw_joint_map(std::span<const JointSpan> spans, std::span<const JointCell> cells) {
  JointMap out;
  if (spans.empty() || spans.size() > 2 || cells.empty()) return out;
  const bool square = spans.size() == 2;
  out.size = {square ? k_square_points : k_strip_points, square ? k_square_points : 1};
  out.bytes.assign(std::size_t{out.size[0]} * out.size[1], '\0');
  for (const JointCell& cell : cells) {
    const auto across = covered(spans[0], cell.lower[0], cell.upper[0], out.size[0]);
    const auto up =
        square ? covered(spans[1], cell.lower[1], cell.upper[1], out.size[1]) : std::array<std::uint32_t, 2>{0, 1};
    for (std::uint32_t row = up[0]; row < up[1]; ++row)
      for (std::uint32_t column = across[0]; column < across[1]; ++column) {
        char& point = out.bytes[std::size_t{row} * out.size[0] + column];
        point = std::max(point, code_of(cell.state));
      }
  }
  return out;
}

}  // namespace snug::page
