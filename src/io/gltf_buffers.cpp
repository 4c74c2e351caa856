#include "io/gltf_buffers.hpp"

#include "io/errors.hpp"

#include <algorithm>
#include <array>
#include <system_error>

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

Result<std::filesystem::path, std::string> resolve_uri(const std::filesystem::path& folder, std::string_view uri) {
  namespace fs = std::filesystem;
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

  std::error_code error;
  const fs::path base = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return Failure{"the folder cannot be examined: " + error.message()};
  const fs::path target = fs::weakly_canonical(base / *decoded, error);
  if (error) return Failure{"the address cannot be followed: " + error.message()};
  const auto [rest, ignored] = std::ranges::mismatch(base, target);
  // A folder that ends in a separator has an empty last element.
  if (rest != base.end() && !rest->empty())
    return Failure{std::string("an address that leads out of the folder by a symbolic link")};
  return target;
}

bool GltfBuffers::bytes(std::uint32_t buffer, std::string_view& out) {
  if (!loaded_[buffer].done && !load(buffer)) return false;
  out = loaded_[buffer].bytes;
  return true;
}

bool GltfBuffers::load(std::uint32_t buffer) {
  const JsonView json = document_.item("buffers", buffer);
  const std::string name = "buffer " + std::to_string(buffer);
  std::uint64_t length = 0;
  if (!document_.read_whole(json, "byteLength", length, true)) return false;

  std::string_view found;
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
    found = *document_.binary_chunk();
  } else if (!uri->is(Json::Kind::string)) {
    return document_.fail(Code::malformed, *uri, "expected a string as 'uri' of " + name);
  } else if (const std::string& text = uri->string(); text.starts_with("data:")) {
    const std::size_t comma = text.find(',');
    if (comma == text.npos || !std::string_view(text).substr(0, comma).ends_with(";base64"))
      return document_.fail(Code::unsupported, *uri, "expected base64 data in " + name + ", found " + io::quoted(text));
    auto decoded = decode_base64(std::string_view(text).substr(comma + 1));
    if (!decoded)
      return document_.fail(Code::malformed, *uri, "expected base64 data in " + name + ", found other characters");
    owned_.push_back(std::make_unique<const std::string>(std::move(*decoded)));
    found = *owned_.back();
  } else if (!load_external(*uri, text, found)) {
    return false;
  }
  if (found.size() < length)
    return document_.fail(
        Code::truncated, json,
        "expected " + counted(length, "byte", "bytes") + " in " + name + ", found " + std::to_string(found.size()));
  loaded_[buffer] = {true, found.substr(0, static_cast<std::size_t>(length))};
  return true;
}

bool GltfBuffers::load_external(JsonView at, const std::string& uri, std::string_view& out) {
  const auto path = resolve_uri(std::filesystem::path(document_.source().path()).parent_path(), uri);
  if (!path)
    return document_.fail(Code::refused, at,
                          "expected a file of this folder, found " + io::quoted(uri) + ": " + path.error());
  // By the resolved path: "a.bin" and "./a.bin" are one file, to be read once.
  if (const auto known = external_.find(path->string()); known != external_.end()) {
    out = known->second;
    return true;
  }
  auto source = ByteSource::open(*path, document_.options());
  if (!source) return document_.fail(source.error());
  const double share = 0.8 / static_cast<double>(std::max<std::size_t>(loaded_.size(), 1));
  const double before = 0.1 + share * static_cast<double>(external_.size());
  source->set_progress_range(before, before + share);
  auto data = read_all(*source, document_.options().max_file_bytes);
  if (!data) return document_.fail(data.error());
  document_.source().set_progress_range(before + share, before + share);
  document_.add_bytes_read(data->size());
  owned_.push_back(std::make_unique<const std::string>(std::move(*data)));
  out = *owned_.back();
  external_.emplace(path->string(), out);
  return true;
}

}  // namespace snug::io
