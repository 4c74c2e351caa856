#include "scene/body_queries.hpp"

#include "query/pairs/obb/oriented_pair.hpp"
#include "support/fuel.hpp"

#include <snug/budget.hpp>
#include <snug/distance.hpp>
#include <snug/scene.hpp>

namespace snug::scene {

namespace {

bool both_prepared(const Posed& a, const Posed& b, const HowToAsk& how) {
  return how.cancel == nullptr || (prepared(a.shape, how.cancel) && prepared(b.shape, how.cancel));
}

/// Two meshes may take long, and their trees longer: those that can be ended are. The other methods are for comparison.
bool can_be_ended(const Posed& a, const Posed& b, const HowToAsk& how) noexcept {
  return how.cancel != nullptr && how.query.method == Method::surface && a.is_mesh() && b.is_mesh();
}

}  // namespace

bool prepared(const Shape& shape, const CancelToken* cancel) {
  return !shape.is_mesh() || shape.prepare_for(k_for_pairs, {.cancel = cancel}).has_value();
}

bool meet(const Posed& a, const Posed& b, Scratch& scratch, const HowToAsk& how) {
  if (!both_prepared(a, b, how)) return false;
  if (!can_be_ended(a, b, how)) return intersects(a.shape, a.pose, b.shape, b.pose, scratch, how.query);
  Fuel fuel(Budget{.cancel = how.cancel});
  return oriented_first(oriented_pair(a.shape, a.pose, b.shape, b.pose, how.query),
                        Access::data(scratch).get<SearchMemory>(), fuel, nullptr)
      .has_value();
}

bool within(const Posed& a, const Posed& b, double clearance, Scratch& scratch, const HowToAsk& how) {
  if (!both_prepared(a, b, how)) return false;
  if (!can_be_ended(a, b, how)) return snug::within(a.shape, a.pose, b.shape, b.pose, clearance, scratch, how.query);
  return try_within(a.shape, a.pose, b.shape, b.pose, clearance, scratch, {.cancel = how.cancel}, how.query).yes();
}

void contacts(const Posed& a, const Posed& b, Scratch& scratch, const HowToAsk& how,
              std::vector<std::uint32_t>& meeting, std::vector<TrianglePair>& out) {
  constexpr std::uint32_t none = SceneContacts::k_no_triangle;
  out.clear();
  if (!both_prepared(a, b, how)) return;
  if (can_be_ended(a, b, how)) {
    (void)try_triangle_pairs(a.shape, a.pose, b.shape, b.pose, scratch, out, {.cancel = how.cancel}, how.query);
  } else if (a.is_mesh() && b.is_mesh()) {
    triangle_pairs(a.shape, a.pose, b.shape, b.pose, scratch, out, how.query);
  } else if (a.is_mesh()) {
    triangles_meeting(b.shape, b.pose, a.shape, a.pose, scratch, meeting);
    for (const std::uint32_t t : meeting) out.push_back({t, none, Relation::touching});
  } else if (b.is_mesh()) {
    triangles_meeting(a.shape, a.pose, b.shape, b.pose, scratch, meeting);
    for (const std::uint32_t t : meeting) out.push_back({none, t, Relation::touching});
  } else if (intersects(a.shape, a.pose, b.shape, b.pose, scratch)) {
    out.push_back({none, none, Relation::touching});
  }
}

}  // namespace snug::scene
