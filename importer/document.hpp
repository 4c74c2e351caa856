#pragma once

#include "io/cad/wire.hpp"
#include "io/step/patch.hpp"

#include <TopLoc_Location.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>
#include <gp_Trsf.hxx>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a reader takes out of a file, before anything is meshed.

namespace snug::importer {

struct FaceLook {
  std::string name;
  std::optional<Rgba> color;
  std::optional<io::PatchMark> patch;  ///< of the surface that it is a facet or a piece of
};

/// A shape without a placement of its own, met once or at many places.
struct DistinctShape {
  TopoDS_Shape shape;
  std::vector<FaceLook> looks;  ///< as faces_of(shape) has them
};

struct PlacedShape {
  std::string path;
  std::size_t shape = 0;  ///< into Document::shapes
  gp_Trsf placement;      ///< rigid
  std::optional<Rgba> color;
  std::uint32_t frame = io::CadInstance::k_top;  ///< the sub-assembly it is in: into Document::frames
};

struct Document {
  std::optional<LengthUnit> units;
  std::vector<DistinctShape> shapes;  ///< each has faces
  std::vector<io::CadFrame> frames;   ///< sub-assemblies
  std::vector<PlacedShape> parts;
  std::vector<io::CadProblem> losses, problems;  ///< with places in `parts` for instances
};

/// None for a placement that changes nothing.
[[nodiscard]] TopLoc_Location location_of(const gp_Trsf& placement);

/// Its rotation and translation; those of a placement that scales are the rest of it.
[[nodiscard]] io::CadFrame frame_of(const std::string& path, const gp_Trsf& placement);
[[nodiscard]] gp_Trsf placement_of(const io::CadFrame& frame);

/// A face with the body whose boundary it belongs to. Faces of one body meet at shared edges; bodies only touch.
struct BodyFace {
  TopoDS_Face face;
  std::uint32_t body = 0;
};
/// The faces of solids, then of shells outside solids, then the loose ones, which make up one body; within these in the
/// order of the file. A face between two solids is listed for each.
[[nodiscard]] std::vector<BodyFace> faces_of(const TopoDS_Shape& shape);

}  // namespace snug::importer
