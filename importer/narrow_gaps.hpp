#pragma once

#include <snug/mesh.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace snug::importer {

/// A hole of a surface whose two sides run close along each other, and the strip of triangles that closes it.
struct NarrowGap {
  std::vector<Index3> triangles;
  std::uint32_t beside = 0;  ///< a triangle at its border
  double width = 0;          ///< no corner of one side is farther from the other
};

/// The holes that are no wider than the model says that its faces may be apart: `tolerance_of` a triangle, the largest at the
/// border of a hole. Borders of more than a few hundred corners are left alone.
[[nodiscard]] std::vector<NarrowGap> narrow_gaps(std::span<const Point3> vertices, std::span<const Index3> triangles,
                                                 const std::function<double(std::uint32_t)>& tolerance_of);

/// Closes a gap beside a triangle of the mesh. The strip is a surface of its own, of no known form: it is as far from the face that it
/// stands for as the gap is wide, and triangles of planes and cylinders count as exact.
void append_strip(MeshInput& mesh, const NarrowGap& gap, std::uint32_t beside);

}  // namespace snug::importer
