#include "geometry/analytic/refine.hpp"

#include "geometry/analytic/meridian.hpp"
#include "geometry/analytic/small_matrix.hpp"
#include "support/trig.hpp"

#include <limits>

namespace snug::geometry {

namespace {

/// What is varied: shifts along three directions (the last one the axis), turns about the first two, and two sizes.
/// Those that a kind does not have are held at zero.
enum Parameter : std::size_t { shift_x, shift_y, shift_axis, turn_x, turn_y, radius, second, k_parameters };
using Parameters = SmallVector<k_parameters>;

struct Frame {
  Vec3 x, y;
  double sin = 0, cos = 1;  ///< of a cone's half angle
  Frame(SurfaceKind kind, const AnalyticSurface& s) noexcept : x(square_to(s.axis)), y(cross(s.axis, x)) {
    if (kind == SurfaceKind::cone) sin = sine(s.half_angle), cos = cosine(s.half_angle);
  }
};

struct Row {
  double distance = 0;
  Parameters slope{};
};

/// Distance of p and how it changes with each parameter. Moving the surface one way is moving the point the other way.
Row row_of(SurfaceKind kind, const AnalyticSurface& s, const Frame& frame, const Point3& p) noexcept {
  const Meridian m = meridian_of(s, p);
  Row row;
  double outward = 1, along = 0;  // of the gradient
  switch (kind) {
    case SurfaceKind::cone:
      outward = frame.cos, along = -frame.sin;
      row.distance = (m.rho - s.radius) * frame.cos - m.z * frame.sin;
      row.slope[radius] = -frame.cos;
      row.slope[second] = -(m.rho - s.radius) * frame.sin - m.z * frame.cos;
      break;
    case SurfaceKind::sphere:
    case SurfaceKind::torus: {
      const bool torus = kind == SurfaceKind::torus;
      const double across = torus ? m.rho - s.radius : m.rho, length = std::sqrt(across * across + m.z * m.z);
      if (length > 0) outward = across / length, along = m.z / length;
      row.distance = length - (torus ? s.minor_radius : s.radius);
      row.slope[radius] = torus ? -outward : -1;
      row.slope[second] = torus ? -1 : 0;
      break;
    }
    default:
      row.distance = m.rho - s.radius;
      row.slope[radius] = -1;
      break;
  }
  const Vec3 gradient = outward * m.outward + along * s.axis;
  row.slope[shift_x] = -dot(gradient, frame.x);
  row.slope[shift_y] = -dot(gradient, frame.y);
  if (kind == SurfaceKind::sphere || kind == SurfaceKind::torus) row.slope[shift_axis] = -along;
  if (kind != SurfaceKind::sphere) {
    const Vec3 moment = cross(p, gradient);
    row.slope[turn_x] = -dot(moment, frame.x);
    row.slope[turn_y] = -dot(moment, frame.y);
  }
  return row;
}

/// Turned about the middle of the points by the rotation with the Cayley vector `half`: no trigonometry, no drift.
Vec3 turned(Vec3 v, Vec3 half) noexcept {
  const Vec3 side = cross(half, v);
  return v + (2 / (1 + dot(half, half))) * (side + cross(half, side));
}

AnalyticSurface moved(SurfaceKind kind, AnalyticSurface s, const Frame& frame, const Parameters& step) noexcept {
  const Vec3 half = (0.5 * step[turn_x]) * frame.x + (0.5 * step[turn_y]) * frame.y;
  const Vec3 shift = step[shift_x] * frame.x + step[shift_y] * frame.y + step[shift_axis] * s.axis;
  s.origin = turned(s.origin, half) + shift;
  const Vec3 axis = turned(s.axis, half);
  s.axis = (1 / std::sqrt(dot(axis, axis))) * axis;
  s.radius += step[radius];
  if (kind == SurfaceKind::torus) s.minor_radius += step[second];
  if (kind == SurfaceKind::cone) s.half_angle += step[second];
  return s;
}

bool sensible(SurfaceKind kind, const AnalyticSurface& s) noexcept {
  if (!(dot(s.origin, s.origin) < 1e18)) return false;
  if (kind == SurfaceKind::torus) return s.minor_radius > 0 && s.minor_radius < 1e9 && std::abs(s.radius) < 1e9;
  if (kind == SurfaceKind::cone && !(s.half_angle > 0 && s.half_angle < k_pi / 2)) return false;
  return s.radius > 0 && s.radius < 1e9;
}

double squares_of(SurfaceKind kind, const AnalyticSurface& s, std::span<const Point3> points) noexcept {
  if (!sensible(kind, s)) return std::numeric_limits<double>::infinity();
  const Frame frame(kind, s);
  double sum = 0;
  for (const Point3& p : points) {
    const double distance = row_of(kind, s, frame, p).distance;
    sum += distance * distance;
  }
  return sum;
}

}  // namespace

AnalyticSurface refined(SurfaceKind kind, const AnalyticSurface& guess, std::span<const Point3> points) {
  constexpr int k_most_steps = 60;
  const double nothing = 1e-30 * static_cast<double>(points.size());  // rounding, of points about of size one
  AnalyticSurface best = guess;
  double squares = squares_of(kind, best, points), damping = 1e-11;
  if (!std::isfinite(squares)) return best;
  for (int step = 0; step < k_most_steps && squares > nothing; ++step) {
    const Frame frame(kind, best);
    SmallMatrix<k_parameters> matrix{};
    Parameters right{};
    for (const Point3& p : points) {
      const Row row = row_of(kind, best, frame, p);
      add_square(matrix, row.slope);
      for (std::size_t i = 0; i < k_parameters; ++i) right[i] -= row.slope[i] * row.distance;
    }
    bool better = false, settled = false;
    for (int attempt = 0; attempt < 12 && !better; ++attempt, damping *= 10) {
      SmallMatrix<k_parameters> damped = matrix;
      for (std::size_t i = 0; i < k_parameters; ++i) damped[i][i] = matrix[i][i] > 0 ? matrix[i][i] * (1 + damping) : 1;
      const auto change = solve(damped, right);
      if (!change) continue;
      const AnalyticSurface candidate = moved(kind, best, frame, *change);
      const double candidate_squares = squares_of(kind, candidate, points);
      if (!(candidate_squares < squares)) continue;
      settled = candidate_squares > (1 - 1e-6) * squares && damping < 1e-9;
      best = candidate, squares = candidate_squares;
      damping = std::max(damping * 1e-3, 1e-15);
      better = true;
    }
    if (!better || settled) break;
  }
  return best;
}

}  // namespace snug::geometry
