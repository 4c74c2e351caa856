#pragma once

#include "io/json/json.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

// What readers of our own documents ask of JSON objects.

namespace snug::io {

/// Parses the text of a document that must name this schema; `path` is for messages.
[[nodiscard]] Result<Json, IoError> parse_document(std::string_view text, const std::string& path,
                                                   std::string_view schema);

[[nodiscard]] inline std::optional<std::string> string_of(const JsonView& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is(Json::Kind::string) ? std::optional(value->string()) : std::nullopt;
}
[[nodiscard]] inline double number_of(const JsonView& object, std::string_view name, double otherwise = 0) {
  const auto value = object.find(name);
  return value && value->is(Json::Kind::number) ? value->number() : otherwise;
}
[[nodiscard]] inline bool truth_of(const JsonView& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is(Json::Kind::boolean) && value->boolean();
}
/// Exactly N numbers.
template <std::size_t N>
[[nodiscard]] std::optional<std::array<double, N>> numbers_of(const JsonView& object, std::string_view name) {
  const auto value = object.find(name);
  if (!value || !value->is(Json::Kind::array) || value->size() != N) return std::nullopt;
  std::array<double, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    if (!(*value)[i].is(Json::Kind::number)) return std::nullopt;
    out[i] = (*value)[i].number();
  }
  return out;
}
/// Calls f for each item of an array; nothing if there is none.
template <class F>
void each(const std::optional<JsonView>& array, F f) {
  if (array && array->is(Json::Kind::array))
    for (std::size_t i = 0; i < array->size(); ++i) f((*array)[i]);
}

}  // namespace snug::io
