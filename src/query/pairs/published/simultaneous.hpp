#pragma once

#include "query/pairs/published/meeting.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// Both trees at once, as the search that Figueiredo's replaces is commonly done: pairs of nodes, the larger of which is
/// opened; each node of b gets a new box in a's frame whenever it is come upon. Surfaces first, until two surfaces face
/// each other, then their triangles: so every pair of surfaces is looked at once. `found(Meeting)` says what next.
template <class Found>
class Simultaneous {
 public:
  using Entry = RTree::Entry;

  Simultaneous(const SearchedPair& pair, const SurfaceSearch& how, Stats& stats, Found& found)
      : pair_(pair), how_(how), stats_(stats), found_(found) {}

  void run() {
    const auto common = overlap_boxes(pair_, how_.overlap_box, stats_);
    if (!common) return;
    common_ = *common;
    Aabb box = common_.in_a;
    if (!how_.overlap_box) {
      ++stats_.box_updates, ++stats_.box_tests;
      box = pair_.b_to_a.take_cover(pair_.tree_b.root().box);
      if (!box.overlaps(pair_.tree_a.root().box)) return;
    }
    surfaces(pair_.tree_a.root(), pair_.tree_b.root(), box);
  }

 private:
  /// Opens two trees of a level until two items face each other. `box` is b's in a's frame; it overlaps a's.
  template <class Visit>
  bool descend(const Entry& a, const Entry& b, const Aabb& box, const Visit& visit) {
    if (a.item() && b.item()) return visit(a, b, box);
    ++stats_.node_pairs;
    if (b.item() || (!a.item() && !larger(b.box, a.box))) {
      for (std::uint32_t c = a.first; c < a.first + a.count; ++c) {
        const Entry& child = pair_.tree_a.entries[c];
        ++stats_.box_tests;
        if (child.box.overlaps(box) && !descend(child, b, box, visit)) return false;
      }
      return true;
    }
    for (std::uint32_t c = b.first; c < b.first + b.count; ++c) {
      const Entry& child = pair_.tree_b.entries[c];
      const auto child_box = taken(child, visit.triangles);
      if (!child_box) continue;
      ++stats_.box_tests;
      if (child_box->overlaps(a.box) && !descend(a, child, *child_box, visit)) return false;
    }
    return true;
  }

  /// The box of an entry of b in a's frame, unless the overlapping box rules it out.
  std::optional<Aabb> taken(const Entry& entry, bool triangles) {
    if (how_.overlap_box) {
      ++stats_.box_tests;
      if (!entry.box.overlaps(common_.in_b)) return std::nullopt;
    }
    ++stats_.box_updates;
    const bool tight = how_.tight_boxes && triangles && entry.item();
    const Aabb box = tight ? pair_.b_to_a.take_tight(pair_.b.shape.mesh().view().triangle(entry.first))
                           : pair_.b_to_a.take_cover(entry.box);
    return how_.overlap_box ? common_part(box, common_.in_a) : box;
  }

  static bool larger(const Aabb& a, const Aabb& b) noexcept {
    const Vec3 size_a = a.hi - a.lo, size_b = b.hi - b.lo;
    return (size_a.x + size_a.y) + size_a.z > (size_b.x + size_b.y) + size_b.z;
  }

  void surfaces(const Entry& root_a, const Entry& root_b, const Aabb& box) {
    const auto facing = [this](const Entry& a, const Entry& b, const Aabb& b_box) {
      return triangles(a.first, b.first, b_box);
    };
    descend(root_a, root_b, box, Level<decltype(facing)>{facing, false});
  }

  bool triangles(std::uint32_t surface_a, std::uint32_t surface_b, const Aabb& box) {
    Next next = Next::go_on;
    const auto facing = [&](const Entry& a, const Entry& b, const Aabb&) {
      next = decide({surface_a, surface_b}, a.first, b.first);
      return next == Next::go_on;
    };
    descend(pair_.tree_a.triangles_of(surface_a), pair_.tree_b.triangles_of(surface_b), box,
            Level<decltype(facing)>{facing, true});
    return next != Next::stop;
  }

  Next decide(SurfacePair surfaces, std::uint32_t triangle_a, std::uint32_t triangle_b) {
    ++stats_.triangle_tests, ++stats_.exact_tests;
    const Relation how = relation(pair_.posed_a(triangle_a), pair_.posed_b(triangle_b));
    return how == Relation::disjoint ? Next::go_on : found_(Meeting{surfaces, {triangle_a, triangle_b, how}});
  }

  /// What to do when two items of a level face each other.
  template <class Facing>
  struct Level {
    const Facing& facing;
    bool triangles;  ///< of the lower level
    bool operator()(const Entry& a, const Entry& b, const Aabb& box) const { return facing(a, b, box); }
  };

  const SearchedPair& pair_;
  const SurfaceSearch& how_;
  Stats& stats_;
  Found& found_;
  OverlapBoxes common_;
};

}  // namespace snug::query
