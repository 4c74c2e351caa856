#pragma once

#include <snug/contacts.hpp>
#include <snug/mesh.hpp>
#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btStridingMeshInterface.h>

#include <cstdint>
#include <memory>

// Contacts of concave meshes for Bullet 3. Link snug::bullet, or snug::bullet_float64 for a Bullet in double precision
// (BT_USE_DOUBLE_PRECISION). docs/physics.md tells how they are found and what to expect of them.

namespace snug::bullet {

/// A mesh as it is, concave or not, that may move. Bodies that share a Shape share its search structures. Without margin:
/// setMargin() only enlarges the box that Bullet's broad phase sees. Rays and Bullet's own algorithms for convex shapes
/// find its triangles through processAllTriangles().
class MeshShape : public btConcaveShape {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  /// `in_body`: where the mesh is in the frame of the rigid body, whose origin Bullet takes for the centre of mass. See
  /// body_mass().
  explicit MeshShape(Shape shape, const Pose& in_body = {});

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  /// Where the mesh is in the world when the body is there.
  [[nodiscard]] Pose pose_at(const btTransform& body) const;

  void getAabb(const btTransform& body, btVector3& lo, btVector3& hi) const override;
  /// Triangles that meet the box; their `triangleIndex` is their id in the mesh.
  void processAllTriangles(btTriangleCallback* callback, const btVector3& lo, const btVector3& hi) const override;
  /// About the axes of the body's frame, by the volume of the mesh or, if it is open, of the box around it.
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
  /// Along the axes of the body's frame and about its origin. Builds the search structures anew. Scales must be finite and
  /// positive (asserted).
  void setLocalScaling(const btVector3& scaling) override;
  [[nodiscard]] const btVector3& getLocalScaling() const override { return scaling_; }
  [[nodiscard]] const char* getName() const override { return "SNUG_MESH"; }

 private:
  void measure();

  Shape unscaled_, shape_;
  Pose in_body_;
  btVector3 scaling_{1, 1, 1};
  btVector3 centre_, half_;  ///< of the box around the mesh in the body's frame
};

/// Weight of a mesh of even density, and the frame in which it turns freely: about its centre of mass, along its principal
/// axes. Of an open mesh, or one whose shells cross so that nothing solid is left, those of the box around it.
struct BodyMass {
  double mass = 0;
  Pose frame;          ///< in the mesh's frame; a body with this frame has the mesh at inverse(frame)
  Vec3 inertia;        ///< about the axes of the frame
  bool closed = true;  ///< false: those of the box
};
[[nodiscard]] BodyMass body_mass(const Mesh& mesh, double density);

/// The mesh of shapes that were made for Bullet, such as btGImpactMeshShape::getMeshInterface().
[[nodiscard]] Result<Mesh, MeshError> mesh_of(const btStridingMeshInterface& triangles);

[[nodiscard]] Pose pose_of(const btTransform& transform);
[[nodiscard]] btTransform transform_of(const Pose& pose);

/// How contacts are found.
struct Settings {
  /// Contacts are forces here: their normals are smooth unless asked for otherwise.
  RayContactOptions contacts = {.normal = RayContactOptions::Normal::smooth};
};

/// From now on the dispatcher finds contacts of MeshShapes with one another, with btStaticPlaneShape, and with boxes and
/// other polyhedra; spheres, capsules and what else is round meet their triangles by Bullet's own algorithm. Neither pools
/// nor configuration need other sizes. Contacts keep their impulses from step to step (warm starting) by ids of their own;
/// `m_partId` and `m_index` of a btManifoldPoint are surface and triangle, and m_userPersistentData stays with its contact.
/// Call it before bodies are added. Precondition: validate(settings.contacts) has nothing against them; the program is stopped
/// here, with the reason, if it has.
void install(btCollisionDispatcher& dispatcher, const Settings& settings = {});

class Children;

/// A dispatcher with all that installed, which finds the contacts of a step on several threads and hands them to Bullet in
/// the order of its pairs: what is simulated does not depend on how many there are, nor on Settings::contacts.device.
class Dispatcher : public btCollisionDispatcher {
 public:
  Dispatcher(btCollisionConfiguration* configuration, unsigned threads, const Settings& settings = {});
  ~Dispatcher() override;

  void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                 btDispatcher* dispatcher) override;
  // Which tell of algorithms that come and go inside of compounds.
  btCollisionAlgorithm* findAlgorithm(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                      btPersistentManifold* shared, ebtDispatcherQueryType type) override;
  void freeCollisionAlgorithm(void* algorithm) override;

  /// Of the last step: pairs of boxes looked at, and how long the narrow phase took.
  struct Work {
    std::uint64_t pairs = 0;
    std::uint64_t device_rays = 0;  ///< given to devices: see ContactStats
    std::uint64_t redone_rays = 0;
    double seconds = 0;            ///< by the clock on the wall
    double processor_seconds = 0;  ///< of all threads of the process
  };
  [[nodiscard]] const Work& work() const noexcept { return work_; }

 private:
  unsigned threads_;
  bool together_;  ///< contacts of all pairs of meshes at once, for devices
  ContactBatch batch_;
  std::unique_ptr<Children> children_;
  Work work_;
};

}  // namespace snug::bullet
