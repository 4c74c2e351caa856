#pragma once

#include <snug/mesh.hpp>

#include <cstdint>
#include <vector>

// Bodies that change their form over time, the same bits on every machine. Each has a mesh, which is its form at time 0, and
// tells where its vertices are at any other.

namespace snug::scenes {

/// A sheet over [-1, 1]^2 that flutters ever more wildly: 2 cells^2 triangles.
class Cloth {
 public:
  explicit Cloth(std::uint32_t cells);
  [[nodiscard]] const Mesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] std::vector<Point3> at(double time) const;

 private:
  Mesh mesh_;
};

/// A bumpy ball about the origin that swells and shrinks, each part of it in its own time.
class Breathing {
 public:
  Breathing(std::uint32_t rings, std::uint32_t segments);
  [[nodiscard]] const Mesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] std::vector<Point3> at(double time) const;

 private:
  Mesh mesh_;
};

/// A square bar along x from -1 to 1 that is twisted, one turn in a unit of time: 8 along * across + 4 across^2 triangles.
/// What were straight edges winds around the bar, and its boxes with them.
class Twisting {
 public:
  Twisting(std::uint32_t along, std::uint32_t across);
  [[nodiscard]] const Mesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] std::vector<Point3> at(double time) const;

 private:
  Mesh mesh_;
};

/// Triangles without neighbours in [-1, 1]^3, each of which flies off on its own: what lay side by side soon does not.
class Swarm {
 public:
  explicit Swarm(std::uint32_t count);
  [[nodiscard]] const Mesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] std::vector<Point3> at(double time) const;

 private:
  Mesh mesh_;
  std::vector<Vec3> heading_;
};

}  // namespace snug::scenes
