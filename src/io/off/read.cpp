#include "io/errors.hpp"
#include "io/fan.hpp"
#include "io/reader.hpp"
#include "io/text/line_reader.hpp"
#include "io/text/number.hpp"

#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

constexpr std::uint64_t k_max_off_ids = 0xFFFF'FFFF;

/// How the numbers of a file are told apart. Line ends are no more than blanks by the format, but where they mean
/// something, a colour may stand between the numbers we need and the end of the line, of any number of components.
enum class Layout : std::uint8_t {
  lines,  ///< each vertex and each face has a line of its own, and may be followed there by other numbers
  words,  ///< there is nothing but the numbers we need, and lines end anywhere
};

class OffReader {
 public:
  OffReader(ByteSource& source, Layout layout) : source_(source), lines_(source), layout_(layout) {}

  Result<RawAssembly, IoError> read() {
    if (!read_keyword() || !read_counts() || !read_vertices() || !read_faces()) return Failure{std::move(*error_)};
    if (seek())
      return lines_.fail(Code::malformed, "expected the end of the file after the last face, found " + quoted(word()));
    if (lines_.failure()) return lines_.failure_here();
    if (part_.mesh.triangles.empty()) return lines_.fail(Code::malformed, "expected triangles, found none");
    RawAssembly out;
    if (thin_faces_ > 0)
      out.problems.push_back(counted(thin_faces_, "face", "faces") + " with fewer than three corners left out");
    if (misfits_ > 0) part_.problems.push_back(misfit_fans_text(misfits_));
    out.parts.push_back(std::move(part_));
    return out;
  }
  /// False if the file says that there is more to a vertex than its coordinates.
  [[nodiscard]] bool is_plain() const noexcept { return plain_; }

 private:
  bool fail(Code code, std::string text) {
    error_ = lines_.fail(code, std::move(text)).error;
    return false;
  }
  bool fail_at_end(const std::string& expected) {
    error_ = lines_.fail_at_end(expected).error;
    return false;
  }

  /// Moves to the next word, over line ends and comments; false at the end of the file.
  bool seek() {
    for (;;) {
      at_ = skip_blanks(at_, end_);
      if (at_ != end_) return true;
      if (!lines_.next()) return false;
      const std::string_view line = lines_.line().substr(0, lines_.line().find('#'));
      at_ = line.data();
      end_ = at_ + line.size();
    }
  }
  /// The next word of this line; empty if there is none.
  std::string_view word() {
    at_ = skip_blanks(at_, end_);
    return {at_, skip_word(at_, end_)};
  }
  bool fail_number(NumberState state, const std::string& what) {
    return fail(state == NumberState::non_finite ? Code::non_finite : Code::malformed,
                "expected " + what + ", found " + quoted(word()));
  }
  [[nodiscard]] bool at_word_end() const { return at_ == end_ || is_blank(*at_); }

  /// Moves to the next word of the element at hand; at_ stays at the end where there is none.
  bool seek_within() {
    at_ = skip_blanks(at_, end_);
    return layout_ == Layout::lines || seek();
  }

  bool read_integer(std::int64_t& value, const char* what) {
    if (!seek_within()) return fail_at_end(what);
    const char* const start = at_;
    if (parse_integer(at_, end_, value) == NumberState::ok && at_word_end()) return true;
    at_ = start;
    return fail_number(NumberState::malformed, what);
  }

  bool fail_at_vertex(std::uint64_t vertex) {
    return fail_at_end("vertex " + std::to_string(vertex) + " of " + std::to_string(vertices_));
  }
  bool read_coordinate(double& value, std::uint64_t vertex) {
    if (!seek_within()) return fail_at_vertex(vertex);
    const char* const start = at_;
    const NumberState state = parse_coordinate(at_, end_, value);
    if (state == NumberState::ok && at_word_end()) return true;
    at_ = start;
    return fail_number(state, "three coordinates of vertex " + std::to_string(vertex));
  }

  /// Passes over the numbers behind an element: a colour, a normal, a place in a texture.
  bool pass_rest_of_line() {
    if (layout_ == Layout::words) return true;
    while (!word().empty()) {
      double ignored = 0;
      const char* const start = at_;
      if (parse_double(at_, end_, ignored) != NumberState::malformed && at_word_end()) continue;
      at_ = start;
      return fail_number(NumberState::malformed, "numbers to the end of the line");
    }
    return true;
  }

  bool read_keyword() {
    if (!seek()) return fail_at_end("'OFF'");
    std::string_view kind = word();
    const std::string_view keyword = kind;
    if (!kind.ends_with("OFF")) return fail(Code::malformed, "expected 'OFF', found " + quoted(keyword));
    kind.remove_suffix(3);
    plain_ = kind.empty();
    if (kind.starts_with("ST")) kind.remove_prefix(2);
    if (kind.starts_with("C")) kind.remove_prefix(1);
    if (kind.starts_with("N")) kind.remove_prefix(1);
    if (kind == "4" || kind == "n" || kind == "4n")
      return fail(Code::unsupported, "expected three coordinates (OFF, COFF, NOFF …), found " + quoted(keyword));
    if (!kind.empty()) return fail(Code::malformed, "expected 'OFF', found " + quoted(keyword));
    at_ += keyword.size();
    if (word() == "BINARY") return fail(Code::unsupported, "binary OFF is not read");
    return true;
  }

  bool read_counts() {
    if (!seek()) return fail_at_end("the numbers of vertices and faces");
    std::int64_t vertices = 0, faces = 0, edges = 0;
    if (!read_integer(vertices, "the number of vertices")) return false;
    const bool together = !word().empty();  // then the edges may be missing; else they are sure to follow
    if (!read_integer(faces, "the number of faces")) return false;
    if ((!together || !word().empty()) && !read_integer(edges, "the number of edges")) return false;
    if (layout_ == Layout::lines && !word().empty())
      return fail(Code::malformed, "expected the end of the line after the counts, found " + quoted(word()));
    if (vertices < 0 || faces < 0) return fail(Code::malformed, "expected counts, found a negative number");
    vertices_ = static_cast<std::uint64_t>(vertices);
    faces_ = static_cast<std::uint64_t>(faces);
    if (vertices_ > k_max_off_ids || faces_ > k_max_off_ids)
      return fail(Code::too_large, "more than 2^32 - 1 vertices or faces");
    // "0 0 0" and a line end is the shortest vertex, "0" and a line end the shortest face.
    const std::uint64_t least = 6 * vertices_ + 2 * faces_;
    if (least > source_.size() + 1)
      return fail(Code::truncated, "expected " + counted(vertices_, "vertex", "vertices") + " and " +
                                       counted(faces_, "face", "faces") + ", which do not fit into the file's " +
                                       counted(source_.size(), "byte", "bytes"));
    part_.mesh.vertices.reserve(static_cast<std::size_t>(vertices_));
    part_.mesh.triangles.reserve(static_cast<std::size_t>(std::min(faces_, source_.size() / 8)));
    return true;
  }

  bool read_vertices() {
    for (std::uint64_t i = 0; i < vertices_; ++i) {
      std::array<double, 3> xyz{};
      if (!seek()) return fail_at_vertex(i);
      for (double& value : xyz)
        if (!read_coordinate(value, i)) return false;
      if (!pass_rest_of_line()) return false;
      part_.mesh.vertices.push_back({xyz[0], xyz[1], xyz[2]});
    }
    return true;
  }

  bool read_faces() {
    for (std::uint64_t i = 0; i < faces_; ++i) {
      if (!seek()) return fail_at_end("face " + std::to_string(i) + " of " + std::to_string(faces_));
      std::int64_t corners = 0;
      if (!read_integer(corners, "the number of corners")) return false;
      if (corners < 0) return fail(Code::malformed, "a negative number of corners in face " + std::to_string(i));
      if (corners < 3) ++thin_faces_;
      std::uint32_t first = 0, previous = 0;
      const std::size_t triangles_before = part_.mesh.triangles.size();
      for (std::int64_t c = 0; c < corners; ++c) {
        std::int64_t index = 0;
        if (!read_integer(index, "a vertex index")) return false;
        if (index < 0 || static_cast<std::uint64_t>(index) >= vertices_)
          return fail(Code::out_of_range, "vertex " + std::to_string(index) + " of face " + std::to_string(i) +
                                              " does not exist: there are " + counted(vertices_, "vertex", "vertices"));
        const auto vertex = static_cast<std::uint32_t>(index);
        if (c == 0) first = vertex;
        if (c > 1) part_.mesh.triangles.push_back({first, previous, vertex});
        previous = vertex;
      }
      if (!pass_rest_of_line()) return false;
      misfits_ += fan_misfits(part_.mesh.vertices, std::span(part_.mesh.triangles).subspan(triangles_before));
      if (part_.mesh.triangles.size() > k_max_off_ids) return fail(Code::too_large, "more than 2^32 - 1 triangles");
    }
    return true;
  }

  ByteSource& source_;
  LineReader lines_;
  RawPart part_;
  Layout layout_;
  bool plain_ = false;
  std::uint64_t vertices_ = 0, faces_ = 0, thin_faces_ = 0, misfits_ = 0;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::optional<IoError> error_;
};

}  // namespace

Result<RawAssembly, IoError> read_off(ByteSource& source, const LoadOptions&) {
  OffReader by_lines(source, Layout::lines);
  auto out = by_lines.read();
  const bool in_doubt = !out && by_lines.is_plain() && !source.failure() && out.error().code != Code::unsupported;
  if (!in_doubt) return out;
  // Counts have to be true, so a file is right in one way at most. The error to tell is the first one.
  source.seek(0);
  auto by_words = OffReader(source, Layout::words).read();
  return by_words || source.failure() ? std::move(by_words) : std::move(out);
}

}  // namespace snug::io
