#include "io/bytes/byte_sink.hpp"
#include "io/errors.hpp"
#include "io/reader.hpp"
#include "io/writer.hpp"

#include <new>

namespace snug {

namespace {

using Code = IoError::Code;

Result<void, IoError> write(io::ByteSink& sink, FileFormat format, const Assembly& assembly,
                            const SaveOptions& options) {
  switch (format) {
    case FileFormat::stl:
      return io::write_stl(sink, assembly, options);
    case FileFormat::obj:
      return io::write_obj(sink, assembly, options);
    case FileFormat::ply:
      return io::write_ply(sink, assembly, options);
    case FileFormat::gltf:
      return io::write_glb(sink, assembly, options);
    case FileFormat::off:
      return io::write_off(sink, assembly, options);
    case FileFormat::step:
      return io::write_step(sink, assembly, options);
    case FileFormat::iges:
    case FileFormat::brep:
      return io::write_cad(sink, format, assembly, options);
    case FileFormat::dae:
      break;
  }
  return sink.fail(Code::unsupported, "of a format that is not written");
}

/// What CAD formats and GLB keep and no other format does.
void note_what_only_cad_keeps(io::ByteSink& sink, FileFormat format, const Assembly& assembly) {
  if (format == FileFormat::step || format == FileFormat::iges || format == FileFormat::gltf) return;
  bool colors = false, forms = false;
  for (const Part& part : assembly.parts()) {
    colors |= part.color.has_value();
    for (const Surface& surface : part.mesh.surfaces()) {
      colors |= surface.color.has_value();
      forms |= surface.analytic.has_value();
    }
  }
  if (colors) sink.note_loss({}, "colours are not kept");
  // The others do not keep the kinds either, and say so part by part.
  if (forms && format == FileFormat::ply)
    sink.note_loss({}, "kinds of surfaces are kept, their axes and radii are not");
}

}  // namespace

Result<void, IoError> save(const Assembly& assembly, const std::filesystem::path& path, const SaveOptions& options) {
  // With nothing to go by but the name.
  const auto format = options.format ? options.format : io::recognise({}, 0, path.extension().string());
  if (!format)
    return io::failure(
        Code::unknown_format, path.string(),
        "the suffix does not tell the format; .stl, .obj, .ply, .off, .glb, .step, .iges and .brep are written");
  if (!options.format && path.extension() == ".gltf")
    return io::failure(Code::unsupported, path.string(), "glTF is written as .glb only");
  if (assembly.parts().empty()) return io::failure(Code::unsupported, path.string(), "there are no parts to write");

  try {
    auto sink = io::ByteSink::create(path, options);
    if (!sink) return Failure{std::move(sink).error()};
    sink->progress(0, 1);
    if (const auto written = write(*sink, *format, assembly, options); !written) return written;
    note_what_only_cad_keeps(*sink, *format, assembly);
    return sink->finish();
  } catch (const std::bad_alloc&) {
    return io::failure(Code::too_large, path.string(), "writing it takes more memory than there is");
  }
}

}  // namespace snug
