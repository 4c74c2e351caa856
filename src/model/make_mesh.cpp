#include <snug/make_mesh.hpp>

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace snug {

namespace {

using MakeCode = MakeError::Code;

constexpr std::uint64_t k_most_ids = std::numeric_limits<std::uint32_t>::max() - 1;

Failure<MakeError> no_mesh(MakeCode code, std::uint64_t element = 0) { return {MakeError{code, element}}; }

bool is_coordinate(double x) noexcept { return std::abs(x) <= k_max_coordinate; }

Surface named(std::string name) {
  Surface surface;
  surface.name = std::move(name);
  return surface;
}

/// A grid of heights as it becomes a mesh.
class Ground {
 public:
  explicit Ground(const HeightField& field) : field_(field) {
    for (std::uint32_t row = 0; row < field.rows; ++row)
      for (std::uint32_t column = 0; column < field.columns; ++column)
        out_.vertices.push_back({column * field.step_x, row * field.step_y, field.heights[top(column, row)]});
    out_.surfaces.push_back(named("top"));
    for (std::uint32_t row = 0; row + 1 < field.rows; ++row)
      for (std::uint32_t column = 0; column + 1 < field.columns; ++column) {
        const std::uint32_t first = top(column, row), across = top(column + 1, row + 1);
        add({first, top(column + 1, row), across}, 0);
        add({first, across, top(column, row + 1)}, 0);
      }
  }

  /// Walls down from the rim, and a fan below.
  void close(double base) {
    std::vector<std::uint32_t> rim;  // counter-clockwise seen from above
    for (std::uint32_t i = 0; i + 1 < field_.columns; ++i) rim.push_back(top(i, 0));
    for (std::uint32_t i = 0; i + 1 < field_.rows; ++i) rim.push_back(top(field_.columns - 1, i));
    for (std::uint32_t i = field_.columns - 1; i > 0; --i) rim.push_back(top(i, field_.rows - 1));
    for (std::uint32_t i = field_.rows - 1; i > 0; --i) rim.push_back(top(0, i));
    const auto below = static_cast<std::uint32_t>(out_.vertices.size());
    const auto count = static_cast<std::uint32_t>(rim.size());
    for (const std::uint32_t v : rim) out_.vertices.push_back({out_.vertices[v].x, out_.vertices[v].y, base});
    const Point3 far = out_.vertices[top(field_.columns - 1, field_.rows - 1)];
    out_.vertices.push_back({0.5 * far.x, 0.5 * far.y, base});
    out_.surfaces.push_back(named("side"));
    out_.surfaces.push_back(named("base"));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t next = (i + 1) % count;
      add({below + i, below + next, rim[next]}, 1);
      add({below + i, rim[next], rim[i]}, 1);
    }
    for (std::uint32_t i = 0; i < count; ++i) add({below + count, below + (i + 1) % count, below + i}, 2);
  }

  [[nodiscard]] MeshInput take() && { return std::move(out_); }

 private:
  [[nodiscard]] std::uint32_t top(std::uint32_t column, std::uint32_t row) const noexcept {
    return row * field_.columns + column;
  }
  void add(const Index3& corners, std::uint32_t surface) {
    out_.triangles.push_back(corners);
    out_.surface_of_triangle.push_back(surface);
  }

  const HeightField& field_;
  MeshInput out_;
};

std::optional<MakeError> wrong(const HeightField& field) noexcept {
  if (field.columns < 2 || field.rows < 2) return MakeError{MakeCode::too_few};
  const std::uint64_t count = std::uint64_t{field.columns} * field.rows;
  if (field.heights.size() != count) return MakeError{MakeCode::count_differs, field.heights.size()};
  // Two triangles for each cell, walls and a fan.
  if (2 * count + 6 * (std::uint64_t{field.columns} + field.rows) > k_most_ids)
    return MakeError{MakeCode::too_many, count};
  const double width = (field.columns - 1) * field.step_x, depth = (field.rows - 1) * field.step_y;
  if (!(field.step_x > 0) || !(field.step_y > 0) || !is_coordinate(width) || !is_coordinate(depth))
    return MakeError{MakeCode::bad_step};
  if (field.base && !is_coordinate(*field.base)) return MakeError{MakeCode::bad_height, count};
  for (std::size_t i = 0; i < field.heights.size(); ++i) {
    if (!is_coordinate(field.heights[i])) return MakeError{MakeCode::bad_height, i};
    if (field.base && !(field.heights[i] > *field.base)) return MakeError{MakeCode::base_not_below, i};
  }
  return std::nullopt;
}

/// A surface of a piece that may have moved: the form of one that has is no longer what it says.
Surface carried(Surface surface, bool moved) {
  if (moved && surface.analytic) surface.analytic.reset(), surface.kind = SurfaceKind::unknown;
  return surface;
}

}  // namespace

Result<Mesh, MakeError> make_height_field(const HeightField& field) {
  if (const auto error = wrong(field)) return Failure{*error};
  Ground ground(field);
  if (field.base) ground.close(*field.base);
  auto mesh = Mesh::build(std::move(ground).take());
  SNUG_ASSERT(mesh.has_value());
  return std::move(mesh).value();
}

Result<Compound, MakeError> make_compound(std::span<const Piece> pieces) {
  if (pieces.empty()) return no_mesh(MakeCode::too_few);
  MeshInput whole;
  std::vector<std::uint32_t> first{0};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& [mesh, pose] = pieces[i];
    if (!pose.is_valid()) return no_mesh(MakeCode::bad_pose, i);
    const std::size_t vertices = whole.vertices.size(), surfaces = whole.surfaces.size();
    if (vertices + mesh.vertices().size() > k_most_ids || whole.triangles.size() + mesh.triangles().size() > k_most_ids)
      return no_mesh(MakeCode::too_many, i);
    whole.vertices.resize(vertices + mesh.vertices().size());
    pose.apply(mesh.vertices(), std::span(whole.vertices).subspan(vertices));
    for (const Point3& v : std::span(whole.vertices).subspan(vertices))
      if (!(geometry::max_abs(v) <= k_max_coordinate)) return no_mesh(MakeCode::piece_too_large, i);
    const bool moved = pose != Pose();
    for (const Surface& surface : mesh.surfaces()) whole.surfaces.push_back(carried(surface, moved));
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      Index3 corners = mesh.triangles()[t];
      for (std::uint32_t& v : corners) v += static_cast<std::uint32_t>(vertices);
      whole.triangles.push_back(corners);
      whole.surface_of_triangle.push_back(static_cast<std::uint32_t>(surfaces) + mesh.surface_of(t));
    }
    first.push_back(static_cast<std::uint32_t>(whole.triangles.size()));
  }
  if (whole.triangles.empty()) return no_mesh(MakeCode::too_few);  // of meshes of primitives, which have none
  auto mesh = Mesh::build(std::move(whole));
  SNUG_ASSERT(mesh.has_value());
  return Compound{std::move(mesh).value(), std::move(first)};
}

std::uint32_t Compound::piece_of(std::uint32_t triangle) const noexcept {
  const auto pieces = static_cast<std::uint32_t>(first_triangle.empty() ? 0 : first_triangle.size() - 1);
  if (pieces == 0 || triangle >= first_triangle.back()) return pieces;
  return static_cast<std::uint32_t>(std::ranges::upper_bound(first_triangle, triangle) - first_triangle.begin() - 1);
}

std::string MakeError::message() const {
  const std::string which = std::to_string(element);
  switch (code) {
    case Code::too_few:
      return "a height field needs two columns and two rows, a compound a piece";
    case Code::too_many:
      return "more vertices or triangles than ids can name";
    case Code::count_differs:
      return which + " heights are not columns times rows";
    case Code::bad_height:
      return "height " + which + " is not a number, or too large";
    case Code::bad_step:
      return "a step is not above zero, or the grid too large";
    case Code::base_not_below:
      return "height " + which + " is not above the base";
    case Code::bad_pose:
      return "the pose of piece " + which + " is not valid";
    case Code::piece_too_large:
      return "piece " + which + " reaches too far out";
  }
  return "unknown error";
}

}  // namespace snug
