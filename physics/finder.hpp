#pragma once

#include "physics/manifolds.hpp"

#include <snug/bullet.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace snug::bullet {

/// Where Bullet has a body. The pose of a mesh there is found when it is asked for, unless somebody knows it already.
struct Place {
  const btTransform& at;
  const Pose* known = nullptr;

  [[nodiscard]] Pose of(const MeshShape& mesh) const { return known != nullptr ? *known : mesh.pose_at(at); }
};

/// Finds where a MeshShape (a) meets another shape (b), step after step. Knows nothing of other pairs, so that those of a
/// step can be looked at by any number of threads.
class Finder {
 public:
  Finder() = default;
  virtual ~Finder() = default;
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;

  /// Replaces what `touches` holds. Places that are no further apart than `reach` may be told as well: Bullet keeps bodies
  /// from closing such gaps faster than a step allows.
  virtual void find(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b, double reach,
                    std::vector<Touch>& touches) = 0;

  /// For those who ask once, and how far apart the two are: as find(), and the place where they are closest if they share none
  /// and are no further apart than `limit`.
  virtual void measure(const MeshShape& a, const Place& at_a, const btCollisionShape& b, const Place& at_b,
                       double reach, double limit, std::vector<Touch>& touches) = 0;

  /// For those whose contacts can be found together with those of other pairs: true, and what to ask for. take() is to follow.
  virtual bool ask(const MeshShape& /*a*/, const Place& /*at_a*/, const btCollisionShape& /*b*/, const Place& /*at_b*/,
                   TrackedPair& /*asked*/) {
    return false;
  }
  /// The rest of find(), when that was done.
  virtual void take(double /*reach*/, std::vector<Touch>& /*touches*/) {}

  /// The mesh that stands for b, and where it is in b's frame.
  struct Other {
    const Shape* shape = nullptr;  ///< null: none, since nothing passes through b
    Pose in_body;
  };
  [[nodiscard]] virtual Other other(const btCollisionShape& /*b*/) { return {}; }
};

[[nodiscard]] std::unique_ptr<Finder> mesh_finder(const Settings& settings);
[[nodiscard]] std::unique_ptr<Finder> plane_finder();
/// Against a convex polyhedron. Nothing if that has no volume.
[[nodiscard]] std::unique_ptr<Finder> polyhedron_finder(const Settings& settings, const btCollisionShape& polyhedron);

}  // namespace snug::bullet
