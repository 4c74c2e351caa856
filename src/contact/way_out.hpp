#pragma once

#include "contact/vertex_rays.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace snug::contact {

/// How a shell that lies inside the target, and does not meet its surface, gets out as a whole. Of the normals of faces around it,
/// the one along which the last of its corners is out soonest: faces are those that rays along the target's axes meet from corners that
/// reach furthest, and those that rays along the normals of such faces meet in turn. Borrows everything.
class WayOut {
 public:
  /// `triangles`: of the shell, at least one. All its corners are inside.
  WayOut(const VertexRays& rays, std::span<const std::uint32_t> triangles, ContactStats& stats);

  /// False if every ray grazes, or meets the target from outside.
  [[nodiscard]] bool found() const noexcept { return depth_ < std::numeric_limits<double>::infinity(); }
  /// Adds contacts that push that way: of the corner that is deepest and of those that reach furthest to the sides, among those
  /// that face the other way. As deep as each corner is.
  void add_contacts(Contacts& out) const;

 private:
  /// First hits along a unit vector of the world, if that is out of the target.
  [[nodiscard]] std::optional<LineHit> exit(const Point3& from, const Vec3& way) const;
  /// The corner that comes last along a unit vector of the world; of several, and of all that are as far to within rounding, the one
  /// that comes first along `way`. Only those that face against it, if there are any.
  [[nodiscard]] std::uint32_t furthest(const Vec3& along, const Vec3& way, bool facing) const;
  void offer(const Vec3& way) noexcept;
  /// Tries a way, and offers those that lead out where it does.
  void judge(const Vec3& way);

  static constexpr std::size_t k_most_ways = 48, k_samples = 6;
  const VertexRays& rays_;
  std::span<const std::uint32_t> triangles_;
  ContactStats& stats_;
  std::array<std::uint32_t, k_samples> sample_{};
  std::array<Vec3, k_most_ways> offered_;
  std::size_t count_ = 0;
  Vec3 way_;
  double depth_ = std::numeric_limits<double>::infinity();
};

}  // namespace snug::contact
