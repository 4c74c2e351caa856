// CGAL: two AABB trees, exact predicates. The tree of b is descended with the tree of a as the query, as its own
// Rigid_triangle_mesh_collision_detection does; a triangle of b that arrives is looked up in a.

#include "bench/peers/factories.hpp"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include <cmath>
#include <iterator>

namespace snug::bench {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Traits = CGAL::AABB_traits<Kernel, Primitive>;
using Tree = CGAL::AABB_tree<Traits>;
using Node = CGAL::AABB_node<Traits>;

class CgalBody final : public Body {
 public:
  explicit CgalBody(const Mesh& mesh) {
    triangles.reserve(mesh.triangles().size());
    const auto point = [](const Point3& p) { return Kernel::Point_3(p.x, p.y, p.z); };
    for (std::size_t i = 0; i < mesh.triangles().size(); ++i) {
      const Triangle t = mesh.view().triangle(i);
      triangles.emplace_back(point(t[0]), point(t[1]), point(t[2]));
    }
    tree.insert(triangles.cbegin(), triangles.cend());
    tree.build();
  }
  Triangles triangles;
  Tree tree;
};

/// b's frame to a's, with the absolute values of the rotation for the boxes of boxes.
struct Relative {
  double r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double t[3] = {0, 0, 0};
  Kernel::Aff_transformation_3 affine{CGAL::IDENTITY};

  void set(const Pose& a, const Pose& b) {
    const auto &ra = a.matrix(), &rb = b.matrix();
    const Vec3 shift = b.translation() - a.translation();
    for (std::size_t i = 0; i < 3; ++i) {
      t[i] = 0;
      for (std::size_t k = 0; k < 3; ++k) t[i] += ra[3 * k + i] * shift[k];
      for (std::size_t j = 0; j < 3; ++j) {
        r[i][j] = 0;
        for (std::size_t k = 0; k < 3; ++k) r[i][j] += ra[3 * k + i] * rb[3 * k + j];
      }
    }
    affine = {r[0][0], r[0][1], r[0][2], t[0], r[1][0], r[1][1], r[1][2], t[1], r[2][0], r[2][1], r[2][2], t[2]};
  }

  CGAL::Bbox_3 box(const CGAL::Bbox_3& in) const {
    double lo[3], hi[3];
    for (int i = 0; i < 3; ++i) {
      double centre = t[i], extent = 0;
      for (int j = 0; j < 3; ++j) {
        centre += r[i][j] * 0.5 * (in.min(j) + in.max(j));
        extent += std::abs(r[i][j]) * 0.5 * (in.max(j) - in.min(j));
      }
      extent += 1e-14 * (std::abs(centre) + extent + std::abs(t[i]));
      lo[i] = centre - extent, hi[i] = centre + extent;
    }
    return {lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]};
  }
};

/// What a traversal of b's tree does with a's tree as its query.
class Descent {
 public:
  Descent(const Relative& relative, const CgalBody& a, const CgalBody& b, std::vector<IdPair>* found)
      : relative_(relative), a_(a), b_(b), found_(found) {}
  bool go_further() const { return found_ != nullptr || !hit_; }
  bool do_intersect(const Tree& a, const Node& node) const { return a.do_intersect(relative_.box(node.bbox())); }
  void intersection(const Tree& a, const Primitive& primitive) {
    const Kernel::Triangle_3 triangle = primitive.id()->transform(relative_.affine);
    if (found_ == nullptr) {
      hit_ = hit_ || a.do_intersect(triangle);
      return;
    }
    met_.clear();
    a.all_intersected_primitives(triangle, std::back_inserter(met_));
    const auto of_b = static_cast<std::uint32_t>(primitive.id() - b_.triangles.begin());
    for (const auto& of_a : met_) found_->push_back({static_cast<std::uint32_t>(of_a - a_.triangles.begin()), of_b});
  }
  bool hit() const { return hit_; }

 private:
  const Relative& relative_;
  const CgalBody &a_, &b_;
  std::vector<IdPair>* found_;  ///< null: only whether there is any
  std::vector<Triangles::const_iterator> met_;
  bool hit_ = false;
};

class CgalQueries final : public PairQueries {
 public:
  CgalQueries(const CgalBody& a, const CgalBody& b) : a_(a), b_(b) {}
  void place(const Pose& a, const Pose& b) override { relative_.set(a, b); }
  void find_all() override {
    found_.clear();
    if (!a_.tree.do_intersect(relative_.box(b_.tree.bbox()))) return;
    Descent descent(relative_, a_, b_, &found_);
    b_.tree.traversal(a_.tree, descent);
  }
  bool find_first() override {
    if (!a_.tree.do_intersect(relative_.box(b_.tree.bbox()))) return false;
    Descent descent(relative_, a_, b_, nullptr);
    b_.tree.traversal(a_.tree, descent);
    return descent.hit();
  }
  void pairs(std::vector<IdPair>& out) const override { out = found_; }

 private:
  const CgalBody &a_, &b_;
  Relative relative_;
  std::vector<IdPair> found_;
};

class Cgal final : public Engine {
 public:
  std::string_view name() const override { return "cgal"; }
  std::string version() const override { return CGAL_VERSION_STR; }
  Trust trust() const override { return Trust::exact; }
  bool can(Query query) const override { return query != Query::distance; }
  std::unique_ptr<Body> build(const Mesh& mesh) const override { return std::make_unique<CgalBody>(mesh); }
  std::unique_ptr<PairQueries> pair(const Body& a, const Body& b) const override {
    return std::make_unique<CgalQueries>(static_cast<const CgalBody&>(a), static_cast<const CgalBody&>(b));
  }
};

}  // namespace

std::unique_ptr<Engine> make_cgal() { return std::make_unique<Cgal>(); }

}  // namespace snug::bench
