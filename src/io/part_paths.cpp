#include "io/part_paths.hpp"

#include "support/utf8.hpp"

#include <filesystem>
#include <string_view>
#include <unordered_set>

namespace snug::io {

namespace {

/// What a terminal may take for a command, or what makes a text look like another: control characters of ASCII and of
/// Latin-1 (U+0080 to U+009F), and what turns the direction of writing (U+202A to U+202E, U+2066 to U+2069). `character`
/// is one, in UTF-8.
bool is_control(std::string_view character) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return at(0) < 0x20 || at(0) == 0x7F;
  if (character.size() == 2) return at(0) == 0xC2 && at(1) <= 0x9F;
  if (character.size() != 3 || at(0) != 0xE2) return false;
  return (at(1) == 0x80 && at(2) >= 0xAA && at(2) <= 0xAE) || (at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9);
}

}  // namespace

bool clean_name(std::string& name) {
  std::string out;
  bool changed = false;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    std::string latin1;
    if (length == 0) append_latin1(latin1, rest.front());
    const std::string_view character = length == 0 ? std::string_view(latin1) : rest.substr(0, length);
    const bool control = is_control(character);
    changed |= length == 0 || control;
    out += control ? std::string_view(" ") : character;
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  if (changed) name = std::move(out);
  return changed;
}

PartPaths::PartPaths(std::string nameless) : nameless_(std::move(nameless)) { (void)clean_name(nameless_); }

std::string PartPaths::next(std::string name) {
  (void)clean_name(name);
  if (name.empty()) name = nameless_;
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

std::vector<std::vector<std::string>> merged_paths(std::span<const Assembly> assemblies,
                                                   std::span<const std::string> files) {
  std::unordered_map<std::string_view, std::size_t> files_with;
  for (const Assembly& assembly : assemblies)
    for (const Part& part : assembly.parts()) ++files_with[part.path];

  // Those that keep their path come first: a path made up for another part must not take theirs.
  std::unordered_set<std::string> taken;
  for (const auto& [path, count] : files_with)
    if (count == 1) taken.emplace(path);

  std::vector<std::vector<std::string>> paths(assemblies.size());
  for (std::size_t i = 0; i < assemblies.size(); ++i) {
    const std::string stem = std::filesystem::path(files[i]).stem().string();
    for (const Part& part : assemblies[i].parts()) {
      if (files_with[part.path] == 1) {
        paths[i].push_back(part.path);
        continue;
      }
      const std::string prefixed = stem + '/' + part.path;
      std::string path = prefixed;
      for (unsigned number = 2; !taken.insert(path).second; ++number)
        path = prefixed + " (" + std::to_string(number) + ')';
      paths[i].push_back(std::move(path));
    }
  }
  return paths;
}

}  // namespace snug::io
