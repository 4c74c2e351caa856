#include "bench/physics/picture.hpp"

#include "scenes/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace snug::bench::physics {

namespace {

using scenes::cross;
using scenes::dot;
using scenes::unit;

constexpr std::uint32_t k_shades = 24;
constexpr std::array<std::array<std::uint8_t, 3>, 8> k_hues{{{190, 190, 190},
                                                             {86, 140, 205},
                                                             {224, 138, 60},
                                                             {98, 170, 98},
                                                             {200, 92, 88},
                                                             {150, 116, 190},
                                                             {190, 160, 70},
                                                             {90, 170, 175}}};

std::vector<std::array<std::uint8_t, 3>> palette() {
  std::vector<std::array<std::uint8_t, 3>> colours{{255, 255, 255}};
  for (const auto& hue : k_hues)
    for (std::uint32_t shade = 0; shade < k_shades; ++shade) {
      std::array<std::uint8_t, 3> colour{};
      for (std::size_t c = 0; c < 3; ++c)
        colour[c] = static_cast<std::uint8_t>(hue[c] * (0.25 + 0.75 * (shade + 1) / k_shades));
      colours.push_back(colour);
    }
  return colours;
}

/// What is nearest to the viewer in each pixel.
class Canvas {
 public:
  Canvas(std::uint32_t width, std::uint32_t height) : depths_(std::size_t{width} * height, k_far) {
    picture_ = {width, height, palette(), std::vector<std::uint8_t>(depths_.size(), 0)};
  }

  /// Corners in pixels, z towards the viewer.
  void fill(const std::array<Vec3, 3>& p, std::uint8_t colour) {
    const double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (area == 0) return;
    const auto range = [](double a, double b, double c, std::uint32_t size) {
      const double lo = std::clamp(std::ceil(std::min({a, b, c})), 0.0, 1.0 * size);
      const double hi = std::clamp(std::floor(std::max({a, b, c})), -1.0, size - 1.0);
      return std::pair{static_cast<int>(lo), static_cast<int>(hi)};
    };
    const auto [x0, x1] = range(p[0].x, p[1].x, p[2].x, picture_.width);
    const auto [y0, y1] = range(p[0].y, p[1].y, p[2].y, picture_.height);
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const double v = ((x - p[0].x) * (p[2].y - p[0].y) - (y - p[0].y) * (p[2].x - p[0].x)) / area;
        const double w = ((p[1].x - p[0].x) * (y - p[0].y) - (p[1].y - p[0].y) * (x - p[0].x)) / area;
        if (v < 0 || w < 0 || v + w > 1) continue;
        const double z = p[0].z + v * (p[1].z - p[0].z) + w * (p[2].z - p[0].z);
        const std::size_t at = static_cast<std::size_t>(y) * picture_.width + static_cast<std::size_t>(x);
        if (z > depths_[at]) depths_[at] = z, picture_.pixels[at] = colour;
      }
  }
  Picture done() { return std::move(picture_); }

 private:
  static constexpr double k_far = -std::numeric_limits<double>::infinity();
  std::vector<double> depths_;
  Picture picture_;
};

}  // namespace

Picture picture_of(const headless::Trial& trial, std::span<const Pose> poses, std::uint32_t width,
                   std::uint32_t height) {
  const Vec3 towards = unit(trial.towards), right = unit(cross({0, 0, 1}, towards)), up = cross(towards, right);
  const Vec3 light = unit(towards + 0.8 * up - 0.5 * right);
  // The box to be shown fills the picture.
  const Point3 middle = 0.5 * (trial.view.lo + trial.view.hi);
  double across = 0, upwards = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const Point3 corner{(i & 1U) != 0 ? trial.view.hi.x : trial.view.lo.x,
                        (i & 2U) != 0 ? trial.view.hi.y : trial.view.lo.y,
                        (i & 4U) != 0 ? trial.view.hi.z : trial.view.lo.z};
    across = std::max(across, std::abs(dot(corner - middle, right)));
    upwards = std::max(upwards, std::abs(dot(corner - middle, up)));
  }
  const double scale = std::min(0.5 * width / across, 0.5 * height / upwards);

  Canvas canvas(width, height);
  std::uint32_t moving = 0;
  for (std::size_t part = 0; part < poses.size(); ++part) {
    const Mesh& mesh = trial.scene.assembly.parts()[part].mesh;
    const std::size_t hue = trial.scene.bodies[part].fixed ? 0 : 1 + moving++ % (k_hues.size() - 1);
    for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
      const Triangle corners = mesh.view().triangle(t);
      std::array<Vec3, 3> at, seen;
      for (std::size_t i = 0; i < 3; ++i) {
        at[i] = poses[part].apply(corners[i]);
        const Vec3 from = at[i] - middle;
        seen[i] = {0.5 * width + scale * dot(from, right), 0.5 * height - scale * dot(from, up), dot(from, towards)};
      }
      const Vec3 normal = cross(at[1] - at[0], at[2] - at[0]);
      if (!(dot(normal, towards) > 0)) continue;
      const double lit = std::clamp(0.15 + 0.85 * std::max(0.0, dot(unit(normal), light)), 0.0, 1.0);
      const auto shade = static_cast<std::size_t>(lit * (k_shades - 1) + 0.5);
      canvas.fill(seen, static_cast<std::uint8_t>(1 + hue * k_shades + shade));
    }
  }
  return canvas.done();
}

Picture side_by_side(const Picture& left, const Picture& right) {
  constexpr std::uint32_t k_gap = 8;
  Picture both{left.width + k_gap + right.width, left.height, left.colours, {}};
  for (std::uint32_t y = 0; y < both.height; ++y) {
    const auto copy = [&](const Picture& from) {
      const auto row = from.pixels.begin() + static_cast<std::ptrdiff_t>(y) * from.width;
      both.pixels.insert(both.pixels.end(), row, row + from.width);
    };
    copy(left);
    both.pixels.insert(both.pixels.end(), k_gap, 0);
    copy(right);
  }
  return both;
}

}  // namespace snug::bench::physics
