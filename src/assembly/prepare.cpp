#include "assembly/path/path_part.hpp"
#include "contact/vertex_rays.hpp"
#include "penetration/borders.hpp"
#include "penetration/face_sag.hpp"
#include "penetration/smallest_size.hpp"
#include "query/posed/winds_once.hpp"
#include "shape/trees.hpp"
#include "support/parallel.hpp"
#include "support/watched.hpp"

#include <snug/shape.hpp>

#include <algorithm>

// Shape::prepare() stands above the rooms whose structures it builds.

namespace snug {

namespace {

using Build = void (*)(const Shape&, const CancelToken*);

template <class T>
void build_structure(const Shape& shape, const CancelToken* cancel) {
  (void)detail::Access::data(shape).get<T>(cancel);
}

}  // namespace

Result<void, Cancelled> Shape::prepare(const Watch& watch) const { return prepare_for({}, watch); }

Result<void, Cancelled> Shape::prepare_for(const Preparation& what, const Watch& watch) const {
  if (!is_mesh()) return support::go_on(watch, 1) ? Result<void, Cancelled>() : Failure{Cancelled{}};
  const detail::ShapeData& data = *data_;
  // check_path() judges parts that meet as assess() does.
  const bool verdicts = what.verdicts || what.motion;
  const std::pair<bool, Build> further[] = {
      {what.rays || what.contacts, build_structure<bvh::RayBvh>},
      {what.contacts, build_structure<contact::ContactMesh>},
      {what.contacts, [](const Shape& shape, const CancelToken*) { contact::find_own_exits(shape); }},
      {verdicts, build_structure<bvh::AabbTree>},
      {verdicts, build_structure<bvh::NodeBoxes>},
      {verdicts, build_structure<mesh::Topology>},
      {verdicts, build_structure<penetration::FaceSag>},
      {verdicts, build_structure<penetration::SmallestSize>},
      {verdicts, build_structure<query::WindsOnce>},
      {verdicts, build_structure<penetration::Borders>},
      {what.motion, build_structure<assembly::OriginRadius>},
      {what.dops, build_structure<bvh::DopTree>},
      {what.aligned, build_structure<bvh::RTree>},
  };
  const auto wanted = std::ranges::count(further, true, &std::pair<bool, Build>::first);
  const double tree_share = wanted == 0 ? 1 : 0.25;
  const bool needs_tree = what.pairs || what.rays || what.contacts || verdicts;
  if (needs_tree && data.structures.find<bvh::ObbTree>() == nullptr) {
    // Outside of call_once(), where others who need the tree would wait for one that may never come. If two build it, one of
    // them wins.
    auto tree = bvh::build_obb_tree(data.mesh, data.options, support::part_of(watch, 0, tree_share));
    if (!tree) return Failure{Cancelled{}};
    data.structures.put(std::move(*tree));
  } else if (watch.progress) {
    watch.progress(wanted == 0 ? 1 : 0);
  }
  // Some of the others are built in one go: a cancel is seen between them.
  std::ptrdiff_t built = 0;
  for (std::size_t i = 0; i < std::size(further); ++i) {
    const auto& [is_wanted, build_it] = further[i];
    if (!is_wanted) continue;
    if ((data.prepared.load(std::memory_order_acquire) >> i & 1) == 0) {
      if (watch.cancelled()) return Failure{Cancelled{}};
      try {
        build_it(*this, watch.cancel);
      } catch (const support::LoopCancelled&) {
        return Failure{Cancelled{}};
      }
      data.prepared.fetch_or(1U << i, std::memory_order_release);
    }
    ++built;
    if (watch.progress)
      watch.progress(tree_share + (1 - tree_share) * static_cast<double>(built) / static_cast<double>(wanted));
  }
  return {};
}

}  // namespace snug
