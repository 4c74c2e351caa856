#pragma once

#include "io/step/write_text.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <span>

namespace snug::io {

/// A cubic B-spline through the points, smooth at each (C1, tangents of the parabola through a point and its
/// neighbours); also where it ends if it is closed. At least three points.
StepId write_spline(StepText& step, std::span<const Point3> points, bool closed);

}  // namespace snug::io
