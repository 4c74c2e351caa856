#pragma once

#include "page/mesh_code.hpp"
#include "support/rooms.hpp"

#include <snug/page.hpp>
#include <snug/shape_cache.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace snug::page {

/// Where the surfaces of two parts cross: segments on a grid, in the bytes that docs/page/format.md tells. Of parts that
/// clash without a pair of triangles that cross, the edges of the space they share.
struct CodedCurves {
  Grid grid;
  std::uint64_t segments = 0;
  std::uint64_t crossing = 0;  ///< pairs of triangles that cross; more than `segments` if some were left out
  std::string bytes;
};
[[nodiscard]] CodedCurves code_curves(const Assembly& assembly, const PagePair& pair, ShapeCache& shapes,
                                      Scratch& scratch);

/// The two points where parts that do not meet are closest.
struct Witness {
  Point3 on_a, on_b;
};
[[nodiscard]] std::optional<Witness> closest(const Assembly& assembly, const PagePair& pair, ShapeCache& shapes,
                                             Scratch& scratch);

}  // namespace snug::page
