#include "contact/tracked_step.hpp"

#include "contact/contact_constants.hpp"
#include "contact/contact_tracker_data.hpp"
#include "contact/find_contacts.hpp"
#include "contact/reduce.hpp"
#include "contact/regions/region_contacts.hpp"
#include "geometry/vec_ops.hpp"
#include "model/motion_bound.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace snug::contact {

namespace {

/// How far the vertices of a body moved in its own frame.
double deformation(const Shape& then, const Shape& now) noexcept {
  if (then.mesh().same_data(now.mesh())) return 0;
  double most = 0;
  const auto before = then.mesh().vertices(), after = now.mesh().vertices();
  for (std::size_t v = 0; v < std::min(before.size(), after.size()); ++v)
    most = std::max(most, length_of(after[v] - before[v]));
  return most;
}

}  // namespace

class TrackedStep::Step {
 public:
  Step(ContactTrackerData& data, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Contacts& out)
      : d_(data), a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b), out_(out) {}
  /// What is known after half a step, for lack of memory, is no ground to go on from.
  ~Step() {
    if (begun_ && !ended_) d_.forget();
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  /// As far as it is to be decided which rays there are.
  void begin() {
    SNUG_ASSERT(!begun_);
    begun_ = true;
    ++d_.step;
    out_.clear();
    out_.stats.steps = 1;
    if (!same_bodies()) d_.forget();
    if (d_.last && deformed()) {
      d_.outside = false;
      if (d_.meeting) d_.meeting->set_shapes(a_, b_);
    }
    // What may be reached before the next standard rays: what the constants of the last ones were made for.
    region_ = overlap_of(a_, pose_a_, b_, pose_b_, reach());
    if (region_.empty()) {
      rest();
      return;
    }
    target_a_.emplace(a_, pose_a_, d_.options.traversal, d_.options.instructions);
    target_b_.emplace(b_, pose_b_, d_.options.traversal, d_.options.instructions);
    of_a_.emplace(a_, pose_a_, *target_b_, true, d_.options);
    of_b_.emplace(b_, pose_b_, *target_a_, false, d_.options);
    if (d_.options.rays == RayContactOptions::Rays::standard || !d_.standard || is_impatient()) {
      begin_standard();
      apart_ = known_apart();
      if (apart_) d_.rays[0].clear(), d_.rays[1].clear();
    }
  }
  /// Rays of this step, for devices.
  void ask(std::vector<AskedRays>& asked) const {
    if (!of_a_ || apart_ || d_.options.device != Device::opencl) return;
    for (const VertexRays* const rays : {&*of_a_, &*of_b_}) {
      if (is_standard()) {
        asked.push_back(AskedRays::standard(*rays, d_.constants.distance_extension, predicts() ? culling() : -1));
        continue;
      }
      AskedRays& walks = asked.emplace_back(AskedRays::walks(*rays, keeping(), d_.constants.max_iterations));
      for (const RayState& state : d_.rays[rays->of_a() ? 0 : 1]) walks.add(state.vertex, state.triangle);
    }
  }
  void by_processor() {
    if (!of_a_ || apart_) return;
    for (const VertexRays* const rays : {&*of_a_, &*of_b_}) is_standard() ? cast(*rays) : follow(*rays);
  }
  void by_devices(const std::vector<AskedRays>& asked, const DeviceRaysTold& told, std::uint32_t first) {
    SNUG_ASSERT(asked.size() <= 2 && first + asked.size() <= told.work.size());
    for (std::uint32_t i = 0; i < asked.size(); ++i) {
      auto& states = d_.rays[i];
      states.clear();
      asked[i].answer(told_of(told, first + i), told.work[first + i], out_.stats,
                      [&](const VertexRays::Told& found, const Contact& made) {
                        states.push_back({made.vertex, found.hit.triangle, found.predicted});
                        out_.contacts.push_back(made);
                      });
    }
  }
  void end() {
    SNUG_ASSERT(begun_ && !ended_);
    count_contacts(out_);
    if (d_.options.complete) {
      take_predicted(out_, memory());
      if (of_a_) keep_in_normal_cones(*target_a_, *target_b_, memory());
      if (of_a_ && !apart_) find_regions();
      d_.ids.hand_on(out_, pose_a_, pose_b_,
                     std::max(d_.constants.displacement_threshold, d_.constants.distance_extension));
      give_predicted(memory(), out_);
    } else {
      add_ray_patches(out_, 0);
    }
    if (d_.options.reduce) reduce(out_);
    remember(d_.last);
    d_.stats += out_.stats;
    ended_ = true;
  }
  [[nodiscard]] const RayContactOptions& options() const noexcept { return d_.options; }

 private:
  /// Shapes that are the same, or deformations of them, have the same links.
  [[nodiscard]] bool same_bodies() const {
    if (!d_.last) return true;
    return same_body(d_.last->a, a_) && same_body(d_.last->b, b_);
  }
  static bool same_body(const Shape& x, const Shape& y) {
    return x.mesh().same_data(y.mesh()) ||
           Access::data(x).get<ContactMesh>().shared_links() == Access::data(y).get<ContactMesh>().shared_links();
  }

  /// Boxes apart: nothing to see, and rays are cast anew when they meet again.
  void rest() {
    d_.rays[0].clear(), d_.rays[1].clear();
    d_.standard.reset();
    if (!d_.options.distance_extension) d_.constants = {};
  }

  /// How far apart boxes may be for anything to be looked at: as far as the last rays were made for, and no less than what rays
  /// that are cast now may reach, so that predictions begin before boxes meet.
  [[nodiscard]] double reach() const {
    const RayContactOptions& o = d_.options;
    if (o.distance_extension) return *o.distance_extension;
    if (!predicts()) return d_.constants.distance_extension;
    const double threshold = o.displacement_threshold.value_or(k_most_sides * scale_.side);
    return std::max(d_.constants.distance_extension, k_extension * o.confidence * threshold);
  }

  void begin_standard() {
    d_.constants = choose_constants(d_.options, scale_, moved());
    remember(d_.standard);
    out_.stats.standard_steps = 1;
  }

  /// True if bodies have moved too far since standard rays were cast.
  [[nodiscard]] bool is_impatient() {
    const double threshold = d_.constants.displacement_threshold, since = moved_since(*d_.standard);
    if (d_.options.displacement_threshold) return !(since < threshold);
    // What is patience for bodies at rest is for others.
    if (since < std::min(threshold, automatic_patience(scale_, 0))) return false;
    return !(since < std::min(threshold, automatic_patience(scale_, moved())));
  }

  /// Since the step before.
  [[nodiscard]] double moved() {
    if (!moved_) moved_ = d_.last ? displacement_since(*d_.last) : 0;
    return *moved_;
  }
  [[nodiscard]] double moved_since(const PairMoment& then) {
    if (d_.last && d_.last->step == then.step) return moved();
    return displacement_since(then);
  }
  /// How far points of one body that are in the region now can have moved relative to the other. Deformation counts; shapes that are no
  /// deformations of one another never get here.
  [[nodiscard]] double displacement_since(const PairMoment& then) const {
    return displacement_within(region_, then.pose_a, then.pose_b, pose_a_, pose_b_) +
           (deformation(then.a, a_) + deformation(then.b, b_));
  }
  /// Handles of shapes are shared by threads, and dear to copy: those of most moments are the same.
  void remember(std::optional<PairMoment>& moment) const {
    if (moment && moment->a.mesh().same_data(a_.mesh()) && moment->b.mesh().same_data(b_.mesh()))
      moment->pose_a = pose_a_, moment->pose_b = pose_b_, moment->step = d_.step;
    else
      moment = PairMoment{a_, b_, pose_a_, pose_b_, d_.step};
  }

  [[nodiscard]] double culling() const noexcept { return d_.options.confidence * d_.constants.displacement_threshold; }
  [[nodiscard]] bool predicts() const noexcept { return d_.options.rays == RayContactOptions::Rays::predictive; }
  [[nodiscard]] bool is_standard() const noexcept { return out_.stats.standard_steps > 0; }
  /// How far out predictions are kept: they may be left behind for a while, and could come in from as far.
  [[nodiscard]] double keeping() const noexcept { return predicts() ? 2 * culling() : -1; }

  void cast(const VertexRays& rays) {
    const std::size_t first = out_.contacts.size();
    standard_rays(rays, d_.constants.distance_extension, predicts() ? culling() : -1,
                  Access::data(d_.scratch).get<ContactMemory>(), out_);
    auto& states = d_.rays[rays.of_a() ? 0 : 1];
    states.clear();
    for (std::size_t i = first; i < out_.contacts.size(); ++i) {
      const Contact& contact = out_.contacts[i];
      states.push_back({contact.vertex, rays.of_a() ? contact.triangle_b : contact.triangle_a, contact.predicted});
    }
  }

  void follow(const VertexRays& rays) {
    auto& states = d_.rays[rays.of_a() ? 0 : 1];
    std::size_t kept = 0;
    ContactMemory& memory = Access::data(d_.scratch).get<ContactMemory>();
    for (const RayState& state : states) {
      const std::uint64_t before = out_.stats.box_tests;
      const auto told = rays.follow(state.vertex, state.triangle, keeping(), d_.constants.max_iterations, out_.stats);
      if (!memory.spend(1 + (out_.stats.box_tests - before))) return;
      if (!told) continue;
      states[kept++] = {state.vertex, told->hit.triangle, told->predicted};
      out_.contacts.push_back(rays.contact(state.vertex, *told));
    }
    states.resize(kept);
  }

  /// True if the bodies are known to be further apart than anything matters, and none is within the other.
  [[nodiscard]] bool known_apart() {
    if (!d_.meeting || !d_.outside) return false;
    return d_.meeting->known_apart(pose_a_, pose_b_) > (predicts() ? culling() * (1 + 0x1p-30) : 0.0);
  }
  [[nodiscard]] bool deformed() const {
    return !d_.last->a.mesh().same_data(a_.mesh()) || !d_.last->b.mesh().same_data(b_.mesh());
  }

  [[nodiscard]] ContactMemory& memory() const { return Access::data(d_.scratch).get<ContactMemory>(); }

  void find_pairs() {
    if (!d_.meeting) d_.meeting.emplace(a_, b_, QueryOptions{.instructions = d_.options.instructions});
    std::vector<TrianglePair>& pairs = memory().pairs;
    if (memory().fuel == nullptr) return d_.meeting->triangle_pairs(pose_a_, pose_b_, pairs);
    pairs.clear();
    if (!(d_.meeting->known_apart(pose_a_, pose_b_) > 0))
      contact::find_pairs(a_, pose_a_, b_, pose_b_, d_.options, Access::data(d_.scratch), pairs);
  }
  void find_regions() {
    find_pairs();
    find_region_contacts(*target_a_, *target_b_, memory().pairs, Access::data(d_.scratch).get<RegionMemory>(),
                         memory().fuel, d_.options.normal, out_);
    d_.outside = out_.contacts.empty();
  }

  ContactTrackerData& d_;
  const Shape &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  Contacts& out_;
  ContactScale scale_ = scale_of(a_, b_);
  std::optional<RayTarget> target_a_, target_b_;  ///< none while boxes are apart
  std::optional<VertexRays> of_a_, of_b_;
  Aabb region_;                  ///< where the bodies' boxes, enlarged, overlap
  std::optional<double> moved_;  ///< since the step before, once it was asked for
  bool apart_ = false;           ///< too far for any ray to tell anything, by what is known from before
  bool begun_ = false, ended_ = false;
};

TrackedStep::TrackedStep(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         ContactTracker& tracker, Contacts& out)
    : step_(std::make_unique<Step>(ContactAccess::data(tracker), a, pose_a, b, pose_b, out)) {}
TrackedStep::~TrackedStep() = default;
TrackedStep::TrackedStep(TrackedStep&&) noexcept = default;

void TrackedStep::by_itself(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            ContactTracker& tracker, Contacts& out) {
  Step step(ContactAccess::data(tracker), a, pose_a, b, pose_b, out);
  step.begin();
  step.by_processor();
  step.end();
}

void TrackedStep::begin() {
  step_->begin();
  step_->ask(asked_);
}
void TrackedStep::finish() {
  step_->by_processor();
  step_->end();
}
void TrackedStep::finish(const DeviceRaysTold& told, std::uint32_t first) {
  step_->by_devices(asked_, told, first);
  step_->end();
}

}  // namespace snug::contact
