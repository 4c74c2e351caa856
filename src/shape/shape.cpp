#include <snug/shape.hpp>

#include "mesh/mesh_data.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"
#include "support/watched.hpp"

namespace snug {

namespace {

/// What primitives share. It is never destroyed: shapes may live as long as the program.
const detail::ShapeData& no_mesh() {
  static const auto* const data = new detail::ShapeData(detail::MeshAccess::without_triangles(), {});
  return *data;
}

}  // namespace

Shape::Shape(Mesh mesh, const ShapeOptions& options)
    : data_(std::make_shared<const detail::ShapeData>(std::move(mesh), options)) {
  // Only mesh() of a primitive is such a mesh. Without triangles a query would find nothing and call it clear.
  if (data_->mesh.triangles().empty()) detail::stop("a Shape is made of a mesh without triangles");
}
// Without a control block, so that copies on several threads do not count in one place.
Shape::Shape(Primitive primitive)
    : data_(std::shared_ptr<const detail::ShapeData>(), &no_mesh()),
      primitive_(std::make_shared<const Primitive>(std::move(primitive))) {}
Shape::Shape(std::shared_ptr<const detail::ShapeData> data) noexcept : data_(std::move(data)) {}

Result<Shape, MeshError> Shape::updated(std::vector<Point3> vertices, const Watch& watch) const {
  const Failure cancelled{MeshError{MeshError::Code::cancelled}};
  const Mesh& old = data_->mesh;
  if (!is_mesh() || vertices.size() != old.vertices().size())
    return Failure{MeshError{MeshError::Code::vertex_count_differs, vertices.size()}};
  MeshInput input;
  input.vertices = std::move(vertices);
  input.triangles.assign(old.triangles().begin(), old.triangles().end());
  input.surfaces.assign(old.surfaces().begin(), old.surfaces().end());
  for (Surface& surface : input.surfaces) {
    // A surface that has moved is no longer the cylinder it was.
    if (surface.analytic) surface.analytic.reset(), surface.kind = SurfaceKind::unknown;
  }
  input.surface_of_triangle.resize(input.triangles.size());
  for (std::uint32_t t = 0; t < input.triangles.size(); ++t) input.surface_of_triangle[t] = old.surface_of(t);
  auto mesh = Mesh::build(std::move(input), {}, support::part_of(watch, 0, 0.3));
  if (!mesh) return Failure{mesh.error()};
  auto data = std::make_shared<detail::ShapeData>(std::move(mesh).value(), data_->options);
  if (watch.cancelled() || !prepare_for(shape::k_for_pairs, support::part_of(watch, 0.3, 0.6))) return cancelled;
  auto tree = refit_obb_tree(data_->get<bvh::ObbTree>(), data->mesh, data_->options, watch.cancel);
  if (!tree || !support::go_on(watch, 0.9)) return cancelled;
  SNUG_ASSERT(tree->cost >= 0 && tree->built_cost >= 0);
  data->structures.put(std::move(*tree));
  // Whoever asked this shape by DOPs will ask the new one so; others do not pay for a tree they never use.
  if (const auto* const dops = data_->structures.find<bvh::DopTree>())
    data->structures.put(refit_dop_tree(*dops, data->mesh));
  // Links, too, are kept, or who will find them: by them a tracker of contacts knows the body again.
  data->links = data_->links;
  if (!support::go_on(watch, 1)) return cancelled;
  return Shape(std::shared_ptr<const detail::ShapeData>(std::move(data)));
}

double Shape::refit_cost() const {
  if (!is_mesh()) return 1;
  const bvh::ObbTree& tree = data_->get<bvh::ObbTree>();
  return tree.built_cost > 0 && tree.cost > 0 ? tree.cost / tree.built_cost : 1;
}

Shape Shape::rebuilt() const { return is_mesh() ? Shape(data_->mesh, data_->options) : *this; }

const Mesh& Shape::mesh() const noexcept { return data_->mesh; }
const Aabb& Shape::bounds() const noexcept { return is_mesh() ? data_->mesh.bounds() : primitive_->bounds(); }
std::optional<std::string> Shape::validate() const {
  if (!is_mesh()) return std::nullopt;
  return bvh::validate(data_->get<bvh::ObbTree>(), data_->mesh);
}
std::size_t Shape::bytes() const {
  // A hull keeps its points twice: see HullPoints.
  if (!is_mesh()) return sizeof(Primitive) + 2 * primitive_->points().size_bytes();
  const auto* const bvh = data_->structures.find<bvh::RayBvh>();
  const std::size_t for_rays = bvh != nullptr ? bvh->bytes() : 0;
  return data_->mesh.bytes() + data_->get<bvh::ObbTree>().bytes() + for_rays + sizeof(detail::ShapeData);
}

Scratch::Scratch() : data_(std::make_unique<detail::ScratchData>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

}  // namespace snug
