#include "contact/vertex_rays.hpp"
#include "query/posed/winds_once.hpp"
#include "shape/trees.hpp"
#include "support/watched.hpp"

#include <snug/shape.hpp>

#include <algorithm>

// Shape::prepare() stands above the rooms whose structures it builds.

namespace snug {

Result<void, Cancelled> Shape::prepare(const Watch& watch) const { return prepare_for({}, watch); }

Result<void, Cancelled> Shape::prepare_for(const Preparation& what, const Watch& watch) const {
  if (!is_mesh()) return support::go_on(watch, 1) ? Result<void, Cancelled>() : Failure{Cancelled{}};
  const detail::ShapeData& data = *data_;
  using Build = void (*)(const Shape&);
  const std::pair<bool, Build> further[] = {
      {what.rays, [](const Shape& shape) { (void)shape.data_->get<bvh::RayBvh>(); }},
      {what.contacts, [](const Shape& shape) { (void)shape.data_->get<bvh::RayBvh>(); }},
      {what.contacts, [](const Shape& shape) { (void)shape.data_->get<contact::ContactMesh>(); }},
      {what.contacts, [](const Shape& shape) { contact::find_own_exits(shape); }},
      {what.motion || what.verdicts, [](const Shape& shape) { (void)shape.data_->get<bvh::AabbTree>(); }},
      {what.motion, [](const Shape& shape) { (void)shape.data_->get<bvh::NodeBoxes>(); }},
      {what.verdicts, [](const Shape& shape) { (void)shape.data_->get<mesh::Topology>(); }},
      {what.verdicts, [](const Shape& shape) { (void)shape.data_->get<query::WindsOnce>(); }},
      {what.dops, [](const Shape& shape) { (void)shape.data_->get<bvh::DopTree>(); }},
      {what.aligned, [](const Shape& shape) { (void)shape.data_->get<bvh::RTree>(); }},
  };
  const auto wanted = std::ranges::count(further, true, &std::pair<bool, Build>::first);
  const double tree_share = wanted == 0 ? 1 : 0.25;
  const bool needs_tree = what.pairs || what.rays || what.contacts;
  if (needs_tree && data.structures.find<bvh::ObbTree>() == nullptr) {
    // Outside of call_once(), where others who need the tree would wait for one that may never come. If two build it, one of
    // them wins.
    auto tree = bvh::build_obb_tree(data.mesh, data.options, support::part_of(watch, 0, tree_share));
    if (!tree) return Failure{Cancelled{}};
    data.structures.put(std::move(*tree));
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

}  // namespace snug
