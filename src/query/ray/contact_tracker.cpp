#include <snug/contacts.hpp>

#include "geometry/vec_ops.hpp"
#include "query/ray/complete.hpp"
#include "query/ray/find_contacts.hpp"
#include "query/ray/reduce.hpp"
#include "query/ray/relative_motion.hpp"
#include "query/ray/tracked_step.hpp"
#include "query/shape_data.hpp"

#include <snug/tracker.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace snug {

namespace detail {

/// A ray that hit something, and what.
struct RayState {
  std::uint32_t vertex, triangle;
  bool predicted;
};

/// A contact of triangles, by which it is known again.
struct Completed {
  std::uint64_t id;
  std::uint32_t surface_a, surface_b;
  Point3 at;
  bool taken;
};

struct ContactTrackerData {
  explicit ContactTrackerData(const RayContactOptions& o) : options(o) {}

  RayContactOptions options;
  ContactConstants constants;
  ContactStats stats;
  Scratch scratch;
  std::optional<PairMoment> last, standard;  ///< the step before, and the last one with standard rays
  std::vector<RayState> rays[2];             ///< from vertices of a, and of b
  std::optional<Tracker> meeting;            ///< tells which triangles meet
  std::vector<Completed> completed, now;     ///< of the step before, and of this one
  // When all pairs of triangles were last looked for:
  std::vector<TrianglePair> met;     ///< those that met
  std::optional<PairMoment> looked;  ///< where the bodies were
  std::size_t told = 0;              ///< contacts of rays
  bool had_to_complete = false;      ///< others were added
  bool outside = false;              ///< no two met, nor was one body within the other

  void forget() noexcept {
    last.reset(), standard.reset(), meeting.reset(), completed.clear(), rays[0].clear(), rays[1].clear();
    met.clear(), looked.reset();
    outside = false;
  }
};

struct ContactAccess {
  static ContactTrackerData& data(ContactTracker& tracker) noexcept { return *tracker.data_; }
  static const ContactTrackerData& data(const ContactTracker& tracker) noexcept { return *tracker.data_; }
};

namespace {

/// Steps of motion like the last one that standard rays are to serve. More make more predictive rays, fewer more standard ones,
/// which cost less since groups of vertices and a grid leave few to be cast.
constexpr double k_steps_ahead = 1.5;
/// Thresholds in mean sides of triangles: below the first a walk finds its triangle at once or beside it, beyond the second
/// predictions are many and rays are mostly cast anew.
constexpr double k_least_sides = 0.1, k_most_sides = 0.5;
/// How far bodies may move without all pairs of triangles being looked for: shares of the deepest contact, and of the smaller
/// body.
constexpr double k_unseen_of_deepest = 0.5, k_unseen_of_size = 1.0 / 500;

}  // namespace

class TrackedStep::Step {
 public:
  Step(ContactTrackerData& data, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Contacts& out)
      : d_(data), a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b), out_(out) {}

  /// As far as it is to be decided which rays there are.
  void begin() {
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
    moved_ = d_.last ? displacement(*d_.last, a_, pose_a_, b_, pose_b_, region_) : 0;
    target_a_.emplace(a_, pose_a_, d_.options.traversal, d_.options.instructions);
    target_b_.emplace(b_, pose_b_, d_.options.traversal, d_.options.instructions);
    of_a_.emplace(a_, pose_a_, *target_b_, true, d_.options);
    of_b_.emplace(b_, pose_b_, *target_a_, false, d_.options);
    if (d_.options.rays == RayContactOptions::Rays::standard || !d_.standard ||
        !(displacement(*d_.standard, a_, pose_a_, b_, pose_b_, region_) < d_.constants.displacement_threshold)) {
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
    for (std::uint32_t i = 0; i < asked.size(); ++i) {
      const VertexRays& rays = i == 0 ? *of_a_ : *of_b_;
      auto& states = d_.rays[i];
      states.clear();
      asked[i].answer(told_of(told, first + i), told.work[first + i], out_.stats,
                      [&](std::uint32_t vertex, const VertexRays::Told& found) {
                        states.push_back({vertex, found.hit.triangle, found.predicted});
                        out_.contacts.push_back(rays.contact(vertex, found));
                      });
    }
  }
  void end() {
    if (of_a_ && !apart_ && d_.options.complete) complete_from({*target_a_, *target_b_});
    count_contacts(out_);
    hand_ids_on();
    arrange(out_);
    if (d_.options.reduce) reduce(out_);
    d_.last = PairMoment{a_, b_, pose_a_, pose_b_};
    d_.stats += out_.stats;
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
           Access::data(x).contact_mesh().shared_links() == Access::data(y).contact_mesh().shared_links();
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
    const double side =
        std::min(Access::data(a_).contact_mesh().mean_edge(), Access::data(b_).contact_mesh().mean_edge());
    const double threshold = o.displacement_threshold.value_or(k_most_sides * side);
    return std::max(d_.constants.distance_extension, k_extension * o.confidence * threshold);
  }

  void begin_standard() {
    choose_constants(of_a_->from(), of_b_->from(), moved_);
    d_.standard = PairMoment{a_, b_, pose_a_, pose_b_};
    out_.stats.standard_steps = 1;
  }

  void choose_constants(const ContactMesh& a, const ContactMesh& b, double moved) {
    const RayContactOptions& o = d_.options;
    ContactConstants& c = d_.constants;
    const double side = std::min(a.mean_edge(), b.mean_edge());
    c.displacement_threshold =
        o.displacement_threshold.value_or(std::clamp(k_steps_ahead * moved, k_least_sides * side, k_most_sides * side));
    if (!o.displacement_threshold && o.distance_extension)  // which must exceed it
      c.displacement_threshold = std::min(c.displacement_threshold, *o.distance_extension / k_extension);
    c.distance_extension = o.distance_extension.value_or(k_extension * culling());
    if (o.rays != RayContactOptions::Rays::predictive && !o.distance_extension) c.distance_extension = 0;
    // A ray turns with its vertex while it moves: as many triangles as twice the way is long.
    const double triangles = side > 0 ? std::ceil(2 * c.displacement_threshold / side) : 0;
    c.max_iterations = o.max_iterations.value_or(4 + static_cast<unsigned>(std::min(triangles, 60.0)));
  }

  [[nodiscard]] double culling() const noexcept { return d_.options.confidence * d_.constants.displacement_threshold; }
  [[nodiscard]] bool predicts() const noexcept { return d_.options.rays == RayContactOptions::Rays::predictive; }
  [[nodiscard]] bool is_standard() const noexcept { return out_.stats.standard_steps > 0; }
  /// How far out predictions are kept: they may be left behind for a while, and could come in from as far.
  [[nodiscard]] double keeping() const noexcept { return predicts() ? 2 * culling() : -1; }

  void cast(const VertexRays& rays) {
    const std::size_t first = out_.contacts.size();
    standard_rays(rays, d_.constants.distance_extension, predicts() ? culling() : -1, Access::data(d_.scratch).contacts,
                  out_);
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
    for (const RayState& state : states) {
      const auto told = rays.follow(state.vertex, state.triangle, keeping(), d_.constants.max_iterations, out_.stats);
      if (!told) continue;
      states[kept++] = {state.vertex, told->hit.triangle, told->predicted};
      out_.contacts.push_back(rays.contact(state.vertex, *told));
    }
    states.resize(kept);
  }

  void complete_from(const ContactBodies& bodies) {
    if (!is_standard() && rays_suffice(bodies)) return;
    find_pairs();
    if (!is_standard() && !pairs().empty() && !out_.touching()) {
      // They have come to meet where nothing was predicted.
      out_.contacts.clear();
      begin_standard();
      cast(*of_a_), cast(*of_b_);
    }
    complete_all(bodies);
  }

  /// True if the bodies are known to be further apart than anything matters, and none is within the other.
  [[nodiscard]] bool known_apart() {
    if (!d_.meeting || !d_.outside) return false;
    return d_.meeting->known_apart(pose_a_, pose_b_) > (predicts() ? culling() * (1 + 0x1p-30) : 0.0);
  }
  [[nodiscard]] bool deformed() const {
    return !d_.last->a.mesh().same_data(a_.mesh()) || !d_.last->b.mesh().same_data(b_.mesh());
  }

  [[nodiscard]] std::vector<TrianglePair>& pairs() noexcept { return Access::data(d_.scratch).contacts.pairs; }
  void find_pairs() {
    if (!d_.meeting) d_.meeting.emplace(a_, b_, QueryOptions{.instructions = d_.options.instructions});
    d_.meeting->triangle_pairs(pose_a_, pose_b_, pairs());
  }
  /// From all pairs of triangles that meet.
  void complete_all(const ContactBodies& bodies) {
    ContactMemory& memory = Access::data(d_.scratch).contacts;
    d_.told = real_contacts();
    const std::uint64_t before = out_.stats.completed;
    d_.outside = !complete(bodies, d_.options, memory, out_);
    d_.had_to_complete = out_.stats.completed != before;
    d_.met.assign(memory.pairs.begin(), memory.pairs.end());
    d_.looked = PairMoment{a_, b_, pose_a_, pose_b_};
  }

  /// True if rays still tell all that they told when all pairs were last looked for, there was nothing to be completed then, and
  /// the bodies do meet and have hardly moved: what nobody has told of since can be no deeper than they have moved.
  [[nodiscard]] bool rays_suffice(const ContactBodies& bodies) const {
    if (d_.had_to_complete || !d_.looked || real_contacts() < d_.told) return false;
    double deepest = 0;
    for (const Contact& contact : out_.contacts) deepest = std::max(deepest, contact.depth);
    const auto size = [](const Shape& shape) { return max_abs(shape.bounds().hi - shape.bounds().lo); };
    const double unseen = std::max(k_unseen_of_deepest * deepest, k_unseen_of_size * std::min(size(a_), size(b_)));
    if (displacement(*d_.looked, a_, pose_a_, b_, pose_b_, region_) > unseen) return false;
    return std::ranges::any_of(d_.met, [&](const TrianglePair& pair) {
      return relation(bodies.a.posed(pair.a), bodies.b.posed(pair.b)) != Relation::disjoint;
    });
  }
  [[nodiscard]] std::size_t real_contacts() const {
    return static_cast<std::size_t>(std::ranges::count(out_.contacts, false, &Contact::predicted));
  }

  /// Contacts of triangles get the id of the nearest one of the same surfaces of the step before, each id once. Others keep
  /// their own, unless somebody has it already.
  void hand_ids_on() {
    const double reach = std::max(d_.constants.displacement_threshold, d_.constants.distance_extension);
    d_.now.clear();
    for (Contact& contact : out_.contacts) {
      if (contact.source != Contact::Source::triangles) continue;
      std::size_t nearest = d_.completed.size();
      double least = reach;
      for (std::size_t i = 0; i < d_.completed.size(); ++i) {
        const Completed& before = d_.completed[i];
        if (before.taken || before.surface_a != contact.surface_a || before.surface_b != contact.surface_b) continue;
        const double distance = length_of(middle_of(contact) - before.at);
        if (distance <= least) least = distance, nearest = i;
      }
      if (nearest < d_.completed.size()) {
        contact.id = d_.completed[nearest].id;
        d_.completed[nearest].taken = true;
      } else {
        while (known(contact.id)) contact.id = (contact.id * 0x9e3779b97f4a7c15ULL + 1) | (std::uint64_t{1} << 63);
      }
      d_.now.push_back({contact.id, contact.surface_a, contact.surface_b, middle_of(contact), false});
    }
    std::swap(d_.now, d_.completed);
  }
  static Point3 middle_of(const Contact& contact) noexcept { return 0.5 * contact.on_a + 0.5 * contact.on_b; }
  [[nodiscard]] bool known(std::uint64_t id) const noexcept {
    const auto is = [id](const Completed& completed) { return completed.id == id; };
    return std::ranges::any_of(d_.completed, is) || std::ranges::any_of(d_.now, is);
  }

  ContactTrackerData& d_;
  const Shape &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  Contacts& out_;
  std::optional<RayTarget> target_a_, target_b_;  ///< none while boxes are apart
  std::optional<VertexRays> of_a_, of_b_;
  Aabb region_;         ///< where the bodies' boxes, enlarged, overlap
  double moved_ = 0;    ///< since the step before
  bool apart_ = false;  ///< too far for any ray to tell anything, by what is known from before
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

namespace {

/// Adds what standard rays of one side tell to the audit.
void audit(const VertexRays& rays, const std::vector<RayState>& states, double extension, RayAudit& audit) {
  std::vector<RayState> told;
  for (const RayState& state : states)
    if (!state.predicted) told.push_back(state);
  std::ranges::sort(told, {}, &RayState::vertex);
  std::vector<RayStart> starts;
  rays.list(extension, -1, starts);
  ContactStats unwanted;
  std::size_t found = 0;
  for (const RayStart& start : starts) {
    const std::uint32_t vertex = start.vertex;
    const auto standard = rays.cast(start, -1, unwanted);
    const auto state = std::ranges::lower_bound(told, vertex, {}, &RayState::vertex);
    const bool was_told = state != told.end() && state->vertex == vertex;
    found += was_told ? 1 : 0;
    if (!standard && !was_told) continue;
    ++audit.rays;
    if (standard) audit.standard_length += standard->hit.t;
    if (!was_told)
      ++audit.missed;
    else if (!standard)
      ++audit.invented;
    else if (state->triangle != standard->hit.triangle)
      ++audit.displaced;
  }
  // Told of vertices that have left the box meanwhile.
  audit.rays += told.size() - found, audit.invented += told.size() - found;
}

}  // namespace

}  // namespace detail

ContactTracker::ContactTracker() : ContactTracker(RayContactOptions{}) {}
ContactTracker::ContactTracker(const RayContactOptions& options)
    : data_(std::make_unique<detail::ContactTrackerData>(options)) {}
ContactTracker::~ContactTracker() = default;
ContactTracker::ContactTracker(ContactTracker&&) noexcept = default;
ContactTracker& ContactTracker::operator=(ContactTracker&&) noexcept = default;

Result<ContactTracker, ContactError> ContactTracker::make(const RayContactOptions& options) {
  if (const auto valid = validate(options); !valid) return Failure{valid.error()};
  return ContactTracker(options);
}

const RayContactOptions& ContactTracker::options() const noexcept { return data_->options; }
const ContactConstants& ContactTracker::constants() const noexcept { return data_->constants; }
const ContactStats& ContactTracker::stats() const noexcept { return data_->stats; }
void ContactTracker::forget() noexcept { data_->forget(); }

void contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker,
              Contacts& out) {
  if (tracker.options().device != Device::opencl) {
    detail::TrackedStep::by_itself(a, pose_a, b, pose_b, tracker, out);
    return;
  }
  detail::TrackedStep step(a, pose_a, b, pose_b, tracker, out);
  step.begin();
  detail::DeviceRaysTold told;
  if (!step.asked().empty() && detail::ask_devices(step.asked(), tracker.options(), told))
    step.finish(told, 0);
  else
    step.finish();
}

Contacts contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker) {
  Contacts found;
  contacts(a, pose_a, b, pose_b, tracker, found);
  return found;
}

RayAudit audit_rays(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const ContactTracker& tracker) {
  using namespace detail;
  const ContactTrackerData& d = ContactAccess::data(tracker);
  RayAudit result;
  const RayTarget target_a(a, pose_a, d.options.traversal, d.options.instructions);
  const RayTarget target_b(b, pose_b, d.options.traversal, d.options.instructions);
  audit({a, pose_a, target_b, true, d.options}, d.rays[0], d.constants.distance_extension, result);
  audit({b, pose_b, target_a, false, d.options}, d.rays[1], d.constants.distance_extension, result);
  return result;
}

}  // namespace snug
