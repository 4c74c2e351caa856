#include "io/step/write_spline.hpp"

#include "geometry/vec_ops.hpp"

#include <vector>

namespace snug::io {

namespace {

struct Hermite {
  std::vector<double> spans;   ///< length of each piece
  std::vector<Vec3> tangents;  ///< per point, by arc length
};

Hermite through(std::span<const Point3> points, bool closed) {
  const std::size_t pieces = points.size() - 1;
  Hermite out;
  std::vector<Vec3> slopes;
  for (std::size_t i = 0; i < pieces; ++i) {
    const Vec3 step = points[i + 1] - points[i];
    out.spans.push_back(std::sqrt(model::dot(step, step)));
    slopes.push_back((1 / out.spans.back()) * step);
  }
  const auto between = [&](std::size_t before, std::size_t after) {
    const double h = out.spans[before], k = out.spans[after];
    return (1 / (h + k)) * (k * slopes[before] + h * slopes[after]);
  };
  out.tangents.resize(points.size());
  for (std::size_t i = 1; i < pieces; ++i) out.tangents[i] = between(i - 1, i);
  if (closed) {
    out.tangents.front() = out.tangents.back() = between(pieces - 1, 0);
  } else {
    out.tangents.front() = 2 * slopes.front() - out.tangents[1];
    out.tangents.back() = 2 * slopes.back() - out.tangents[pieces - 1];
  }
  return out;
}

}  // namespace

StepId write_spline(StepText& step, std::span<const Point3> points, bool closed) {
  const Hermite curve = through(points, closed);
  const std::size_t pieces = points.size() - 1;
  std::vector<StepId> poles{step.point(points[0])};
  std::string multiplicities = "(4", knots = "(0.";
  double knot = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const double third = curve.spans[i] / 3;
    poles.push_back(step.point(points[i] + third * curve.tangents[i]));
    poles.push_back(step.point(points[i + 1] - third * curve.tangents[i + 1]));
    multiplicities += i + 1 < pieces ? ",2" : ",4";
    knots += ',' + step_real(knot += curve.spans[i]);
  }
  poles.push_back(step.point(points.back()));
  return step.add("B_SPLINE_CURVE_WITH_KNOTS('',3," + step_refs(poles) + ",.UNSPECIFIED.," + (closed ? ".T." : ".F.") +
                  ",.F.," + multiplicities + ")," + knots + "),.UNSPECIFIED.)");
}

}  // namespace snug::io
