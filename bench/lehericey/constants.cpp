// Are automatic constants as good as the best that could have been given? Trackers with each setting of a grid, and one with
// none given, run over the same recorded poses. docs/papers/lehericey.md tells how cost and quality are put together.

#include "bench/lehericey/trial_scenes.hpp"
#include "bench/pairs/clock.hpp"
#include "contact/contact_mesh.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace snug::bench::lehericey {

namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
/// By which Bullet enlarges boxes before it looks whether they meet, in metres.
constexpr double k_bullet_margin = 0.02;

/// In mean sides of triangles; as they are; in thresholds.
constexpr double k_thresholds[] = {0.06, 0.125, 0.25, 0.5, 1};
constexpr double k_confidences[] = {1, 1.5, 2, 3, 4};
constexpr double k_extensions[] = {1.1, 1.5, 2, 3, 5};

/// Every pair of every step, one after the other.
struct Replay {
  Replay(const TrialScene& trial) : stage(trial.scene, k_bullet_margin), frames(frames_of(trial, stage)) {
    for (const Frame& frame : frames) {
      first.push_back(pairs);
      pairs += frame.pairs.size();
    }
    for (std::uint32_t i = 0; i < trial.scene.bodies.size(); ++i)
      side = std::min(side, detail::Access::data(stage.shape(i)).get<contact::ContactMesh>().mean_edge());
  }
  Stage stage;
  std::vector<Frame> frames;
  std::vector<std::size_t> first;  ///< pair of each step
  std::size_t pairs = 0;
  double side = k_infinity;  ///< mean side of a triangle, of the finest body
};

/// Of contacts that rays told, predicted ones included: each stands for a vertex.
void ids_of_vertices(const Contacts& contacts, std::vector<std::uint64_t>& ids) {
  ids.clear();
  for (const Contact& contact : contacts.contacts)
    if (contact.source != Contact::Source::triangles) ids.push_back(contact.id);
  std::ranges::sort(ids);
}

/// Standard contacts, from nothing: what is true, and what it costs to find out.
struct Truth {
  explicit Truth(const Replay& replay)
      : least_us(replay.pairs, k_infinity), touching(replay.pairs), ids(replay.pairs) {}

  void round(const Replay& replay) {
    for (std::size_t f = 0; f < replay.frames.size(); ++f)
      for (std::size_t i = 0; i < replay.frames[f].pairs.size(); ++i) {
        const auto [a, b] = replay.frames[f].pairs[i];
        const auto& poses = replay.frames[f].poses;
        const double start = pairs::thread_cpu_us();
        (void)contacts(replay.stage.shape(a), poses[a], replay.stage.shape(b), poses[b], scratch, out,
                       {.complete = false});
        double& us = least_us[replay.first[f] + i];
        us = std::min(us, pairs::thread_cpu_us() - start);
        ids_of_vertices(out, ids[replay.first[f] + i]);
        (void)contacts(replay.stage.shape(a), poses[a], replay.stage.shape(b), poses[b], scratch, out);
        touching[replay.first[f] + i] = out.touching();
      }
  }
  std::vector<double> least_us;  ///< of each pair
  std::vector<bool> touching;
  std::vector<std::vector<std::uint64_t>> ids;  ///< of contacts of vertices, ascending
  Scratch scratch;
  Contacts out;
};

/// One setting.
struct Candidate {
  std::string name, threshold, confidence, extension;
  RayContactOptions options;
  std::vector<double> least_us;  ///< of each step
  double repairs_us = 0;         ///< standard contacts wherever a ray was erroneous, or should have been predicted
  std::uint64_t rays = 0, erroneous = 0, arrivals = 0, unannounced = 0, bad_pairs = 0, other_answers = 0;
  ContactStats stats;
  bool finalist = true;  ///< it may be the best

  void round(const Replay& replay, Contacts& out) {
    Trackers trackers(options);
    least_us.resize(replay.frames.size(), k_infinity);
    for (std::size_t f = 0; f < replay.frames.size(); ++f) {
      const Frame& frame = replay.frames[f];
      const auto& now = trackers.at(frame);
      const double start = pairs::thread_cpu_us();
      for (std::size_t i = 0; i < now.size(); ++i) {
        const auto [a, b] = frame.pairs[i];
        contacts(replay.stage.shape(a), frame.poses[a], replay.stage.shape(b), frame.poses[b], *now[i], out);
      }
      least_us[f] = std::min(least_us[f], pairs::thread_cpu_us() - start);
    }
  }
  /// The same without a clock, held to standard rays.
  void judge(const Replay& replay, const Truth& truth, Contacts& out) {
    RayContactOptions completed = options;
    completed.complete = true;
    Trackers trackers(options), complete(completed);
    std::map<PartPair, Before> before;
    for (std::size_t f = 0; f < replay.frames.size(); ++f) {
      const Frame& frame = replay.frames[f];
      const auto &now = trackers.at(frame), &all = complete.at(frame);
      for (std::size_t i = 0; i < now.size(); ++i) {
        const auto [a, b] = frame.pairs[i];
        const Shape &shape_a = replay.stage.shape(a), &shape_b = replay.stage.shape(b);
        const std::size_t pair = replay.first[f] + i;
        contacts(shape_a, frame.poses[a], shape_b, frame.poses[b], *all[i], out);
        other_answers += out.touching() != truth.touching[pair] ? 1 : 0;
        contacts(shape_a, frame.poses[a], shape_b, frame.poses[b], *now[i], out);
        stats += out.stats;
        const RayAudit audit = audit_rays(shape_a, frame.poses[a], shape_b, frame.poses[b], *now[i]);
        rays += audit.rays, erroneous += audit.erroneous();
        const std::uint64_t late = unannounced_of(before[{a, b}], f, truth.ids[pair], out);
        unannounced += late;
        if (audit.erroneous() + late > 0) ++bad_pairs, repairs_us += truth.least_us[pair];
      }
    }
  }
  /// What a pair knew at the step it was last looked at.
  struct Before {
    std::size_t frame = 0;
    std::vector<std::uint64_t> told, inside;
  };
  /// Vertices that have come in since the step before without having been predicted there. Pairs whose boxes did not meet then
  /// are left out: nothing could have told.
  std::uint64_t unannounced_of(Before& before, std::size_t frame, const std::vector<std::uint64_t>& inside,
                               const Contacts& out) {
    std::uint64_t late = 0;
    if (frame > 0 && before.frame + 1 == frame)
      for (const std::uint64_t id : inside) {
        if (std::ranges::binary_search(before.inside, id)) continue;
        ++arrivals;
        late += std::ranges::binary_search(before.told, id) ? 0 : 1;
      }
    before.frame = frame, before.inside = inside;
    ids_of_vertices(out, before.told);
    return late;
  }
  [[nodiscard]] double us() const { return std::accumulate(least_us.begin(), least_us.end(), 0.0); }
  [[nodiscard]] double price_us() const { return us() + repairs_us; }
  [[nodiscard]] bool automatic() const { return !options.displacement_threshold; }
};

/// `sparse`: of each constant only every other value.
std::vector<Candidate> candidates_of(const Replay& replay, bool sparse) {
  std::vector<Candidate> all;
  Candidate& automatic = all.emplace_back();
  automatic.options.complete = false;  // the constants are those of rays
  automatic.name = "automatic", automatic.threshold = automatic.confidence = automatic.extension = "-";
  const std::size_t stride = sparse ? 2 : 1;
  for (std::size_t t = 0; t < std::size(k_thresholds); t += stride)
    for (std::size_t c = 0; c < std::size(k_confidences); c += stride)
      for (std::size_t e = 0; e < std::size(k_extensions); e += stride) {
        const double threshold = k_thresholds[t], confidence = k_confidences[c], extension = k_extensions[e];
        Candidate& made = all.emplace_back();
        made.options.complete = false;
        made.threshold = short_number(threshold), made.confidence = short_number(confidence);
        made.extension = short_number(extension);
        made.name = made.threshold + " sides, confidence " + made.confidence + ", extension " + made.extension;
        made.options.displacement_threshold = threshold * replay.side;
        made.options.confidence = confidence;
        made.options.distance_extension = extension * threshold * replay.side;
      }
  return all;
}

/// The cheapest setting that was given, of those that `allowed` tells; null if there is none.
template <class Cost, class Allowed>
const Candidate* cheapest(const std::vector<Candidate>& all, Cost cost, Allowed allowed) {
  const Candidate* best = nullptr;
  for (const Candidate& c : all)
    if (!c.automatic() && allowed(c) && (best == nullptr || (c.*cost)() < (best->*cost)())) best = &c;
  return best;
}

/// What automatic constants are held to.
struct Best {
  explicit Best(const std::vector<Candidate>& all)
      : rule(*std::ranges::find(all, true, &Candidate::automatic)),
        priced(*cheapest(all, &Candidate::price_us, [](const Candidate&) { return true; })),
        as_good(cheapest(all, &Candidate::us, [&](const Candidate& c) { return no_worse(c); })) {}
  /// As if quality came first.
  [[nodiscard]] bool no_worse(const Candidate& c) const {
    return c.erroneous <= rule.erroneous && c.unannounced <= rule.unannounced;
  }
  const Candidate& rule;
  const Candidate& priced;   ///< the least price
  const Candidate* as_good;  ///< the least time of those no worse than the rule, if any is
};

/// So many rounds of the finalists, another one first each time, so that what the machine does meanwhile falls on all alike.
void run(std::vector<Candidate>& all, std::size_t rounds, const Replay& replay) {
  Contacts out;
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < all.size(); ++k) {
      Candidate& candidate = all[(k + round * all.size() / rounds) % all.size()];
      if (candidate.finalist) candidate.round(replay, out);
    }
}

/// Those that may yet turn out best, by price or among those no worse than the rule.
void choose_finalists(std::vector<Candidate>& all) {
  constexpr std::size_t k_of_each = 12;
  const Best best(all);
  std::vector<Candidate*> by_price, by_time;
  for (Candidate& c : all) {
    c.finalist = c.automatic();
    by_price.push_back(&c);
    if (best.no_worse(c)) by_time.push_back(&c);
  }
  std::ranges::stable_sort(by_price, {}, [](const Candidate* c) { return c->price_us(); });
  std::ranges::stable_sort(by_time, {}, [](const Candidate* c) { return c->us(); });
  for (const auto& order : {by_price, by_time})
    for (std::size_t i = 0; i < std::min(k_of_each, order.size()); ++i) order[i]->finalist = true;
}

std::string told_ratio(const std::optional<double>& ratio) { return ratio ? fixed(*ratio, 3) : "-"; }

/// All settings of a scene, the cheapest first.
void tell(const Options& options, const TrialScene& trial, const Replay& replay, std::vector<Candidate>& all,
          Rows& rows) {
  std::ranges::stable_sort(all, {}, &Candidate::price_us);
  const Best best(all);
  const auto steps = static_cast<double>(replay.frames.size());
  Table table({"rank", "threshold", "confidence", "extension", "us a step", "repairs", "price", "beside best",
               "erroneous rays %", "unannounced %", "bad pairs %", "standard %"});
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Candidate& c = all[i];
    others += c.other_answers;
    rows.push_back({"constants", trial.name, c.name, "us", c.us() / steps});
    rows.push_back({"constants", trial.name, c.name, "price us", c.price_us() / steps});
    rows.push_back({"constants", trial.name, c.name, "erroneous rays", static_cast<double>(c.erroneous)});
    rows.push_back({"constants", trial.name, c.name, "unannounced", static_cast<double>(c.unannounced)});
    table.row({std::to_string(i + 1), c.automatic() ? "automatic" : c.threshold, c.confidence, c.extension,
               fixed(c.us() / steps, 2), fixed(c.repairs_us / steps, 2), fixed(c.price_us() / steps, 2),
               told_ratio(ratio_of(c.price_us(), best.priced.price_us())), fixed(percent(c.erroneous, c.rays), 3),
               fixed(percent(c.unannounced, c.arrivals), 1), fixed(percent(c.bad_pairs, replay.pairs), 2),
               fixed(percent(c.stats.standard_steps, c.stats.steps), 1)});
  }
  const std::string of = trial.name + (trial.of_design ? ", of design" : "");
  const std::optional<double> price = ratio_of(best.rule.price_us(), best.priced.price_us());
  const std::optional<double> time =
      best.as_good != nullptr ? ratio_of(best.rule.us(), best.as_good->us()) : std::nullopt;
  const std::string told = "Best of the grid: " + best.priced.name + "; automatic beside it " + told_ratio(price) +
                           ". Cheapest that is no worse: " +
                           (best.as_good != nullptr ? best.as_good->name + "; automatic beside it " : "none") +
                           (best.as_good != nullptr ? told_ratio(time) : "");
  if (price) rows.push_back({"constants", trial.name, "automatic", "price beside best", *price});
  if (time) rows.push_back({"constants", trial.name, "automatic", "time beside best no worse", *time});
  rows.push_back({"constants", trial.name, "all", "other answers", static_cast<double>(others)});
  rows.bar("automatic constants, price beside the best of the grid, " + of, price, 1.05, "x", true);
  rows.bar("automatic constants, time beside the best no worse, " + of, time, 1.05, "x", true);
  rows.bar("settings that answer otherwise whether bodies touch, " + of,
           replay.pairs > 0 ? std::optional(static_cast<double>(others)) : std::nullopt, 0, "", true);
  show(options, table,
       "Constants on " + of + ": " + std::to_string(replay.frames.size()) + " steps, " + std::to_string(replay.pairs) +
           " pairs, " + std::to_string(best.rule.rays) + " rays that are contacts, " +
           std::to_string(best.rule.arrivals) + " vertices that come in; a mean side of " + short_number(replay.side) +
           " m\n" + told);
}

}  // namespace

void constants(const Options& options, Rows& rows) {
  for (const std::string& name : trial_scenes()) {
    if (!wants(options.scenes, name)) continue;
    const TrialScene trial = trial_scene(name, options.quick);
    const Replay replay(trial);
    Truth truth(replay);
    for (int round = 0; round < (options.quick ? 1 : 4); ++round) truth.round(replay);
    std::vector<Candidate> all = candidates_of(replay, options.quick);
    run(all, options.quick ? 1 : 2, replay);
    Contacts out;
    for (Candidate& candidate : all) candidate.judge(replay, truth, out);
    choose_finalists(all);
    run(all, options.quick ? 0 : 8, replay);
    tell(options, trial, replay, all, rows);
  }
}

}  // namespace snug::bench::lehericey
