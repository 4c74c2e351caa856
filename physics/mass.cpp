#include <snug/bullet.hpp>
#include <snug/inspect.hpp>
#include <snug/solid.hpp>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace snug::bullet {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

/// Volume, first and second moments of the tetrahedra between the origin and each triangle, of density 1.
struct Moments {
  double volume = 0;
  Vec3 first;
  Matrix second{};  ///< integral of x_i x_j
};

/// Each shell faces outward, or into its cavity, as the body's solid is: a shell that is inside out is as heavy as it looks.
Moments moments(const Mesh& mesh) {
  // Relative to the middle of the box, so that little is lost far from the origin.
  const Aabb& box = mesh.bounds();
  const Point3 middle = 0.5 * (box.lo + box.hi);
  Moments m;
  const std::vector<std::uint32_t> flipped = inspect(mesh).flipped;
  auto turned = flipped.begin();
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    Triangle c = mesh.view().triangle(t);
    if (turned != flipped.end() && *turned == t) std::swap(c.corner[1], c.corner[2]), ++turned;
    for (Point3& p : c.corner) p = p - middle;
    const double six = c[0].x * (c[1].y * c[2].z - c[1].z * c[2].y) + c[0].y * (c[1].z * c[2].x - c[1].x * c[2].z) +
                       c[0].z * (c[1].x * c[2].y - c[1].y * c[2].x);
    const Vec3 sum = c[0] + c[1] + c[2];
    m.volume += six / 6;
    m.first = m.first + (six / 24) * sum;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        m.second[i][j] += six / 120 * (sum[i] * sum[j] + c[0][i] * c[0][j] + c[1][i] * c[1][j] + c[2][i] * c[2][j]);
  }
  const Vec3 centre = (1 / m.volume) * m.first;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) m.second[i][j] -= m.volume * centre[i] * centre[j];
  m.first = centre + middle;
  return m;
}

/// Turns a symmetric matrix into a diagonal one by Jacobi's rotations; columns of the answer are the axes.
Matrix diagonalise(Matrix& a) {
  Matrix axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 32; ++sweep)
    for (const auto& [p, q] : {std::array<std::size_t, 2>{0, 1}, {0, 2}, {1, 2}}) {
      if (std::abs(a[p][q]) <= 1e-17 * (std::abs(a[p][p]) + std::abs(a[q][q]))) continue;
      const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (std::size_t k = 0; k < 3; ++k) {
        const double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
      }
      for (auto& row : axes) {
        const double kp = row[p], kq = row[q];
        row[p] = c * kp - s * kq, row[q] = s * kp + c * kq;
      }
    }
  return axes;
}

/// Of a rotation matrix, by the largest of its four components.
Quaternion quaternion(const Matrix& m) {
  const double w = m[0][0] + m[1][1] + m[2][2];
  if (w >= m[0][0] && w >= m[1][1] && w >= m[2][2])
    return {1 + w, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
  if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2])
    return {m[2][1] - m[1][2], 1 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0]};
  if (m[1][1] >= m[2][2])
    return {m[0][2] - m[2][0], m[0][1] + m[1][0], 1 - m[0][0] + m[1][1] - m[2][2], m[1][2] + m[2][1]};
  return {m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 1 - m[0][0] - m[1][1] + m[2][2]};
}

BodyMass box_mass(const Aabb& box, double density) {
  const Vec3 e = box.hi - box.lo;
  const double mass = density * e.x * e.y * e.z;
  return {.mass = mass,
          .frame = Pose::make({}, 0.5 * (box.lo + box.hi)).value(),
          .inertia = (mass / 12) * Vec3{e.y * e.y + e.z * e.z, e.x * e.x + e.z * e.z, e.x * e.x + e.y * e.y},
          .closed = false};
}

}  // namespace

BodyMass body_mass(const Mesh& mesh, double density) {
  const Moments m = is_closed(mesh.view()) ? moments(mesh) : Moments{};
  if (!(m.volume > 0) || !std::isfinite(m.volume)) return box_mass(mesh.bounds(), density);
  Matrix second = m.second;
  Matrix axes = diagonalise(second);
  const double turned = axes[0][0] * (axes[1][1] * axes[2][2] - axes[1][2] * axes[2][1]) -
                        axes[0][1] * (axes[1][0] * axes[2][2] - axes[1][2] * axes[2][0]) +
                        axes[0][2] * (axes[1][0] * axes[2][1] - axes[1][1] * axes[2][0]);
  if (turned < 0)
    for (auto& row : axes) row[2] = -row[2];
  return {
      .mass = density * m.volume,
      .frame = Pose::make(quaternion(axes), m.first).value(),
      .inertia = density * Vec3{second[1][1] + second[2][2], second[0][0] + second[2][2], second[0][0] + second[1][1]}};
}

}  // namespace snug::bullet
