#include "cgal_self_judge.hpp"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/intersections.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <variant>

namespace snug::judge {
namespace {

namespace PMP = CGAL::Polygon_mesh_processing;
using Filtered = CGAL::Exact_predicates_inexact_constructions_kernel;
using Exact = CGAL::Exact_predicates_exact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Filtered::Point_3>;
using Point = Exact::Point_3;
using Simplex = std::variant<Point, Exact::Segment_3, Exact::Triangle_3>;

Simplex simplex(const Triangle& t) {
  std::array<Point, 3> p;
  for (std::size_t i = 0; i < 3; ++i) p[i] = Point(t[i].x, t[i].y, t[i].z);
  if (!CGAL::collinear(p[0], p[1], p[2])) return Exact::Triangle_3(p[0], p[1], p[2]);
  std::sort(p.begin(), p.end(),
            [](const Point& a, const Point& b) { return CGAL::lexicographically_xyz_smaller(a, b); });
  if (p[0] == p[2]) return p[0];
  return Exact::Segment_3(p[0], p[2]);
}

/// Corners of what was constructed.
struct Corners {
  using result_type = void;
  std::vector<Point>& out;
  void operator()(const Point& p) const { out.push_back(p); }
  void operator()(const Exact::Segment_3& s) const { out.push_back(s.source()), out.push_back(s.target()); }
  void operator()(const Exact::Triangle_3& t) const {
    for (int i = 0; i < 3; ++i) out.push_back(t[i]);
  }
  void operator()(const std::vector<Point>& polygon) const { out.insert(out.end(), polygon.begin(), polygon.end()); }
};

/// Corners of what two simplices share; none if nothing.
std::vector<Point> shared_points(const Simplex& a, const Simplex& b) {
  std::vector<Point> out;
  std::visit(
      [&](const auto& x, const auto& y) {
        using X = std::decay_t<decltype(x)>;
        using Y = std::decay_t<decltype(y)>;
        if constexpr (std::is_same_v<X, Point> && std::is_same_v<Y, Point>) {
          if (x == y) out.push_back(x);
        } else if constexpr (std::is_same_v<X, Point>) {
          if (y.has_on(x)) out.push_back(x);
        } else if constexpr (std::is_same_v<Y, Point>) {
          if (x.has_on(y)) out.push_back(y);
        } else {
          if (const auto common = CGAL::intersection(x, y)) boost::apply_visitor(Corners{out}, *common);
        }
      },
      a, b);
  return out;
}

}  // namespace

CgalSelf cgal_self_intersections(const TriangleMeshView& mesh) {
  std::map<std::tuple<double, double, double>, std::size_t> place;
  std::vector<Filtered::Point_3> points;
  std::vector<std::array<std::size_t, 3>> polygons;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<std::size_t, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Point3& p = mesh.vertices[mesh.triangles[t][k]];
      const auto [at, is_new] = place.try_emplace({p.x + 0.0, p.y + 0.0, p.z + 0.0}, points.size());
      if (is_new) points.emplace_back(p.x, p.y, p.z);
      corners[k] = at->second;
    }
    polygons.push_back(corners);
  }
  CgalSelf result;
  if (!PMP::is_polygon_soup_a_polygon_mesh(polygons)) return result;
  Surface surface;
  std::vector<Surface::Vertex_index> ids;
  for (const auto& p : points) ids.push_back(surface.add_vertex(p));
  for (const auto& c : polygons)
    if (surface.add_face(ids[c[0]], ids[c[1]], ids[c[2]]) == Surface::null_face()) return result;
  result.manifold = true;
  std::vector<std::pair<Surface::Face_index, Surface::Face_index>> found;
  PMP::self_intersections(surface, std::back_inserter(found));
  for (const auto& [f, g] : found) {
    const auto a = static_cast<std::uint32_t>(f), b = static_cast<std::uint32_t>(g);
    result.pairs.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

bool cgal_beyond_shared(const Triangle& a, const Triangle& b) {
  std::vector<Point> corners;
  for (const Point3& p : a.corner)
    for (const Point3& q : b.corner)
      if (p == q) corners.emplace_back(p.x, p.y, p.z);
  std::sort(corners.begin(), corners.end(),
            [](const Point& p, const Point& q) { return CGAL::lexicographically_xyz_smaller(p, q); });
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  if (corners.size() == 3 && !CGAL::collinear(corners[0], corners[1], corners[2])) return true;
  for (const Point& p : shared_points(simplex(a), simplex(b))) {
    if (corners.empty()) return true;
    if (corners.size() == 1 ? p != corners[0] : !Exact::Segment_3(corners.front(), corners.back()).has_on(p))
      return true;
  }
  return false;
}

}  // namespace snug::judge
