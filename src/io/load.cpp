#include "io/errors.hpp"
#include "io/reader.hpp"
#include "io/text/number.hpp"
#include "support/assert.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <array>
#include <memory>
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

Result<Loaded, IoError> load_as(FileFormat format, ByteSource& source, const LoadOptions& options) {
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
  const LengthUnit units_of_file = raw->units_of_file.value_or(*units);
  std::vector<ReferencedFile> referenced = std::move(raw->referenced);
  auto assembly = assemble(std::move(*raw), *units, source, options);
  if (!assembly) return placed(std::move(assembly).error(), format, source);
  return Loaded{std::move(*assembly), format, units_of_file, {}, std::move(referenced)};
}

namespace {

/// What was read, from bytes that did not change meanwhile, and their hash if asked for.
Result<Loaded, IoError> load_whole(FileFormat format, ByteSource& source, const LoadOptions& options) {
  if (auto small = source.within_limit(options); !small) return Failure{std::move(small).error()};
  source.restart(options, options.hash);
  auto loaded = load_as(format, source, options);
  if (!loaded) return loaded;
  auto hash = source.finish();
  if (!hash) return Failure{std::move(hash).error()};
  loaded->sha256 = std::move(*hash);
  return loaded;
}

}  // namespace

Result<Loaded, IoError> load_source(ByteSource& source, const LoadOptions& options) {
  const auto format = format_of(source);
  if (!format) return Failure{format.error()};
  return load_whole(*format, source, options);
}

namespace {

/// Any unit will do for a mesh that is handed out in the file's own. In BREP files, where the sag rests on it, it is most
/// likely the millimetre.
LoadOptions in_own_units(FileFormat format, const LoadOptions& options) {
  LoadOptions out = options;
  if (has_units(format))
    out.units.reset();
  else if (format == FileFormat::brep)
    out.units = options.units.value_or(LengthUnit::millimetre);
  else
    out.units = LengthUnit::metre;
  return out;
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

/// Memory that runs out is the file's fault, since it is the file that asks for it.
template <class Read>
auto within_memory(const io::ByteSource& source, Read&& read) -> decltype(read()) {
  const auto too_much = [&] {
    return source.fail(IoError::Code::too_large, "reading it takes more memory than there is");
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

struct OpenFile::Data {
  LoadOptions idle;  ///< what the source refers to while nobody loads
  io::ByteSource source;
  FileFormat format = FileFormat::stl;
};

OpenFile::OpenFile(std::unique_ptr<Data> data) noexcept : data_(std::move(data)) {}
OpenFile::~OpenFile() = default;
OpenFile::OpenFile(OpenFile&&) noexcept = default;
OpenFile& OpenFile::operator=(OpenFile&&) noexcept = default;

FileFormat OpenFile::format() const noexcept {
  SNUG_ASSERT(data_ != nullptr && "an OpenFile is used after it was moved from");
  return data_->format;
}

Result<OpenFile, IoError> OpenFile::open(const std::filesystem::path& path, const LoadOptions& options) {
  auto source = io::ByteSource::open(path, options);
  if (!source) return Failure{std::move(source).error()};
  auto data = std::make_unique<Data>(LoadOptions{}, std::move(*source));
  data->source.restart(data->idle, false);
  const auto format = io::format_of(data->source);
  if (!format) return Failure{format.error()};
  data->format = *format;
  return OpenFile(std::move(data));
}

Result<Loaded, IoError> OpenFile::load(const LoadOptions& options) {
  SNUG_ASSERT(data_ != nullptr && "an OpenFile is used after it was moved from");
  auto loaded = within_memory(data_->source, [&] { return io::load_whole(data_->format, data_->source, options); });
  data_->source.restart(data_->idle, false);
  if (loaded && options.progress) options.progress(1);
  return loaded;
}

Result<LoadedMesh, IoError> OpenFile::load_mesh(const LoadOptions& options) {
  SNUG_ASSERT(data_ != nullptr && "an OpenFile is used after it was moved from");
  const LoadOptions own = io::in_own_units(data_->format, options);
  auto mesh = within_memory(data_->source, [&]() -> Result<LoadedMesh, IoError> {
    if (auto small = data_->source.within_limit(own); !small) return Failure{std::move(small).error()};
    data_->source.restart(own, false);
    auto loaded = io::load_as(data_->format, data_->source, own);
    if (!loaded) return Failure{std::move(loaded).error()};
    if (auto whole = data_->source.finish(); !whole) return Failure{std::move(whole).error()};
    auto one = io::as_one_mesh(loaded->assembly, data_->source, own);
    if (!one) return Failure{std::move(one).error()};
    return LoadedMesh{std::move(*one), has_units(data_->format) ? std::optional(loaded->units) : std::nullopt};
  });
  data_->source.restart(data_->idle, false);
  if (mesh && options.progress) options.progress(1);
  return mesh;
}

Result<Loaded, IoError> load(const std::filesystem::path& path, const LoadOptions& options) {
  auto file = OpenFile::open(path, options);
  if (!file) return Failure{std::move(file).error()};
  return file->load(options);
}

Result<Mesh, IoError> load_mesh(const std::filesystem::path& path, const LoadOptions& options) {
  auto file = OpenFile::open(path, options);
  if (!file) return Failure{std::move(file).error()};
  auto loaded = file->load_mesh(options);
  if (!loaded) return Failure{std::move(loaded).error()};
  return std::move(loaded->mesh);
}

}  // namespace snug
