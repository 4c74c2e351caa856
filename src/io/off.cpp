#include "io/errors.hpp"
#include "io/line_reader.hpp"
#include "io/number.hpp"
#include "io/reader.hpp"

#include <array>
#include <cmath>

namespace snug::io {

namespace {

using Code = IoError::Code;

constexpr std::uint64_t k_max_ids = 0xFFFF'FFFF;

/// Line by line, since colours have no fixed number of components: what follows the numbers we need is theirs.
class OffReader {
 public:
  explicit OffReader(ByteSource& source) : source_(source), lines_(source) {}

  Result<RawAssembly, IoError> read() {
    if (!read_keyword() || !read_counts() || !read_vertices() || !read_faces()) return Failure{std::move(*error_)};
    if (next_line())
      return lines_.fail(Code::malformed, "expected the end of the file after the last face, found " + quoted(word()));
    if (lines_.failure()) return lines_.failure_here();
    if (part_.mesh.triangles.empty()) return lines_.fail(Code::malformed, "expected triangles, found none");
    RawAssembly out;
    if (thin_faces_ > 0)
      out.problems.push_back(counted(thin_faces_, "face", "faces") + " with fewer than three corners left out");
    out.parts.push_back(std::move(part_));
    return out;
  }

 private:
  bool fail(Code code, std::string text) {
    error_ = lines_.fail(code, std::move(text)).error;
    return false;
  }
  bool fail_at_end(std::string expected) {
    error_ = lines_.fail_at_end(std::move(expected)).error;
    return false;
  }

  /// The next line with something on it; comments are cut off.
  bool next_line() {
    while (lines_.next()) {
      const std::string_view line = lines_.line().substr(0, lines_.line().find('#'));
      end_ = line.data() + line.size();
      at_ = skip_blanks(line.data(), end_);
      if (at_ != end_) return true;
    }
    return false;
  }
  std::string_view word() {
    at_ = skip_blanks(at_, end_);
    return {at_, skip_word(at_, end_)};
  }
  bool fail_number(NumberState state, const std::string& what) {
    return fail(state == NumberState::non_finite ? Code::non_finite : Code::malformed,
                "expected " + what + ", found " + quoted(word()));
  }
  [[nodiscard]] bool at_word_end() const { return at_ == end_ || is_blank(*at_); }

  bool read_integer(std::int64_t& value, const char* what) {
    at_ = skip_blanks(at_, end_);
    const char* const start = at_;
    if (parse_integer(at_, end_, value) == NumberState::ok && at_word_end()) return true;
    at_ = start;
    return fail_number(NumberState::malformed, what);
  }

  bool read_keyword() {
    if (!next_line()) return fail_at_end("'OFF'");
    std::string_view kind = word();
    const std::string_view keyword = kind;
    if (!kind.ends_with("OFF")) return fail(Code::malformed, "expected 'OFF', found " + quoted(keyword));
    kind.remove_suffix(3);
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
    if (word().empty() && !next_line()) return fail_at_end("the numbers of vertices and faces");
    std::int64_t vertices = 0, faces = 0, edges = 0;
    if (!read_integer(vertices, "the number of vertices") || !read_integer(faces, "the number of faces")) return false;
    if (!word().empty() && !read_integer(edges, "the number of edges")) return false;
    if (!word().empty())
      return fail(Code::malformed, "expected the end of the line after the counts, found " + quoted(word()));
    if (vertices < 0 || faces < 0) return fail(Code::malformed, "expected counts, found a negative number");
    vertices_ = static_cast<std::uint64_t>(vertices);
    faces_ = static_cast<std::uint64_t>(faces);
    if (vertices_ > k_max_ids || faces_ > k_max_ids)
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
      if (!next_line()) return fail_at_end("vertex " + std::to_string(i) + " of " + std::to_string(vertices_));
      std::array<double, 3> xyz{};
      for (double& value : xyz) {
        at_ = skip_blanks(at_, end_);
        const char* const start = at_;
        const NumberState state = parse_coordinate(at_, end_, value);
        if (state == NumberState::ok && at_word_end()) continue;
        at_ = start;
        return fail_number(state, "three coordinates of vertex " + std::to_string(i));
      }
      part_.mesh.vertices.push_back({xyz[0], xyz[1], xyz[2]});
    }
    return true;
  }

  bool read_faces() {
    for (std::uint64_t i = 0; i < faces_; ++i) {
      if (!next_line()) return fail_at_end("face " + std::to_string(i) + " of " + std::to_string(faces_));
      std::int64_t corners = 0;
      if (!read_integer(corners, "the number of corners")) return false;
      if (corners < 0) return fail(Code::malformed, "a negative number of corners in face " + std::to_string(i));
      if (corners < 3) ++thin_faces_;
      std::uint32_t first = 0, previous = 0;
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
      if (part_.mesh.triangles.size() > k_max_ids) return fail(Code::too_large, "more than 2^32 - 1 triangles");
    }
    return true;
  }

  ByteSource& source_;
  LineReader lines_;
  RawPart part_;
  std::uint64_t vertices_ = 0, faces_ = 0, thin_faces_ = 0;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::optional<IoError> error_;
};

}  // namespace

Result<RawAssembly, IoError> read_off(ByteSource& source, const LoadOptions&) { return OffReader(source).read(); }

}  // namespace snug::io
