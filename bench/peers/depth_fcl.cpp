// FCL's depth of two primitives, by its own narrow phase for the pair or libccd.

#include "bench/peers/depth_engine.hpp"
#include "bench/peers/fcl_model.hpp"

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/plane.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>

namespace snug::bench {

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry geometry_of(const Primitive& p) {
  using Kind = Primitive::Kind;
  const Vec3 &half = p.half(), &n = p.normal();
  switch (p.kind()) {
    case Kind::sphere:
      return std::make_shared<fcl::Sphered>(p.radius());
    case Kind::ellipsoid:
      return std::make_shared<fcl::Ellipsoidd>(half.x, half.y, half.z);
    case Kind::capsule:
      return std::make_shared<fcl::Capsuled>(p.radius(), 2 * half.z);
    case Kind::box:
      return std::make_shared<fcl::Boxd>(2 * half.x, 2 * half.y, 2 * half.z);
    case Kind::cylinder:
      return std::make_shared<fcl::Cylinderd>(p.radius(), 2 * half.z);
    case Kind::cone:
      return std::make_shared<fcl::Coned>(p.radius(), 2 * half.z);
    case Kind::half_space:
      return std::make_shared<fcl::Halfspaced>(fcl::Vector3d(n.x, n.y, n.z), p.offset());
    case Kind::plane:
      return std::make_shared<fcl::Planed>(fcl::Vector3d(n.x, n.y, n.z), p.offset());
    default:
      return nullptr;
  }
}

class FclDepth final : public DepthQuery {
 public:
  FclDepth(Geometry a, Geometry b) : a_(std::move(a)), b_(std::move(b)) {}
  PeerDepth ask(const Pose& a, const Pose& b) override {
    found_.clear();
    fcl::collide(a_.get(), fcl_transform(a), b_.get(), fcl_transform(b), request_, found_);
    if (!found_.isCollision()) return {};
    return {true, found_.getContact(0).penetration_depth};
  }

 private:
  Geometry a_, b_;
  fcl::CollisionRequestd request_{1, true};
  fcl::CollisionResultd found_;
};

}  // namespace

std::unique_ptr<DepthQuery> make_fcl_depth(const Primitive& a, const Primitive& b) {
  Geometry of_a = geometry_of(a), of_b = geometry_of(b);
  if (of_a == nullptr || of_b == nullptr) return nullptr;
  return std::make_unique<FclDepth>(std::move(of_a), std::move(of_b));
}

}  // namespace snug::bench
