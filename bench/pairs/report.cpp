#include "bench/pairs/context.hpp"

#include <algorithm>
#include <cmath>

namespace snug::bench::pairs {

namespace {

/// Distinct values in order of appearance.
template <class Get>
std::vector<std::string> distinct(const std::vector<const Row*>& rows, Get get) {
  std::vector<std::string> out;
  for (const Row* row : rows)
    if (std::ranges::find(out, get(*row)) == out.end()) out.push_back(get(*row));
  return out;
}

const Row* find(const std::vector<const Row*>& rows, const std::string& bucket, const std::string& engine) {
  for (const Row* row : rows)
    if (row->bucket == bucket && row->engine == engine) return row;
  return nullptr;
}

std::string engine_of(const Row& row) { return row.engine; }

/// One thread beside two.
std::string threads_table(const std::vector<const Row*>& rows) {
  std::vector<std::vector<std::string>> out(1, {"what", "threads", "mean us", "p99", "gain"});
  for (const Row* row : rows)
    out.push_back({row->engine, std::to_string(row->threads), short_number(row->mean_us), short_number(row->p99_us),
                   row->answers});
  return table_text(out);
}

/// Mean and p99 of each engine, and how many times longer than ours each peer takes.
std::string table(const std::vector<const Row*>& rows) {
  const auto engines = distinct(rows, engine_of);
  const auto buckets = distinct(rows, [](const Row& row) { return row.bucket; });
  std::vector<std::vector<std::string>> out(1, {"bucket", "answers"});
  for (const std::string& engine : engines) {
    out[0].push_back(engine + " us"), out[0].push_back("p99");
    if (engine != "snug" && engines[0] == "snug") out[0].push_back("x");
  }
  std::map<std::string, std::pair<double, int>> log_sum;
  for (const std::string& bucket : buckets) {
    const Row* ours = find(rows, bucket, engines[0]);
    out.push_back({bucket, ours != nullptr ? ours->answers : "-"});
    for (const std::string& engine : engines) {
      const Row* row = find(rows, bucket, engine);
      const bool there = row != nullptr && row->mean_us > 0;
      out.back().push_back(there ? short_number(row->mean_us) : row != nullptr ? row->answers : "-");
      out.back().push_back(there ? short_number(row->p99_us) : "-");
      if (engine == "snug" || engines[0] != "snug") continue;
      const bool both = there && ours != nullptr && ours->mean_us > 0;
      out.back().push_back(both ? short_number(row->mean_us / ours->mean_us) : "-");
      if (both) log_sum[engine].first += std::log(row->mean_us / ours->mean_us), ++log_sum[engine].second;
    }
  }
  if (buckets.size() > 1 && !log_sum.empty()) {
    out.push_back({"geometric mean", ""});
    for (const std::string& engine : engines) {
      out.back().insert(out.back().end(), {"", ""});
      if (engine == "snug") continue;
      const auto& [sum, count] = log_sum[engine];
      out.back().push_back(count > 0 ? short_number(std::exp(sum / count)) : "-");
    }
  }
  return table_text(out);
}

}  // namespace

std::string report(const Context& context) {
  const Results& results = context.results;
  std::string out;
  std::vector<std::string> groups;
  for (const Row& row : results.rows) {
    const std::string group = row.scene + ", " + row.query;
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  for (const std::string& group : groups) {
    std::vector<const Row*> rows;
    for (const Row& row : results.rows)
      if (row.scene + ", " + row.query == group) rows.push_back(&row);
    const bool threads = rows[0]->query.starts_with("scaling");
    out += group + '\n' + (threads ? threads_table(rows) : table(rows)) + '\n';
  }
  for (const std::string& remark : results.remarks) out += remark + '\n';
  if (!results.remarks.empty()) out += '\n';
  if (!results.bars.empty()) {
    std::vector<std::vector<std::string>> bars(1, {"bar", "asked", "measured", "state"});
    for (const Bar& bar : results.bars)
      bars.push_back({bar.what, bar.asked, bar.measured, std::string(to_string(bar.state))});
    out += table_text(bars);
  }
  return out;
}

}  // namespace snug::bench::pairs
