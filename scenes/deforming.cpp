#include "scenes/deforming.hpp"

#include "scenes/mesh_draft.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <snug/pose.hpp>

#include <algorithm>
#include <cmath>

namespace snug::scenes {

namespace {

constexpr double k_turn = 6.283185307179586;

/// From -1 to 1 and back, once in a unit of time, like a sine but made of parabolas: the same bits everywhere.
double wave(double time) noexcept {
  const double part = time - std::floor(time);
  return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part);
}

Mesh sheet(std::uint32_t cells) {
  MeshDraft draft;
  draft.surface("sheet");
  for (std::uint32_t j = 0; j <= cells; ++j)
    for (std::uint32_t i = 0; i <= cells; ++i) draft.vertex({2.0 * i / cells - 1, 2.0 * j / cells - 1, 0});
  const std::uint32_t row = cells + 1;
  for (std::uint32_t j = 0; j < cells; ++j)
    for (std::uint32_t i = 0; i < cells; ++i)
      draft.quad(j * row + i, j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i);
  return draft.build();
}

Mesh bar(std::uint32_t along, std::uint32_t across) {
  constexpr double half = 0.15;
  MeshDraft draft;
  Corners corner(draft);
  const auto at = [&](double x, double u, double v) {
    return corner({2 * x - 1, half * (2 * u - 1), half * (2 * v - 1)});
  };
  const auto part = [](std::uint32_t i, std::uint32_t of) { return static_cast<double>(i) / of; };
  // Four sides, each the one before turned about the axis.
  for (int side = 0; side < 4; ++side) {
    draft.surface("side " + std::to_string(side));
    const auto on_side = [&](std::uint32_t i, std::uint32_t j) {
      const double x = part(i, along), u = part(j, across);
      return side == 0 ? at(x, u, 0) : side == 1 ? at(x, 1, u) : side == 2 ? at(x, 1 - u, 1) : at(x, 0, 1 - u);
    };
    for (std::uint32_t i = 0; i < along; ++i)
      for (std::uint32_t j = 0; j < across; ++j)
        draft.quad(on_side(i, j), on_side(i, j + 1), on_side(i + 1, j + 1), on_side(i + 1, j));
  }
  for (const bool far : {false, true}) {
    draft.surface(far ? "far end" : "near end");
    for (std::uint32_t i = 0; i < across; ++i)
      for (std::uint32_t j = 0; j < across; ++j) {
        const double x = far ? 1 : 0, u = part(i, across), v = part(j, across), u1 = part(i + 1, across),
                     v1 = part(j + 1, across);
        if (far)
          draft.quad(at(x, u, v), at(x, u1, v), at(x, u1, v1), at(x, u, v1));
        else
          draft.quad(at(x, u, v), at(x, u, v1), at(x, u1, v1), at(x, u1, v));
      }
  }
  return draft.build();
}

}  // namespace

Cloth::Cloth(std::uint32_t cells) : mesh_(sheet(cells)) {}

std::vector<Point3> Cloth::at(double time) const {
  const double swing = std::min(1.0, 0.2 * time);
  std::vector<Point3> moved;
  moved.reserve(mesh_.vertices().size());
  for (const Point3& p : mesh_.vertices()) {
    const double lift = 0.25 * wave(0.7 * p.x + 0.3 * p.y - time) + 0.12 * wave(1.9 * p.y - 0.8 * p.x + 1.3 * time);
    const double pull = 0.1 * wave(1.1 * p.y + 0.6 * time);
    moved.push_back({p.x + swing * pull, p.y + 0.5 * swing * pull, swing * lift});
  }
  return moved;
}

Breathing::Breathing(std::uint32_t rings, std::uint32_t segments) : mesh_(sphere(1, rings, segments)) {}

std::vector<Point3> Breathing::at(double time) const {
  std::vector<Point3> moved;
  moved.reserve(mesh_.vertices().size());
  for (const Point3& p : mesh_.vertices()) {
    const double bump = wave(0.5 * p.x + 0.4 * time) + wave(0.7 * p.y - 0.3 * time) + wave(0.6 * p.z + 0.9 * time);
    moved.push_back((1 + 0.1 * wave(time) + 0.06 * bump) * p);
  }
  return moved;
}

Twisting::Twisting(std::uint32_t along, std::uint32_t across) : mesh_(bar(along, across)) {}

std::vector<Point3> Twisting::at(double time) const {
  std::vector<Point3> moved;
  moved.reserve(mesh_.vertices().size());
  double known = 2;
  Pose turn;
  for (const Point3& p : mesh_.vertices()) {
    if (p.x != known) turn = rotation({1, 0, 0}, k_turn * time * (0.5 * (p.x + 1))), known = p.x;
    moved.push_back(turn.apply(p));
  }
  return moved;
}

Swarm::Swarm(std::uint32_t count)
    : mesh_([&] {
        Random random(7);
        MeshDraft draft;
        draft.surface("swarm");
        const double size = 1.5 / std::cbrt(static_cast<double>(count));
        for (std::uint32_t t = 0; t < count; ++t) {
          const Point3 at = random.point(-1, 1);
          const auto corner = [&] { return draft.vertex(at + random.point(-size, size)); };
          const std::uint32_t a = corner(), b = corner();
          draft.triangle(a, b, corner());
        }
        return draft.build();
      }()) {
  Random random(11);
  for (std::uint32_t t = 0; t < count; ++t) heading_.push_back(random.point(-1, 1));
}

std::vector<Point3> Swarm::at(double time) const {
  std::vector<Point3> moved(mesh_.vertices().size());
  for (std::size_t t = 0; t < heading_.size(); ++t)
    for (const std::uint32_t v : mesh_.triangles()[t]) moved[v] = mesh_.vertices()[v] + time * heading_[t];
  return moved;
}

}  // namespace snug::scenes
