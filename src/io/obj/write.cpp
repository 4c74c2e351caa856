#include "io/errors.hpp"
#include "io/obj/obj.hpp"
#include "io/writer.hpp"

#include <algorithm>
#include <unordered_set>

namespace snug::io {

namespace {

/// A name that comes back from the file as it went in: one line, no blanks at its ends, no backslash before the line's
/// end, which would swallow the next.
std::string one_line(std::string_view name) {
  std::string out;
  for (const char c : name) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  while (out.ends_with(' ') || out.ends_with('\\')) out.pop_back();
  const std::size_t first = out.find_first_not_of(' ');
  return first == std::string::npos ? "" : out.substr(first);
}

/// Groups of equal name would become one surface, so every surface gets a name of its own.
std::vector<std::string> group_names(std::span<const Surface> surfaces) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    std::string name = one_line(surfaces[i].name);
    if (name.empty() || name == "default") name = "surface_" + std::to_string(i);
    if (taken.contains(name)) name += '#' + std::to_string(i);
    while (!taken.insert(name).second) name += '_';
    names.push_back(std::move(name));
  }
  return names;
}

/// True if reading gives the surfaces the same ids when they are numbered as faces first use them.
bool in_order_of_use(const Mesh& mesh, Steps& steps) {
  std::uint32_t next = 0;
  for (std::uint32_t t = 0; t < mesh.triangles().size() && steps.next(); ++t) {
    const std::uint32_t s = mesh.surface_of(t);
    if (s > next) return false;
    if (s == next) ++next;
  }
  return next == mesh.surfaces().size();
}

class ObjWriter {
 public:
  ObjWriter(ByteSink& sink, const Assembly& assembly)
      : sink_(sink), assembly_(assembly), steps_(sink, total_steps(assembly)) {}

  void write() {
    sink_.text("# written by snug; unit of length: ");
    sink_.text(to_string(assembly_.units()));
    sink_.byte('\n');
    for (const Part& part : assembly_.parts())
      if (!write_part(part)) return;
  }

 private:
  /// Vertices once; triangles are looked through for the order of their surfaces before they are written.
  static std::uint64_t total_steps(const Assembly& assembly) {
    std::uint64_t total = 0;
    for (const Part& part : assembly.parts()) total += part.mesh.vertices().size() + 2 * part.mesh.triangles().size();
    return total;
  }

  bool write_part(const Part& part) {
    statement("o", one_line(part.path));
    for (const Point3& vertex : part.mesh.vertices()) {
      if (!steps_.next()) return false;
      const Point3 p = part.pose.apply(vertex);
      sink_.byte('v');
      for (const double c : {p.x, p.y, p.z}) {
        sink_.byte(' ');
        sink_.number(c);
      }
      sink_.byte('\n');
    }
    const std::vector<std::string> names = group_names(part.mesh.surfaces());
    note_lost(part, names);
    const bool in_order = in_order_of_use(part.mesh, steps_);
    if (!sink_.ok()) return false;
    if (!in_order) {
      sink_.text(k_obj_declared_groups);
      sink_.byte('\n');
      for (const std::string& name : names) statement("g", name);
    }
    if (!write_faces(part.mesh, names)) return false;
    first_vertex_ += part.mesh.vertices().size();
    return true;
  }

  bool write_faces(const Mesh& mesh, std::span<const std::string> names) {
    std::size_t surface = names.size();
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      if (!steps_.next()) return false;
      if (const std::uint32_t s = mesh.surface_of(t); s != surface) {
        surface = s;
        statement("g", names[s]);
      }
      sink_.byte('f');
      for (const std::uint32_t v : mesh.triangles()[t]) {
        sink_.byte(' ');
        sink_.integer(first_vertex_ + v);
      }
      sink_.byte('\n');
    }
    return true;
  }

  void statement(std::string_view keyword, std::string_view name) {
    sink_.text(keyword);
    sink_.byte(' ');
    sink_.text(name);
    sink_.byte('\n');
  }

  void note_lost(const Part& part, std::span<const std::string> names) {
    const std::span<const Surface> surfaces = part.mesh.surfaces();
    std::uint64_t renamed = 0;
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      renamed += !surfaces[i].name.empty() && surfaces[i].name != names[i];
    if (renamed > 0) sink_.note_loss(part.path, counted(renamed, "surface", "surfaces") + " renamed");
    const auto is_plain = [](const Surface& s) { return s.kind == SurfaceKind::unknown && s.sag == Sag{}; };
    if (!std::ranges::all_of(surfaces, is_plain))
      sink_.note_loss(part.path, "kinds and sags of its surfaces are not kept");
  }

  ByteSink& sink_;
  const Assembly& assembly_;
  Steps steps_;
  std::uint64_t first_vertex_ = 1;
};

}  // namespace

Result<void, IoError> write_obj(ByteSink& sink, const Assembly& assembly, const SaveOptions&) {
  ObjWriter(sink, assembly).write();
  return {};
}

}  // namespace snug::io
