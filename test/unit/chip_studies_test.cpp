// What the chip's cycle model can do beyond its contract: every variant finds the same pairs.

#include "chip/refit.hpp"
#include "chip/walk.hpp"
#include "scenes/worlds.hpp"
#include "support.hpp"
#include "unit/chip_judge.hpp"

#include <snug/query.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace snug::chip {
namespace {

using scenes::Random;

/// Sheets of quadrangles, bumpy, some triangles left out, so that there are common edges, open ones and triangles without partners.
Mesh sheet(Random& random, unsigned side) {
  MeshInput input;
  for (unsigned i = 0; i <= side; ++i)
    for (unsigned k = 0; k <= side; ++k)
      input.vertices.push_back(Point3{2.0 * i / side - 1, 2.0 * k / side - 1, 0} + random.point(-0.1, 0.1));
  for (unsigned i = 0; i < side; ++i)
    for (unsigned k = 0; k < side; ++k) {
      const std::uint32_t at = i * (side + 1) + k, below = at + side + 1;
      if (random.below(8) != 0) input.triangles.push_back({at, below, below + 1});
      if (random.below(8) != 0) input.triangles.push_back({at, below + 1, at + 1});
    }
  if (input.triangles.empty()) input.triangles.push_back({0, 1, side + 1});
  return Mesh::build(std::move(input)).value();
}

std::set<Numbers> meeting(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  Scratch scratch;
  std::set<Numbers> set;
  for (const TrianglePair& pair :
       triangle_pairs(Shape(a), pose_a, Shape(b), pose_b, scratch, {.method = Method::brute}))
    set.insert({pair.a, pair.b});
  return set;
}

void expect_all(const std::set<Numbers>& kept, const std::set<Numbers>& wanted) {
  for (const Numbers& pair : wanted) EXPECT_TRUE(kept.contains(pair)) << pair.first << ' ' << pair.second;
}

ChipRun query(const Image& image, unsigned w, const Structure& structure) {
  System system(width(w), structure);
  DdrMemory memory(image.words);
  return run(system, image.setup, memory);
}

TEST(ChipStudies, RoundRelativeCoefficientsUpButNotBeyondTheParent) {
  Random random(1);
  for (std::uint64_t i = 0; i < test::scaled(20000); ++i) {
    const unsigned w = 5 + static_cast<unsigned>(random.below(37)), q = 1 + static_cast<unsigned>(random.below(19));
    const std::int64_t most = (std::int64_t{1} << (w - 1)) - 1;
    DopWords parent, child;
    for (std::size_t j = 0; j < 24; ++j) {
      parent[j] = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * most + 1))) - most;
      // Differences of all sizes, none among them.
      const auto least = static_cast<std::uint64_t>(parent[j] + most + 1);
      child[j] = parent[j] - static_cast<std::int64_t>(random.below(least) >> random.below(w));
    }
    const RelativeChild relative = relative_to(parent, child, q);
    const DopWords read = absolute(parent, relative);
    bool exact = true;
    for (std::size_t j = 0; j < 24; ++j) {
      ASSERT_LT(relative.less[j], std::uint32_t{1} << q);
      ASSERT_GE(read[j], child[j]);
      ASSERT_LE(read[j], parent[j]);
      exact = exact && parent[j] - child[j] < std::int64_t{1} << q;
    }
    ASSERT_LT(relative.shift, 64U);
    ASSERT_TRUE(!exact || read == child) << "what fits is not rounded";
  }
}

TEST(ChipStudies, RelativeRecordsHoldTheTree) {
  for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Body body(soup(random, 1 + static_cast<unsigned>(random.below(50)), 0.3));
    const unsigned w = random.below(2) == 0 ? 18 : 35, q = 1 + static_cast<unsigned>(random.below(19));
    const Pose pose;
    const DopFrame frame(body.tree, body.mesh.bounds(), pose, body.tree, body.mesh.bounds(), pose);
    const DopRecords records = fixed::records_of(
        body.tree, frame.scale_a, fixed::Scenario(frame, body.tree, body.tree, fixed::Format::of_width(w)));
    const Words words = relative_records(records, q);
    const std::size_t each = std::size_t{relative_record_bursts(q)} * k_burst_words;
    EXPECT_EQ(words.size(), each * body.mesh.triangles().size());
    struct At {
      std::uint32_t node, number;
      DopWords parent;
    };
    std::vector<At> open{{0, 0, largest_dop(w)}};
    std::size_t nodes = 0;
    for (; !open.empty(); ++nodes) {
      const At at = open.back();
      open.pop_back();
      const ReadChild child = read_child(words.data() + at.number / 2 * each, at.number % 2, q);
      const DopWords read = absolute(at.parent, child.coefficients);
      for (std::size_t j = 0; j < 24; ++j) {
        EXPECT_GE(read[j], records.coefficients[24 * at.node + j]);
        EXPECT_LE(read[j], at.parent[j]);
      }
      const DopLinks& links = records.links[at.node];
      ASSERT_EQ(child.links.leaf(), links.leaf());
      if (links.leaf()) {
        EXPECT_EQ(child.links.left, links.left);
      } else {
        open.push_back({links.left, child.links.left, read});
        open.push_back({links.right, child.links.right, read});
      }
    }
    EXPECT_EQ(nodes, records.links.size());
  }
}

TEST(ChipStudies, TakeTheClocksCountedByHand) {
  // As in ChipSystem: 97 clocks for a pair of triangles with records of one burst; a pipe of 35 bits has two stages more, and
  // relative coefficients take a clock to become absolute.
  MeshInput input;
  input.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.25}};
  input.triangles = {{0, 1, 2}};
  const Body one(Mesh::build(input).value());
  for (const unsigned w : {18U, 35U}) {
    const Image image =
        make_image(pair_of(one, {}, one, {}), width(w), {.axes = 1, .most_axes = 1}, {.relative_bits = 9});
    System system(width(w), {.whole_entries = true, .relative_bits = 9});
    SteadyMemory memory(image.words, 1);
    EXPECT_EQ(run(system, image.setup, memory).counters.clocks, w == 18 ? 98U : 100U);
  }
  // Two triangles in one leaf: four pairs, one after the other.
  input.triangles.push_back({1, 3, 2});
  const Body two(Mesh::build(input).value());
  const QuadTree quads = build_quad_tree(two.mesh);
  ASSERT_EQ(quads.leaves.size(), 1U);
  const DopPair bodies{two.mesh, quads.tree, {}, two.mesh, quads.tree, {}, kernels_for(Instructions::best)};
  const Image image =
      make_image(bodies, width(18), {.axes = 1, .most_axes = 1}, {.quads_a = &quads, .quads_b = &quads});
  System system(width(18), {.quadrangles = true});
  SteadyMemory memory(image.words, 1);
  const ChipRun result = run(system, image.setup, memory);
  EXPECT_EQ(result.counters.clocks, 97U + 3 * 64);
  EXPECT_EQ(numbers(triangles_of(result.hits, quads, quads)).size(), 4U);
}

TEST(ChipStudies, FindWhatAWalkWithoutClocksFinds) {
  std::uint64_t found = 0;
  const std::uint64_t count = test::scaled(60);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Body a(soup(random, 1 + static_cast<unsigned>(random.below(60)), 0.4));
    const Body b(soup(random, 1 + static_cast<unsigned>(random.below(60)), 0.4));
    const Pose pose_a = Pose::make(random.rotation(), random.point(-1, 1)).value();
    const Pose pose_b = Pose::make(random.rotation(), pose_a.translation() + random.point(-0.5, 0.5)).value();
    const DopPair bodies = pair_of(a, pose_a, b, pose_b);
    const unsigned widths[] = {8, 18, 35};
    const unsigned w = widths[random.below(3)];
    Structure structure;
    structure.whole_entries = random.below(4) != 0;
    structure.relative_bits = structure.whole_entries ? static_cast<unsigned>(random.below(20)) : 0;
    structure.cached_records = static_cast<unsigned>(random.below(30));
    structure.triangle_units = 1 + static_cast<unsigned>(random.below(4));
    structure.pipes = 1 + static_cast<unsigned>(random.below(5));
    structure.queue = random.below(3) == 0;
    structure.stack_depth = 100000;
    const unsigned levels = 1 + static_cast<unsigned>(random.below(8));
    for (unsigned i = 0; i < levels; ++i)
      structure.axes_of_level.push_back(1 + static_cast<unsigned>(random.below(30)));
    const unsigned most = *std::ranges::max_element(structure.axes_of_level);
    // Pipes side by side try as many axes as they are at a time.
    std::vector<unsigned> tried = structure.axes_of_level;
    for (unsigned& n : tried) n = std::min((n + structure.pipes - 1) / structure.pipes * structure.pipes, most);
    const Judge judge(bodies, a, b, w, tried, structure.relative_bits);
    const Image image =
        make_image(bodies, width(w), {.axes = most, .most_axes = most}, {.relative_bits = structure.relative_bits});
    const ChipRun result = query(image, w, structure);
    EXPECT_FALSE(result.overflow || result.error);
    EXPECT_EQ(numbers(result), judge.kept);
    EXPECT_EQ(result.counters.dop_tests, judge.dop_tests);
    EXPECT_EQ(result.counters.triangle_tests, judge.leaves);
    const auto exact = meeting(a.mesh, pose_a, b.mesh, pose_b);
    expect_all(numbers(result), exact);
    found += exact.size();

    // A chip that has done something else before does the same again, and with testing on it finds all as well.
    const Image further = make_image(bodies, width(w), {.axes = most, .most_axes = 64, .go_on = true},
                                     {.relative_bits = structure.relative_bits});
    System system(width(w), structure);
    DdrMemory first(further.words), second(image.words);
    const ChipRun on = run(system, further.setup, first);
    EXPECT_LE(on.counters.dop_tests, judge.dop_tests);
    expect_all(numbers(on), exact);
    EXPECT_EQ(run(system, image.setup, second).counters, result.counters);
  }
  EXPECT_GT(found, count);
}

TEST(ChipStudies, LoadEntriesAsAWholeWithLessTraffic) {
  // Four bursts for the four pairs of an entry of plain records, two if siblings share one; eight, one by one.
  Random random(9);
  const Body a(soup(random, 150, 0.3)), b(soup(random, 150, 0.3));
  const Pose rest;  // a pair of bodies refers to it
  const DopPair bodies = pair_of(a, rest, b, rest);
  const auto bursts = [&](unsigned w, const Structure& structure) {
    const Image image =
        make_image(bodies, width(w), {.axes = 24, .most_axes = 24}, {.relative_bits = structure.relative_bits});
    const Counters c = query(image, w, structure).counters;
    return static_cast<double>(c.bursts - 2 * c.triangle_tests) / static_cast<double>(c.dop_tests);
  };
  for (const unsigned w : {18U, 35U}) {
    const double each = w == 18 ? 1 : 2;
    EXPECT_EQ(bursts(w, {}), 2 * each);
    EXPECT_NEAR(bursts(w, {.whole_entries = true}), each, 0.2 * each);
    EXPECT_NEAR(bursts(w, {.whole_entries = true, .relative_bits = 9}), 0.5, 0.1);
    EXPECT_NEAR(bursts(w, {.whole_entries = true, .relative_bits = 19}), 1, 0.2);
  }
}

TEST(ChipStudies, SeveralTriangleUnitsLoseNothing) {
  Random random(5);
  const Body a(soup(random, 80, 0.3)), b(soup(random, 80, 0.3));
  const Image image = make_image(pair_of(a, {}, b, {}), width(18), {});
  const ChipRun one = query(image, 18, {}), four = query(image, 18, {.triangle_units = 4});
  EXPECT_EQ(numbers(one), numbers(four));
  EXPECT_LT(four.counters.clocks, one.counters.clocks);
  // A host that takes hits when it likes.
  System system(width(18), {.triangle_units = 4});
  DdrMemory memory(image.words);
  system.set(image.setup);
  Inputs start;
  start.start = true;
  system.clock(start);
  ChipRun slow;
  for (Outputs out = system.outputs(); out.busy; out = system.outputs()) {
    const Inputs pins{.request_ready = memory.ready(), .beat = memory.beat(), .hit_ready = random.below(200) == 0};
    if (out.hit_valid && pins.hit_ready) slow.hits.push_back({true, out.hit_a, out.hit_b});
    memory.clock(out.request);
    system.clock(pins);
  }
  EXPECT_EQ(numbers(slow), numbers(one));
  EXPECT_EQ(system.counters().hits, one.counters.hits);
}

TEST(ChipStudies, QuadranglesHoldEveryTriangleOnce) {
  for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh mesh = seed % 4 == 0 ? soup(random, 20, 0.3) : sheet(random, 1 + static_cast<unsigned>(random.below(9)));
    const QuadTree quads = build_quad_tree(mesh);
    EXPECT_EQ(quads.tree.links.size(), 2 * quads.leaves.size() - 1);
    std::vector<unsigned> seen(mesh.triangles().size(), 0);
    std::vector<unsigned> led_to(quads.leaves.size(), 0);
    for (const Quad& quad : quads.leaves)
      for (unsigned second = 0; second < (quad.alone() ? 1U : 2U); ++second) {
        ++seen[quad.triangle[second]];
        std::array own{quad.corner[second], quad.corner[1 - second], quad.corner[2 + second]};
        Index3 of_mesh = mesh.triangles()[quad.triangle[second]];
        std::ranges::sort(own), std::ranges::sort(of_mesh);
        EXPECT_TRUE(std::ranges::equal(own, of_mesh));
      }
    for (std::size_t node = 0; node < quads.tree.links.size(); ++node) {
      const DopLinks& links = quads.tree.links[node];
      if (!links.leaf()) {
        EXPECT_TRUE(quads.tree.dops[node].contains(quads.tree.dops[links.left]) &&
                    quads.tree.dops[node].contains(quads.tree.dops[links.right]));
        continue;
      }
      ++led_to[links.left];
      const double scale = std::ldexp(1.0, -quads.tree.exponent);
      for (const std::uint32_t v : quads.leaves[links.left].corner) {
        const Point3 at[] = {scale * (mesh.vertices()[v] - quads.tree.centre)};
        EXPECT_TRUE(quads.tree.dops[node].contains(Dop24::tight(at)));
      }
    }
    EXPECT_EQ(std::ranges::count(seen, 1U), std::ssize(seen));
    EXPECT_EQ(std::ranges::count(led_to, 1U), std::ssize(led_to));
    EXPECT_TRUE(seed % 4 != 0 || quads.leaves.size() == mesh.triangles().size()) << "no common edges, no partners";
  }
}

TEST(ChipStudies, QuadranglesFindTheSamePairs) {
  std::uint64_t found = 0;
  const std::uint64_t count = test::scaled(40);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh a = sheet(random, 1 + static_cast<unsigned>(random.below(7)));
    const Mesh b = random.below(3) == 0 ? soup(random, 25, 0.3) : sheet(random, 6);
    const QuadTree quads_a = build_quad_tree(a), quads_b = build_quad_tree(b);
    const Pose pose_a = Pose::make(random.rotation(), {}).value();
    const Pose pose_b = Pose::make(random.rotation(), random.point(-0.5, 0.5)).value();
    const DopPair bodies{a, quads_a.tree, pose_a, b, quads_b.tree, pose_b, kernels_for(Instructions::best)};
    const unsigned w = random.below(2) == 0 ? 18 : 35;
    Structure structure;
    structure.quadrangles = true;
    structure.triangle_units = 1 + static_cast<unsigned>(random.below(3));
    structure.whole_entries = random.below(2) == 0;
    structure.relative_bits = structure.whole_entries ? static_cast<unsigned>(random.below(20)) : 0;
    const Image image = make_image(
        bodies, width(w), {}, {.relative_bits = structure.relative_bits, .quads_a = &quads_a, .quads_b = &quads_b});
    ASSERT_TRUE(image.usable);
    const ChipRun result = query(image, w, structure);
    EXPECT_FALSE(result.overflow || result.error);
    const auto kept = numbers(triangles_of(result.hits, quads_a, quads_b));
    const auto exact = meeting(a, pose_a, b, pose_b);
    expect_all(kept, exact);
    found += exact.size();
  }
  EXPECT_GT(found, count);
}

/// The same triangles, every vertex elsewhere.
Mesh deformed(const Mesh& mesh, Random& random, double by) {
  MeshInput input;
  input.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  for (Point3& v : input.vertices) v = v + random.point(-by, by);
  return Mesh::build(std::move(input)).value();
}

TEST(ChipStudies, RefitWhatAHostWouldRefit) {
  std::uint64_t found = 0;
  const std::uint64_t count = test::scaled(60);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Body rest_a(sheet(random, 1 + static_cast<unsigned>(random.below(8)))), rest_b(soup(random, 30, 0.4));
    const double by = seed % 3 == 0 ? 0 : 0.5;
    const Mesh a = deformed(rest_a.mesh, random, by), b = deformed(rest_b.mesh, random, by);
    const double far = random.below(4) == 0 ? 1e6 : 1;
    const Pose pose_a = Pose::make(random.rotation(), random.point(-far, far)).value();
    const Pose pose_b = Pose::make(random.rotation(), pose_a.translation() + random.point(-0.3, 0.3)).value();
    const unsigned widths[] = {12, 18, 35};
    const unsigned w = widths[random.below(3)];
    const DopTree tree_a = tree_to_refit(rest_a.tree, a, w), tree_b = tree_to_refit(rest_b.tree, b, w);
    const DopPair bodies{a, tree_a, pose_a, b, tree_b, pose_b, kernels_for(Instructions::best)};
    Image image = make_image(bodies, width(w), {});
    const auto setups = refit_setups(bodies, image, width(w));
    ASSERT_TRUE(setups);
    for (const RefitSetup& setup : *setups) {
      DdrMemory memory(image.words);
      const RefitStructure structure{.multipliers = 1 + static_cast<unsigned>(random.below(6)),
                                     .ahead = 1 + static_cast<unsigned>(random.below(30)),
                                     .together = 1 + static_cast<unsigned>(random.below(9))};
      const RefitCounters c = refit(setup, width(w), structure, image.words, memory);
      EXPECT_EQ(c.bursts_written, std::uint64_t{setup.count} * width(w).record_bursts());
      EXPECT_EQ(c.bursts_read, (setup.count + 7) / 8 + (setup.count + 1) / 2) << "links of eight, each triangle once";
      EXPECT_GT(c.clocks, k_burst_beats * (c.bursts_read + c.bursts_written));
      EXPECT_LE(c.most_waiting, rest_a.tree.depth + rest_b.tree.depth);
    }
    // Held to coefficients that a host rounds, of the refitted tree, in the same scenario.
    const DopFrame frame(tree_a, a.bounds(), pose_a, tree_b, b.bounds(), pose_b);
    const fixed::Scenario scenario(frame, tree_a, tree_b, fixed::Format::of_width(w));
    const auto compare = [&](const DopTree& rest, const Mesh& mesh, double unit_scale, std::uint32_t address) {
      const DopRecords host = fixed::records_of(refit_dop_tree(rest, mesh), unit_scale, scenario);
      const std::int64_t most = (std::int64_t{1} << (w - 1)) - 1;
      for (std::size_t node = 0; node < host.links.size(); ++node) {
        const std::uint64_t* record =
            image.words.data() + (address + node * width(w).record_bursts()) * std::size_t{k_burst_words};
        for (std::size_t j = 0; j < 24; ++j) {
          const std::int64_t own = get_signed_bits(record, j * w, w);
          ASSERT_GE(own, host.coefficients[24 * node + j]);
          ASSERT_LE(own, std::min(host.coefficients[24 * node + j] + 8, most));
        }
        ASSERT_EQ(get_bits(record, std::size_t{24} * w, 32), host.links[node].left);
        ASSERT_EQ(get_bits(record, std::size_t{24} * w + 32, 32), host.links[node].right);
      }
    };
    compare(rest_a.tree, a, frame.scale_a, image.setup.nodes_a);
    compare(rest_b.tree, b, frame.scale_b, image.setup.nodes_b);
    // Refitted or rebuilt, all pairs that meet are among those kept.
    const auto exact = meeting(a, pose_a, b, pose_b);
    const ChipRun refitted = query(image, w, {});
    EXPECT_FALSE(refitted.overflow || refitted.error);
    expect_all(numbers(refitted), exact);
    const Body rebuilt_a(a), rebuilt_b(b);
    expect_all(numbers(query(make_image(pair_of(rebuilt_a, pose_a, rebuilt_b, pose_b), width(w), {}), w, {})), exact);
    found += exact.size();
  }
  EXPECT_GT(found, count);
}

TEST(ChipStudies, RefuseToRefitABodyWithoutExtent) {
  MeshInput input;
  input.vertices = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  input.triangles = {{0, 1, 2}};
  const Body point(Mesh::build(input).value());
  const DopTree tree = tree_to_refit(point.tree, point.mesh, 18);
  const Pose pose;
  const DopPair bodies{point.mesh, tree, pose, point.mesh, tree, pose, kernels_for(Instructions::best)};
  Image image = make_image(bodies, width(18), {});
  EXPECT_FALSE(refit_setups(bodies, image, width(18)));
}

}  // namespace
}  // namespace snug::chip
