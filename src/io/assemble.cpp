#include "io/errors.hpp"
#include "io/part_paths.hpp"
#include "io/reader.hpp"
#include "support/assert.hpp"

namespace snug::io {

namespace {

using Code = IoError::Code;

constexpr std::size_t k_most_renames_listed = 20;

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

}  // namespace

Result<Assembly, IoError> assemble(RawAssembly raw, LengthUnit units, const ByteSource& source,
                                   const LoadOptions& options) {
  if (raw.parts.empty()) return source.fail(Code::malformed, "expected triangles, found none");
  if (raw.parts.size() > k_max_parts)
    return source.fail(Code::too_large,
                       counted(raw.parts.size(), "part", "parts") + ", the limit is " + std::to_string(k_max_parts));
  Assembly assembly(units);
  for (std::string& text : raw.problems) assembly.add_problem({{}, std::move(text)});
  for (Frame& frame : raw.frames) {
    (void)clean_name(frame.path);
    if (auto added = assembly.add_frame(std::move(frame)); !added)
      return source.fail(Code::non_finite, added.error().message());
  }

  PartPaths paths(source.stem());
  std::size_t renames = 0;
  for (std::size_t i = 0; i < raw.parts.size(); ++i) {
    RawPart& part = raw.parts[i];
    bool replaced = clean_name(part.name);
    for (Surface& surface : part.mesh.surfaces) replaced |= clean_name(surface.name);
    if (part.name.empty()) part.name = paths.nameless();
    const std::string path = paths.next(part.name);
    if (path != part.name && !raw.names_repeat && ++renames <= k_most_renames_listed)
      assembly.add_problem({path, "renamed: an earlier part is called '" + part.name + "' too"});
    if (replaced)
      assembly.add_problem(
          {path, "names hold control characters, replaced by blanks, or bytes that are not UTF-8, read as Latin-1"});
    for (std::string& text : part.problems) assembly.add_problem({path, std::move(text)});

    if (part.instance_of) {
      SNUG_ASSERT(*part.instance_of < i);
      SNUG_ASSERT(assembly.parts().size() == i);
      const Mesh shared = assembly.parts()[*part.instance_of].mesh;
      (void)assembly.add({path, shared, part.pose, part.color, part.frame});
      continue;
    }
    auto mesh = Mesh::build(std::move(part.mesh), {.crease_angle_degrees = options.crease_angle_degrees},
                            {.cancel = options.cancel});
    if (!mesh && mesh.error().code == MeshError::Code::cancelled)
      return source.fail(Code::cancelled, "reading was cancelled");
    if (!mesh)
      return source.fail(code_of(mesh.error().code),
                         "part " + quoted(std::string_view(path)) + ": " + mesh.error().message());
    (void)assembly.add({path, std::move(*mesh), part.pose, part.color, part.frame});
  }
  for (RawLoss& loss : raw.losses) {
    if (loss.of_part)
      loss.part = assembly.parts()[*loss.of_part].path;
    else
      (void)clean_name(loss.part);
    assembly.add_loss({std::move(loss.part), std::move(loss.text)});
  }
  if (renames > k_most_renames_listed)
    assembly.add_problem({{}, counted(renames - k_most_renames_listed, "more part", "more parts") + " renamed"});
  return assembly;
}

}  // namespace snug::io
