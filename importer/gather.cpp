#include "gather.hpp"

#include "io/reader.hpp"
#include "support/text.hpp"

#include <BRepBuilderAPI_Transform.hxx>
#include <TopExp_Explorer.hxx>

#include <cmath>
#include <stdexcept>

namespace snug::importer {

namespace {

constexpr double k_rigid = 1e-9;  // of a scale of one

std::size_t count(const TopoDS_Shape& shape, TopAbs_ShapeEnum kind, TopAbs_ShapeEnum outside) {
  std::size_t n = 0;
  for (TopExp_Explorer found(shape, kind, outside); found.More(); found.Next()) ++n;
  return n;
}

std::size_t loose_curves(const TopoDS_Shape& shape) {
  return count(shape, TopAbs_EDGE, TopAbs_FACE) + count(shape, TopAbs_VERTEX, TopAbs_EDGE);
}

}  // namespace

std::size_t Gather::distinct(const TopoDS_Shape& shape, std::vector<FaceLook> looks) {
  const std::pair<const void*, int> key{shape.TShape().get(), shape.Orientation()};
  const auto [known, is_new] = known_.emplace(key, document_.shapes.size());
  if (is_new) document_.shapes.push_back({shape, std::move(looks)});
  return known->second;
}

void Gather::add(const std::string& path, const TopoDS_Shape& shape, const gp_Trsf& outer, std::vector<FaceLook> looks,
                 const std::optional<Rgba>& color) {
  if (shape.IsNull()) {
    document_.losses.push_back({path, "its shape could not be read"});
    return;
  }
  const std::size_t loose = loose_curves(shape);
  if (!TopExp_Explorer(shape, TopAbs_FACE).More()) {
    if (loose == 0)
      document_.losses.push_back({path, "it has no shape"});
    else
      document_.problems.push_back({path, "curves or points without a face, left out"});
    return;
  }
  if (loose > 0)
    document_.problems.push_back(
        {path, support::counted(loose, "curve or point", "curves or points") + " outside its faces left out",
         static_cast<std::uint32_t>(document_.parts.size())});
  if (document_.parts.size() >= io::k_max_parts) throw std::length_error("more parts than can be handled");

  const gp_Trsf placement = outer * shape.Location().Transformation();
  const TopoDS_Shape here = shape.Located(TopLoc_Location());
  if (std::abs(placement.ScaleFactor() - 1) <= k_rigid) {
    document_.parts.push_back({path, distinct(here, std::move(looks)), placement, color, frame_});
    return;
  }
  BRepBuilderAPI_Transform transform(here, placement, Standard_True);
  document_.parts.push_back({path, distinct(transform.Shape(), std::move(looks)), gp_Trsf(), color, frame_});
}

}  // namespace snug::importer
