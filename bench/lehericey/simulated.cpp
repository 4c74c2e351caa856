#include "bench/lehericey/recording.hpp"
#include "bench/measure.hpp"
#include "physics/headless/judge.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <string_view>

namespace snug::bench::lehericey {

namespace {

using Rays = RayContactOptions::Rays;
using Traversal = RayContactOptions::Traversal;
using Direction = RayContactOptions::Direction;
constexpr const char* k_scenes[] = {"avalanche", "fountain"};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::uint32_t bodies_of(const Options& options) {
  constexpr std::uint32_t k_all = 1000;  // both scenes have fewer
  return options.bodies > 0 ? options.bodies : options.quick ? 12 : k_all;
}
std::uint32_t steps_of(const Options& options) { return options.steps > 0 ? options.steps : options.quick ? 90 : 300; }
/// Bodies of the fountain fall for 94 steps before the first of them meets anything.
std::uint32_t steps_of(const Options& options, std::string_view scene) {
  return steps_of(options) + (scene == "fountain" ? 94 : 0);
}
std::string ratio(double a, double b) { return b > 0 ? fixed(a / b, 2) : "-"; }

/// One way to find contacts.
struct Contender {
  Contender(const char* label, const RayContactOptions& how) : name(label), options(how), trackers(how) {}

  const char* name;
  RayContactOptions options;
  Trackers trackers;
  double seconds = 0;
  std::array<double, 10> tenths = {};  ///< of the simulation
  std::uint64_t rays = 0, erroneous = 0;

  void step(Stage& stage, const Frame& frame, Contacts& out) {
    const auto& now = trackers.at(frame);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto [a, b] = frame.pairs[i];
      const double start = processor_seconds();
      contacts(stage.shape(a), frame.poses[a], stage.shape(b), frame.poses[b], *now[i], out);
      seconds += processor_seconds() - start;
    }
  }
  void audit(const Stage& stage, const Frame& frame) {
    const auto& now = trackers.at(frame);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto [a, b] = frame.pairs[i];
      const RayAudit found = audit_rays(stage.shape(a), frame.poses[a], stage.shape(b), frame.poses[b], *now[i]);
      rays += found.rays, erroneous += found.erroneous();
    }
  }
};

std::string told_of_avalanche(const Options& options) {
  return (options.bodies > 0 || options.quick ? std::to_string(bodies_of(options)) : "all") + " bodies, " +
         std::to_string(steps_of(options)) + " steps";
}
std::string told(const Options& options) {
  return told_of_avalanche(options) + " (of the fountain 94 more, in which bodies only fall)";
}

}  // namespace

void recorded(const Options& options, Rows& rows) {
  Table errors({"scene", "rays", "iterative %", "predictive %", "fewer %"});
  Table times({"scene", "traversal", "standard ms", "iterative ms", "predictive ms", "standard/iterative",
               "iterative/predictive"});
  for (const char* name : k_scenes) {
    const headless::WorldScene scene = cut_down(name, bodies_of(options));
    Stage stage(scene);
    std::vector<Frame> frames;
    watch(scene, {}, steps_of(options, name), stage,
          [&](const headless::World&, const Frame& frame) { frames.push_back(frame); });

    const auto make = [](const char* label, Rays rays, Traversal traversal) {
      return Contender{label, {.rays = rays, .traversal = traversal, .complete = false}};
    };
    for (const Traversal traversal : {Traversal::tree, Traversal::basic}) {
      const char* const label = traversal == Traversal::tree ? "tree" : "basic";
      std::array<Contender, 3> contenders{make("standard", Rays::standard, traversal),
                                          make("iterative", Rays::iterative, traversal),
                                          make("predictive", Rays::predictive, traversal)};
      Contacts out;
      // The basic traversal passes every triangle: a tenth of the steps tells enough.
      const std::size_t last =
          traversal == Traversal::tree ? frames.size() : std::max<std::size_t>(1, frames.size() / 10);
      const std::size_t first = frames.size() - last;
      for (std::size_t f = first; f < frames.size(); ++f)
        for (std::size_t c = 0; c < contenders.size(); ++c) {
          Contender& contender = contenders[(c + f) % contenders.size()];  // another one first each time
          const double before = contender.seconds;
          contender.step(stage, frames[f], out);
          contender.tenths[std::min<std::size_t>(9, 10 * (f - first) / last)] += contender.seconds - before;
          if (traversal == Traversal::tree && contender.options.rays != Rays::standard)
            contender.audit(stage, frames[f]);
        }
      const auto per_step = [&](const Contender& c) { return 1e3 * c.seconds / static_cast<double>(last); };
      for (const Contender& c : contenders) {
        rows.push_back({"time", name, std::string(c.name) + " " + label, "ms", per_step(c)});
        for (std::size_t tenth = 0; tenth < c.tenths.size(); ++tenth) {
          Row row;
          row.suite = "lehericey", row.scene = name, row.query = label, row.engine = c.name;
          row.bucket = std::to_string(10 * (tenth + 1)) + " %";
          row.mean_us = 1e6 * c.tenths[tenth] / (0.1 * static_cast<double>(last));
          rows.over_time.push_back(row);
        }
      }
      times.row({name, label, fixed(per_step(contenders[0]), 3), fixed(per_step(contenders[1]), 3),
                 fixed(per_step(contenders[2]), 3), ratio(contenders[0].seconds, contenders[1].seconds),
                 ratio(contenders[1].seconds, contenders[2].seconds)});
      const std::string of = std::string(", ") + name + ", " + label;
      rows.bar("standard over iterative" + of, ratio_of(contenders[0].seconds, contenders[1].seconds), 33, "x");
      rows.bar("iterative over predictive" + of, ratio_of(contenders[1].seconds, contenders[2].seconds), 0.78, "x");
      if (traversal != Traversal::tree) continue;
      const double iterative = percent(contenders[1].erroneous, contenders[1].rays),
                   predictive = percent(contenders[2].erroneous, contenders[2].rays);
      rows.push_back({"errors", name, "iterative", "percent", iterative});
      rows.push_back({"errors", name, "predictive", "percent", predictive});
      const std::optional<double> fewer = percent_less(predictive, iterative);
      rows.bar(std::string("erroneous rays, fewer by prediction, ") + name, fewer, 91, " %");
      errors.row({name, std::to_string(contenders[1].rays), fixed(iterative, 2), fixed(predictive, 2),
                  fewer ? fixed(*fewer, 1) : "-"});
    }
  }
  show(options, errors,
       "Figures 9, 10: erroneous rays on the same poses (published: up to 91 % fewer); " + told(options));
  show(options, times,
       "Figures 11, 12: processor time of a step on the same poses (published: iterative up to 33x, predictive 0.78 "
       "to 1.27)");
}

void lengths(const Options& options, Rows& rows) {
  struct Case {
    const char* name;
    Rays rays;
    Direction direction;
  };
  constexpr Case k_cases[] = {{"standard", Rays::standard, Direction::along_ray},
                              {"standard, re-projected", Rays::standard, Direction::reprojected},
                              {"iterative", Rays::iterative, Direction::along_ray},
                              {"predictive", Rays::predictive, Direction::along_ray},
                              {"predictive, re-projected", Rays::predictive, Direction::reprojected}};
  Table table({"scene", "rays", "cumulative length", "against standard %", "re-projected", "against standard %"});
  for (const char* name : k_scenes) {
    const headless::WorldScene scene = cut_down(name, bodies_of(options));
    Stage stage(scene);
    double standard = 0, standard_reprojected = 0, iterative = 0;
    for (const Case& c : k_cases) {
      double sum = 0, reprojected = 0;
      headless::WorldOptions how{.contacts = {.rays = c.rays, .direction = c.direction, .complete = false},
                                 .sleep = false};
      watch(scene, how, steps_of(options, name), stage, [&](const headless::World&, const Frame& frame) {
        const Stage::Length length = stage.ray_length(frame.poses, frame.pairs);
        sum += length.along_rays, reprojected += length.reprojected;
      });
      if (&c == k_cases) standard = sum, standard_reprojected = reprojected;
      if (&c == k_cases + 1)
        rows.bar(std::string("re-projected rays shorter than standard ones, ") + name, percent_less(sum, standard),
                 std::string_view(name) == "avalanche" ? 33 : 42, " %");
      if (c.rays == Rays::iterative) iterative = sum;
      if (c.rays == Rays::predictive && c.direction == Direction::along_ray)
        rows.bar(std::string("rays shorter by prediction, ") + name, percent_less(sum, iterative),
                 std::string_view(name) == "avalanche" ? 45 : 56, " %");
      rows.push_back({"lengths", name, c.name, "length", sum});
      rows.push_back({"lengths", name, c.name, "re-projected length", reprojected});
      // Like for like: along rays beside along rays, re-projected beside re-projected.
      const auto change = [](double length, double of) { return of > 0 ? fixed(100 * (length / of - 1), 1) : "-"; };
      table.row({name, c.name, fixed(sum, 1), change(sum, standard), fixed(reprojected, 1),
                 change(reprojected, standard_reprojected)});
    }
  }
  show(options, table,
       "Table 2: length of all standard rays along simulations, by what these ran with (published: re-projection 33 % "
       "and "
       "42 % less, predictions 45 % and 56 % less than iterative); " +
           told(options));
}

void gimpact(const Options& options, Rows& rows) {
  const headless::WorldScene scene = cut_down("avalanche", bodies_of(options));
  Stage stage(scene);
  Table table({"narrow phase", "ms a step", "contacts a step", "common volume", "x"});
  struct EngineCost {
    double ms = 0, volume = 0;
  } completed, rays_alone;
  const std::vector<bool> all(scene.bodies.size(), true);
  using Engine = headless::WorldOptions::Engine;
  struct Case {
    const char* name;
    headless::WorldOptions how;
  };
  const Case cases[] = {
      {"snug", {.sleep = false}},
      {"snug, standard rays",
       {.contacts = {.rays = Rays::standard, .normal = RayContactOptions::Normal::smooth}, .sleep = false}},
      {"snug, rays alone", {.contacts = {.complete = false}, .sleep = false}},
      {"GImpact", {.engine = Engine::gimpact, .sleep = false}}};
  for (const Case& c : cases) {
    headless::Judge judge(scene);
    double seconds = 0, volume = 0, contacts_sum = 0;
    watch(scene, c.how, steps_of(options), stage, [&](const headless::World& world, const Frame& frame) {
      seconds += world.work().narrow_processor_seconds;
      contacts_sum += static_cast<double>(world.work().contacts);
      if (world.steps() % 5 == 0) volume += judge.judge(frame.poses, all, 1).volume;
    });
    const double ms = 1e3 * seconds / steps_of(options);
    if (&c == cases) completed = {ms, volume};
    if (!c.how.contacts.complete) rays_alone = {ms, volume};
    if (c.how.engine == Engine::gimpact)
      for (const auto& [measured, of] : {std::pair(completed, ""), std::pair(rays_alone, ", rays alone")}) {
        rows.bar(std::string("narrow phase beside GImpact, avalanche") + of, ratio_of(ms, measured.ms), 10, "x");
        rows.bar(std::string("common volume beside GImpact's, avalanche") + of, ratio_of(measured.volume, volume), 1,
                 "x", true);
      }
    rows.push_back({"gimpact", "avalanche", c.name, "ms", ms});
    rows.push_back({"gimpact", "avalanche", c.name, "volume", volume});
    table.row(
        {c.name, fixed(ms, 3), fixed(contacts_sum / steps_of(options), 1), fixed(volume, 4), ratio(ms, completed.ms)});
  }
  show(options, table,
       "Narrow phase of the avalanche, one thread, processor time, none asleep; common volume added up every fifth "
       "step; " +
           told_of_avalanche(options) + "\nbar: GImpact at least 10x slower, with no less common volume");
}

}  // namespace snug::bench::lehericey
