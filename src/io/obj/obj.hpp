#pragma once

#include "io/bytes/chunked.hpp"
#include "io/reader.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace snug::io {

/// A comment that write_obj() puts before a part whose surfaces are not simply those of its faces in order of first
/// use: from there to the next 'o', every 'g' makes a surface at once, with or without faces.
inline constexpr std::string_view k_obj_declared_groups = "# snug: every g of this part is a surface, in this order";

/// A section of an OBJ file from one 'o' to the next.
struct ObjSection {
  std::string name;
  std::uint64_t first_vertex = 0, last_vertex = 0;      ///< those declared in it: [first, last)
  std::uint64_t first_triangle = 0, last_triangle = 0;  ///< its own
  std::vector<Surface> surfaces;
  ChunkedArray<std::uint32_t> surface_of_triangle;  ///< empty while `surfaces` is
  std::uint64_t collapsed = 0;                      ///< triangles that name a vertex twice
  std::uint64_t misfits = 0;                        ///< polygons that their fans leave
};

/// What is in the whole file; triangles name its vertices.
struct ObjContent {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
  std::vector<ObjSection> sections;
};

/// Which surface faces belong to, by the group and material in force.
class ObjSurfaces {
 public:
  void set_group(std::string_view name) { group_ = name == "default" ? "" : name, known_ = false; }
  void set_material(std::string_view name) { material_ = name, known_ = false; }
  /// A new section: the names stay in force, as OBJ has it, but count surfaces anew.
  void start_section() { ids_.clear(), known_ = false, declared_ = false; }
  void declare_groups() { declared_ = true; }
  [[nodiscard]] bool declared() const noexcept { return declared_; }

  /// Adds the surface of the next `count` triangles to the section, which has `before` so far.
  void add_triangles(ObjSection& section, std::uint64_t before, std::size_t count) {
    if (!known_) resolve(section, before);
    if (has_surface_)
      for (std::size_t i = 0; i < count; ++i) section.surface_of_triangle.push_back(id_);
  }
  /// Sees to it that the surface in force exists.
  void resolve(ObjSection& section, std::uint64_t triangles_before);

 private:
  std::string group_, material_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  bool known_ = false;        ///< `has_surface_` and `id_` are those of the names in force
  bool has_surface_ = false;  ///< false while the section has no names at all
  bool declared_ = false;
  std::uint32_t id_ = 0;
};

struct ObjCounts {
  std::size_t vertices = 0, triangles = 0;
};
/// About how many there are, or a little more, from looking at some places of a large file. A guess: the file may hold
/// something else where nobody looked, so it serves to reserve memory, within limits, and no more.
[[nodiscard]] ObjCounts estimate_obj_counts(ByteSource& source);

/// Counts of what a file holds that a mesh has no place for.
struct ObjLeftOut {
  std::uint64_t points = 0, lines = 0;           ///< elements 'p' and 'l'
  std::map<std::string, std::uint64_t> unknown;  ///< lines by keyword, the first few
  std::uint64_t other_unknown = 0;
  std::vector<std::string> empty_objects;  ///< the first few
  std::uint64_t other_empty_objects = 0;

  void add_empty_object(std::string_view name);
  void add_unknown(std::string_view keyword);
  void list(std::vector<std::string>& problems) const;
};

/// Gives each section its own vertices: those its triangles use and those it declares that no triangle uses, in the
/// order of the file. Precondition: every section has triangles, and all their vertices are there.
[[nodiscard]] Result<RawAssembly, IoError> share_out(ObjContent content, ByteSource& source);

}  // namespace snug::io
