#include "io/errors.hpp"
#include "io/writer.hpp"

#include <limits>

namespace snug::io {

namespace {

void note_losses(ByteSink& sink, const Assembly& assembly) {
  if (assembly.parts().size() > 1)
    sink.note_loss({}, counted(assembly.parts().size(), "part", "parts") + " become one");
  for (const Part& part : assembly.parts())
    if (!part.mesh.surfaces_by_crease() && part.mesh.surfaces().size() > 1)  // else they are found again
      sink.note_loss(part.path, "its " + std::to_string(part.mesh.surfaces().size()) + " surfaces are not kept");
}

}  // namespace

Result<void, IoError> write_off(ByteSink& sink, const Assembly& assembly, const SaveOptions&) {
  const Totals totals = count(assembly);
  if (totals.vertices > std::numeric_limits<std::uint32_t>::max() ||
      totals.triangles > std::numeric_limits<std::uint32_t>::max())
    return sink.fail(IoError::Code::too_large, "more than 2^32 - 1 vertices or triangles");
  sink.text("OFF\n# written by snug; unit of length: ");
  sink.text(to_string(assembly.units()));
  sink.byte('\n');
  sink.integer(totals.vertices), sink.byte(' ');
  sink.integer(totals.triangles), sink.text(" 0\n");

  Steps steps(sink, totals.vertices + totals.triangles);
  for (const Part& part : assembly.parts())
    for (const Point3& vertex : part.mesh.vertices()) {
      const Point3 p = part.pose.apply(vertex);
      sink.number(p.x), sink.byte(' ');
      sink.number(p.y), sink.byte(' ');
      sink.number(p.z), sink.byte('\n');
      if (!steps.next()) return {};
    }
  std::uint64_t first = 0;
  for (const Part& part : assembly.parts()) {
    for (const Index3& t : part.mesh.triangles()) {
      sink.byte('3');
      for (const std::uint32_t v : t) sink.byte(' '), sink.integer(first + v);
      sink.byte('\n');
      if (!steps.next()) return {};
    }
    first += part.mesh.vertices().size();
  }
  note_losses(sink, assembly);
  return {};
}

}  // namespace snug::io
