#include "scenes/solids.hpp"

#include "scenes/mesh_draft.hpp"

#include <snug/pose.hpp>

#include <array>
#include <cmath>
#include <optional>
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

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec3 unit(const Vec3& v) { return (1 / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z)) * v; }

/// A surface of revolution with the origin in its middle.
AnalyticSurface around_z(double radius, double minor_radius = 0, bool hollow = false) {
  AnalyticSurface form;
  form.radius = radius;
  form.minor_radius = minor_radius;
  form.hollow = hollow;
  return form;
}

/// A closed tube of along x around quads; ring(i, j) gives its vertices.
template <class Ring>
Mesh tube(std::uint32_t along, std::uint32_t around, std::optional<AnalyticSurface> torus, Ring&& ring) {
  MeshDraft b;
  b.surface("tube", torus ? SurfaceKind::torus : SurfaceKind::unknown, torus);
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
  MeshDraft b;
  for (unsigned i = 0; i < 8; ++i)
    b.vertex({(i & 1U) != 0 ? hi.x : lo.x, (i & 2U) != 0 ? hi.y : lo.y, (i & 4U) != 0 ? hi.z : lo.z});
  const auto face = [&](const char* name, const Point3& at, const Vec3& normal, const std::array<std::uint32_t, 4>& q) {
    b.plane(name, at, normal);
    b.quad(q[0], q[1], q[2], q[3]);
  };
  face("bottom", lo, {0, 0, -1}, {0, 2, 3, 1});
  face("top", hi, {0, 0, 1}, {4, 5, 7, 6});
  face("front", lo, {0, -1, 0}, {0, 1, 5, 4});
  face("back", hi, {0, 1, 0}, {2, 6, 7, 3});
  face("left", lo, {-1, 0, 0}, {0, 4, 6, 2});
  face("right", hi, {1, 0, 0}, {1, 3, 7, 5});
  return b.build();
}

Mesh grid_cube(std::uint32_t squares, const Point3& lo) {
  MeshInput input;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      const auto base = static_cast<std::uint32_t>(input.vertices.size());
      for (std::uint32_t j = 0; j <= squares; ++j)
        for (std::uint32_t i = 0; i <= squares; ++i) {
          double p[3] = {};
          p[axis] = upper ? 1 : 0;
          p[(axis + 1) % 3] = static_cast<double>(i) / squares;
          p[(axis + 2) % 3] = static_cast<double>(j) / squares;
          input.vertices.push_back(lo + Vec3{p[0], p[1], p[2]});
        }
      for (std::uint32_t j = 0; j < squares; ++j)
        for (std::uint32_t i = 0; i < squares; ++i) {
          const std::uint32_t p = base + j * (squares + 1) + i, q = p + 1, r = p + squares + 2, s = r - 1;
          input.triangles.push_back(upper ? Index3{p, q, r} : Index3{p, r, q});
          input.triangles.push_back(upper ? Index3{p, r, s} : Index3{p, s, r});
        }
    }
  return Mesh::build(std::move(input)).value();
}

Mesh prism(std::span<const std::pair<double, double>> section, double lo, double hi) {
  MeshInput input;
  const auto count = static_cast<std::uint32_t>(section.size());
  for (const double z : {lo, hi})
    for (const auto& [x, y] : section) input.vertices.push_back({x, y, z});
  for (std::uint32_t i = 1; i + 1 < count; ++i) {
    input.triangles.push_back({0, i + 1, i});
    input.triangles.push_back({count, count + i, count + i + 1});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t j = (i + 1) % count;
    input.triangles.push_back({i, j, count + j});
    input.triangles.push_back({i, count + j, count + i});
  }
  return Mesh::build(std::move(input)).value();
}

Mesh cylinder(double radius, double height, std::uint32_t segments) {
  MeshDraft b;
  for (const double z : {0.0, height})
    for (std::uint32_t j = 0; j < segments; ++j) {
      const auto [c, s] = at_angle(k_turn * j / segments);
      b.vertex({radius * c, radius * s, z});
    }
  const std::uint32_t bottom = b.vertex({0, 0, 0}), top = b.vertex({0, 0, height});
  b.plane("bottom", {0, 0, 0}, {0, 0, -1});
  for (std::uint32_t j = 0; j < segments; ++j) b.triangle(bottom, (j + 1) % segments, j);
  b.plane("top", {0, 0, height}, {0, 0, 1});
  for (std::uint32_t j = 0; j < segments; ++j) b.triangle(top, segments + j, segments + (j + 1) % segments);
  b.surface("side", SurfaceKind::cylinder, around_z(radius));
  for (std::uint32_t j = 0; j < segments; ++j) {
    const std::uint32_t k = (j + 1) % segments;
    b.quad(j, k, segments + k, segments + j);
  }
  return b.build();
}

Mesh pipe(double outer_radius, double inner_radius, double height, std::uint32_t segments) {
  MeshDraft b;
  // Four circles: outer bottom, outer top, inner top, inner bottom. Each surface joins one to the next.
  for (const auto& [radius, z] :
       {std::pair{outer_radius, 0.0}, {outer_radius, height}, {inner_radius, height}, {inner_radius, 0.0}})
    for (std::uint32_t j = 0; j < segments; ++j) {
      const auto [c, s] = at_angle(k_turn * j / segments);
      b.vertex({radius * c, radius * s, z});
    }
  const auto name = [&](std::uint32_t circle) {
    switch (circle) {
      case 0:
        return b.surface("outside", SurfaceKind::cylinder, around_z(outer_radius));
      case 1:
        return b.plane("top", {0, 0, height}, {0, 0, 1});
      case 2:
        return b.surface("inside", SurfaceKind::cylinder, around_z(inner_radius, 0, true));
      default:
        return b.plane("bottom", {0, 0, 0}, {0, 0, -1});
    }
  };
  for (std::uint32_t circle = 0; circle < 4; ++circle) {
    name(circle);
    const std::uint32_t from = circle * segments, to = (circle + 1) % 4 * segments;
    for (std::uint32_t j = 0; j < segments; ++j) {
      const std::uint32_t k = (j + 1) % segments;
      b.quad(from + j, from + k, to + k, to + j);
    }
  }
  return b.build();
}

Mesh sphere(double radius, std::uint32_t rings, std::uint32_t segments) {
  MeshDraft b;
  b.surface("sphere", SurfaceKind::sphere, around_z(radius));
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
  const AnalyticSurface form = around_z(radius, tube_radius);
  return tube(along, around, form, [&](std::uint32_t i, std::uint32_t j) {
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
  return tube(along, around, std::nullopt, [&](std::uint32_t i, std::uint32_t j) {
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
