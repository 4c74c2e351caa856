#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What every suite that compares engines writes, in one form.

namespace snug::bench {

struct Row {
  std::string suite, scene, bucket, query, engine;
  unsigned threads = 1;
  double mean_us = 0, p99_us = 0;
  std::string answers, hash;
};

/// A promise beside what was measured.
struct Bar {
  std::string what;
  std::string asked;     ///< "at least 18x"
  std::string measured;  ///< "3.2x"
  enum class State : std::uint8_t { met, missed, not_measured } state = State::not_measured;
};
[[nodiscard]] std::string_view to_string(Bar::State state) noexcept;

struct Results {
  std::string suite;
  std::vector<Row> rows;
  std::vector<std::string> remarks;  ///< who disagreed, what was left out
  std::vector<Bar> bars;
};

/// In quotes if it has to be.
[[nodiscard]] std::string csv_cell(const std::string& text);
/// Columns aligned; the first to the left, the others to the right.
[[nodiscard]] std::string table_text(const std::vector<std::vector<std::string>>& rows);
/// The table of promises.
[[nodiscard]] std::string bars_text(const std::vector<Bar>& bars);
[[nodiscard]] std::string csv_text(const Results& results);
/// snug.bench/1
[[nodiscard]] std::string json_text(const Results& results);
/// Mean time over buckets, one picture for each scene and query with several buckets, one line for each engine.
[[nodiscard]] std::string svg_text(const Results& results);
/// False, with words on stderr, if it can not be written.
[[nodiscard]] bool write_text(const std::string& path, const std::string& text);
/// Four digits or so, whatever the size.
[[nodiscard]] std::string short_number(double value);

}  // namespace snug::bench
