// Bodies that change their form: what a refit costs beside a new tree, and what queries on either cost afterwards.

#include "bench/deform/forms.hpp"
#include "bench/deform/turns.hpp"
#include "bench/measure.hpp"
#include "bench/option_parser.hpp"
#include "bench/pairs/answers.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"

#include <snug/distance.hpp>
#include <snug/query.hpp>

#include <cstdio>
#include <cstdlib>

namespace snug::bench {

namespace {

using namespace deform;

constexpr const char* k_help = R"(usage: snug-bench deform [options]

  --form NAMES  cloth, breathing, twisting, swarm; with commas
  --quick       smaller bodies and fewer rounds, within 30 seconds
  --csv FILE    suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash
  --json        one JSON document instead of the table

A body of 100,000 triangles is refitted from its form at time 0 to its form at each time, and built anew there; a knot of
9,600 triangles is then held against both trees. 'work' is what the refitted tree compares, boxes and triangles, beside the new
one: the same in every run. Times are medians of CPU time over rounds in which all take turns. 'pays after' is the number
of queries for all pairs (of distances) after which a new tree has made up for what it cost beyond the refit.
)";

struct Options {
  std::vector<std::string> forms;
  std::string csv;
  bool quick = false, json = false;
};

Options parse(int argc, char** argv) {
  Options options;
  OptionParser("deform", k_help)
      .names("--form", options.forms, names_of(kinds()), "form")
      .flag("--quick", options.quick)
      .output("--csv", options.csv)
      .flag("--json", options.json)
      .parse(argc, argv);
  return options;
}

/// What one tree answers to all queries of a round.
struct Answers {
  std::uint64_t pairs = 0;
  pairs::Hash hash;
  double distances = 0;
  std::uint64_t work = 0;  ///< pairs of boxes and of triangles compared
};

class Asker {
 public:
  Asker(const Shape& shape, const Shape& other, const std::vector<Pose>& poses)
      : shape_(shape), other_(other), poses_(poses) {}
  void all() {
    for (const Pose& pose : poses_) {
      triangle_pairs(shape_, {}, other_, pose, scratch_, found_);
      keep(found_.size());
    }
  }
  void distances() {
    for (const Pose& pose : poses_) keep(distance(shape_, {}, other_, pose, scratch_).value);
  }
  Answers answers() {
    Answers answers;
    Stats stats;
    for (const Pose& pose : poses_) {
      triangle_pairs(shape_, {}, other_, pose, scratch_, found_, {.stats = &stats});
      answers.pairs += found_.size();
      for (const TrianglePair& pair : found_) answers.hash.add(std::uint64_t{pair.a} << 32 | pair.b);
      answers.distances += distance(shape_, {}, other_, pose, scratch_).value;
    }
    answers.work = stats.box_tests + stats.triangle_tests;
    return answers;
  }

 private:
  const Shape &shape_, &other_;
  const std::vector<Pose>& poses_;
  Scratch scratch_;
  std::vector<TrianglePair> found_;
};

std::string time_text(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", time);
  return text;
}

std::string hex(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// Queries after which a new tree has paid, or "never".
std::string pays_after(double refit_s, double build_s, double refitted_us, double rebuilt_us) {
  const double gain = refitted_us - rebuilt_us;
  // Less than a hundredth is what two runs of the same differ by.
  if (gain < 0.01 * rebuilt_us) return "never";
  return short_number(std::max(0.0, 1e6 * (build_s - refit_s)) / gain);
}

struct Measurement {
  Options options;
  Results results{"deform", {}, {}, {}};
  std::vector<std::vector<std::string>> table{{"form", "time", "refit ms", "build ms", "all us", "new", "ratio",
                                               "dist us", "new", "ratio", "work", "pays after", "(dist)", "cost",
                                               "advice"}};
  bool agree = true;

  void add(const Kind& kind, double time, const char* query, const char* engine, double us, const Answers& answers) {
    results.rows.push_back({"deform", std::string(kind.name), time_text(time), query, engine, 1, us, us,
                            std::to_string(answers.pairs), hex(answers.hash.value())});
  }

  void measure(const Kind& kind, const Shape& other, const std::vector<Pose>& poses) {
    const Form form = kind.make(options.quick);
    const Shape start(form.mesh);
    if (!start.prepare()) return;
    for (const double time : kind.times) {
      const std::vector<Point3> vertices = form.at(time);
      const int rounds = options.quick ? 3 : 7;
      std::optional<Shape> refitted, rebuilt;
      const Shape updated = start.updated(vertices).value();
      // The copy of the vertices is the caller's, and both need the mesh.
      std::vector<std::vector<Point3>> copies(static_cast<std::size_t>(rounds), vertices);
      const std::vector<double> tree_s =
          in_turns(rounds, {[&] {
                              refitted.emplace(start.updated(std::move(copies.back())).value());
                              copies.pop_back();
                            },
                            [&] {
                              rebuilt.emplace(updated.rebuilt());
                              (void)rebuilt->prepare();
                            }});
      Asker old_tree(*refitted, other, poses), new_tree(*rebuilt, other, poses);
      const std::vector<double> s =
          in_turns(options.quick ? 3 : 9, {[&] { old_tree.all(); }, [&] { new_tree.all(); },
                                           [&] { old_tree.distances(); }, [&] { new_tree.distances(); }});
      const Answers of_old = old_tree.answers(), of_new = new_tree.answers();
      if (of_old.hash.value() != of_new.hash.value() || of_old.distances != of_new.distances) {
        agree = false;
        results.remarks.push_back(std::string(kind.name) + " at " + time_text(time) + ": the trees DISAGREE");
      }
      const double n = static_cast<double>(poses.size());
      const double all_old = 1e6 * s[0] / n, all_new = 1e6 * s[1] / n, far_old = 1e6 * s[2] / n,
                   far_new = 1e6 * s[3] / n;
      add(kind, time, "tree", "refitted", 1e6 * tree_s[0], of_old);
      add(kind, time, "tree", "rebuilt", 1e6 * tree_s[1], of_new);
      add(kind, time, "all", "refitted", all_old, of_old);
      add(kind, time, "all", "rebuilt", all_new, of_new);
      add(kind, time, "distance", "refitted", far_old, of_old);
      add(kind, time, "distance", "rebuilt", far_new, of_new);
      table.push_back(
          {std::string(kind.name), time_text(time), short_number(1e3 * tree_s[0]), short_number(1e3 * tree_s[1]),
           short_number(all_old), short_number(all_new), short_number(all_old / all_new), short_number(far_old),
           short_number(far_new), short_number(far_old / far_new),
           short_number(static_cast<double>(of_old.work) / static_cast<double>(of_new.work)),
           pays_after(tree_s[0], tree_s[1], all_old, all_new), pays_after(tree_s[0], tree_s[1], far_old, far_new),
           short_number(refitted->refit_cost()), refitted->rebuild_advised() ? "rebuild" : "-"});
    }
  }
};

}  // namespace

int run_deform(int argc, char** argv) {
  Measurement suite{.options = parse(argc, argv)};
  const Shape other(probe());
  const std::vector<Pose> poses = probe_poses(suite.options.quick ? 8 : 24);
  for (const Kind& kind : kinds())
    if (wants(suite.options.forms, kind.name)) suite.measure(kind, other, poses);
  std::string text = suite.options.json ? json_text(suite.results) : table_text(suite.table);
  if (!suite.options.json)
    for (const std::string& remark : suite.results.remarks) text += remark + '\n';
  std::fputs(text.c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!suite.options.csv.empty()) written = write_text(suite.options.csv, csv_text(suite.results)) && written;
  return !written ? 5 : suite.agree ? 0 : 1;
}

}  // namespace snug::bench
