#pragma once

#include "mesh/topology.hpp"
#include "ccd/first_contact_memory.hpp"
#include "query/pairs/published/aligned.hpp"
#include "query/pairs/dop/memory.hpp"
#include "contact/contact_memory.hpp"
#include "contact/contact_mesh.hpp"
#include "query/posed/posed_body.hpp"
#include "query/pairs/obb/search_memory.hpp"
#include "support/one_user.hpp"
#include "bvh/dop24/dop_tree.hpp"
#include "bvh/surface/node_boxes.hpp"
#include "bvh/obb8/obb_tree.hpp"
#include "bvh/ray/ray_bvh.hpp"
#include "bvh/rtree/rtree.hpp"
#include "bvh/surface/surface_tree.hpp"

#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <atomic>
#include <mutex>
#include <vector>

namespace snug::detail {

/// What searches over time want to know of a shape: boxes for the nodes of its SurfaceTree, in its own frame.
struct MovingShape {
  std::vector<NodeBox> boxes;
  double radius = 0;  ///< how far its points are from its origin at most
};

/// Search structures are built when first asked for: brute force does without them.
struct ShapeData {
  ShapeData(Mesh m, const ShapeOptions& o)
      : mesh(std::move(m)), options(o), links(std::make_shared<const LazyLinks>(mesh)) {}

  Mesh mesh;
  ShapeOptions options;
  /// Those that take a token throw LoopCancelled once it is cancelled; whoever asks next has it built anew.
  [[nodiscard]] const SurfaceTree& tree(const CancelToken* cancel = nullptr) const;
  [[nodiscard]] const ObbTree& obb_tree() const;
  [[nodiscard]] const RayBvh& ray_bvh() const;
  [[nodiscard]] const MovingShape& moving() const;
  [[nodiscard]] const RTree& rtree() const;
  [[nodiscard]] const DopTree& dop_tree() const;
  [[nodiscard]] const ContactMesh& contact_mesh() const;
  [[nodiscard]] const Topology& topology(const CancelToken* cancel = nullptr) const;
  [[nodiscard]] bool winds_once(const CancelToken* cancel = nullptr) const;
  /// Within call_once() only.
  void take_tree(ObbTree tree) const;
  void take_tree(DopTree tree) const;

  mutable std::once_flag tree_once, obb_tree_once, moving_once, rtree_once, dop_tree_once, topology_once,
      winds_once_once, ray_bvh_once, contact_mesh_once;
  mutable SurfaceTree built_tree;
  mutable MovingShape built_moving;
  mutable ObbTree built_obb_tree;
  mutable std::atomic<bool> has_obb_tree{false};
  mutable RayBvh built_ray_bvh;
  mutable std::atomic<bool> has_ray_bvh{false};
  mutable RTree built_rtree;
  mutable DopTree built_dop_tree;
  mutable std::atomic<bool> has_dop_tree{false};
  /// Of the mesh that this one is a deformation of, or its own.
  std::shared_ptr<const LazyLinks> links;
  mutable std::unique_ptr<const ContactMesh> built_contact_mesh;
  mutable std::atomic<bool> has_contact_mesh{false};
  mutable Topology found_topology;
  mutable bool found_winds_once = false;
  mutable std::atomic<std::uint32_t> prepared{0};  ///< bits of what prepare_for() knows to be there
};

/// A posed mesh as brute force wants it: corners by triangle, and their boxes one array per face, so that testing one
/// box against many is a straight run through memory.
struct PosedSoup {
  std::vector<Point3> vertices;
  std::vector<Triangle> triangles;
  std::vector<double> lo_x, lo_y, lo_z, hi_x, hi_y, hi_z;
};

struct ScratchData {
  PosedSoup a, b;
  SearchMemory search;
  AlignedScratch aligned;
  DopMemory dop;
  ContactMemory contacts;
  FirstContactMemory first_contact;
  UserMark user;
};

/// The one door to what Shape and Scratch hide.
struct Access {
  static const ShapeData& data(const Shape& shape) noexcept { return *shape.data_; }
  static const std::shared_ptr<const ShapeData>& shared(const Shape& shape) noexcept { return shape.data_; }
  static Shape shape(std::shared_ptr<const ShapeData> data) noexcept { return Shape(std::move(data)); }
  /// One that was moved from gets new memory.
  static ScratchData& data(Scratch& scratch) {
    if (scratch.data_ == nullptr) [[unlikely]]
      scratch.data_ = std::make_unique<ScratchData>();
    return *scratch.data_;
  }
};

/// For the duration of a query.
[[nodiscard]] inline OneUser use(Scratch& scratch) { return OneUser(Access::data(scratch).user); }

[[nodiscard]] inline bool are_valid(const Pose& a, const Pose& b) noexcept { return a.is_valid() && b.is_valid(); }

/// What searches of pairs of triangles need, and no more.
inline constexpr Preparation k_for_pairs{.rays = false, .contacts = false, .motion = false, .verdicts = false};

}  // namespace snug::detail
