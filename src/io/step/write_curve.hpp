#pragma once

#include "io/step/write_forms.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace snug::io {

/// What an edge between two faces runs along, from its first vertex to its last.
struct BrepCurve {
  enum class Kind : std::uint8_t { line, circle, spline } kind = Kind::line;
  Point3 centre;                    ///< circle
  Vec3 axis;                        ///< circle: the edge runs counter-clockwise about it
  double radius = 0;                ///< circle
  std::vector<Point3> points = {};  ///< spline: passes through these, the first and last being its ends
};

struct CurvePiece {
  std::vector<std::uint32_t> vertices;  ///< of the chain that the piece stands for, ends included
  BrepCurve curve;
};

/// Curves for a chain of mesh edges, given by their vertices (the last being the first if it is closed). Lines and
/// circles are taken when all vertices lie on them, and they themselves on the faces at both sides; else a spline that
/// keeps to both faces at least as well as the mesh does; else one line for each straight run. Vertices on the way become
/// ends only where curves do. A side is null where there is no face. Pieces of a ring, a closed chain without an end of its
/// own, may begin at any of its vertices.
[[nodiscard]] std::vector<CurvePiece> fit_curves(std::span<const Point3> places, std::span<const std::uint32_t> chain,
                                                 bool is_ring, const FaceForm* left, const FaceForm* right,
                                                 double tolerance);

}  // namespace snug::io
