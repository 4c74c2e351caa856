#pragma once

#include "support/rooms.hpp"

#include <snug/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

struct JsonError {
  enum class Code : std::uint8_t { malformed, truncated, too_large, unavailable } code = Code::malformed;
  std::uint64_t byte = 0;
  std::string text;
  [[nodiscard]] const std::string& message() const noexcept { return text; }
};

class JsonView;

/// A parsed JSON text. Flat arrays, so that neither depth nor size troubles the stack when it is built or destroyed.
class Json {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  [[nodiscard]] JsonView root() const noexcept;
  /// How many values there are, objects and arrays among them.
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

 private:
  friend class JsonView;
  friend class JsonBuilder;

  struct Value {
    double number = 0;        ///< of a number or a boolean
    std::uint32_t first = 0;  ///< of an array or object: into children_; of a string: into strings_
    std::uint32_t count = 0;
    std::uint32_t key = 0;  ///< of a member: into strings_
    std::uint32_t at = 0;   ///< byte at which it was recognised: the opening bracket, or the end of a scalar
    Kind kind = Kind::null;
  };
  /// Objects with more members than this have them sorted by key, so that a huge one does not make lookups slow.
  static constexpr std::size_t k_sorted_above = 16;

  std::vector<Value> values_;
  std::vector<std::uint32_t> children_;
  std::vector<std::string> strings_;
  std::uint32_t root_ = 0;
};

/// One value of a Json, which must outlive it. Asking for the wrong kind is a bug of the caller.
class JsonView {
 public:
  JsonView(const Json& document, std::uint32_t id) noexcept : document_(&document), id_(id) {}

  [[nodiscard]] Json::Kind kind() const noexcept { return value().kind; }
  [[nodiscard]] bool is(Json::Kind kind) const noexcept { return value().kind == kind; }
  /// Where it stands in the text, for messages.
  [[nodiscard]] std::uint64_t byte() const noexcept { return value().at; }

  [[nodiscard]] double number() const noexcept { return value().number; }
  [[nodiscard]] bool boolean() const noexcept { return value().number != 0; }
  [[nodiscard]] const std::string& string() const noexcept { return document_->strings_[value().first]; }

  [[nodiscard]] std::size_t size() const noexcept { return value().count; }
  /// Items of an array in their order, or members of an object.
  [[nodiscard]] JsonView operator[](std::size_t i) const noexcept {
    return {*document_, document_->children_[value().first + i]};
  }
  /// Name of a member, of a value that came from an object.
  [[nodiscard]] const std::string& key() const noexcept { return document_->strings_[value().key]; }
  /// A member by name, the last one where a name is repeated. Nothing unless this is an object that has it.
  [[nodiscard]] std::optional<JsonView> find(std::string_view name) const noexcept;

 private:
  [[nodiscard]] const Json::Value& value() const noexcept { return document_->values_[id_]; }

  const Json* document_;
  std::uint32_t id_;
};

/// Refuses texts that nest deeper than 64 levels or hold more than 2^23 values; `unavailable` when the build found no
/// parser. A byte-order mark is skipped.
[[nodiscard]] Result<Json, JsonError> parse_json(std::string_view text);

}  // namespace snug::io
