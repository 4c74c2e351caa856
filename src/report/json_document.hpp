#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::report {

/// Writes one JSON document piece by piece: two blanks per level, containers marked `line` on one line, keys in rising
/// order (asserted). Numbers are the shortest that read back the same; what is not finite becomes null.
class JsonDocument {
 public:
  enum class Layout : std::uint8_t { block, line };

  void begin_object(Layout layout = Layout::block) { begin('{', layout); }
  void end_object() { end('}'); }
  void begin_array(Layout layout = Layout::block) { begin('[', layout); }
  void end_array() { end(']'); }
  /// Names the value that comes next.
  JsonDocument& key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(double number);
  void value(std::unsigned_integral auto number) { integer(number); }
  void value(bool truth) { literal(truth ? "true" : "false"); }
  void value(const Vec3& v);
  void null() { literal("null"); }
  template <class T>
  void value(const std::optional<T>& maybe) {
    maybe ? value(*maybe) : null();
  }

  /// A list on one line.
  template <class Range>
  void list(const Range& range) {
    begin_array(Layout::line);
    for (const auto& element : range) value(element);
    end_array();
  }

  /// An object on one line, of fields().
  template <class... Fields>
  void line(const Fields&... all) {
    begin_object(Layout::line);
    fields(all...);
    end_object();
  }
  /// Keys in their order, each followed by its value.
  template <class Value, class... Rest>
  void fields(std::string_view name, const Value& first, const Rest&... rest) {
    key(name).value(first);
    if constexpr (sizeof...(rest) > 0) fields(rest...);
  }

  /// The document, ended by a newline. Precondition: everything that was begun has ended.
  [[nodiscard]] std::string finish();

 private:
  struct Level {
    bool line = false;
    bool empty = true;
    std::string last_key;
  };
  void begin(char bracket, Layout layout);
  void end(char bracket);
  void separate();
  void literal(std::string_view text);
  void integer(std::uint64_t number);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace snug::report
