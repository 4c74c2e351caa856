// Labelled queries of continuous contact: are the answers right, and what do they cost beside a plain cubic solver.

#include "bench/ccd/plain_solver.hpp"
#include "bench/ccd/query_file.hpp"
#include "bench/measure.hpp"
#include "bench/option_parser.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"
#include "report/json_document.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>

namespace snug::bench {

namespace {

using namespace ccd;

constexpr const char* k_help = R"(usage: snug-bench ccd [DIR] [options]

Reads every .csv file below DIR (without one: the folder ccd in SNUG_DATA): eight rows to a query, each
"x numerator,x denominator,y …,z …,label"; files below a folder named vertex-face hold v f0 f1 f2 at the start and then at the
end, those below edge-edge a0 a1 b0 b1.

  --rounds N       how often each query is timed; the median counts (default 15, quick 5)
  --quick          fewer rounds
  --json           one JSON document, snug.bench.ccd/1, instead of the table
  --csv FILE       the table

Queries with coordinates that are no doubles are counted as undecided: rounding them may change the truth.
Exit status: 0 all labels right, 1 wrong or undecided answers, 2 wrong usage, 3 unreadable files.
)";

struct Options {
  std::string folder, csv;
  std::size_t rounds = 15;
  bool json = false;
};

Options parse(int argc, char** argv) {
  Options options;
  OptionParser parser("ccd", k_help);
  parser.word(options.folder)
      .number("--rounds", options.rounds, 1, 1000)
      .flag("--quick", [&] { options.rounds = 5; })
      .flag("--json", options.json)
      .output("--csv", options.csv)
      .parse(argc, argv);
  const char* data = std::getenv("SNUG_DATA");
  if (options.folder.empty() && data != nullptr) options.folder = std::string(data) + "/ccd";
  if (options.folder.empty()) parser.refuse("which folder? Name one, or set SNUG_DATA to a folder with one named ccd.");
  return options;
}

int unreadable(const std::string& message) {
  std::fprintf(stderr, "snug-bench ccd: %s\n", message.c_str());
  return 3;
}

struct Contender {
  std::string name;
  bool (*ask)(const Query&);
};

bool ask_ours(const Query& q) { return q.first_contact().has_value(); }
bool ask_plain(const Query& q) {
  return q.vertex_face ? plain_contact(q.moving(0), q.face()) : plain_contact(q.edge(0), q.edge(1));
}
bool ask_plain_after_boxes(const Query& q) {
  if (q.vertex_face ? paths_apart(q.moving(0), q.face()) : paths_apart(q.edge(0), q.edge(1))) return false;
  return ask_plain(q);
}
constexpr std::size_t k_contenders = 3;
const std::array<Contender, k_contenders> k_contender{Contender{"snug", ask_ours}, Contender{"plain", ask_plain},
                                                      Contender{"plain after boxes", ask_plain_after_boxes}};

/// Answers and times of one contender for some queries.
struct Tally {
  std::size_t right_hits = 0, right_misses = 0, false_negatives = 0, false_positives = 0, undecided = 0;
  std::vector<double> ns;

  [[nodiscard]] std::size_t queries() const noexcept {
    return right_hits + right_misses + false_negatives + false_positives + undecided;
  }
  [[nodiscard]] std::size_t wrong() const noexcept { return false_negatives + false_positives; }
  void add(const Tally& other) {
    right_hits += other.right_hits;
    right_misses += other.right_misses;
    false_negatives += other.false_negatives;
    false_positives += other.false_positives;
    undecided += other.undecided;
    ns.insert(ns.end(), other.ns.begin(), other.ns.end());
  }
  void add(const Query& query, bool answer) {
    if (!query.exact)
      ++undecided;
    else if (answer)
      ++(query.hit ? right_hits : false_positives);
    else
      ++(query.hit ? false_negatives : right_misses);
  }
  [[nodiscard]] double mean_ns() const {
    return ns.empty() ? 0 : std::accumulate(ns.begin(), ns.end(), 0.0) / static_cast<double>(ns.size());
  }
  [[nodiscard]] double percentile_ns(double share) const {
    if (ns.empty()) return 0;
    std::vector<double> sorted = ns;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  }
};
using Tallies = std::array<Tally, k_contenders>;

double timed_ns(const Contender& contender, const Query& query) {
  const double start = pairs::wall_us();
  keep(contender.ask(query));
  return std::max(0.0, 1e3 * (pairs::wall_us() - start - pairs::clock_cost_us()));
}

/// Each round goes through all queries, contenders taking turns, so that no query runs twice in a row; of each query and
/// contender the median counts.
Tallies measure(const QuerySet& set, std::size_t rounds) {
  Tallies tallies;
  std::vector<std::array<std::vector<double>, k_contenders>> ns(set.queries.size());
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < k_contenders; ++k) {
      const std::size_t c = (k + round) % k_contenders;
      for (std::size_t i = 0; i < set.queries.size(); ++i) ns[i][c].push_back(timed_ns(k_contender[c], set.queries[i]));
    }
  for (std::size_t i = 0; i < set.queries.size(); ++i)
    for (std::size_t c = 0; c < k_contenders; ++c) {
      std::ranges::sort(ns[i][c]);
      tallies[c].ns.push_back(ns[i][c][rounds / 2]);
      tallies[c].add(set.queries[i], k_contender[c].ask(set.queries[i]));
    }
  return tallies;
}

struct Measured {
  std::string name;
  Tallies tallies;
};

void write(report::JsonDocument& json, const Tally& tally) {
  json.key("false_negatives").value(tally.false_negatives);
  json.key("false_positives").value(tally.false_positives);
  json.key("mean_ns").value(tally.mean_ns());
  json.key("p50_ns").value(tally.percentile_ns(0.5));
  json.key("p99_ns").value(tally.percentile_ns(0.99));
}

std::string json_of(const Tallies& all, const std::vector<Measured>& sets) {
  using Layout = report::JsonDocument::Layout;
  report::JsonDocument json;
  json.begin_object();
  write(json, all[0]);
  json.key("plain").begin_array();
  for (std::size_t c = 1; c < k_contenders; ++c) {
    json.begin_object(Layout::line);
    json.key("engine").value(k_contender[c].name);
    write(json, all[c]);
    json.end_object();
  }
  json.end_array();
  json.key("queries").value(all[0].queries());
  json.key("right_hits").value(all[0].right_hits);
  json.key("right_misses").value(all[0].right_misses);
  json.key("schema").value("snug.bench.ccd/1");
  json.key("sets").begin_array();
  for (const Measured& set : sets) {
    const Tally& ours = set.tallies[0];
    json.begin_object(Layout::line);
    write(json, ours);
    json.key("queries").value(ours.queries());
    json.key("set").value(set.name);
    json.key("undecided").value(ours.undecided);
    json.end_object();
  }
  json.end_array();
  json.key("undecided").value(all[0].undecided);
  json.end_object();
  return json.finish();
}

std::vector<std::vector<std::string>> table_of(const Tallies& all, const std::vector<Measured>& sets) {
  std::vector<std::vector<std::string>> rows{{"set", "engine", "queries", "right hits", "right misses", "missed",
                                              "false alarms", "undecided", "mean ns", "p50 ns", "p99 ns"}};
  const auto add = [&](const std::string& name, const Tallies& tallies) {
    for (std::size_t c = 0; c < k_contenders; ++c) {
      const Tally& t = tallies[c];
      rows.push_back({name, k_contender[c].name, std::to_string(t.queries()), std::to_string(t.right_hits),
                      std::to_string(t.right_misses), std::to_string(t.false_negatives),
                      std::to_string(t.false_positives), std::to_string(t.undecided), fixed(t.mean_ns(), 0),
                      fixed(t.percentile_ns(0.5), 0), fixed(t.percentile_ns(0.99), 0)});
    }
  };
  for (const Measured& set : sets) add(set.name, set.tallies);
  add("all", all);
  return rows;
}

std::string csv_of(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) text += row[i] + (i + 1 < row.size() ? "," : "\n");
  return text;
}

}  // namespace

int run_ccd(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<QuerySet> sets = read_queries(options.folder);
  if (sets.empty()) return unreadable(options.folder + ": no .csv files there");
  for (const QuerySet& set : sets)
    if (!set.problem.empty()) return unreadable(set.problem);

  Tallies all;
  std::vector<Measured> measured;
  for (const QuerySet& set : sets) {
    measured.push_back({set.name, measure(set, options.rounds)});
    for (std::size_t c = 0; c < k_contenders; ++c) all[c].add(measured.back().tallies[c]);
  }
  if (all[0].queries() == 0) return unreadable(options.folder + ": no queries there");
  const auto rows = table_of(all, measured);
  std::fputs((options.json ? json_of(all, measured) : table_text(rows)).c_str(), stdout);
  if (!options.json)
    for (std::size_t c = 1; c < k_contenders; ++c)
      std::printf("snug / %s: mean %.1fx, p50 %.1fx\n", k_contender[c].name.c_str(),
                  all[0].mean_ns() / all[c].mean_ns(), all[0].percentile_ns(0.5) / all[c].percentile_ns(0.5));
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, csv_of(rows)) && written;
  if (!written) return 5;
  return all[0].wrong() + all[0].undecided > 0 ? 1 : 0;
}

}  // namespace snug::bench
