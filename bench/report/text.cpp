#include "bench/report/row.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace snug::bench {

namespace {

std::string fixed3(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string_view to_string(Bar::State state) noexcept {
  switch (state) {
    case Bar::State::met:
      return "met";
    case Bar::State::missed:
      return "missed";
    case Bar::State::not_measured:
      return "not measured";
  }
  return "?";
}

std::string short_number(double value) {
  char text[64];
  const int digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (width.size() <= i) width.push_back(0);
      width[i] = std::max(width[i], row[i].size());
    }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(width[i] - row[i].size(), ' ');
      out += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    out += '\n';
  }
  return out;
}

std::string bars_text(const std::vector<Bar>& bars) {
  std::vector<std::vector<std::string>> rows(1, {"bar", "asked", "measured", "state"});
  for (const Bar& bar : bars) rows.push_back({bar.what, bar.asked, bar.measured, std::string(to_string(bar.state))});
  return table_text(rows);
}

std::string csv_text(const Results& results) {
  std::string out = "suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash\n";
  for (const Row& row : results.rows)
    out += row.suite + ',' + csv_cell(row.scene) + ',' + csv_cell(row.bucket) + ',' + row.query + ',' +
           csv_cell(row.engine) + ',' + std::to_string(row.threads) + ',' + fixed3(row.mean_us) + ',' +
           fixed3(row.p99_us) + ',' + csv_cell(row.answers) + ',' + row.hash + '\n';
  return out;
}

bool write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) {
    std::fprintf(stderr, "snug-bench: cannot write %s\n", path.c_str());
    return false;
  }
  return true;
}

}  // namespace snug::bench
