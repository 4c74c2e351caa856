#include "query/convex/convex_mesh.hpp"

#include "query/convex/pair_frame.hpp"
#include "query/convex/simplex.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"

#include <snug/predicates.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::query {

namespace {

/// Corners held to planes at most, half a second's worth. Of a round body some hundreds come close to each plane.
constexpr std::size_t k_most_tests = std::size_t{1} << 26;
/// A dent of this share of the extent is rounding: a quadrangle on a sphere is mostly not flat.
constexpr double k_most_dent = 0x1p-41;

/// Holds corners of a mesh to the planes of its triangles, in its own frame. What is below all planes is in the body, for each of its
/// triangles is seen from there from behind; and the hull is no further beyond a plane than the body. So about a point that is
/// `inner` below all planes, the hull fits into the body once it is smaller by the share beyond / inner.
class Dents {
 public:
  Dents(const ShapeData& shape, const CancelToken* cancel)
      : mesh_(shape.mesh.view()),
        tree_(shape.get<AabbTree>(cancel)),
        boxes_(shape.get<NodeBoxes>(cancel).boxes),
        extent_(max_abs(shape.mesh.bounds().hi - shape.mesh.bounds().lo)),
        scale_(scale_to_one(extent_)),
        middle_(middle_of(shape.mesh.bounds())) {}

  /// How far the hull may be from the body; infinite if the body is dented.
  [[nodiscard]] double dent() const noexcept {
    if (!(beyond_ > 0)) return 0;
    const double dent = inner_ > 0 ? 2 * extent_ * (beyond_ / inner_) : std::numeric_limits<double>::infinity();
    return dent <= k_most_dent * extent_ ? dent : std::numeric_limits<double>::infinity();
  }
  /// Little lies beyond the triangle, on the side that it faces if `turned` is 1.
  [[nodiscard]] bool none_beyond(std::uint32_t t, int turned) {
    plane_ = mesh_.triangle(t), turned_ = turned;
    // Scaled, so that products stay in the range of doubles.
    const Vec3 u = scale_ * (plane_[1] - plane_[0]), v = scale_ * (plane_[2] - plane_[0]);
    normal_ = turned * cross(u, v);
    // Of the height times the normal's length, for any point of the mesh: some roundings each of the largest product.
    slack_ = 0x1p-47 * ((max_abs(u) * max_abs(v)) * extent_);
    size_ = length_of(normal_);
    // One without area hides nothing.
    if (!(size_ > 0) && is_degenerate(plane_)) return true;
    inner_ = std::min(inner_, (-dot(normal_, middle_ - plane_[0]) - slack_) / size_);
    return below(0);
  }

 private:
  bool below(std::uint32_t node) {
    const NodeBox& box = boxes_[node];
    const double reach =
        (std::abs(normal_.x) * box.half.x + std::abs(normal_.y) * box.half.y) + std::abs(normal_.z) * box.half.z;
    if (dot(normal_, box.middle - plane_[0]) + reach < -slack_) return true;
    const AabbTree::Node& n = tree_.nodes[node];
    if (!n.leaf()) return below(node + 1) && below(n.right);
    for (std::uint32_t i = n.begin; i < n.end; ++i)
      for (const Point3& p : mesh_.triangle(tree_.order[i]).corner)
        if (++tests_ > k_most_tests || !(dot(normal_, p - plane_[0]) < -slack_ || not_beyond(p))) return false;
    return true;
  }
  /// But for what is forgiven.
  bool not_beyond(const Point3& p) noexcept {
    // Below a counter-clockwise triangle is +1.
    if (turned_ * orient3d(plane_[0], plane_[1], plane_[2], p) >= 0) return true;
    // In plain doubles the rounding of a narrow triangle's normal would be larger than what is measured.
    const auto to = [&](const Point3& q) {
      const auto along = [&](std::size_t i) { return scaled_difference(q[i], plane_[0][i], scale_); };
      return RealVec<DoubleDouble>(along(0), along(1), along(2));
    };
    const auto normal = outer(to(plane_[1]), to(plane_[2]));
    const double size = std::sqrt(static_cast<double>(inner(normal, normal)));
    const double height = std::abs(static_cast<double>(inner(normal, to(p)))) / size;
    const double beyond = (1 + 0x1p-40) * height / scale_;
    if (!(beyond <= k_most_dent * extent_)) return false;
    beyond_ = std::max(beyond_, beyond);
    return true;
  }

  TriangleMeshView mesh_;
  const AabbTree& tree_;
  const std::vector<NodeBox>& boxes_;
  double extent_, scale_;
  Point3 middle_;
  double beyond_ = 0, inner_ = std::numeric_limits<double>::infinity();
  Triangle plane_;
  Vec3 normal_;
  int turned_ = 1;
  double slack_ = 0, size_ = 0;
  std::size_t tests_ = 0;
};

/// See Dents::dent().
double dent_of(const ShapeData& shape, const CancelToken* cancel) {
  constexpr double dented = std::numeric_limits<double>::infinity();
  const auto& topology = shape.get<Topology>(cancel);
  if (!topology.closed || topology.shells() != 1) return dented;
  const int turned = topology.shell_volume[0] < 0 ? -1 : 1;
  Dents dents(shape, cancel);
  const auto count = static_cast<std::uint32_t>(shape.mesh.triangles().size());
  for (std::uint32_t t = 0; t < count; ++t)
    if (!dents.none_beyond(t, turned)) return dented;
  return dents.dent();
}

}  // namespace

ConvexMesh build(StructureOf<ConvexMesh> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  ConvexMesh made{.dent = dent_of(shape, cancel), .centred = {}};
  SNUG_ASSERT(made.dent >= 0);
  made.is_hull = std::isfinite(made.dent);
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
