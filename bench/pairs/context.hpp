#pragma once

#include "bench/pairs/options.hpp"
#include "bench/pairs/series.hpp"
#include "bench/report/row.hpp"

#include <map>
#include <string>

namespace snug::bench::pairs {

/// What the parts of the suite share: what is asked for, and where results go.
class Context {
 public:
  explicit Context(const Options& options);

  const Options& options;
  Results results;
  /// Figures that are no times, by name: what the bars at the end need beside the rows.
  std::map<std::string, double> figures;

  /// A row for each engine; what disagrees is summed up by scene, query and engine, and told by finish().
  void add(const std::string& scene, const std::string& bucket, Query query, Caches caches,
           const std::vector<Trial>& trials);
  void add_row(Row row);
  void remark(const std::string& text) { results.remarks.push_back(text); }

  /// Runs the series, says so on stderr, and adds it. Nothing once a quick run is out of time.
  void measure(const std::string& scene, const std::string& bucket, const std::vector<Contender*>& contenders,
               SeriesPlan plan);

  /// A quick run has to be over in 30 seconds, of which a part of the suite may have its share only; what it leaves out is
  /// told in a remark.
  [[nodiscard]] bool out_of_time(const std::string& what, double share = 1);
  [[nodiscard]] std::size_t poses(std::size_t usual, std::size_t quick) const;
  /// Turns what was gathered on the way into remarks.
  void finish();

 private:
  struct Dispute {
    std::string engine, judge;
    Query query = Query::all;
    std::size_t steps = 0, of = 0;
    std::uint64_t count = 0, judge_count = 0;
    double worst_relative = 0;
  };
  double start_us_;
  std::map<std::string, Dispute> disputes_;  ///< by scene, query and engine
  std::vector<std::string> left_out_;
};

/// "all", "all-cold", …
[[nodiscard]] std::string query_name(Query query, Caches caches);

// The parts of the suite, each in the file of its name.
void run_knots(Context& context);
void run_env_rob(Context& context);
void run_motions(Context& context);
void run_hard_cases(Context& context);
void run_build(Context& context);
void run_scaling(Context& context);

/// The promises beside what was measured, from rows and figures.
void add_bars(Context& context);
/// For people: a table for each scene and query, remarks, and the bars.
[[nodiscard]] std::string report(const Context& context);

}  // namespace snug::bench::pairs
