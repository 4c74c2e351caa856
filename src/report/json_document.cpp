#include "report/json_document.hpp"

#include "io/json/json_write.hpp"
#include "support/assert.hpp"

#include <cmath>
#include <utility>

namespace snug::report {

void JsonDocument::separate() {
  if (std::exchange(after_key_, false) || levels_.empty()) return;
  Level& level = levels_.back();
  if (!std::exchange(level.empty, false)) out_ += level.line ? ", " : ",";
  if (level.line) return;
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

void JsonDocument::begin(char bracket, Layout layout) {
  separate();
  out_ += bracket;
  levels_.push_back({.line = layout == Layout::line || (!levels_.empty() && levels_.back().line), .last_key = {}});
}

void JsonDocument::end(char bracket) {
  SNUG_ASSERT(!levels_.empty() && !after_key_);
  const bool broken = !levels_.back().line && !levels_.back().empty;
  levels_.pop_back();
  if (broken) {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  out_ += bracket;
}

JsonDocument& JsonDocument::key(std::string_view name) {
  SNUG_ASSERT(!levels_.empty() && !after_key_);
  separate();
  Level& level = levels_.back();
  SNUG_ASSERT(level.last_key.empty() || level.last_key < name);
  level.last_key = name;
  io::append_json_string(out_, name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

void JsonDocument::value(std::string_view text) {
  separate();
  io::append_json_string(out_, text);
}

void JsonDocument::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  io::append_json_number(out_, number + 0.0);  // turns -0 into 0
}

void JsonDocument::value(const Vec3& v) {
  if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return null();
  begin_array(Layout::line);
  for (std::size_t axis = 0; axis < 3; ++axis) value(v[axis]);
  end_array();
}

void JsonDocument::literal(std::string_view text) {
  separate();
  out_ += text;
}

void JsonDocument::integer(std::uint64_t number) {
  separate();
  out_ += std::to_string(number);
}

std::string JsonDocument::finish() {
  SNUG_ASSERT(levels_.empty() && !after_key_);
  out_ += '\n';
  return std::move(out_);
}

}  // namespace snug::report
