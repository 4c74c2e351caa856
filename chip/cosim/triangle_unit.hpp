#pragma once

#include "chip/model/configuration.hpp"
#include "query/pairs/dop/fixed/triangle.hpp"

#include <functional>
#include <memory>
#include <string>

// What the golden model of the triangle unit and its RTL have in common, seen from outside, clock by clock.

namespace snug::hardware {

using query::fixed::Placement;
using query::fixed::TriangleWords;

/// The clocks from the one in which a pair is accepted to the one in which its verdict is there.
inline constexpr unsigned k_triangle_clocks = 64;

/// Two triangles, as memory holds them, and their numbers.
struct TriangleTest {
  TriangleWords a{}, b{};
  std::uint32_t triangle_a = 0, triangle_b = 0;
};

/// The pins that are driven in one clock. Without `test` nothing is offered.
struct TriangleInputs {
  bool reset = false;
  const Placement* placement = nullptr;  ///< stays the same while a pair is inside
  const TriangleTest* test = nullptr;
  bool ready = true;
};

/// The pins as they stand before the edge that ends the clock.
struct TriangleOutputs {
  bool ready = false;
  bool empty = false;  ///< nothing is inside
  bool valid = false;  ///< the rest means something only then
  bool keep = false;
  std::uint32_t triangle_a = 0, triangle_b = 0;
};

class TriangleUnit {
 public:
  TriangleUnit() = default;
  TriangleUnit(const TriangleUnit&) = delete;
  TriangleUnit& operator=(const TriangleUnit&) = delete;
  virtual ~TriangleUnit() = default;

  /// One clock: pins are driven, outputs settle and are read, the edge comes.
  virtual TriangleOutputs step(const TriangleInputs& inputs) = 0;
};

/// RTL, or gates: which one depends on what the program was built with.
struct TriangleUnitUnderTest {
  std::unique_ptr<TriangleUnit> unit;
  /// Writes what lines of RTL were reached, if the program was built to count them.
  std::function<void(const std::string&)> write_coverage;
};
[[nodiscard]] TriangleUnitUnderTest make_triangle_unit(const Configuration& configuration);

}  // namespace snug::hardware
