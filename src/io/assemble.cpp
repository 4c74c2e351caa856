#include "io/errors.hpp"
#include "io/reader.hpp"
#include "support/assert.hpp"

#include <unordered_map>

namespace snug::io {

namespace {

using Code = IoError::Code;

constexpr std::size_t k_most_renames_listed = 20;

/// Length of the UTF-8 sequence at the start of `text`, or 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return at(i) >= low && at(i) <= high;
  };
  const unsigned c = at(0);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return follows(1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) return follows(1, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (c >= 0xF0 && c <= 0xF4)
    return follows(1, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

/// Names go into reports and onto terminals: bytes that are not UTF-8 become U+FFFD, control characters blanks. True if
/// something had to be replaced.
bool clean_name(std::string& name) {
  std::string out;
  bool changed = false;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    const auto c = static_cast<unsigned char>(rest.front());
    const bool control = c < 0x20 || c == 0x7f;
    changed |= length == 0 || control;
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (control)
      out += ' ';
    else
      out += rest.substr(0, length);
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  if (changed) name = std::move(out);
  return changed;
}

Code code_of(MeshError::Code code) {
  switch (code) {
    case MeshError::Code::too_many:
      return Code::too_large;
    case MeshError::Code::non_finite_vertex:
    case MeshError::Code::vertex_too_large:
      return Code::non_finite;
    case MeshError::Code::index_out_of_range:
    case MeshError::Code::surface_out_of_range:
      return Code::out_of_range;
    default:
      return Code::malformed;
  }
}

class Paths {
 public:
  /// The name itself when it is new, else the name with the next number that is free.
  std::string unique(const std::string& name) {
    const auto [first, is_new] = last_number_.try_emplace(name, 1);
    if (is_new) return name;
    for (std::uint64_t& number = first->second;;) {
      std::string candidate = name + '#' + std::to_string(++number);
      if (!last_number_.contains(candidate)) {
        last_number_.emplace(candidate, 1);  // may move `first`'s neighbours, not its value: nodes are stable
        return candidate;
      }
    }
  }

 private:
  std::unordered_map<std::string, std::uint64_t> last_number_;
};

}  // namespace

Result<Assembly, IoError> assemble(RawAssembly raw, LengthUnit units, const ByteSource& source,
                                   const LoadOptions& options) {
  if (raw.parts.empty()) return source.fail(Code::malformed, "expected triangles, found none");
  if (raw.parts.size() > k_max_parts)
    return source.fail(Code::too_large,
                       counted(raw.parts.size(), "part", "parts") + ", the limit is " + std::to_string(k_max_parts));
  Assembly assembly(units);
  for (std::string& text : raw.problems) assembly.add_problem({{}, std::move(text)});
  for (Problem& loss : raw.losses) {
    (void)clean_name(loss.part);
    assembly.add_loss(std::move(loss));
  }

  Paths paths;
  std::size_t renames = 0;
  for (std::size_t i = 0; i < raw.parts.size(); ++i) {
    RawPart& part = raw.parts[i];
    bool replaced = clean_name(part.name);
    for (Surface& surface : part.mesh.surfaces) replaced |= clean_name(surface.name);
    if (part.name.empty()) {
      part.name = source.stem();
      (void)clean_name(part.name);
    }
    const std::string path = paths.unique(part.name);
    if (path != part.name && ++renames <= k_most_renames_listed)
      assembly.add_problem({path, "renamed: an earlier part is called '" + part.name + "' too"});
    if (replaced) assembly.add_problem({path, "control characters, or bytes that are not UTF-8, replaced in names"});
    for (std::string& text : part.problems) assembly.add_problem({path, std::move(text)});

    if (part.instance_of) {
      SNUG_ASSERT(*part.instance_of < i);
      const Mesh shared = assembly.parts()[*part.instance_of].mesh;
      (void)assembly.add({path, shared, part.pose, part.color});
      continue;
    }
    auto mesh = Mesh::build(std::move(part.mesh), {.crease_angle_degrees = options.crease_angle_degrees});
    if (!mesh)
      return source.fail(code_of(mesh.error().code),
                         "part " + quoted(std::string_view(path)) + ": " + mesh.error().message());
    (void)assembly.add({path, std::move(*mesh), part.pose, part.color});
  }
  if (renames > k_most_renames_listed)
    assembly.add_problem({{}, counted(renames - k_most_renames_listed, "more part", "more parts") + " renamed"});
  return assembly;
}

}  // namespace snug::io
