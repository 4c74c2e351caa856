#include "mesh_analytic.hpp"

#include "support/disjoint_sets.hpp"
#include "triangulate_loops.hpp"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepTools_WireExplorer.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <GCPnts_TangentialDeflection.hxx>
#include <Geom2d_Curve.hxx>
#include <Geom_Surface.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Wire.hxx>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace snug::importer {

namespace {

constexpr std::size_t k_most_triangles = 1'000'000;

/// An edge on its way round the face.
struct Line {
  TopoDS_Edge edge;
  std::vector<double> parameters;  ///< rising
  int first_node = 0;              ///< of the loop, in the direction of the loop
  int loop = 0;
};

bool is_analytic_surface(const BRepAdaptor_Surface& surface) { return surface.GetType() <= GeomAbs_Torus; }

/// How far a unit of each parameter goes at most: what makes lengths in the parameters those in space.
gp_XY scale_of(const BRepAdaptor_Surface& s) {
  switch (s.GetType()) {
    case GeomAbs_Cylinder:
      return {s.Cylinder().Radius(), 1};
    case GeomAbs_Cone: {
      const double tip = std::sin(s.Cone().SemiAngle());
      const double r0 = std::abs(s.Cone().RefRadius() + s.FirstVParameter() * tip),
                   r1 = std::abs(s.Cone().RefRadius() + s.LastVParameter() * tip);
      return {std::max({r0, r1, 1e-7}), 1};
    }
    case GeomAbs_Sphere:
      return {s.Sphere().Radius(), s.Sphere().Radius()};
    case GeomAbs_Torus:
      return {s.Torus().MajorRadius() + s.Torus().MinorRadius(), s.Torus().MinorRadius()};
    default:
      return {1, 1};
  }
}

/// As another face has it, if there is one.
std::vector<double> known_parameters(const TopoDS_Edge& edge) {
  Handle(Poly_PolygonOnTriangulation) line;
  Handle(Poly_Triangulation) nodes;
  TopLoc_Location place;
  for (int i = 1;; ++i) {
    BRep_Tool::PolygonOnTriangulation(edge, line, nodes, place, i);
    if (line.IsNull() || nodes.IsNull()) return {};
    if (!line->HasParameters() || line->NbNodes() < 2) continue;
    std::vector<double> out;
    for (int k = 1; k <= line->NbNodes(); ++k) out.push_back(line->Parameter(k));
    return out;
  }
}

std::vector<double> parameters_of(const TopoDS_Edge& edge, const TopoDS_Face& face, double sag, double angle) {
  if (BRep_Tool::Degenerated(edge)) {  // a pole: a point in space, a line in the parameters
    double first = 0, last = 0;
    (void)BRep_Tool::CurveOnSurface(edge, face, first, last);
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::abs(last - first) / angle)));
    std::vector<double> out;
    for (int i = 0; i <= pieces; ++i) out.push_back(first + (last - first) * i / pieces);
    return out;
  }
  std::vector<double> out = known_parameters(edge);
  if (!out.empty()) return out;
  const BRepAdaptor_Curve curve(edge);
  const GCPnts_TangentialDeflection points(curve, angle, sag, 2);
  for (int i = 1; i <= points.NbPoints(); ++i) out.push_back(points.Parameter(i));
  return out;
}

class FaceMesher {
 public:
  FaceMesher(const TopoDS_Face& face, double sag, double angle)
      : face_(TopoDS::Face(face.Oriented(TopAbs_FORWARD))),
        surface_(face_, Standard_True),
        scale_(scale_of(surface_)),
        sag_(sag),
        angle_(angle) {}

  bool run() {
    for (TopExp_Explorer wires(face_, TopAbs_WIRE); wires.More(); wires.Next())
      if (!add_loop(TopoDS::Wire(wires.Current()))) return false;
    auto mesh = triangulate_loops(loops_, k_most_triangles,
                                  [this](const gp_XY& a, const gp_XY& b) { return is_too_long(a, b); });
    if (!mesh) return false;
    node_of_point_ = mesh->node_of_point;
    if (!part_doubled_sides(*mesh)) return false;
    store(*mesh);
    return true;
  }

 private:
  [[nodiscard]] gp_XY unscaled(const gp_XY& p) const { return {p.X() / scale_.X(), p.Y() / scale_.Y()}; }

  bool add_loop(const TopoDS_Wire& wire) {
    std::vector<gp_XY>& loop = loops_.emplace_back();
    gp_XY end;
    for (BRepTools_WireExplorer edges(wire, face_); edges.More(); edges.Next()) {
      const TopoDS_Edge& edge = edges.Current();
      double first = 0, last = 0;
      const Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(edge, face_, first, last);
      std::vector<double> parameters = parameters_of(edge, face_, sag_, angle_);
      if (curve.IsNull() || parameters.size() < 2) return false;
      std::vector<gp_XY> points;
      for (const double t : parameters) {
        const gp_Pnt2d p = curve->Value(t);
        points.emplace_back(p.X() * scale_.X(), p.Y() * scale_.Y());
      }
      if (edge.Orientation() == TopAbs_REVERSED) std::ranges::reverse(points);
      if (!loop.empty() && !is_near(points.front(), end, edge)) return false;
      end = points.back();
      lines_.push_back(
          {edge, std::move(parameters), static_cast<int>(loop.size()), static_cast<int>(loops_.size()) - 1});
      loop.insert(loop.end(), points.begin(), points.end() - 1);  // its last is the next edge's first
    }
    return loop.size() >= 3 && is_near(loop.front(), end, lines_.back().edge);
  }

  /// Edges of a loop meet in the parameters, not just in space, where a turn more or less is the same.
  [[nodiscard]] bool is_near(const gp_XY& a, const gp_XY& b, const TopoDS_Edge& edge) const {
    const double turn = std::min(scale_.X(), scale_.Y() == 1 ? scale_.X() : scale_.Y());
    return (a - b).Modulus() <= std::max(10 * BRep_Tool::Tolerance(edge), 1e-3 * turn);
  }

  bool is_too_long(const gp_XY& a, const gp_XY& b) {
    const gp_XY p = unscaled(a), q = unscaled(b), m = (p + q) / 2;
    gp_Pnt at_a, at_b;
    gp_Vec ua, va, ub, vb;
    surface_.D1(p.X(), p.Y(), at_a, ua, va);
    surface_.D1(q.X(), q.Y(), at_b, ub, vb);
    const gp_XYZ chord = at_b.XYZ() - at_a.XYZ(), off = surface_.Value(m.X(), m.Y()).XYZ() - at_a.XYZ();
    const double length = chord.Modulus();
    const double away = length > 0 ? (off ^ chord).Modulus() / length : off.Modulus();
    if (away > sag_) return true;
    const gp_Vec na = ua ^ va, nb = ub ^ vb;
    constexpr double k_pole = 1e-14;
    if (na.SquareMagnitude() < k_pole || nb.SquareMagnitude() < k_pole) return false;  // a pole has no normal
    return na.Angle(nb) > angle_ * (1 + 1e-9);
  }

  /// Nodes by their place in space: all of a pole are one, and so are those of a seam on its two sides.
  [[nodiscard]] std::vector<std::uint32_t> places_of(const PlaneMesh& mesh) const {
    support::DisjointSets same(mesh.points.size());
    const auto node = [](const Handle(Poly_PolygonOnTriangulation) & line, int i) {
      return static_cast<std::uint32_t>(line->Node(i) - 1);
    };
    for (const Line& line : lines_) {
      const Handle(Poly_PolygonOnTriangulation) own = polygon_of(line);
      if (BRep_Tool::Degenerated(line.edge))
        for (int i = 2; i <= own->NbNodes(); ++i) same.join(node(own, 1), node(own, i));
      for (const Line& other : lines_) {
        if (&other == &line || !other.edge.IsSame(line.edge)) continue;
        const Handle(Poly_PolygonOnTriangulation) twin = polygon_of(other);
        for (int i = 1; i <= own->NbNodes() && i <= twin->NbNodes(); ++i) same.join(node(own, i), node(twin, i));
      }
    }
    const auto number = same.numbered();
    return {number.begin(), number.end()};
  }

  /// By place: the edges of a round face that run through it. A plane has its triangles between nodes of one edge in itself.
  [[nodiscard]] std::vector<std::vector<std::size_t>> edges_at(const std::vector<std::uint32_t>& place) const {
    std::vector<std::vector<std::size_t>> edges(place.size());
    if (surface_.GetType() == GeomAbs_Plane) return edges;
    for (std::size_t l = 0; l < lines_.size(); ++l) {
      if (BRep_Tool::Degenerated(lines_[l].edge)) continue;
      const Handle(Poly_PolygonOnTriangulation) line = polygon_of(lines_[l]);
      for (int i = 1; i <= line->NbNodes(); ++i) edges[place[static_cast<std::size_t>(line->Node(i) - 1)]].push_back(l);
    }
    return edges;
  }

  static bool share_one(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    return std::ranges::any_of(a, [&](std::size_t edge) { return std::ranges::find(b, edge) != b.end(); });
  }

  /// How many triangles each side has, by its ends.
  static std::map<std::pair<int, int>, int> sides_of(const std::vector<std::array<int, 3>>& triangles) {
    std::map<std::pair<int, int>, int> sides;
    for (const auto& [a, b, c] : triangles)
      for (const auto& [p, q] : {std::pair{a, b}, {b, c}, {c, a}}) ++sides[{std::min(p, q), std::max(p, q)}];
    return sides;
  }

  /// In the parameters a node may have several sides to one pole, with others between them, and the face beside it may have a
  /// side between the same two nodes of a common edge. In space these would be one edge of four triangles. Halved, they run
  /// along different lines of the surface.
  bool part_doubled_sides(PlaneMesh& mesh) {
    constexpr int k_rounds = 16;
    for (int round = 0; round < k_rounds; ++round) {
      const std::vector<std::uint32_t> place = places_of(mesh);
      const auto at = [&](int node) { return place[static_cast<std::size_t>(node)]; };
      std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
      for (const auto& [a, b, c] : mesh.triangles)
        if (at(a) != at(b) && at(b) != at(c) && at(c) != at(a))
          for (const auto& side : {std::pair{a, b}, {b, c}, {c, a}}) ++uses[{at(side.first), at(side.second)}];
      using Ends = std::array<std::array<double, 2>, 2>;
      std::set<Ends> doubled;
      const auto key = [](const gp_XY& p, const gp_XY& q) {
        Ends ends{{{p.X(), p.Y()}, {q.X(), q.Y()}}};
        std::ranges::sort(ends);
        return ends;
      };
      const auto edges = edges_at(place);
      for (const auto& [ends, owners] : sides_of(mesh.triangles)) {
        if (owners != 2 || at(ends.first) == at(ends.second)) continue;
        const auto used = [&](int a, int b) { return uses[{at(a), at(b)}]; };
        if (used(ends.first, ends.second) > 1 || used(ends.second, ends.first) > 1 ||
            share_one(edges[at(ends.first)], edges[at(ends.second)]))
          doubled.insert(key(mesh.points[static_cast<std::size_t>(ends.first)],
                             mesh.points[static_cast<std::size_t>(ends.second)]));
      }
      if (doubled.empty()) return true;
      if (!refine(mesh, k_most_triangles,
                  [&](const gp_XY& p, const gp_XY& q) { return doubled.contains(key(p, q)) || is_too_long(p, q); }))
        return false;
    }
    return false;
  }

  void store(const PlaneMesh& mesh) {
    TopLoc_Location place;
    const Handle(Geom_Surface) surface = BRep_Tool::Surface(face_, place);  // in the face's own frame, as its nodes are
    const Handle(Poly_Triangulation) nodes = new Poly_Triangulation(
        static_cast<int>(mesh.points.size()), static_cast<int>(mesh.triangles.size()), Standard_True);
    for (int i = 0; i < static_cast<int>(mesh.points.size()); ++i) {
      const gp_XY uv = unscaled(mesh.points[static_cast<std::size_t>(i)]);
      nodes->SetNode(i + 1, surface->Value(uv.X(), uv.Y()));
      nodes->SetUVNode(i + 1, gp_Pnt2d(uv));
    }
    for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i) {
      const std::array<int, 3>& t = mesh.triangles[static_cast<std::size_t>(i)];
      nodes->SetTriangle(i + 1, {t[0] + 1, t[1] + 1, t[2] + 1});
    }
    BRep_Builder builder;
    builder.UpdateFace(face_, nodes);
    store_lines(nodes, place, builder);
  }

  /// Nodes of an edge, rising with its parameter.
  Handle(Poly_PolygonOnTriangulation) polygon_of(const Line& line) const {
    int base = 0;
    for (int i = 0; i < line.loop; ++i) base += static_cast<int>(loops_[static_cast<std::size_t>(i)].size());
    const auto in_loop = static_cast<int>(loops_[static_cast<std::size_t>(line.loop)].size());
    const auto count = static_cast<int>(line.parameters.size());
    TColStd_Array1OfInteger ids(1, count);
    TColStd_Array1OfReal parameters(1, count);
    const bool reversed = line.edge.Orientation() == TopAbs_REVERSED;
    for (int i = 0; i < count; ++i) {
      const int step = reversed ? count - 1 - i : i;
      const int point = base + (line.first_node + step) % in_loop;
      ids.SetValue(i + 1, node_of_point_[static_cast<std::size_t>(point)] + 1);
      parameters.SetValue(i + 1, line.parameters[static_cast<std::size_t>(i)]);
    }
    return new Poly_PolygonOnTriangulation(ids, parameters);
  }

  void store_lines(const Handle(Poly_Triangulation) & nodes, const TopLoc_Location& place,
                   const BRep_Builder& builder) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto twin = std::ranges::find_if(
          lines_, [&](const Line& other) { return &other != &lines_[i] && other.edge.IsSame(lines_[i].edge); });
      if (twin == lines_.end()) {
        builder.UpdateEdge(lines_[i].edge, polygon_of(lines_[i]), nodes, place);
      } else if (lines_[i].edge.Orientation() == TopAbs_FORWARD) {  // a seam, gone along both ways
        builder.UpdateEdge(lines_[i].edge, polygon_of(lines_[i]), polygon_of(*twin), nodes, place);
      }
    }
  }

  TopoDS_Face face_;
  BRepAdaptor_Surface surface_;
  gp_XY scale_;
  double sag_, angle_;
  std::vector<std::vector<gp_XY>> loops_;
  std::vector<Line> lines_;
  std::vector<int> node_of_point_;  ///< of all loops, one after the other
};

}  // namespace

bool mesh_analytic(const TopoDS_Face& face, double sag, double angle) {
  if (!is_analytic_surface(BRepAdaptor_Surface(face, Standard_False))) return false;
  return FaceMesher(face, sag, angle).run();
}

}  // namespace snug::importer
