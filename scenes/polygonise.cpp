#include "scenes/polygonise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace snug::scenes {

namespace {

using Place = std::array<std::uint32_t, 3>;

/// Each cube of the grid is cut into the six tetrahedra around its diagonal from corner 0 to corner 7 (bit 0: x, bit 1: y,
/// bit 2: z). Neighbouring cubes agree on the diagonals of the faces they share, hence no gaps.
constexpr std::array<std::array<std::uint32_t, 4>, 6> k_tetrahedra{
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

class Marcher {
 public:
  Marcher(const std::function<double(const Point3&)>& field, const Aabb& bounds, double width)
      : lo_(bounds.lo), width_(width) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      count_[axis] = static_cast<std::uint32_t>(std::ceil((bounds.hi[axis] - bounds.lo[axis]) / width)) + 1;
    const std::size_t total = std::size_t{count_[0]} * count_[1] * count_[2];
    values_.resize(total);
    edge_vertex_.assign(8 * total, k_none);
    for (std::uint32_t z = 0; z < count_[2]; ++z)
      for (std::uint32_t y = 0; y < count_[1]; ++y)
        for (std::uint32_t x = 0; x < count_[0]; ++x) values_[index({x, y, z})] = field(point({x, y, z}));
  }

  TriangleSoup march() {
    for (std::uint32_t z = 0; z + 1 < count_[2]; ++z)
      for (std::uint32_t y = 0; y + 1 < count_[1]; ++y)
        for (std::uint32_t x = 0; x + 1 < count_[0]; ++x)
          for (const auto& tetrahedron : k_tetrahedra) cut({x, y, z}, tetrahedron);
    return std::move(soup_);
  }

 private:
  static constexpr std::uint32_t k_none = 0xffffffffU;

  [[nodiscard]] std::size_t index(const Place& p) const noexcept {
    return (std::size_t{p[2]} * count_[1] + p[1]) * count_[0] + p[0];
  }
  [[nodiscard]] Point3 point(const Place& p) const noexcept {
    return {lo_.x + width_ * p[0], lo_.y + width_ * p[1], lo_.z + width_ * p[2]};
  }
  static Place corner(const Place& cube, std::uint32_t bits) noexcept {
    return {cube[0] + (bits & 1U), cube[1] + (bits >> 1U & 1U), cube[2] + (bits >> 2U)};
  }

  /// Where the surface cuts the edge between two corners of a cube, the lower of which has a subset of the other's bits.
  std::uint32_t crossing(const Place& cube, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t low = std::min(a, b), high = std::max(a, b);
    const Place from = corner(cube, low), to = corner(cube, high);
    std::uint32_t& vertex = edge_vertex_[8 * index(from) + (high ^ low)];
    if (vertex == k_none) {
      vertex = static_cast<std::uint32_t>(soup_.vertices.size());
      const double f = values_[index(from)], g = values_[index(to)];
      // Kept away from the ends, where the triangles of all edges that meet there would shrink to nothing.
      const double t = std::clamp(f / (f - g), 0.05, 0.95);
      soup_.vertices.push_back((1 - t) * point(from) + t * point(to));
    }
    return vertex;
  }

  void cut(const Place& cube, const std::array<std::uint32_t, 4>& corners) {
    std::array<std::uint32_t, 4> in{}, out{};
    std::size_t ins = 0, outs = 0;
    for (const std::uint32_t c : corners) (values_[index(corner(cube, c))] < 0 ? in[ins++] : out[outs++]) = c;
    if (ins == 0 || outs == 0) return;
    const auto x = [&](std::size_t i, std::size_t o) { return crossing(cube, in[i], out[o]); };
    const Point3 outward = point(corner(cube, out[0])) - point(corner(cube, in[0]));
    if (ins == 1) {
      facing(outward, {x(0, 0), x(0, 1), x(0, 2)});
    } else if (outs == 1) {
      facing(outward, {x(0, 0), x(1, 0), x(2, 0)});
    } else {
      facing(outward, {x(0, 0), x(1, 0), x(1, 1)});
      facing(outward, {x(0, 0), x(1, 1), x(0, 1)});
    }
  }

  /// All corners outside lie on one side of the cut, so the way to any of them from inside tells the side.
  void facing(const Vec3& outward, Index3 t) {
    const Vec3 u = soup_.vertices[t[1]] - soup_.vertices[t[0]], v = soup_.vertices[t[2]] - soup_.vertices[t[0]];
    const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    if (n.x * outward.x + n.y * outward.y + n.z * outward.z < 0) std::swap(t[1], t[2]);
    soup_.triangles.push_back(t);
  }

  Point3 lo_;
  double width_;
  Place count_{};
  std::vector<double> values_;
  std::vector<std::uint32_t> edge_vertex_;  ///< per grid point and direction (bits of the step)
  TriangleSoup soup_;
};

}  // namespace

TriangleSoup polygonise(const std::function<double(const Point3&)>& field, const Aabb& bounds, double width) {
  return Marcher(field, bounds, width).march();
}

void even_out(TriangleSoup& surface, const std::function<double(const Point3&)>& field, double width, int times) {
  const double step = width / 16;
  for (int round = 0; round < times; ++round) {
    // Each neighbour counts twice in a closed mesh, once from either side of the edge.
    std::vector<Vec3> sums(surface.vertices.size());
    std::vector<double> counts(surface.vertices.size(), 0);
    for (const Index3& t : surface.triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        sums[t[k]] = sums[t[k]] + surface.vertices[t[(k + 1) % 3]] + surface.vertices[t[(k + 2) % 3]];
        counts[t[k]] += 2;
      }
    for (std::size_t v = 0; v < sums.size(); ++v) {
      const Point3 p = (1 / counts[v]) * sums[v];
      const double value = field(p);
      const Vec3 slope{(field(p + Vec3{step, 0, 0}) - field(p - Vec3{step, 0, 0})) / (2 * step),
                       (field(p + Vec3{0, step, 0}) - field(p - Vec3{0, step, 0})) / (2 * step),
                       (field(p + Vec3{0, 0, step}) - field(p - Vec3{0, 0, step})) / (2 * step)};
      // One step of Newton's, no longer than the grid is wide: in creases the slope says little.
      const double squared = slope.x * slope.x + slope.y * slope.y + slope.z * slope.z;
      const double factor = squared > 0.01 ? std::clamp(-value / squared, -width, width) : 0;
      surface.vertices[v] = p + factor * slope;
    }
  }
}

}  // namespace snug::scenes
