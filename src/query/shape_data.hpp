#pragma once

#include <snug/shape.hpp>

#include <vector>

namespace snug::detail {

struct ShapeData {
  Mesh mesh;
};

/// A posed mesh as brute force wants it: corners by triangle, and their boxes one array per face, so that testing one
/// box against many is a straight run through memory.
struct PosedSoup {
  std::vector<Point3> vertices;
  std::vector<Triangle> triangles;
  std::vector<double> lo_x, lo_y, lo_z, hi_x, hi_y, hi_z;
};

struct ScratchData {
  PosedSoup a, b;
};

/// The one door to what Shape and Scratch hide.
struct Access {
  static const ShapeData& data(const Shape& shape) noexcept { return *shape.data_; }
  static ScratchData& data(Scratch& scratch) noexcept { return *scratch.data_; }
};

}  // namespace snug::detail
