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

  /// Rows for each engine, and a remark for each that disagrees.
  void add(const std::string& scene, const std::string& bucket, Query query, Caches caches,
           const std::vector<Trial>& trials);
  void add_row(Row row);
  void remark(const std::string& text) { results.remarks.push_back(text); }

  /// Runs the series, says so on stderr, and adds it. Nothing once a quick run is out of time.
  void measure(const std::string& scene, const std::string& bucket, const std::vector<Contender*>& contenders,
               SeriesPlan plan);

  /// A quick run has to be over in 30 seconds; what it then leaves out is told in a remark.
  [[nodiscard]] bool out_of_time(const std::string& what);
  [[nodiscard]] std::size_t poses(std::size_t usual, std::size_t quick) const;

 private:
  double start_us_;
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
