#include "physics/convert.hpp"
#include "physics/finder.hpp"

#include <snug/primitive.hpp>

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <algorithm>
#include <limits>

namespace snug::bullet {

namespace {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// A vertex below the plane or close above it.
struct Low {
  std::uint32_t vertex = 0, triangle = 0;
  Point3 point;
  double distance = 0;
  bool known = false;  ///< told at the step before
};

/// Planes have no triangles and need none: the vertices of a mesh tell how deep it is, exactly.
class PlaneFinder final : public Finder {
 public:
  void find(const MeshShape& a, const btTransform& at_a, const btCollisionShape& b, const btTransform& at_b,
            double reach, std::vector<Touch>& touches) override {
    const auto& plane = static_cast<const btStaticPlaneShape&>(b);
    const btVector3 up = at_b.getBasis() * plane.getPlaneNormal();
    normal_ = from_bullet(up.normalized());
    const Vec3 origin = from_bullet(at_b(plane.getPlaneNormal() * plane.getPlaneConstant()));
    const double offset = dot(normal_, origin);
    gather(a, a.pose_at(at_a), offset, reach);
    choose(reach);
    touches.clear();
    for (const Low& low : chosen_)
      touches.push_back({.id = low.vertex,
                         .on_b = low.point - low.distance * normal_,
                         .normal = normal_,
                         .distance = low.distance,
                         .surface_a = a.shape().mesh().surface_of(low.triangle),
                         .triangle_a = low.triangle});
  }

 private:
  void gather(const MeshShape& a, const Pose& pose, double offset, double reach) {
    low_.clear();
    const auto space = Primitive::half_space(normal_, offset + reach);
    if (!space) return;
    const Mesh& mesh = a.shape().mesh();
    triangles_meeting(*space, {}, a.shape(), pose, triangles_);
    for (const std::uint32_t t : triangles_)
      for (const std::uint32_t v : mesh.triangles()[t]) {
        const Point3 point = pose.apply(mesh.vertices()[v]);
        const double distance = dot(normal_, point) - offset;
        if (distance <= reach) low_.push_back({v, t, point, distance, false});
      }
    // Vertices are met once in each of their triangles; the first counts.
    std::ranges::stable_sort(low_, {}, &Low::vertex);
    const auto [end, last] = std::ranges::unique(low_, {}, &Low::vertex);
    low_.erase(end, last);
    for (const Low& before : chosen_) {
      const auto same = std::ranges::lower_bound(low_, before.vertex, {}, &Low::vertex);
      if (same != low_.end() && same->vertex == before.vertex) same->known = true;
    }
  }

  /// All of them if they are few. Of many the lowest, and then again and again one that is low and far from those chosen.
  /// Those told before are preferred where it makes little difference, so that a body at rest keeps its contacts, and with
  /// them what the solver knows.
  void choose(double reach) {
    constexpr double k_preference = 1.1;
    chosen_.clear();
    if (low_.size() <= k_most) {
      chosen_ = low_;
      return;
    }
    chosen_.push_back(*std::ranges::min_element(low_, {}, &Low::distance));
    nearest_.assign(low_.size(), std::numeric_limits<double>::infinity());
    while (chosen_.size() < k_most) {
      std::size_t best = 0;
      double most = -1;
      for (std::size_t i = 0; i < low_.size(); ++i) {
        const Vec3 apart = low_[i].point - chosen_.back().point;
        nearest_[i] = std::min(nearest_[i], dot(apart, apart));
        const double value = nearest_[i] * (reach - low_[i].distance) * (low_[i].known ? k_preference : 1);
        if (value > most) most = value, best = i;
      }
      if (!(most > 0)) break;
      chosen_.push_back(low_[best]);
    }
    std::ranges::sort(chosen_, {}, &Low::vertex);
  }

  /// A round body on a plane rolls over from one of four contacts to the next and never comes to rest; sixteen hold it.
  static constexpr std::size_t k_most = 16;

  Vec3 normal_;
  std::vector<std::uint32_t> triangles_;
  std::vector<Low> low_, chosen_;
  std::vector<double> nearest_;  ///< how far each is from those chosen, squared
};

}  // namespace

std::unique_ptr<Finder> plane_finder() { return std::make_unique<PlaneFinder>(); }

}  // namespace snug::bullet
