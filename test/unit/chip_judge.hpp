#pragma once

#include "chip/image.hpp"
#include "chip/relative.hpp"
#include "query/pairs/dop/fixed/axes.hpp"
#include "query/pairs/dop/fixed/placement.hpp"
#include "scenes/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

// Bodies for tests of the chip's cycle model, and the search that it is compared with.

namespace snug::chip {

using Numbers = std::pair<std::uint32_t, std::uint32_t>;

struct Body {
  Mesh mesh;
  DopTree tree;
  explicit Body(Mesh m) : mesh(std::move(m)), tree(build_dop_tree(mesh)) {}
};

inline DopPair pair_of(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  return {a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, kernels_for(Instructions::best)};
}

/// Triangles anywhere, with corners of their own.
inline Mesh soup(scenes::Random& random, unsigned triangles, double size) {
  MeshInput input;
  for (unsigned t = 0; t < triangles; ++t) {
    const Point3 at = random.point(-1, 1);
    for (int i = 0; i < 3; ++i) input.vertices.push_back(at + random.point(-size, size));
    input.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return Mesh::build(std::move(input)).value();
}

inline std::set<Numbers> numbers(const std::vector<NumberPair>& hits) {
  std::set<Numbers> set;
  for (const NumberPair& hit : hits) set.insert({hit.a, hit.b});
  EXPECT_EQ(set.size(), hits.size()) << "a pair was reported twice";
  return set;
}
inline std::set<Numbers> numbers(const ChipRun& run) { return numbers(run.hits); }

inline Configuration width(unsigned w) { return configuration_of_width(w); }

/// The same search without clocks, stack or memory image: straight from trees and formulas.
struct Judge {
  const Body &a, &b;
  DopFrame frame;
  fixed::Format format;
  fixed::Scenario scenario;
  fixed::Placement placement;
  DopRecords records_a, records_b;
  std::vector<fixed::Axis> axes;
  std::vector<unsigned> axes_of_level;  ///< the last for all further down
  std::uint64_t dop_tests = 0, leaves = 0;
  std::set<Numbers> kept;

  Judge(const DopPair& p, const Body& first, const Body& second, unsigned width, std::vector<unsigned> counts,
        unsigned relative_bits = 0)
      : a(first),
        b(second),
        frame(a.tree, a.mesh.bounds(), p.pose_a, b.tree, b.mesh.bounds(), p.pose_b),
        format(fixed::Format::of_width(width)),
        scenario(frame, a.tree, b.tree, format),
        placement(fixed::placement_of(frame, format)),
        records_a(fixed::records_of(a.tree, frame.scale_a, scenario)),
        records_b(fixed::records_of(b.tree, frame.scale_b, scenario)),
        axes_of_level(std::move(counts)) {
    if (relative_bits != 0)
      records_a = rounded(records_a, relative_bits), records_b = rounded(records_b, relative_bits);
    for (unsigned i = 0; i < *std::ranges::max_element(axes_of_level); ++i)
      axes.push_back(fixed::axis_of(axis_for(frame, axis_order()[i]), scenario));
    visit(0, 0, 0);
  }
  Judge(const DopPair& p, const Body& first, const Body& second, unsigned width, unsigned count)
      : Judge(p, first, second, width, std::vector{count}) {}

  void visit(std::uint32_t i, std::uint32_t j, std::size_t level) {
    ++dop_tests;
    const unsigned count = axes_of_level[std::min(level, axes_of_level.size() - 1)];
    for (unsigned n = 0; n < count; ++n)
      if (fixed::axis_sums<fixed::int128>(axes[n], &records_a.coefficients[24 * std::size_t{i}],
                                          &records_b.coefficients[24 * std::size_t{j}], format)
              .separated())
        return;
    const DopLinks &of_a = a.tree.links[i], &of_b = b.tree.links[j];
    if (of_a.leaf() && of_b.leaf()) {
      ++leaves;
      const auto words_a = fixed::words_of(a.mesh, of_a.left, a.tree, frame.scale_a, format);
      const auto words_b = fixed::words_of(b.mesh, of_b.left, b.tree, frame.scale_b, format);
      if (!placement.usable || fixed::may_meet(words_a, fixed::placed(words_b, placement, format.c), placement.slack))
        kept.insert({of_a.left, of_b.left});
      return;
    }
    for (const std::uint32_t x : children(of_a, i))
      for (const std::uint32_t y : children(of_b, j)) visit(x, y, level + 1);
  }
  static std::set<std::uint32_t> children(const DopLinks& links, std::uint32_t own) {
    return links.leaf() ? std::set{own} : std::set{links.left, links.right};
  }
  /// What relative coefficients of so many bits make of a tree.
  static DopRecords rounded(DopRecords records, unsigned q) {
    const auto of = [&](std::uint32_t node) {
      DopWords dop;
      std::copy_n(records.coefficients.begin() + static_cast<std::ptrdiff_t>(dop.size() * node), dop.size(),
                  dop.begin());
      return dop;
    };
    const auto round = [&](std::uint32_t node, const DopWords& parent) {
      std::ranges::copy(absolute(parent, relative_to(parent, of(node), q)),
                        records.coefficients.begin() + static_cast<std::ptrdiff_t>(24 * std::size_t{node}));
    };
    round(0, largest_dop(records.width));
    for (std::uint32_t node = 0; node < records.links.size(); ++node)
      if (const DopLinks& links = records.links[node]; !links.leaf())
        round(links.left, of(node)), round(links.right, of(node));
    return records;
  }
};

}  // namespace snug::chip
