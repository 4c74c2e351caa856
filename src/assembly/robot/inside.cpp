#include "assembly/robot/inside.hpp"

#include "geometry/vec_ops.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::robot {

namespace {

using namespace assembly;

// Samples on large triangles are as far apart as if so many covered the whole surface evenly. Corners come on top.
constexpr double k_even_samples = 2048;
// The most along one edge: a needle has a large edge and no area.
constexpr int k_most_steps = 64;
constexpr std::uint32_t k_leaf = 4;

const Topology& topology_of(const Shape& shape) { return Access::data(shape).get<Topology>(); }

/// The cones over the rims of a mesh.
MeshInput cones_of(const Mesh& mesh, const Topology& topology) {
  MeshInput out;
  for (const Topology::Rim& rim : topology.rims)
    for (const auto& [from, to] : rim.edges) {
      const auto first = static_cast<std::uint32_t>(out.vertices.size());
      out.vertices.insert(out.vertices.end(), {mesh.vertices()[from], mesh.vertices()[to], rim.apex});
      out.triangles.push_back({first, first + 1, first + 2});
    }
  return out;
}

std::optional<Shape> holes_of(const Shape& shape) {
  if (topology_of(shape).rims.empty()) return std::nullopt;
  auto mesh = Mesh::build(cones_of(shape.mesh(), topology_of(shape)));
  return mesh ? std::optional(Shape(std::move(*mesh))) : std::nullopt;
}

Shape closed_by(const Shape& shape, const std::optional<Shape>& holes) {
  if (!holes) return shape;
  MeshInput whole{{shape.mesh().vertices().begin(), shape.mesh().vertices().end()},
                  {shape.mesh().triangles().begin(), shape.mesh().triangles().end()},
                  {},
                  {}};
  const auto first = static_cast<std::uint32_t>(whole.vertices.size());
  const Mesh& cones = holes->mesh();
  whole.vertices.insert(whole.vertices.end(), cones.vertices().begin(), cones.vertices().end());
  for (const Index3& t : cones.triangles()) whole.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  auto mesh = Mesh::build(std::move(whole));
  return mesh ? Shape(std::move(*mesh)) : shape;
}

}  // namespace

Inside::Inside(const Shape& shape, const CancelToken* cancel)
    : holes_(holes_of(shape)), whole_(closed_by(shape, holes_)), solid_(whole_, Pose{}, cancel) {
  Looks looks(cancel);
  const Topology& topology = topology_of(shape);
  for (std::uint32_t shell = 0; shell < topology.shells(); ++shell) {
    const std::uint32_t triangle = topology.triangles_of(shell).front();
    of_shells_.push_back(shape.mesh().vertices()[shape.mesh().triangles()[triangle][0]]);
  }
  take_samples(shape.mesh(), topology, looks);
  if (!samples_.empty()) build_node(0, static_cast<std::uint32_t>(samples_.size()), looks);
  SNUG_ASSERT(extremes_.size() == topology.shells() && of_shells_.size() == topology.shells());
}

bool Inside::holds(const Point3& p) const noexcept { return solid_.locate(p, Filling::closed_shells) == Side::inside; }

double Inside::depth(const Point3& p, double limit) const noexcept {
  const Aabb& box = whole_.bounds();
  double squared = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double gap = std::max({0.0, box.lo[i] - p[i], p[i] - box.hi[i]});
    squared += gap * gap;
  }
  if (squared > 0) return -std::sqrt(squared);
  const double distance = solid_.surface_distance(p, Filling::closed_shells, limit);
  return holds(p) ? distance : -distance;
}

void Inside::take_samples(const Mesh& mesh, const Topology& topology, Looks& looks) {
  const auto vertices = mesh.vertices();
  const auto triangles = mesh.triangles();
  const auto area = [&](const Index3& t) {
    return 0.5 * length_of(cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]]));
  };
  double whole = 0;
  for (const Index3& t : triangles) whole += area(t);
  const double spacing = std::sqrt(whole / k_even_samples);
  std::vector<bool> taken(vertices.size());
  extremes_.resize(topology.shells());
  for (std::uint32_t id = 0; id < triangles.size(); ++id) {
    looks.look();
    const Index3& t = triangles[id];
    const std::uint32_t shell = topology.shell_of[id];
    if (shell >= topology.shells()) continue;  // two of its corners fall together: it belongs to none
    const std::array<Point3, 3> c{vertices[t[0]], vertices[t[1]], vertices[t[2]]};
    auto& extremes = extremes_[shell];
    if (extremes.empty()) extremes.assign(6, c[0]);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (c[i][axis] < extremes[2 * axis][axis]) extremes[2 * axis] = c[i];
        if (c[i][axis] > extremes[2 * axis + 1][axis]) extremes[2 * axis + 1] = c[i];
      }
      if (!taken[t[i]]) samples_.push_back({c[i], shell});
      taken[t[i]] = true;
    }
    const double longest = std::max({length_of(c[1] - c[0]), length_of(c[2] - c[1]), length_of(c[0] - c[2])});
    const int steps = spacing > 0 ? static_cast<int>(std::min<double>(k_most_steps, longest / spacing)) : 0;
    for (int i = 0; i <= steps && steps > 1; ++i)
      for (int j = 0; j <= steps - i; ++j)
        if (i != steps && j != steps && i + j != 0)
          samples_.push_back({c[0] + (static_cast<double>(i) / steps) * (c[1] - c[0]) +
                                  (static_cast<double>(j) / steps) * (c[2] - c[0]),
                              shell});
  }
}

std::uint32_t Inside::build_node(std::uint32_t begin, std::uint32_t end, Looks& looks) {
  SNUG_ASSERT(begin < end && end <= samples_.size());
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({begin, end, begin, 0, 0});
  Aabb box;
  for (std::uint32_t i = begin; i < end; ++i) box.include(samples_[i].point);
  const Point3 middle = middle_of(box);
  const auto own = std::span(samples_).subspan(begin, end - begin);
  const Vec3 edges = box.hi - box.lo;
  const std::size_t axis = edges.x >= edges.y && edges.x >= edges.z ? 0 : edges.y >= edges.z ? 1 : 2;
  if (end - begin > k_leaf) {
    const std::uint32_t half = begin + (end - begin) / 2;
    std::ranges::nth_element(own, own.begin() + (half - begin), [&](const Sample& x, const Sample& y) {
      looks.look();
      return std::pair{x.point[axis], x.point} < std::pair{y.point[axis], y.point};
    });
    build_node(begin, half, looks);
    const std::uint32_t right = build_node(half, end, looks);
    nodes_[id].right = right;
  }
  const auto from = [](const Point3& to) { return [&to](const Sample& s) { return length_of(s.point - to); }; };
  Node& node = nodes_[id];
  node.middle = begin + static_cast<std::uint32_t>(std::ranges::min_element(own, {}, from(middle)) - own.begin());
  node.radius =
      from(samples_[node.middle].point)(*std::ranges::max_element(own, {}, from(samples_[node.middle].point)));
  return id;
}

}  // namespace snug::robot
