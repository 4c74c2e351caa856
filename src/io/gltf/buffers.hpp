#pragma once

#include "io/gltf/document.hpp"
#include "support/rooms.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

inline constexpr std::uint64_t k_max_ids = 0xFFFF'FFFF;  ///< of vertices, triangles and surfaces

/// The bytes behind a glTF file's buffers, fetched when first asked for.
class GltfBuffers {
 public:
  explicit GltfBuffers(GltfDocument& document) : document_(document), loaded_(document.count("buffers")) {}

  /// The bytes of a buffer, as many as it declares. False after storing an error in the document.
  bool bytes(std::uint32_t buffer, std::string_view& out);
  /// Notes that [first, last) of a buffer are looked at, `wanted` bytes of them: what nobody noted before counts as
  /// brought by the file.
  void use(std::uint32_t buffer, std::uint64_t first, std::uint64_t last, std::uint64_t wanted);
  /// Stores an error about a byte of a buffer: at its place in the file it came from, or at `json` if it was embedded in
  /// text. Returns false.
  bool fail(IoError::Code code, std::uint32_t buffer, std::uint64_t byte, JsonView json, std::string text);
  /// Files that were read so far.
  [[nodiscard]] const std::vector<ReferencedFile>& referenced() const noexcept { return referenced_; }

 private:
  struct Loaded {
    bool done = false;
    std::string_view bytes;
    std::string file;                             ///< empty: of no file that could be looked into
    std::uint64_t file_offset = 0;                ///< where in it the buffer starts
    std::map<std::uint64_t, std::uint64_t> used;  ///< ranges, first to last, that do not touch
  };
  bool load(std::uint32_t buffer);
  bool load_external(JsonView at, const std::string& uri, std::uint64_t length, Loaded& out);

  GltfDocument& document_;
  std::vector<Loaded> loaded_;
  std::vector<std::unique_ptr<const std::string>> owned_;
  std::vector<ReferencedFile> referenced_;
  std::map<std::string, std::string_view> external_;  ///< by path: several buffers may name one file
};

/// The path a relative address stands for, or why it is refused: nothing that has a scheme, is absolute, or climbs out
/// of the folder, in plain or percent-encoded form. Symbolic links are for ByteSource::open_beneath().
[[nodiscard]] Result<std::filesystem::path, std::string> relative_path(std::string_view uri);

/// Nothing if the text is not base64.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace snug::io
