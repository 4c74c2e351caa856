#include "io/errors.hpp"
#include "io/ply/ply.hpp"
#include "io/text/number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

constexpr std::size_t k_max_elements = 4096;
constexpr std::size_t k_max_properties = 4096;

struct TypeName {
  std::string_view name;
  PlyType type;
};
constexpr std::array k_type_names{
    TypeName{"char", PlyType::int8},       TypeName{"int8", PlyType::int8},       TypeName{"uchar", PlyType::uint8},
    TypeName{"uint8", PlyType::uint8},     TypeName{"short", PlyType::int16},     TypeName{"int16", PlyType::int16},
    TypeName{"ushort", PlyType::uint16},   TypeName{"uint16", PlyType::uint16},   TypeName{"int", PlyType::int32},
    TypeName{"int32", PlyType::int32},     TypeName{"uint", PlyType::uint32},     TypeName{"uint32", PlyType::uint32},
    TypeName{"float", PlyType::float32},   TypeName{"float32", PlyType::float32}, TypeName{"double", PlyType::float64},
    TypeName{"float64", PlyType::float64},
};

std::optional<PlyType> parse_type(std::string_view word) {
  for (const auto& [name, type] : k_type_names)
    if (name == word) return type;
  return std::nullopt;
}

/// Words of a header line, one after the other.
class Words {
 public:
  explicit Words(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}
  /// Empty at the end of the line.
  std::string_view next() {
    at_ = skip_blanks(at_, end_);
    const char* const start = at_;
    at_ = skip_word(at_, end_);
    return {start, at_};
  }
  /// What follows the next blank, as it is.
  [[nodiscard]] std::string_view rest() const { return {at_ == end_ ? at_ : at_ + 1, end_}; }

 private:
  const char* at_;
  const char* end_;
};

std::optional<std::uint64_t> parse_count(std::string_view word) {
  const char* at = word.data();
  std::int64_t value = 0;
  if (parse_integer(at, word.data() + word.size(), value) != NumberState::ok) return std::nullopt;
  if (at != word.data() + word.size() || value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::optional<SurfaceKind> parse_kind(std::string_view word) {
  for (int kind = 0; kind <= static_cast<int>(SurfaceKind::spline); ++kind)
    if (to_string(static_cast<SurfaceKind>(kind)) == word) return static_cast<SurfaceKind>(kind);
  return std::nullopt;
}

/// What does not look like one of our notes is somebody's comment.
void read_note(Words words, std::vector<PlyPartNote>& notes) {
  if (words.next() != "snug") return;
  const std::string_view what = words.next();
  if (what == "part") {
    if (const auto vertices = parse_count(words.next()))
      notes.push_back({unescape_ply_name(words.rest()), *vertices, {}});
  } else if (what == "surface" && !notes.empty()) {
    const auto kind = parse_kind(words.next());
    const std::string_view sag = words.next();
    const std::string_view how = words.next();
    Surface surface;
    const char* at = sag.data();
    if (parse_double(at, sag.data() + sag.size(), surface.sag.value) != NumberState::ok) return;
    if (!kind || surface.sag.value < 0 || (how != "exact" && how != "estimated")) return;
    surface.kind = *kind;
    surface.sag.estimated = how == "estimated";
    surface.name = unescape_ply_name(words.rest());
    notes.back().surfaces.push_back(std::move(surface));
  }
}

class HeaderReader {
 public:
  explicit HeaderReader(LineReader& lines) : lines_(lines) {}

  Result<PlyHeader, IoError> read() {
    if (!lines_.next()) return lines_.fail_at_end("'ply'");
    if (Words(lines_.line()).next() != "ply")
      return lines_.fail(Code::malformed, "expected 'ply', found " + quoted(lines_.line()));
    for (bool ended = false; !ended;) {
      if (!lines_.next()) return lines_.fail_at_end("'end_header'");
      if (auto done = read_line(ended); !done) return Failure{done.error()};
    }
    if (!has_format_) return lines_.fail(Code::malformed, "expected a line 'format …' in the header, found none");
    if (auto done = find_mesh(); !done) return Failure{done.error()};
    return std::move(header_);
  }

 private:
  Failure<IoError> malformed(std::string text) const { return lines_.fail(Code::malformed, std::move(text)); }

  Result<void, IoError> read_line(bool& ended) {
    Words words(lines_.line());
    const std::string_view keyword = words.next();
    if (keyword == "comment") return read_note(words, header_.notes), Result<void, IoError>{};
    if (keyword == "format") return read_format(words);
    if (keyword == "element") return read_element(words);
    if (keyword == "property") return read_property(words);
    ended = keyword == "end_header";
    if (ended || keyword == "obj_info" || keyword.empty()) return {};
    return malformed("expected a header line, found " + quoted(keyword));
  }

  Result<void, IoError> read_format(Words words) {
    if (has_format_) return malformed("a second line 'format'");
    has_format_ = true;
    const std::string_view name = words.next();
    if (name == "ascii") {
      header_.encoding = PlyEncoding::ascii;
    } else if (name == "binary_little_endian") {
      header_.encoding = PlyEncoding::little_endian;
    } else if (name == "binary_big_endian") {
      header_.encoding = PlyEncoding::big_endian;
    } else {
      return malformed("expected ascii, binary_little_endian or binary_big_endian, found " + quoted(name));
    }
    const std::string_view version = words.next();
    if (version != "1.0") return lines_.fail(Code::unsupported, "expected version 1.0, found " + quoted(version));
    return {};
  }

  Result<void, IoError> read_element(Words words) {
    const std::string_view name = words.next();
    const std::string_view word = words.next();
    const auto count = parse_count(word);
    if (name.empty() || !count) return malformed("expected 'element <name> <count>', found the count " + quoted(word));
    for (const PlyElement& element : header_.elements)
      if (element.name == name) return malformed("a second element " + quoted(name));
    if (header_.elements.size() == k_max_elements)
      return lines_.fail(Code::too_large, "more than " + std::to_string(k_max_elements) + " elements");
    header_.elements.push_back({std::string(name), *count, {}});
    return {};
  }

  Result<void, IoError> read_property(Words words) {
    if (header_.elements.empty()) return malformed("a property before the first element");
    PlyElement& element = header_.elements.back();
    PlyProperty property;
    std::string_view word = words.next();
    if (word == "list") {
      word = words.next();
      property.count_type = parse_type(word);
      if (!property.count_type || !is_integer(*property.count_type))
        return malformed("expected an integer type for the length of a list, found " + quoted(word));
      word = words.next();
    }
    const auto type = parse_type(word);
    if (!type) return malformed("expected a type such as float or int, found " + quoted(word));
    property.type = *type;
    property.name = words.next();
    if (property.name.empty()) return malformed("expected the name of a property");
    if (element.find(property.name)) return malformed("a second property " + io::quoted(property.name));
    if (element.properties.size() == k_max_properties)
      return lines_.fail(Code::too_large, "more than " + std::to_string(k_max_properties) + " properties");
    element.properties.push_back(std::move(property));
    return {};
  }

  Result<void, IoError> find_mesh() {
    const auto find = [&](std::string_view name) {
      const auto found = std::ranges::find(header_.elements, name, &PlyElement::name);
      return found == header_.elements.end() ? nullptr : &*found;
    };
    if (const PlyElement* strips = find("tristrips"); strips != nullptr && strips->count > 0)
      return lines_.fail(Code::unsupported, "triangle strips (element 'tristrips') are not read; only 'face' is");
    const PlyElement* const vertex = find("vertex");
    if (vertex == nullptr) return malformed("expected an element 'vertex', found none");
    const PlyElement* const face = find("face");
    if (face == nullptr) return malformed("expected an element 'face', found none");
    if (face->count == 0) return malformed("expected triangles, found no face");
    header_.vertex = static_cast<std::size_t>(vertex - header_.elements.data());
    header_.face = static_cast<std::size_t>(face - header_.elements.data());
    if (vertex->count > k_max_ply_triangles)
      return lines_.fail(Code::too_large, counted(vertex->count, "vertex", "vertices") + ", the limit is 2^32 - 1");

    for (const auto& [name, place] : {std::pair{"x", &header_.x}, {"y", &header_.y}, {"z", &header_.z}}) {
      const auto at = vertex->find(name);
      if (!at || vertex->properties[*at].count_type)
        return malformed(std::string("expected a property '") + name + "' of the element 'vertex', found none");
      *place = *at;
    }
    auto corners = face->find("vertex_indices");
    if (!corners) corners = face->find("vertex_index");
    if (!corners || !face->properties[*corners].count_type || !is_integer(face->properties[*corners].type))
      return malformed("expected a list 'vertex_indices' of integers in the element 'face', found none");
    header_.corners = *corners;
    header_.surface = find_number(*face, "surface");
    header_.part = find_number(*face, "part");
    return {};
  }

  static std::optional<std::size_t> find_number(const PlyElement& face, std::string_view name) {
    const auto at = face.find(name);
    if (!at || face.properties[*at].count_type || !is_integer(face.properties[*at].type)) return std::nullopt;
    return at;
  }

  LineReader& lines_;
  PlyHeader header_;
  bool has_format_ = false;
};

constexpr std::string_view k_hex = "0123456789ABCDEF";

}  // namespace

std::size_t size_of(PlyType type) noexcept {
  constexpr std::array<std::size_t, 8> k_sizes{1, 1, 2, 2, 4, 4, 4, 8};
  return k_sizes[static_cast<std::size_t>(type)];
}

bool is_integer(PlyType type) noexcept { return type != PlyType::float32 && type != PlyType::float64; }

std::optional<std::size_t> PlyElement::find(std::string_view property) const {
  const auto found = std::ranges::find(properties, property, &PlyProperty::name);
  if (found == properties.end()) return std::nullopt;
  return static_cast<std::size_t>(found - properties.begin());
}

std::uint64_t PlyElement::least_bytes() const {
  std::uint64_t bytes = 0;
  for (const PlyProperty& property : properties) bytes += size_of(property.count_type.value_or(property.type));
  return bytes;
}

Result<PlyHeader, IoError> read_ply_header(LineReader& lines) { return HeaderReader(lines).read(); }

std::string escape_ply_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f && c != '%')
      out += c;
    else
      out += {'%', k_hex[byte >> 4], k_hex[byte & 15]};
  }
  return out;
}

std::string unescape_ply_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto high = i + 2 < name.size() ? k_hex.find(name[i + 1]) : k_hex.npos;
    const auto low = i + 2 < name.size() ? k_hex.find(name[i + 2]) : k_hex.npos;
    if (name[i] == '%' && high != k_hex.npos && low != k_hex.npos) {
      out += static_cast<char>(high << 4 | low);
      i += 2;
    } else {
      out += name[i];
    }
  }
  return out;
}

}  // namespace snug::io
