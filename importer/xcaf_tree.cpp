#include "xcaf_tree.hpp"

#include "gather.hpp"
#include "text.hpp"

#include <Quantity_ColorRGBA.hxx>
#include <TDF_LabelSequence.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_DataMapOfShapeInteger.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace snug::importer {

namespace {

constexpr int k_max_depth = 100;

std::uint8_t to_byte(double channel) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(channel, 0.0, 1.0)));
}

/// Names that programs give when nobody did: a number, "NAUO12", or the kernel's own "=>[0:1:1:3]".
bool is_made_up(std::string_view name) {
  if (name.starts_with("=>[")) return true;
  if (name.starts_with("NAUO")) name.remove_prefix(4);
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

class ProductTree {
 public:
  ProductTree(const Handle(TDocStd_Document) & source, const FaceNames& names, Document& document)
      : shapes_(XCAFDoc_DocumentTool::ShapeTool(source->Main())),
        colors_(XCAFDoc_DocumentTool::ColorTool(source->Main())),
        names_(names),
        document_(document),
        gather_(document) {}

  void walk_all() {
    TDF_LabelSequence roots;
    shapes_->GetFreeShapes(roots);
    for (const TDF_Label& root : roots) walk(root, "", gp_Trsf(), std::nullopt, 0);
  }

 private:
  /// `label` is a product or a place of one.
  void walk(const TDF_Label& label, const std::string& above, const gp_Trsf& outer, std::optional<Rgba> color,
            int depth) {
    TDF_Label product = label;
    gp_Trsf placement = outer;
    if (XCAFDoc_ShapeTool::IsReference(label)) {
      if (!color) color = color_of(label);  // of an instance; those further out override it
      placement = outer * XCAFDoc_ShapeTool::GetLocation(label).Transformation();
      if (!XCAFDoc_ShapeTool::GetReferredShape(label, product)) {
        document_.losses.push_back({above, "a product that is referred to is missing"});
        return;
      }
    }
    const std::string path = path_of(label, product, above);
    if (depth > k_max_depth) {
      document_.losses.push_back({above, "nested too deeply"});
      return;
    }
    if (!XCAFDoc_ShapeTool::IsAssembly(product)) return add_leaf(path, product, placement, color);
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(product, components);
    if (components.IsEmpty()) document_.losses.push_back({path, "an assembly without parts"});
    for (const TDF_Label& component : components) walk(component, path, placement, color, depth + 1);
  }

  static std::string path_of(const TDF_Label& place, const TDF_Label& product, const std::string& above) {
    std::string name = name_of(place);  // tells instances apart, where somebody chose it
    if (name.empty() || is_made_up(name)) name = name_of(product);
    if (name.empty() || is_made_up(name)) name = "part";
    return above.empty() ? name : above + "/" + name;
  }

  void add_leaf(const std::string& path, const TDF_Label& product, const gp_Trsf& placement,
                std::optional<Rgba> color) {
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(product);
    if (shape.IsNull()) return gather_.add(path, shape, placement, {}, color);
    std::vector<FaceLook> looks = looks_of(product, shape);
    // Instances share the looks: only what the product itself says may be left out of them.
    std::optional<Rgba> own = color_of(product);
    if (!own && !looks.empty() &&
        std::ranges::all_of(looks, [&](const FaceLook& look) { return look.color && look.color == looks[0].color; })) {
      own = looks[0].color;
    }
    for (FaceLook& look : looks)
      if (look.color == own) look.color.reset();
    gather_.add(path, shape, placement, std::move(looks), color ? color : own);
  }

  std::optional<Rgba> color_of(const TDF_Label& label) const {
    for (const XCAFDoc_ColorType type : {XCAFDoc_ColorSurf, XCAFDoc_ColorGen}) {
      Quantity_ColorRGBA color;
      if (!colors_->GetColor(label, type, color)) continue;
      Standard_Real red = 0, green = 0, blue = 0;
      color.GetRGB().Values(red, green, blue, Quantity_TOC_sRGB);
      return Rgba{to_byte(red), to_byte(green), to_byte(blue), to_byte(color.Alpha())};
    }
    return std::nullopt;
  }

  /// A face's own colour and name, else those of the shell or solid around it that has some.
  std::vector<FaceLook> looks_of(const TDF_Label& product, const TopoDS_Shape& shape) const {
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
      if (const auto name = names_.find(faces[i].face.TShape().get()); name != names_.end())
        looks[i].name = name->second;
      if (look_of.IsBound(faces[i].face)) {
        const auto place = static_cast<std::size_t>(look_of.Find(faces[i].face));
        looks[i].color = colors[place];
        if (!names[place].empty()) looks[i].name = names[place];
      }
      looks[i].patch = io::take_mark(looks[i].name);
    }
    return looks;
  }

  Handle(XCAFDoc_ShapeTool) shapes_;
  Handle(XCAFDoc_ColorTool) colors_;
  const FaceNames& names_;
  Document& document_;
  Gather gather_;
};

}  // namespace

Handle(TDocStd_Document) new_xcaf_document() {
  // Without an application: that one would look for resource files and plug-ins.
  Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
  XCAFDoc_DocumentTool::Set(document->Main());
  return document;
}

void gather_products(const Handle(TDocStd_Document) & source, const FaceNames& names, Document& document) {
  ProductTree(source, names, document).walk_all();
}

}  // namespace snug::importer
