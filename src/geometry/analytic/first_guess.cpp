#include "geometry/analytic/first_guess.hpp"

#include "geometry/analytic/meridian.hpp"
#include "geometry/analytic/small_matrix.hpp"
#include "support/trig.hpp"

namespace snug::geometry {

namespace {

Vec3 unit(Vec3 v) noexcept { return (1 / std::sqrt(dot(v, v))) * v; }
Vec3 as_vec(const SmallVector<3>& v) noexcept { return {v[0], v[1], v[2]}; }
bool known(Vec3 normal) noexcept { return dot(normal, normal) > 0.5; }

/// Calls visit(point, normal) where the normal is known.
template <class Visit>
void for_each(const OrientedPoints& face, Visit&& visit) {
  for (std::size_t i = 0; i < face.points.size(); ++i)
    if (known(face.normals[i])) visit(face.points[i], face.normals[i]);
}

/// Least squares for point = centre + reach * direction, with pairs given one by one: the centre of curvature of spheres
/// and, in a plane, of circles.
class CentreFit {
 public:
  void add(Vec3 point, Vec3 direction) noexcept {
    points_ = points_ + point, directions_ = directions_ + direction;
    products_ += dot(point, direction), squares_ += dot(direction, direction);
    count_ += 1;
  }
  [[nodiscard]] bool solve() noexcept {
    if (count_ == 0) return false;
    const double spread = squares_ - dot(directions_, directions_) / count_;
    if (!(spread > 0x1p-40 * squares_)) return false;
    reach = (products_ - dot(points_, directions_) / count_) / spread;
    centre = (1 / count_) * (points_ - reach * directions_);
    return std::isfinite(reach);
  }

  double reach = 0;
  Point3 centre;

 private:
  Vec3 points_, directions_;
  double products_ = 0, squares_ = 0, count_ = 0;
};

std::optional<AnalyticSurface> plane(const OrientedPoints& face) {
  SmallMatrix<3> spread{};
  Vec3 sum;
  for (const Point3& p : face.points) add_square<3>(spread, {p.x, p.y, p.z});
  for_each(face, [&](Point3, Vec3 n) { sum = sum + n; });
  const Eigen<3> eigen = symmetric_eigen(spread);
  if (!(eigen.value[1] > 0x1p-40 * eigen.value[2])) return std::nullopt;  // on a line
  AnalyticSurface s;
  s.axis = unit(as_vec(eigen.vector[0]));
  if (dot(s.axis, sum) < 0) s.axis = -s.axis;
  return s;
}

std::optional<AnalyticSurface> sphere(const OrientedPoints& face) {
  CentreFit fit;
  for_each(face, [&](Point3 p, Vec3 n) { fit.add(p, n); });
  if (!fit.solve()) return std::nullopt;
  AnalyticSurface s;
  s.origin = fit.centre;
  s.radius = std::abs(fit.reach);
  return s;
}

/// Cylinder or cone around a known direction: seen along it, and with the slope of the cone taken off, all points lie on a
/// circle.
std::optional<AnalyticSurface> around(Vec3 axis, double rise, const OrientedPoints& face) {
  const double across = std::sqrt(std::max(0.0, 1 - rise * rise));
  if (!(across > 1e-6)) return std::nullopt;
  CentreFit fit;
  for_each(face, [&](Point3 p, Vec3 n) {
    const Vec3 aside = n - dot(n, axis) * axis;
    const double length2 = dot(aside, aside), z = dot(p, axis);
    if (!(length2 > 1e-12)) return;
    const Vec3 outward = (1 / std::sqrt(length2)) * aside;
    fit.add(p - z * axis + (z * rise / across) * outward, outward);
  });
  if (!fit.solve()) return std::nullopt;
  AnalyticSurface s;
  s.axis = axis;
  s.origin = fit.centre - dot(fit.centre, axis) * axis;
  s.radius = std::abs(fit.reach);
  // Normals that point at the axis belong to a bore, where a fall of the normal along the axis is a narrowing.
  const double slope = fit.reach > 0 ? -rise : rise;
  if (slope < 0) s.axis = -s.axis;
  s.half_angle = angle_of(across, std::abs(rise));
  return s;
}

std::optional<AnalyticSurface> cylinder(const OrientedPoints& face) {
  SmallMatrix<3> squares{};
  for_each(face, [&](Point3, Vec3 n) { add_square<3>(squares, {n.x, n.y, n.z}); });
  return around(unit(as_vec(symmetric_eigen(squares).vector[0])), 0, face);
}

/// All normals stand at the same angle to the axis: their ends lie in a plane square to it.
std::optional<AnalyticSurface> cone(const OrientedPoints& face) {
  Vec3 sum;
  double count = 0;
  for_each(face, [&](Point3, Vec3 n) { sum = sum + n, count += 1; });
  if (count == 0) return std::nullopt;
  const Vec3 mean = (1 / count) * sum;
  SmallMatrix<3> spread{};
  for_each(face, [&](Point3, Vec3 n) { add_square<3>(spread, {n.x - mean.x, n.y - mean.y, n.z - mean.z}); });
  const Vec3 axis = unit(as_vec(symmetric_eigen(spread).vector[0]));
  return around(axis, dot(mean, axis), face);
}

/// The normal lines of a surface of revolution all meet its axis: in Pluecker coordinates that is one linear equation
/// each (Pottmann and Randrup 1998). In the half plane of the axis the points then lie on a circle.
std::optional<AnalyticSurface> torus(const OrientedPoints& face) {
  SmallMatrix<6> squares{};
  for_each(face, [&](Point3 p, Vec3 n) {
    const Vec3 moment = cross(p, n);
    add_square<6>(squares, {moment.x, moment.y, moment.z, n.x, n.y, n.z});
  });
  const SmallVector<6> line = symmetric_eigen(squares).vector[0];
  const Vec3 direction{line[0], line[1], line[2]}, moment{line[3], line[4], line[5]};
  const double length2 = dot(direction, direction);
  if (!(length2 > 1e-16)) return std::nullopt;
  AnalyticSurface s;
  s.axis = unit(direction);
  s.origin = (1 / length2) * cross(direction, moment);
  CentreFit fit;
  for_each(face, [&](Point3 p, Vec3 n) {
    const Meridian m = meridian_of(s, p);
    fit.add({m.rho, m.z, 0}, {dot(n, m.outward), dot(n, s.axis), 0});
  });
  if (!fit.solve()) return std::nullopt;
  s.radius = fit.centre.x;
  s.origin = s.origin + fit.centre.y * s.axis;
  s.minor_radius = std::abs(fit.reach);
  return s;
}

}  // namespace

std::optional<AnalyticSurface> first_guess(SurfaceKind kind, const OrientedPoints& face) {
  switch (kind) {
    case SurfaceKind::plane:
      return plane(face);
    case SurfaceKind::sphere:
      return sphere(face);
    case SurfaceKind::cylinder:
      return cylinder(face);
    case SurfaceKind::cone:
      return cone(face);
    case SurfaceKind::torus:
      return torus(face);
    case SurfaceKind::unknown:
    case SurfaceKind::spline:
      break;
  }
  return std::nullopt;
}

}  // namespace snug::geometry
