#include "io/errors.hpp"
#include "io/ply/ply.hpp"
#include "io/writer.hpp"

#include <limits>

namespace snug::io {

namespace {

void write_header(ByteSink& sink, const Assembly& assembly, const Totals& totals, bool ascii, bool wide) {
  sink.text(ascii ? "ply\nformat ascii 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
  sink.text("comment unit: ");
  sink.text(to_string(assembly.units()));
  sink.byte('\n');
  for (const Part& part : assembly.parts()) {
    sink.text("comment snug part ");
    sink.integer(part.mesh.vertices().size());
    sink.text(" " + escape_ply_name(part.path) + '\n');
    // Unnamed surfaces have their line as well: the lines tell how many there are.
    for (const Surface& surface : part.mesh.surfaces()) {
      sink.text("comment snug surface ");
      sink.text(to_string(surface.kind));
      sink.byte(' ');
      sink.number(surface.sag.value);
      sink.text(surface.sag.estimated ? " estimated " : " exact ");
      sink.text(escape_ply_name(surface.name) + '\n');
    }
  }
  sink.text("element vertex ");
  sink.integer(totals.vertices);
  sink.text("\nproperty double x\nproperty double y\nproperty double z\nelement face ");
  sink.integer(totals.triangles);
  sink.text(wide ? "\nproperty list uchar uint vertex_indices\n" : "\nproperty list uchar int vertex_indices\n");
  sink.text("property int surface\n");
  if (assembly.parts().size() > 1) sink.text("property int part\n");
  sink.text("end_header\n");
}

void write_vertex(ByteSink& sink, const Point3& v, bool ascii) {
  if (!ascii) {
    sink.binary(v.x), sink.binary(v.y), sink.binary(v.z);
    return;
  }
  sink.number(v.x), sink.byte(' ');
  sink.number(v.y), sink.byte(' ');
  sink.number(v.z), sink.byte('\n');
}

struct Face {
  std::array<std::uint32_t, 3> corner;
  std::uint32_t surface;
  std::optional<std::uint32_t> part;
};

void write_face(ByteSink& sink, const Face& face, bool ascii) {
  if (ascii) {
    sink.byte('3');
    for (const std::uint32_t v : face.corner) sink.byte(' '), sink.integer(v);
    sink.byte(' '), sink.integer(face.surface);
    if (face.part) sink.byte(' '), sink.integer(*face.part);
    sink.byte('\n');
    return;
  }
  sink.byte(3);
  for (const std::uint32_t v : face.corner) sink.binary(v);
  sink.binary(face.surface);
  if (face.part) sink.binary(*face.part);
}

}  // namespace

Result<void, IoError> write_ply(ByteSink& sink, const Assembly& assembly, const SaveOptions& options) {
  const Totals totals = count(assembly);
  if (totals.triangles == 0) return sink.fail(IoError::Code::malformed, "there are no triangles to write");
  if (totals.vertices > std::numeric_limits<std::uint32_t>::max())
    return sink.fail(IoError::Code::too_large, "more than 2^32 - 1 vertices");
  const bool wide = totals.vertices > std::numeric_limits<std::int32_t>::max();
  write_header(sink, assembly, totals, options.ascii, wide);

  Steps steps(sink, totals.vertices + totals.triangles);
  for (const Part& part : assembly.parts()) {
    for (const Point3& v : part.mesh.vertices()) {
      write_vertex(sink, part.pose.apply(v), options.ascii);
      if (!steps.next()) return {};
    }
  }
  std::uint32_t first_vertex = 0;
  for (std::uint32_t p = 0; p < assembly.parts().size(); ++p) {
    const Mesh& mesh = assembly.parts()[p].mesh;
    for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
      const Index3& c = mesh.triangles()[t];
      Face face{{c[0] + first_vertex, c[1] + first_vertex, c[2] + first_vertex}, mesh.surface_of(t), {}};
      if (assembly.parts().size() > 1) face.part = p;
      write_face(sink, face, options.ascii);
      if (!steps.next()) return {};
    }
    first_vertex += static_cast<std::uint32_t>(mesh.vertices().size());
  }
  return {};
}

}  // namespace snug::io
