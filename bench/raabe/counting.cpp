#include "bench/raabe/counting.hpp"

#include <algorithm>

namespace snug::bench::raabe {

using query::DopMapping;
using query::opposite;

namespace {

double lower(const DopMapping& m, const bvh::Dop24& dop) noexcept {
  return m.weight[0] * dop.d[m.slab[0]] + m.weight[1] * dop.d[m.slab[1]] + m.weight[2] * dop.d[m.slab[2]];
}
double upper(const DopMapping& m, const bvh::Dop24& dop) noexcept {
  return m.weight[0] * dop.d[opposite(m.slab[0])] + m.weight[1] * dop.d[opposite(m.slab[1])] +
         m.weight[2] * dop.d[opposite(m.slab[2])];
}

/// All sets of three directions in whose cone -direction lies, the best on `whole` first. A direction of the set itself
/// needs no other.
std::vector<DopMapping> all_ways(const Vec3& direction, const bvh::Dop24& whole) {
  using query::dop_corners::cross;
  using query::dop_corners::dot;
  const auto& d = bvh::k_directions<24>;
  std::vector<DopMapping> ways;
  for (std::uint8_t i = 0; i < 24; ++i)
    for (std::uint8_t j = i + 1; j < 24; ++j)
      for (std::uint8_t k = j + 1; k < 24; ++k) {
        const double det = dot(d[i], cross(d[j], d[k]));
        if (det < 1e-3 && det > -1e-3) continue;
        const double x = dot(cross(d[j], d[k]), direction) / det, y = dot(cross(d[k], d[i]), direction) / det,
                     z = dot(cross(d[i], d[j]), direction) / det;
        if (x <= 1e-12 && y <= 1e-12 && z <= 1e-12) ways.push_back({{i, j, k}, {x, y, z}});
      }
  std::ranges::sort(ways, {}, [&](const DopMapping& m) { return -(lower(m, whole) + upper(m, whole)); });
  return ways;
}

/// The published corner goes first, whatever it is worth on the whole, and is there once.
std::vector<DopMapping> with_published(const DopMapping& published, std::vector<DopMapping> ways) {
  const auto sorted = [](std::array<std::uint8_t, 3> slab) {
    std::ranges::sort(slab);
    return slab;
  };
  std::erase_if(ways, [&](const DopMapping& m) { return sorted(m.slab) == sorted(published.slab); });
  ways.insert(ways.begin(), published);
  return ways;
}

Vec3 turned_back(const std::array<double, 9>& m, const Vec3& v) noexcept {
  return {(m[0] * v.x + m[3] * v.y) + m[6] * v.z, (m[1] * v.x + m[4] * v.y) + m[7] * v.z,
          (m[2] * v.x + m[5] * v.y) + m[8] * v.z};
}

}  // namespace

CountedPair::CountedPair(const Mesh& mesh, const bvh::DopTree& tree, const pairs::PosePair& poses)
    : tree_(tree), frame_(tree, mesh.bounds(), poses.a, tree, mesh.bounds(), poses.b) {
  for (const query::AxisOrigin& origin : query::axis_order()) axes_.push_back(query::axis_for(frame_, origin));
}

bool CountedPair::apart(std::uint32_t a, std::uint32_t b, unsigned axis) const noexcept {
  const query::DopAxis& x = axes_[axis];
  const bvh::Dop24 &of_a = tree_.dops[a], &of_b = tree_.dops[b];
  return lower(x.a, of_a) + upper(x.b, of_b) + x.offset > frame_.error ||
         lower(x.b, of_b) + upper(x.a, of_a) - x.offset > frame_.error;
}

AxisSet CountedPair::separating(std::uint32_t a, std::uint32_t b) const noexcept {
  AxisSet set;
  for (unsigned axis = 0; axis < query::k_most_axes; ++axis) set[axis] = apart(a, b, axis);
  return set;
}

const CountedPair::Ways& CountedPair::ways_of(unsigned axis) const {
  ways_.resize(query::k_most_axes);
  Ways& ways = ways_[axis];
  if (ways.a.empty()) {
    ways.a = with_published(axes_[axis].a, all_ways(axes_[axis].direction, tree_.dops[0]));
    ways.b =
        with_published(axes_[axis].b, all_ways(turned_back(frame_.rotation, axes_[axis].direction), tree_.dops[0]));
  }
  return ways;
}

bool CountedPair::apart_tighter(std::uint32_t a, std::uint32_t b, unsigned axis, std::size_t ways) const {
  const Ways& all = ways_of(axis);
  const auto best = [&](const std::vector<DopMapping>& list, const bvh::Dop24& dop, auto&& image) {
    double most = -1e300;
    for (std::size_t i = 0; i < list.size() && (ways == 0 || i < ways); ++i) most = std::max(most, image(list[i], dop));
    return most;
  };
  const bvh::Dop24 &of_a = tree_.dops[a], &of_b = tree_.dops[b];
  const double offset = axes_[axis].offset;
  return best(all.a, of_a, lower) + best(all.b, of_b, upper) + offset > frame_.error ||
         best(all.b, of_b, lower) + best(all.a, of_a, upper) - offset > frame_.error;
}

Counts walk_counted(const CountedPair& pair,
                    const std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)>& apart) {
  struct Item {
    std::uint32_t a, b, depth;
  };
  Counts counts;
  const bvh::DopTree& tree = pair.tree();
  std::vector<Item> stack;
  const auto test = [&](std::uint32_t a, std::uint32_t b, std::uint32_t depth) {
    ++counts.pairs;
    if (!apart(a, b, depth)) stack.push_back({a, b, depth});
  };
  test(0, 0, 0);
  while (!stack.empty()) {
    const Item at = stack.back();
    stack.pop_back();
    const bvh::DopLinks &a = tree.links[at.a], &b = tree.links[at.b];
    if (a.leaf() && b.leaf()) {
      ++counts.leaves;
    } else if (b.leaf() || (!a.leaf() && tree.dops[at.a].width() >= tree.dops[at.b].width())) {
      test(a.right, at.b, at.depth + 1);
      test(a.left, at.b, at.depth + 1);
    } else {
      test(at.a, b.right, at.depth + 1);
      test(at.a, b.left, at.depth + 1);
    }
  }
  return counts;
}

}  // namespace snug::bench::raabe
