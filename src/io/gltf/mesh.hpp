#pragma once

#include "io/gltf/accessor.hpp"
#include "io/gltf/placement.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <string>
#include <vector>

namespace snug::io {

/// The colour of a part that our own writer noted in its node.
[[nodiscard]] std::optional<Rgba> noted_color(JsonView node);

/// Turns glTF meshes into ours.
class GltfMeshes {
 public:
  GltfMeshes(GltfDocument& document, GltfBuffers& buffers) : document_(document), buffers_(buffers) {}

  /// Counts who uses which positions; to be called once, first. False after storing an error in the document.
  bool prepare();
  /// The mesh with its vertices multiplied by `stretch`; triangles turned over if that is a mirror. Without triangles
  /// if it has only points and lines. What is odd about it is added to `problems`.
  bool read(std::uint32_t mesh, const Matrix3& stretch, MeshInput& out, std::vector<std::string>& problems);

 private:
  struct Primitive {
    JsonView json;
    std::uint32_t id = 0;  ///< within the mesh
    std::uint64_t mode = 4;
    std::optional<std::uint32_t> positions = {}, indices = {};
  };
  bool read_primitive(JsonView json, Primitive& out);
  bool read_triangles(const Primitive& primitive, std::uint64_t vertices, std::vector<Index3>& out,
                      std::vector<std::string>& problems);
  /// `rounded` becomes how far vertices may be, before they are stretched, from those that were noted and are lost.
  bool add_vertices(MeshInput& mesh, const Matrix3& stretch, const std::vector<Primitive>& primitives,
                    std::vector<std::vector<Index3>>& lists, double& rounded);
  bool name_surface(const Primitive& primitive, std::string& out);
  bool restore_surfaces(JsonView mesh_json, const std::vector<Primitive>& primitives, MeshInput& mesh,
                        const std::vector<std::vector<Index3>>& lists, std::vector<std::string>& problems);
  bool restore_order(const std::vector<Primitive>& primitives, MeshInput& mesh, std::vector<std::string>& problems);

  GltfDocument& document_;
  GltfBuffers& buffers_;
  std::vector<std::uint32_t> meshes_using_;  ///< per accessor: how many meshes take their positions from it
};

}  // namespace snug::io
