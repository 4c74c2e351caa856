#include "physics/chooser.hpp"
#include "physics/convert.hpp"
#include "physics/finder.hpp"

#include <snug/cast.hpp>

#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug::bullet {

namespace {

/// Where two meshes are.
struct Placed {
  const Shape* a = nullptr;
  Pose pose_a;
  const Shape* b = nullptr;
  Pose pose_b;
};

/// Whether a predicted contact is one that stops a body. Bodies that slide over flush tiles have corners whose rays run through
/// the tile below into the covered side of the next one: a face that ends where the body begins. Such a contact would be a wall.
/// So the surface that was hit must go on, by `reach`, from where the vertex would land towards the middle of the vertex's own body.
/// What is left out in error, near rims, is told when bodies do meet.
bool stands_in_the_way(const Contact& predicted, const Placed& bodies, double reach) {
  const bool of_a = predicted.source == Contact::Source::vertex_of_a;
  const Aabb& box = (of_a ? bodies.a : bodies.b)->bounds();
  const Point3 middle = (of_a ? bodies.pose_a : bodies.pose_b).apply(0.5 * (box.lo + box.hi));
  const Point3 landing = of_a ? predicted.on_b : predicted.on_a;
  const Vec3 out = of_a ? predicted.normal : -predicted.normal;
  const auto dot = [](const Vec3& u, const Vec3& v) { return u.x * v.x + u.y * v.y + u.z * v.z; };
  const Vec3 to_middle = middle - landing;
  const Vec3 along = to_middle - dot(to_middle, out) * out;
  const double far = std::sqrt(dot(along, along));
  const double share = far > reach ? reach / far : 1;
  const Ray probe{landing + share * along + 0.5 * reach * out, -out};
  const auto met = ray_meets(probe, of_a ? *bodies.b : *bodies.a, of_a ? bodies.pose_b : bodies.pose_a, reach);
  return met && *met;
}

/// Meshes against meshes: one tracker for the pair.
class Tracked {
 public:
  explicit Tracked(const RayContactOptions& options) : tracker_(ContactTracker::make(options).value()) {}

  void find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double reach,
            std::vector<Touch>& touches) {
    bodies_ = {&a, pose_a, &b, pose_b};
    contacts(a, pose_a, b, pose_b, tracker_, found_);
    take(reach, touches);
  }
  bool ask(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, TrackedPair& asked) {
    bodies_ = {&a, pose_a, &b, pose_b};
    asked = {&a, pose_a, &b, pose_b, &tracker_, &found_};
    return true;
  }
  void take(double reach, std::vector<Touch>& touches) {
    touches.clear();
    for (std::uint32_t p = 0; p < found_.patches.size(); ++p)
      for (std::uint32_t i = found_.patches[p].begin; i < found_.patches[p].end; ++i) {
        const Contact& contact = found_.contacts[i];
        if (-contact.depth > reach) continue;
        if (contact.predicted && !stands_in_the_way(contact, bodies_, reach)) continue;
        touches.push_back({.id = contact.id,
                           .on_b = contact.on_b,
                           .normal = contact.normal,
                           .distance = -contact.depth,
                           .patch = p,
                           .surface_a = contact.surface_a,
                           .surface_b = contact.surface_b,
                           .triangle_a = contact.triangle_a,
                           .triangle_b = contact.triangle_b});
      }
    chooser_.choose(touches, reach);
  }

 private:
  ContactTracker tracker_;
  Placed bodies_;  ///< of the last step; borrowed until it is taken
  Contacts found_;
  Chooser chooser_;
};

class MeshFinder final : public Finder {
 public:
  explicit MeshFinder(const Settings& settings) : tracked_(settings.contacts) {}

  void find(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b, double reach,
            std::vector<Touch>& touches) override {
    const auto& mesh_b = static_cast<const MeshShape&>(b);
    tracked_.find(a.shape(), at_a.of(a), mesh_b.shape(), at_b.of(mesh_b), reach, touches);
  }
  bool ask(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b,
           TrackedPair& asked) override {
    const auto& mesh_b = static_cast<const MeshShape&>(b);
    return tracked_.ask(a.shape(), at_a.of(a), mesh_b.shape(), at_b.of(mesh_b), asked);
  }
  void take(double reach, std::vector<Touch>& touches) override { tracked_.take(reach, touches); }

 private:
  Tracked tracked_;
};

/// With its scaling, so that whoever changes shape or scaling is noticed.
void corners_of(const btCollisionShape& polyhedron, std::vector<btVector3>& corners) {
  const auto& shape = static_cast<const btPolyhedralConvexShape&>(polyhedron);
  corners.resize(static_cast<std::size_t>(shape.getNumVertices()));
  for (std::size_t i = 0; i < corners.size(); ++i) shape.getVertex(static_cast<int>(i), corners[i]);
}

/// Convex polyhedra are meshes too: the faces of their hull.
std::optional<Shape> hull_of(const std::vector<btVector3>& corners) {
  if (corners.size() < 4) return std::nullopt;
  btConvexHullComputer hull;
  hull.compute(&corners[0].m_floats[0], sizeof(btVector3), static_cast<int>(corners.size()), 0, 0);
  MeshInput input;
  // The computer works on a grid of its own; corners stay where the shape has them.
  for (int i = 0; i < hull.vertices.size(); ++i)
    input.vertices.push_back(from_bullet(corners[static_cast<std::size_t>(hull.original_vertex_index[i])]));
  for (int f = 0; f < hull.faces.size(); ++f) {
    const btConvexHullComputer::Edge* const first = &hull.edges[hull.faces[f]];
    const auto centre = static_cast<std::uint32_t>(first->getSourceVertex());
    for (const auto* edge = first->getNextEdgeOfFace(); edge->getTargetVertex() != first->getSourceVertex();
         edge = edge->getNextEdgeOfFace())
      input.triangles.push_back({centre, static_cast<std::uint32_t>(edge->getSourceVertex()),
                                 static_cast<std::uint32_t>(edge->getTargetVertex())});
  }
  auto mesh = Mesh::build(std::move(input));
  if (!mesh || !body_mass(*mesh, 1).closed) return std::nullopt;
  return Shape(std::move(*mesh));
}

class PolyhedronFinder final : public Finder {
 public:
  explicit PolyhedronFinder(const Settings& settings) : tracked_(settings.contacts) {}

  /// False if it has no volume.
  bool take(const btCollisionShape& polyhedron) {
    corners_of(polyhedron, corners_);
    hull_ = hull_of(corners_);
    return hull_.has_value();
  }

  void find(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b, double reach,
            std::vector<Touch>& touches) override {
    corners_of(b, now_);
    if (now_ != corners_) (void)take(b);
    touches.clear();
    if (hull_) tracked_.find(a.shape(), at_a.of(a), *hull_, pose_of(at_b.at), reach, touches);
  }
  bool ask(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b,
           TrackedPair& asked) override {
    corners_of(b, now_);
    if (now_ != corners_) (void)take(b);
    return hull_ && tracked_.ask(a.shape(), at_a.of(a), *hull_, pose_of(at_b.at), asked);
  }
  void take(double reach, std::vector<Touch>& touches) override { tracked_.take(reach, touches); }

 private:
  Tracked tracked_;
  std::vector<btVector3> corners_, now_;
  std::optional<Shape> hull_;
};

}  // namespace

std::unique_ptr<Finder> mesh_finder(const Settings& settings) { return std::make_unique<MeshFinder>(settings); }

std::unique_ptr<Finder> polyhedron_finder(const Settings& settings, const btCollisionShape& polyhedron) {
  auto finder = std::make_unique<PolyhedronFinder>(settings);
  if (!finder->take(polyhedron)) return nullptr;
  return finder;
}

}  // namespace snug::bullet
