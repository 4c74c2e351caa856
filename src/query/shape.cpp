#include <snug/shape.hpp>

#include "query/shape_data.hpp"
#include "query/surface/winds_once.hpp"

namespace snug {

namespace detail {

const SurfaceTree& ShapeData::tree() const {
  std::call_once(tree_once, [this] { built_tree = build_surface_tree(mesh); });
  return built_tree;
}

const ObbTree& ShapeData::obb_tree() const {
  std::call_once(obb_tree_once, [this] { built_obb_tree = build_obb_tree(mesh, 1); });
  return built_obb_tree;
}

const RTree& ShapeData::rtree() const {
  std::call_once(rtree_once, [this] { built_rtree = build_rtree(mesh); });
  return built_rtree;
}

const Topology& ShapeData::topology() const {
  std::call_once(topology_once, [this] { found_topology = find_topology(mesh); });
  return found_topology;
}

bool ShapeData::winds_once() const {
  std::call_once(winds_once_once, [this] { found_winds_once = detail::winds_once(mesh, tree(), topology()); });
  return found_winds_once;
}

}  // namespace detail

Shape::Shape(Mesh mesh) : data_(std::make_shared<const detail::ShapeData>(std::move(mesh))) {}
const Mesh& Shape::mesh() const noexcept { return data_->mesh; }
const Aabb& Shape::bounds() const noexcept { return data_->mesh.bounds(); }
std::size_t Shape::bytes() const noexcept {
  return data_->mesh.bytes() + data_->obb_tree().bytes() + sizeof(detail::ShapeData);
}

Scratch::Scratch() : data_(std::make_unique<detail::ScratchData>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

}  // namespace snug
