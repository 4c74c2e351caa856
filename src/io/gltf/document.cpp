#include "io/gltf/document.hpp"

#include "io/bytes/binary_reader.hpp"
#include "io/errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::io {

namespace {

using Code = IoError::Code;
using Kind = Json::Kind;

constexpr std::uint32_t k_glb_magic = 0x46546C67;     // "glTF"
constexpr std::uint32_t k_json_chunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t k_binary_chunk = 0x004E4942;  // "BIN"
constexpr std::array<std::string_view, 7> k_lists{"accessors", "bufferViews", "buffers", "materials",
                                                  "meshes",    "nodes",       "scenes"};

// What a file may make us allocate: enough for a small file that places one mesh at many scales. A byte of a strip, the
// densest there is, becomes some 30 bytes of triangles; a value of the JSON counts like a number in a buffer.
constexpr std::uint64_t k_free_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t k_bytes_per_byte = 32;
constexpr std::uint64_t k_bytes_per_value = 8;

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 6> k_names{"null",     "a boolean", "a number",
                                                    "a string", "an array",  "an object"};
  return k_names[static_cast<std::size_t>(kind)];
}

/// Extensions that change how things look or are annotated, not where they are; and those we read.
bool is_harmless(std::string_view extension) {
  constexpr std::array<std::string_view, 8> k_prefixes{
      "KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_",
      "KHR_lights_",    "EXT_lights_",  "KHR_xmp",      "KHR_mesh_quantization",
  };
  return std::ranges::any_of(k_prefixes, [&](std::string_view prefix) { return extension.starts_with(prefix); });
}

std::string expected(std::string_view what, std::string_view key, JsonView found) {
  return "expected " + std::string(what) + " as '" + std::string(key) + "', found " +
         std::string(kind_name(found.kind()));
}

bool is_whole(JsonView value) {
  return value.is(Kind::number) && value.number() >= 0 && value.number() <= 0x1p53 &&
         value.number() == std::floor(value.number());
}

}  // namespace

Result<GltfDocument, IoError> GltfDocument::read(ByteSource& source, const LoadOptions& options) {
  GltfDocument document(source, options);
  document.bytes_held_ = source.size();
  std::array<char, 4> head{};
  source.seek(0);
  const bool is_binary =
      source.read(head) == head.size() && load_number<std::uint32_t>(head.data(), std::endian::little) == k_glb_magic;
  source.seek(0);
  if (source.failure()) return Failure{*source.failure()};
  const bool good = (is_binary ? document.read_chunks() : document.read_text()) && document.check_lists() &&
                    document.check_version() && document.check_extensions();
  if (!good) return document.failure();
  return document;
}

bool GltfDocument::read_text() {
  source_->set_progress_range(0, 0.1);
  auto text = read_piece(*source_, source_->remaining());
  if (!text) return fail(text.error());
  text_ = std::move(*text);
  return parse(0, true);
}

bool GltfDocument::read_chunks() {
  BinaryReader reader(*source_);
  std::uint32_t magic = 0, version = 0, length = 0;
  if (!reader.read(magic) || !reader.read(version) || !reader.read(length))
    return fail(reader.fail_at_end("a GLB header of 12 bytes").error);
  if (version != 2)
    return fail(
        reader.fail_at(4, Code::unsupported, "expected glTF version 2, found " + std::to_string(version)).error);
  if (length > source_->size())
    return fail(
        reader
            .fail_at(8, Code::truncated,
                     "expected " + counted(length, "byte", "bytes") + ", found " + std::to_string(source_->size()))
            .error);
  if (length < source_->size())
    return fail(reader
                    .fail_at(8, Code::malformed,
                             "the header tells of " + counted(length, "byte", "bytes") + ", the file has " +
                                 std::to_string(source_->size()))
                    .error);

  bool has_json = false;
  std::uint64_t json_offset = 0;
  while (reader.remaining() > 0) {
    const std::uint64_t at = reader.offset();
    std::uint32_t size = 0, type = 0;
    if (!reader.read(size) || !reader.read(type)) return fail(reader.fail_at_end("a chunk header of 8 bytes").error);
    if (size > reader.remaining())
      return fail(reader
                      .fail_at(at, Code::truncated,
                               "expected a chunk of " + counted(size, "byte", "bytes") + ", found " +
                                   std::to_string(reader.remaining()))
                      .error);
    if (!has_json && type != k_json_chunk)
      return fail(reader.fail_at(at, Code::malformed, "expected the JSON chunk first").error);
    const bool wanted = !has_json || (type == k_binary_chunk && !binary_chunk_);
    if (!wanted) {  // chunks of unknown type are to be ignored, says the format
      if (size > 0 && !reader.skip(size)) return fail(reader.fail_at_end("a chunk").error);
      continue;
    }
    std::string data(size, '\0');
    for (std::size_t done = 0; done < size;) {
      const std::string_view piece = reader.take(std::min<std::size_t>(size - done, BinaryReader::k_max_piece));
      if (piece.empty()) return fail(reader.fail_at_end("a chunk").error);
      std::ranges::copy(piece, data.begin() + static_cast<std::ptrdiff_t>(done));
      done += piece.size();
    }
    if (has_json) {
      binary_chunk_offset_ = at + 8;
      binary_chunk_ = std::move(data);
    } else {
      json_offset = at + 8;
      text_ = std::move(data);
      has_json = true;
    }
  }
  if (!has_json) return fail(reader.fail_at_end("the JSON chunk").error);
  return parse(json_offset, false);
}

bool GltfDocument::parse(std::uint64_t chunk_offset, bool is_text) {
  if (!is_text) chunk_offset_ = chunk_offset;
  auto json = parse_json(text_);
  if (!json) {
    const JsonError& error = json.error();
    IoError out{Code::malformed, source_->path(), std::nullopt, std::nullopt, error.text};
    if (error.code == JsonError::Code::unavailable) {
      out.code = Code::unsupported;
    } else {
      if (error.code == JsonError::Code::too_large) out.code = Code::too_large;
      if (error.code == JsonError::Code::truncated) out.code = Code::truncated;
      if (is_text)
        out.line = 1 + static_cast<std::uint64_t>(
                           std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(error.byte), '\n'));
      out.byte = chunk_offset + error.byte;
    }
    return fail(std::move(out));
  }
  json_ = std::move(*json);
  bytes_used_ = k_bytes_per_value * json_.size();
  // The text has served: places are kept as offsets, and lines are found from where they start.
  if (is_text)
    for (std::size_t at = text_.find('\n'); at != text_.npos; at = text_.find('\n', at + 1)) line_starts_.push_back(at);
  text_ = {};
  return true;
}

bool GltfDocument::check_lists() {
  if (!root().is(Kind::object))
    return fail(Code::malformed, root(), "expected an object, found " + std::string(kind_name(root().kind())));
  for (const std::string_view name : k_lists) {
    const auto list = root().find(name);
    if (!list) continue;
    if (!list->is(Kind::array)) return fail(Code::malformed, *list, expected("an array", name, *list));
    for (std::size_t i = 0; i < list->size(); ++i)
      if (!(*list)[i].is(Kind::object))
        return fail(
            Code::malformed, (*list)[i],
            "expected objects in '" + std::string(name) + "', found " + std::string(kind_name((*list)[i].kind())));
  }
  return true;
}

bool GltfDocument::check_version() {
  std::optional<JsonView> asset;
  if (!read_object(root(), "asset", asset)) return false;
  if (!asset) return fail(Code::malformed, root(), "expected an 'asset' with a version, found none");
  std::string version, least;
  if (!read_string(*asset, "version", version) || !read_string(*asset, "minVersion", least)) return false;
  if (!version.starts_with("2."))
    return fail(Code::unsupported, *asset, "expected glTF version 2.x, found " + io::quoted(version));
  if (!least.empty() && least != "2.0")
    return fail(Code::unsupported, *asset, "expected a minVersion of 2.0, found " + io::quoted(least));
  return true;
}

bool GltfDocument::check_extensions() {
  for (const std::string_view list_name : {"extensionsRequired", "extensionsUsed"}) {
    const auto list = root().find(list_name);
    if (!list) continue;
    if (!list->is(Kind::array)) return fail(Code::malformed, *list, expected("an array", list_name, *list));
    for (std::size_t i = 0; i < list->size(); ++i) {
      const JsonView name = (*list)[i];
      if (!name.is(Kind::string)) return fail(Code::malformed, name, expected("strings", list_name, name));
      if (is_harmless(name.string())) continue;
      if (list_name == "extensionsRequired")
        return fail(Code::unsupported, name,
                    "the file requires the extension " + io::quoted(name.string()) + ", which is not read");
      problems_.push_back("the extension " + io::quoted(name.string()) + " is ignored");
    }
  }
  return true;
}

std::size_t GltfDocument::count(std::string_view array) const {
  const auto list = root().find(array);
  return list && list->is(Kind::array) ? list->size() : 0;
}

JsonView GltfDocument::item(std::string_view array, std::size_t i) const { return (*root().find(array))[i]; }

bool GltfDocument::read_whole(JsonView object, std::string_view key, std::uint64_t& out, bool required) {
  const auto value = object.find(key);
  if (!value) return !required || fail(Code::malformed, object, "expected '" + std::string(key) + "', found none");
  if (!is_whole(*value)) return fail(Code::malformed, *value, "expected a whole number as '" + std::string(key) + "'");
  out = static_cast<std::uint64_t>(value->number());
  return true;
}

bool GltfDocument::read_index(JsonView object, std::string_view key, std::string_view array,
                              std::optional<std::uint32_t>& out) {
  const auto value = object.find(key);
  if (!value) return true;
  if (!is_whole(*value)) return fail(Code::malformed, *value, "expected an index as '" + std::string(key) + "'");
  if (value->number() >= static_cast<double>(count(array)))
    return fail(Code::out_of_range, *value,
                "'" + std::string(key) + "' is " + std::to_string(static_cast<std::uint64_t>(value->number())) +
                    ", but '" + std::string(array) + "' has " + counted(count(array), "item", "items"));
  out = static_cast<std::uint32_t>(value->number());
  return true;
}

bool GltfDocument::read_indices(JsonView object, std::string_view key, std::string_view array,
                                std::vector<std::uint32_t>& out) {
  const auto list = object.find(key);
  if (!list) return true;
  if (!list->is(Kind::array)) return fail(Code::malformed, *list, expected("an array", key, *list));
  const std::size_t limit = count(array);
  for (std::size_t i = 0; i < list->size(); ++i) {
    const JsonView value = (*list)[i];
    if (!is_whole(value)) return fail(Code::malformed, value, "expected indices in '" + std::string(key) + "'");
    if (value.number() >= static_cast<double>(limit))
      return fail(Code::out_of_range, value,
                  "'" + std::string(key) + "' names " + std::to_string(static_cast<std::uint64_t>(value.number())) +
                      ", but '" + std::string(array) + "' has " + counted(limit, "item", "items"));
    out.push_back(static_cast<std::uint32_t>(value.number()));
  }
  return true;
}

bool GltfDocument::read_numbers(JsonView object, std::string_view key, std::span<double> out, bool& present) {
  const auto list = object.find(key);
  present = list.has_value();
  if (!list) return true;
  const std::string what = "expected " + std::to_string(out.size()) + " numbers as '" + std::string(key) + "'";
  if (!list->is(Kind::array) || list->size() != out.size()) return fail(Code::malformed, *list, what);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!(*list)[i].is(Kind::number)) return fail(Code::malformed, (*list)[i], what);
    out[i] = (*list)[i].number();
  }
  return true;
}

bool GltfDocument::read_string(JsonView object, std::string_view key, std::string& out) {
  const auto value = object.find(key);
  if (!value) return true;
  if (!value->is(Kind::string)) return fail(Code::malformed, *value, expected("a string", key, *value));
  out = value->string();
  return true;
}

bool GltfDocument::read_flag(JsonView object, std::string_view key, bool& out) {
  const auto value = object.find(key);
  if (!value) return true;
  if (!value->is(Kind::boolean)) return fail(Code::malformed, *value, expected("true or false", key, *value));
  out = value->boolean();
  return true;
}

bool GltfDocument::read_object(JsonView object, std::string_view key, std::optional<JsonView>& out) {
  out = object.find(key);
  if (out && !out->is(Kind::object)) return fail(Code::malformed, *out, expected("an object", key, *out));
  return true;
}

bool GltfDocument::fail(Code code, JsonView at, std::string text) {
  IoError error{code, source_->path(), std::nullopt, std::nullopt, std::move(text)};
  // Both in text: there may be a single line of megabytes.
  error.byte = chunk_offset_.value_or(0) + at.byte();
  if (!chunk_offset_)
    error.line =
        1 + static_cast<std::uint64_t>(std::ranges::lower_bound(line_starts_, at.byte()) - line_starts_.begin());
  return fail(std::move(error));
}

bool GltfDocument::fail(IoError error) {
  if (!error_) error_ = std::move(error);
  return false;
}

bool GltfDocument::charge(std::uint64_t bytes, JsonView at) {
  const std::uint64_t limit = k_free_bytes + k_bytes_per_byte * bytes_used_;
  if (bytes <= limit - bytes_charged_) {
    bytes_charged_ += bytes;
    return true;
  }
  return fail(Code::too_large, at,
              "the file asks for more than " + std::to_string(limit >> 20) + " MiB of meshes, of which it brings " +
                  counted(bytes_used_, "byte", "bytes"));
}

bool GltfDocument::hold(std::uint64_t bytes, JsonView at) {
  if (bytes_held_ > options_->max_file_bytes || bytes > options_->max_file_bytes - bytes_held_)
    return fail(Code::too_large, at,
                "with its buffers the file has more than the " + counted(options_->max_file_bytes, "byte", "bytes") +
                    " that are allowed");
  bytes_held_ += bytes;
  return true;
}

}  // namespace snug::io
