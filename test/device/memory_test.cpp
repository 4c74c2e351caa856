// What lies in a device's memory, and what happens where there is little of it: on devices that the test thinks up.

#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "shape/shape_data.hpp"
#include "watched_devices.hpp"

#include <iostream>

namespace snug {
namespace {

using test::FakeDevice;
using test::WatchedDevices;

struct Bodies {
  Shape a{scenes::torus(1, 0.3, 30, 16)}, b{scenes::sphere(0.8, 14, 22)};
  Pose pose_a = Pose::make({0.9, 0.1, 0.3, 0.2}, {0.1, 0.2, 0.3}).value(),
       pose_b = Pose::make({0.7, 0.3, 0.1, 0.1}, {0.6, 0.4, 0.1}).value();
};

/// What method dop_fixed tells, with its counters.
struct Walked {
  std::vector<TrianglePair> pairs;
  Stats stats;
  friend bool operator==(const Walked&, const Walked&) = default;
};
Walked walk(const Bodies& bodies, const Devices* devices, unsigned width = 18) {
  Scratch scratch;
  Walked walked;
  QueryOptions options{.method = Method::dop_fixed};
  options.dop = {.coefficient_bits = width - 1, .mapping_bits = width - 1, .offset_bits = width - 1};
  options.dop.last_axes_first = false;  // as on devices
  options.stats = &walked.stats;
  if (devices != nullptr) options.device = Device::opencl, options.devices = devices;
  walked.pairs = triangle_pairs(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, scratch, options);
  return walked;
}

Contacts touch(const Bodies& bodies, const Devices* devices) {
  Scratch scratch;
  RayContactOptions options{.displacement_threshold = 0.05, .complete = false};
  if (devices != nullptr) options.device = Device::opencl, options.devices = devices;
  return contacts(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, scratch, options).value();
}

std::uint64_t sent_by(const WatchedDevices& devices) {
  std::uint64_t bytes = 0;
  for (const auto& times : devices.set->times()) bytes += times.bytes_to_device;
  return bytes;
}

TEST(DeviceMemory, TreesStayUntilTheirShapesAreGone) {
  const WatchedDevices one(test::fake_opencl(), nullptr, 1), plain(test::fake_opencl({.doubles = false}), nullptr, 1);
  Bodies bodies;
  const std::uint64_t trees = 208 * (2 * (bodies.a.mesh().triangles().size() + bodies.b.mesh().triangles().size()) - 2);
  for (int times = 0; times < 3; ++times) {
    SCOPED_TRACE(times);
    const Walked wanted = walk(bodies, nullptr);
    ASSERT_GT(wanted.pairs.size(), 20U);
    const std::uint64_t before = sent_by(one), before_plain = sent_by(plain);
    EXPECT_EQ(walk(bodies, one.devices.get()), wanted);
    EXPECT_EQ(walk(bodies, plain.devices.get()), wanted);
    // Both trees, and then hardly anything; a device that knows no doubles is sent them each time.
    const std::uint64_t sent = sent_by(one) - before;
    EXPECT_EQ(sent >= trees, times == 0);
    EXPECT_TRUE(times == 0 || 10 * sent < trees) << sent;
    EXPECT_GT(4 * (sent_by(plain) - before_plain), trees);
    bodies.pose_b = Pose::make({0.7, 0.3, 0.1 + 0.05 * times, 0.1}, {0.6, 0.45, 0.1}).value();
  }
  // Words of another width are of the same tree.
  const std::uint64_t before = sent_by(one);
  EXPECT_EQ(walk(bodies, one.devices.get(), 35), walk(bodies, nullptr, 35));
  EXPECT_LT(4 * (sent_by(one) - before), trees);
  // Others come to lie where it was; those that are gone take no memory for ever.
  std::uint64_t largest = 0;
  for (int step = 0; step < 100; ++step) {
    SCOPED_TRACE(step);
    const std::uint64_t now = sent_by(one);
    bodies.b = Shape(scenes::sphere(0.8 + 0.001 * step, 14, 22));
    ASSERT_EQ(walk(bodies, one.devices.get()), walk(bodies, nullptr));
    largest = std::max(largest, sent_by(one) - now);
  }
  EXPECT_LT(largest, 3 * trees);  // not all that ever were
  EXPECT_TRUE(one.devices->warnings().empty());
  EXPECT_EQ(one.devices->usable(), 1U);
}

TEST(DeviceMemory, WhatDoesNotFitIsDividedAndThenTheProcessors) {
  const Bodies bodies;
  const Walked wanted = walk(bodies, nullptr);
  const Contacts wanted_contacts = touch(bodies, nullptr);
  ASSERT_GT(wanted_contacts.contacts.size(), 20U);
  std::size_t walked = 0, left = 0;
  for (const bool doubles : {true, false})
    for (std::uint64_t memory = std::uint64_t{1} << 11; memory <= std::uint64_t{1} << 27; memory *= 2)
      for (const std::uint64_t part : {1U, 3U}) {
        SCOPED_TRACE(memory);
        SCOPED_TRACE(part);
        const WatchedDevices device(
            test::fake_opencl({.memory_bytes = memory, .largest_buffer_bytes = memory / part, .doubles = doubles}),
            nullptr, 1);
        for (int times = 0; times < 2; ++times) {  // each in the memory that the other has filled
          const std::uint64_t before = device.set->times()[0].launches;
          EXPECT_EQ(walk(bodies, device.devices.get()), wanted);
          ASSERT_EQ(device.devices->usable(), 1U) << device.devices->warnings()[0];
          walked += device.set->times()[0].launches > before ? 1 : 0;
          const Contacts found = touch(bodies, device.devices.get());
          EXPECT_EQ(found.contacts, wanted_contacts.contacts);
          EXPECT_EQ(found.stats.standard_rays, wanted_contacts.stats.standard_rays);
          EXPECT_EQ(found.stats.predictive_rays, wanted_contacts.stats.predictive_rays);
          EXPECT_EQ(found.stats.redone_rays, 0U);
          left += found.stats.device_rays == 0 ? 1 : 0;
        }
        // Little memory is no fault of a device's: it is not taken out, and never asked for more than there is.
        ASSERT_EQ(device.devices->usable(), 1U) << device.devices->warnings()[0];
        EXPECT_LE(device.devices->warnings().size(), 1U);
      }
  EXPECT_GT(walked, 20U);
  EXPECT_GT(left, 8U);
  std::cout << "walked there " << walked << " times, rays left to the processor " << left << " times\n";
}

TEST(DeviceMemory, ManyRaysAreCastSomeAfterOthers) {
  // Room for both bodies, 40 bytes for each triangle, but not for all rays at once: 20 bytes each and 104 to be told.
  const Shape fine(scenes::sphere(0.8, 90, 120)), coarse(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Pose pose = Pose::make({0.7, 0.3, 0.1, 0.1}, {0.6, 0.4, 0.1}).value();
  Scratch scratch;
  const auto wanted = contacts(fine, pose, coarse, Pose(), scratch, {.complete = false}).value();
  const std::uint64_t body = 40 * fine.mesh().triangles().size();
  for (const std::uint64_t largest : {2 * body, body + 1000}) {
    SCOPED_TRACE(largest);
    const WatchedDevices device(test::fake_opencl({.largest_buffer_bytes = largest}), nullptr, 1);
    RayContactOptions options{.complete = false};
    options.device = Device::opencl, options.devices = device.devices.get();
    const auto found = contacts(fine, pose, coarse, Pose(), scratch, options).value();
    EXPECT_EQ(found.contacts, wanted.contacts);
    EXPECT_EQ(120 * found.stats.device_rays > largest, largest < 2 * body) << found.stats.device_rays;
    EXPECT_EQ(found.stats.redone_rays, 0U);
    // Once, or half of them twice.
    EXPECT_EQ(device.set->times()[0].launches, largest < 2 * body ? 4U : 2U);
    EXPECT_TRUE(device.devices->warnings().empty());
  }
}

TEST(DeviceMemory, WhatDoesNotFitIntoOneDeviceIsOfferedToTheOthers) {
  const Bodies bodies;
  const Walked wanted = walk(bodies, nullptr);
  const Contacts wanted_contacts = touch(bodies, nullptr);
  const WatchedDevices two(test::fake_opencl({.largest_buffer_bytes = 3000, .other_pieces_buffer_bytes = 1 << 28}),
                           nullptr);
  for (int times = 0; times < 4; ++times) {  // whichever comes first
    EXPECT_EQ(walk(bodies, two.devices.get()), wanted);
    const Contacts found = touch(bodies, two.devices.get());
    EXPECT_EQ(found.contacts, wanted_contacts.contacts);
    EXPECT_EQ(found.stats.redone_rays, 0U);
  }
  const DeviceWork work = work_of(*two.devices);
  EXPECT_EQ(work.tree_pairs, 4U);
  EXPECT_GT(work.rays, 100U);
  EXPECT_EQ(work.redone, 0U);
  EXPECT_TRUE(two.devices->warnings().empty());
  EXPECT_EQ(two.devices->usable(), 2U);
}

TEST(DeviceMemory, DevicesThatKernelsDoNotSuitAreRefused) {
  const WatchedDevices towards_zero(test::fake_opencl({.rounds_to_nearest = false}), nullptr, 1);
  EXPECT_EQ(towards_zero.devices->usable(), 0U);
  EXPECT_NE(towards_zero.devices->list()[0].refused.find("nearest"), std::string::npos);
  const WatchedDevices narrow(test::fake_opencl({.group_items = 32}), nullptr, 1);
  EXPECT_NE(narrow.devices->list()[0].refused.find("64"), std::string::npos);
}

TEST(DeviceMemory, ContactsAreMadeThereWhereDoublesAreKnown) {
  const Bodies bodies;
  const Contacts wanted = touch(bodies, nullptr);
  for (const bool doubles : {true, false}) {
    const WatchedDevices two(test::fake_opencl({.doubles = doubles}), nullptr);
    EXPECT_EQ(two.devices->list()[0].doubles, doubles);
    const Contacts found = touch(bodies, two.devices.get());
    EXPECT_EQ(found.contacts, wanted.contacts);
    // But where a ray meets an edge.
    const std::uint64_t told = found.stats.hits + found.stats.predictions;
    EXPECT_GT(told, 20U);
    EXPECT_EQ(10 * found.stats.device_projections > 9 * told, doubles);
    EXPECT_EQ(found.stats.device_projections == 0, !doubles);
  }
}

TEST(DeviceMemory, RaysThatNoDeviceTookAreNoneOfTheirs) {
  const WatchedDevices device(test::fake_opencl({.memory_bytes = 4000, .largest_buffer_bytes = 4000}), nullptr, 1);
  const Bodies bodies;
  RayContactOptions options{.displacement_threshold = 0.05}, there = options;
  there.device = Device::opencl, there.devices = device.devices.get();
  auto here = ContactTracker::make(options).value(), tracker = ContactTracker::make(there).value();
  std::uint64_t walks = 0;
  for (int step = 0; step < 4; ++step) {
    SCOPED_TRACE(step);
    const Pose pose = Pose::make({0.7, 0.3, 0.1, 0.1}, {0.6, 0.4 + 1e-4 * step, 0.1}).value();
    const Contacts found = contacts(bodies.a, bodies.pose_a, bodies.b, pose, tracker);
    EXPECT_EQ(found.contacts, contacts(bodies.a, bodies.pose_a, bodies.b, pose, here).contacts);
    EXPECT_EQ(found.stats.device_rays, 0U);
    EXPECT_EQ(found.stats.redone_rays, 0U);
    walks += found.stats.iterative_rays;
  }
  EXPECT_GT(walks, 50U);
  EXPECT_EQ(device.set->times()[0].launches, 0U);
  EXPECT_EQ(work_of(*device.devices).rays, 0U);
  EXPECT_EQ(work_of(*device.devices).redone, 0U);
  EXPECT_EQ(device.devices->warnings().size(), 1U);
}

/// One call fails, by its number.
class FailOnce final : public device::OpenClWatcher {
 public:
  explicit FailOnce(std::size_t number) noexcept : number_(number) {}
  cl_int before(const char*) override { return count++ == number_ ? CL_OUT_OF_RESOURCES : CL_SUCCESS; }
  std::atomic<std::size_t> count = 0;

 private:
  std::size_t number_;
};

TEST(DeviceMemory, AWalkIsSharedByAllDevices) {
  const Bodies bodies;
  const Walked wanted = walk(bodies, nullptr);
  for (const unsigned pieces : {2U, 3U, 5U})
    for (const std::size_t worth : {1U, 10U, 100U}) {
      SCOPED_TRACE(pieces);
      SCOPED_TRACE(worth);
      const WatchedDevices devices(test::fake_opencl({.units = pieces}), nullptr, pieces);
      devices.set->worth_sharing = worth;
      for (int times = 0; times < 3; ++times) EXPECT_EQ(walk(bodies, devices.devices.get()), wanted);
      for (const auto& times : devices.set->times()) EXPECT_TRUE(worth > 10 || times.launches > 5) << times.launches;
    }
}

TEST(DeviceMemory, WhateverFailsAWalkThatIsSharedIsWhole) {
  Bodies bodies;
  bodies.a = Shape(scenes::torus(1, 0.3, 9, 6)), bodies.b = Shape(scenes::sphere(0.8, 5, 7));
  const Walked wanted = walk(bodies, nullptr);
  ASSERT_GT(wanted.pairs.size(), 5U);
  const auto run = [&](FailOnce& watcher) {
    const WatchedDevices devices(test::fake_opencl(), &watcher);
    devices.set->worth_sharing = 10, devices.set->room = 1024;
    for (int times = 0; times < 2; ++times) EXPECT_EQ(walk(bodies, devices.devices.get()), wanted);
  };
  FailOnce none(SIZE_MAX);
  run(none);
  const std::size_t calls = none.count, step = std::max<std::size_t>(1, 100 / test::scaled(100));
  ASSERT_GT(calls, 100U);
  std::cout << calls << " calls\n";
  for (std::size_t i = 0; i < calls; i += step) {
    SCOPED_TRACE(i);
    FailOnce one(i);
    run(one);
  }
}

/// Memory runs out at a call, by its number.
class RunOut final : public device::OpenClWatcher {
 public:
  cl_int before(const char*) override {
    if (left > 0 && --left == 0) throw std::bad_alloc();
    return CL_SUCCESS;
  }
  std::atomic<int> left = 0;
};

TEST(DeviceMemory, AfterAStepThatThrewATrackerBeginsAnew) {
  const Bodies bodies;
  RunOut watcher;
  const WatchedDevices device(test::fake_opencl(), &watcher, 1);
  RayContactOptions options;
  options.device = Device::opencl, options.devices = device.devices.get();
  std::size_t thrown = 0;
  for (int at = 1; at < 40; at += 3) {
    SCOPED_TRACE(at);
    auto tracker = ContactTracker::make(options).value(), fresh = ContactTracker::make({}).value();
    const Pose far = Pose::make({0.7, 0.3, 0.1, 0.1}, {1.5, 0.4, 0.1}).value();
    (void)contacts(bodies.a, bodies.pose_a, bodies.b, far, tracker);
    watcher.left = at;
    try {
      (void)contacts(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, tracker);
    } catch (const std::bad_alloc&) {
      ++thrown;
      watcher.left = 0;
      const Contacts again = contacts(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, tracker);
      EXPECT_EQ(again.contacts, contacts(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, fresh).contacts);
    }
    watcher.left = 0;
  }
  EXPECT_GT(thrown, 3U);
}

TEST(DeviceMemory, OnlyTheRaysOfBodiesThatDoNotFitAreLeft) {
  const Bodies small;
  const Shape large(scenes::sphere(0.8, 90, 120));
  const WatchedDevices device(test::fake_opencl({.largest_buffer_bytes = 200000}), nullptr, 1);
  RayContactOptions options;
  options.device = Device::opencl, options.devices = device.devices.get();
  std::vector<ContactTracker> there, here;
  std::vector<Contacts> found(3), wanted(3);
  std::vector<TrackedPair> asked, expected;
  for (std::size_t i = 0; i < 3; ++i)
    there.push_back(ContactTracker::make(options).value()), here.push_back(ContactTracker::make({}).value());
  ContactBatch batch;
  for (int step = 0; step < 4; ++step) {
    SCOPED_TRACE(step);
    asked.clear(), expected.clear();
    const Pose pose = Pose::make({0.7, 0.3, 0.1, 0.1}, {0.6, 0.4 + 0.002 * step, 0.1}).value();
    for (std::size_t i = 0; i < 3; ++i) {
      const Shape* const b = i == 1 ? &large : &small.b;
      asked.push_back({&small.a, small.pose_a, b, pose, &there[i], &found[i]});
      expected.push_back({&small.a, small.pose_a, b, pose, &here[i], &wanted[i]});
    }
    batch.step(asked);
    for (TrackedPair& pair : expected) contacts(*pair.a, pair.pose_a, *pair.b, pair.pose_b, *pair.tracker, *pair.out);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(found[i].contacts, wanted[i].contacts);
      EXPECT_EQ(found[i].stats.walked, wanted[i].stats.walked);
      EXPECT_EQ(found[i].stats.device_projections > 0, i != 1);
    }
    EXPECT_EQ(found[1].stats.device_rays, 0U);
    EXPECT_EQ(found[1].stats.redone_rays, 0U);
    EXPECT_GT(found[0].stats.device_rays, 0U);
    EXPECT_EQ(found[0].stats.redone_rays, 0U);
  }
  EXPECT_EQ(device.devices->usable(), 1U);
  EXPECT_EQ(device.devices->warnings().size(), 1U);
}

}  // namespace
}  // namespace snug
