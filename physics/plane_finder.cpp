#include "physics/chooser.hpp"
#include "physics/convert.hpp"
#include "physics/finder.hpp"

#include <snug/primitive.hpp>

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <algorithm>
#include <optional>

namespace snug::bullet {

namespace {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Planes have no triangles and need none: the vertices of a mesh tell how deep it is, exactly.
class PlaneFinder final : public Finder {
 public:
  void find(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b, double reach,
            std::vector<Touch>& touches) override {
    const auto& plane = static_cast<const btStaticPlaneShape&>(b);
    const btVector3 up = at_b.at.getBasis() * plane.getPlaneNormal();
    const Vec3 normal = from_bullet(up.normalized());
    const double offset = dot(normal, from_bullet(at_b.at(plane.getPlaneNormal() * plane.getPlaneConstant())));
    touches.clear();
    const Shape* const space = half_space(normal, offset + reach);
    if (space == nullptr) return;
    const Mesh& mesh = a.shape().mesh();
    const Pose pose = at_a.of(a);
    triangles_meeting(*space, {}, a.shape(), pose, scratch_, triangles_);
    for (const std::uint32_t t : triangles_)
      for (const std::uint32_t v : mesh.triangles()[t]) {
        const Point3 point = pose.apply(mesh.vertices()[v]);
        const double distance = dot(normal, point) - offset;
        if (distance > reach) continue;
        touches.push_back({.id = v,
                           .on_b = point - distance * normal,
                           .normal = normal,
                           .distance = distance,
                           .surface_a = mesh.surface_of(t),
                           .triangle_a = t});
      }
    // Vertices are met once in each of their triangles; the first counts.
    std::ranges::stable_sort(touches, {}, &Touch::id);
    const auto [end, last] = std::ranges::unique(touches, {}, &Touch::id);
    touches.erase(end, last);
    chooser_.choose(touches, reach);
  }
  void measure(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b, double reach,
               double limit, std::vector<Touch>& touches) override {
    find(a, at_a, b, at_b, reach, touches);
    if (!touches.empty()) return;
    find(a, at_a, b, at_b, limit, touches);
    if (touches.empty()) return;
    touches.front() = *std::ranges::min_element(touches, {}, &Touch::distance);
    touches.resize(1);
  }

 private:
  /// Made anew when the plane has moved or another reach is asked for, not in every step. Null where there is none.
  const Shape* half_space(const Vec3& normal, double offset) {
    if (!space_ || normal_ != normal || offset_ != offset) {
      space_.reset();
      normal_ = normal, offset_ = offset;
      if (const auto made = Primitive::half_space(normal, offset)) space_.emplace(*made);
    }
    return space_ ? &*space_ : nullptr;
  }

  std::optional<Shape> space_;
  Vec3 normal_;
  double offset_ = 0;
  std::vector<std::uint32_t> triangles_;
  Scratch scratch_;
  Chooser chooser_;
};

}  // namespace

std::unique_ptr<Finder> plane_finder() { return std::make_unique<PlaneFinder>(); }

}  // namespace snug::bullet
