#include "io/bytes/large_array.hpp"
#include "io/errors.hpp"
#include "io/ply/ply.hpp"
#include "io/text/number.hpp"

#include <algorithm>
#include <array>

namespace snug::io {

namespace {

using Code = IoError::Code;

/// One element per line, as the format asks: a line with a value too few or too many is noticed where it stands.
class TextReader {
 public:
  TextReader(LineReader& lines, const PlyHeader& header, std::uint64_t bytes)
      : lines_(lines), header_(header), fan_(mesh_) {
    // "0 0 0" and "3 0 1 2" with their line ends are the shortest vertex and triangle.
    const auto reserve = [](auto& list, std::uint64_t count) { reserve_large(list, static_cast<std::size_t>(count)); };
    reserve(mesh_.vertices, std::min(header.elements[header.vertex].count, bytes / 6));
    const std::uint64_t triangles = std::min(header.elements[header.face].count, bytes / 8);
    reserve(mesh_.triangles, triangles);
    if (header.surface) reserve(mesh_.surface, triangles);
    if (header.part) reserve(mesh_.part, triangles);
  }

  Result<PlyMesh, IoError> read() {
    for (std::size_t i = 0; i < header_.elements.size(); ++i) {
      element_ = &header_.elements[i];
      const bool is_vertex = i == header_.vertex;
      const bool is_face = i == header_.face;
      if (element_->properties.empty()) continue;  // nothing is written for these
      for (index_ = 0; index_ < element_->count; ++index_) {
        if (!next_line()) return lines_.fail_at_end(element_text());
        const bool good = is_vertex ? read_vertex() : is_face ? read_face() : skip_element();
        if (!good) return Failure{std::move(*error_)};
        if (skip_blanks(at_, end_) != end_)
          return lines_.fail(Code::malformed,
                             "expected the end of the line after " + element_text() + ", found " + quoted(word()));
      }
    }
    if (next_line())
      return lines_.fail(Code::malformed,
                         "expected the end of the file after the last element, found " + quoted(lines_.line()));
    if (lines_.failure()) return lines_.failure_here();
    if (mesh_.triangles.empty())
      return lines_.fail(Code::malformed, "expected triangles, found only faces with fewer than three corners");
    return std::move(mesh_);
  }

 private:
  bool next_line() {
    while (lines_.next()) {
      at_ = lines_.line().data();
      end_ = at_ + lines_.line().size();
      at_ = skip_blanks(at_, end_);
      if (at_ != end_) return true;
    }
    return false;
  }

  std::string element_text() const { return element_->name + ' ' + std::to_string(index_); }
  std::string_view word() {
    at_ = skip_blanks(at_, end_);
    return {at_, skip_word(at_, end_)};
  }
  bool fail(Code code, std::string text) {
    error_ = lines_.fail(code, std::move(text)).error;
    return false;
  }
  bool fail_number(NumberState state, const std::string& what) {
    const bool wild = state == NumberState::non_finite;
    return fail(wild ? Code::non_finite : Code::malformed,
                "expected " + what + " of " + element_text() + ", found " + quoted(word()));
  }
  [[nodiscard]] bool at_word_end() const { return at_ == end_ || is_blank(*at_); }

  bool read_integer(std::int64_t& value, const std::string& what) {
    at_ = skip_blanks(at_, end_);
    const char* const start = at_;
    const NumberState state = parse_integer(at_, end_, value);
    if (state == NumberState::ok && at_word_end()) return true;
    at_ = start;
    return fail_number(NumberState::malformed, what);
  }

  bool skip_property(const PlyProperty& property) {
    std::int64_t words = 1;
    if (property.count_type && !read_integer(words, "the length of the list '" + property.name + "'")) return false;
    if (words < 0)
      return fail(Code::malformed, "a list '" + property.name + "' of negative length in " + element_text());
    for (std::int64_t i = 0; i < words; ++i) {
      const std::string_view skipped = word();
      if (skipped.empty()) return fail_number(NumberState::malformed, "'" + property.name + "'");
      at_ = skipped.data() + skipped.size();
    }
    return true;
  }

  bool skip_element() {
    return std::ranges::all_of(element_->properties, [this](const PlyProperty& p) { return skip_property(p); });
  }

  bool read_vertex() {
    std::array<double, 3> xyz{};
    for (std::size_t i = 0; i < element_->properties.size(); ++i) {
      const std::size_t axis = i == header_.x ? 0 : i == header_.y ? 1 : i == header_.z ? 2 : 3;
      if (axis == 3) {
        if (!skip_property(element_->properties[i])) return false;
        continue;
      }
      at_ = skip_blanks(at_, end_);
      const char* const start = at_;
      const NumberState state = parse_coordinate(at_, end_, xyz[axis]);
      if (state == NumberState::ok && at_word_end()) continue;
      at_ = start;
      return fail_number(state, element_->properties[i].name);
    }
    mesh_.vertices.push_back({xyz[0], xyz[1], xyz[2]});
    return true;
  }

  bool read_face() {
    std::int64_t surface = 0, part = 0;
    for (std::size_t i = 0; i < element_->properties.size(); ++i) {
      const PlyProperty& property = element_->properties[i];
      bool good = false;
      if (i == header_.corners)
        good = read_corners();
      else if (i == header_.surface)
        good = read_integer(surface, "a surface number");
      else if (i == header_.part)
        good = read_integer(part, "a part number");
      else
        good = skip_property(property);
      if (!good) return false;
    }
    fan_.finish(header_, static_cast<std::uint32_t>(surface), static_cast<std::uint32_t>(part));
    return true;
  }

  bool read_corners() {
    std::int64_t count = 0;
    if (!read_integer(count, "the number of corners")) return false;
    if (count < 0) return fail(Code::malformed, "a negative number of corners in " + element_text());
    if (static_cast<std::uint64_t>(count) + mesh_.triangles.size() > k_max_ply_triangles)
      return fail(Code::too_large, "more than 2^32 - 1 triangles");
    const std::uint64_t vertices = header_.elements[header_.vertex].count;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t index = 0;
      if (!read_integer(index, "a vertex index")) return false;
      if (index < 0 || static_cast<std::uint64_t>(index) >= vertices)
        return fail(Code::out_of_range, "vertex " + std::to_string(index) + " of " + element_text() +
                                            " does not exist: there are " + counted(vertices, "vertex", "vertices"));
      fan_.corner(static_cast<std::uint32_t>(index));
    }
    return true;
  }

  LineReader& lines_;
  const PlyHeader& header_;
  PlyMesh mesh_;
  PlyFan fan_;
  const PlyElement* element_ = nullptr;
  std::uint64_t index_ = 0;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::optional<IoError> error_;
};

}  // namespace

Result<PlyMesh, IoError> read_ply_text(LineReader& lines, const PlyHeader& header, std::uint64_t bytes) {
  return TextReader(lines, header, bytes).read();
}

}  // namespace snug::io
