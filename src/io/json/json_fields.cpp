#include "io/json/json_fields.hpp"

#include "io/errors.hpp"

namespace snug::io {

Result<Json, IoError> parse_document(std::string_view text, const std::string& path, std::string_view schema) {
  auto json = parse_json(text);
  if (!json) {
    const bool missing = json.error().code == JsonError::Code::unavailable;
    return failure_at_byte(missing ? IoError::Code::unsupported : IoError::Code::malformed, path, json.error().byte,
                           json.error().message());
  }
  const auto named = string_of(json->root(), "schema");
  if (named != schema)
    return failure(
        IoError::Code::malformed, path,
        "is no " + std::string(schema) + " document" + (named ? "; its schema is " + io::quoted(*named) : ""));
  return std::move(*json);
}

}  // namespace snug::io
