#pragma once

#include <snug/mesh.hpp>
#include <snug/pose.hpp>

#include <memory>
#include <vector>

// Contact points of two meshes by a peer.

namespace snug::bench {

struct PeerContact {
  Vec3 normal;  ///< out of b and towards a
  double depth = 0;
};

class ContactQuery {
 public:
  virtual ~ContactQuery() = default;
  /// Points that overlap.
  virtual const std::vector<PeerContact>& ask(const Pose& a, const Pose& b) = 0;
};

/// GImpact's; null if Bullet was not found at configure time.
[[nodiscard]] std::unique_ptr<ContactQuery> make_bullet_contacts(const Mesh& a, const Mesh& b);

}  // namespace snug::bench
