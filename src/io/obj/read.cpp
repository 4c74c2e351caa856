#include "io/bytes/large_array.hpp"
#include "io/errors.hpp"
#include "io/fan.hpp"
#include "io/obj/obj.hpp"
#include "io/reader.hpp"
#include "io/text/line_reader.hpp"
#include "io/text/number.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

// What a renderer reads and a mesh has no use for; left out without a word.
constexpr std::array<std::string_view, 14> k_ignored{"vn",       "vt",         "vp",        "s",     "mtllib",
                                                     "maplib",   "usemap",     "lod",       "bevel", "c_interp",
                                                     "d_interp", "shadow_obj", "trace_obj", "mg"};

std::string_view trimmed(const char* start, const char* end) {
  start = skip_blanks(start, end);
  while (end != start && is_blank(end[-1])) --end;
  return {start, end};
}

class ObjReader {
 public:
  explicit ObjReader(ByteSource& source) : source_(source), lines_(source) { sections_.emplace_back(); }

  Result<RawAssembly, IoError> read() {
    reserve();
    while (lines_.fill())
      if (!read_block()) return Failure{std::move(*error_)};
    if (lines_.failure()) return lines_.failure_here();
    if (const auto early = first_missing()) return Failure{*early};
    finish_sections();
    look_at_late_fans();
    auto out = share_out({std::move(vertices_), std::move(triangles_), std::move(sections_)}, source_);
    if (!out) return out;
    if (out->parts.empty()) return lines_.fail(Code::malformed, "expected faces, found none in the whole file");
    left_out_.list(out->problems);
    return out;
  }

 private:
  /// Without it the arrays would be copied as they grow, and be up to twice as large as needed in the end.
  void reserve() {
    const ObjCounts counts = estimate_obj_counts(source_);
    reserve_large(vertices_, counts.vertices);
    reserve_large(triangles_, counts.triangles);
  }

  [[nodiscard]] std::uint64_t triangles_of_last() const { return triangles_.size() - sections_.back().first_triangle; }

  void finish_sections() {
    sections_.back().last_vertex = vertices_.size();
    sections_.back().last_triangle = triangles_.size();
    if (triangles_of_last() > 0) return;
    if (started_) left_out_.add_empty_object(sections_.back().name);
    sections_.pop_back();
  }

  enum class Outcome : std::uint8_t {
    done,
    continued,  ///< the line goes on in the next; nothing has been changed
    failed,     ///< error_ is set
  };

  /// All lines at hand. Vertices and faces, which make up nearly all of a file, are parsed where they stand, in one pass.
  bool read_block() {
    const char* at = lines_.cursor();
    const char* const limit = lines_.limit();
    std::uint64_t passed = 0;
    while (at != limit) {
      const char* next = nullptr;
      switch (read_line(at, limit, lines_.passed() + passed + 1, next)) {
        case Outcome::done:
          break;
        case Outcome::failed:
          return false;
        case Outcome::continued:
          lines_.advance(at, passed);
          return read_joined();
      }
      at = next;
      ++passed;
    }
    lines_.advance(at, passed);
    return true;
  }

  bool read_joined() {
    if (!lines_.next() || !lines_.join_continuation()) return error_ = lines_.failure(), false;
    std::string line(lines_.line());
    // What is left of "\\ CR CR LF", which joins nothing, must not ask for more again.
    while (line.ends_with('\r') || line.ends_with('\\')) line.pop_back();
    line += '\n';
    const char* next = nullptr;
    const Outcome outcome = read_line(line.data(), line.data() + line.size(), lines_.number(), next);
    SNUG_ASSERT(outcome != Outcome::continued);  // a joined line does not end in a backslash
    return outcome == Outcome::done;
  }

  /// One line; `next` is set behind its end. `number` is the line's.
  Outcome read_line(const char* at, const char* limit, std::uint64_t number, const char*& next) {
    at = skip_blanks(at, limit);
    if (at[0] == 'v' && is_blank(at[1])) return read_vertex(at + 2, limit, number, next);
    if (at[0] == 'f' && is_blank(at[1])) return read_face(at + 2, limit, number, next);
    const char* const end = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(limit - at)));
    next = end + 1;
    if (at == end) return Outcome::done;
    if (*at == '#') {  // never continued: a comment may well end in a backslash, and the next line count
      if (trimmed(at, end) == k_obj_declared_groups) surfaces_.declare_groups();
      return Outcome::done;
    }
    if (is_continued(at, end)) return Outcome::continued;
    const char* const word_end = skip_word(at, end);
    return read_statement({at, word_end}, trimmed(word_end, end), number);
  }

  static bool is_continued(const char* start, const char* end) {
    if (end != start && end[-1] == '\r') --end;
    return end != start && end[-1] == '\\';
  }

  Outcome read_statement(std::string_view word, std::string_view rest, std::uint64_t number) {
    // Names are kept per surface and part: a long one over many of them must not fill the memory.
    constexpr std::size_t k_longest_name = 1024;
    if (rest.size() > k_longest_name && (word == "o" || word == "g" || word == "usemtl"))
      return fail(Code::too_large, number,
                  "expected a name of at most " + std::to_string(k_longest_name) + " bytes, found " +
                      std::to_string(rest.size()));
    if (word == "o") return start_section(rest, number);
    if (word == "g") {
      surfaces_.set_group(rest);
      if (surfaces_.declared()) surfaces_.resolve(sections_.back(), triangles_of_last());
    } else if (word == "usemtl") {
      surfaces_.set_material(rest);
    } else if (word == "p") {
      ++left_out_.points;
    } else if (word == "l") {
      ++left_out_.lines;
    } else if (word == "call") {
      return fail(Code::unsupported, number, "other files are not included ('call')");
    } else if (word == "v" || word == "f") {
      return fail(Code::malformed, number, "expected numbers after '" + std::string(word) + "', found nothing");
    } else if (std::ranges::find(k_ignored, word) == k_ignored.end()) {
      left_out_.add_unknown(word);
    }
    return Outcome::done;
  }

  Outcome start_section(std::string_view name, std::uint64_t number) {
    ObjSection& last = sections_.back();
    last.last_vertex = vertices_.size();
    last.last_triangle = triangles_.size();
    if (triangles_of_last() > 0) {
      if (sections_.size() == k_max_parts)
        return fail(Code::too_large, number, "more than " + std::to_string(k_max_parts) + " objects");
      sections_.emplace_back();
      sections_.back().first_vertex = vertices_.size();
      sections_.back().first_triangle = triangles_.size();
    } else if (started_) {
      left_out_.add_empty_object(last.name);
      last = {};
      last.first_vertex = vertices_.size();
      last.first_triangle = triangles_.size();
    }  // else what was declared before the first object belongs to it
    sections_.back().name = name;
    surfaces_.start_section();
    started_ = true;
    return Outcome::done;
  }

  Outcome read_vertex(const char* at, const char* limit, std::uint64_t number, const char*& next) {
    std::array<double, 3> value;
    for (double& v : value) {
      at = skip_blanks(at, limit);
      const NumberState state = parse_coordinate(at, limit, v);
      if (state != NumberState::ok || !(is_space(*at))) [[unlikely]]
        return bad_vertex(at, limit, number, state);
    }
    if (*at == '\n')
      next = at + 1;
    else if (!pass_rest(at, limit, next))
      return Outcome::continued;
    else if (!are_extra_numbers(at, next - 1)) [[unlikely]]
      return fail(
          Code::malformed, number,
          "expected numbers to the end of the line, found " + quoted({at, static_cast<std::size_t>(next - 1 - at)}));
    vertices_.push_back({value[0], value[1], value[2]});
    return Outcome::done;
  }

  /// Behind the coordinates may stand a weight or a colour, and a comment. Anything else, a carriage return in the middle
  /// included, would be another statement that got lost.
  static bool are_extra_numbers(const char* at, const char* end) {
    constexpr int k_most = 5;
    if (end != at && end[-1] == '\r') --end;
    if (std::memchr(at, '\r', static_cast<std::size_t>(end - at)) != nullptr) return false;
    for (int count = 0;; ++count) {
      at = skip_blanks(at, end);
      if (at == end || *at == '#') return true;
      double ignored = 0;
      if (count == k_most || parse_double(at, end, ignored) == NumberState::malformed) return false;
      if (at != end && !is_blank(*at)) return false;
    }
  }

  Outcome bad_vertex(const char* at, const char* limit, std::uint64_t number, NumberState state) {
    const char* next = nullptr;
    if (!pass_rest(at, limit, next)) return Outcome::continued;
    const std::string found = quoted({at, skip_word(at, limit)});
    if (state == NumberState::non_finite)
      return fail(Code::non_finite, number, "expected a finite number, found " + found);
    return fail(Code::malformed, number, "expected three numbers after 'v', found " + found);
  }

  /// Sets `next` behind the line's end; false if the line is continued.
  static bool pass_rest(const char* at, const char* limit, const char*& next) {
    const char* const end = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(limit - at)));
    next = end + 1;
    return !is_continued(at, end);
  }

  Outcome read_face(const char* at, const char* limit, std::uint64_t number, const char*& next) {
    const auto count = static_cast<std::int64_t>(vertices_.size());
    std::size_t corners = 0;
    std::uint32_t first = 0, before = 0;
    const std::size_t triangles_before = triangles_.size();
    for (;; ++corners) {
      at = skip_blanks(at, limit);
      if (*at == '\n') break;
      if (*at == '#') {
        at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(limit - at)));
        break;
      }
      std::int64_t index = 0;
      const char* const word = at;
      NumberState state = parse_integer(at, limit, index);
      // Behind the vertex may stand texture and normal: "7/2/5", "7//5", "7/2".
      if (*at == '/')
        while (is_digit(*at) || *at == '/' || *at == '-' || *at == '+') ++at;
      if (state == NumberState::ok && !is_space(*at)) state = NumberState::malformed;
      const std::int64_t vertex = index > 0 ? index - 1 : count + index;
      const bool good = state == NumberState::ok && index != 0 && vertex >= 0 && vertex < std::int64_t{k_max_vertices};
      if (!good) [[unlikely]] {
        triangles_.resize(triangles_before);
        return bad_corner(word, limit, number, state, index);
      }
      if (vertex >= count) [[unlikely]]
        note_ahead(vertex, number);
      const auto corner = static_cast<std::uint32_t>(vertex);
      if (corners == 0) first = corner;
      if (corners >= 2) triangles_.push_back({first, before, corner});
      before = corner;
    }
    next = at + 1;
    if (corners < 3)
      return fail(Code::malformed, number,
                  "expected at least three corners after 'f', found " + std::to_string(corners));
    ObjSection& section = sections_.back();
    if (corners > 3) look_at_fan(triangles_before);
    for (std::size_t i = triangles_before; i < triangles_.size(); ++i)
      section.collapsed += has_twin_corners(triangles_[i]);
    surfaces_.add_triangles(section, triangles_before - section.first_triangle, triangles_.size() - triangles_before);
    return Outcome::done;
  }

  /// Of the face read last. Those with vertices still to come are looked at when these have come.
  void look_at_fan(std::size_t first_triangle) {
    const auto fan = std::span(std::as_const(triangles_)).subspan(first_triangle);
    const bool complete =
        std::ranges::all_of(fan, [&](const Index3& t) { return std::ranges::max(t) < vertices_.size(); });
    if (complete)
      sections_.back().misfits += fan_misfits(vertices_, fan);
    else
      late_fans_.push_back({sections_.size() - 1, first_triangle, fan.size()});
  }
  void look_at_late_fans() {
    for (const LateFan& late : late_fans_)
      sections_[late.section].misfits +=
          fan_misfits(vertices_, std::span(std::as_const(triangles_)).subspan(late.first_triangle, late.triangles));
  }

  /// Vertices still to come may be named; whether they came is looked at in the end.
  void note_ahead(std::int64_t vertex, std::uint64_t number) {
    if (vertex <= highest_ahead_) return;
    highest_ahead_ = vertex;
    ahead_.push_back({static_cast<std::uint32_t>(vertex), number});
  }

  Outcome bad_corner(const char* word, const char* limit, std::uint64_t number, NumberState state, std::int64_t index) {
    const char* next = nullptr;
    if (!pass_rest(word, limit, next)) return Outcome::continued;
    const std::string found = quoted({word, skip_word(word, limit)});
    if (state == NumberState::malformed)
      return fail(Code::malformed, number, "expected vertex numbers after 'f', found " + found);
    if (index == 0 && state == NumberState::ok)
      return fail(Code::out_of_range, number, "vertices count from 1, found " + found);
    return fail(Code::out_of_range, number, "there is no vertex " + found + ", " + so_far());
  }
  [[nodiscard]] std::string so_far() const { return "only " + std::to_string(vertices_.size()) + " so far"; }

  /// The first face that names a vertex which never came. Such a face was the highest of all before it.
  [[nodiscard]] std::optional<IoError> first_missing() const {
    for (const Ahead& a : ahead_)
      if (a.vertex >= vertices_.size())
        return IoError{Code::out_of_range, source_.path(), a.line, std::nullopt,
                       "there is no vertex '" + std::to_string(std::uint64_t{a.vertex} + 1) + "', only " +
                           std::to_string(vertices_.size()) + " in the whole file"};
    return std::nullopt;
  }

  Outcome fail(Code code, std::uint64_t number, std::string text) {
    error_ = IoError{code, source_.path(), number, std::nullopt, std::move(text)};
    return Outcome::failed;
  }

  static constexpr std::uint32_t k_max_vertices = std::numeric_limits<std::uint32_t>::max();
  struct Ahead {
    std::uint32_t vertex;
    std::uint64_t line;
  };

  struct LateFan {
    std::size_t section, first_triangle, triangles;
  };

  ByteSource& source_;
  LineReader lines_;
  std::vector<Point3> vertices_;
  std::vector<Index3> triangles_;
  std::vector<ObjSection> sections_;
  ObjSurfaces surfaces_;
  ObjLeftOut left_out_;
  std::vector<Ahead> ahead_;  ///< faces that named a higher vertex than any before, and one not yet there
  std::int64_t highest_ahead_ = -1;
  std::vector<LateFan> late_fans_;
  bool started_ = false;  ///< an 'o' was seen
  std::optional<IoError> error_;
};

}  // namespace

Result<RawAssembly, IoError> read_obj(ByteSource& source, const LoadOptions&) { return ObjReader(source).read(); }

}  // namespace snug::io
