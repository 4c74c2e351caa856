// The only file that sees nlohmann-json, which compiles slowly and throws when it is used as a document; here it only
// reports what it meets, and the document is our own.
#include "io/json/json.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>
#include <utility>

#if SNUG_HAS_JSON
#include <nlohmann/json.hpp>
#endif

namespace snug::io {

JsonView Json::root() const noexcept { return {*this, root_}; }

std::optional<JsonView> JsonView::find(std::string_view name) const noexcept {
  if (!is(Json::Kind::object)) return std::nullopt;
  if (size() > Json::k_sorted_above) {
    const auto ids = std::views::iota(std::size_t{0}, size());
    const auto key_of = [this](std::size_t i) -> std::string_view { return (*this)[i].key(); };
    const auto after = std::ranges::upper_bound(ids, name, {}, key_of);
    if (after == ids.begin() || key_of(*std::ranges::prev(after)) != name) return std::nullopt;
    return (*this)[*std::ranges::prev(after)];
  }
  for (std::size_t i = size(); i-- > 0;)
    if (const JsonView member = (*this)[i]; member.key() == name) return member;
  return std::nullopt;
}

#if SNUG_HAS_JSON

namespace {

constexpr std::size_t k_max_depth = 64;
constexpr std::size_t k_max_values = std::size_t{1} << 23;
constexpr std::size_t k_max_text = std::numeric_limits<std::uint32_t>::max();

/// Walks the text and lets others see how far it came: the parser's events do not carry their place.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* here = nullptr;
  const char** seen = nullptr;

  reference operator*() const noexcept { return *here; }
  Cursor& operator++() noexcept {
    *seen = ++here;
    return *this;
  }
  Cursor operator++(int) noexcept {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) noexcept { return a.here == b.here; }
};

/// The parser's own words without its prefix, printable and short however long the token was that it quotes.
std::string clean(std::string_view words) {
  for (const std::string_view prefix : {"] ", "column "})
    if (const auto at = words.find(prefix); at != words.npos) words.remove_prefix(at + prefix.size());
  if (const auto colon = words.find(": "); colon != words.npos && colon < 12) words.remove_prefix(colon + 2);
  std::string out(words.substr(0, 200));
  std::ranges::replace_if(
      out, [](char c) { return c < 0x20 || c == 0x7f || static_cast<unsigned char>(c) >= 0x80; }, '?');
  return out;
}

}  // namespace

/// Receives the parser's events; a false answer stops it.
class JsonBuilder {
 public:
  JsonBuilder(Json& json, std::string_view text, const char* const& seen)
      : json_(json), begin_(text.data()), end_(text.data() + text.size()), seen_(seen) {
    json_.strings_.emplace_back();  // the key of values that have none
  }

  bool null() { return add({.kind = Json::Kind::null}); }
  bool boolean(bool value) { return add({.number = value ? 1.0 : 0.0, .kind = Json::Kind::boolean}); }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value) {
    const auto id = static_cast<std::uint32_t>(json_.strings_.size());
    json_.strings_.push_back(std::move(value));
    return add({.first = id, .kind = Json::Kind::string});
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool key(std::string& name) {
    // Thousands of objects have the same few keys: most of them are found where they were kept last.
    std::uint32_t& kept = recent_keys_[place_of(name)];
    if (json_.strings_[kept] != name) {
      kept = static_cast<std::uint32_t>(json_.strings_.size());
      json_.strings_.push_back(std::move(name));
    }
    key_ = kept;
    return true;
  }
  bool start_object(std::size_t) { return open(Json::Kind::object); }
  bool start_array(std::size_t) { return open(Json::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& exception) {
    const std::string words = clean(exception.what());
    const bool ended = seen_ == end_ && words.find("end of input") != words.npos;
    error_ = JsonError{ended ? JsonError::Code::truncated : JsonError::Code::malformed, at(), words};
    return false;
  }

  [[nodiscard]] JsonError error() const { return error_; }

 private:
  [[nodiscard]] std::uint32_t at() const {
    return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(seen_ - begin_ - 1, 0));
  }
  /// Among recent_keys_; the empty key is the first of the strings, as every slot is at first.
  [[nodiscard]] static std::size_t place_of(std::string_view name) noexcept {
    if (name.empty()) return 0;
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
    return (5 * name.size() + 3 * at(0) + at(name.size() - 1)) % k_recent_keys;
  }
  bool number(double value) { return add({.number = value, .kind = Json::Kind::number}); }

  bool add(Json::Value value) {
    if (json_.values_.size() == k_max_values) return refuse("more than 2^23 values");
    value.at = at();
    value.key = key_;
    key_ = 0;
    const auto id = static_cast<std::uint32_t>(json_.values_.size());
    json_.values_.push_back(value);
    if (open_.empty())
      json_.root_ = id;
    else
      pending_.push_back(id);
    return true;
  }
  bool open(Json::Kind kind) {
    if (open_.size() == k_max_depth) return refuse("nested deeper than 64 levels");
    if (!add({.kind = kind})) return false;
    open_.push_back({static_cast<std::uint32_t>(json_.values_.size() - 1), pending_.size()});
    return true;
  }
  /// Children of a finished value move to one stretch of the document.
  bool close() {
    SNUG_ASSERT(!open_.empty() && open_.back().first_pending <= pending_.size());
    const auto [id, first_pending] = open_.back();
    open_.pop_back();
    Json::Value& value = json_.values_[id];
    value.first = static_cast<std::uint32_t>(json_.children_.size());
    value.count = static_cast<std::uint32_t>(pending_.size() - first_pending);
    json_.children_.insert(json_.children_.end(), pending_.begin() + static_cast<std::ptrdiff_t>(first_pending),
                           pending_.end());
    pending_.resize(first_pending);
    if (value.kind == Json::Kind::object && value.count > Json::k_sorted_above) {
      const auto key_of = [this](std::uint32_t child) -> std::string_view {
        return json_.strings_[json_.values_[child].key];
      };
      // Ids ascend in the order of the text: the last of equal keys stays the last.
      std::ranges::sort(json_.children_.begin() + value.first, json_.children_.end(), {},
                        [&](std::uint32_t child) { return std::pair(key_of(child), child); });
    }
    return true;
  }
  bool refuse(std::string why) {
    error_ = JsonError{JsonError::Code::too_large, at(), std::move(why)};
    return false;
  }

  struct Open {
    std::uint32_t id;
    std::size_t first_pending;
  };
  Json& json_;
  const char *begin_, *end_;
  const char* const& seen_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> pending_;
  std::uint32_t key_ = 0;
  static constexpr std::size_t k_recent_keys = 64;
  std::array<std::uint32_t, k_recent_keys> recent_keys_{};
  JsonError error_;
};

Result<Json, JsonError> parse_json(std::string_view text) {
  if (text.size() > k_max_text) return Failure{JsonError{JsonError::Code::too_large, 0, "more than 4 GiB of text"}};
  Json json;
  const char* seen = text.data();
  const char* end = text.data() + text.size();
  JsonBuilder builder(json, text, seen);
  if (!nlohmann::json::sax_parse(Cursor{text.data(), &seen}, Cursor{end, &seen}, &builder))
    return Failure{builder.error()};
  return json;
}

#else

Result<Json, JsonError> parse_json(std::string_view) {
  return Failure{JsonError{JsonError::Code::unavailable, 0,
                           "this build reads no JSON: nlohmann-json (package nlohmann-json3-dev) was not found"}};
}

#endif

}  // namespace snug::io
