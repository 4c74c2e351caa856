#include "shape_looks.hpp"

#include "text.hpp"

#include <Quantity_ColorRGBA.hxx>
#include <TDF_LabelSequence.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_DataMapOfShapeInteger.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <cmath>

namespace snug::importer {

namespace {

std::uint8_t to_byte(double channel) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(channel, 0.0, 1.0)));
}

}  // namespace

ShapeLooks::ShapeLooks(const ProductSource& source)
    : names_(source.names), colors_(XCAFDoc_DocumentTool::ColorTool(source.products->Main())) {}

std::optional<Rgba> ShapeLooks::color_of(const TDF_Label& label) const {
  for (const XCAFDoc_ColorType type : {XCAFDoc_ColorSurf, XCAFDoc_ColorGen}) {
    Quantity_ColorRGBA color;
    if (!colors_->GetColor(label, type, color)) continue;
    Standard_Real red = 0, green = 0, blue = 0;
    color.GetRGB().Values(red, green, blue, Quantity_TOC_sRGB);
    return Rgba{to_byte(red), to_byte(green), to_byte(blue), to_byte(color.Alpha())};
  }
  return std::nullopt;
}

std::vector<FaceLook> ShapeLooks::looks_of(const TDF_Label& product, const TopoDS_Shape& shape) const {
  const std::vector<BodyFace> faces = faces_of(shape);
  std::vector<FaceLook> looks(faces.size());
  TopTools_DataMapOfShapeInteger look_of;  // the label's place in `parts`
  TDF_LabelSequence parts;
  XCAFDoc_ShapeTool::GetSubShapes(product, parts);
  std::vector<std::optional<Rgba>> colors{std::nullopt};
  std::vector<std::string> names{""};
  for (const bool whole_face : {true, false})
    for (const TDF_Label& part : parts) {
      const TopoDS_Shape found = XCAFDoc_ShapeTool::GetShape(part);
      if (found.IsNull() || (found.ShapeType() == TopAbs_FACE) != whole_face) continue;
      colors.push_back(color_of(part));
      names.push_back(whole_face ? name_of(part) : "");
      if (!colors.back() && names.back().empty()) continue;
      for (TopExp_Explorer face(found, TopAbs_FACE); face.More(); face.Next())
        if (!look_of.IsBound(face.Current())) look_of.Bind(face.Current(), static_cast<int>(colors.size()) - 1);
    }
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (const auto name = names_.find(faces[i].face.TShape().get()); name != names_.end()) looks[i].name = name->second;
    if (look_of.IsBound(faces[i].face)) {
      const auto place = static_cast<std::size_t>(look_of.Find(faces[i].face));
      looks[i].color = colors[place];
      if (!names[place].empty()) looks[i].name = names[place];
    }
    looks[i].patch = io::take_mark(looks[i].name);
  }
  return looks;
}

}  // namespace snug::importer
