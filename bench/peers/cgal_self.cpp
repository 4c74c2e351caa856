// CGAL: boxes of all triangles sorted into one another, then exact predicates.

#include "bench/peers/self_engine.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>

#include <iterator>

namespace snug::bench {

namespace {

namespace PMP = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

class CgalSelf final : public SelfQuery {
 public:
  bool fill(const Mesh& mesh) {
    std::vector<Surface::Vertex_index> ids;
    for (const Point3& p : mesh.vertices()) ids.push_back(surface_.add_vertex({p.x, p.y, p.z}));
    for (const Index3& t : mesh.triangles())
      if (surface_.add_face(ids[t[0]], ids[t[1]], ids[t[2]]) == Surface::null_face()) return false;
    return true;
  }
  void find_all() override {
    found_.clear();
    PMP::self_intersections(surface_, std::back_inserter(found_));
  }
  bool find_any() override { return PMP::does_self_intersect(surface_); }
  void pairs(std::vector<IdPair>& out) const override {
    out.clear();
    for (const auto& [f, g] : found_) {
      const auto a = static_cast<std::uint32_t>(f), b = static_cast<std::uint32_t>(g);
      out.push_back({a < b ? a : b, a < b ? b : a});
    }
  }

 private:
  Surface surface_;
  std::vector<std::pair<Surface::Face_index, Surface::Face_index>> found_;
};

}  // namespace

std::unique_ptr<SelfQuery> make_cgal_self(const Mesh& mesh) {
  auto made = std::make_unique<CgalSelf>();
  if (!made->fill(mesh)) return nullptr;
  return made;
}

}  // namespace snug::bench
