#include "edge_sag.hpp"

#include "geometry/vec_ops.hpp"

#include <BRepAdaptor_Curve.hxx>
#include <BRep_Tool.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <gp_Circ.hxx>
#include <gp_Elips.hxx>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace snug::importer {

namespace {

using geometry::dot;

Point3 to_point(const gp_Pnt& p) { return {p.X(), p.Y(), p.Z()}; }
double length_of(const Vec3& v) { return std::sqrt(dot(v, v)); }

double distance_to_segment(const Point3& p, const Point3& a, const Point3& b) {
  const Vec3 ab = b - a;
  const double squared = dot(ab, ab);
  const double t = squared > 0 ? std::clamp(dot(p - a, ab) / squared, 0.0, 1.0) : 0;
  return length_of(p - (a + t * ab));
}

/// Between the arc from parameter t0 to t1 and its chord. An ellipse is a circle stretched: every point of a unit arc is
/// off its chord along the direction to the arc's middle, by 1 - cos of half its angle at most.
double arc_sag(double major, double minor, double t0, double t1) {
  const double half = std::abs(t1 - t0) / 2, middle = (t0 + t1) / 2;
  if (half > std::numbers::pi / 2) return 2 * major;
  const double s = std::sin(half / 2);
  return 2 * s * s * std::hypot(major * std::cos(middle), minor * std::sin(middle));
}

/// The largest of a few samples, followed to the top of its hill: where parameters run unevenly along the curve, samples alone
/// are a few percent short of it.
double sampled_sag(const BRepAdaptor_Curve& curve, double t0, double t1, const Point3& a, const Point3& b) {
  // Each step leaves two thirds: in the end a hundredth of a piece, and the height of the hill is off by the square of that.
  constexpr int k_pieces = 8, k_steps = 12;
  const auto off = [&](double t) { return distance_to_segment(to_point(curve.Value(t)), a, b); };
  const double step = (t1 - t0) / k_pieces;
  double largest = 0, top = t0 + step;
  for (int i = 1; i < k_pieces; ++i)
    if (const double here = off(t0 + step * i); here > largest) largest = here, top = t0 + step * i;
  double low = top - step, high = top + step;
  for (int i = 0; i < k_steps; ++i) {
    const double third = (high - low) / 3, at_low = off(low + third), at_high = off(high - third);
    largest = std::max({largest, at_low, at_high});
    (at_low < at_high ? low : high) = at_low < at_high ? low + third : high - third;
  }
  return largest;
}

struct Chord {
  double t0, t1;
  Point3 a, b;
};

/// What the curve itself is away from its chord, with the chord's ends on it.
Sag chord_sag(const BRepAdaptor_Curve& curve, const Chord& chord) {
  switch (curve.GetType()) {
    case GeomAbs_Line:
      return {};
    case GeomAbs_Circle: {
      const double radius = curve.Circle().Radius();
      return {arc_sag(radius, radius, chord.t0, chord.t1), false};
    }
    case GeomAbs_Ellipse: {
      const gp_Elips ellipse = curve.Ellipse();
      return {arc_sag(ellipse.MajorRadius(), ellipse.MinorRadius(), chord.t0, chord.t1), false};
    }
    default:
      return {sampled_sag(curve, chord.t0, chord.t1, chord.a, chord.b), true};
  }
}

Sag measure_line(const FaceMesh& face, const TopoDS_Edge& edge, const Handle(Poly_PolygonOnTriangulation) & line,
                 std::span<const Point3> vertices) {
  Sag sag;
  const BRepAdaptor_Curve curve(edge);
  const auto node = [&](int i) { return vertices[face.vertex_of_node[static_cast<std::size_t>(line->Node(i)) - 1]]; };
  double off_curve = 0;
  for (int i = 1; i <= line->NbNodes(); ++i)
    off_curve = std::max(off_curve, length_of(node(i) - to_point(curve.Value(line->Parameter(i)))));
  for (int i = 1; i < line->NbNodes(); ++i) {
    const Sag chord = chord_sag(curve, {line->Parameter(i), line->Parameter(i + 1), node(i), node(i + 1)});
    sag = {std::max(sag.value, chord.value), sag.estimated || chord.estimated};
  }
  sag.value += off_curve;
  return sag;
}

}  // namespace

Sag measure_edges(const FaceMesh& face, std::span<const Point3> vertices) {
  Sag sag;
  TopLoc_Location place;
  (void)BRep_Tool::Triangulation(face.face, place);
  for (TopExp_Explorer edges(face.face, TopAbs_EDGE); edges.More(); edges.Next()) {
    const TopoDS_Edge& edge = TopoDS::Edge(edges.Current());
    if (BRep_Tool::Degenerated(edge)) continue;  // a pole, which the triangles around it reach
    const Handle(Poly_PolygonOnTriangulation) line = BRep_Tool::PolygonOnTriangulation(edge, face.nodes, place);
    if (line.IsNull() || !line->HasParameters()) {
      sag.estimated = true;
      continue;
    }
    const Sag one = measure_line(face, edge, line, vertices);
    sag = {std::max(sag.value, one.value), sag.estimated || one.estimated};
  }
  return sag;
}

}  // namespace snug::importer
