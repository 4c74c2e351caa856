// What is counted rather than timed: the same on every machine.

#include "bench/pairs/clock.hpp"
#include "bench/raabe/counting.hpp"
#include "bench/raabe/run.hpp"

#include <cmath>
#include <cstdio>

namespace snug::bench::raabe {

namespace {

using bvh::DopSplit;
using Rows = std::vector<std::vector<std::string>>;

/// From deep overlap to nearly apart.
std::vector<pairs::PosePair> mixed_poses(const Scene& scene, std::size_t count) {
  std::vector<pairs::PosePair> poses;
  for (const double distance : {0.0, 0.3, 0.6, 0.9, 1.2})
    for (const pairs::PosePair& pose : random_poses(scene, distance, count, 17)) poses.push_back(pose);
  return poses;
}

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %%", 100 * part);
  return text;
}

bool apart_by_first(const CountedPair& pair, std::uint32_t a, std::uint32_t b, unsigned axes) {
  for (unsigned i = 0; i < axes; ++i)
    if (pair.apart(a, b, i)) return true;
  return false;
}

}  // namespace

void count_trees(Run& run) {
  Rows rows{{"scene", "split by", "build ms", "depth", "pairs of nodes", "pairs of leaves"}};
  for (const Scene& scene : {headlight(), knot(false)})
    for (const auto& [split, name] :
         {std::pair{DopSplit::width, "width"}, {DopSplit::area, "area"}, {DopSplit::median, "median"}}) {
      const double start = pairs::thread_cpu_us();
      const bvh::DopTree tree = bvh::build_dop_tree(scene.mesh, split);
      const double ms = 1e-3 * (pairs::thread_cpu_us() - start);
      Counts sum;
      const auto poses = mixed_poses(scene, run.either(8, 2));
      for (const pairs::PosePair& pose : poses) {
        const CountedPair pair(scene.mesh, tree, pose);
        const Counts counts = walk_counted(pair, [&](auto a, auto b, auto) { return apart_by_first(pair, a, b, 24); });
        sum.pairs += counts.pairs, sum.leaves += counts.leaves;
      }
      const auto mean = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(poses.size()); };
      rows.push_back({scene.name, name, short_number(ms), std::to_string(tree.depth), short_number(mean(sum.pairs)),
                      short_number(mean(sum.leaves))});
      run.count("trees", scene.name, name, mean(sum.pairs));
    }
  run.table("Where trees are divided: pairs compared with 24 axes, means over poses", rows);
}

void count_axes(Run& run) {
  Rows rows{{"axis", "kind", "separates of what is left", "separated so far"}};
  std::vector<std::uint64_t> first(query::k_most_axes, 0);
  std::uint64_t separated = 0, all = 0;
  for (const Scene& scene : {headlight(), knot(false)}) {
    const bvh::DopTree tree = bvh::build_dop_tree(scene.mesh);
    for (const pairs::PosePair& pose : mixed_poses(scene, run.either(4, 1))) {
      const CountedPair pair(scene.mesh, tree, pose);
      (void)walk_counted(pair, [&](auto a, auto b, auto) {
        ++all;
        const AxisSet set = pair.separating(a, b);
        if (set.none()) return false;
        ++separated;
        unsigned axis = 0;
        while (!set[axis]) ++axis;
        ++first[axis];
        return true;
      });
    }
  }
  std::uint64_t before = 0;
  for (unsigned axis = 0; axis < query::k_most_axes; ++axis) {
    // The papers' Fig. 5: how probable it is that this axis separates a pair that none before has separated.
    const double power = static_cast<double>(first[axis]) / static_cast<double>(all - before);
    before += first[axis];
    const double so_far = static_cast<double>(before) / static_cast<double>(separated);
    run.count("fig5", "probability", std::to_string(axis + 1), power);
    run.count("fig5-total", "share", std::to_string(axis + 1), so_far);
    const auto kind = query::axis_order()[axis].kind;
    if (axis < 32 || axis % 12 == 8)
      rows.push_back({std::to_string(axis + 1),
                      kind == query::AxisOrigin::Kind::face_of_a   ? "face of a"
                      : kind == query::AxisOrigin::Kind::face_of_b ? "face of b"
                                                                   : "edges",
                      percent(power), percent(so_far)});
  }
  run.table("WSCG Fig. 5: separation over axes, in the order they are tried (" + std::to_string(all) + " pairs, " +
                percent(static_cast<double>(separated) / static_cast<double>(all)) + " separated by one of 105 axes)",
            rows);
}

void count_widths(Run& run) {
  const Scene scene = headlight();
  const Shape shape(scene.mesh);
  const auto poses = mixed_poses(scene, run.either(8, 1));
  Setting floating = dop_setting("dop", 24);
  MethodBodies::Work exact = MethodBodies(floating, shape, poses).work();
  Rows rows{{"b", "c", "z", "pairs of nodes", "more than in doubles", "pairs of leaves", "more", "over true pairs"}};
  const auto row = [&](const std::string& b, const std::string& c, const std::string& z,
                       const MethodBodies::Work& work) {
    rows.push_back({b, c, z, short_number(work.node_pairs), percent(work.node_pairs / exact.node_pairs - 1),
                    short_number(work.leaf_pairs), percent(work.leaf_pairs / exact.leaf_pairs - 1),
                    short_number(work.leaf_pairs / work.found)});
  };
  row("double", "", "", exact);
  const auto measure = [&](const std::string& series, unsigned x, unsigned b, unsigned c, unsigned z) {
    Setting setting = fixed_setting("fixed", 18, 24);
    setting.options.dop.coefficient_bits = b, setting.options.dop.mapping_bits = c, setting.options.dop.offset_bits = z;
    const MethodBodies::Work work = MethodBodies(setting, shape, poses).work();
    row(std::to_string(b), std::to_string(c), std::to_string(z), work);
    run.count("widths", series, std::to_string(x), work.node_pairs / exact.node_pairs - 1);
    run.count("widths-leaves", series, std::to_string(x), work.leaf_pairs / exact.leaf_pairs - 1);
  };
  for (const unsigned bits : {5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 13U, 15U, 17U, 20U, 24U, 29U, 34U})
    measure("b = c = z", bits, bits, bits, bits);
  for (const unsigned bits : {5U, 7U, 9U, 11U, 13U, 17U, 24U}) measure("b", bits, bits, 34, 34);
  for (const unsigned bits : {5U, 7U, 9U, 11U, 13U, 17U, 24U}) measure("c", bits, 34, bits, 34);
  for (const unsigned bits : {5U, 7U, 9U, 11U, 13U, 17U, 24U}) measure("z", bits, 34, 34, bits);
  run.table("False positives over (b, c, z), two headlights, 24 axes", rows);

  Rows memory{{"schedule", "pairs that wait at once", "bytes", "nodes projected"}};
  for (const auto schedule : {DopSearch::Schedule::stack, DopSearch::Schedule::queue}) {
    Setting setting = dop_setting("dop", 24);
    setting.options.dop.schedule = schedule;
    const MethodBodies::Work work = MethodBodies(setting, shape, poses).work();
    memory.push_back({schedule == DopSearch::Schedule::stack ? "stack" : "queue", std::to_string(work.most_pending),
                      std::to_string(8 * work.most_pending), std::to_string(work.most_images)});
  }
  run.table("DATE 4.2: what is pending in a stack and in a queue, two headlights, at most", memory);
}

void count_projections(Run& run) {
  Rows rows{{"scene", "projection", "pairs of nodes", "less", "pairs of leaves", "less"}};
  for (const Scene& scene : {headlight(), knot(false)}) {
    const bvh::DopTree tree = bvh::build_dop_tree(scene.mesh);
    const auto poses = mixed_poses(scene, run.either(2, 1));
    Counts published;
    const auto add = [&](const std::string& name, auto&& apart) {
      Counts sum;
      for (const pairs::PosePair& pose : poses) {
        const CountedPair pair(scene.mesh, tree, pose);
        const Counts counts = walk_counted(pair, [&](auto a, auto b, auto depth) { return apart(pair, a, b, depth); });
        sum.pairs += counts.pairs, sum.leaves += counts.leaves;
      }
      if (published.pairs == 0) published = sum;
      const auto less = [](std::uint64_t now, std::uint64_t then) {
        return percent(1 - static_cast<double>(now) / static_cast<double>(then));
      };
      const auto mean = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(poses.size()); };
      rows.push_back({scene.name, name, short_number(mean(sum.pairs)), less(sum.pairs, published.pairs),
                      short_number(mean(sum.leaves)), less(sum.leaves, published.leaves)});
      run.count("projections", scene.name, name, static_cast<double>(sum.pairs) / static_cast<double>(published.pairs));
    };
    const auto tighter = [](std::size_t ways, unsigned axes) {
      return [=](const CountedPair& pair, std::uint32_t a, std::uint32_t b, std::uint32_t) {
        // The published bound first: it decides most.
        for (unsigned i = 0; i < axes; ++i)
          if (pair.apart(a, b, i)) return true;
        for (unsigned i = 0; i < axes; ++i)
          if (pair.apart_tighter(a, b, i, ways)) return true;
        return false;
      };
    };
    const auto first = [](unsigned axes) {
      return [=](const CountedPair& pair, std::uint32_t a, std::uint32_t b, std::uint32_t) {
        return apart_by_first(pair, a, b, axes);
      };
    };
    add("published: one triple for each of 24 axes", first(24));
    add("two triples for each of 24 axes", tighter(2, 24));
    add("four triples for each of 24 axes", tighter(4, 24));
    add("all triples for each of 24 axes: the exact image", tighter(0, 24));
    add("one triple for each of 12 axes", first(12));
    add("one triple for each of 48 axes", first(48));
    add("one triple for each of 105 axes", first(105));
    // Deep down there are more pairs, and each is smaller: more axes there, fewer above, and the other way round.
    const auto by_level = [](unsigned above, unsigned below) {
      return [=](const CountedPair& pair, std::uint32_t a, std::uint32_t b, std::uint32_t depth) {
        return apart_by_first(pair, a, b, depth < 12 ? above : below);
      };
    };
    add("12 axes above level 12 and 48 below", by_level(12, 48));
    add("48 axes above level 12 and 12 below", by_level(48, 12));
  }
  run.table("Tighter projections: what is saved beside the published one", rows);
}

}  // namespace snug::bench::raabe
