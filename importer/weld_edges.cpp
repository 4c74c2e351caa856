#include "weld_edges.hpp"

#include <BRep_Tool.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Vertex.hxx>

#include <limits>
#include <vector>

namespace snug::importer {

namespace {

constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

/// What is known of one body's edges and corners while its faces are gone through.
class BodyWeld {
 public:
  explicit BodyWeld(support::DisjointSets& sets) : sets_(sets) {}

  void add(const TopoDS_Face& face, std::uint32_t first_node) {
    TopLoc_Location place;
    const Handle(Poly_Triangulation) nodes = BRep_Tool::Triangulation(face, place);
    if (nodes.IsNull()) return;
    for (TopExp_Explorer edges(face, TopAbs_EDGE); edges.More(); edges.Next()) {
      // Met twice when it is a seam, once in each direction; each has a line of nodes of its own.
      const TopoDS_Edge& edge = TopoDS::Edge(edges.Current());
      const Handle(Poly_PolygonOnTriangulation) line = BRep_Tool::PolygonOnTriangulation(edge, nodes, place);
      if (!line.IsNull()) add_line(edge, line, first_node);
    }
  }

 private:
  void add_line(const TopoDS_Edge& edge, const Handle(Poly_PolygonOnTriangulation) & line, std::uint32_t first_node) {
    const int count = line->NbNodes();
    const auto node = [&](int i) { return first_node + static_cast<std::uint32_t>(line->Node(i)) - 1; };
    TopoDS_Vertex first, last;
    TopExp::Vertices(edge, first, last, Standard_False);
    join_corner(first, node(1));
    join_corner(last, node(count));
    if (BRep_Tool::Degenerated(edge)) {
      for (int i = 2; i <= count; ++i) sets_.join(node(1), node(i));
      return;
    }
    const auto id = static_cast<std::size_t>(edges_.Add(edge));
    if (id > lines_.size()) lines_.resize(id);
    std::vector<std::uint32_t>& known = lines_[id - 1];
    if (known.empty()) {
      for (int i = 1; i <= count; ++i) known.push_back(node(i));
    } else if (known.size() == static_cast<std::size_t>(count)) {
      for (int i = 1; i <= count; ++i) sets_.join(known[static_cast<std::size_t>(i) - 1], node(i));
    }
  }

  void join_corner(const TopoDS_Vertex& vertex, std::uint32_t node) {
    if (vertex.IsNull()) return;
    const auto id = static_cast<std::size_t>(corners_.Add(vertex));
    if (id > corner_nodes_.size()) corner_nodes_.resize(id, k_none);
    std::uint32_t& known = corner_nodes_[id - 1];
    if (known == k_none)
      known = node;
    else
      sets_.join(known, node);
  }

  support::DisjointSets& sets_;
  TopTools_IndexedMapOfShape edges_, corners_;
  std::vector<std::vector<std::uint32_t>> lines_;  ///< of the face that had the edge first
  std::vector<std::uint32_t> corner_nodes_;
};

}  // namespace

void weld_edges(std::span<const BodyFace> faces, std::span<const std::size_t> first_node, support::DisjointSets& sets) {
  for (std::size_t f = 0; f < faces.size();) {
    BodyWeld weld(sets);
    const std::uint32_t body = faces[f].body;
    for (; f < faces.size() && faces[f].body == body; ++f)
      weld.add(faces[f].face, static_cast<std::uint32_t>(first_node[f]));
  }
}

}  // namespace snug::importer
