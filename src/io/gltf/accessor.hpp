#pragma once

#include "io/gltf/buffers.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace snug::io {

enum class GltfType : std::uint16_t { int8 = 5120, uint8, int16, uint16, uint32 = 5125, float32 };

/// An array inside a buffer, with its bounds checked: every element can be read without further care.
struct GltfArray {
  const char* data = nullptr;  ///< null: all zero
  std::uint64_t count = 0;
  std::size_t stride = 0;
  GltfType type = GltfType::float32;
  bool normalised = false;
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;  ///< of the first element in its buffer
  std::string place;         ///< for messages: "accessor 3"
};

/// Vertex positions, in the document's unit. Elements are decoded one by one, because a mesh may use a few of many. Where
/// our own writer noted them in doubles, these are taken, after a look at the floats that stand for them; where a note is
/// left but its doubles are gone, the floats are, which the problems of the document tell.
class GltfPositions {
 public:
  /// False after storing an error in the document.
  bool open(GltfDocument& document, GltfBuffers& buffers, std::uint32_t accessor);
  [[nodiscard]] std::uint64_t count() const noexcept { return array_.count; }
  /// Precondition: i < count(). False after storing an error: the position is not finite, or not what was noted.
  bool read(std::uint64_t i, Point3& out);
  /// Positions that were noted in doubles come from floats.
  [[nodiscard]] bool lost_exact() const noexcept { return lost_exact_; }

 private:
  [[nodiscard]] double component(const char* from, std::size_t axis) const;

  bool open_exact(GltfDocument& document, JsonView notes);
  void lose_exact(GltfDocument& document, const std::string& why);
  bool read_exact(std::uint64_t i, Point3& position);

  GltfBuffers* buffers_ = nullptr;
  LengthUnit unit_ = LengthUnit::metre, exact_unit_ = LengthUnit::metre;
  std::optional<JsonView> json_;
  GltfArray array_;
  std::vector<std::uint32_t> replaced_;  ///< ascending: the elements a sparse accessor replaces
  GltfArray replacement_;
  std::optional<GltfArray> exact_;
  bool lost_exact_ = false;
};

/// Whole numbers: vertex indices, or the triangle ids of our own writer. Charged to the document. One that is not less
/// than `limit` is an error.
bool read_gltf_indices(GltfDocument& document, GltfBuffers& buffers, std::uint32_t accessor, std::uint64_t limit,
                       std::vector<std::uint32_t>& out);

}  // namespace snug::io
