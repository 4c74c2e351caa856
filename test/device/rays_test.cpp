#include "odd_bodies.hpp"
#include "watched_devices.hpp"

#include <atomic>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>

namespace snug {
namespace {

using scenes::Random;

struct Scene {
  Shape a, b;
  Pose pose_a, pose_b;
};

Scene scene_of(std::uint64_t seed) {
  Random random(seed);
  const double away = seed % 5 == 4 ? 1e5 : 1;
  const Vec3 base = random.point(-away, away);
  const auto pose = [&] { return Pose::make(random.rotation(), base + random.point(-0.5, 0.5)).value(); };
  return {Shape(seed % 3 == 0 ? scenes::bumpy_knot(60, 12) : scenes::torus(1, 0.3, 40, 20)),
          Shape(seed % 2 == 0 ? scenes::sphere(0.8, 20, 32) : scenes::torus(0.9, 0.4, 30, 18)), pose(), pose()};
}

/// All of a contact, and what was counted, but for what tells where it was done.
void expect_same(const Contacts& device, const Contacts& cpu) {
  ASSERT_EQ(device.contacts, cpu.contacts);
  ASSERT_EQ(device.patches, cpu.patches);
  EXPECT_EQ(test::counted_anywhere(device.stats), test::counted_anywhere(cpu.stats));
  EXPECT_EQ(device.stats.walked, cpu.stats.walked);
}

TEST(DeviceRays, ContactsAreThoseOfTheProcessorBitForBit) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices two(nullptr);
  Scratch scratch;
  ContactStats all;
  std::uint64_t contacts_found = 0;
  const std::uint64_t count = std::max<std::uint64_t>(test::scaled(30), 6);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    const Scene s = scene_of(seed);
    for (const auto traversal : {RayContactOptions::Traversal::tree, RayContactOptions::Traversal::basic}) {
      RayContactOptions options{.traversal = traversal, .complete = false};
      if (seed % 2 == 0) options.displacement_threshold = 0.05;  // and so predictions
      RayContactOptions device = options;
      device.device = Device::opencl, device.devices = two.devices.get();
      const auto expected = contacts(s.a, s.pose_a, s.b, s.pose_b, scratch, options).value();
      const auto found = contacts(s.a, s.pose_a, s.b, s.pose_b, scratch, device).value();
      expect_same(found, expected);
      EXPECT_GT(found.stats.device_rays, 0U);
      expect_same(contacts(s.b, s.pose_b, s.a, s.pose_a, scratch, device).value(),
                  contacts(s.b, s.pose_b, s.a, s.pose_a, scratch, options).value());
      contacts_found += found.contacts.size();
      all += found.stats;
    }
  }
  EXPECT_GT(contacts_found, 20 * count);
  EXPECT_TRUE(two.devices->warnings().empty());
  std::cout << "rays on devices " << all.device_rays << ", cast again by the processor " << all.redone_rays << " ("
            << 100.0 * static_cast<double>(all.redone_rays) / static_cast<double>(all.device_rays) << " %)\n";
  EXPECT_LT(100 * all.redone_rays, all.device_rays);
}

TEST(DeviceRays, TrackersStepByStep) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices two(nullptr);
  const Shape a(scenes::torus(1, 0.3, 40, 20)), b(scenes::sphere(0.8, 20, 32));
  RayContactOptions options, device;
  device.device = Device::opencl, device.devices = two.devices.get();
  auto here = ContactTracker::make(options).value(), there = ContactTracker::make(device).value();
  std::uint64_t rays = 0;
  for (int step = 0; step < 40; ++step) {
    SCOPED_TRACE(step);
    const Pose pose = Pose::make({1, 0.002 * step, 0.001 * step, 0}, {0.9 - 0.01 * step, 0.1, 0.05}).value();
    const Contacts expected = contacts(a, Pose(), b, pose, here), found = contacts(a, Pose(), b, pose, there);
    expect_same(found, expected);
    rays += found.stats.device_rays;
  }
  EXPECT_GT(rays, 0U);
}

/// Once, by trackers and by batches; rims, shells either way, bodies that meet themselves or deform.
TEST(DeviceRays, OddBodiesAreToldAsByTheProcessor) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices two(nullptr), plain(test::fake_opencl({.doubles = false}), nullptr);
  Scratch scratch;
  ContactStats all;
  std::uint64_t of_deformed = 0;
  const std::uint64_t count = std::max<std::uint64_t>(test::scaled(80), 12);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Shape a(test::OddBody(random).mesh());
    const Shape b(test::OddBody(random).mesh());
    const bool deforms = seed % 3 == 0;
    RayContactOptions options{.rays = RayContactOptions::Rays(random.below(3)), .complete = random.below(2) != 0};
    if (random.below(4) == 0) options.direction = RayContactOptions::Direction(random.below(3));
    if (random.below(3) == 0) options.traversal = RayContactOptions::Traversal::basic;
    if (random.below(2) != 0) options.displacement_threshold = random.uniform(0.001, 0.3);
    RayContactOptions device = options;
    device.device = Device::opencl, device.devices = (seed % 4 == 1 ? plain : two).devices.get();
    auto here = ContactTracker::make(options).value(), there = ContactTracker::make(device).value(),
         batched = ContactTracker::make(device).value();
    ContactBatch batch;
    const Pose pose_a = seed % 5 == 0 ? Pose() : random.pose(0);
    const Quaternion turned = random.rotation();
    const Vec3 from = random.point(-0.6, 0.6), way = random.uniform(0, 0.02) * random.point(-1, 1);
    for (int step = 0; step < 5; ++step) {
      SCOPED_TRACE(step);
      if (deforms && step > 0) {
        std::vector<Point3> vertices(a.mesh().vertices().begin(), a.mesh().vertices().end());
        for (Point3& p : vertices) p = p + 0.01 * random.point(-1, 1);
        a = a.updated(vertices).value();
      }
      const Pose pose_b = Pose::make(turned, from + static_cast<double>(step) * way).value();
      const auto once = contacts(a, pose_a, b, pose_b, scratch, device).value();
      expect_same(once, contacts(a, pose_a, b, pose_b, scratch, options).value());
      expect_same(contacts(b, pose_b, a, pose_a, scratch, device).value(),
                  contacts(b, pose_b, a, pose_a, scratch, options).value());
      const Contacts expected = contacts(a, pose_a, b, pose_b, here), tracked = contacts(a, pose_a, b, pose_b, there);
      expect_same(tracked, expected);
      Contacts of_batch;
      TrackedPair pair{&a, pose_a, &b, pose_b, &batched, &of_batch};
      batch.step({&pair, 1});
      expect_same(of_batch, expected);
      ASSERT_FALSE(HasFailure());
      all += once.stats, all += tracked.stats;
      if (deforms && step > 0) of_deformed += once.stats.device_projections;
    }
  }
  EXPECT_TRUE(two.devices->warnings().empty() && plain.devices->warnings().empty());
  std::cout << "rays on devices " << all.device_rays << ", walks in all " << all.iterative_rays << ", contacts "
            << all.hits << ", made there " << all.device_projections << ", of bodies that deform " << of_deformed
            << '\n';
  EXPECT_GT(all.hits, 10 * count);
  EXPECT_GT(all.iterative_rays, 3 * count);
  EXPECT_GT(all.device_projections, count);
  EXPECT_EQ(of_deformed > 0, two.devices->list()[0].doubles);
}

/// Bodies on a spiral that close in on one another, some of them fine and some coarse: pairs come and go.
class Swarm {
 public:
  Swarm() {
    for (std::uint64_t i = 0; i < 9; ++i)
      bodies_.emplace_back(i % 3 == 0   ? scenes::bumpy_knot(40, 10)
                           : i % 3 == 1 ? scenes::torus(1, 0.3, 24, 12)
                                        : scenes::box({-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}));
  }
  struct Pair {
    Pair(std::size_t first, std::size_t second, const RayContactOptions& options)
        : a(first), b(second), tracker(ContactTracker::make(options).value()) {}
    std::size_t a, b;
    ContactTracker tracker;
    Contacts found;
  };
  [[nodiscard]] Pose pose(std::size_t body, int step) const {
    const double at = static_cast<double>(body), t = 0.02 * step;
    const double angle = 0.7 * at, radius = (2.6 - t) * (0.4 + 0.1 * at);
    return Pose::make({1, 0.3 * at + t, 0.5 * t, 0.2 * at},
                      {radius * std::cos(angle), radius * std::sin(angle), 0.1 * at})
        .value();
  }
  /// A step of all pairs that are close, in the order of the bodies.
  void step(std::map<std::pair<std::size_t, std::size_t>, Pair>& pairs, const RayContactOptions& options, int step,
            const std::function<void(std::vector<TrackedPair>&)>& run) const {
    std::vector<TrackedPair> asked;
    for (std::size_t a = 0; a < bodies_.size(); ++a)
      for (std::size_t b = a + 1; b < bodies_.size(); ++b) {
        const Vec3 apart = pose(a, step).translation() - pose(b, step).translation();
        if (apart.x * apart.x + apart.y * apart.y + apart.z * apart.z > 4) {
          pairs.erase({a, b});
          continue;
        }
        Pair& pair = pairs.try_emplace({a, b}, a, b, options).first->second;
        asked.push_back({&bodies_[a], pose(a, step), &bodies_[b], pose(b, step), &pair.tracker, &pair.found});
      }
    run(asked);
  }

 private:
  std::vector<Shape> bodies_;
};

TEST(DeviceRays, ManyPairsAtOnceAreEachAsByItself) {
  SNUG_NEED_OPENCL();
  const Swarm swarm;
  using Rays = RayContactOptions::Rays;
  for (const Rays rays : {Rays::predictive, Rays::iterative, Rays::standard}) {
    const test::WatchedDevices two(nullptr);
    RayContactOptions options{.rays = rays}, device = options;
    device.device = Device::opencl, device.devices = two.devices.get();
    std::map<std::pair<std::size_t, std::size_t>, Swarm::Pair> here, there;
    ContactBatch batch;
    ContactStats all;
    std::size_t pairs = 0;
    for (int step = 0; step < static_cast<int>(std::max<std::uint64_t>(test::scaled(50), 12)); ++step) {
      SCOPED_TRACE(step);
      swarm.step(here, options, step, [](std::vector<TrackedPair>& asked) {
        for (TrackedPair& p : asked) contacts(*p.a, p.pose_a, *p.b, p.pose_b, *p.tracker, *p.out);
      });
      const auto before = two.set->times();
      swarm.step(there, device, step, [&](std::vector<TrackedPair>& asked) {
        batch.step(asked, 1 + static_cast<unsigned>(step % 4));
        pairs = std::max(pairs, asked.size());
      });
      ASSERT_EQ(here.size(), there.size());
      for (auto& [key, pair] : here) {
        expect_same(there.at(key).found, pair.found);
        all += there.at(key).found.stats;
      }
      // One transfer each way for each device, a third where more is told than was expected, and some for bodies that are new there.
      const std::uint64_t of_bodies = two.devices->list()[0].doubles ? 8 : 5;
      const auto after = two.set->times();
      for (std::size_t d = 0; d < after.size(); ++d) {
        const std::uint64_t transfers = after[d].transfers - before[d].transfers;
        EXPECT_TRUE(transfers == 0 || transfers % of_bodies == 2 || transfers % of_bodies == 3) << transfers;
        EXPECT_LE(transfers, of_bodies + 3);
      }
    }
    EXPECT_GT(pairs, 8U);
    EXPECT_GT(all.hits + all.predictions, 100U);
    EXPECT_EQ(all.iterative_rays > 0, rays != Rays::standard);
    EXPECT_GT(all.device_rays, 1000U);
    EXPECT_LT(100 * all.redone_rays, all.device_rays);
    // Most contacts are made there, but for those of edges and such.
    EXPECT_EQ(10 * all.device_projections > 9 * (all.hits + all.predictions), two.devices->list()[0].doubles);
    EXPECT_TRUE(two.devices->warnings().empty());
    std::cout << "rays " << all.device_rays << ", walks " << all.iterative_rays << ", cast again " << all.redone_rays
              << ", pairs moved " << batch.moved() << '\n';
  }
}

/// A body that changes its form at every step is another shape each time: only it is sent, and what is gone is not kept.
TEST(DeviceRays, BodiesThatDeformAreSentOnce) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices one(nullptr, 1);
  RayContactOptions device;
  device.device = Device::opencl, device.devices = one.devices.get();
  const Shape floor(scenes::torus(1, 0.3, 40, 20));
  Shape body(scenes::sphere(0.8, 30, 40));
  const Pose pose = Pose::make({1, 0.1, 0.2, 0}, {0.5, 0.1, 0.05}).value();
  const std::vector<Point3> first(body.mesh().vertices().begin(), body.mesh().vertices().end());
  Scratch scratch;
  std::uint64_t largest = 0;
  for (int step = 0; step < 70; ++step) {
    SCOPED_TRACE(step);
    std::vector<Point3> vertices = first;
    for (Point3& p : vertices) p = (1 + 0.001 * step) * p;
    body = body.updated(vertices).value();
    const auto before = one.set->times()[0].bytes_to_device;
    const auto found = contacts(floor, Pose(), body, pose, scratch, device).value();
    if (step > 2) largest = std::max(largest, one.set->times()[0].bytes_to_device - before);
    ASSERT_EQ(found.contacts, contacts(floor, Pose(), body, pose, scratch).value().contacts);
  }
  // 260 bytes for each triangle, or both bodies and some of late if there was no room left.
  EXPECT_LT(largest, 260U * 80U * body.mesh().triangles().size());
  EXPECT_LT(one.set->times()[0].bytes_to_device, 70U * 4U * 260U * body.mesh().triangles().size());
}

/// Every vertex that rests on the other body is where floats can not tell on which side it is.
TEST(DeviceRays, FlushFacesAreToldAsByTheProcessor) {
  SNUG_NEED_OPENCL();
  const test::WatchedDevices two(nullptr);
  Scratch scratch;
  const Shape box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  for (const Pose& turn : test::cube_rotations())
    for (const double z : {2.0, 1.999, 1.0, 0.0}) {
      const Pose pose = Pose::make(turn.rotation(), {0.25, 0, z}).value();
      RayContactOptions device;
      device.device = Device::opencl, device.devices = two.devices.get();
      expect_same(contacts(box, Pose(), box, pose, scratch, device).value(),
                  contacts(box, Pose(), box, pose, scratch).value());
    }
}

TEST(DeviceRays, APairOfDevicesThatFailsInTheMiddleIsNotMissed) {
  SNUG_NEED_OPENCL();
  class FailFrom final : public device::OpenClWatcher {
   public:
    cl_int before(const char* call) override {
      return std::string_view(call) == "clEnqueueNDRangeKernel" && ++launches_ == fail_at ? CL_OUT_OF_RESOURCES
                                                                                          : CL_SUCCESS;
    }
    int fail_at = 0;

   private:
    std::atomic<int> launches_ = 0;
  } watcher;
  const Swarm swarm;
  const test::WatchedDevices two(&watcher);
  watcher.fail_at = 9;
  RayContactOptions options, device;
  device.device = Device::opencl, device.devices = two.devices.get();
  std::map<std::pair<std::size_t, std::size_t>, Swarm::Pair> here, there;
  ContactBatch batch, by_itself;
  for (int step = 0; step < 12; ++step) {
    SCOPED_TRACE(step);
    swarm.step(here, options, step, [&](std::vector<TrackedPair>& asked) { by_itself.step(asked); });
    swarm.step(there, device, step, [&](std::vector<TrackedPair>& asked) { batch.step(asked); });
    for (auto& [key, pair] : here) expect_same(there.at(key).found, pair.found);
  }
  EXPECT_EQ(two.devices->warnings().size(), 1U);
  EXPECT_EQ(two.devices->usable(), 1U);
}

TEST(DeviceRays, FailuresLeaveContactsAsTheyAre) {
  SNUG_NEED_OPENCL();
  const Scene s = scene_of(2);
  Scratch scratch;
  const auto expected = contacts(s.a, s.pose_a, s.b, s.pose_b, scratch).value();
  class FailEvery final : public device::OpenClWatcher {
   public:
    explicit FailEvery(std::size_t number) : number_(number) {}
    cl_int before(const char*) override { return count_++ == number_ ? CL_OUT_OF_RESOURCES : CL_SUCCESS; }
    std::atomic<std::size_t> count_ = 0;

   private:
    std::size_t number_;
  };
  const auto run = [&](FailEvery& watcher, bool fake) {
    const test::WatchedDevices devices(fake ? test::fake_opencl() : test::load_opencl(), &watcher, fake ? 2 : 1);
    RayContactOptions device;
    device.device = Device::opencl, device.devices = devices.devices.get();
    for (int times = 0; times < 2; ++times)
      EXPECT_EQ(contacts(s.a, s.pose_a, s.b, s.pose_b, scratch, device).value().contacts, expected.contacts);
  };
  for (const bool fake : {true, false}) {
    FailEvery none(SIZE_MAX);
    run(none, fake);
    // All of them; fewer where opening devices takes a while.
    const std::size_t calls = none.count_, step = (fake ? 1 : 12) * std::max<std::size_t>(1, 100 / test::scaled(100));
    for (std::size_t i = 0; i < calls; i += step) {
      SCOPED_TRACE(i);
      FailEvery one(i);
      run(one, fake);
    }
  }
}

}  // namespace
}  // namespace snug
