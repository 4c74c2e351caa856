#include "io/errors.hpp"
#include "io/obj/obj.hpp"

namespace snug::io {

void ObjSurfaces::resolve(ObjSection& section, std::uint64_t triangles_before) {
  known_ = true;
  has_surface_ = !group_.empty() || !material_.empty() || !section.surfaces.empty();
  if (!has_surface_) return;
  const auto id_of = [&](const std::string& key, std::string name) {
    const auto [at, is_new] = ids_.try_emplace(key, static_cast<std::uint32_t>(section.surfaces.size()));
    if (is_new) section.surfaces.push_back({std::move(name), SurfaceKind::unknown, {}});
    return at->second;
  };
  // Faces before the first name belong to a surface without one.
  if (section.surfaces.empty() && triangles_before > 0) {
    (void)id_of(std::string(1, '\n'), {});
    for (std::uint64_t i = 0; i < triangles_before; ++i) section.surface_of_triangle.push_back(0);
  }
  const bool both = !group_.empty() && !material_.empty();
  id_ = id_of(group_ + '\n' + material_, both ? group_ + ':' + material_ : group_ + material_);
}

void ObjLeftOut::add_unknown(std::string_view keyword) {
  constexpr std::size_t k_most_keywords = 8, k_longest = 40;
  std::string key(keyword.substr(0, k_longest));
  if (unknown.size() < k_most_keywords || unknown.contains(key))
    ++unknown[std::move(key)];
  else
    ++other_unknown;
}

void ObjLeftOut::add_empty_object(std::string_view name) {
  constexpr std::size_t k_most_listed = 20;
  if (empty_objects.size() < k_most_listed)
    empty_objects.push_back(quoted(name));
  else
    ++other_empty_objects;
}

void ObjLeftOut::list(std::vector<std::string>& problems) const {
  if (points > 0) problems.push_back(counted(points, "point element", "point elements") + " ('p') left out");
  if (lines > 0) problems.push_back(counted(lines, "line element", "line elements") + " ('l') left out");
  for (const auto& [keyword, count] : unknown)
    problems.push_back(counted(count, "line", "lines") + " with the unknown keyword " +
                       quoted(std::string_view(keyword)) + " left out");
  if (other_unknown > 0)
    problems.push_back(counted(other_unknown, "line", "lines") + " with other unknown keywords left out");
  for (const std::string& name : empty_objects) problems.push_back("object " + name + " has no faces and is left out");
  if (other_empty_objects > 0)
    problems.push_back(counted(other_empty_objects, "more object", "more objects") + " without faces left out");
}

}  // namespace snug::io
