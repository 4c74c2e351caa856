// Contact points of Bullet's GImpact, before any is dropped or kept from step to step, without margins.

#include "bench/peers/contact_engine.hpp"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>

namespace snug::bench {

namespace {

btVector3 bullet_vector(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

class GImpactBody {
 public:
  explicit GImpactBody(const Mesh& mesh) {
    for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
      const Triangle corners = mesh.view().triangle(t);
      triangles_.addTriangle(bullet_vector(corners[0]), bullet_vector(corners[1]), bullet_vector(corners[2]));
    }
    shape_ = std::make_unique<btGImpactMeshShape>(&triangles_);
    shape_->setMargin(0);
    shape_->updateBound();
    object_.setCollisionShape(shape_.get());
  }
  btCollisionObject& at(const Pose& pose) {
    const auto& m = pose.matrix();
    btMatrix3x3 turn;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) turn[i][j] = static_cast<btScalar>(m[static_cast<std::size_t>(3 * i + j)]);
    object_.setWorldTransform(btTransform(turn, bullet_vector(pose.translation())));
    return object_;
  }

 private:
  btTriangleMesh triangles_;
  std::unique_ptr<btGImpactMeshShape> shape_;
  btCollisionObject object_;
};

class BulletContacts final : public ContactQuery {
 public:
  BulletContacts(const Mesh& a, const Mesh& b) : a_(a), b_(b) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
  }
  const std::vector<PeerContact>& ask(const Pose& pose_a, const Pose& pose_b) override {
    found_.clear();
    btCollisionObject &a = a_.at(pose_a), &b = b_.at(pose_b);
    const btCollisionObjectWrapper in_a(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper in_b(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
    btCollisionAlgorithm* const algorithm =
        dispatcher_.findAlgorithm(&in_a, &in_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    Gather gather(&in_a, &in_b, found_);
    algorithm->processCollision(&in_a, &in_b, btDispatcherInfo(), &gather);
    algorithm->~btCollisionAlgorithm();
    dispatcher_.freeCollisionAlgorithm(algorithm);
    return found_;
  }

 private:
  struct Gather final : btManifoldResult {
    Gather(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, std::vector<PeerContact>& to)
        : btManifoldResult(a, b), found(to) {}
    void addContactPoint(const btVector3& n, const btVector3&, btScalar distance) override {
      if (distance < 0) found.push_back({{double(n.x()), double(n.y()), double(n.z())}, -double(distance)});
    }
    std::vector<PeerContact>& found;
  };

  GImpactBody a_, b_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  std::vector<PeerContact> found_;
};

}  // namespace

std::unique_ptr<ContactQuery> make_bullet_contacts(const Mesh& a, const Mesh& b) {
  return std::make_unique<BulletContacts>(a, b);
}

}  // namespace snug::bench
