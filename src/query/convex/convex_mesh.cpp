#include "query/convex/convex_mesh.hpp"

#include "query/convex/pair_frame.hpp"
#include "shape/trees.hpp"

#include <snug/predicates.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace snug::query {

namespace {

/// Corners held to planes at most. Of a body whose faces are single triangles some dozens come close to each plane.
constexpr std::size_t k_most_tests = std::size_t{1} << 22;

/// Holds corners of a mesh to the planes of its triangles, in its own frame.
class Dents {
 public:
  Dents(const ShapeData& shape, const CancelToken* cancel)
      : mesh_(shape.mesh.view()),
        tree_(shape.get<AabbTree>(cancel)),
        boxes_(shape.get<NodeBoxes>(cancel).boxes),
        extent_(max_abs(shape.mesh.bounds().hi - shape.mesh.bounds().lo)) {}

  /// Nothing lies beyond the triangle, on the side that it faces if `turned` is 1.
  [[nodiscard]] bool none_beyond(std::uint32_t t, int turned) {
    plane_ = mesh_.triangle(t), turned_ = turned;
    const Vec3 u = plane_[1] - plane_[0], v = plane_[2] - plane_[0];
    normal_ = turned * cross(u, v);
    // Of the height times the normal's length, for any point of the mesh: some roundings each of the largest product.
    slack_ = 0x1p-46 * ((max_abs(u) * max_abs(v)) * extent_);
    return below(0);
  }

 private:
  bool below(std::uint32_t node) {
    const NodeBox& box = boxes_[node];
    const double reach = (std::abs(normal_.x) * box.half.x + std::abs(normal_.y) * box.half.y) +
                         std::abs(normal_.z) * box.half.z;
    if (dot(normal_, box.middle - plane_[0]) + reach < -slack_) return true;
    const AabbTree::Node& n = tree_.nodes[node];
    if (!n.leaf()) return below(node + 1) && below(n.right);
    for (std::uint32_t i = n.begin; i < n.end; ++i)
      for (const Point3& p : mesh_.triangle(tree_.order[i]).corner)
        // Below a counter-clockwise triangle is +1.
        if (++tests_ > k_most_tests || turned_ * orient3d(plane_[0], plane_[1], plane_[2], p) < 0) return false;
    return true;
  }

  TriangleMeshView mesh_;
  const AabbTree& tree_;
  const std::vector<NodeBox>& boxes_;
  double extent_;
  Triangle plane_;
  Vec3 normal_;
  int turned_ = 1;
  double slack_ = 0;
  std::size_t tests_ = 0;
};

bool is_hull(const ShapeData& shape, const CancelToken* cancel) {
  const auto& topology = shape.get<Topology>(cancel);
  if (!topology.closed || topology.shells() != 1) return false;
  // A closed surface all of whose triangles lie in planes that the body is below covers the hull.
  const int turned = topology.shell_volume[0] < 0 ? -1 : 1;
  Dents dents(shape, cancel);
  const auto count = static_cast<std::uint32_t>(shape.mesh.triangles().size());
  for (std::uint32_t t = 0; t < count; ++t)
    if (!dents.none_beyond(t, turned)) return false;
  return true;
}

}  // namespace

ConvexMesh build(StructureOf<ConvexMesh> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  ConvexMesh made{.is_hull = is_hull(shape, cancel), .centred = {}};
  const auto& used = shape.get<Topology>(cancel).used_vertices;
  const Point3 middle = middle_of(shape.mesh.bounds());
  made.centred.reserve(used.size());
  for (const std::uint32_t v : used) made.centred.push_back(shape.mesh.vertices()[v] - middle);
  return made;
}

Convex hull_in_world_axes(const Posed& body, const Point3& origin, double scale) {
  if (!body.is_mesh()) return in_world_axes(body, origin, scale);
  const auto& hull = Access::data(body.shape).get<ConvexMesh>();
  return {hull.centred, scale, body.pose.matrix(), scale * (ball_of(body).centre - origin)};
}

}  // namespace snug::query
