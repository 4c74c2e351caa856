#pragma once

#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <snug/contacts.hpp>

namespace snug::test {

/// Bodies of which a device can not decide all by itself: open sheets, whose rims have rays of their own; shells within shells,
/// each of them either way; bodies that meet themselves; and those with holes.
class OddBody {
 public:
  static constexpr std::uint64_t k_families = 8;

  explicit OddBody(scenes::Random& random) : family(random.below(k_families)), random_(random) {
    const auto some = [&](std::uint32_t least, std::uint32_t more) {
      return least + static_cast<std::uint32_t>(random_.below(more));
    };
    switch (family) {
      case 0:
        sheet(some(2, 6));
        break;
      case 1:
        add(scenes::sphere(0.9, some(4, 6), some(6, 6)), 1, {}, some(3, 20));
        break;
      case 2:
        for (const double size : {0.5, 0.25}) add(scenes::box({-1, -1, -1}, {1, 1, 1}), size, {});
        break;
      case 3:
        for (int i = 0; i < 2; ++i) add(scenes::sphere(0.6, some(4, 6), some(6, 6)), 1, random_.point(-0.3, 0.3));
        break;
      case 4:
        sheet(some(2, 4));
        add(scenes::sphere(0.5, 6, 8), 1, random_.point(-0.5, 0.5));
        break;
      case 5:
        add(scenes::box({-1, -1, -1e-4}, {1, 1, 1e-4}), 1, {});
        break;
      case 6:
        for (std::uint32_t i = some(1, 20); i > 0; --i) scrap();
        break;
      default:
        add(scenes::pipe(0.8, 0.5, 1, some(6, 8)), 1, {0, 0, -0.5}, random_.below(2) != 0 ? 0 : 7);
    }
  }
  const std::uint64_t family;
  [[nodiscard]] Mesh mesh() const { return Mesh::build(input_).value(); }

 private:
  /// Either way round; without every `drop`-th triangle, if that is more than none.
  void add(const Mesh& of, double size, const Vec3& at, std::uint32_t drop = 0) {
    const auto first = static_cast<std::uint32_t>(input_.vertices.size());
    const bool inside_out = random_.below(2) != 0;
    for (const Point3& p : of.vertices()) input_.vertices.push_back(size * p + at);
    for (std::uint32_t t = 0; t < of.triangles().size(); ++t) {
      const Index3& v = of.triangles()[t];
      if (drop > 0 && t % drop == 0) continue;
      input_.triangles.push_back({first + v[0], first + v[inside_out ? 2 : 1], first + v[inside_out ? 1 : 2]});
    }
  }
  /// Flat or bent, the upper side up or down.
  void sheet(std::uint32_t n) {
    const auto first = static_cast<std::uint32_t>(input_.vertices.size());
    const double bend = random_.below(2) != 0 ? random_.uniform(-1, 1) : random_.below(2) != 0 ? 0.0 : -0.0;
    const bool down = random_.below(2) != 0;
    for (std::uint32_t i = 0; i <= n; ++i)
      for (std::uint32_t j = 0; j <= n; ++j) {
        const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
        input_.vertices.push_back({x, y, bend * (x * x + y * y)});
      }
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        const std::uint32_t a = first + i * (n + 1) + j, b = a + 1, c = a + n + 1, d = c + 1;
        input_.triangles.push_back(down ? Index3{a, b, c} : Index3{a, c, b});
        input_.triangles.push_back(down ? Index3{b, d, c} : Index3{b, c, d});
      }
  }
  /// A triangle by itself, of one side or of both.
  void scrap() {
    const auto first = static_cast<std::uint32_t>(input_.vertices.size());
    const Point3 at = random_.point(-1, 1);
    for (int k = 0; k < 3; ++k) input_.vertices.push_back(at + random_.uniform(0.05, 1) * random_.point(-1, 1));
    input_.triangles.push_back({first, first + 1, first + 2});
    if (random_.below(2) != 0) input_.triangles.push_back({first, first + 2, first + 1});
  }

  scenes::Random& random_;
  MeshInput input_;
};

/// All that is counted alike wherever rays are cast: everything but boxes and triangles, and what tells where it was.
inline ContactStats counted_anywhere(ContactStats stats) noexcept {
  stats.box_tests = stats.triangle_tests = 0;
  stats.device_rays = stats.redone_rays = stats.device_projections = 0;
  return stats;
}

}  // namespace snug::test
