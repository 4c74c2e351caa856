#include "xcaf_tree.hpp"

#include "bodies.hpp"
#include "gather.hpp"
#include "io/part_paths.hpp"
#include "io/reader.hpp"
#include "shape_looks.hpp"
#include "text.hpp"

#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TopExp_Explorer.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace snug::importer {

namespace {

constexpr int k_max_depth = 100;

/// What the CAD kernel calls shapes that have no name, here or in the program that wrote the file.
bool is_kernel_word(std::string_view name) {
  constexpr std::array<std::string_view, 9> k_words{"COMPOUND", "COMPSOLID", "SOLID",  "SHELL", "FACE",
                                                    "WIRE",     "EDGE",      "VERTEX", "SHAPE"};
  return name.starts_with("=>[") || name.starts_with("Open CASCADE STEP translator") ||
         std::ranges::find(k_words, name) != k_words.end();
}

/// Names that programs give to instances when nobody did: a number, "NAUO12", "*DIT36".
bool is_made_up(std::string_view name) {
  for (const std::string_view prefix : {"NAUO", "*DIT"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

/// Empty if nobody chose one. An instance's own tells instances apart, where somebody chose it.
std::string chosen_name(const TDF_Label& instance, const TDF_Label& product) {
  if (instance != product)
    if (std::string name = name_of(instance); !is_kernel_word(name) && !is_made_up(name)) return name;
  std::string name = name_of(product);
  return is_kernel_word(name) ? "" : name;
}

std::string below(const std::string& path, const std::string& name) { return path.empty() ? name : path + '/' + name; }

bool has_faces(const TDF_Label& product) {
  const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(product);
  return !shape.IsNull() && TopExp_Explorer(shape, TopAbs_FACE).More();
}

TDF_Label product_of(const TDF_Label& label) {
  TDF_Label product = label;
  if (XCAFDoc_ShapeTool::IsReference(label) && !XCAFDoc_ShapeTool::GetReferredShape(label, product)) return {};
  return product;
}

/// The level above all, if all parts are below one.
std::string root_of(const Document& document) {
  const auto level = [](const std::string& path) { return path.substr(0, path.find('/')); };
  if (document.parts.empty()) return {};
  const std::string root = level(document.parts.front().path);
  const bool is_one = std::ranges::all_of(document.parts, [&](const PlacedShape& p) { return level(p.path) == root; });
  return is_one ? root : "";
}

class ProductTree {
 public:
  ProductTree(const ProductSource& source, bool bodies, Document& document)
      : source_(source), looks_(source), bodies_(bodies), document_(document), gather_(document) {}

  void walk_all() {
    TDF_LabelSequence roots;
    XCAFDoc_DocumentTool::ShapeTool(source_.products->Main())->GetFreeShapes(roots);
    for (const TDF_Label& root : roots) {
      const std::string name = chosen_name(root, product_of(root));
      gather_.enter(io::CadInstance::k_top);
      walk(root, name.empty() ? name : top_.next(name), gp_Trsf(), std::nullopt, 0);
    }
  }

 private:
  /// `label` is a product or a place of one.
  void walk(const TDF_Label& label, const std::string& path, const gp_Trsf& outer, std::optional<Rgba> color,
            int depth) {
    const TDF_Label product = product_of(label);
    gp_Trsf placement = outer;
    if (XCAFDoc_ShapeTool::IsReference(label)) {
      if (!color) color = looks_.color_of(label);  // of an instance; those further out override it
      placement = outer * XCAFDoc_ShapeTool::GetLocation(label).Transformation();
    }
    if (product.IsNull())
      document_.losses.push_back({path, "a product that is referred to is missing"});
    else if (depth > k_max_depth)
      document_.losses.push_back({path, "nested too deeply"});
    else if (XCAFDoc_ShapeTool::IsAssembly(product))
      walk_components(product, path, placement, color, depth + 1);
    else if (const auto outside = source_.outside.find(entry_of(product)); outside != source_.outside.end())
      add_outside(path, outside->second, placement, color);
    else
      add_leaf(path, product, placement, color);
  }

  void walk_components(const TDF_Label& assembly, const std::string& path, const gp_Trsf& placement,
                       const std::optional<Rgba>& color, int depth) {
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(assembly, components);
    if (components.IsEmpty()) document_.losses.push_back({path, "an assembly without parts"});
    // A product with curves beside its body is an assembly to the kernel, of shapes without a name: the body is the product.
    const auto shapes = std::ranges::count_if(components, [](const TDF_Label& c) { return has_faces(product_of(c)); });
    io::PartPaths own("");
    io::PartPaths& siblings = path.empty() ? top_ : own;
    // A root that nobody named is no level of paths, and no frame.
    const std::uint32_t frame = path.empty() ? io::CadInstance::k_top : add_frame(frame_of(path, placement));
    for (const TDF_Label& component : components) {
      gather_.enter(frame);
      const TDF_Label product = product_of(component);
      const std::string name = chosen_name(component, product);
      const bool is_bare = name.empty() && !product.IsNull() && is_kernel_word(name_of(product));
      if (is_bare && (shapes == 1 || !has_faces(product)))
        walk(component, path, placement, color, depth);
      else
        walk(component,
             below(path, siblings.next(!name.empty() ? name
                                       : is_bare     ? "body"
                                                     : "part")),
             placement, color, depth);
    }
  }

  /// A sub-assembly's node in the product tree.
  std::uint32_t add_frame(io::CadFrame frame) {
    if (document_.frames.size() >= io::k_max_parts) return io::CadInstance::k_top;
    document_.frames.push_back(std::move(frame));
    return static_cast<std::uint32_t>(document_.frames.size() - 1);
  }

  void add_outside(const std::string& path, const Outside& outside, const gp_Trsf& placement,
                   const std::optional<Rgba>& color) {
    if (!outside.content) {
      if (told_.insert(outside.loss).second) document_.losses.push_back({path, outside.loss});
      return;
    }
    const Document& content = *outside.content;
    const std::string root = root_of(content);
    // The product here and the root there are one.
    const auto here = [&](const std::string& there) {
      const std::string rest = there.substr(std::min(there.size(), root.empty() ? 0 : root.size() + 1));
      return rest.empty() ? path : below(path, rest);
    };
    const std::uint32_t above = gather_.frame();
    std::vector<std::uint32_t> frames;
    for (const io::CadFrame& frame : content.frames)
      frames.push_back(add_frame(frame_of(here(frame.path), placement * placement_of(frame))));
    for (const PlacedShape& part : content.parts) {
      const DistinctShape& distinct = content.shapes[part.shape];
      gather_.enter(part.frame < frames.size() ? frames[part.frame] : above);
      gather_.add(here(part.path), distinct.shape, placement * part.placement, distinct.looks,
                  color ? color : part.color);
    }
  }

  void add_leaf(const std::string& path, const TDF_Label& product, const gp_Trsf& placement,
                const std::optional<Rgba>& color) {
    if (!has_faces(product) && source_.bare.contains(entry_of(product))) {
      document_.problems.push_back({path, "a component without a shape: the file gives it no geometry"});
      return;
    }
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(product);
    if (shape.IsNull()) return gather_.add(path, shape, placement, {}, color);
    std::vector<FaceLook> looks = looks_.looks_of(product, shape);
    // Instances share the looks: only what the product itself says may be left out of them.
    std::optional<Rgba> own = looks_.color_of(product);
    if (!own && !looks.empty() &&
        std::ranges::all_of(looks, [&](const FaceLook& look) { return look.color && look.color == looks[0].color; })) {
      own = looks[0].color;
    }
    for (FaceLook& look : looks)
      if (look.color == own) look.color.reset();
    const std::optional<Rgba>& shown = color ? color : own;
    std::vector<Body> bodies = bodies_ ? bodies_of(shape, looks) : std::vector<Body>();
    if (bodies.size() < 2) return gather_.add(path, shape, placement, std::move(looks), shown);
    io::PartPaths names("");
    for (Body& body : bodies) {
      const auto named = source_.names.find(body.shape.TShape().get());
      const std::string name = named == source_.names.end() || is_kernel_word(named->second) ? "body" : named->second;
      gather_.add(below(path, (path.empty() ? top_ : names).next(name)), body.shape, placement, std::move(body.looks),
                  shown);
    }
  }

  const ProductSource& source_;
  ShapeLooks looks_;
  bool bodies_;
  Document& document_;
  Gather gather_;
  io::PartPaths top_{""};
  std::set<std::string> told_;
};

}  // namespace

Handle(TDocStd_Document) new_xcaf_document() {
  // Without an application: that one would look for resource files and plug-ins.
  Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
  XCAFDoc_DocumentTool::Set(document->Main());
  return document;
}

std::string entry_of(const TDF_Label& label) {
  TCollection_AsciiString entry;
  TDF_Tool::Entry(label, entry);
  return entry.ToCString();
}

void gather_products(const ProductSource& source, bool bodies, Document& document) {
  ProductTree(source, bodies, document).walk_all();
}

}  // namespace snug::importer
