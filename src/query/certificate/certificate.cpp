#include <snug/certificate.hpp>

#include "bvh/obb8/obb_box.hpp"
#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "query/certificate/plane.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "support/assert.hpp"
#include "support/fuel.hpp"
#include "support/watched.hpp"

#include <algorithm>
#include <limits>

namespace snug {

namespace {

using namespace query;
using Entry = SeparationCertificate::Entry;

/// A body with all its vertices posed, its triangles in the order of the tree's blocks.
struct Side {
  const Mesh& mesh;
  const ObbTree& tree;
  const Pose& pose;
  std::vector<Point3> posed;
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> first;      ///< of each block, in `order`, and the end
  std::vector<std::uint32_t> block_end;  ///< of each node

  Side(const Shape& shape, const Pose& p) : mesh(shape.mesh()), tree(Access::data(shape).get<ObbTree>()), pose(p) {
    posed.resize(mesh.vertices().size());
    pose.apply(mesh.vertices(), posed);
    for (const TriangleBlock& block : tree.blocks) {
      first.push_back(static_cast<std::uint32_t>(order.size()));
      order.insert(order.end(), block.id, block.id + block.count);
    }
    first.push_back(static_cast<std::uint32_t>(order.size()));
    block_end.resize(tree.nodes.size());
    SNUG_ASSERT(order.size() == mesh.triangles().size());
    find_end(0);
    SNUG_ASSERT(block_end[0] == tree.blocks.size());
  }

  [[nodiscard]] bool is_block(Slot slot) const { return (slot & 7) >= tree.nodes[slot >> 3].inner; }
  [[nodiscard]] std::uint32_t node(Slot slot) const { return tree.nodes[slot >> 3].first_node + (slot & 7); }
  [[nodiscard]] std::uint32_t block(Slot slot) const {
    return tree.nodes[slot >> 3].first_block + (slot & 7) - tree.nodes[slot >> 3].inner;
  }
  struct Run {
    std::uint32_t begin, end;
  };
  [[nodiscard]] Run run(Slot slot) const {
    if (is_block(slot)) return {first[block(slot)], first[block(slot) + 1]};
    return {first[tree.nodes[node(slot)].first_block], first[block_end[node(slot)]]};
  }
  /// The axes of a box, in the world.
  void add_axes(Slot slot, std::vector<Vec3>& axes) const {
    for (const Vec3& axis : bvh::box_axes(tree.nodes[slot >> 3], slot & 7)) axes.push_back(turn(pose.matrix(), axis));
  }
  [[nodiscard]] Triangle triangle(std::uint32_t place) const {
    return TriangleMeshView{posed, mesh.triangles()}.triangle(order[place]);
  }
  /// Smallest and largest product of a direction with the corners of a run.
  struct Span {
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  };
  [[nodiscard]] Span along(const Vec3& n, Run of) const {
    Span span;
    for (std::uint32_t i = of.begin; i < of.end; ++i)
      for (const std::uint32_t v : mesh.triangles()[order[i]]) {
        const double d = (n.x * posed[v].x + n.y * posed[v].y) + n.z * posed[v].z;
        span.lo = std::min(span.lo, d), span.hi = std::max(span.hi, d);
      }
    return span;
  }

 private:
  std::uint32_t find_end(std::uint32_t index) {
    const ObbNode& n = tree.nodes[index];
    std::uint32_t end = n.first_block + (n.count - n.inner);
    for (std::uint32_t i = 0; i < n.inner; ++i) end = find_end(n.first_node + i);
    return block_end[index] = end;
  }
};

class Prover {
 public:
  Prover(const Side& a, const Side& b, std::vector<Entry>& entries, const Watch& watch)
      : a_(a), b_(b), entries_(entries), watch_(watch) {}

  /// False if two triangles share a point, or if cancelled.
  bool prove(Slot a, Slot b) {
    if (watch_.cancelled()) return false;
    const Side::Run run_a = a_.run(a), run_b = b_.run(b);
    axes_.clear();
    a_.add_axes(a, axes_);
    b_.add_axes(b, axes_);
    if (keep_apart(run_a, run_b)) return true;
    const bool block_a = a_.is_block(a), block_b = b_.is_block(b);
    if (block_a && block_b) return prove_triangles(run_a, run_b);
    if (block_b || (!block_a && run_a.end - run_a.begin >= run_b.end - run_b.begin)) {
      const std::uint32_t node = a_.node(a);
      for (std::uint32_t lane = 0; lane < a_.tree.nodes[node].count; ++lane)
        if (!prove(node * 8 + lane, b)) return false;
      return true;
    }
    const std::uint32_t node = b_.node(b);
    for (std::uint32_t lane = 0; lane < b_.tree.nodes[node].count; ++lane)
      if (!prove(a, node * 8 + lane)) return false;
    return true;
  }

 private:
  /// Adds an entry if one of the axes at hand keeps the runs apart by enough to be checked.
  bool keep_apart(Side::Run run_a, Side::Run run_b) {
    for (const Vec3& axis : axes_) {
      const Side::Span of_a = a_.along(axis, run_a), of_b = b_.along(axis, run_b);
      const bool below = of_a.hi < of_b.lo;
      if (!below && !(of_b.hi < of_a.lo)) continue;
      const Vec3 normal = below ? axis : -axis;
      const double from = below ? of_a.hi : -of_a.lo, to = below ? of_b.lo : -of_b.hi;
      const Entry entry{run_a.begin, run_a.end, run_b.begin, run_b.end, normal, 0.5 * from + 0.5 * to};
      if (!all_beyond(a_, run_a, entry, -1) || !all_beyond(b_, run_b, entry, 1)) continue;
      add(entry);
      return true;
    }
    return false;
  }

  /// Entries cover every pair of triangles once, so what they cover tells how much is done.
  void add(const Entry& entry) {
    SNUG_ASSERT(entry.a_begin < entry.a_end && entry.a_end <= a_.order.size());
    SNUG_ASSERT(entry.b_begin < entry.b_end && entry.b_end <= b_.order.size());
    entries_.push_back(entry);
    if (!watch_.progress) return;
    const auto pairs = [](double of_a, double of_b) { return of_a * of_b; };
    covered_ += pairs(entry.a_end - entry.a_begin, entry.b_end - entry.b_begin);
    const double share = std::min(covered_ / pairs(double(a_.order.size()), double(b_.order.size())), 1.0);
    if (share < told_ + 0x1p-8) return;
    told_ = share;
    watch_.progress(0.2 + 0.75 * share);
  }

  static bool all_beyond(const Side& side, Side::Run run, const Entry& entry, double sign) {
    for (std::uint32_t i = run.begin; i < run.end; ++i)
      for (const std::uint32_t v : side.mesh.triangles()[side.order[i]])
        if (!beyond(entry.normal, entry.offset, side.posed[v], sign)) return false;
    return true;
  }

  /// Each triangle of a against all of b's block, then those that no axis keeps apart one by one.
  bool prove_triangles(Side::Run run_a, Side::Run run_b) {
    for (std::uint32_t i = run_a.begin; i < run_a.end; ++i) {
      const Triangle t = a_.triangle(i);
      axes_.clear();
      axes_.push_back(cross(t[1] - t[0], t[2] - t[0]));
      if (keep_apart({i, i + 1}, run_b)) continue;
      for (std::uint32_t j = run_b.begin; j < run_b.end; ++j) {
        const Triangle u = b_.triangle(j);
        axes_.clear();
        axes_.push_back(cross(t[1] - t[0], t[2] - t[0]));
        axes_.push_back(cross(u[1] - u[0], u[2] - u[0]));
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t l = 0; l < 3; ++l) axes_.push_back(cross(t[(k + 1) % 3] - t[k], u[(l + 1) % 3] - u[l]));
        const ClosestPoints closest = closest_points(t, u);
        axes_.push_back(closest.on_b - closest.on_a);
        if (keep_apart({i, i + 1}, {j, j + 1})) continue;
        if (relation(t, u) != Relation::disjoint) return false;
        add({i, i + 1, j, j + 1, {}, 0});
      }
    }
    return true;
  }

  const Side &a_, &b_;
  std::vector<Entry>& entries_;
  const Watch& watch_;
  double covered_ = 0, told_ = 0;
  std::vector<Vec3> axes_;
};

}  // namespace

std::optional<SeparationCertificate> separation_certificate(const Shape& a, const Pose& pose_a, const Shape& b,
                                                            const Pose& pose_b, Scratch& scratch) {
  return separation_certificate(a, pose_a, b, pose_b, scratch, {}).value();
}

Result<std::optional<SeparationCertificate>, Cancelled> separation_certificate(const Shape& a, const Pose& pose_a,
                                                                               const Shape& b, const Pose& pose_b,
                                                                               Scratch& scratch, const Watch& watch) {
  const Failure cancelled{Cancelled{}};
  std::optional<SeparationCertificate> certificate;
  const OneUser user = use(scratch);
  if (!go_on(watch, 0)) return cancelled;
  if (!are_valid_meshes(a, pose_a, b, pose_b)) return certificate;
  for (const Shape* const shape : {&a, &b})
    if (!shape->prepare_for(k_for_pairs, {.cancel = watch.cancel})) return cancelled;
  Fuel fuel(Budget{.cancel = watch.cancel});
  const bool meet =
      oriented_first(oriented_pair(a, pose_a, b, pose_b, {}), Access::data(scratch).get<SearchMemory>(), fuel, nullptr)
          .has_value();
  if (fuel.why() || !go_on(watch, 0.2)) return cancelled;
  if (!meet) {
    Side side_a(a, pose_a), side_b(b, pose_b);
    certificate.emplace();
    const bool proved = Prover(side_a, side_b, certificate->entries, watch).prove(0, 0);
    if (watch.cancelled()) return cancelled;
    if (proved) {
      certificate->order_a = std::move(side_a.order);
      certificate->order_b = std::move(side_b.order);
    } else {
      certificate.reset();
    }
  }
  if (!go_on(watch, 1)) return cancelled;
  return certificate;
}

}  // namespace snug
