#pragma once

#include "shape/posed.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// Poses triangles when they are asked for; one asked for several times in a row is posed once.
class PosedTriangle {
 public:
  PosedTriangle(const Mesh& mesh, const Pose& pose) noexcept : view_(mesh.view()), pose_(pose) {}
  explicit PosedTriangle(const Posed& body) noexcept : PosedTriangle(body.shape.mesh(), body.pose) {}

  const Triangle& get(std::uint32_t t) noexcept {
    if (t != at_) {
      SNUG_ASSERT(t < view_.triangles.size());
      const Index3& corner = view_.triangles[t];
      triangle_ = {{pose_.apply(view_.vertices[corner[0]]), pose_.apply(view_.vertices[corner[1]]),
                    pose_.apply(view_.vertices[corner[2]])}};
      at_ = t;
    }
    return triangle_;
  }

 private:
  TriangleMeshView view_;
  const Pose& pose_;
  std::uint32_t at_ = ~std::uint32_t{0};
  Triangle triangle_;
};

}  // namespace snug::query
