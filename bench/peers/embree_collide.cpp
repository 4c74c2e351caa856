// Embree's collision of two scenes of boxes, the nearest it has to a query of two meshes. It knows no poses, so the boxes of
// b's triangles are brought into a's frame and built anew for each query; candidates are decided by our exact test.

#include "bench/peers/factories.hpp"

#include <snug/triangle.hpp>

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::bench {

namespace {

RTCDevice device() {
  static const RTCDevice one = rtcNewDevice("threads=1,user_threads=1");
  return one;
}

float below(double x) { return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::infinity()); }
float above(double x) { return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity()); }

/// A scene with a box for each triangle, which follows the vertices when built anew.
class Boxes {
 public:
  explicit Boxes(const Mesh& mesh)
      : vertices(mesh.vertices().begin(), mesh.vertices().end()),
        triangles_(mesh.triangles()),
        scene_(rtcNewScene(device())),
        geometry_(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_USER)) {
    rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_LOW);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(triangles_.size()));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
    rtcAttachGeometry(scene_, geometry_);
    build();
  }
  ~Boxes() { rtcReleaseGeometry(geometry_), rtcReleaseScene(scene_); }
  Boxes(const Boxes&) = delete;
  Boxes& operator=(const Boxes&) = delete;

  void build() { rtcCommitGeometry(geometry_), rtcCommitScene(scene_); }
  RTCScene scene() const { return scene_; }
  std::vector<Point3> vertices;
  double padding = 0;

 private:
  static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const Boxes& self = *static_cast<const Boxes*>(arguments->geometryUserPtr);
    Aabb box;
    for (const std::uint32_t corner : self.triangles_[arguments->primID]) box.include(self.vertices[corner]);
    RTCBounds& out = *arguments->bounds_o;
    out.lower_x = below(box.lo.x - self.padding), out.upper_x = above(box.hi.x + self.padding);
    out.lower_y = below(box.lo.y - self.padding), out.upper_y = above(box.hi.y + self.padding);
    out.lower_z = below(box.lo.z - self.padding), out.upper_z = above(box.hi.z + self.padding);
  }

  std::span<const Index3> triangles_;
  RTCScene scene_;
  RTCGeometry geometry_;
};

class CollideBody final : public Body {
 public:
  explicit CollideBody(const Mesh& m) : mesh(m), boxes(m) {}
  Mesh mesh;
  Boxes boxes;
};

class CollideQueries final : public PairQueries {
 public:
  CollideQueries(const CollideBody& a, const CollideBody& b) : a_(a), b_(b), moved_(b.mesh) {}

  void place(const Pose& a, const Pose& b) override {
    pose_a_ = a, pose_b_ = b;
    const Quaternion& q = a.rotation();
    const Pose turned_back = Pose::make({q.w, -q.x, -q.y, -q.z}, {}).value();
    back_ = Pose::make(turned_back.rotation(), -turned_back.apply(a.translation())).value();
    // Far above what the three posings round, far below a triangle.
    moved_.padding =
        1e-12 * (1 + std::abs(b.translation().x) + std::abs(b.translation().y) + std::abs(b.translation().z) +
                 std::abs(a.translation().x) + std::abs(a.translation().y) + std::abs(a.translation().z) + reach());
  }
  void find_all() override { collide(false); }
  bool find_first() override {
    collide(true);
    return !found_.empty();
  }
  void pairs(std::vector<IdPair>& out) const override { out = found_; }

 private:
  double reach() const {
    double most = 0;
    for (const CollideBody* body : {&a_, &b_})
      for (const Point3& p : {body->mesh.bounds().lo, body->mesh.bounds().hi})
        most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return most;
  }

  void collide(bool first) {
    found_.clear();
    first_ = first;
    const Pose relative = compose(back_, pose_b_);
    relative.apply(b_.mesh.vertices(), moved_.vertices);
    moved_.build();
    rtcCollide(
        a_.boxes.scene(), moved_.scene(),
        [](void* self, RTCCollision* candidates, unsigned count) {
          static_cast<CollideQueries*>(self)->decide({candidates, count});
        },
        this);
  }

  void decide(std::span<const RTCCollision> candidates) {
    for (const RTCCollision& candidate : candidates) {
      if (first_ && !found_.empty()) return;
      Triangle a = a_.mesh.view().triangle(candidate.primID0), b = b_.mesh.view().triangle(candidate.primID1);
      for (Point3& p : a.corner) p = pose_a_.apply(p);
      for (Point3& p : b.corner) p = pose_b_.apply(p);
      if (relation(a, b) != Relation::disjoint) found_.push_back({candidate.primID0, candidate.primID1});
    }
  }

  const CollideBody &a_, &b_;
  Boxes moved_;
  Pose pose_a_, pose_b_, back_;
  bool first_ = false;
  std::vector<IdPair> found_;
};

class EmbreeCollide final : public Engine {
 public:
  std::string_view name() const override { return "embree-collide"; }
  std::string version() const override { return RTC_VERSION_STRING; }
  Trust trust() const override { return Trust::careful; }
  bool can(Query query) const override { return query != Query::distance; }
  bool fragile() const override { return true; }
  std::unique_ptr<Body> build(const Mesh& mesh) const override { return std::make_unique<CollideBody>(mesh); }
  std::unique_ptr<PairQueries> pair(const Body& a, const Body& b) const override {
    return std::make_unique<CollideQueries>(static_cast<const CollideBody&>(a), static_cast<const CollideBody&>(b));
  }
};

}  // namespace

std::unique_ptr<Engine> make_embree_collide() { return std::make_unique<EmbreeCollide>(); }

}  // namespace snug::bench
