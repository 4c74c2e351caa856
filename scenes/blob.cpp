#include "scenes/blob.hpp"

#include "scenes/vectors.hpp"

#include <algorithm>
#include <utility>

namespace snug::scenes {

namespace {

/// The smaller of both, rounded off where they differ by less than `blend`.
double smooth_min(double a, double b, double blend) noexcept {
  const double h = std::max(0.0, blend - std::abs(a - b));
  return std::min(a, b) - (blend > 0 ? h * h / (4 * blend) : 0);
}

}  // namespace

double Blob::Piece::operator()(const Point3& p) const noexcept {
  const Vec3 d = p - centre;
  if (is_limb) {
    const double t = std::clamp(dot(d, along) / dot(along, along), 0.0, 1.0);
    return length(d - t * along) - (radii.x + t * (radii.y - radii.x));
  }
  // The first-order distance to an ellipsoid, after Quilez: |p/r| (|p/r| - 1) / |p/r²|.
  const auto& m = turn.matrix();
  const Vec3 q{(m[0] * d.x + m[3] * d.y + m[6] * d.z) / radii.x, (m[1] * d.x + m[4] * d.y + m[7] * d.z) / radii.y,
               (m[2] * d.x + m[5] * d.y + m[8] * d.z) / radii.z};
  const double k0 = length(q), k1 = length({q.x / radii.x, q.y / radii.y, q.z / radii.z});
  return k1 > 0 ? k0 * (k0 - 1) / k1 : -std::min({radii.x, radii.y, radii.z});
}

void Blob::add(std::string name, Piece piece) {
  const auto found = std::ranges::find(names_, name);
  piece.name = static_cast<std::uint32_t>(found - names_.begin());
  if (found == names_.end()) names_.push_back(std::move(name));
  const double reach = std::max({piece.radii.x, piece.radii.y, piece.radii.z}) + piece.blend;
  for (const Point3& end : {piece.centre, piece.centre + piece.along}) {
    bounds_.include(end - Vec3{reach, reach, reach});
    bounds_.include(end + Vec3{reach, reach, reach});
  }
  pieces_.push_back(piece);
}

Blob& Blob::ellipsoid(std::string name, const Point3& centre, const Vec3& radii, double blend, const Pose& turn) {
  add(std::move(name), {.centre = centre, .radii = radii, .along = {}, .turn = turn, .blend = blend});
  return *this;
}

Blob& Blob::limb(std::string name, const Point3& from, double from_radius, const Point3& to, double to_radius,
                 double blend) {
  add(std::move(name), {.is_limb = true,
                        .centre = from,
                        .radii = {from_radius, to_radius, 0},
                        .along = to - from,
                        .turn = {},
                        .blend = blend});
  return *this;
}

double Blob::operator()(const Point3& p) const noexcept {
  double value = pieces_.front()(p);
  for (std::size_t i = 1; i < pieces_.size(); ++i) value = smooth_min(value, pieces_[i](p), pieces_[i].blend);
  return value;
}

std::uint32_t Blob::piece_at(const Point3& p) const noexcept {
  const auto nearest = std::ranges::min_element(pieces_, {}, [&](const Piece& piece) { return piece(p); });
  return nearest->name;
}

}  // namespace snug::scenes
