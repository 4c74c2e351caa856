#include <snug/shape.hpp>

#include "contact/vertex_rays.hpp"
#include "query/self/self_search.hpp"
#include "shape/shape_data.hpp"
#include "query/posed/winds_once.hpp"
#include "support/watched.hpp"

#include <algorithm>

namespace snug {

namespace detail {

const SurfaceTree& ShapeData::tree(const CancelToken* cancel) const {
  std::call_once(tree_once, [&] { built_tree = build_surface_tree(mesh, cancel); });
  return built_tree;
}

const ObbTree& ShapeData::obb_tree() const {
  // Rays ask for it one by one: a look at a flag is all they should pay for.
  if (!has_obb_tree.load(std::memory_order_acquire))
    std::call_once(obb_tree_once, [this] { take_tree(build_obb_tree(mesh, options)); });
  return built_obb_tree;
}

void ShapeData::take_tree(ObbTree tree) const {
  built_obb_tree = std::move(tree);
  has_obb_tree.store(true, std::memory_order_release);
}

const RayBvh& ShapeData::ray_bvh() const {
  if (has_ray_bvh.load(std::memory_order_acquire)) return built_ray_bvh;
  std::call_once(ray_bvh_once, [this] {
    built_ray_bvh = build_ray_bvh(obb_tree(), mesh);
    has_ray_bvh.store(true, std::memory_order_release);
  });
  return built_ray_bvh;
}

const MovingShape& ShapeData::moving() const {
  std::call_once(moving_once, [this] {
    built_moving = {fit_node_boxes(tree(), mesh.triangles(), mesh.vertices()),
                    radius_about_origin(mesh.triangles(), mesh.vertices())};
  });
  return built_moving;
}

const RTree& ShapeData::rtree() const {
  std::call_once(rtree_once, [this] { built_rtree = build_rtree(mesh); });
  return built_rtree;
}

const DopTree& ShapeData::dop_tree() const {
  std::call_once(dop_tree_once, [this] { take_tree(build_dop_tree(mesh)); });
  return built_dop_tree;
}

void ShapeData::take_tree(DopTree tree) const {
  built_dop_tree = std::move(tree);
  has_dop_tree.store(true, std::memory_order_release);
}

const ContactMesh& ShapeData::contact_mesh() const {
  if (has_contact_mesh.load(std::memory_order_acquire)) return *built_contact_mesh;
  std::call_once(contact_mesh_once, [this] {
    const auto form = links->mesh().same_data(mesh) ? ContactMesh::Form::stays : ContactMesh::Form::changes;
    // Of bodies whose form changes, looking would cost more than asking about the few vertices that matter.
    const bool simple = form == ContactMesh::Form::stays && !meets_itself(mesh, obb_tree());
    built_contact_mesh = std::make_unique<const ContactMesh>(mesh, links->get(), form, simple);
    has_contact_mesh.store(true, std::memory_order_release);
  });
  return *built_contact_mesh;
}

const Topology& ShapeData::topology(const CancelToken* cancel) const {
  std::call_once(topology_once, [&] { found_topology = find_topology(mesh, cancel); });
  return found_topology;
}

bool ShapeData::winds_once(const CancelToken* cancel) const {
  std::call_once(winds_once_once,
                 [&] { found_winds_once = detail::winds_once(mesh, tree(cancel), topology(cancel), cancel); });
  return found_winds_once;
}

}  // namespace detail

Shape::Shape(Mesh mesh, const ShapeOptions& options)
    : data_(std::make_shared<const detail::ShapeData>(std::move(mesh), options)) {}
Shape::Shape(std::shared_ptr<const detail::ShapeData> data) noexcept : data_(std::move(data)) {}

Result<Shape, MeshError> Shape::updated(std::vector<Point3> vertices, const Watch& watch) const {
  const Failure cancelled{MeshError{MeshError::Code::cancelled}};
  const Mesh& old = data_->mesh;
  if (vertices.size() != old.vertices().size())
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
  auto mesh = Mesh::build(std::move(input), {}, detail::part_of(watch, 0, 0.3));
  if (!mesh) return Failure{mesh.error()};
  auto data = std::make_shared<detail::ShapeData>(std::move(mesh).value(), data_->options);
  if (watch.cancelled() || !prepare_for(detail::k_for_pairs, detail::part_of(watch, 0.3, 0.6))) return cancelled;
  auto tree = refit_obb_tree(data_->obb_tree(), data->mesh, data_->options, watch.cancel);
  if (!tree || !detail::go_on(watch, 0.9)) return cancelled;
  std::call_once(data->obb_tree_once, [&] { data->take_tree(std::move(*tree)); });
  // Whoever asked this shape by DOPs will ask the new one so; others do not pay for a tree they never use.
  if (data_->has_dop_tree.load(std::memory_order_acquire))
    std::call_once(data->dop_tree_once, [&] { data->take_tree(refit_dop_tree(data_->built_dop_tree, data->mesh)); });
  // Links, too, are kept, or who will find them: by them a tracker of contacts knows the body again.
  data->links = data_->links;
  if (!detail::go_on(watch, 1)) return cancelled;
  return Shape(std::shared_ptr<const detail::ShapeData>(std::move(data)));
}

Result<void, Cancelled> Shape::prepare(const Watch& watch) const { return prepare_for({}, watch); }

Result<void, Cancelled> Shape::prepare_for(const Preparation& what, const Watch& watch) const {
  const detail::ShapeData& data = *data_;
  using Build = void (*)(const Shape&);
  const std::pair<bool, Build> further[] = {
      {what.rays, [](const Shape& shape) { (void)shape.data_->ray_bvh(); }},
      {what.contacts, [](const Shape& shape) { (void)shape.data_->ray_bvh(); }},
      {what.contacts, [](const Shape& shape) { (void)shape.data_->contact_mesh(); }},
      {what.contacts, [](const Shape& shape) { detail::find_own_exits(shape); }},
      {what.motion || what.verdicts, [](const Shape& shape) { (void)shape.data_->tree(); }},
      {what.motion, [](const Shape& shape) { (void)shape.data_->moving(); }},
      {what.verdicts, [](const Shape& shape) { (void)shape.data_->topology(); }},
      {what.verdicts, [](const Shape& shape) { (void)shape.data_->winds_once(); }},
      {what.dops, [](const Shape& shape) { (void)shape.data_->dop_tree(); }},
      {what.aligned, [](const Shape& shape) { (void)shape.data_->rtree(); }},
  };
  const auto wanted = std::ranges::count(further, true, &std::pair<bool, Build>::first);
  const double tree_share = wanted == 0 ? 1 : 0.25;
  const bool needs_tree = what.pairs || what.rays || what.contacts;
  if (needs_tree && !data.has_obb_tree.load(std::memory_order_acquire)) {
    // Outside of call_once(), where others who need the tree would wait for one that may never come. If two build it, one of
    // them wins.
    auto tree = detail::build_obb_tree(data.mesh, data.options, detail::part_of(watch, 0, tree_share));
    if (!tree) return Failure{Cancelled{}};
    std::call_once(data.obb_tree_once, [&] { data.take_tree(std::move(*tree)); });
  } else if (watch.progress) {
    watch.progress(wanted == 0 ? 1 : 0);
  }
  // The others are built in one go each: a cancel is seen between them.
  std::ptrdiff_t built = 0;
  for (std::size_t i = 0; i < std::size(further); ++i) {
    const auto& [is_wanted, build] = further[i];
    if (!is_wanted) continue;
    if ((data.prepared.load(std::memory_order_acquire) >> i & 1) == 0) {
      if (watch.cancelled()) return Failure{Cancelled{}};
      build(*this);
      data.prepared.fetch_or(1U << i, std::memory_order_release);
    }
    ++built;
    if (watch.progress)
      watch.progress(tree_share + (1 - tree_share) * static_cast<double>(built) / static_cast<double>(wanted));
  }
  return {};
}

double Shape::refit_cost() const {
  const detail::ObbTree& tree = data_->obb_tree();
  return tree.built_cost > 0 && tree.cost > 0 ? tree.cost / tree.built_cost : 1;
}

Shape Shape::rebuilt() const { return Shape(data_->mesh, data_->options); }

const Mesh& Shape::mesh() const noexcept { return data_->mesh; }
const Aabb& Shape::bounds() const noexcept { return data_->mesh.bounds(); }
std::optional<std::string> Shape::validate() const { return detail::validate(data_->obb_tree(), data_->mesh); }
std::size_t Shape::bytes() const {
  const std::size_t for_rays = data_->has_ray_bvh.load(std::memory_order_acquire) ? data_->built_ray_bvh.bytes() : 0;
  return data_->mesh.bytes() + data_->obb_tree().bytes() + for_rays + sizeof(detail::ShapeData);
}

Scratch::Scratch() : data_(std::make_unique<detail::ScratchData>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

}  // namespace snug
