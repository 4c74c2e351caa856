#include "geometry/box_gap.hpp"
#include "geometry/vec_ops.hpp"
#include "query/distance/closer.hpp"
#include "scene/asker.hpp"

#include <snug/budget.hpp>
#include <snug/scene.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

// The closest two bodies of a scene, or of two scenes.

namespace snug {

namespace {

using namespace scene;

/// Two bodies by their slots, and no more than their distance.
struct Candidate {
  double gap;
  std::uint32_t a, b;
};

/// Looks for the closest two among candidates.
class ClosestBodies {
 public:
  ClosestBodies(const SceneData& of_a, const SceneData& of_b, const SceneOptions& options, SceneScratchData& memory)
      : of_a_(of_a), of_b_(of_b), options_(options), scratch_(own_scratch(memory)) {}

  /// False if cancelled.
  bool look_at(std::vector<Candidate>& candidates) {
    std::ranges::sort(candidates, {}, [](const Candidate& c) { return std::tie(c.gap, c.a, c.b); });
    for (const Candidate& c : candidates) {
      if (best_ && c.gap > reach()) break;
      // Of those that touch the first counts; whether others touch, too, does not matter.
      if (best_ && best_->value == 0 && !(std::tie(c.a, c.b) < std::tie(best_->a.index, best_->b.index))) continue;
      if (options_.cancel != nullptr && options_.cancel->cancelled()) return false;
      const BodyDistance found = distance_of(c);
      if (options_.cancel != nullptr && options_.cancel->cancelled()) return false;
      if (found.value <= reach() && is_closer(found)) best_ = found;
    }
    return true;
  }

  [[nodiscard]] const std::optional<BodyDistance>& best() const noexcept { return best_; }
  /// As far as a pair may be apart that has the same first digits as the best.
  [[nodiscard]] double reach() const noexcept {
    return best_ ? best_->value * (1 + k_same_digits) : std::numeric_limits<double>::infinity();
  }

 private:
  [[nodiscard]] bool is_closer(const BodyDistance& found) const noexcept {
    if (!best_) return true;
    const double ours = first_digits(found.value), theirs = first_digits(best_->value);
    if (ours != theirs) return ours < theirs;
    return std::tie(found.a.index, found.b.index) < std::tie(best_->a.index, best_->b.index);
  }

  BodyDistance distance_of(const Candidate& c) {
    const Posed a = of_a_.bodies[c.a].posed(), b = of_b_.bodies[c.b].posed();
    const Distance found = try_distance(a.shape, a.pose, b.shape, b.pose, scratch_, {.cancel = options_.cancel},
                                        {.ignore_beyond = reach()}, {.instructions = options_.instructions})
                               .known;
    return {of_a_.id(c.a), of_b_.id(c.b),    found.value,      found.lower, found.on_a,
            found.on_b,    found.triangle_a, found.triangle_b, found.normal};
  }

  const SceneData &of_a_, &of_b_;
  const SceneOptions& options_;
  Scratch& scratch_;
  std::optional<BodyDistance> best_;
};

/// A body among others along an axis.
struct Placed {
  Point3 middle;
  Aabb box;
  std::uint32_t slot;
  bool of_b;  ///< of two scenes: it is of the other one
};

/// Those with shapes; what reaches without end has no place along an axis.
void add_bodies(std::vector<Placed>& bodies, const SceneData& scene, bool of_b) {
  for (std::uint32_t i = 0; i < scene.slots.size(); ++i) {
    if (!scene.slots[i].there || !scene.slots[i].shaped) continue;
    const Aabb& box = scene.phase.box(i);
    const Point3 middle = middle_of(box);
    if (std::isfinite(middle.x) && std::isfinite(middle.y) && std::isfinite(middle.z))
      bodies.push_back({middle, box, i, of_b});
  }
}

/// The closest of those that follow each other along an axis, by their boxes. Whatever the size of the scene and however far away
/// single bodies are, some of these are about as close as the closest two.
template <class Allowed>
std::vector<Candidate> close_along_axes(std::vector<Placed> bodies, bool two_scenes, Allowed&& allowed) {
  constexpr std::size_t k_most = 8;
  std::vector<Candidate> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::ranges::sort(bodies, {}, [axis](const Placed& p) {
      return std::tuple(p.middle[axis], p.middle[(axis + 1) % 3], p.middle[(axis + 2) % 3], p.of_b, p.slot);
    });
    const Placed* last[2] = {nullptr, nullptr};  // of either scene
    for (const Placed& body : bodies) {
      const Placed* const before = last[two_scenes && !body.of_b ? 1 : 0];
      last[body.of_b ? 1 : 0] = &body;
      if (before == nullptr) continue;
      const bool in_order = two_scenes ? before->of_b < body.of_b : before->slot < body.slot;
      const std::uint32_t a = in_order ? before->slot : body.slot, b = in_order ? body.slot : before->slot;
      if (allowed(a, b)) found.push_back({gap_below(before->box, body.box), a, b});
    }
  }
  const auto order = [](const Candidate& c) { return std::tie(c.gap, c.a, c.b); };
  const std::size_t count = std::min(k_most, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count), {}, order);
  found.resize(count);
  return found;
}

/// list(reach, candidates) gives all pairs whose boxes are no further apart than that; false if cancelled. `some`: pairs that are
/// probably close. How far apart the best of them is tells how far to reach for all that may be closer. Where there are none
/// (bodies that follow each other may not be compared), the reach grows until there are.
template <class List>
Result<std::optional<BodyDistance>, SceneError> closest(ClosestBodies search, double largest,
                                                        std::vector<Candidate> some, List&& list) {
  double reach = 0;
  std::vector<Candidate>& candidates = some;
  if (candidates.empty()) {
    for (reach = largest * 0x1p-15;; reach *= 8) {
      if (!list(widened(reach, largest), candidates)) return cancelled_error();
      // No two boxes are further apart than twice the largest coordinate.
      if (!candidates.empty() || !(reach < 4 * largest)) break;
    }
  }
  if (!search.look_at(candidates)) return cancelled_error();
  if (search.best() && search.reach() >= reach) {
    if (!list(widened(search.reach(), largest), candidates) || !search.look_at(candidates)) return cancelled_error();
  }
  return search.best();
}

}  // namespace

Result<std::optional<BodyDistance>, SceneError> Scene::closest_pair(SceneScratch& scratch,
                                                                    const SceneOptions& options) const {
  SceneData& data = held(data_);
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  const WorkProgress progress(options, 1);
  update(data);
  const auto allowed = [&](std::uint32_t a, std::uint32_t b) {
    return data.phase.allows(a, b) && (!options.filter || options.filter({data.id(a), data.id(b)}));
  };
  std::vector<Placed> bodies;
  add_bodies(bodies, data, false);
  const auto list = [&](double reach, std::vector<Candidate>& candidates) {
    candidates.clear();
    if (!data.phase.pairs_within(reach, broad_run(options), memory.broad, memory.near)) return false;
    for (const SlotsMet& pair : memory.near) {
      if (!data.slots[pair.a].shaped || !data.slots[pair.b].shaped) continue;
      if (options.filter && !options.filter({data.id(pair.a), data.id(pair.b)})) continue;
      candidates.push_back({gap_below(data.phase.box(pair.a), data.phase.box(pair.b)), pair.a, pair.b});
    }
    return true;
  };
  auto found = closest(ClosestBodies(data, data, options, memory), data.phase.largest_coordinate(),
                       close_along_axes(std::move(bodies), false, allowed), list);
  if (found) progress.finish();
  return found;
}

Result<std::optional<BodyDistance>, SceneError> Scene::distance(const Scene& other, SceneScratch& scratch,
                                                                const SceneOptions& options) const {
  SceneData &of_a = held(data_), &of_b = SceneAccess::data(other);
  SceneScratchData& memory = SceneAccess::data(scratch);
  const OneUser user(memory.user);
  const WorkProgress progress(options, 1);
  update(of_a);
  update(of_b);
  const double largest = std::max(of_a.phase.largest_coordinate(), of_b.phase.largest_coordinate());
  const auto allowed = [&](std::uint32_t a, std::uint32_t b) {
    return meet(of_a.phase.groups(a), of_b.phase.groups(b)) &&
           (!options.filter || options.filter({of_a.id(a), of_b.id(b)}));
  };
  std::vector<Placed> bodies;
  add_bodies(bodies, of_a, false);
  add_bodies(bodies, of_b, true);
  const auto list = [&](double reach, std::vector<Candidate>& candidates) {
    candidates.clear();
    const Vec3 more{reach, reach, reach};
    for (std::uint32_t a = 0; a < of_a.slots.size(); ++a) {
      if (!of_a.slots[a].there || !of_a.slots[a].shaped) continue;
      if (broad_run(options).cancelled()) return false;
      const Aabb box = of_a.phase.box(a);
      of_b.phase.query({box.lo - more, box.hi + more}, kernels_for(options.instructions), memory.slots);
      for (const std::uint32_t b : memory.slots) {
        if (!of_b.slots[b].shaped || !allowed(a, b)) continue;
        candidates.push_back({gap_below(box, of_b.phase.box(b)), a, b});
      }
    }
    return true;
  };
  auto found = closest(ClosestBodies(of_a, of_b, options, memory), largest,
                       close_along_axes(std::move(bodies), true, allowed), list);
  if (found) progress.finish();
  return found;
}

}  // namespace snug
