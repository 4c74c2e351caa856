#pragma once

#include "mesh/topology.hpp"
#include "penetration/borders.hpp"
#include "penetration/face_sag.hpp"
#include "query/posed/posed_mesh.hpp"
#include "shape/shape_data.hpp"
#include "support/rooms.hpp"

#include <snug/shape.hpp>
#include <snug/solid.hpp>

#include <limits>
#include <memory>
#include <vector>

namespace snug::penetration {

/// What counts as a body's inside: only what its closed shells enclose, or also what its open shells would, were their
/// holes filled. The first is a fact, the second a guess that can turn `touch` into `undecided` and nothing else.
enum class Filling : std::uint8_t { closed_shells, holes_filled };

/// A posed body that can be asked for its inside. Immutable, safe to share among threads.
class PosedSolid {
 public:
  /// With a token, walks through the body end once it is cancelled (PosedMesh::watch), and what is built for it throws
  /// LoopCancelled.
  PosedSolid(const Shape& shape, const Pose& pose, const CancelToken* cancel = nullptr);

  [[nodiscard]] const Shape& shape() const noexcept { return body_.mesh().shape(); }
  [[nodiscard]] const Mesh& mesh() const noexcept { return shape().mesh(); }
  [[nodiscard]] const Pose& pose() const noexcept { return pose_; }
  [[nodiscard]] const PosedMesh& body() const noexcept { return body_; }
  [[nodiscard]] const Topology& topology() const noexcept { return *topology_; }
  /// Of rounding while it was posed, see posing_error().
  [[nodiscard]] double error() const noexcept { return error_; }
  /// How far its faces may be from its triangles.
  [[nodiscard]] const FaceSag& sag() const noexcept { return *sag_; }
  /// Where its faces end.
  [[nodiscard]] const Borders& borders() const;
  [[nodiscard]] bool closed() const noexcept { return topology_->closed; }
  [[nodiscard]] bool has_inside(Filling filling) const noexcept;
  /// What its coordinates were multiplied by, see scaled(); 1 unless they were.
  [[nodiscard]] double scale() const noexcept { return scale_; }
  /// -1 for a body turned inside out, else 1.
  [[nodiscard]] int orientation() const noexcept { return orientation_; }

  /// See winds_once().
  [[nodiscard]] bool winds_once() const;

  /// Exact.
  [[nodiscard]] Side locate(const Point3& p, Filling filling) const noexcept;
  /// Distance of p from the surface of the shells that count, in plain doubles; infinite if there are none. What is beyond
  /// `limit` counts as being there.
  [[nodiscard]] double surface_distance(const Point3& p, Filling filling,
                                        double limit = std::numeric_limits<double>::infinity()) const noexcept;
  /// No more than the distance of p from the faces of closed shells, wherever they are within their sags; negative if one
  /// may be on the other side of p.
  [[nodiscard]] double face_distance(const Point3& p) const noexcept;
  /// What is left of the distance from p to triangle t if its face is as near as its sag allows.
  [[nodiscard]] double face_distance(const Point3& p, std::uint32_t t) const noexcept;
  /// Does the triangle belong to a shell that counts?
  [[nodiscard]] bool counts(std::uint32_t triangle, Filling filling) const noexcept {
    return filling == Filling::holes_filled || topology_->closed || topology_->in_closed_shell(triangle);
  }

  /// The rims of open shells, in the frame in which the body is searched.
  [[nodiscard]] const std::vector<Topology::Rim>& rims() const noexcept {
    return own_rims_ != nullptr ? *own_rims_ : topology_->rims;
  }
  /// Calls look(triangle) for what fills a rim, until it returns false.
  template <class Look>
  void for_each_filling(const Topology::Rim& rim, Look&& look) const {
    const Point3 apex = body_.posed(rim.apex);
    for (const auto& [from, to] : rim.edges)
      if (!look(Triangle{{body_.vertex(from), body_.vertex(to), apex}})) return;
  }
  /// What the holes of open shells are filled with.
  [[nodiscard]] std::vector<Triangle> fillings() const;
  /// The first corner of a shell.
  [[nodiscard]] Point3 corner_of_shell(std::uint32_t shell) const noexcept {
    return body_.triangle(topology_->triangles_of(shell)[0])[0];
  }

  /// The same body elsewhere.
  [[nodiscard]] PosedSolid moved(const Vec3& v) const;
  /// The same triangles on other vertices.
  [[nodiscard]] PosedSolid with_vertices(std::vector<Point3> vertices) const;
  /// The same body, every coordinate multiplied by a power of two.
  [[nodiscard]] PosedSolid scaled(double power) const;

 private:
  Pose pose_;       ///< of the shape, from which faces get their forms; the body may stand elsewhere
  PosedMesh body_;  ///< keeps shape, tree and topology alive
  const Topology* topology_;
  std::shared_ptr<const std::vector<Topology::Rim>> own_rims_;  ///< of a body with other vertices than its mesh
  std::shared_ptr<const FaceSag> own_sag_;                      ///< of a scaled body; others have their shape's
  const FaceSag* sag_;
  double error_ = 0;
  double scale_ = 1;
  int orientation_ = 1;
};

}  // namespace snug::penetration
