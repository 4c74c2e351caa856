#include "support/trig.hpp"

#include <snug/robot.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace snug {

namespace {

using support::cosine, support::sine, support::k_pi;

/// Sides of a polygon in a circle that stays within `sag` of it; a page has no use for more than 256.
int sides_for(double radius, double sag) {
  // The sagitta of an arc of 2 pi / n is r (1 - cos(pi / n)) <= r (pi / n)^2 / 2.
  const double wanted = radius > 0 && sag > 0 ? k_pi / std::sqrt(2 * sag / radius) : 8;
  return static_cast<int>(std::clamp(std::ceil(wanted), 8.0, 256.0));
}

/// A solid of revolution about z from its outline, which begins and ends on the axis, going upwards.
MeshInput turned(const std::vector<std::array<double, 2>>& outline, int sides) {
  MeshInput mesh;
  const auto rings = outline.size();
  const auto at = [&](std::size_t ring, int side) {
    if (ring == 0) return std::uint32_t{0};
    if (ring + 1 == rings) return static_cast<std::uint32_t>(1 + (rings - 2) * static_cast<std::size_t>(sides));
    return static_cast<std::uint32_t>(1 + (ring - 1) * static_cast<std::size_t>(sides) +
                                      static_cast<std::size_t>(side % sides));
  };
  mesh.vertices.push_back({0, 0, outline.front()[1]});
  for (std::size_t ring = 1; ring + 1 < rings; ++ring)
    for (int side = 0; side < sides; ++side) {
      const double angle = 2 * k_pi * side / sides;
      mesh.vertices.push_back({outline[ring][0] * cosine(angle), outline[ring][0] * sine(angle), outline[ring][1]});
    }
  mesh.vertices.push_back({0, 0, outline.back()[1]});
  for (std::size_t ring = 0; ring + 1 < rings; ++ring)
    for (int side = 0; side < sides; ++side) {
      const std::uint32_t a = at(ring, side), b = at(ring, side + 1), c = at(ring + 1, side),
                          d = at(ring + 1, side + 1);
      if (ring > 0) mesh.triangles.push_back({a, b, c});
      if (ring + 2 < rings) mesh.triangles.push_back({b, d, c});
    }
  return mesh;
}

MeshInput box_mesh(const Vec3& half) {
  MeshInput mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
  for (const auto& [a, b, c, d] : std::initializer_list<std::array<std::uint32_t, 4>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

Mesh mesh_of(const Primitive& solid, double sag) {
  const double r = solid.radius(), half = solid.half().z;
  const int sides = sides_for(r, sag);
  std::vector<std::array<double, 2>> outline;
  switch (solid.kind()) {
    case Primitive::Kind::cylinder:
      outline = {{0, -half}, {r, -half}, {r, half}, {0, half}};
      break;
    case Primitive::Kind::sphere:
    case Primitive::Kind::capsule: {
      const double up = solid.kind() == Primitive::Kind::capsule ? half : 0;
      const int steps = std::max(sides / 4, 2);
      outline.push_back({0, -up - r});
      for (int i = 1; i <= steps; ++i)
        outline.push_back({r * sine(k_pi / 2 * i / steps), -up - r * cosine(k_pi / 2 * i / steps)});
      for (int i = up > 0 ? steps : steps - 1; i >= 1; --i)
        outline.push_back({r * sine(k_pi / 2 * i / steps), up + r * cosine(k_pi / 2 * i / steps)});
      outline.push_back({0, up + r});
      break;
    }
    default:
      return Mesh::build(box_mesh(solid.half())).value();
  }
  return Mesh::build(turned(outline, sides)).value();
}

/// All bodies of a link, in its frame. Their surfaces keep their names; what form they have is not told.
Mesh link_mesh(const RobotLink& link, double sag) {
  MeshInput whole;
  for (const RobotBody& body : link.bodies) {
    const Mesh mesh = body.shape.is_mesh() ? body.shape.mesh() : mesh_of(*body.shape.primitive(), sag);
    const auto vertices = static_cast<std::uint32_t>(whole.vertices.size());
    const auto surfaces = static_cast<std::uint32_t>(whole.surfaces.size());
    for (const Point3& v : mesh.vertices()) whole.vertices.push_back(body.pose.apply(v));
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      const Index3& corners = mesh.triangles()[t];
      whole.triangles.push_back({corners[0] + vertices, corners[1] + vertices, corners[2] + vertices});
      whole.surface_of_triangle.push_back(mesh.surface_of(t) + surfaces);
    }
    for (const Surface& surface : mesh.surfaces()) whole.surfaces.emplace_back().name = surface.name;
  }
  return Mesh::build(std::move(whole)).value();
}

}  // namespace

Result<Assembly, JointError> robot_assembly(const Robot& robot, std::span<const double> values, double sag) {
  if (!(sag > 0)) return Failure{JointError{.code = JointError::Code::bad_option}};
  std::vector<Pose> poses;
  if (auto posed = link_poses(robot, values, poses); !posed) return Failure{posed.error()};
  for (const RobotLink& link : robot.links)
    for (const RobotBody& body : link.bodies)
      if (!body.pose.is_valid())
        return Failure{
            JointError{.code = JointError::Code::not_a_value, .joint = link.joint.value_or(0), .name = link.name}};
  Assembly assembly(LengthUnit::metre);
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (const RobotLink& link = robot.links[i]; !link.bodies.empty())
      (void)assembly.add({link.name, link_mesh(link, sag), poses[i]}).value();
  return assembly;
}

}  // namespace snug
