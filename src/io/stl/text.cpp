#include "io/bytes/chunked.hpp"
#include "io/errors.hpp"
#include "io/stl/stl.hpp"
#include "io/text/text_scanner.hpp"
#include "io/weld.hpp"

namespace snug::io {

namespace {

using Code = IoError::Code;

bool same_word(std::string_view word, std::string_view lower_case) {
  if (word.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i] >= 'A' && word[i] <= 'Z' ? static_cast<char>(word[i] - 'A' + 'a') : word[i];
    if (c != lower_case[i]) return false;
  }
  return true;
}

class StlTextReader {
 public:
  explicit StlTextReader(ByteSource& source) : source_(source), lines_(source), scan_(lines_) {}

  Result<RawAssembly, IoError> read() {
    for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word()) {
      if (!same_word(word, "solid")) return unexpected("'solid'", word);
      if (out_.parts.size() == k_max_parts)
        return fail(Code::too_large, "more than " + std::to_string(k_max_parts) + " solids");
      if (auto done = read_solid(std::string(scan_.rest_of_line())); !done) return Failure{done.error()};
    }
    if (lines_.failure()) return lines_.failure_here();
    if (out_.parts.empty()) return lines_.fail(Code::malformed, "expected facets, found none in the whole file");
    if (empty_not_listed_ > 0)
      out_.problems.push_back(counted(empty_not_listed_, "more solid", "more solids") + " without facets left out");
    return std::move(out_);
  }

 private:
  [[nodiscard]] Failure<IoError> fail(Code code, std::string text) const {
    if (lines_.failure()) return lines_.failure_here();
    return failure_at_line(code, source_.path(), scan_.line(), std::move(text));
  }
  [[nodiscard]] Failure<IoError> unexpected(std::string_view expected, std::string_view found) const {
    if (found.empty()) return lines_.fail_at_end(expected);
    return fail(Code::malformed, "expected " + std::string(expected) + ", found " + quoted(found));
  }
  Result<void, IoError> expect(std::string_view keyword) {
    const std::string_view word = scan_.word();
    if (same_word(word, keyword)) return {};
    return unexpected(quoted(keyword), word);
  }

  Result<void, IoError> read_solid(std::string name) {
    VertexWelder welder(64);
    ChunkedArray<Index3> triangles;
    std::uint64_t collapsed = 0;
    for (;;) {
      const std::string_view word = scan_.word();
      if (same_word(word, "endsolid")) break;
      if (!same_word(word, "facet")) return unexpected("'facet' or 'endsolid'", word);
      Index3 triangle;
      if (auto done = read_facet(welder, triangle); !done) return done;
      if (welder.full()) return fail(Code::too_large, "more vertices than 32-bit ids can name");
      collapsed += has_twin_corners(triangle) ? 1 : 0;
      triangles.push_back(triangle);
    }
    (void)scan_.rest_of_line();  // the name again, by which nothing hangs
    if (triangles.size() == 0) {
      if (out_.problems.size() < k_most_empty_listed)
        out_.problems.push_back("solid " + quoted(std::string_view(name)) + " has no facets and is left out");
      else
        ++empty_not_listed_;
      return {};
    }
    RawPart part;
    part.name = std::move(name);
    part.mesh.vertices = welder.take();
    part.mesh.triangles = triangles.take();
    if (collapsed > 0) part.problems.push_back(collapsed_text(collapsed));
    out_.parts.push_back(std::move(part));
    return {};
  }

  Result<void, IoError> read_facet(VertexWelder& welder, Index3& triangle) {
    // The normal is not used and often nonsense ("nan nan nan"), so it is passed over unread.
    std::string_view word = scan_.word();
    if (same_word(word, "normal"))
      for (int i = 0; i < 4; ++i) word = scan_.word();
    if (!same_word(word, "outer")) return unexpected("'outer loop'", word);
    if (auto done = expect("loop"); !done) return done;
    for (std::uint32_t& corner : triangle) {
      if (auto done = expect("vertex"); !done) return done;
      Point3 point;
      for (double* c : {&point.x, &point.y, &point.z})
        if (auto done = read_coordinate(*c); !done) return done;
      corner = welder.id(point);
    }
    if (auto done = expect("endloop"); !done) return done;
    return expect("endfacet");
  }

  Result<void, IoError> read_coordinate(double& value) {
    switch (scan_.coordinate(value)) {
      case NumberState::ok:
        return {};
      case NumberState::non_finite:
        return fail(Code::non_finite, "expected a finite number, found " + quoted(scan_.word()));
      case NumberState::malformed:
        break;
    }
    return unexpected("three numbers after 'vertex'", scan_.word());
  }

  ByteSource& source_;
  LineReader lines_;
  TextScanner scan_;
  RawAssembly out_;
  static constexpr std::size_t k_most_empty_listed = 20;
  std::uint64_t empty_not_listed_ = 0;
};

}  // namespace

Result<RawAssembly, IoError> read_stl_text(ByteSource& source) { return StlTextReader(source).read(); }

}  // namespace snug::io
