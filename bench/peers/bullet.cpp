// Bullet's GImpact: quantised trees of both meshes give candidates, then each candidate takes the steps its collision
// algorithm takes for meshes. There is no way to stop the trees at the first pair.

#include "bench/peers/factories.hpp"

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

namespace snug::bench {

namespace {

btTransform transform_of(const Pose& pose) {
  const auto& m = pose.matrix();
  const auto at = [&](std::size_t i) { return static_cast<btScalar>(m[i]); };
  const Vec3& t = pose.translation();
  return btTransform(btMatrix3x3(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8)),
                     btVector3(static_cast<btScalar>(t.x), static_cast<btScalar>(t.y), static_cast<btScalar>(t.z)));
}

class BulletBody final : public Body {
 public:
  explicit BulletBody(const Mesh& mesh) {
    vertices_.reserve(3 * mesh.vertices().size()), indices_.reserve(3 * mesh.triangles().size());
    for (const Point3& v : mesh.vertices())
      for (const double x : {v.x, v.y, v.z}) vertices_.push_back(static_cast<btScalar>(x));
    for (const Index3& t : mesh.triangles())
      for (const std::uint32_t i : t) indices_.push_back(static_cast<int>(i));
    source_ = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(mesh.triangles().size()), indices_.data(), static_cast<int>(3 * sizeof(int)),
        static_cast<int>(mesh.vertices().size()), vertices_.data(), static_cast<int>(3 * sizeof(btScalar)));
    shape_ = std::make_unique<btGImpactMeshShape>(source_.get());
    shape_->setMargin(0);
    shape_->updateBound();
  }
  /// Nodes, vertices and indices.
  std::size_t bytes() const override {
    return static_cast<std::size_t>(part().getBoxSet()->getNodeCount()) * sizeof(BT_QUANTIZED_BVH_NODE) +
           vertices_.size() * sizeof(btScalar) + indices_.size() * sizeof(int);
  }
  const btGImpactMeshShapePart& part() const { return *shape_->getMeshPart(0); }

 private:
  std::vector<btScalar> vertices_;
  std::vector<int> indices_;
  std::unique_ptr<btTriangleIndexVertexArray> source_;
  std::unique_ptr<btGImpactMeshShape> shape_;
};

class BulletQueries final : public PairQueries {
 public:
  BulletQueries(const btGImpactMeshShapePart& a, const btGImpactMeshShapePart& b) : a_(a), b_(b) {
    a_.lockChildShapes();
    if (&a_ != &b_) b_.lockChildShapes();
  }
  ~BulletQueries() override {
    a_.unlockChildShapes();
    if (&a_ != &b_) b_.unlockChildShapes();
  }
  BulletQueries(const BulletQueries&) = delete;
  BulletQueries& operator=(const BulletQueries&) = delete;

  void place(const Pose& a, const Pose& b) override { pose_a_ = transform_of(a), pose_b_ = transform_of(b); }
  void find_all() override {
    search_trees();
    found_.clear();
    for (int i = 0; i < candidates_.size(); ++i)
      if (meet(candidates_[i]))
        found_.push_back(
            {static_cast<std::uint32_t>(candidates_[i].m_index1), static_cast<std::uint32_t>(candidates_[i].m_index2)});
  }
  bool find_first() override {
    search_trees();
    for (int i = 0; i < candidates_.size(); ++i)
      if (meet(candidates_[i])) return true;
    return false;
  }
  void pairs(std::vector<IdPair>& out) const override { out = found_; }

 private:
  void search_trees() {
    candidates_.resize(0);
    btGImpactBoxSet::find_collision(a_.getBoxSet(), pose_a_, b_.getBoxSet(), pose_b_, candidates_);
  }
  bool meet(const GIM_PAIR& pair) {
    btPrimitiveTriangle a, b;
    a_.getPrimitiveTriangle(pair.m_index1, a);
    b_.getPrimitiveTriangle(pair.m_index2, b);
    a.applyTransform(pose_a_);
    b.applyTransform(pose_b_);
    a.buildTriPlane();
    b.buildTriPlane();
    return a.overlap_test_conservative(b) && a.find_triangle_collision_clip_method(b, contact_);
  }

  const btGImpactMeshShapePart &a_, &b_;
  btTransform pose_a_ = btTransform::getIdentity(), pose_b_ = btTransform::getIdentity();
  btPairSet candidates_;
  GIM_TRIANGLE_CONTACT contact_;
  std::vector<IdPair> found_;
};

class Bullet final : public Engine {
 public:
  std::string_view name() const override { return "bullet"; }
  std::string version() const override {
    return std::to_string(BT_BULLET_VERSION / 100) + '.' + std::to_string(BT_BULLET_VERSION % 100);
  }
  Trust trust() const override { return Trust::rough; }
  bool can(Query query) const override { return query != Query::distance; }
  bool fragile() const override { return true; }
  std::unique_ptr<Body> build(const Mesh& mesh) const override { return std::make_unique<BulletBody>(mesh); }
  std::unique_ptr<PairQueries> pair(const Body& a, const Body& b) const override {
    return std::make_unique<BulletQueries>(static_cast<const BulletBody&>(a).part(),
                                           static_cast<const BulletBody&>(b).part());
  }
};

}  // namespace

std::unique_ptr<Engine> make_bullet() { return std::make_unique<Bullet>(); }

}  // namespace snug::bench
