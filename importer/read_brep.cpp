#include "channels.hpp"
#include "gather.hpp"
#include "read.hpp"

#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Iterator.hxx>

#include <iostream>
#include <stdexcept>

// The format has neither products nor names. Solids are taken for parts, compounds for the levels above them; what has
// faces but no solid is one sheet in its compound.

namespace snug::importer {

namespace {

constexpr int k_max_depth = 100;

class BrepTree {
 public:
  explicit BrepTree(Document& document) : document_(document), gather_(document) {}

  void walk(const TopoDS_Shape& shape, const std::string& path, int depth) {
    if (shape.ShapeType() != TopAbs_COMPOUND) return add(shape, path);
    if (depth > k_max_depth) {
      document_.losses.push_back({path, "nested too deeply"});
      return;
    }
    BRep_Builder builder;
    TopoDS_Compound sheet;
    builder.MakeCompound(sheet);
    bool has_sheet = false;
    for (TopoDS_Iterator child(shape); child.More(); child.Next()) {
      const TopoDS_Shape& part = child.Value();
      if (part.ShapeType() == TopAbs_COMPOUND)
        walk(part, depth == 0 ? path : below(path, "group"), depth + 1);
      else if (part.ShapeType() <= TopAbs_SOLID)
        add(part, path);
      else
        builder.Add(sheet, part), has_sheet = true;
    }
    if (has_sheet) add(sheet, path);
  }

 private:
  static std::string below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "/" + name;
  }

  void add(const TopoDS_Shape& shape, const std::string& path) {
    gather_.add(below(path, shape.ShapeType() <= TopAbs_SOLID && TopExp_Explorer(shape, TopAbs_SOLID).More() ? "solid"
                                                                                                             : "sheet"),
                shape, gp_Trsf(), {}, std::nullopt);
  }

  Document& document_;
  Gather gather_;
};

}  // namespace

Document read_brep() {
  TopoDS_Shape root;
  const Handle(Progress) progress = new Progress(0, k_read_share);
  BRepTools::Read(root, std::cin, BRep_Builder(), progress->Start());
  if (root.IsNull()) throw std::runtime_error("not a BREP file that can be read");
  BRepTools::Clean(root);  // triangles that came along are of unknown sag
  Document document;
  BrepTree(document).walk(root, "", 0);
  return document;
}

}  // namespace snug::importer
