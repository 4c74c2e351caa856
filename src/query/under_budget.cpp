#include <snug/distance.hpp>
#include <snug/query.hpp>

#include "query/convex/solid_queries.hpp"
#include "query/distance/closer.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "query/pairs/obb/posed_triangle.hpp"
#include "support/fuel.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace snug {

namespace {

/// The trees, built now if need be, unless the budget's token ends that.
bool prepared(const Shape& a, const Shape& b, const Budget& budget) {
  if (budget.cancel == nullptr) return true;  // built by who needs them
  const Watch watch{.cancel = budget.cancel};
  return a.prepare_for(shape::k_for_pairs, watch) && b.prepare_for(shape::k_for_pairs, watch);
}

/// What a search for all of two meshes has found; all or nothing.
template <class Search, class Found, class Pair>
Outcome<void> search_all(const Search& search, Found query::SearchMemory::* found, const Shape& a, const Pose& pose_a,
                         const Shape& b, const Pose& pose_b, Scratch& scratch, std::vector<Pair>& out,
                         const Budget& budget, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  out.clear();
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return {Undecided::invalid_input};
  if (!prepared(a, b, budget)) return {Undecided::cancelled};
  support::Fuel fuel(budget);
  query::SearchMemory& memory = detail::Access::data(scratch).get<query::SearchMemory>();
  search(query::oriented_pair(a, pose_a, b, pose_b, options), memory, support::sensible_threads(options.threads), fuel,
         options.stats);
  if (!fuel.why()) out.assign((memory.*found).begin(), (memory.*found).end());
  return {fuel.why()};
}

/// What keeps a query with a primitive from being begun, if anything. Such a query is not divided.
std::optional<Undecided> not_begun(const Shape& a, const Shape& b, const Budget& budget) {
  if (!prepared(a, b, budget)) return Undecided::cancelled;
  support::Fuel fuel(budget);
  (void)fuel.portion();
  return fuel.why();
}

/// try_within() and try_intersects() where one is a primitive: as decided by solids_within().
Outcome<Answer> try_solids(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double clearance,
                           const Budget& budget) {
  if (!shape::are_valid(pose_a, pose_b)) return {.because = Undecided::invalid_input};
  if (const auto why = not_begun(a, b, budget)) return {.because = why};
  if (query::solids_within({a, pose_a}, {b, pose_b}, clearance)) return {{.yes = true}, {}};
  return {{.distance_at_least = std::max(clearance, 0.0)}, {}};
}

}  // namespace

Outcome<Distance> try_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                               const Budget& budget, const DistanceLimits& limits, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  if (!shape::are_valid(pose_a, pose_b) || std::isnan(limits.ignore_beyond) || std::isnan(limits.enough))
    return {.known = Distance::refusal(), .because = Undecided::invalid_input};
  const auto nothing = [](Undecided why) {
    Outcome<Distance> out{.because = why};
    out.known.lower = 0, out.known.complete = false;
    return out;
  };
  if (!shape::are_meshes(a, b)) {
    if (const auto why = not_begun(a, b, budget)) return nothing(*why);
    return {query::solid_distance({a, pose_a}, {b, pose_b}), {}};
  }
  if (!prepared(a, b, budget)) return nothing(Undecided::cancelled);
  support::Fuel fuel(budget);
  const Distance found =
      query::oriented_distance(query::oriented_pair(a, pose_a, b, pose_b, options), limits,
                               detail::Access::data(scratch).get<query::SearchMemory>(), fuel, options.stats);
  return {query::with_normal(found), found.complete ? std::nullopt : fuel.why()};
}

Outcome<Answer> try_intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                               const Budget& budget, const QueryOptions& options) {
  if (!shape::are_meshes(a, b)) return try_solids(a, pose_a, b, pose_b, 0, budget);
  const auto [found, because] = try_distance(a, pose_a, b, pose_b, scratch, budget, {}, options);
  if (found.value != 0) return {{.distance_at_least = std::max(found.lower, 0.0)}, because};
  query::PosedTriangle of_a(a.mesh(), pose_a), of_b(b.mesh(), pose_b);
  const Relation how = relation(of_a.get(found.triangle_a), of_b.get(found.triangle_b));
  return {{.yes = true, .pair = TrianglePair{found.triangle_a, found.triangle_b, how}}, {}};
}

Outcome<Answer> try_within(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double clearance,
                           Scratch& scratch, const Budget& budget, const QueryOptions& options) {
  if (std::isnan(clearance)) return {.because = Undecided::invalid_input};
  if (!shape::are_meshes(a, b)) return try_solids(a, pose_a, b, pose_b, clearance, budget);
  if (clearance < 0 && shape::are_valid(pose_a, pose_b)) return {{}, {}};
  const auto [found, because] =
      try_distance(a, pose_a, b, pose_b, scratch, budget, query::limits_of(clearance), options);
  // A search that ended because it had enough was not stopped.
  return {{.yes = found.found() && !because, .distance_at_least = std::max(found.lower, 0.0)}, because};
}

Outcome<void> try_triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                 Scratch& scratch, std::vector<TrianglePair>& pairs, const Budget& budget,
                                 const QueryOptions& options) {
  return search_all(query::oriented_pairs, &query::SearchMemory::pairs, a, pose_a, b, pose_b, scratch, pairs, budget,
                    options);
}

Outcome<void> try_surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                Scratch& scratch, std::vector<SurfacePair>& pairs, const Budget& budget,
                                const QueryOptions& options) {
  return search_all(query::oriented_surfaces, &query::SearchMemory::surfaces, a, pose_a, b, pose_b, scratch, pairs,
                    budget, options);
}

}  // namespace snug
