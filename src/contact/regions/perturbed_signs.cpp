#include "contact/regions/perturbed_signs.hpp"

#include "geometry/exact_sign.hpp"
#include "geometry/orient.hpp"

namespace snug::contact {

int PerturbedSigns::moved(const Point3& u0, const Point3& u1, const Point3& v0, const Point3& v1) const noexcept {
  for (const Vec3& direction : directions_) {
    if (direction == Vec3{}) continue;
    if (const int sign = PlaneFilter(u1 - u0, v1 - v0).side(direction); sign != 0) return sign;
    if (const int sign = exact_sign_det3({&u1, &u0}, {&v1, &v0}, {&direction, &k_origin}); sign != 0) return sign;
  }
  return 0;
}

std::array<int, 3> PerturbedSigns::sides_of_a(const Triangle& a, const Triangle& b) const noexcept {
  std::array<int, 3> sides{};
  for (std::size_t i = 0; i < 3; ++i) {
    sides[i] = side_of_plane(b[0], b[1], b[2], a[i]);
    if (sides[i] == 0) sides[i] = moved(b[0], b[1], b[0], b[2]);
  }
  return sides;
}

std::array<int, 3> PerturbedSigns::sides_of_b(const Triangle& a, const Triangle& b) const noexcept {
  std::array<int, 3> sides{};
  for (std::size_t i = 0; i < 3; ++i) {
    sides[i] = side_of_plane(a[0], a[1], a[2], b[i]);
    if (sides[i] == 0) sides[i] = -moved(a[0], a[1], a[0], a[2]);
  }
  return sides;
}

int PerturbedSigns::edges(const Point3& a0, const Point3& a1, const Point3& b0, const Point3& b1) const noexcept {
  // The determinant is linear in the translation: both b0 - a0 and b1 - a0 lose it, and their product with itself vanishes.
  const int sign = side_of_plane(a0, a1, b0, b1);
  return sign != 0 ? sign : moved(a0, a1, b0, b1);
}

}  // namespace snug::contact
