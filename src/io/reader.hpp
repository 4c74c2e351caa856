#pragma once

#include "io/bytes/byte_source.hpp"
#include "io/errors.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>
#include <snug/mesh.hpp>
#include <snug/pose.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

/// A part as a format's reader hands it over.
struct RawPart {
  std::string name;  ///< path in the assembly tree; empty: the file's stem. Need not be unique.
  MeshInput mesh;    ///< left empty when `instance_of` is set
  Pose pose;
  std::optional<std::uint32_t> instance_of;  ///< earlier place in RawAssembly::parts whose mesh this one shares
  std::vector<std::string> problems;         ///< odd, but not wrong; without the part's name
  std::optional<Rgba> color = std::nullopt;
  std::optional<std::uint32_t> frame = std::nullopt;  ///< into RawAssembly::frames
};

/// What could not be read of a file that was.
struct RawLoss {
  std::string part;  ///< its name in the file; empty when it concerns the file
  std::string text;
  std::optional<std::uint32_t> of_part = std::nullopt;  ///< place in RawAssembly::parts whose path stands for the name
};

/// What a reader returns. At least one part; a file without triangles is the reader's error, since it knows best what it
/// expected. Readers check what they read themselves (finite, within k_max_coordinate, indices in range), because only
/// they can name the line or byte; what Mesh::build() refuses afterwards is reported without a place.
struct RawAssembly {
  std::vector<RawPart> parts;
  std::vector<std::string> problems;  ///< about the file
  std::optional<LengthUnit> units;    ///< when the format has its own
  /// Of the file, if its lengths were converted to another.
  std::optional<LengthUnit> units_of_file = std::nullopt;
  std::vector<ReferencedFile> referenced = {};  ///< see Loaded::referenced
  std::vector<RawLoss> losses = {};             ///< see Assembly::losses()
  std::vector<Frame> frames = {};               ///< see Assembly::frames()
  bool names_repeat = false;                    ///< as a matter of course: parts that get a number are no problem
};

/// The cheapest kind of degenerate triangle to notice; inspect() finds the others.
[[nodiscard]] inline bool has_twin_corners(const Index3& t) noexcept {
  return (int{t[0] == t[1]} | int{t[1] == t[2]} | int{t[2] == t[0]}) != 0;  // without branches
}
[[nodiscard]] inline std::string collapsed_text(std::uint64_t count) {
  return counted(count, "triangle has", "triangles have") + " two equal corners";
}

/// More parts than this are refused. A part of a dozen bytes in a file takes a kilobyte and more in memory; this bounds
/// what a hostile file can ask for.
inline constexpr std::size_t k_max_parts = std::size_t{1} << 18;

// One function per format. Each starts at offset 0 of the source and never allocates more than in proportion to the
// bytes it has seen or knows to follow.
[[nodiscard]] Result<RawAssembly, IoError> read_stl(ByteSource& source, const LoadOptions& options);
[[nodiscard]] Result<RawAssembly, IoError> read_obj(ByteSource& source, const LoadOptions& options);
[[nodiscard]] Result<RawAssembly, IoError> read_ply(ByteSource& source, const LoadOptions& options);
[[nodiscard]] Result<RawAssembly, IoError> read_off(ByteSource& source, const LoadOptions& options);
/// Text or GLB; other files are found in the folder of source.path(), and only there.
[[nodiscard]] Result<RawAssembly, IoError> read_gltf(ByteSource& source, const LoadOptions& options);

/// COLLADA. Other files are not read.
[[nodiscard]] Result<RawAssembly, IoError> read_dae(ByteSource& source, const LoadOptions& options);

/// STEP, IGES or BREP, by the importer.
[[nodiscard]] Result<RawAssembly, IoError> read_cad(FileFormat format, ByteSource& source, const LoadOptions& options);

/// The format of a file with this beginning (up to k_head_bytes, fewer only if the file is shorter), size and suffix.
[[nodiscard]] std::optional<FileFormat> recognise(std::string_view head, std::uint64_t size, std::string_view suffix);
inline constexpr std::size_t k_head_bytes = 4096;

/// True if the file is a binary STL: its size is exactly what its triangle count asks for. Tells it from text even when
/// the header starts with "solid", as many do.
[[nodiscard]] bool is_binary_stl(std::string_view head, std::uint64_t size) noexcept;

/// Recognises and reads; checks units. What load() does, for any source: the way in for tests and fuzzing.
[[nodiscard]] Result<Loaded, IoError> load_source(ByteSource& source, const LoadOptions& options);
/// The same with the format given.
[[nodiscard]] Result<Loaded, IoError> load_as(FileFormat format, ByteSource& source, const LoadOptions& options);
/// Builds the meshes and gives every part a path of its own (PartPaths), which is listed as a problem where it is another than its
/// name, unless names repeat in such files as a matter of course.
[[nodiscard]] Result<Assembly, IoError> assemble(RawAssembly raw, LengthUnit units, const ByteSource& source,
                                                 const LoadOptions& options);

}  // namespace snug::io
