#include "scenes/turned.hpp"

#include "scenes/mesh_draft.hpp"
#include "scenes/vectors.hpp"

#include <algorithm>

namespace snug::scenes {

namespace {

class Lathe {
 public:
  Lathe(double bottom, std::uint32_t segments) : segments_(segments), z_(bottom) { ring_ = ring(0, bottom); }

  void tip(double radius) {
    constexpr std::uint32_t k_bands = 8;
    const Point3 centre{0, 0, z_ + radius};
    name("tip", SurfaceKind::sphere, {.origin = centre, .radius = radius},
         std::max(chord_sag(radius, segments_), chord_sag(radius, 4 * k_bands)) * 2);
    for (std::uint32_t k = 1; k <= k_bands; ++k) {
      // The equator without rounding, where the shaft begins.
      const auto [c, s] = k < k_bands ? on_circle(k, 4 * k_bands) : CosSin{0, 1};
      advance(radius * s, centre.z - radius * c);
    }
  }

  void cut(const TurnedStretch& to) {
    const double up = to.z - z_, out = to.radius - radius_;
    const double sag = chord_sag(std::max(to.radius, radius_), segments_);
    if (up == 0)
      name(to.name, SurfaceKind::plane, {.origin = {0, 0, z_}, .axis = {0, 0, out > 0 ? -1.0 : 1.0}}, 0);
    else if (out == 0)
      // Inside of the material when the outline runs down again.
      name(to.name, SurfaceKind::cylinder, {.origin = {0, 0, z_}, .radius = radius_, .hollow = up < 0}, sag);
    else if (std::abs(up) == std::abs(out))
      name(to.name, SurfaceKind::cone,
           {.origin = {0, 0, (z_ + to.z) / 2},
            .axis = {0, 0, (up > 0) == (out > 0) ? 1.0 : -1.0},
            .radius = (radius_ + to.radius) / 2,
            .half_angle = k_eighth_turn,
            .hollow = up < 0},
           sag);
    else
      draft_.surface(to.name);
    advance(to.radius, to.z);
  }

  Mesh build() { return draft_.build(); }

 private:
  void name(const std::string& text, SurfaceKind kind, const AnalyticSurface& analytic, double sag) {
    draft_.input().surfaces[draft_.surface(text, kind, analytic)].sag.value = sag;
  }

  std::vector<std::uint32_t> ring(double radius, double z) {
    if (radius == 0) return {draft_.vertex({0, 0, z})};
    std::vector<std::uint32_t> ids;
    for (std::uint32_t j = 0; j < segments_; ++j) {
      const auto [c, s] = on_circle(j, segments_);
      ids.push_back(draft_.vertex({radius * c, radius * s, z}));
    }
    return ids;
  }

  void advance(double radius, double z) {
    const auto next = ring(radius, z);
    for (std::uint32_t j = 0; j < segments_; ++j) {
      const std::uint32_t k = (j + 1) % segments_;
      if (ring_.size() == 1)
        draft_.triangle(ring_[0], next[k], next[j]);
      else if (next.size() == 1)
        draft_.triangle(ring_[j], ring_[k], next[0]);
      else
        draft_.quad(ring_[j], ring_[k], next[k], next[j]);
    }
    ring_ = next, radius_ = radius, z_ = z;
  }

  MeshDraft draft_;
  std::uint32_t segments_;
  std::vector<std::uint32_t> ring_;
  double radius_ = 0, z_;
};

}  // namespace

double chord_sag(double radius, std::uint32_t segments) noexcept {
  return radius * (1 - on_circle(1, 2 * segments).cos);
}

Mesh turned(double bottom, double tip, const std::vector<TurnedStretch>& stretches, std::uint32_t segments) {
  Lathe lathe(bottom, segments);
  if (tip > 0) lathe.tip(tip);
  for (const TurnedStretch& stretch : stretches) lathe.cut(stretch);
  return lathe.build();
}

}  // namespace snug::scenes
