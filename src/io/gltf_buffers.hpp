#pragma once

#include "io/gltf_document.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

/// The bytes behind a glTF file's buffers, fetched when first asked for.
class GltfBuffers {
 public:
  explicit GltfBuffers(GltfDocument& document) : document_(document), loaded_(document.count("buffers")) {}

  /// All bytes of a buffer, at least as many as it declares. False after storing an error in the document.
  bool bytes(std::uint32_t buffer, std::string_view& out);

 private:
  bool load(std::uint32_t buffer);
  bool load_external(JsonView at, const std::string& uri, std::string_view& out);

  struct Loaded {
    bool done = false;
    std::string_view bytes;
  };
  GltfDocument& document_;
  std::vector<Loaded> loaded_;
  std::vector<std::unique_ptr<const std::string>> owned_;
  std::map<std::string, std::string_view> external_;  ///< by address: several buffers may name one file
};

/// Where a relative address leads, or why it is refused: nothing that has a scheme, is absolute, or climbs out of the
/// folder, in plain or percent-encoded form or through a symbolic link.
[[nodiscard]] Result<std::filesystem::path, std::string> resolve_uri(const std::filesystem::path& folder,
                                                                     std::string_view uri);

/// Nothing if the text is not base64.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace snug::io
