#include "io/errors.hpp"
#include "io/text/number.hpp"
#include "io/reader.hpp"

#include <snug/file_format.hpp>

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <stdexcept>

namespace snug {

namespace io {

namespace {

using Code = IoError::Code;

Result<RawAssembly, IoError> read_raw(FileFormat format, ByteSource& source, const LoadOptions& options) {
  switch (format) {
    case FileFormat::stl:
      return read_stl(source, options);
    case FileFormat::obj:
      return read_obj(source, options);
    case FileFormat::ply:
      return read_ply(source, options);
    case FileFormat::off:
      return read_off(source, options);
    case FileFormat::gltf:
      return read_gltf(source, options);
    case FileFormat::step:
    case FileFormat::iges:
    case FileFormat::brep:
      return read_cad(format, source, options);
    case FileFormat::dae:
      return read_dae(source, options);
  }
  return source.fail(Code::unknown_format, "this format is not known");
}

Failure<IoError> units_missing(const ByteSource& source, FileFormat format) {
  return source.fail(Code::units_missing, "the unit of length is needed: " + std::string(to_string(format)) +
                                              " files have none of their own");
}

constexpr bool has_units(FileFormat format) {
  return format == FileFormat::gltf || format == FileFormat::step || format == FileFormat::iges ||
         format == FileFormat::dae;
}

/// The kernel reads what there is of a file and says that nothing is in it. What it was not told is why.
void explain_missing_end(IoError& error, FileFormat format, ByteSource& source) {
  constexpr std::string_view k_end = "END-ISO-10303-21";
  constexpr std::uint64_t k_tail = 4096;
  if (format != FileFormat::step || (error.code != Code::malformed && error.code != Code::import_failed)) return;
  // What is no STEP file at all is not one that was cut off.
  constexpr std::string_view k_begin = "ISO-10303-21";
  std::string head(static_cast<std::size_t>(std::min(source.size(), k_tail)), '\0');
  source.seek(0);
  if (source.read(head) != head.size()) return;
  if (head.find(k_begin) == head.npos) {
    error.text += "; the file does not begin with " + std::string(k_begin) + ": it is no STEP file";
    return;
  }
  std::string tail(static_cast<std::size_t>(std::min(source.size(), k_tail)), '\0');
  source.seek(source.size() - tail.size());
  if (source.read(tail) != tail.size() || tail.find(k_end) != tail.npos) return;
  error.text += "; the file does not end with " + std::string(k_end) + ": it is cut off, or was not written to its end";
}

/// True for errors about content, which is somewhere.
bool has_place(Code code) {
  switch (code) {
    case Code::malformed:
    case Code::truncated:
    case Code::out_of_range:
    case Code::non_finite:
      return true;
    default:
      return false;
  }
}

/// An error about the content as a whole, such as that there is no triangle in it, stands where reading ended.
/// That of a CAD file, its kernel does not tell.
Failure<IoError> placed(IoError error, FileFormat format, const ByteSource& source) {
  if (!is_cad(format) && has_place(error.code) && !error.line && !error.byte) error.byte = source.offset();
  return Failure{std::move(error)};
}

/// Text of two bytes per character, with a byte order mark or as ASCII looks in it.
bool is_utf16(std::string_view head) {
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return true;
  if (head.size() < 8) return false;
  const auto is_text = [&](std::size_t i) { return is_space(head[i]) || (head[i] > ' ' && head[i] < 0x7f); };
  const std::size_t low = head[0] == 0 ? 1 : 0;
  for (std::size_t i = 0; i < 8; i += 2)
    if (!is_text(i + low) || head[i + 1 - low] != 0) return false;
  return true;
}

Result<FileFormat, IoError> format_of(ByteSource& source) {
  std::array<char, k_head_bytes> head;
  const std::size_t length = source.read(head);
  if (const auto& failed = source.failure()) return Failure{*failed};
  source.seek(0);
  const std::string_view beginning(head.data(), length);
  if (is_utf16(beginning) && !is_binary_stl(beginning, source.size()))
    return failure_at_byte(Code::unsupported, source.path(), 0, "expected UTF-8 text or binary data, found UTF-16");
  const std::string suffix = std::filesystem::path(source.path()).extension().string();
  if (const auto format = recognise(beginning, source.size(), suffix)) return *format;
  return source.fail(
      Code::unknown_format,
      "neither content nor suffix tell the format; STEP, IGES, BREP, STL, OBJ, PLY, OFF, glTF and COLLADA are read");
}

}  // namespace

Result<Assembly, IoError> load_as(FileFormat format, ByteSource& source, const LoadOptions& options) {
  if (!(options.crease_angle_degrees >= 0 && options.crease_angle_degrees <= 180))
    return source.fail(Code::invalid_option, "expected a crease angle from 0 to 180 degrees, found " +
                                                 number_text(options.crease_angle_degrees));
  // Asked for before the work is done, where it is certain to be missing.
  if (!has_units(format) && !options.units) return units_missing(source, format);
  auto raw = read_raw(format, source, options);
  if (const auto& failed = source.failure()) return Failure{*failed};
  if (!raw) {
    IoError error = std::move(raw).error();
    explain_missing_end(error, format, source);
    return placed(std::move(error), format, source);
  }
  const std::optional<LengthUnit> units = raw->units ? raw->units : options.units;
  if (!units) return units_missing(source, format);
  if (options.units && *options.units != *units)
    return source.fail(Code::invalid_option, "the file is in " + std::string(to_string(*units)) + ", but " +
                                                 std::string(to_string(*options.units)) + " was asked for");
  auto assembly = assemble(std::move(*raw), *units, source, options);
  if (!assembly) return placed(std::move(assembly).error(), format, source);
  return assembly;
}

Result<Assembly, IoError> load_source(ByteSource& source, const LoadOptions& options) {
  const auto format = format_of(source);
  if (!format) return Failure{format.error()};
  return load_as(*format, source, options);
}

namespace {

/// Any unit will do for a mesh that is handed out in the file's own. In BREP files, where the sag rests on it, it is most
/// likely the millimetre.
Result<Assembly, IoError> load_in_own_units(ByteSource& source, const LoadOptions& options) {
  const auto format = format_of(source);
  if (!format) return Failure{format.error()};
  LoadOptions with_units = options;
  if (has_units(*format))
    with_units.units.reset();
  else if (*format == FileFormat::brep)
    with_units.units = options.units.value_or(LengthUnit::millimetre);
  else
    with_units.units = LengthUnit::metre;
  return load_as(*format, source, with_units);
}

Result<MeshInput, IoError> merged(const Assembly& assembly, const ByteSource& source) {
  std::size_t vertices = 0, triangles = 0;
  for (const Part& part : assembly.parts()) {
    vertices += part.mesh.vertices().size();
    triangles += part.mesh.triangles().size();
  }
  // A few bytes make an instance, and here each becomes a copy: a small file must not fill the memory.
  const std::uint64_t bytes = vertices * sizeof(Point3) + triangles * (sizeof(Index3) + sizeof(std::uint32_t));
  if (bytes > std::max(std::uint64_t{1} << 31, 16 * source.size()))
    return source.fail(Code::too_large, "its instances as one mesh take " + counted(bytes, "byte", "bytes"));
  MeshInput out;
  out.vertices.reserve(vertices);
  out.triangles.reserve(triangles);
  out.surface_of_triangle.reserve(triangles);
  for (const Part& part : assembly.parts()) {
    const auto first_vertex = static_cast<std::uint32_t>(out.vertices.size());
    const auto first_surface = static_cast<std::uint32_t>(out.surfaces.size());
    for (const Point3& v : part.mesh.vertices()) out.vertices.push_back(part.pose.apply(v));
    std::uint32_t triangle = 0;
    for (const Index3& t : part.mesh.triangles()) {
      out.triangles.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex});
      out.surface_of_triangle.push_back(part.mesh.surface_of(triangle++) + first_surface);
    }
    const auto surfaces = part.mesh.surfaces();
    out.surfaces.insert(out.surfaces.end(), surfaces.begin(), surfaces.end());
  }
  return out;
}

Result<Mesh, IoError> as_one_mesh(const Assembly& assembly, const ByteSource& source, const LoadOptions& options) {
  const std::span<const Part> parts = assembly.parts();
  if (parts.size() == 1 && parts.front().pose == Pose{}) return parts.front().mesh;
  auto input = merged(assembly, source);
  if (!input) return Failure{input.error()};
  auto mesh = Mesh::build(std::move(*input), {.crease_angle_degrees = options.crease_angle_degrees});
  if (!mesh) return source.fail(Code::too_large, mesh.error().message());
  return std::move(*mesh);
}

}  // namespace
}  // namespace io

namespace {

/// Runs one of the two below; memory that runs out is the file's fault, since it is the file that asks for it.
template <class Value, class Read>
Result<Value, IoError> within_memory(const std::filesystem::path& path, Read&& read) {
  const auto too_much = [&] {
    return io::failure(IoError::Code::too_large, path.string(), "reading it takes more memory than there is");
  };
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return too_much();
  } catch (const std::length_error&) {
    return too_much();
  }
}

}  // namespace

Result<FileFormat, IoError> file_format(const std::filesystem::path& path) {
  const LoadOptions options;  // the source refers to it as long as it lives
  auto source = io::ByteSource::open(path, options);
  if (!source) return Failure{std::move(source).error()};
  return io::format_of(*source);
}

Result<Assembly, IoError> load(const std::filesystem::path& path, const LoadOptions& options) {
  return within_memory<Assembly>(path, [&]() -> Result<Assembly, IoError> {
    auto source = io::ByteSource::open(path, options);
    if (!source) return Failure{std::move(source).error()};
    auto assembly = io::load_source(*source, options);
    if (assembly && options.progress) options.progress(1);
    return assembly;
  });
}

Result<Mesh, IoError> load_mesh(const std::filesystem::path& path, const LoadOptions& options) {
  return within_memory<Mesh>(path, [&]() -> Result<Mesh, IoError> {
    auto source = io::ByteSource::open(path, options);
    if (!source) return Failure{std::move(source).error()};
    auto assembly = io::load_in_own_units(*source, options);
    if (!assembly) return Failure{std::move(assembly).error()};
    auto mesh = io::as_one_mesh(*assembly, *source, options);
    if (mesh && options.progress) options.progress(1);
    return mesh;
  });
}

}  // namespace snug
