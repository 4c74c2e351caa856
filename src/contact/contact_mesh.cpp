#include "contact/contact_mesh.hpp"

#include "geometry/power_of_two.hpp"
#include "geometry/vec_ops.hpp"
#include "mesh/shell_facing.hpp"
#include "query/self/self_search.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <algorithm>

namespace snug::contact {

namespace {

/// Cosine of the angle below which triangles lie in one plane.
constexpr double k_flat = 0.99985;

/// The share of a triangle in the normal at one of its corners: the wider the angle there, the more (Thürmer and Wüthrich 1998).
/// How a face is divided into triangles does not show then, nor how large it is: at a plate's corners its narrow sides count
/// no more than its wide ones.
Vec3 share_at(const Triangle& t, std::size_t corner, double scale) noexcept {
  const Vec3 u = scale * (t[(corner + 1) % 3] - t[corner]), v = scale * (t[(corner + 2) % 3] - t[corner]);
  const Vec3 n = cross(u, v);
  const double size = length_of(n);
  return size > 1e-140 ? (angle_of(dot(u, v), size) / size) * n : Vec3{};  // below, squares are lost
}

std::size_t corner_at(const MeshLinks& links, const Index3& corners, std::uint32_t place) noexcept {
  return links.place[corners[0]] == place ? 0 : links.place[corners[1]] == place ? 1 : 2;
}

}  // namespace

ContactMesh::ContactMesh(const Mesh& mesh, std::shared_ptr<const MeshLinks> links, Form form, bool simple)
    : links_(std::move(links)),
      normals_(mesh.vertices().size()),
      groups_(mesh.vertices(), links_->order),
      exits_(std::make_unique<std::atomic<double>[]>(mesh.vertices().size())),
      simple_(simple) {
  const TriangleMeshView view = mesh.view();
  SNUG_ASSERT(links_->place.size() == view.vertices.size() && links_->neighbour.size() == view.triangles.size());
  const Vec3 size = 0.5 * mesh.bounds().hi - 0.5 * mesh.bounds().lo;
  scale_ = scale_to_one(max_abs(size));
  const Point3 middle = middle_of(mesh.bounds());
  double edges = 0;
  for (std::uint32_t t = 0; t < view.triangles.size(); ++t) {
    const Triangle triangle = view.triangle(t);
    const Vec3 p = scale_ * (triangle[0] - middle), q = scale_ * (triangle[1] - middle),
               r = scale_ * (triangle[2] - middle);
    edges += (length_of(q - p) + length_of(r - q)) + length_of(p - r);
  }
  inward_ = find_inward(mesh, *links_);
  SNUG_ASSERT(inward_.size() == links_->shell_corner.size());
  if (!view.triangles.empty()) mean_edge_ = edges / (3 * static_cast<double>(view.triangles.size())) / scale_;
  for (std::uint32_t v = 0; v < normals_.size(); ++v) exits_[v].store(-1, std::memory_order_relaxed);
  find_normals(mesh);
  find_rims(mesh);
  find_flat_sides(mesh);
  if (form == Form::stays) outside_ = OutsideGrid(mesh, *links_);
}

ContactMesh::Inward ContactMesh::inward() const noexcept {
  const auto turned = std::ranges::count(inward_, true);
  return turned == 0 ? Inward::none : turned == std::ssize(inward_) ? Inward::all : Inward::some;
}

void ContactMesh::find_normals(const Mesh& mesh) {
  const TriangleMeshView view = mesh.view();
  corner_.resize(view.triangles.size());
  corner_normals_.reserve(normals_.size());
  struct Share {
    std::uint32_t triangle, corner, surface;
    Vec3 normal;
  };
  std::vector<Share> shares;
  for (std::uint32_t v = 0; v < normals_.size(); ++v) {
    shares.clear();
    Vec3 sum;
    for (const std::uint32_t t : links_->around(v)) {
      const auto corner = static_cast<std::uint32_t>(corner_at(*links_, view.triangles[t], v));
      shares.push_back({t, corner, mesh.surface_of(t), facing(t) * share_at(view.triangle(t), corner, scale_)});
      sum = sum + shares.back().normal;
    }
    SNUG_ASSERT(shares.empty() || links_->place[v] == v);  // the first at its place has them all
    normals_[v] = to_unit(sum);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const std::uint32_t surface = shares[i].surface;
      const auto before =
          std::ranges::find(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(i), surface, &Share::surface);
      if (before != shares.begin() + static_cast<std::ptrdiff_t>(i)) {
        corner_[shares[i].triangle][shares[i].corner] = corner_[before->triangle][before->corner];
        continue;
      }
      Vec3 of_surface;
      for (const Share& share : shares)
        if (share.surface == surface) of_surface = of_surface + share.normal;
      corner_[shares[i].triangle][shares[i].corner] = static_cast<std::uint32_t>(corner_normals_.size());
      corner_normals_.push_back(to_unit(of_surface));
    }
  }
}

void ContactMesh::find_rims(const Mesh& mesh) {
  const TriangleMeshView view = mesh.view();
  for (std::uint32_t t = 0; t < view.triangles.size(); ++t) {
    if (links_->closed[t]) continue;
    rims_.resize(normals_.size());
    const Triangle triangle = view.triangle(t);
    const Vec3 normal = unit_normal_of(triangle);
    for (std::size_t k = 0; k < 3; ++k) {
      if (links_->neighbour[t][k] != MeshLinks::k_none) continue;
      const Vec3 out = to_unit(cross(scale_ * (triangle[(k + 1) % 3] - triangle[k]), normal));
      for (const std::size_t end : {k, (k + 1) % 3}) {
        Vec3& at = rims_[links_->place[view.triangles[t][end]]];
        at = at + out;
      }
    }
  }
  for (Vec3& rim : rims_) rim = to_unit(rim);
}

void ContactMesh::find_flat_sides(const Mesh& mesh) {
  const TriangleMeshView view = mesh.view();
  std::vector<Vec3> normals(view.triangles.size());
  for (std::uint32_t t = 0; t < normals.size(); ++t) normals[t] = unit_normal_of(view.triangle(t));
  flat_.resize(normals.size());
  for (std::uint32_t t = 0; t < normals.size(); ++t)
    for (std::size_t side = 0; side < 3; ++side) {
      const std::uint32_t across = links_->neighbour[t][side];
      if (across != MeshLinks::k_none && dot(normals[t], normals[across]) > k_flat)
        flat_[t] = static_cast<std::uint8_t>(flat_[t] | 1U << side);
    }
  flat_vertices_.resize(normals_.size());
  for (std::uint32_t v = 0; v < normals_.size(); ++v) flat_vertices_[v] = links_->place[v] == v && has_ray(v);
  for (std::uint32_t t = 0; t < normals.size(); ++t)
    for (std::size_t side = 0; side < 3; ++side)
      if ((flat_[t] >> side & 1U) == 0)
        for (const std::size_t end : {side, (side + 1) % 3})
          flat_vertices_[links_->place[view.triangles[t][end]]] = false;
}

Vec3 ContactMesh::surface_normal(const Mesh& mesh, std::uint32_t triangle, const Point3& at) const noexcept {
  SNUG_ASSERT(triangle < corner_.size());
  const TriangleMeshView view = mesh.view();
  const Triangle t = view.triangle(triangle);
  const Vec3 turning = unit_normal_of(t), own = facing(triangle) * turning;
  if (own == Vec3{}) return {};
  const Vec3 p[3] = {scale_ * (t[0] - at), scale_ * (t[1] - at), scale_ * (t[2] - at)};
  Vec3 blended;
  for (std::size_t i = 0; i < 3; ++i) {
    // The area of the triangle that the point and the other two corners make, never less than nothing.
    const double weight = std::max(0.0, dot(cross(p[(i + 1) % 3], p[(i + 2) % 3]), turning));
    if (weight > 0) blended = blended + weight * corner_normals_[corner_[triangle][i]];
  }
  const Vec3 unit = to_unit(blended);
  return dot(unit, own) > 0 ? unit : own;
}

ContactMesh build(StructureOf<ContactMesh> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  const auto form = shape.links->mesh().same_data(shape.mesh) ? ContactMesh::Form::stays : ContactMesh::Form::changes;
  // Of bodies whose form changes, looking would cost more than asking about the few vertices that matter.
  const bool simple = form == ContactMesh::Form::stays && !meets_itself(shape.mesh, shape.get<ObbTree>(cancel));
  return {shape.mesh, shape.links->get(), form, simple};
}

}  // namespace snug::contact
