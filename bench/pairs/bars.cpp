// The promises, each beside what this run has measured. A promise about scenes that were not run is not judged.

#include "bench/pairs/context.hpp"
#include "bench/pairs/knot_poses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace snug::bench::pairs {

namespace {

/// Of a peer's times over ours in one bucket.
struct Ratio {
  std::string bucket;
  double mean = 0, p99 = 0;
};

const Row* find_row(const Results& results, const std::string& scene, const std::string& bucket,
                    const std::string& query, const std::string& engine) {
  for (const Row& row : results.rows)
    if (row.scene == scene && row.bucket == bucket && row.query == query && row.engine == engine && row.mean_us > 0)
      return &row;
  return nullptr;
}

std::vector<Ratio> ratios_to_fcl(const Results& results, const std::string& scene, const std::string& query) {
  std::vector<Ratio> out;
  for (const Bucket& bucket : k_buckets) {
    const std::string name(bucket.name);
    const Row* ours = find_row(results, scene, name, query, "snug");
    const Row* fcl = find_row(results, scene, name, query, "fcl");
    if (ours != nullptr && fcl != nullptr)
      out.push_back({name, fcl->mean_us / ours->mean_us, fcl->p99_us / ours->p99_us});
  }
  return out;
}

class Judge {
 public:
  explicit Judge(Context& context) : context_(context), results_(context.results) {}

  void judge_all() {
    for (const char* caches : {"", "-cold"}) {
      for (const char* scene : {"knot60k", "knot600k"}) {
        judge_query(scene, std::string("all") + caches, 18, 8, 8);
        judge_query(scene, std::string("first") + caches, 12, 5, {});
        one_bucket(scene, std::string("first") + caches, k_near_miss, 12);
        one_bucket(scene, std::string("all") + caches, k_apart, 3);
        one_bucket(scene, std::string("first") + caches, k_apart, 3);
      }
      judge_query("knot60k", std::string("distance") + caches, 4, {}, {});
    }
    distance_value();
    for (const char* scene : {"coincident", "flush", "cubes"})
      for (const char* query : {"all", "first"}) hard_case(scene, query);
    build();
    for (const char* what : {"scaling-all", "scaling-build", "scaling-motion"}) scaling(what);
  }

 private:
  void add(const std::string& what, const std::string& asked, std::optional<double> measured, bool met,
           const std::string& unit, const std::string& note = "") {
    Bar bar{what, asked, "-", Bar::State::not_measured};
    if (measured) {
      bar.measured = short_number(*measured) + unit + (note.empty() ? "" : " (" + note + ')');
      bar.state = met ? Bar::State::met : Bar::State::missed;
    }
    keep(std::move(bar));
  }
  /// What was not asked for, or is only looked at where it was measured, needs no line.
  void keep(Bar bar) {
    const Options& asked = context_.options;
    const bool part = !asked.scenes.empty() || !asked.buckets.empty() || !asked.queries.empty() ||
                      !asked.engines.empty() || !asked.caches.empty();
    const bool cold = bar.what.find("-cold") != bar.what.npos;
    if (bar.state != Bar::State::not_measured || !(part || cold)) results_.bars.push_back(std::move(bar));
  }
  void at_least(const std::string& what, double asked, std::optional<double> measured, const std::string& note = "") {
    add(what, "at least " + short_asked(asked) + 'x', measured, measured && *measured >= asked, "x", note);
  }
  static std::string short_asked(double value) {
    return value == std::floor(value) ? std::to_string(static_cast<int>(value)) : short_number(value);
  }

  void judge_query(const std::string& scene, const std::string& query, double mean, std::optional<double> worst,
                   std::optional<double> p99) {
    const auto ratios = ratios_to_fcl(results_, scene, query);
    const std::string what = scene + ' ' + query + " beside FCL";
    // The mean over the ten distances is not judged by a few of them.
    const bool whole = ratios.size() == k_buckets.size();
    at_least(what + ", geometric mean", mean,
             whole ? std::optional(geometric_mean(ratios, &Ratio::mean)) : std::nullopt);
    if (worst) worst_bucket(what + ", worst bucket but the apart one", *worst, ratios, &Ratio::mean);
    if (p99) {
      at_least(what + ", p99, geometric mean", *p99,
               whole ? std::optional(geometric_mean(ratios, &Ratio::p99)) : std::nullopt);
      worst_bucket(what + ", p99, worst bucket but the apart one", *p99, ratios, &Ratio::p99);
    }
  }

  static double geometric_mean(const std::vector<Ratio>& ratios, double Ratio::* member) {
    double sum = 0;
    for (const Ratio& ratio : ratios) sum += std::log(ratio.*member);
    return std::exp(sum / static_cast<double>(ratios.size()));
  }

  void worst_bucket(const std::string& what, double asked, const std::vector<Ratio>& ratios, double Ratio::* member) {
    const Ratio* worst = nullptr;
    for (const Ratio& ratio : ratios)
      if (ratio.bucket != k_apart && (worst == nullptr || ratio.*member < worst->*member)) worst = &ratio;
    at_least(what, asked, worst != nullptr ? std::optional(worst->*member) : std::nullopt,
             worst != nullptr ? worst->bucket : "");
  }

  void one_bucket(const std::string& scene, const std::string& query, std::string_view bucket, double asked) {
    std::optional<double> measured;
    for (const Ratio& ratio : ratios_to_fcl(results_, scene, query))
      if (ratio.bucket == bucket) measured = ratio.mean;
    at_least(scene + ' ' + query + ' ' + std::string(bucket) + " beside FCL", asked, measured);
  }

  void distance_value() {
    const auto found = context_.figures.find("distance difference");
    Bar bar{"distance, largest relative difference from FCL", "at most 1e-12", "-", Bar::State::not_measured};
    if (found != context_.figures.end()) {
      char text[32];
      std::snprintf(text, sizeof text, "%.2g", found->second);
      bar.measured = text;
      bar.state = found->second <= 1e-12 ? Bar::State::met : Bar::State::missed;
    }
    keep(std::move(bar));
  }

  /// The best peer is one whose answers are ours, which CGAL confirms where it is there.
  void hard_case(const std::string& scene, const std::string& query) {
    const Row* ours = find_row(results_, scene, "hard", query, "snug");
    const Row* best = nullptr;
    for (const Row& row : results_.rows)
      if (ours != nullptr && row.scene == scene && row.query == query && row.engine != "snug" && row.mean_us > 0 &&
          row.hash == ours->hash && (best == nullptr || row.mean_us < best->mean_us))
        best = &row;
    const bool both = ours != nullptr && best != nullptr;
    at_least(scene + ' ' + query + " beside the best peer that answers rightly", 1,
             both ? std::optional(best->mean_us / ours->mean_us) : std::nullopt, both ? best->engine : "");
  }

  void build() {
    const Row* ours = find_row(results_, "knot60k", "build", "build", "snug");
    const Row* morton = find_row(results_, "knot60k", "build", "build", "embree-morton");
    const bool both = ours != nullptr && morton != nullptr;
    const std::optional<double> ratio = both ? std::optional(ours->mean_us / morton->mean_us) : std::nullopt;
    add("knot60k build beside Embree's Morton build", "at most 2x", ratio, ratio && *ratio <= 2, "x",
        both ? short_number(ours->mean_us / 1000) + " ms" : "");
    const auto bytes = context_.figures.find("bytes/triangle snug");
    const auto each = bytes != context_.figures.end() ? std::optional(bytes->second) : std::nullopt;
    add("knot60k bytes per triangle, all in", "at most 60", each, each && *each <= 60, "");
  }

  void scaling(const std::string& what) {
    const auto of_spin = context_.figures.find(what + " of spin"), gain = context_.figures.find(what + " gain");
    const bool there = of_spin != context_.figures.end();
    add(what + " on two threads, part of what a spin kernel gains", "at least 0.9",
        there ? std::optional(of_spin->second) : std::nullopt, there && of_spin->second >= 0.9, "",
        there ? short_number(gain->second) + "x" : "");
  }

  Context& context_;
  Results& results_;
};

}  // namespace

void add_bars(Context& context) { Judge(context).judge_all(); }

}  // namespace snug::bench::pairs
