#include "io/bytes/binary_reader.hpp"
#include "io/reader.hpp"
#include "io/text/number.hpp"

#include <algorithm>
#include <array>

namespace snug::io {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view first_word(std::string_view line) {
  const char* const end = line.data() + line.size();
  const char* const start = skip_blanks(line.data(), end);
  return {start, skip_word(start, end)};
}

/// "OFF" with the prefixes its variants have.
bool is_off_keyword(std::string_view word) {
  for (const std::string_view prefix : {"ST", "C", "N", "4", "n"})
    if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  return word == "OFF";
}

enum class LineKind { blank, comment, element, known, other };

LineKind obj_line_kind(std::string_view line) {
  const std::string_view word = first_word(line);
  if (word.empty()) return LineKind::blank;
  if (word.front() == '#') return LineKind::comment;
  if (word == "v" || word == "f") {
    const char* const end = line.data() + line.size();
    const char* at = skip_blanks(word.data() + 1, end);
    double number = 0;
    return parse_double(at, end, number) != NumberState::malformed ? LineKind::element : LineKind::other;
  }
  constexpr std::array<std::string_view, 10> k_known{"vn", "vt", "vp", "o", "g", "s", "l", "p", "usemtl", "mtllib"};
  return std::ranges::find(k_known, word) != k_known.end() ? LineKind::known : LineKind::other;
}

/// Mostly LF; CR in old files that have nothing else.
char line_end(std::string_view text) { return text.find('\n') == text.npos ? '\r' : '\n'; }

/// A vertex or a face, and no more strange lines than familiar ones: real files carry stray lines.
bool looks_like_obj(std::string_view head) {
  const char end = line_end(head);
  std::size_t elements = 0, known = 0, other = 0;
  for (bool complete = true; complete && !head.empty();) {
    const std::size_t stop = head.find(end);
    complete = stop != std::string_view::npos;
    switch (obj_line_kind(head.substr(0, stop))) {
      case LineKind::element:
        ++elements;
        break;
      case LineKind::known:
        ++known;
        break;
      case LineKind::other:
        other += complete ? 1 : 0;
        break;  // the head may end within a word
      case LineKind::blank:
      case LineKind::comment:
        break;
    }
    head.remove_prefix(complete ? stop + 1 : head.size());
  }
  return elements > 0 && elements + known >= other;
}

/// What stands at the start of a text, behind comments and blank lines.
std::string_view first_statement(std::string_view head) {
  const char end = line_end(head);
  while (!head.empty()) {
    const std::size_t stop = head.find(end);
    const std::string_view word = first_word(head.substr(0, stop));
    if (!word.empty() && word.front() != '#') return word;
    if (stop == std::string_view::npos) break;
    head.remove_prefix(stop + 1);
  }
  return {};
}

/// The first line of a start section: 80 columns, of which the last eight are 'S' and a number.
bool looks_like_iges(std::string_view head) {
  constexpr std::size_t k_columns = 80, k_letter = 72;
  if (head.size() <= k_columns || head[k_letter] != 'S') return false;
  if (head[k_columns] != '\n' && head[k_columns] != '\r') return false;
  bool digits = false;
  for (const char c : head.substr(k_letter + 1, k_columns - k_letter - 1)) {
    if (c >= '0' && c <= '9')
      digits = true;
    else if (c != ' ' || digits)
      return false;
  }
  return digits && head.substr(0, k_letter).find('\n') == std::string_view::npos;
}

/// Text that OpenCASCADE wrote, with or without the header of its test program.
bool looks_like_brep(std::string_view head) {
  while (!head.empty() && is_space(head.front())) head.remove_prefix(1);
  return head.starts_with("DBRep_DrawableShape") || head.starts_with("CASCADE Topology V");
}

std::optional<FileFormat> by_suffix(std::string_view suffix) {
  const std::string word = lower(suffix);
  if (word == ".stl") return FileFormat::stl;
  if (word == ".obj") return FileFormat::obj;
  if (word == ".ply") return FileFormat::ply;
  if (word == ".off") return FileFormat::off;
  if (word == ".gltf" || word == ".glb") return FileFormat::gltf;
  if (word == ".step" || word == ".stp") return FileFormat::step;
  if (word == ".iges" || word == ".igs") return FileFormat::iges;
  if (word == ".brep" || word == ".brp") return FileFormat::brep;
  if (word == ".dae") return FileFormat::dae;
  return std::nullopt;
}

}  // namespace

bool is_binary_stl(std::string_view head, std::uint64_t size) noexcept {
  constexpr std::uint64_t k_header = 84, k_record = 50;
  if (size < k_header || head.size() < k_header) return false;
  return size == k_header + k_record * load_number<std::uint32_t>(head.data() + 80, std::endian::little);
}

std::optional<FileFormat> recognise(std::string_view head, std::uint64_t size, std::string_view suffix) {
  // First, because its header may hold any text, the first words of other formats included.
  if (is_binary_stl(head, size)) return FileFormat::stl;
  if (head.starts_with("glTF")) return FileFormat::gltf;
  if (head.starts_with("ply") && head.size() > 3 && is_space(head[3])) return FileFormat::ply;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::string_view word = first_statement(head);
  if (word.starts_with("ISO-10303-21")) return FileFormat::step;
  if (looks_like_brep(head)) return FileFormat::brep;
  if (looks_like_iges(head)) return FileFormat::iges;
  if (is_off_keyword(word)) return FileFormat::off;
  if (word == "ply") return FileFormat::ply;
  if (lower(word) == "solid") return FileFormat::stl;
  if (word.starts_with('{') && (head.find("\"asset\"") != std::string_view::npos ||
                                by_suffix(suffix).value_or(FileFormat::gltf) == FileFormat::gltf))
    return FileFormat::gltf;
  if (word.starts_with('<') && head.find("<COLLADA") != std::string_view::npos) return FileFormat::dae;
  if (looks_like_obj(head)) return FileFormat::obj;
  return by_suffix(suffix);
}

}  // namespace snug::io
