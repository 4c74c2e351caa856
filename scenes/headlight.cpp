// A car headlight like that of Raabe et al. (DATE and WSCG 2006), whose 5,947 triangles can not bound a solid: a closed
// mesh has an even number. This one has 5,948: a loop of 48 profile points goes around the axis in 60 sectors
// (2 * 48 * 60 = 5,760), and pads drawn out of the wall add two triangles for each edge around them (188).

#include "scenes/mesh_draft.hpp"
#include "scenes/vectors.hpp"
#include "scenes/worlds.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace snug::scenes {

namespace {

constexpr std::uint32_t k_sectors = 60;
constexpr double k_rake = 0.22;  ///< the front leans back towards +x, as the wing of a car asks

/// A point of the profile: between a circle of radius `base` and the outline of the rim by `share`, then outward by
/// `outward`, all in mm.
struct ProfilePoint {
  double share, base, outward, z;
};

/// Distance of the rim from the axis: a rounded rectangle, wider towards +x.
double rim_radius(const CosSin& angle) {
  const double u = angle.cos / 150, v = angle.sin / 88;
  return (1 + 0.12 * angle.cos) / std::sqrt(std::sqrt(u * u * u * u + v * v * v * v));
}

double bowl_depth(double share) { return 20 + 95 * share * share; }

/// From the throat over the reflector to the rim, and along the back of it to the neck and through the bore to the throat.
struct Profile {
  std::vector<ProfilePoint> points;
  struct Stretch {
    std::string name;
    std::uint32_t first;  ///< its segments are those from here to the next stretch
    SurfaceKind kind;
    AnalyticSurface analytic;
    double sag;
  };
  std::vector<Stretch> stretches;

  Profile() {
    const double top = bowl_depth(1);
    const Vec3 front = unit({-k_rake, 0, 1});
    const auto at = [&](double z) { return Point3{0, 0, z}; };
    start("reflector");
    for (int i = 0; i < 17; ++i) {
      const double share = i / 17.0;
      // Every fourth ring stands back: a reflector of steps.
      add({share, 16, 0, bowl_depth(share) - (i % 4 == 3 ? 1.2 : 0)});
    }
    add({1, 16, 0, top});
    plane("inner rim", at(top), front), add({1, 16, 4, top});
    start("inner wall of the groove"), add({1, 16, 4, top - 6});
    plane("floor of the groove", at(top - 6), front), add({1, 16, 9, top - 6});
    start("outer wall of the groove"), add({1, 16, 9, top});
    plane("outer rim", at(top), front), add({1, 16, 14, top});
    start("edge of the flange"), add({1, 16, 14, top - 9});
    plane("back of the flange", at(top - 9), -front), add({1, 16, 3.5, top - 9});
    start("housing");
    for (int i = 16; i >= 1; --i) {
      const double share = i / 17.0;
      add({share, 24, 3.5, bowl_depth(share) - 5});
    }
    add({0, 24, 0, 15});
    cylinder("neck", 24, false), add({0, 24, 0, -8});
    plane("front of the lip", at(-8), {0, 0, 1}), add({0, 28, 0, -8});
    cylinder("lip", 28, false), add({0, 28, 0, -14});
    plane("socket", at(-14), {0, 0, -1}), add({0, 18, 0, -14});
    cylinder("bore", 18, true), add({0, 18, 0, 4});
    plane("shoulder", at(4), {0, 0, -1}), add({0, 16, 0, 4});
    cylinder("throat", 16, true);
  }

 private:
  void add(const ProfilePoint& p) { points.push_back(p); }
  void begin(std::string name, SurfaceKind kind, const AnalyticSurface& analytic, double sag) {
    // A stretch starts at the point before it.
    const auto first = static_cast<std::uint32_t>(points.empty() ? 0 : points.size() - 1);
    stretches.push_back({std::move(name), first, kind, analytic, sag});
  }
  void start(std::string name) { begin(std::move(name), SurfaceKind::unknown, {}, 0); }
  void plane(std::string name, const Point3& origin, const Vec3& normal) {
    begin(std::move(name), SurfaceKind::plane, {.origin = origin, .axis = normal}, 0);
  }
  void cylinder(std::string name, double radius, bool hollow) {
    begin(std::move(name), SurfaceKind::cylinder, {.origin = {}, .axis = {0, 0, 1}, .radius = radius, .hollow = hollow},
          radius * (1 - on_circle(1, 2 * k_sectors).cos));
  }
};

/// The loop around the axis as quads by (profile segment, sector), so that patches of it can be drawn out.
class Shell {
 public:
  explicit Shell(const Profile& profile) : rows_(static_cast<std::uint32_t>(profile.points.size())) {
    for (const ProfilePoint& p : profile.points)
      for (std::uint32_t j = 0; j < k_sectors; ++j) {
        const CosSin angle = on_circle(j, k_sectors);
        const double radius = (1 - p.share) * p.base + p.share * rim_radius(angle) + p.outward;
        const double x = radius * angle.cos;
        input_.vertices.push_back({x, radius * angle.sin, p.z + p.share * k_rake * x});
      }
    for (const auto& s : profile.stretches) {
      input_.surfaces.push_back({.name = s.name, .kind = s.kind, .sag = {.value = s.sag}});
      if (is_analytic(s.kind)) input_.surfaces.back().analytic = s.analytic;
    }
    for (std::uint32_t i = 0, stretch = 0; i < rows_; ++i) {
      while (stretch + 1 < profile.stretches.size() && profile.stretches[stretch + 1].first <= i) ++stretch;
      for (std::uint32_t j = 0; j < k_sectors; ++j) {
        const std::uint32_t i1 = (i + 1) % rows_, j1 = (j + 1) % k_sectors;
        quads_.push_back({{i * k_sectors + j, i * k_sectors + j1, i1 * k_sectors + j1, i1 * k_sectors + j}, stretch});
      }
    }
  }

  /// Draws a patch of segments and sectors out along `direction`, as far as the plane at `distance` from the origin, and
  /// shrinks it there to `scale` around its middle. Two triangles more for each edge around the patch.
  void draw_out(const std::string& name, std::uint32_t row, std::uint32_t rows, std::uint32_t column,
                std::uint32_t columns, const Vec3& direction, double distance, double scale) {
    std::vector<std::uint32_t> ids;  // (rows + 1) x (columns + 1), as they stand now
    for (std::uint32_t i = 0; i <= rows; ++i)
      for (std::uint32_t j = 0; j <= columns; ++j) ids.push_back(corner(row, rows, column, columns, i, j));
    Point3 middle;
    for (const std::uint32_t id : ids) middle = middle + (1.0 / static_cast<double>(ids.size())) * input_.vertices[id];
    std::vector<std::uint32_t> moved = ids;
    for (std::uint32_t i = 0; i <= rows; ++i)
      for (std::uint32_t j = 0; j <= columns; ++j) {
        const std::uint32_t k = i * (columns + 1) + j;
        const Point3 p = middle + scale * (input_.vertices[ids[k]] - middle);
        const Point3 q = p + (distance - dot(p, direction)) * direction;
        if (i == 0 || i == rows || j == 0 || j == columns) {
          moved[k] = static_cast<std::uint32_t>(input_.vertices.size());
          input_.vertices.push_back(q);
        } else {
          input_.vertices[ids[k]] = q;
        }
      }
    const auto side = static_cast<std::uint32_t>(input_.surfaces.size()), top = side + 1;
    input_.surfaces.push_back({.name = name + " side", .kind = SurfaceKind::unknown, .sag = {}});
    input_.surfaces.push_back({.name = name + " top", .kind = SurfaceKind::plane, .sag = {}});
    input_.surfaces.back().analytic = AnalyticSurface{.origin = distance * direction, .axis = direction};
    const auto wall = [&](std::uint32_t a, std::uint32_t b) {
      quads_.push_back({{ids[a], ids[b], moved[b], moved[a]}, side});
    };
    const std::uint32_t stride = columns + 1;
    for (std::uint32_t j = 0; j < columns; ++j) wall(j, j + 1), wall(rows * stride + j + 1, rows * stride + j);
    for (std::uint32_t i = 0; i < rows; ++i)
      wall((i + 1) * stride, i * stride), wall(i * stride + columns, (i + 1) * stride + columns);
    for (std::uint32_t i = 0; i < rows; ++i)
      for (std::uint32_t j = 0; j < columns; ++j) {
        const std::uint32_t k = i * stride + j;
        quads_[quad(row + i, column + j)] = {{moved[k], moved[k + 1], moved[k + stride + 1], moved[k + stride]}, top};
      }
  }

  Mesh build() {
    // Surfaces whose quads were all drawn away, such as the first top of a stepped pad, are gone.
    std::vector<std::uint32_t> count(input_.surfaces.size(), 0), id(input_.surfaces.size(), 0);
    for (const Quad& q : quads_) ++count[q.surface];
    std::vector<Surface> kept;
    for (std::uint32_t s = 0; s < count.size(); ++s)
      if (count[s] > 0) {
        id[s] = static_cast<std::uint32_t>(kept.size());
        kept.push_back(input_.surfaces[s]);
      }
    input_.surfaces = std::move(kept);
    for (const Quad& q : quads_) {
      const auto& c = q.corners;
      input_.triangles.push_back({c[0], c[2], c[1]});
      input_.triangles.push_back({c[0], c[3], c[2]});
      input_.surface_of_triangle.insert(input_.surface_of_triangle.end(), 2, id[q.surface]);
    }
    return Mesh::build(std::move(input_)).value();
  }

 private:
  struct Quad {  ///< clockwise seen from outside, as profile and sectors run
    std::array<std::uint32_t, 4> corners;
    std::uint32_t surface;
  };
  [[nodiscard]] std::uint32_t quad(std::uint32_t i, std::uint32_t j) const noexcept {
    return i % rows_ * k_sectors + j % k_sectors;
  }
  /// Vertex (i, j) of a patch, taken from the quads of the patch itself.
  [[nodiscard]] std::uint32_t corner(std::uint32_t row, std::uint32_t rows, std::uint32_t column, std::uint32_t columns,
                                     std::uint32_t i, std::uint32_t j) const noexcept {
    const auto& c = quads_[quad(row + (i < rows ? i : i - 1), column + (j < columns ? j : j - 1))].corners;
    return i < rows ? (j < columns ? c[0] : c[1]) : (j < columns ? c[3] : c[2]);
  }

  std::uint32_t rows_;
  MeshInput input_;
  std::vector<Quad> quads_;
};

Mesh headlight_mesh() {
  const Profile profile;
  Shell shell(profile);
  const auto row_of = [&](std::string_view name) {
    for (const auto& s : profile.stretches)
      if (s.name == name) return s.first;
    return 0U;
  };
  const auto sector_direction = [](std::uint32_t twice_sector) {
    const CosSin angle = on_circle(twice_sector, 2 * k_sectors);
    return Vec3{angle.cos, angle.sin, 0};
  };
  // Three stepped ears to screw it to the car, three pins to find the place, and the plug: 3*2*12 + 3*4 + 10 = 94 edges.
  const std::uint32_t housing = row_of("housing"), flange = row_of("edge of the flange");
  int number = 0;
  for (const auto& [sector, distance] : {std::pair{13U, 112.0}, {33U, 168.0}, {53U, 150.0}}) {
    const std::string name = "ear " + std::to_string(++number);
    const Vec3 out = sector_direction(2 * sector + 4);
    shell.draw_out(name + " foot", housing + 3, 2, sector, 4, out, distance - 8, 0.95);
    shell.draw_out(name, housing + 3, 2, sector, 4, out, distance, 0.6);
  }
  number = 0;
  for (const auto& [sector, distance] : {std::pair{5U, 200.0}, {24U, 175.0}, {44U, 130.0}})
    shell.draw_out("pin " + std::to_string(++number), flange, 1, sector, 1, sector_direction(2 * sector + 1), distance,
                   0.6);
  shell.draw_out("plug", housing + 10, 2, 44, 3, {0, 0, -1}, 6, 0.8);
  return shell.build();
}

}  // namespace

Scene headlight(const SceneOptions& /*options*/) {
  const Mesh mesh = headlight_mesh();
  Scene scene;
  scene.name = "headlight";
  (void)scene.assembly.add({"headlight/left", mesh, {}}).value();
  // Face to face, origins 520 mm apart.
  (void)scene.assembly
      .add({"headlight/right", mesh, compose(translation(40, 25, 520), rotation({0, 1, 0}, k_full_turn / 2))})
      .value();
  // In its own frame the right one looks along +z at the left one, goes there and beyond, and turns by half a turn.
  std::vector<PoseKey> keys;
  for (int k = 0; k <= 4; ++k)
    keys.push_back({k / 4.0, compose(translation(0, 0, 260.0 * k), rotation({0, 0, 1}, k_full_turn / 8 * k))});
  scene.tracks.push_back({"headlight/right", std::move(keys)});
  scene.duration = 1;
  scene.steps = 201;
  return scene;
}

}  // namespace snug::scenes
