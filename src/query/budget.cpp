#include <snug/budget.hpp>

#include "query/convex/solid_queries.hpp"
#include "query/distance/closer.hpp"
#include "query/fuel.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "query/pairs/obb/posed_triangle.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace snug {

namespace {

/// All or nothing.
template <class Pair>
Result<void, Undecided> finished(const query::Fuel& fuel, const std::vector<Pair>& found, std::vector<Pair>& out) {
  out.clear();
  if (const auto why = fuel.why()) return Failure(*why);
  out.assign(found.begin(), found.end());
  return {};
}

/// The trees, built now if need be, unless the budget's token ends that.
bool prepared(const Shape& a, const Shape& b, const Budget& budget) {
  if (budget.cancel == nullptr) return true;  // built by who needs them
  const Watch watch{.cancel = budget.cancel};
  return a.prepare_for(shape::k_for_pairs, watch) && b.prepare_for(shape::k_for_pairs, watch);
}

/// What keeps a query with a primitive from being begun, if anything. Such a query is not divided.
std::optional<Undecided> not_begun(const Shape& a, const Shape& b, const Budget& budget) {
  if (!prepared(a, b, budget)) return Undecided::cancelled;
  query::Fuel fuel(budget);
  (void)fuel.portion();
  return fuel.why();
}

/// try_within() and try_intersects() where one is a primitive: as decided by solids_within().
Answer try_solids(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double clearance,
                  const Budget& budget) {
  if (!shape::are_valid(pose_a, pose_b)) return {.because = Undecided::invalid_input};
  if (const auto why = not_begun(a, b, budget)) return {.because = why};
  if (query::solids_within({a, pose_a}, {b, pose_b}, clearance)) return {.value = Answer::Value::yes};
  return {.value = Answer::Value::no, .distance_at_least = std::max(clearance, 0.0)};
}

}  // namespace

std::string_view to_string(Undecided why) noexcept {
  switch (why) {
    case Undecided::node_tests:
      return "node tests";
    case Undecided::deadline:
      return "deadline";
    case Undecided::cancelled:
      return "cancelled";
    case Undecided::invalid_input:
      return "invalid input";
  }
  return "unknown";
}

TriedDistance try_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                           const Budget& budget, const DistanceLimits& limits, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  if (!shape::are_valid(pose_a, pose_b) || std::isnan(limits.ignore_beyond) || std::isnan(limits.enough))
    return {.distance = Distance::refusal(), .because = Undecided::invalid_input};
  const auto nothing = [](Undecided why) {
    TriedDistance out;
    out.because = why, out.distance.lower = 0, out.distance.complete = false;
    return out;
  };
  if (!shape::are_meshes(a, b)) {
    if (const auto why = not_begun(a, b, budget)) return nothing(*why);
    return {.distance = query::solid_distance({a, pose_a}, {b, pose_b})};
  }
  if (!prepared(a, b, budget)) return nothing(Undecided::cancelled);
  Budget both = budget;
  if (limits.node_pairs != 0) both.node_tests = std::min(both.node_tests.value_or(~0ULL), limits.node_pairs);
  query::Fuel fuel(both);
  const Distance found =
      query::oriented_distance(query::oriented_pair(a, pose_a, b, pose_b, options), limits,
                               detail::Access::data(scratch).get<query::SearchMemory>(), fuel, options.stats);
  TriedDistance tried{.distance = found};
  if (!found.complete) tried.because = fuel.why();
  return tried;
}

Answer try_intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                      const Budget& budget, const QueryOptions& options) {
  if (!shape::are_meshes(a, b)) return try_solids(a, pose_a, b, pose_b, 0, budget);
  const auto [found, because] = try_distance(a, pose_a, b, pose_b, scratch, budget, {}, options);
  Answer answer{.because = because, .distance_at_least = std::max(found.lower, 0.0)};
  if (found.value == 0) {
    query::PosedTriangle of_a(a.mesh(), pose_a), of_b(b.mesh(), pose_b);
    answer.value = Answer::Value::yes;
    answer.pair = {found.triangle_a, found.triangle_b,
                   relation(of_a.get(found.triangle_a), of_b.get(found.triangle_b))};
  } else if (found.complete) {
    answer.value = Answer::Value::no;
  }
  return answer;
}

Answer try_within(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double clearance,
                  Scratch& scratch, const Budget& budget, const QueryOptions& options) {
  if (std::isnan(clearance)) return {.because = Undecided::invalid_input};
  if (!shape::are_meshes(a, b)) return try_solids(a, pose_a, b, pose_b, clearance, budget);
  if (clearance < 0 && shape::are_valid(pose_a, pose_b)) return {.value = Answer::Value::no};
  const auto [found, because] =
      try_distance(a, pose_a, b, pose_b, scratch, budget, query::limits_of(clearance), options);
  Answer answer{.because = because, .distance_at_least = std::max(found.lower, 0.0)};
  // A search that ended because it had enough was not stopped.
  if (found.found() && !because) {
    answer.value = Answer::Value::yes;
  } else if (!because) {
    answer.value = Answer::Value::no;
  }
  return answer;
}

Result<void, Undecided> try_triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                           Scratch& scratch, std::vector<TrianglePair>& pairs, const Budget& budget,
                                           const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  pairs.clear();
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return Failure(Undecided::invalid_input);
  if (!prepared(a, b, budget)) return Failure(Undecided::cancelled);
  query::Fuel fuel(budget);
  query::SearchMemory& memory = detail::Access::data(scratch).get<query::SearchMemory>();
  query::oriented_pairs(query::oriented_pair(a, pose_a, b, pose_b, options), memory,
                        support::sensible_threads(options.threads), fuel, options.stats);
  return finished(fuel, memory.pairs, pairs);
}

Result<void, Undecided> try_surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                          Scratch& scratch, std::vector<SurfacePair>& pairs, const Budget& budget,
                                          const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  pairs.clear();
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return Failure(Undecided::invalid_input);
  if (!prepared(a, b, budget)) return Failure(Undecided::cancelled);
  query::Fuel fuel(budget);
  query::SearchMemory& memory = detail::Access::data(scratch).get<query::SearchMemory>();
  query::oriented_surfaces(query::oriented_pair(a, pose_a, b, pose_b, options), memory,
                           support::sensible_threads(options.threads), fuel, options.stats);
  return finished(fuel, memory.surfaces, pairs);
}

}  // namespace snug
