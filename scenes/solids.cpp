#include "scenes/solids.hpp"

#include <snug/pose.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace snug::scenes {

namespace {

constexpr double k_turn = 2 * 3.14159265358979323846;

struct CosSin {
  double cos, sin;
};
/// By way of Pose, whose trigonometry has the same bits everywhere.
CosSin at_angle(double radians) {
  const Pose turn = rotation({0, 0, 1}, radians);
  return {turn.matrix()[0], turn.matrix()[3]};
}

class Builder {
 public:
  std::uint32_t vertex(const Point3& p) {
    input_.vertices.push_back(p);
    return static_cast<std::uint32_t>(input_.vertices.size() - 1);
  }
  void surface(std::string name, SurfaceKind kind) { input_.surfaces.push_back({std::move(name), kind, {}}); }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    input_.triangles.push_back({a, b, c});
    input_.surface_of_triangle.push_back(static_cast<std::uint32_t>(input_.surfaces.size() - 1));
  }
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  [[nodiscard]] Mesh build() { return Mesh::build(std::move(input_)).value(); }

 private:
  MeshInput input_;
};

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec3 unit(const Vec3& v) { return (1 / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z)) * v; }

/// A closed tube of along x around quads; ring(i, j) gives its vertices.
template <class Ring>
Mesh tube(std::uint32_t along, std::uint32_t around, SurfaceKind kind, Ring&& ring) {
  Builder b;
  b.surface("tube", kind);
  for (std::uint32_t i = 0; i < along; ++i)
    for (std::uint32_t j = 0; j < around; ++j) b.vertex(ring(i, j));
  for (std::uint32_t i = 0; i < along; ++i)
    for (std::uint32_t j = 0; j < around; ++j) {
      const std::uint32_t i1 = (i + 1) % along, j1 = (j + 1) % around;
      b.quad(i * around + j, i1 * around + j, i1 * around + j1, i * around + j1);
    }
  return b.build();
}

}  // namespace

Mesh box(const Point3& lo, const Point3& hi) {
  Builder b;
  for (unsigned i = 0; i < 8; ++i)
    b.vertex({(i & 1U) != 0 ? hi.x : lo.x, (i & 2U) != 0 ? hi.y : lo.y, (i & 4U) != 0 ? hi.z : lo.z});
  const auto face = [&](const char* name, std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
    b.surface(name, SurfaceKind::plane);
    b.quad(p, q, r, s);
  };
  face("bottom", 0, 2, 3, 1);
  face("top", 4, 5, 7, 6);
  face("front", 0, 1, 5, 4);
  face("back", 2, 6, 7, 3);
  face("left", 0, 4, 6, 2);
  face("right", 1, 3, 7, 5);
  return b.build();
}

Mesh cylinder(double radius, double height, std::uint32_t segments) {
  Builder b;
  for (const double z : {0.0, height})
    for (std::uint32_t j = 0; j < segments; ++j) {
      const auto [c, s] = at_angle(k_turn * j / segments);
      b.vertex({radius * c, radius * s, z});
    }
  const std::uint32_t bottom = b.vertex({0, 0, 0}), top = b.vertex({0, 0, height});
  b.surface("bottom", SurfaceKind::plane);
  for (std::uint32_t j = 0; j < segments; ++j) b.triangle(bottom, (j + 1) % segments, j);
  b.surface("top", SurfaceKind::plane);
  for (std::uint32_t j = 0; j < segments; ++j) b.triangle(top, segments + j, segments + (j + 1) % segments);
  b.surface("side", SurfaceKind::cylinder);
  for (std::uint32_t j = 0; j < segments; ++j) {
    const std::uint32_t k = (j + 1) % segments;
    b.quad(j, k, segments + k, segments + j);
  }
  return b.build();
}

Mesh pipe(double outer_radius, double inner_radius, double height, std::uint32_t segments) {
  Builder b;
  // Four circles: outer bottom, outer top, inner top, inner bottom. Each surface joins one to the next.
  for (const auto& [radius, z] :
       {std::pair{outer_radius, 0.0}, {outer_radius, height}, {inner_radius, height}, {inner_radius, 0.0}})
    for (std::uint32_t j = 0; j < segments; ++j) {
      const auto [c, s] = at_angle(k_turn * j / segments);
      b.vertex({radius * c, radius * s, z});
    }
  for (std::uint32_t circle = 0; circle < 4; ++circle) {
    constexpr std::array k_names{"outside", "top", "inside", "bottom"};
    b.surface(k_names.at(circle), circle % 2 == 0 ? SurfaceKind::cylinder : SurfaceKind::plane);
    const std::uint32_t from = circle * segments, to = (circle + 1) % 4 * segments;
    for (std::uint32_t j = 0; j < segments; ++j) {
      const std::uint32_t k = (j + 1) % segments;
      b.quad(from + j, from + k, to + k, to + j);
    }
  }
  return b.build();
}

Mesh sphere(double radius, std::uint32_t rings, std::uint32_t segments) {
  Builder b;
  b.surface("sphere", SurfaceKind::sphere);
  const std::uint32_t south = b.vertex({0, 0, -radius}), north = b.vertex({0, 0, radius});
  for (std::uint32_t i = 1; i < rings; ++i) {
    const auto [z, r] = at_angle(k_turn / 2 * (1.0 - static_cast<double>(i) / rings));
    for (std::uint32_t j = 0; j < segments; ++j) {
      const auto [c, s] = at_angle(k_turn * j / segments);
      b.vertex({radius * r * c, radius * r * s, radius * z});
    }
  }
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return 2 + (i - 1) * segments + j % segments; };
  for (std::uint32_t j = 0; j < segments; ++j) {
    b.triangle(south, at(1, j + 1), at(1, j));
    for (std::uint32_t i = 1; i + 1 < rings; ++i) b.quad(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
    b.triangle(north, at(rings - 1, j), at(rings - 1, j + 1));
  }
  return b.build();
}

Mesh torus(double radius, double tube_radius, std::uint32_t along, std::uint32_t around) {
  return tube(along, around, SurfaceKind::torus, [&](std::uint32_t i, std::uint32_t j) {
    const auto [c, s] = at_angle(k_turn * i / along);
    const auto [u, v] = at_angle(k_turn * j / around);
    return Point3{(radius + tube_radius * u) * c, (radius + tube_radius * u) * s, tube_radius * v};
  });
}

Mesh bumpy_knot(std::uint32_t along, std::uint32_t around) {
  const auto centre = [](double t) {
    const auto [c2, s2] = at_angle(2 * t);
    const auto [c3, s3] = at_angle(3 * t);
    return Point3{0.28 * (2 + c3) * c2, 0.28 * (2 + c3) * s2, 0.28 * s3};
  };
  return tube(along, around, SurfaceKind::unknown, [&](std::uint32_t i, std::uint32_t j) {
    const double t = k_turn * i / along;
    const Vec3 forward = unit(centre(t + 1e-3) - centre(t - 1e-3));
    const Vec3 side = unit(cross(forward, {0, 0, 1}));
    const Vec3 up = cross(side, forward);
    const auto [u, v] = at_angle(k_turn * j / around);
    const auto [bump, unused] = at_angle(24 * t + 3 * k_turn * j / around);
    (void)unused;
    const double r = 0.11 * (1 + 0.15 * bump);
    return centre(t) + (r * u) * side + (r * v) * up;
  });
}

}  // namespace snug::scenes
