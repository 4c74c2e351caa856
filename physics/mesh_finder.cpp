#include "physics/chooser.hpp"
#include "physics/convert.hpp"
#include "physics/finder.hpp"

#include <snug/cast.hpp>
#include <snug/distance.hpp>

#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

double dot(const Vec3& u, const Vec3& v) { return u.x * v.x + u.y * v.y + u.z * v.z; }

Vec3 cross(const Vec3& u, const Vec3& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

/// True if a ray passes through a triangle, no further than `limit`, by more than rounding could take away. Most rays that are asked for stay
/// in the triangle they began with, and need no walk through the body.
bool surely_meets(const Ray& ray, const Shape& body, const Pose& pose, std::uint32_t triangle, double limit) {
  constexpr double k_rim = 1e-6;  // share of the triangle that is left to who knows better
  const auto& [i, j, k] = body.mesh().triangles()[triangle];
  const auto vertices = body.mesh().vertices();
  const Point3 corner = pose.apply(vertices[i]);
  const Vec3 side_1 = pose.apply(vertices[j]) - corner, side_2 = pose.apply(vertices[k]) - corner;
  const Vec3 from = ray.origin - corner, across = cross(ray.direction, side_2), other = cross(from, side_1);
  const double volume = dot(side_1, across), sign = volume < 0 ? -1 : 1, whole = sign * volume, rim = k_rim * whole;
  if (!(whole * whole > k_rim * dot(side_1, side_1) * dot(side_2, side_2))) return false;
  const double u = sign * dot(from, across), v = sign * dot(ray.direction, other), t = sign * dot(side_2, other);
  return u > rim && v > rim && u + v < whole - rim && t > limit * rim && t < limit * (whole - rim);
}

/// Whether the surface of b, or of a if `of_a`, where a contact has it, goes on by `reach` towards the middle of the other body. It is looked
/// for up to `height` before and behind where it would be if it were flat.
bool goes_on(const Contact& contact, const Placed& bodies, bool of_a, double reach, double height) {
  const Aabb& box = (of_a ? bodies.b : bodies.a)->bounds();
  const Point3 middle = (of_a ? bodies.pose_b : bodies.pose_a).apply(0.5 * (box.lo + box.hi));
  const Point3 landing = of_a ? contact.on_a : contact.on_b;
  const Vec3 out = of_a ? -contact.normal : contact.normal;
  const Vec3 to_middle = middle - landing;
  const Vec3 along = to_middle - dot(to_middle, out) * out;
  const double far = std::sqrt(dot(along, along));
  const double share = far > reach ? reach / far : 1;
  const Ray probe{landing + share * along + height * out, -out};
  const Shape& body = of_a ? *bodies.a : *bodies.b;
  const Pose& pose = of_a ? bodies.pose_a : bodies.pose_b;
  if (surely_meets(probe, body, pose, of_a ? contact.triangle_a : contact.triangle_b, 2 * height)) return true;
  const auto met = ray_meets(probe, body, pose, 2 * height);
  return met && *met;
}

/// Whether a predicted contact is one that stops a body. Bodies that slide over flush tiles have corners whose rays run through
/// the tile below into the covered side of the next one: a face that ends where the body begins. Such a contact would be a wall.
/// So the surface that was hit must go on, by `reach`, from where the vertex would land towards the middle of the vertex's own body.
/// What is left out in error, near rims, is told when bodies do meet.
bool stands_in_the_way(const Contact& predicted, const Placed& bodies, double reach) {
  return goes_on(predicted, bodies, predicted.source == Contact::Source::vertex_of_b, reach, 0.5 * reach);
}

/// Whether bodies only graze each other's rims. Of a cube that slides over flush tiles and has just reached the next one, the shortest
/// way out of that is back, by micrometres; but what stands up against it is no higher than it has sunk in, which is as little.
/// Neither surface then goes on towards the other body, which those of edges across one another do, however steep.
bool grazes(const Contact& contact, const Placed& bodies, double hair) {
  constexpr double k_steep = 16;
  return !contact.predicted && contact.depth <= hair && !goes_on(contact, bodies, false, hair, k_steep * hair) &&
         !goes_on(contact, bodies, true, hair, k_steep * hair);
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
    // Of the smaller body.
    constexpr double k_hair = 1e-4;
    const auto size = [](const Shape& body) {
      const Vec3 diagonal = body.bounds().hi - body.bounds().lo;
      return std::sqrt(dot(diagonal, diagonal));
    };
    const double hair = k_hair * std::min(size(*bodies_.a), size(*bodies_.b));
    for (std::uint32_t p = 0; p < found_.patches.size(); ++p) {
      const std::uint32_t patch = patch_of(p);
      for (std::uint32_t i = found_.patches[p].begin; i < found_.patches[p].end; ++i) {
        const Contact& contact = found_.contacts[i];
        if (-contact.depth > reach) continue;
        if (contact.predicted && !stands_in_the_way(contact, bodies_, reach)) continue;
        if (grazes(contact, bodies_, hair)) continue;
        touches.push_back({.id = contact.id,
                           .on_b = contact.on_b,
                           .normal = contact.normal,
                           .distance = -contact.depth,
                           .patch = patch,
                           .surface_a = contact.surface_a,
                           .surface_b = contact.surface_b,
                           .triangle_a = contact.triangle_a,
                           .triangle_b = contact.triangle_b});
      }
    }
    std::ranges::stable_sort(touches, {}, &Touch::patch);
    chooser_.choose(touches, reach);
  }
  /// After find(): where the two are closest, if they do not touch.
  void add_closest(double limit, std::vector<Touch>& touches) const {
    if (std::ranges::any_of(touches, [](const Touch& touch) { return touch.distance <= 0; })) return;
    const auto& [a, pose_a, b, pose_b] = bodies_;
    Scratch scratch;
    const Distance closest = distance(*a, pose_a, *b, pose_b, scratch, {.ignore_beyond = limit});
    if (!closest.found() || !(closest.value > 0 && closest.value <= limit)) return;
    touches.push_back({.id = 0,  // nobody keeps it
                       .on_b = closest.on_b,
                       .normal = (1 / closest.value) * (closest.on_a - closest.on_b),
                       .distance = closest.value,
                       .surface_a = a->mesh().surface_of(closest.triangle_a),
                       .surface_b = b->mesh().surface_of(closest.triangle_b),
                       .triangle_a = closest.triangle_a,
                       .triangle_b = closest.triangle_b});
  }

 private:
  /// The patch that touches of a patch of the answer belong to: predictions to the nearest region that pushes the same way, so that both
  /// together share manifolds.
  [[nodiscard]] std::uint32_t patch_of(std::uint32_t patch) const {
    constexpr double k_same_way =
        0.857;  // cosine of 31 degrees, as between directions of contact that are different ones
    const ContactArea& own = found_.patches[patch];
    if (own.kind != ContactArea::Kind::rays) return patch;
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t nearest = patch;
    for (std::uint32_t p = 0; p < patch; ++p) {
      const ContactArea& region = found_.patches[p];
      if (region.kind == ContactArea::Kind::rays || dot(region.normal, own.normal) < k_same_way) continue;
      const Vec3 apart = region.centre - own.centre;
      if (const double distance = dot(apart, apart); distance < least) least = distance, nearest = p;
    }
    return nearest;
  }

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
  void measure(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b, double reach,
               double limit, std::vector<Touch>& touches) override {
    find(a, at_a, b, at_b, reach, touches);
    tracked_.add_closest(limit, touches);
  }
  Other other(const btCollisionShape& b) override {
    const auto& mesh_b = static_cast<const MeshShape&>(b);
    return {&mesh_b.shape(), mesh_b.pose_at(btTransform::getIdentity())};
  }

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
  void measure(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b, double reach,
               double limit, std::vector<Touch>& touches) override {
    find(a, at_a, b, at_b, reach, touches);
    if (hull_) tracked_.add_closest(limit, touches);
  }
  Other other(const btCollisionShape& b) override {
    corners_of(b, now_);
    if (now_ != corners_) (void)take(b);
    return {hull_ ? &*hull_ : nullptr, {}};
  }

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
