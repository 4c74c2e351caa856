#pragma once

#include "contact/contact_mesh.hpp"
#include "device/kernels/layout.h"
#include "query/device_set.hpp"
#include "support/rooms.hpp"

#include <functional>
#include <span>
#include <vector>

// Bodies and rays as kernels/rays.cl, follow.cl and project.cl read them.

namespace snug::device {

/// What kernels need to know of bodies, one after the other; behind those that are counted in `before`.
struct EncodedBodies {
  struct Counts {
    std::size_t bodies = 0, boxes = 0, triangles = 0, links = 0, vertices = 0, corner_normals = 0;
  };
  Counts before;
  bool exact = false;  ///< also what is there for doubles
  std::vector<SnugRayBody> bodies;
  std::vector<SnugRayBox> boxes;
  std::vector<SnugRayTriangle> triangles;
  std::vector<SnugRayLinks> links;
  std::vector<SnugRayVertex> vertices;
  std::vector<SnugExactVertex> exact_vertices;
  std::vector<SnugExactTriangle> exact_triangles;
  std::vector<Vec3> corner_normals;

  /// What add() adds.
  [[nodiscard]] static Counts counts_of(const Shape& shape);
  /// False if there are too many for 28 bits.
  bool add(const Shape& shape);
  /// With those before.
  [[nodiscard]] Counts all() const noexcept {
    return {before.bodies + bodies.size(),       before.boxes + boxes.size(),
            before.triangles + triangles.size(), before.links + links.size(),
            before.vertices + vertices.size(),   before.corner_normals + corner_normals.size()};
  }

 private:
  void add_exact(const Mesh& mesh, const ContactMesh& contact);
};

/// Some rays of a side: what is divided among devices.
struct RayChunk {
  std::uint32_t side = 0;
  std::size_t first = 0, count = 0;
};

/// A step in one memory (kernels/layout.h): its chunks are the kernels' sides, those of walks behind the others.
class EncodedStep {
 public:
  /// For groups of so many items. `exact`: for a device that makes contacts of hits, in doubles.
  EncodedStep(std::span<const DeviceRaySide> sides, std::vector<RayChunk> chunks, std::size_t group, bool exact);

  [[nodiscard]] std::size_t rays() const noexcept { return rays_; }
  [[nodiscard]] std::size_t groups_through() const noexcept { return through_; }
  [[nodiscard]] std::size_t groups_of_walks() const noexcept { return walks_; }
  [[nodiscard]] const SnugRayStep& at() const noexcept { return at_; }
  /// Words that the host sends, and words with room for everything to be told.
  [[nodiscard]] std::size_t sent() const noexcept { return at_.told; }
  [[nodiscard]] std::size_t all() const noexcept { return at_.told + rays_ * at_.told_words; }

  /// Into as many words as are sent. `place` tells where a shape is among the bodies.
  void fill(std::span<std::uint32_t> words, const std::function<std::uint32_t(const Shape&)>& place) const;
  /// Adds what a device told, in words from SnugRayStep::head on. False, and some of it added, if it names rays or triangles that are
  /// not there.
  [[nodiscard]] bool take(std::span<const std::uint32_t> words, std::vector<DeviceRayTold>& told,
                          std::span<DeviceRaysTold::Work> work) const;

 private:
  [[nodiscard]] bool is_possible(const DeviceRayTold& told) const noexcept;

  std::span<const DeviceRaySide> sides_;
  std::vector<RayChunk> chunks_;
  std::vector<std::size_t> first_ray_;  ///< of each chunk
  std::size_t group_, rays_ = 0, through_ = 0, walks_ = 0;
  bool exact_;
  SnugRayStep at_{};
};

}  // namespace snug::device
