#pragma once

#include "query/pairs/published/meeting.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// The published search (Figueiredo's Figure 2): triangle after triangle of b through the trees of a. `found(Meeting)` says
/// what next.
template <class Found>
class OneSided {
 public:
  using Entry = RTree::Entry;

  OneSided(const SearchedPair& pair, const SurfaceSearch& how, AlignedScratch& scratch, Stats& stats, Found& found)
      : pair_(pair), how_(how), scratch_(scratch), stats_(stats), found_(found) {}

  void run() {
    const auto common = overlap_boxes(pair_, how_.overlap_box, stats_);
    if (!common) return;
    common_ = *common;
    const std::size_t surfaces = pair_.tree_a.root_of_surface.size();
    if (scratch_.met.size() < surfaces) scratch_.met.resize(surfaces, 0);
    from_b(pair_.tree_b.root(), [this](const Entry& surface) {
      ++scratch_.running;
      surface_b_ = surface.first;
      return from_b(pair_.tree_b.triangles_of(surface_b_),
                    [this](const Entry& triangle) { return against_a(triangle); });
    });
  }

 private:
  /// Surfaces or triangles of b: those that reach the overlapping box, or all.
  template <class Visit>
  bool from_b(const Entry& node, Visit&& visit) {
    return how_.overlap_box ? visit_overlapping(pair_.tree_b, node, common_.in_b, stats_, visit)
                            : visit_all(pair_.tree_b, node, stats_, visit);
  }

  bool against_a(const Entry& triangle) {
    triangle_b_ = triangle.first;
    posed_b_.reset();
    ++stats_.box_updates;
    Aabb box = how_.tight_boxes ? pair_.b_to_a.take_tight(pair_.b.shape.mesh().view().triangle(triangle_b_))
                                : pair_.b_to_a.take_cover(triangle.box);
    if (how_.overlap_box) {
      ++stats_.box_tests;
      box = common_part(box, common_.in_a);
      if (box.empty()) return true;
    }
    return visit_overlapping(pair_.tree_a, pair_.tree_a.root(), box, stats_,
                             [&](const Entry& surface) { return against_surface(surface.first, box); });
  }

  bool against_surface(std::uint32_t surface_a, const Aabb& box) {
    if (scratch_.met[surface_a] == scratch_.running) return true;
    Next next = Next::go_on;
    visit_overlapping(pair_.tree_a, pair_.tree_a.triangles_of(surface_a), box, stats_, [&](const Entry& triangle) {
      next = decide(surface_a, triangle.first);
      return next == Next::go_on;
    });
    if (next == Next::other_surfaces) scratch_.met[surface_a] = scratch_.running;
    return next != Next::stop;
  }

  Next decide(std::uint32_t surface_a, std::uint32_t triangle_a) {
    if (!posed_b_) posed_b_ = pair_.posed_b(triangle_b_);
    ++stats_.triangle_tests, ++stats_.exact_tests;
    const Relation how = relation(pair_.posed_a(triangle_a), *posed_b_);
    if (how == Relation::disjoint) return Next::go_on;
    return found_(Meeting{{surface_a, surface_b_}, {triangle_a, triangle_b_, how}});
  }

  const SearchedPair& pair_;
  const SurfaceSearch& how_;
  AlignedScratch& scratch_;
  Stats& stats_;
  Found& found_;
  OverlapBoxes common_;
  std::uint32_t surface_b_ = 0, triangle_b_ = 0;
  std::optional<Triangle> posed_b_;
};

}  // namespace snug::query
