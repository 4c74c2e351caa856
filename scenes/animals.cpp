#include "scenes/animals.hpp"

#include "scenes/decimate.hpp"
#include "scenes/mesh_draft.hpp"
#include "scenes/polygonise.hpp"
#include "scenes/vectors.hpp"

#include <array>
#include <string>

namespace snug::scenes {

namespace {

/// Left (+y) and right, by a function of the side's sign and name.
template <class F>
void both_sides(F&& add) {
  add(1.0, std::string("left "));
  add(-1.0, std::string("right "));
}

/// Turned about y, then about x: how ears lean back and apart.
Pose lean(double back, double apart) { return compose(rotation({1, 0, 0}, apart), rotation({0, 1, 0}, back)); }

}  // namespace

Mesh skin(const Blob& body, double width, std::uint32_t vertices) {
  TriangleSoup fine = polygonise(body, body.bounds(), width);
  even_out(fine, body, width, 3);
  const TriangleSoup soup = decimate(fine, vertices);
  Aabb box;
  for (const Point3& p : soup.vertices) box.include(p);
  const double scale = 1 / (box.hi.z - box.lo.z);
  const Vec3 foot{(box.lo.x + box.hi.x) / 2, (box.lo.y + box.hi.y) / 2, box.lo.z};

  MeshInput input;
  for (const Point3& p : soup.vertices) input.vertices.push_back(scale * (p - foot));
  input.triangles = soup.triangles;
  // Only pieces that show are surfaces.
  std::vector<std::uint32_t> surface_of_piece(body.names().size(), 0xffffffffU);
  for (const Index3& t : soup.triangles) {
    const Point3 middle = (1.0 / 3) * (soup.vertices[t[0]] + soup.vertices[t[1]] + soup.vertices[t[2]]);
    const std::uint32_t piece = body.piece_at(middle);
    if (surface_of_piece[piece] == 0xffffffffU) {
      surface_of_piece[piece] = static_cast<std::uint32_t>(input.surfaces.size());
      input.surfaces.push_back({.name = body.names()[piece], .kind = SurfaceKind::unknown, .sag = {}});
    }
    input.surface_of_triangle.push_back(surface_of_piece[piece]);
  }
  return Mesh::build(std::move(input)).value();
}

Mesh bunny(std::uint32_t vertices) {
  Blob b;
  b.ellipsoid("body", {-0.1, 0, 0.95}, {1.0, 0.72, 0.82}, 0);
  b.ellipsoid("chest", {0.5, 0, 1.15}, {0.5, 0.5, 0.62}, 0.3);
  b.ellipsoid("head", {0.9, 0, 1.95}, {0.58, 0.46, 0.48}, 0.25);
  b.ellipsoid("snout", {1.35, 0, 1.82}, {0.28, 0.26, 0.22}, 0.2);
  b.ellipsoid("tail", {-1.15, 0, 0.65}, {0.28, 0.28, 0.28}, 0.1);
  both_sides([&](double side, const std::string& name) {
    b.ellipsoid(name + "haunch", {-0.4, side * 0.58, 0.6}, {0.66, 0.34, 0.58}, 0.12);
    b.ellipsoid(name + "foot", {0.2, side * 0.64, 0.17}, {0.6, 0.22, 0.17}, 0.1);
    b.limb(name + "paw", {0.72, side * 0.28, 0.95}, 0.2, {1.0, side * 0.3, 0.17}, 0.17, 0.1);
    b.ellipsoid(name + "ear", {0.5, side * 0.36, 2.95}, {0.15, 0.25, 0.85}, 0.12, lean(-0.3, side * -0.2));
  });
  return skin(b, 0.07, vertices);
}

Mesh pig(std::uint32_t vertices) {
  Blob b;
  b.ellipsoid("body", {0, 0, 1.25}, {1.5, 0.85, 0.82}, 0);
  b.ellipsoid("head", {1.55, 0, 1.5}, {0.62, 0.6, 0.6}, 0.2);
  b.limb("snout", {2.0, 0, 1.4}, 0.32, {2.25, 0, 1.36}, 0.25, 0.1);
  b.ellipsoid("snout", {2.45, 0, 1.36}, {0.1, 0.34, 0.29}, 0.06);
  both_sides([&](double side, const std::string& name) {
    b.ellipsoid(name + "ear", {1.5, side * 0.46, 2.13}, {0.12, 0.24, 0.4}, 0.06, lean(0.5, side * -0.45));
    b.limb(name + "front leg", {0.85, side * 0.42, 0.8}, 0.32, {0.9, side * 0.45, 0.2}, 0.2, 0.12);
    b.limb(name + "hind leg", {-0.85, side * 0.42, 0.8}, 0.34, {-0.9, side * 0.45, 0.2}, 0.2, 0.12);
  });
  // A helix of one and a half turns.
  constexpr int k_links = 18;
  Point3 from{-1.42, 0, 1.55};
  for (int i = 1; i <= k_links; ++i) {
    const auto [c, s] = cos_sin(k_full_turn * 1.5 * i / k_links);
    const Point3 to{-1.42 - 0.62 * i / k_links, 0.2 * s, 1.75 - 0.2 * c};
    b.limb("tail", from, 0.085, to, 0.085, 0.02);
    from = to;
  }
  return skin(b, 0.055, vertices);
}

Mesh duck(std::uint32_t vertices) {
  Blob b;
  b.ellipsoid("body", {0, 0, 0.7}, {1.35, 0.85, 0.7}, 0);
  b.limb("neck", {0.85, 0, 0.9}, 0.45, {1.0, 0, 1.7}, 0.34, 0.25);
  b.ellipsoid("head", {1.05, 0, 2.0}, {0.52, 0.48, 0.48}, 0.12);
  b.ellipsoid("bill", {1.62, 0, 1.9}, {0.42, 0.3, 0.1}, 0.06);
  b.limb("tail", {-1.0, 0, 0.85}, 0.4, {-1.6, 0, 1.35}, 0.08, 0.2);
  both_sides([&](double side, const std::string& name) {
    b.ellipsoid(name + "wing", {-0.2, side * 0.82, 0.85}, {0.85, 0.16, 0.38}, 0.06,
                compose(rotation({0, 0, 1}, side * 0.15), rotation({0, 1, 0}, 0.25)));
  });
  return skin(b, 0.055, vertices);
}

}  // namespace snug::scenes
