#include "scenes/lattice_parts.hpp"

#include "scenes/mesh_draft.hpp"
#include "scenes/square_round.hpp"
#include "scenes/turned.hpp"

#include <array>
#include <map>
#include <string>
#include <tuple>

namespace snug::scenes {

namespace {

struct Side {
  const char* name;
  Vec3 u, v, n;  ///< u x v = n, outward
};
constexpr std::array<Side, 6> k_sides{{{"+x", {0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                       {"-x", {0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
                                       {"+y", {0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                       {"-y", {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                       {"+z", {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                       {"-z", {0, 1, 0}, {1, 0, 0}, {0, 0, -1}}}};

/// Corners get their ids in this order, whatever order a compiler chooses for arguments.
void quad(MeshDraft& draft, Corners& corner, const std::array<Point3, 4>& places) {
  std::array<std::uint32_t, 4> ids{};
  for (std::size_t k = 0; k < 4; ++k) ids.at(k) = corner(places.at(k));
  draft.quad(ids[0], ids[1], ids[2], ids[3]);
}

struct Ring {
  double radius, height;
};

/// A cube with a turned boss on each side, given by its outline from the cube's face to the pad.
Mesh bossed_cube(double half, const std::vector<Ring>& outline, std::uint32_t segments, double longer = 0) {
  MeshDraft draft;
  Corners corner(draft);
  for (const Side& side : k_sides) {
    const std::string name = side.name;
    const auto place = [&](const Vec3& p, double height) { return p.x * side.u + p.y * side.v + height * side.n; };
    const auto strip = [&](auto&& from, auto&& to) {
      for (std::uint32_t k = 0; k < segments; ++k) {
        const std::uint32_t l = (k + 1) % segments;
        quad(draft, corner, {from(k), from(l), to(l), to(k)});
      }
    };
    const auto ring = [&](const Ring& r) {
      return [&, r](std::uint32_t k) { return place(on_round(k, segments, r.radius), r.height); };
    };
    draft.plane(name + " deck", half * side.n, side.n);
    strip([&](std::uint32_t k) { return place(on_square(k, segments, half), half); }, ring(outline.front()));
    for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
      const Ring& a = outline[i];
      Ring b = outline[i + 1];
      if (i + 2 == outline.size() && name == "+x") b.height += longer;
      const std::string boss = name + " boss " + std::to_string(i);
      const double sag = chord_sag(a.radius < b.radius ? b.radius : a.radius, segments);
      std::uint32_t id = 0;
      if (a.height == b.height)
        draft.plane(boss, a.height * side.n, b.radius < a.radius ? side.n : -side.n);
      else if (a.radius == b.radius)
        id = draft.surface(boss, SurfaceKind::cylinder,
                           AnalyticSurface{.origin = a.height * side.n, .axis = side.n, .radius = a.radius});
      else
        id = draft.surface(boss, SurfaceKind::cone,
                           AnalyticSurface{.origin = ((a.height + b.height) / 2) * side.n,
                                           .axis = b.radius > a.radius ? side.n : -side.n,
                                           .radius = (a.radius + b.radius) / 2,
                                           .half_angle = k_eighth_turn});
      if (a.height != b.height) draft.input().surfaces[id].sag.value = sag;
      strip(ring(a), ring(b));
    }
    Ring pad = outline.back();
    if (name == "+x") pad.height += longer;
    draft.plane(name + " pad", pad.height * side.n, side.n);
    const std::uint32_t middle = corner(pad.height * side.n);
    for (std::uint32_t k = 0; k < segments; ++k) {
      const std::uint32_t from = corner(ring(pad)(k)), to = corner(ring(pad)(k + 1));
      draft.triangle(middle, from, to);
    }
  }
  return draft.build();
}

/// Takes a first square of width 2, given by its middle, and all that hang together with it by their edges.
std::vector<Point3> take_piece(std::vector<Point3>& middles) {
  std::vector<Point3> piece{middles.front()};
  middles.erase(middles.begin());
  for (std::size_t i = 0; i < piece.size(); ++i)
    std::erase_if(middles, [&](const Point3& m) {
      const Vec3 d = m - piece[i];
      const bool hangs = dot(d, d) == 4;
      if (hangs) piece.push_back(m);
      return hangs;
    });
  return piece;
}

/// Cubes of 2 mm in a grid of five along each axis; flush sides that hang together are one surface.
template <class Filled>
Mesh of_cubes(Filled&& filled) {
  MeshDraft draft;
  Corners corner(draft);
  std::map<std::tuple<std::size_t, int>, std::vector<Point3>> planes;  // middles of cube faces, by side and height
  const auto at = [&](int x, int y, int z) {
    return x >= -2 && x <= 2 && y >= -2 && y <= 2 && z >= -2 && z <= 2 && filled(x, y, z);
  };
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z)
        for (std::size_t s = 0; s < k_sides.size(); ++s) {
          const Vec3 n = k_sides.at(s).n;
          if (!at(x, y, z) || at(x + static_cast<int>(n.x), y + static_cast<int>(n.y), z + static_cast<int>(n.z)))
            continue;
          const Point3 middle = Vec3{2.0 * x, 2.0 * y, 2.0 * z} + n;
          planes[{s, static_cast<int>(dot(middle, n))}].push_back(middle);
        }
  for (auto& [key, middles] : planes) {
    const auto& [s, height] = key;
    const Side& side = k_sides.at(s);
    for (int number = 0; !middles.empty(); ++number) {
      draft.plane(std::string(side.name) + ' ' + std::to_string(height) + static_cast<char>('a' + number),
                  static_cast<double>(height) * side.n, side.n);
      for (const Point3& m : take_piece(middles))
        quad(draft, corner, {m - side.u - side.v, m + side.u - side.v, m + side.u + side.v, m - side.u + side.v});
    }
  }
  return draft.build();
}

}  // namespace

std::vector<Mesh> lattice_parts() {
  return {
      bossed_cube(3, {{2, 3}, {2, 5}}, 8),
      bossed_cube(3, {{2, 3}, {2, 5}}, 16),
      bossed_cube(4, {{3, 4}, {3, 5}}, 32),
      bossed_cube(4, {{2.5, 4}, {1.5, 5}}, 16),
      bossed_cube(4, {{1.5, 4}, {2.5, 5}}, 16),
      bossed_cube(3.5, {{2.5, 3.5}, {2.5, 4}, {1.5, 4}, {1.5, 5}}, 16),
      bossed_cube(3, {{2.5, 3}, {1.5, 4}, {2.5, 5}}, 16),
      of_cubes([](int x, int y, int z) { return (x == 0) + (y == 0) + (z == 0) >= 2; }),
      of_cubes([](int x, int y, int z) {
        const auto core = [](int c) { return c >= -1 && c <= 1; };
        return (x == 0) + (y == 0) + (z == 0) >= 2 || (core(x) && core(y) && core(z) && x * y * z == 0);
      }),
  };
}

Mesh bad_lattice_part() { return bossed_cube(2.5, {{2, 2.5}, {2, 5}}, 16, k_too_long); }

}  // namespace snug::scenes
