#include "query/device_set.hpp"
#include "query/pairs/dop/dop.hpp"
#include "query/pairs/dop/projection.hpp"
#include "simd/axes_scalar.hpp"
#include "support/assert.hpp"

#include <algorithm>

#define SNUG_LANES scalar
#include "query/pairs/dop/lanes/walk.hpp"

namespace snug::query {

namespace {

/// A walk with all it needs. Axes are made when a node is first projected onto them: bodies that are far apart part along
/// one of the first.
template <class Projection>
class Search {
 public:
  using Number = typename Projection::Number;
  using Images = DopImages<Number>;

  Search(const DopPair& bodies, const DopOptions& options, DopImageStore<Number>& store, DopMemory& memory,
         DopTaker& taker, const fixed::Format& format)
      : frame_(bodies.tree_a, bodies.mesh_a.bounds(), bodies.pose_a, bodies.tree_b, bodies.mesh_b.bounds(),
               bodies.pose_b),
        projection_(frame_, bodies.tree_a, bodies.tree_b, format),
        store_(store),
        memory_(memory),
        taker_(taker),
        axes_(std::clamp(options.search.axes, 1U, k_most_axes)) {
    dops_[0] = bodies.tree_a.dops.data(), dops_[1] = bodies.tree_b.dops.data();
    scale_[0] = frame_.scale_a, scale_[1] = frame_.scale_b;
    walk_.links_a = bodies.tree_a.links.data(), walk_.links_b = bodies.tree_b.links.data();
    walk_.groups = (axes_ + k_axis_lanes - 1) / k_axis_lanes;
    walk_.queue = options.search.schedule == DopSearch::Schedule::queue;
    walk_.last_group_first = options.search.last_axes_first;
    lanes_bytes_ = std::size_t{2 * k_axis_lanes} * walk_.groups * sizeof(Number);
    const std::size_t bytes = sizeof(Images) + lanes_bytes_ + Projection::k_extra_bytes;
    store_.begin(bodies.tree_a.links.size(), bodies.tree_b.links.size(), (bytes + 63) / 64 * 64);
    walk_.images_a = store_.table(0), walk_.images_b = store_.table(1);
    memory.pending.resize(std::max<std::size_t>(memory.pending.size(), 256));
    walk_.pending = memory.pending.data(), walk_.room = memory.pending.size();
    walk_.context = this;
    walk_.image = [](void* self, unsigned body, std::uint32_t node) {
      return static_cast<Search*>(self)->image(body, node);
    };
    walk_.project = [](void* self, unsigned body, Images& images, unsigned group) {
      static_cast<Search*>(self)->project(body, images, group);
    };
    walk_.grow = [](void* self, DopWalk<Number>& walk) { static_cast<Search*>(self)->grow(walk); };
    walk_.take = [](void* self, std::uint32_t a, std::uint32_t b) {
      return static_cast<Search*>(self)->taker_.take(a, b);
    };
  }
  /// A taker may throw.
  ~Search() { store_.forget(); }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  template <class Walk>
  void run(Walk&& walk, Stats* stats) {
    walk(walk_);
    SNUG_ASSERT(walk_.begin <= walk_.end && walk_.end <= walk_.room);
    memory_.most_pending = walk_.most_pending;
    memory_.images = store_.count();
    if (stats == nullptr) return;
    stats->node_pairs += walk_.node_pairs;
    stats->box_tests += walk_.axis_tests;
    stats->triangle_tests += walk_.leaf_pairs;
  }

 private:
  Images* image(unsigned body, std::uint32_t node) {
    Images& images = store_.add(body, node);
    const Dop24& dop = dops_[body][node];
    images.size = dop.width() * scale_[body];
    projection_.prepare(body, dop, extra(images));
    return &images;
  }

  void project(unsigned body, Images& images, unsigned group) {
    if ((made_ >> group & 1U) == 0) make_axes(group);
    auto* const numbers = reinterpret_cast<Number*>(&images + 1) + std::size_t{2 * k_axis_lanes} * group;
    const Dop24& dop = dops_[body][images.node];
    const std::byte* const of_node = extra(images);
    for (unsigned i = 0; i < k_axis_lanes; ++i)
      projection_.project(dop, of_node, lanes_[body][k_axis_lanes * group + i], numbers[i], numbers[k_axis_lanes + i]);
    images.ready |= 1U << group;
  }

  void make_axes(unsigned group) {
    SNUG_ASSERT(group < walk_.groups && walk_.groups <= k_most_groups);
    for (unsigned i = k_axis_lanes * group; i < k_axis_lanes * (group + 1); ++i)
      if (i < axes_)
        projection_.make(axis_for(frame_, axis_order()[i]), lanes_[0][i], lanes_[1][i]);
      else
        projection_.make_none(lanes_[0][i], lanes_[1][i]);
    made_ |= 1U << group;
  }

  /// A queue that has moved on leaves room at its front.
  void grow(DopWalk<Number>& walk) {
    SNUG_ASSERT(walk.begin <= walk.end && walk.end == walk.room);
    if (walk.begin > walk.room / 2) {
      std::copy(walk.pending + walk.begin, walk.pending + walk.end, walk.pending);
      walk.end -= walk.begin, walk.begin = 0;
      return;
    }
    memory_.pending.resize(2 * walk.room);
    walk.pending = memory_.pending.data(), walk.room = memory_.pending.size();
  }

  std::byte* extra(Images& images) const noexcept { return reinterpret_cast<std::byte*>(&images + 1) + lanes_bytes_; }

  DopFrame frame_;
  Projection projection_;
  DopImageStore<Number>& store_;
  DopMemory& memory_;
  DopTaker& taker_;
  unsigned axes_;
  unsigned made_ = 0;  ///< groups whose axes are there, as bits
  std::size_t lanes_bytes_ = 0;
  const Dop24* dops_[2];
  double scale_[2];
  typename Projection::Lane lanes_[2][k_axis_lanes * k_most_groups];
  DopWalk<Number> walk_{};
};

/// False if no device could.
bool walk_by_devices(const DopPair& bodies, const DopOptions& options, DopMemory& memory, DopTaker& taker,
                     Stats* stats) {
  std::vector<DopWalked> walked;
  if (!options.devices->walk({&bodies, 1}, options.search, walked)) return false;
  memory.most_pending = memory.images = 0;
  std::uint64_t taken = 0;
  SNUG_ASSERT(walked.size() == 1);
  for (const DopNodePair& leaf : walked[0].leaves) {
    ++taken;
    if (!taker.take(leaf.a, leaf.b)) break;
  }
  if (stats == nullptr) return true;
  stats->node_pairs += walked[0].node_pairs;
  stats->box_tests += walked[0].axis_tests;
  stats->triangle_tests += taken;
  return true;
}

}  // namespace

void dop_walk(const DopPair& bodies, const DopOptions& options, DopMemory& memory, DopTaker& taker, Stats* stats) {
  if (bodies.tree_a.empty() || bodies.tree_b.empty()) return;
  if (options.chip) return chip_walk(bodies, options, memory, taker, stats);
  if (options.fixed && options.devices != nullptr && walk_by_devices(bodies, options, memory, taker, stats)) return;
  const DopSearch& how = options.search;
  const auto format = fixed::Format::within_limits(how.coefficient_bits, how.mapping_bits, how.offset_bits);
  if (!options.fixed) {
    Search<FloatProjection>(bodies, options, memory.floating, memory, taker, format)
        .run(bodies.kernels.walk_dops, stats);
  } else if (format.narrow()) {
    Search<FixedProjection<std::int64_t, std::int32_t>>(bodies, options, memory.fixed, memory, taker, format)
        .run(bodies.kernels.walk_fixed_dops, stats);
  } else {
    Search<FixedProjection<fixed::int128, std::int64_t>>(bodies, options, memory.wide, memory, taker, format)
        .run([](DopWalk<fixed::int128>& walk) { return lanes::scalar::DopWalker<fixed::int128>(walk).run(); }, stats);
  }
}

}  // namespace snug::query
