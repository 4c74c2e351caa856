#pragma once

#include "io/bytes/byte_sink.hpp"
#include "io/step/write_curve.hpp"
#include "io/step/write_forms.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <cstdint>
#include <vector>

namespace snug::io {

struct BrepEdge {
  std::uint32_t from = 0, to = 0;  ///< vertices of the mesh; equal for a closed edge
  BrepCurve curve;
};
struct BrepEdgeUse {
  std::uint32_t edge = 0;
  bool forward = true;
};
using BrepLoop = std::vector<BrepEdgeUse>;

struct BrepFace {
  std::uint32_t surface = 0;  ///< of the mesh
  FaceForm form;
  std::vector<BrepLoop> loops;           ///< each with the face at its left; none on a whole sphere or torus
  std::vector<std::uint32_t> triangles;  ///< of the mesh
};
struct BrepShell {
  bool closed = false;
  double volume = 0;  ///< of its triangles; negative for a cavity
  std::vector<BrepFace> faces;
};

/// A mesh as CAD has it: its surfaces as faces, bounded by curves that neighbours share.
struct Brep {
  std::vector<BrepEdge> edges;
  std::vector<BrepShell> shells;
  std::uint64_t surfaces_as_triangles = 0;  ///< surfaces of no known form
  std::uint64_t surfaces_in_pieces = 0;     ///< surfaces that had to become several faces for not hanging together
  std::uint64_t surfaces_recognised = 0;    ///< curved forms that the mesh did not name
  std::uint64_t triangles_left_out = 0;     ///< without area, and without a neighbour of their surface
};

/// Incomplete when `steps` says to give up.
[[nodiscard]] Brep make_brep(const Mesh& mesh, Steps& steps);

}  // namespace snug::io
