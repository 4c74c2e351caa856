#pragma once

#include "page/meeting.hpp"
#include "page/mesh_code.hpp"
#include "support/rooms.hpp"

#include <snug/page.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snug::page {

/// A piece of the page's buffer.
struct Slice {
  std::uint64_t offset = 0, length = 0;
};

struct IndexedMesh {
  const Mesh* mesh = nullptr;
  Grid grid;
  std::uint32_t vertices = 0;
  Slice slice;
};
struct IndexedDeformation {
  std::uint32_t part = 0;
  std::vector<double> times;
  Slice slice;
};
struct IndexedCurves {
  std::uint32_t finding = 0;
  Grid grid;
  std::uint64_t segments = 0, crossing = 0;
  Slice slice;
};
struct IndexedWitness {
  std::uint32_t finding = 0;
  Witness witness;
};

/// What the page has beside the report, and where in the buffer it is.
struct PageIndex {
  std::vector<IndexedMesh> meshes;
  std::vector<std::uint32_t> mesh_of_part;
  std::vector<IndexedCurves> curves;
  std::vector<IndexedWitness> witnesses;
  std::vector<IndexedDeformation> deformations;
  std::optional<Slice> poses, contacts;  ///< of the playback
  struct Map {
    std::array<std::uint32_t, 2> size{};
    Slice slice;
  };
  std::optional<Map> joint_map;
  std::uint64_t bytes = 0;
};

/// A `snug.page/1` document: docs/page/format.md.
[[nodiscard]] std::string page_json(const PageInput& input, const PageIndex& index);

}  // namespace snug::page
