// Parts in a cubic grid, filled row by row: contacts and clashes in any number, all known.

#include "scenes/lattice_parts.hpp"
#include "scenes/random.hpp"
#include "scenes/vectors.hpp"
#include "scenes/worlds.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace snug::scenes {

namespace {

constexpr double k_root_half = 0.70710678118654757;
/// Quarter and half turns that bring +x to +x, -x, +y, -y, +z, -z; exact, as the rotations of a cube are.
constexpr std::array<Quaternion, 6> k_aims{{{1, 0, 0, 0},
                                            {0, 0, 0, 1},
                                            {k_root_half, 0, 0, k_root_half},
                                            {k_root_half, 0, 0, -k_root_half},
                                            {k_root_half, 0, -k_root_half, 0},
                                            {k_root_half, 0, k_root_half, 0}}};
constexpr std::array<std::array<int, 3>, 6> k_steps{
    {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};

class Grid {
 public:
  explicit Grid(std::uint32_t count) : count_(count) {
    while (std::uint64_t{side_} * side_ * side_ < count) ++side_;
  }
  [[nodiscard]] std::array<std::uint32_t, 3> cell(std::uint32_t i) const noexcept {
    return {i % side_, i / side_ % side_, i / (side_ * side_)};
  }
  /// Which part is one step further, or `count` if there is none.
  [[nodiscard]] std::uint32_t neighbour(std::uint32_t i, std::size_t direction) const noexcept {
    const auto c = cell(i);
    const auto& d = k_steps.at(direction);
    std::array<std::int64_t, 3> n{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      n.at(axis) = std::int64_t{c.at(axis)} + d.at(axis);
      if (n.at(axis) < 0 || n.at(axis) >= side_) return count_;
    }
    const std::int64_t id = (n[2] * side_ + n[1]) * side_ + n[0];
    return id < count_ ? static_cast<std::uint32_t>(id) : count_;
  }
  [[nodiscard]] std::string path(std::uint32_t i) const {
    const auto c = cell(i);
    return "lattice/x" + std::to_string(c[0]) + "/y" + std::to_string(c[1]) + "/z" + std::to_string(c[2]);
  }

 private:
  std::uint32_t count_, side_ = 1;
};

/// The two paths in their order.
std::pair<std::string, std::string> ordered(std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

}  // namespace

Scene lattice(const SceneOptions& options) {
  const std::uint32_t count = options.size == 0 ? 125 : options.size;
  const Grid grid(count);
  Random random(options.seed);

  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < count; ++i)
    for (const std::size_t direction : {0U, 2U, 4U})
      if (const std::uint32_t n = grid.neighbour(i, direction); n < count) pairs.emplace_back(i, n);

  // One pair of a hundred, at least one, is spoilt by the part on one side of it, each by a part of its own.
  const std::size_t spoilt_pairs = pairs.empty() ? 0 : std::max<std::size_t>(1, (pairs.size() + 50) / 100);
  std::vector<std::size_t> aim_of_bad(count, k_aims.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> spoilt;
  while (spoilt.size() < spoilt_pairs) {
    const auto i = static_cast<std::uint32_t>(random.below(count));
    const std::size_t direction = random.below(k_steps.size());
    const std::uint32_t n = grid.neighbour(i, direction);
    if (n == count || aim_of_bad[i] != k_aims.size() || !spoilt.emplace(std::min(i, n), std::max(i, n)).second)
      continue;
    aim_of_bad[i] = direction;
  }

  const std::vector<Mesh> good = lattice_parts();
  const Mesh bad = bad_lattice_part();
  Scene scene;
  scene.name = "lattice";
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto c = grid.cell(i);
    const double cell = 2 * k_half_cell;
    const Vec3 at{cell * c[0], cell * c[1], cell * c[2]};
    const bool is_bad = aim_of_bad[i] != k_aims.size();
    const Quaternion& turn = k_aims.at(is_bad ? aim_of_bad[i] : random.below(k_aims.size()));
    (void)scene.assembly.add({grid.path(i), is_bad ? bad : good[i % good.size()], Pose::make(turn, at).value()})
        .value();
  }
  for (const auto& pair : pairs) {
    auto [a, b] = ordered(grid.path(pair.first), grid.path(pair.second));
    if (spoilt.contains(pair))
      scene.faults.push_back({std::move(a), std::move(b), Verdict::clash, "a pad is 0.5 mm too long", k_too_long});
    else
      scene.contacts.push_back({std::move(a), std::move(b)});
  }
  std::ranges::sort(scene.contacts);
  std::ranges::sort(scene.faults, {}, [](const PlantedFault& f) { return std::pair(f.a, f.b); });
  return scene;
}

}  // namespace snug::scenes
