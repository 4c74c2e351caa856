#pragma once

#include <snug/assembly.hpp>
#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug {

enum class FileFormat : std::uint8_t { stl, obj, ply, off, gltf, step, iges, brep, dae };
/// "stl", "obj", "ply", "off", "gltf", "step", "iges", "brep", "dae" (COLLADA, which is read and not written).
[[nodiscard]] SNUG_API std::string_view to_string(FileFormat format) noexcept;
/// True for formats whose faces are meshed: STEP, IGES and BREP.
[[nodiscard]] constexpr bool is_cad(FileFormat format) noexcept {
  return format == FileFormat::step || format == FileFormat::iges || format == FileFormat::brep;
}
/// True for formats that say in which unit their numbers are: LoadOptions::units is needed for the others.
[[nodiscard]] constexpr bool has_units(FileFormat format) noexcept {
  return format == FileFormat::gltf || format == FileFormat::step || format == FileFormat::iges ||
         format == FileFormat::dae;
}

/// Why a file could not be read or written: which file, where in it, and what was expected there.
struct IoError {
  enum class Code : std::uint8_t {
    not_found,       ///< no such file
    unreadable,      ///< permission, a failing disk
    not_a_file,      ///< a directory, a pipe, a device
    unknown_format,  ///< neither content nor suffix tell what it is
    units_missing,   ///< the format has none and the options name none
    malformed,       ///< the content breaks the format's rules
    truncated,       ///< it ends too early
    out_of_range,    ///< an index names what is not there
    non_finite,      ///< NaN, infinity, or beyond k_max_coordinate
    too_large,       ///< more than the limits allow
    unsupported,     ///< valid, but of a kind we do not read
    refused,         ///< a reference that leaves the file's folder
    cancelled,       ///< the caller asked to stop
    unwritable,      ///< writing failed; nothing is left behind
    invalid_option,  ///< an option is out of its range, or contradicts the file
    no_importer,     ///< a CAD file, and the program that reads them is missing
    import_failed,   ///< the CAD kernel crashed on it, or answered nonsense
    import_limit,    ///< the CAD kernel was stopped at a limit: time, memory or size of its answer
  } code = Code::malformed;
  std::string path;
  // What is wrong with the content has a place, except in CAD files; what concerns the file as a whole has none.
  std::optional<std::uint64_t> line;  ///< from 1, in text formats
  std::optional<std::uint64_t> byte;  ///< from 0, in binary formats and in the text of glTF, which may be a single line
  std::string text;                   ///< what was expected and what was found

  /// "gear.obj:12: expected three numbers after 'v', found 'x'".
  [[nodiscard]] SNUG_API std::string message() const;
};

/// A face to be meshed more finely than the others.
struct FaceRefinement {
  std::string part;           ///< path of any instance of its mesh
  std::uint32_t surface = 0;  ///< of that mesh
  double sag_metres = 0;
  friend bool operator==(const FaceRefinement&, const FaceRefinement&) = default;
};

/// How CAD files (STEP, IGES, BREP) are read: by a program of its own, `snug-import`, that is held in bounds, since the
/// CAD kernel in it crashes and hangs on files that are damaged. docs/cad.md tells more.
struct CadOptions {
  double sag_metres = 1e-4;   ///< largest distance asked for between a face and its triangles
  double angle_degrees = 20;  ///< largest angle asked for between neighbouring triangles of a curved face
  std::vector<FaceRefinement> refinements = {};
  bool bodies = false;                  ///< every body of a part with several (STEP, IGES) becomes a part of its own
  std::filesystem::path importer = {};  ///< the program; looked for when empty
  std::filesystem::path cache = {};     ///< folder of imported files, made if need be; none when empty
  std::uint64_t max_cache_bytes = 1ULL << 30;
  double max_seconds = 600;  ///< by the clock on the wall
  std::uint64_t max_memory_bytes = 4ULL << 30;
  std::uint64_t max_output_bytes = 2ULL << 30;  ///< of the triangulated assembly
};

/// A file that another one names and that was read with it: part files of a STEP assembly, buffers of a glTF.
struct ReferencedFile {
  std::string path;    ///< in the folder of the file that names it, or below
  std::string sha256;  ///< of its bytes, hex, if LoadOptions::hash
};

struct LoadOptions {
  /// Unit of the file's numbers. Needed for formats without units (STL, OBJ, PLY, OFF, BREP); where the file has its own
  /// (STEP, IGES; glTF that snug wrote) it must be absent or the same, but for metres: glTF that notes another unit is then converted
  /// to its format's. Other glTF is in metres; a unit given for it declares what its numbers are. Assembly::problems() says both.
  std::optional<LengthUnit> units = std::nullopt;
  double crease_angle_degrees = 30;           ///< for parts without surfaces of their own, see MeshOptions
  std::uint64_t max_file_bytes = 1ULL << 36;  ///< larger files, and buffers they refer to, are refused unread
  bool hash = false;  ///< fill in Loaded::sha256 and those of the other files: takes half of the time of a binary STL
  CadOptions cad = {};
  ProgressHook progress = {};
  const CancelToken* cancel = nullptr;
};

/// "not_found", "unreadable", … as the enumerators are called.
[[nodiscard]] SNUG_API std::string_view to_string(IoError::Code code) noexcept;

/// A file that was read, and what went into it.
struct Loaded {
  Assembly assembly;
  FileFormat format = FileFormat::stl;
  /// Of the file's numbers: its own, or the one named for it. The assembly has another only if it was converted, as that of a
  /// glTF file noted in millimetres that was asked for in metres.
  LengthUnit units = assembly.units();
  std::string sha256 = {};                      ///< of the bytes that were read, hex, if LoadOptions::hash
  std::vector<ReferencedFile> referenced = {};  ///< other files that were read with it, in the order of reading
};

/// All parts of a file as one mesh.
struct LoadedMesh {
  Mesh mesh;
  std::optional<LengthUnit> units;  ///< of its coordinates, where the file says so
};

/// A file that is open to be loaded. It is opened once: its format is known before it is loaded, and it can be loaded several
/// times. Loading fails with `unreadable` if the file was written to or replaced after it was opened.
/// For one thread at a time.
class SNUG_API OpenFile {
 public:
  /// Recognises the format by the content first and the suffix second. Of the options only max_file_bytes matters.
  [[nodiscard]] static Result<OpenFile, IoError> open(const std::filesystem::path& path,
                                                      const LoadOptions& options = {});
  ~OpenFile();
  OpenFile(OpenFile&&) noexcept;
  OpenFile& operator=(OpenFile&&) noexcept;

  [[nodiscard]] FileFormat format() const noexcept;
  /// As snug::load().
  [[nodiscard]] Result<Loaded, IoError> load(const LoadOptions& options = {});
  /// As snug::load_mesh().
  [[nodiscard]] Result<LoadedMesh, IoError> load_mesh(const LoadOptions& options = {});

 private:
  struct Data;
  explicit OpenFile(std::unique_ptr<Data> data) noexcept;
  std::unique_ptr<Data> data_;
};

/// Reads an assembly from a mesh or CAD file, recognised by its content first and its suffix second. What is odd but not wrong
/// (degenerate triangles, dropped points and lines, renamed parts …) is listed in Assembly::problems(); what is wrong is
/// an error, never a shortened mesh. docs/formats.md tells what is read from each format.
[[nodiscard]] SNUG_API Result<Loaded, IoError> load(const std::filesystem::path& path, const LoadOptions& options = {});

/// All parts of a file as one mesh in the file's own units, so LoadOptions::units does not matter (but for the sag of BREP
/// files, taken to be in millimetres without it); surfaces keep their order.
[[nodiscard]] SNUG_API Result<Mesh, IoError> load_mesh(const std::filesystem::path& path,
                                                       const LoadOptions& options = {});

/// Where a part of several files comes from.
struct PartOrigin {
  std::size_t file = 0;
  std::string path;  ///< in that file
};

/// Several files as one assembly.
struct MergedFiles {
  Assembly assembly;
  std::vector<PartOrigin> origins;  ///< part by part
};
/// All assemblies as one, file by file and part by part; `files` are the names of the files. Parts keep their paths. A path that
/// occurs in several files gets the stem of the file before it, and a number where that is not enough. There is
/// at least one assembly, all are in one unit, and there are as many names; else the program stops.
[[nodiscard]] SNUG_API MergedFiles merge(std::span<const Assembly> assemblies, std::span<const std::string> files);

/// How parts move, frame by frame: what a simulation leaves behind.
struct Animation {
  std::vector<double> times;         ///< seconds, rising
  std::vector<std::uint32_t> parts;  ///< those that move; all others rest
  std::vector<Pose> poses;           ///< in the world: times.size() rows of parts.size()
};

struct SaveOptions {
  std::optional<FileFormat> format =
      std::nullopt;    ///< by suffix when absent (.stl .obj .ply .off .glb .step .iges .brep …)
  bool ascii = false;  ///< STL and PLY as text instead of binary
  ProgressHook progress = {};
  const CancelToken* cancel = nullptr;
  /// Where to append what the format could not keep: coordinates rounded to single precision (STL), parts become one, lost
  /// surfaces. Nothing is appended when saving fails.
  std::vector<Problem>* problems = nullptr;
  /// For GLB: written beside the parts, for viewers to play. Other formats pass it over.
  const Animation* animation = nullptr;
  /// For IGES and BREP, which `snug-import` writes: that program, and its limits.
  CadOptions cad = {};
};

/// Writes an assembly: STL, OBJ (with o and g), PLY, OFF, GLB, STEP, IGES or BREP. Through a temporary file that is renamed when complete and on
/// disk, so a failure leaves no half-written file. A file that is replaced hands on its mode; a link stays, and what it
/// stands for is replaced. Parts are written posed, except in GLB, STEP and BREP, which keep poses and instances.
[[nodiscard]] SNUG_API Result<void, IoError> save(const Assembly& assembly, const std::filesystem::path& path,
                                                  const SaveOptions& options = {});

}  // namespace snug
