#include "bench/report/row.hpp"

#include <cstdio>

namespace snug::bench {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string object(const Row& row) {
  return "{\"answers\": " + quoted(row.answers) + ", \"bucket\": " + quoted(row.bucket) +
         ", \"engine\": " + quoted(row.engine) + ", \"hash\": " + quoted(row.hash) +
         ", \"mean_us\": " + number(row.mean_us) + ", \"p99_us\": " + number(row.p99_us) +
         ", \"query\": " + quoted(row.query) + ", \"scene\": " + quoted(row.scene) +
         ", \"suite\": " + quoted(row.suite) + ", \"threads\": " + std::to_string(row.threads) + '}';
}

std::string object(const Bar& bar) {
  return "{\"asked\": " + quoted(bar.asked) + ", \"measured\": " + quoted(bar.measured) +
         ", \"state\": " + quoted(to_string(bar.state)) + ", \"what\": " + quoted(bar.what) + '}';
}

std::string object(const std::string& text) { return quoted(text); }

template <class T>
std::string list(const std::vector<T>& items) {
  std::string out = "[";
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "\n    " : ",\n    ") + object(items[i]);
  return out + (items.empty() ? "]" : "\n  ]");
}

}  // namespace

std::string json_text(const Results& results) {
  return "{\n  \"bars\": " + list(results.bars) + ",\n  \"remarks\": " + list(results.remarks) +
         ",\n  \"rows\": " + list(results.rows) +
         ",\n  \"schema\": \"snug.bench/1\",\n  \"suite\": " + quoted(results.suite) + "\n}\n";
}

}  // namespace snug::bench
