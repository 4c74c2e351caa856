#pragma once

#include "io/reader.hpp"
#include "io/text/line_reader.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
[[nodiscard]] std::size_t size_of(PlyType type) noexcept;
[[nodiscard]] bool is_integer(PlyType type) noexcept;

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::int8;       ///< of the value, or of a list's items
  std::optional<PlyType> count_type;  ///< set for lists
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  [[nodiscard]] std::optional<std::size_t> find(std::string_view property) const;
  /// Bytes of one element in binary, all lists empty.
  [[nodiscard]] std::uint64_t least_bytes() const;
};

/// What our own writer says in comments, so that parts and surfaces survive a format that has neither.
struct PlyPartNote {
  std::string path;
  std::uint64_t vertices = 0;
  std::vector<Surface> surfaces;
};

enum class PlyEncoding : std::uint8_t { ascii, little_endian, big_endian };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::vector<PlyPartNote> notes;

  // Places in `elements` and in their properties.
  std::size_t vertex = 0, face = 0;
  std::size_t x = 0, y = 0, z = 0;
  std::size_t corners = 0;
  std::optional<std::size_t> surface, part;
};

/// Reads up to end_header; refuses what has no vertices, no faces, or not the properties a mesh needs.
[[nodiscard]] Result<PlyHeader, IoError> read_ply_header(LineReader& lines);

/// Triangles as they come out of the body. Vertex indices are in range.
struct PlyMesh {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
  std::vector<std::uint32_t> surface;  ///< per triangle, or empty; negative numbers wrap round
  std::vector<std::uint32_t> part;
  std::uint64_t thin_faces = 0;  ///< faces with fewer than three corners, which are left out
  /// Polygons of more than three corners: their first triangle and how many.
  struct Fan {
    std::uint32_t first = 0, count = 0;
  };
  std::vector<Fan> fans;
};

/// Collects polygons into triangles, as a fan in order.
class PlyFan {
 public:
  explicit PlyFan(PlyMesh& mesh) : mesh_(mesh) {}
  void corner(std::uint32_t vertex) {
    if (count_ == 0)
      first_ = vertex;
    else if (count_ > 1)
      mesh_.triangles.push_back({first_, previous_, vertex});
    previous_ = vertex;
    ++count_;
  }
  /// Ends the polygon. The numbers are used if the header has such properties.
  void finish(const PlyHeader& header, std::uint32_t surface, std::uint32_t part) {
    if (count_ < 3) ++mesh_.thin_faces;
    if (count_ > 3) {
      const auto triangles = static_cast<std::uint32_t>(count_ - 2);
      mesh_.fans.push_back({static_cast<std::uint32_t>(mesh_.triangles.size()) - triangles, triangles});
    }
    if (header.surface) mesh_.surface.resize(mesh_.triangles.size(), surface);
    if (header.part) mesh_.part.resize(mesh_.triangles.size(), part);
    count_ = 0;
  }

 private:
  PlyMesh& mesh_;
  std::uint64_t count_ = 0;
  std::uint32_t first_ = 0, previous_ = 0;
};

inline constexpr std::uint64_t k_max_ply_triangles = 0xFFFF'FFFF;

/// `bytes` bounds what is reserved on the word of the header.
[[nodiscard]] Result<PlyMesh, IoError> read_ply_text(LineReader& lines, const PlyHeader& header, std::uint64_t bytes);
/// Starts at the source's offset.
[[nodiscard]] Result<PlyMesh, IoError> read_ply_binary(ByteSource& source, const PlyHeader& header);

/// Escapes what would break a comment line: control characters and '%', as %NN.
[[nodiscard]] std::string escape_ply_name(std::string_view name);
[[nodiscard]] std::string unescape_ply_name(std::string_view name);

}  // namespace snug::io
