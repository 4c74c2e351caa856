// Two pegs shoot into the holes of a plate, 40 mm within one step. One fits, with 0.05 mm all around. The other is 0.2 mm
// off its axis and cuts into the wall of its hole from when its end reaches the plate; at the ends of the step, its start
// and its seat, only the second shows that.

#include "scenes/mesh_draft.hpp"
#include "scenes/square_round.hpp"
#include "scenes/turned.hpp"
#include "scenes/worlds.hpp"

namespace snug::scenes {

namespace {

constexpr std::uint32_t k_segments = 48;
constexpr double k_half = 20, k_hole = 10, k_thickness = 20;

/// Two square halves side by side, each with a round hole through its middle; the top is at z = 0.
Mesh plate_with_holes() {
  MeshDraft draft;
  Corners corner(draft);
  const double sag = chord_sag(k_hole, k_segments);
  const auto ring = [&](auto&& point) {
    std::vector<std::uint32_t> ids;
    ids.reserve(k_segments);
    for (std::uint32_t k = 0; k < k_segments; ++k) ids.push_back(corner(point(k)));
    return ids;
  };
  struct Half {
    double x;
    std::vector<std::uint32_t> square_top, square_bottom, hole_top, hole_bottom;
  };
  std::vector<Half> halves;
  for (const double x : {-k_half, k_half}) {
    const auto square = [&](double z) {
      return ring([&, z](std::uint32_t k) { return on_square(k, k_segments, k_half) + Vec3{x, 0, z}; });
    };
    const auto hole = [&](double z) {
      return ring([&, z](std::uint32_t k) { return on_round(k, k_segments, k_hole) + Vec3{x, 0, z}; });
    };
    halves.push_back({x, square(0), square(-k_thickness), hole(0), hole(-k_thickness)});
  }
  const auto strip = [&](const auto& from, const auto& to, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) {
      const std::uint32_t k = i % k_segments, l = (i + 1) % k_segments;
      draft.quad(from[k], from[l], to[l], to[k]);
    }
  };
  draft.plane("top", {}, {0, 0, 1});
  for (const Half& h : halves) strip(h.square_top, h.hole_top, 0, k_segments);
  draft.plane("bottom", {0, 0, -k_thickness}, {0, 0, -1});
  for (const Half& h : halves) strip(h.hole_bottom, h.square_bottom, 0, k_segments);
  constexpr std::uint32_t k_side = k_segments / 4;
  draft.plane("right", {2 * k_half, 0, 0}, {1, 0, 0});
  strip(halves[1].square_bottom, halves[1].square_top, 0, k_side);
  draft.plane("left", {-2 * k_half, 0, 0}, {-1, 0, 0});
  strip(halves[0].square_bottom, halves[0].square_top, 2 * k_side, k_side);
  draft.plane("back", {0, k_half, 0}, {0, 1, 0});
  for (const Half& h : halves) strip(h.square_bottom, h.square_top, k_side, k_side);
  draft.plane("front", {0, -k_half, 0}, {0, -1, 0});
  for (const Half& h : halves) strip(h.square_bottom, h.square_top, 3 * k_side, k_side);
  for (const Half& h : halves) {
    const std::uint32_t id = draft.surface(h.x < 0 ? "left hole" : "right hole", SurfaceKind::cylinder,
                                           AnalyticSurface{.origin = {h.x, 0, 0}, .radius = k_hole, .hollow = true});
    draft.input().surfaces[id].sag.value = sag;
    strip(h.hole_top, h.hole_bottom, 0, k_segments);
  }
  return draft.build();
}

}  // namespace

Scene peg(const SceneOptions& /*options*/) {
  // Shaft below z = 0, head above.
  const Mesh mesh = turned(
      -30, 0, {{"end", 9.95, -30}, {"shaft", 9.95, 0}, {"seat", 14, 0}, {"rim", 14, 5}, {"head", 0, 5}}, k_segments);
  constexpr double k_way = 40, k_time = 0.001;
  Scene scene;
  scene.name = "peg";
  (void)scene.assembly.add({"plate", plate_with_holes(), {}}).value();
  (void)scene.assembly.add({"peg that fits", mesh, translation(-k_half, 0, k_way)}).value();
  (void)scene.assembly.add({"peg off its axis", mesh, translation(k_half + 0.2, 0, k_way)}).value();
  for (const char* path : {"peg that fits", "peg off its axis"})
    scene.tracks.push_back({path, {{0, {}}, {k_time, translation(0, 0, -k_way)}}});
  scene.duration = k_time;
  scene.steps = 2;
  scene.meetings.push_back(
      {"peg off its axis", "plate", k_time * 10 / k_way, k_time, "cuts into the wall of the hole"});
  return scene;
}

}  // namespace snug::scenes
