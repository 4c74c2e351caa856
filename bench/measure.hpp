#pragma once

#include "bench/option_parser.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

// What the suites share: arguments, interleaved timing, a table that is also CSV.

namespace snug::bench {

/// What suites without further options take.
struct Arguments {
  bool quick = false;
  std::string csv;

  Arguments() = default;
  /// argv[0] names the suite.
  Arguments(int argc, char** argv) {
    const auto suite = std::ranges::find(suites(), std::string_view(argv[0]), &Suite::name);
    const std::string help = std::string("usage: snug-bench ") + argv[0] + " [options]\n\nMeasures " +
                             std::string(suite->what) +
                             ".\n\n  --quick      less of everything, within 30 seconds\n  --csv FILE   the table\n";
    OptionParser(argv[0], help.c_str()).flag("--quick", quick).output("--csv", csv).parse(argc, argv);
  }
};

/// Keeps a result alive that the compiler would otherwise find unused.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

/// Median seconds of each contender over `rounds`. They take turns, starting with another one each round, so that what
/// the machine does meanwhile falls on all alike.
inline std::vector<double> interleaved(int rounds, const std::vector<std::function<void()>>& contenders) {
  std::vector<std::vector<double>> seconds(contenders.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const std::size_t c = (k + static_cast<std::size_t>(round)) % contenders.size();
      const auto start = std::chrono::steady_clock::now();
      contenders[c]();
      seconds[c].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  std::vector<double> medians;
  for (auto& s : seconds) {
    std::ranges::sort(s);
    medians.push_back(s[s.size() / 2]);
  }
  return medians;
}

inline std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

class Table {
 public:
  explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// To stdout, and to the CSV file when one is asked for; false if that could not be written.
  [[nodiscard]] bool print(std::string_view title, const Arguments& arguments) const {
    std::vector<std::size_t> width(rows_[0].size(), 0);
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    std::cout << title << '\n';
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string padding(width[i] - row[i].size() + 2, ' ');
        std::cout << (i == 0 ? row[i] + padding : padding + row[i]);
      }
      std::cout << '\n';
    }
    if (arguments.csv.empty()) return true;
    std::ofstream file(arguments.csv);
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) file << csv_cell(row[i]) << (i + 1 < row.size() ? "," : "\n");
    if (!file.flush()) std::cerr << "cannot write " << arguments.csv << '\n';
    return static_cast<bool>(file);
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace snug::bench
