#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "shape/trees.hpp"
#include "watched_devices.hpp"

namespace snug {
namespace {

using scenes::Random;

/// The golden model, in the order in which devices try axes.
QueryOptions golden(unsigned width, unsigned axes = 16) {
  QueryOptions options{.method = Method::dop_fixed};
  options.dop = {.axes = axes, .coefficient_bits = width - 1, .mapping_bits = width - 1, .offset_bits = width - 1};
  options.dop.last_axes_first = false;
  return options;
}

QueryOptions on(const Devices& devices, QueryOptions options) {
  options.device = Device::opencl;
  options.devices = &devices;
  return options;
}

struct Case {
  Shape a, b;
  Pose pose_a, pose_b;
};

Case case_of(std::uint64_t seed) {
  Random random(seed);
  const double away = seed % 4 == 3 ? 1e7 : 1;
  const Vec3 base = random.point(-away, away);
  const auto pose = [&] { return Pose::make(random.rotation(), base + random.point(-0.5, 0.5)).value(); };
  return {Shape(seed % 3 == 0 ? scenes::bumpy_knot(40, 8) : scenes::torus(1, 0.3, 20, 10)),
          Shape(seed % 2 == 0 ? scenes::sphere(0.8, 9, 15) : scenes::torus(0.9, 0.4, 17, 9)), pose(), pose()};
}

TEST(DeviceDopWalk, PairsAndCountersAreThoseOfTheGoldenModel) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices two(nullptr);
  Scratch scratch;
  std::size_t with_hits = 0;
  const std::uint64_t count = std::max<std::uint64_t>(test::scaled(30), 4);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = case_of(seed);
    const auto surfaces = surface_pairs(c.a, c.pose_a, c.b, c.pose_b, scratch, {.method = Method::brute});
    for (const QueryOptions& options : {golden(18), golden(35), golden(5), golden(41, 105), golden(12, 3)}) {
      SCOPED_TRACE(options.dop.coefficient_bits);
      for (const bool swapped : {false, true}) {
        const auto pairs = [&](const QueryOptions& how) {
          return swapped ? triangle_pairs(c.b, c.pose_b, c.a, c.pose_a, scratch, how)
                         : triangle_pairs(c.a, c.pose_a, c.b, c.pose_b, scratch, how);
        };
        Stats expected, stats;
        QueryOptions cpu = options, device = on(*two.devices, options);
        cpu.stats = &expected, device.stats = &stats;
        const auto wanted = pairs(cpu);
        ASSERT_EQ(pairs(device), wanted);
        ASSERT_EQ(stats, expected);
        with_hits += wanted.empty() ? 0 : 1;
      }
      ASSERT_EQ(surface_pairs(c.a, c.pose_a, c.b, c.pose_b, scratch, on(*two.devices, options)), surfaces);
      ASSERT_EQ(intersects(c.a, c.pose_a, c.b, c.pose_b, scratch, on(*two.devices, options)),
                intersects(c.a, c.pose_a, c.b, c.pose_b, scratch));
    }
  }
  EXPECT_GE(with_hits, 5 * count);
  EXPECT_TRUE(two.devices->warnings().empty());
}

TEST(DeviceDopWalk, WhoSeesAnOrderSeesThatOfTheProcessor) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices two(nullptr);
  Scratch scratch;
  std::size_t met = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = case_of(seed);
    const QueryOptions cpu{.method = Method::dop_fixed};
    QueryOptions chip = cpu;
    chip.device = Device::chip;
    const auto visited = [&](const QueryOptions& options) {
      std::vector<TrianglePair> pairs;
      const auto take = [&](const TrianglePair& pair) {
        pairs.push_back(pair);
        return true;
      };
      visit_triangle_pairs(c.a, c.pose_a, c.b, c.pose_b, scratch, take, options);
      return pairs;
    };
    const auto first = first_pair(c.a, c.pose_a, c.b, c.pose_b, scratch, cpu);
    const auto order = visited(cpu);
    met += first ? 1 : 0;
    for (const QueryOptions& other : {on(*two.devices, cpu), chip}) {
      EXPECT_EQ(first_pair(c.a, c.pose_a, c.b, c.pose_b, scratch, other), first);
      EXPECT_EQ(first_surface_pair(c.a, c.pose_a, c.b, c.pose_b, scratch, other),
                first_surface_pair(c.a, c.pose_a, c.b, c.pose_b, scratch, cpu));
      EXPECT_EQ(visited(other), order);
    }
  }
  EXPECT_GE(met, 3U);
}

TEST(DeviceDopWalk, LevelsTooLargeAreDivided) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices devices(nullptr);
  Scratch scratch;
  const Case c = case_of(1);
  const QueryOptions options = golden(18);
  Stats expected;
  QueryOptions cpu = options;
  cpu.stats = &expected;
  const auto wanted = triangle_pairs(c.a, c.pose_a, c.b, c.pose_b, scratch, cpu);
  EXPECT_GT(wanted.size(), 20U);
  for (const std::uint32_t room : {0U, 2U, 3U, 7U, 64U, 1000U}) {
    SCOPED_TRACE(room);
    devices.set->room = room;
    Stats stats;
    QueryOptions device = on(*devices.devices, options);
    device.stats = &stats;
    EXPECT_EQ(triangle_pairs(c.a, c.pose_a, c.b, c.pose_b, scratch, device), wanted);
    EXPECT_EQ(stats, expected);
  }
  EXPECT_TRUE(devices.devices->warnings().empty());
}

TEST(DeviceDopWalk, BodiesTooFarApartForDoublesKeepEveryPair) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices devices(nullptr);
  Scratch scratch;
  const Shape a(scenes::sphere(1, 4, 6));
  const Pose here, there = Pose::make({1, 0, 0, 0}, {1e290, 0, 0}).value();
  for (const unsigned width : {18U, 35U}) {
    Stats expected, stats;
    QueryOptions cpu = golden(width), device = on(*devices.devices, golden(width));
    cpu.stats = &expected, device.stats = &stats;
    EXPECT_EQ(triangle_pairs(a, here, a, there, scratch, device), triangle_pairs(a, here, a, there, scratch, cpu));
    EXPECT_EQ(stats, expected);
  }
}

TEST(DeviceDopWalk, ManyPairsAtOnceOnTwoDevices) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices one(nullptr, 1), two(nullptr, 2);
  ASSERT_EQ(two.devices->usable(), 2U);
  std::vector<Case> cases;
  for (std::uint64_t seed = 0; seed < 12; ++seed) cases.push_back(case_of(seed));
  std::vector<query::DopPair> pairs;
  const auto tree = [](const Shape& s) -> const bvh::DopTree& { return detail::Access::data(s).get<bvh::DopTree>(); };
  for (const Case& c : cases)
    pairs.push_back(
        {c.a.mesh(), tree(c.a), c.pose_a, c.b.mesh(), tree(c.b), c.pose_b, query::kernels_for(Instructions::best)});
  std::vector<query::DopWalked> walked[2];
  const DopSearch search;
  ASSERT_TRUE(one.set->walk(pairs, search, walked[0]));
  ASSERT_TRUE(two.set->walk(pairs, search, walked[1]));
  Scratch scratch;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    Stats expected;
    QueryOptions cpu = golden(18);
    cpu.stats = &expected;
    (void)triangle_pairs(cases[i].a, cases[i].pose_a, cases[i].b, cases[i].pose_b, scratch, cpu);
    for (const auto& some : walked) {
      EXPECT_EQ(some[i].node_pairs, expected.node_pairs);
      EXPECT_EQ(some[i].axis_tests, expected.box_tests);
      EXPECT_EQ(some[i].leaves.size(), expected.triangle_tests);
    }
  }
}

}  // namespace
}  // namespace snug
