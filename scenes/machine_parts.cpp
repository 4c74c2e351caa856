#include "scenes/machine_parts.hpp"

#include "scenes/mesh_draft.hpp"
#include "scenes/turned.hpp"
#include "scenes/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::scenes {

namespace {

/// The radius of a thread: a triangular wave with flat crests and roots, a quarter of a pitch each.
double radius_at(const Thread& thread, std::uint32_t on_circle, std::uint32_t circle) {
  const double turns = static_cast<double>(circle) / thread.per_pitch - static_cast<double>(on_circle) / thread.around;
  const double wave = 4 * std::abs(turns - std::floor(turns) - 0.5) - 1;
  return thread.radius + thread.depth * std::clamp(2 * wave, -1.0, 1.0);
}

/// Joins one circle of vertices to the next.
void join(MeshDraft& draft, std::uint32_t from, std::uint32_t to, std::uint32_t around) {
  for (std::uint32_t j = 0; j < around; ++j) {
    const std::uint32_t k = (j + 1) % around;
    draft.quad(from + j, from + k, to + k, to + j);
  }
}

/// The first vertex of a circle of a thread.
std::uint32_t add_circle(MeshDraft& draft, const Thread& thread, std::uint32_t circle) {
  std::uint32_t first = 0;
  for (std::uint32_t j = 0; j < thread.around; ++j) {
    const auto [c, s] = on_circle(j, thread.around);
    const double r = radius_at(thread, j, circle);
    const std::uint32_t vertex = draft.vertex({r * c, r * s, circle * thread.pitch / thread.per_pitch});
    if (j == 0) first = vertex;
  }
  return first;
}

/// Distance of a regular hexagon's outline from its middle, with a corner at 1 towards +x.
double hexagon_at(std::uint32_t k, std::uint32_t count) {
  const double sixth = k_full_turn / 6, angle = k_full_turn * k / count;
  const double from_middle = angle - (std::floor(angle / sixth) + 0.5) * sixth;
  return cos_sin(sixth / 2).cos / cos_sin(from_middle).cos;
}

}  // namespace

Mesh threaded_rod(const Thread& thread, std::uint32_t pitches) {
  MeshDraft draft;
  draft.surface("thread");
  const std::uint32_t last = pitches * thread.per_pitch;
  std::uint32_t bottom = add_circle(draft, thread, 0), circle = bottom;
  for (std::uint32_t i = 1; i <= last; ++i) {
    const std::uint32_t next = add_circle(draft, thread, i);
    join(draft, circle, next, thread.around);
    circle = next;
  }
  const std::uint32_t low = draft.vertex({0, 0, 0}), high = draft.vertex({0, 0, pitches * thread.pitch});
  draft.plane("bottom", {0, 0, 0}, {0, 0, -1});
  for (std::uint32_t j = 0; j < thread.around; ++j) draft.triangle(low, bottom + (j + 1) % thread.around, bottom + j);
  draft.plane("top", {0, 0, pitches * thread.pitch}, {0, 0, 1});
  for (std::uint32_t j = 0; j < thread.around; ++j) draft.triangle(high, circle + j, circle + (j + 1) % thread.around);
  return draft.build();
}

Mesh hexagonal_nut(const Thread& thread, std::uint32_t pitches, double width, double clearance) {
  Thread wider = thread;
  wider.radius += clearance;
  const double height = pitches * thread.pitch;
  MeshDraft draft;
  const auto hexagon = [&](double z) {
    std::uint32_t first = 0;
    for (std::uint32_t j = 0; j < wider.around; ++j) {
      const auto [c, s] = on_circle(j, wider.around);
      const double r = width / 2 * hexagon_at(j, wider.around);
      const std::uint32_t vertex = draft.vertex({r * c, r * s, z});
      if (j == 0) first = vertex;
    }
    return first;
  };
  const std::uint32_t low = hexagon(0), high = hexagon(height);
  draft.surface("outside");
  join(draft, low, high, wider.around);
  std::uint32_t circle = add_circle(draft, wider, pitches * wider.per_pitch);
  draft.plane("top", {0, 0, height}, {0, 0, 1});
  join(draft, high, circle, wider.around);
  draft.surface("thread");
  for (std::uint32_t i = pitches * wider.per_pitch; i-- > 0;) {
    const std::uint32_t next = add_circle(draft, wider, i);
    join(draft, circle, next, wider.around);
    circle = next;
  }
  draft.plane("bottom", {0, 0, 0}, {0, 0, -1});
  join(draft, circle, low, wider.around);
  return draft.build();
}

Mesh spur_gear(double root, double tip, double bore, double width, std::uint32_t teeth) {
  const std::uint32_t around = 4 * teeth;
  MeshDraft draft;
  const auto ring = [&](bool outer, double z) {
    constexpr std::array k_at{0.18, 0.38, 0.62, 0.82};  // where flanks begin and end, in teeth
    std::uint32_t first = 0;
    for (std::uint32_t j = 0; j < around; ++j) {
      const std::uint32_t corner = j % 4;
      const auto [c, s] = cos_sin(k_full_turn * (j / 4 + k_at.at(corner)) / teeth);
      const double r = !outer ? bore : corner == 1 || corner == 2 ? tip : root;
      const std::uint32_t vertex = draft.vertex({r * c, r * s, z});
      if (j == 0) first = vertex;
    }
    return first;
  };
  const std::array rings{ring(true, 0), ring(true, width), ring(false, width), ring(false, 0)};
  const char* const names[] = {"teeth", "top", "bore", "bottom"};
  for (std::size_t i = 0; i < rings.size(); ++i) {
    draft.surface(names[i]);
    join(draft, rings[i], rings[(i + 1) % rings.size()], around);
  }
  return draft.build();
}

Mesh cup(double bottom_radius, double top_radius, double height, double wall, std::uint32_t segments) {
  const double inner_bottom = bottom_radius + (top_radius - bottom_radius) * wall / height - wall;
  return turned(0, 0,
                {{"base", bottom_radius, 0},
                 {"outside", top_radius, height},
                 {"rim", top_radius - wall, height},
                 {"inside", inner_bottom, wall},
                 {"floor", 0, wall}},
                segments);
}

Mesh bowl(double radius, double wall, std::uint32_t bands, std::uint32_t segments) {
  std::vector<TurnedStretch> outline{{"base", radius + wall, -wall}, {"outside", radius + wall, radius}};
  for (std::uint32_t k = bands; k > 0; --k) {
    const auto [c, s] = on_circle(k, 4 * bands);
    outline.push_back({"inside", radius * s, k == bands ? radius : radius - radius * c});
  }
  outline.push_back({"inside", 0, 0});
  return turned(-wall, 0, outline, segments);
}

}  // namespace snug::scenes
