#include "io/gltf/buffers.hpp"

#include "io/errors.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<std::string> decode_percent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const auto high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high << 4 | *low);
    i += 2;
  }
  return out;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == uri.npos || colon == 0 || !is_letter(uri[0])) return false;
  return std::ranges::all_of(uri.substr(0, colon), [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  });
}

bool climbs(std::string_view path) {
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t stop = std::min(path.find('/', start), path.size());
    if (path.substr(start, stop - start) == "..") return true;
    start = stop + 1;
  }
  return false;
}

constexpr std::array<std::int8_t, 256> base64_table() {
  std::array<std::int8_t, 256> table{};
  table.fill(-1);
  constexpr std::string_view k_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < k_digits.size(); ++i)
    table[static_cast<unsigned char>(k_digits[i])] = static_cast<std::int8_t>(i);
  return table;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr auto k_table = base64_table();
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::int8_t digit = k_table[static_cast<unsigned char>(c)];
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 0xFF);
    }
  }
  return out;
}

Result<std::filesystem::path, std::string> relative_path(std::string_view uri) {
  const auto decoded = decode_percent(uri);
  if (!decoded) return Failure{std::string("a percent sign without two hexadecimal digits")};
  if (decoded->empty()) return Failure{std::string("an empty address")};
  if (decoded->find('\0') != decoded->npos) return Failure{std::string("a zero byte in the address")};
  if (has_scheme(*decoded) || has_scheme(uri))
    return Failure{std::string("an address with a scheme; only files of the same folder are read")};
  // A backslash separates folders on some systems and is no sane part of a name on the others.
  if (decoded->starts_with('/') || decoded->find('\\') != decoded->npos)
    return Failure{std::string("an absolute address; only files of the same folder are read")};
  if (climbs(*decoded)) return Failure{std::string("an address that climbs out of the folder")};
  return std::filesystem::path(*decoded).lexically_normal();
}

bool GltfBuffers::bytes(std::uint32_t buffer, std::string_view& out) {
  SNUG_ASSERT(buffer < loaded_.size());
  if (!loaded_[buffer].done && !load(buffer)) return false;
  out = loaded_[buffer].bytes;
  return true;
}

bool GltfBuffers::load(std::uint32_t buffer) {
  const JsonView json = document_.item("buffers", buffer);
  const std::string name = "buffer " + std::to_string(buffer);
  std::uint64_t length = 0;
  if (!document_.read_whole(json, "byteLength", length, true)) return false;

  Loaded found;
  const auto uri = json.find("uri");
  if (!uri) {
    if (buffer != 0 || !document_.binary_chunk()) {
      const auto extensions = json.find("extensions");
      if (extensions && extensions->is(Json::Kind::object) && extensions->size() > 0)
        return document_.fail(
            Code::unsupported, json,
            name + " needs the extension " + io::quoted((*extensions)[0].key()) + ", which is not read");
      return document_.fail(Code::malformed, json, "expected a 'uri' in " + name + ", found none");
    }
    found = {true, *document_.binary_chunk(), document_.source().path(), document_.binary_chunk_offset(), {}};
  } else if (!uri->is(Json::Kind::string)) {
    return document_.fail(Code::malformed, *uri, "expected a string as 'uri' of " + name);
  } else if (const std::string& text = uri->string(); text.starts_with("data:")) {
    const std::size_t comma = text.find(',');
    if (comma == text.npos || !std::string_view(text).substr(0, comma).ends_with(";base64"))
      return document_.fail(Code::unsupported, *uri, "expected base64 data in " + name + ", found " + io::quoted(text));
    if (!document_.hold(text.size() / 4 * 3, *uri)) return false;
    auto decoded = decode_base64(std::string_view(text).substr(comma + 1));
    if (!decoded)
      return document_.fail(Code::malformed, *uri, "expected base64 data in " + name + ", found other characters");
    owned_.push_back(std::make_unique<const std::string>(std::move(*decoded)));
    found.bytes = *owned_.back();
  } else if (!load_external(*uri, text, length, found)) {
    return false;
  }
  if (found.bytes.size() < length)
    return document_.fail(Code::truncated, json,
                          "expected " + counted(length, "byte", "bytes") + " in " + name + ", found " +
                              std::to_string(found.bytes.size()));
  found.bytes = found.bytes.substr(0, static_cast<std::size_t>(length));
  found.done = true;
  loaded_[buffer] = std::move(found);
  return true;
}

bool GltfBuffers::load_external(JsonView at, const std::string& uri, std::uint64_t length, Loaded& out) {
  const auto path = relative_path(uri);
  const auto refuse = [&](const std::string& why) {
    return document_.fail(Code::refused, at, "expected a file of this folder, found " + io::quoted(uri) + ": " + why);
  };
  if (!path) return refuse(path.error());
  const auto folder = std::filesystem::path(document_.source().path()).parent_path();
  out.file = (folder / *path).string();
  // By the path in its plain form: "a.bin" and "./a.bin" are one file, to be read once.
  std::string_view& known = external_[path->string()];
  if (known.size() < length) {
    auto source = ByteSource::open_beneath(folder, *path, out.file, document_.options());
    if (!source && source.error().code == Code::refused) return refuse(source.error().text);
    if (!source) return document_.fail(source.error());
    if (source->size() < length)
      return document_.fail(
          failure_at_byte(Code::truncated, out.file, source->size(),
                          "expected a buffer of " + counted(length, "byte", "bytes") + ", found the end of the file")
              .error);
    if (!document_.hold(length, at)) return false;
    const double share = 0.8 / static_cast<double>(std::max<std::size_t>(loaded_.size(), 1));
    const double before = std::min(0.1 + share * static_cast<double>(external_.size() - 1), 0.9 - share);
    source->restart(document_.options(), document_.options().hash);
    source->set_progress_range(before, before + share);
    auto data = read_piece(*source, length);
    if (!data) return document_.fail(data.error());
    document_.source().set_progress_range(before + share, before + share);
    auto hash = source->finish();
    if (!hash) return document_.fail(hash.error());
    referenced_.push_back({out.file, std::move(*hash)});
    owned_.push_back(std::make_unique<const std::string>(std::move(*data)));
    known = *owned_.back();
  }
  out.bytes = known;
  return true;
}

void GltfBuffers::use(std::uint32_t buffer, std::uint64_t first, std::uint64_t last, std::uint64_t wanted) {
  SNUG_ASSERT(first <= last && last <= loaded_[buffer].bytes.size());
  auto& used = loaded_[buffer].used;
  std::uint64_t fresh = last - first;
  auto at = used.upper_bound(first);
  if (at != used.begin() && std::prev(at)->second >= first) --at;
  while (at != used.end() && at->first <= last) {
    const std::uint64_t overlap_first = std::max(at->first, first), overlap_last = std::min(at->second, last);
    if (overlap_last > overlap_first) fresh -= overlap_last - overlap_first;
    // What remains to be looked at starts behind this range, so nothing is subtracted twice: ranges do not touch.
    first = std::min(first, at->first);
    last = std::max(last, at->second);
    at = used.erase(at);
  }
  used.emplace(first, last);
  document_.add_bytes_used(std::min(fresh, wanted));
}

bool GltfBuffers::fail(Code code, std::uint32_t buffer, std::uint64_t byte, JsonView json, std::string text) {
  const Loaded& from = loaded_[buffer];
  if (from.file.empty()) return document_.fail(code, json, std::move(text));
  return document_.fail(failure_at_byte(code, from.file, from.file_offset + byte, std::move(text)).error);
}

}  // namespace snug::io
