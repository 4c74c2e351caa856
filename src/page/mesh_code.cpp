#include "page/mesh_code.hpp"

#include "geometry/edges.hpp"
#include "page/walk.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace snug::page {

namespace {

constexpr double k_cells = 65535;
constexpr std::uint32_t k_none = ~std::uint32_t{0};
constexpr std::uint8_t k_new_vertex = 0, k_told_vertex = 15;
constexpr std::size_t k_recent_vertices = 14;  // codes 1 … 14

class Coder {
 public:
  Coder(const Mesh& mesh, const Grid& grid)
      : vertices_(mesh.vertices()),
        grid_(grid),
        number_(vertices_.size(), k_none),
        recent_(k_recent_vertices, k_none) {}

  void triangle(const Step& step) {
    const auto [p, q, x] = step.corners;
    if (step.edge != Step::k_no_edge) {
      put(static_cast<std::uint8_t>(step.edge << 4 | code(x)));
      predicted_ = parallelogram(p, q, step.opposite);
      corner(x);
      return;
    }
    // The codes go before what belongs to them, and each depends on the corners told before it.
    std::string rest;
    std::swap(rest, out_);
    const std::uint8_t code_p = corner(p), code_q = corner(q), code_x = corner(x);
    std::swap(rest, out_);
    put(static_cast<std::uint8_t>(15 << 4 | code_x));
    put(static_cast<std::uint8_t>(code_p << 4 | code_q));
    out_ += rest;
  }

  [[nodiscard]] std::string take() { return std::move(out_); }
  [[nodiscard]] std::vector<std::uint32_t> told() { return std::move(told_); }

 private:
  using Cell = std::array<std::int64_t, 3>;

  void put(std::uint8_t byte) { out_ += static_cast<char>(byte); }

  [[nodiscard]] std::uint8_t code(std::uint32_t vertex) const {
    SNUG_ASSERT(vertex < number_.size());
    if (number_[vertex] == k_none) return k_new_vertex;
    const auto found = std::ranges::find(recent_, vertex);
    return found == recent_.end() ? k_told_vertex : static_cast<std::uint8_t>(1 + (found - recent_.begin()));
  }
  /// Appends what its code leaves open; returns the code.
  std::uint8_t corner(std::uint32_t vertex) {
    const std::uint8_t how = code(vertex);
    if (how == k_new_vertex) {
      number_[vertex] = static_cast<std::uint32_t>(told_.size());
      told_.push_back(vertex);
      const Cell cell = grid_.at(vertices_[vertex]);
      for (std::size_t axis = 0; axis < 3; ++axis) append_varint(out_, zigzag(cell[axis] - predicted_[axis]));
      predicted_ = cell;
    } else if (how == k_told_vertex) {
      SNUG_ASSERT(number_[vertex] < told_.size() && told_[number_[vertex]] == vertex);
      append_varint(out_, told_.size() - 1 - number_[vertex]);
    }
    if (how == k_new_vertex || how == k_told_vertex) {
      std::shift_right(recent_.begin(), recent_.end(), 1);
      recent_.front() = vertex;
    }
    return how;
  }

  [[nodiscard]] Cell parallelogram(std::uint32_t p, std::uint32_t q, std::uint32_t opposite) const {
    const Cell a = grid_.at(vertices_[p]), b = grid_.at(vertices_[q]), c = grid_.at(vertices_[opposite]);
    return {a[0] + b[0] - c[0], a[1] + b[1] - c[1], a[2] + b[2] - c[2]};
  }

  std::span<const Point3> vertices_;
  Grid grid_;
  std::vector<std::uint32_t> number_;  ///< in the order in which they are told
  std::vector<std::uint32_t> recent_;
  std::vector<std::uint32_t> told_;
  Cell predicted_{};
  std::string out_;
};

}  // namespace

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7f));
  out += static_cast<char>(value);
}

Grid Grid::over(const Aabb& box) noexcept {
  if (box.empty()) return {};
  const Vec3 size = box.hi - box.lo;
  const double step = std::max({size.x, size.y, size.z}) / k_cells;
  return {box.lo, step > 0 ? step : 1};
}

std::array<std::int64_t, 3> Grid::at(const Point3& p) const noexcept {
  const auto cell = [this](double value, double low) {
    return std::llround(std::clamp((value - low) / step, 0.0, k_cells));
  };
  return {cell(p.x, origin.x), cell(p.y, origin.y), cell(p.z, origin.z)};
}

CodedMesh code_mesh(const Mesh& mesh, const Aabb& room) {
  Aabb box = mesh.bounds();
  if (!room.empty()) {
    box.include(room.lo);
    box.include(room.hi);
  }
  CodedMesh out{.grid = Grid::over(box), .told = {}, .bytes = {}};
  // Files that repeat vertices would otherwise fall apart into loose triangles.
  const auto first = geometry::same_place_ids(mesh.vertices());
  std::vector<Index3> triangles(mesh.triangles().begin(), mesh.triangles().end());
  for (Index3& triangle : triangles)
    for (std::uint32_t& corner : triangle) corner = first[corner];

  Coder coder(mesh, out.grid);
  Walk walk(triangles);
  const auto surfaces = static_cast<std::uint32_t>(mesh.surfaces().size());
  for (std::uint32_t surface = 0; surface < surfaces; ++surface)
    walk.through(mesh.triangles_of(surface), [&](const Step& step) { coder.triangle(step); });

  std::string counts;
  for (std::uint32_t surface = 0; surface < surfaces; ++surface)
    append_varint(counts, mesh.triangles_of(surface).size());
  out.told = coder.told();
  out.bytes = counts + coder.take();
  return out;
}

std::string code_keys(const CodedMesh& coded, const Mesh& mesh, std::span<const VertexKey> keys) {
  std::string out;
  std::span<const Point3> before = mesh.vertices();
  for (const VertexKey& key : keys) {
    for (const std::uint32_t vertex : coded.told) {
      const auto from = coded.grid.at(before[vertex]), to = coded.grid.at(key.vertices[vertex]);
      for (std::size_t axis = 0; axis < 3; ++axis) append_varint(out, zigzag(to[axis] - from[axis]));
    }
    before = key.vertices;
  }
  return out;
}

}  // namespace snug::page
