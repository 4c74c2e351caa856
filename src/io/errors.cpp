#include "io/errors.hpp"

#include <array>

namespace snug {

std::string IoError::message() const {
  std::string out = path;
  if (line) out += ':' + std::to_string(*line);
  out += ": ";
  if (byte) out += "at byte " + std::to_string(*byte) + ": ";
  return out + text;
}

std::string_view to_string(FileFormat format) noexcept {
  constexpr std::array<std::string_view, 9> k_words{"stl", "obj", "ply", "off", "gltf", "step", "iges", "brep", "dae"};
  return k_words[static_cast<std::size_t>(format)];
}

std::string_view to_string(IoError::Code code) noexcept {
  constexpr std::array<std::string_view, 18> k_words{
      "not_found", "unreadable",   "not_a_file",     "unknown_format", "units_missing", "malformed",
      "truncated", "out_of_range", "non_finite",     "too_large",      "unsupported",   "refused",
      "cancelled", "unwritable",   "invalid_option", "no_importer",    "import_failed", "import_limit"};
  static_assert(static_cast<std::size_t>(IoError::Code::import_limit) + 1 == k_words.size());
  return k_words[static_cast<std::size_t>(code)];
}

}  // namespace snug
