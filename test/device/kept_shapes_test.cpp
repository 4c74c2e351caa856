// Shapes stay in the memory of a device for as long as there is room, and what does not fit drives nobody out.

#include "device/fake_opencl.hpp"
#include "device/watched_devices.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace snug {
namespace {

using test::WatchedDevices;

std::uint64_t sent_to(const WatchedDevices& devices) { return devices.set->times()[0].bytes_to_device; }

/// Bodies that are alike and each a shape of its own.
std::vector<Shape> tori(std::size_t count) {
  std::vector<Shape> all;
  for (std::size_t i = 0; i < count; ++i)
    all.emplace_back(scenes::torus(1, 0.3 + 1e-4 * static_cast<double>(i), 20, 10));
  return all;
}

/// By rays, or by trees.
enum class Kind : std::uint8_t { rays, trees };

/// Asks a device about two bodies, and holds the answer to the processor's; how many bytes were sent.
std::uint64_t ask(Kind kind, const Shape& a, const Shape& b, const WatchedDevices& there) {
  const Pose pose = Pose::make({0.9, 0.1, 0.3, 0.2}, {0.5, 0.2, 0.3}).value();
  Scratch scratch;
  const std::uint64_t before = sent_to(there);
  if (kind == Kind::rays) {
    RayContactOptions options{.complete = false}, plain = options;
    options.device = Device::opencl, options.devices = there.devices.get();
    const Contacts found = contacts(a, {}, b, pose, scratch, options).value();
    EXPECT_EQ(found.contacts, contacts(a, {}, b, pose, scratch, plain).value().contacts);
    EXPECT_GT(found.stats.device_rays, 0U);
  } else {
    QueryOptions options{.method = Method::dop_fixed}, plain = options;
    options.device = Device::opencl, options.devices = there.devices.get();
    EXPECT_EQ(triangle_pairs(a, {}, b, pose, scratch, options), triangle_pairs(a, {}, b, pose, scratch, plain));
  }
  return sent_to(there) - before;
}

class KeptShapes : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(EveryKind, KeptShapes, testing::Values(Kind::rays, Kind::trees));

TEST_P(KeptShapes, StayHoweverRarelyTheyAreAskedForWhileThereIsRoom) {
  const std::vector<Shape> all = tori(120);
  const WatchedDevices one(test::fake_opencl(), nullptr, 1);
  std::uint64_t first = 0, largest = 0;
  for (int round = 0; round < 3; ++round)
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const std::uint64_t sent = ask(GetParam(), all[i], all[i + 1], one);
      if (round == 0)
        first += sent;
      else
        largest = std::max(largest, sent);
    }
  const std::uint64_t body = ask(GetParam(), tori(1)[0], all[0], one);
  EXPECT_LT(10 * largest, body) << "something was sent again";
  EXPECT_LT(first, 5 * all.size() * body);  // each some times while memory grows, by half or more at a time
}

TEST_P(KeptShapes, GoByHowLongTheyWereNotAskedForWhereThereIsNoRoom) {
  // Two bodies are asked for at every fourth call; of the others, in turn, only some fit.
  const std::vector<Shape> all = tori(60);
  const WatchedDevices plenty(test::fake_opencl(), nullptr, 1);
  (void)ask(GetParam(), all[0], all[1], plenty);
  const std::uint64_t hardly = ask(GetParam(), all[0], all[1], plenty);
  const std::uint64_t body =
      ask(GetParam(), all[0], all[2], plenty) / 3;  // no more, whether all three were sent or one
  const std::uint64_t queues = GetParam() == Kind::trees ? std::uint64_t{1} << 26 : 0;
  const std::uint64_t memory = 60 * body + queues;
  const WatchedDevices one(test::fake_opencl({.memory_bytes = memory, .largest_buffer_bytes = memory}), nullptr, 1);
  std::uint64_t often = 0, seldom = 0;
  for (int round = 0; round < 4; ++round)
    for (std::size_t i = 2; i + 1 < all.size(); ++i) {
      seldom += ask(GetParam(), all[i], all[i + 1], one) > 2 * hardly ? 1 : 0;
      if (i % 3 == 0) often += ask(GetParam(), all[0], all[1], one) > 2 * hardly ? 1 : 0;
    }
  EXPECT_LE(often, 1U) << "those asked for often were dropped";
  EXPECT_GT(seldom, 100U) << "all fit: nothing was tested";
  EXPECT_TRUE(one.devices->warnings().empty());
  EXPECT_EQ(one.devices->usable(), 1U);
}

TEST(KeptShapesOfABatch, AreNotSentAgainForAPairThatNeverFits) {
  const Shape a(scenes::torus(1, 0.3, 30, 16)), b(scenes::sphere(0.8, 14, 22)), large(scenes::sphere(0.8, 90, 120));
  const WatchedDevices one(test::fake_opencl({.largest_buffer_bytes = 200000}), nullptr, 1),
      other(test::fake_opencl({.largest_buffer_bytes = 200000}), nullptr, 1);
  const auto steps_of = [&](const WatchedDevices& devices, bool with_large) {
    RayContactOptions options{.displacement_threshold = 0.05};
    options.device = Device::opencl, options.devices = devices.devices.get();
    std::vector<ContactTracker> trackers;
    std::vector<Contacts> found(9);
    for (int i = 0; i < 9; ++i) trackers.push_back(ContactTracker::make(options).value());
    ContactBatch batch;
    std::vector<std::uint64_t> sent;
    for (int step = 0; step < 5; ++step) {
      std::vector<TrackedPair> pairs;
      for (std::size_t i = 0; i < (with_large ? 9U : 8U); ++i)
        pairs.push_back(
            {&a,
             {},
             i == 8 ? &large : &b,
             Pose::make({0.9, 0.1, 0.3, 0.2}, {0.5, 0.2 + 1e-6 * step + 1e-3 * static_cast<double>(i), 0.3}).value(),
             &trackers[i],
             &found[i]});
      const std::uint64_t before = sent_to(devices);
      batch.step(pairs);
      sent.push_back(sent_to(devices) - before);
    }
    return sent;
  };
  const auto with = steps_of(one, true), without = steps_of(other, false);
  EXPECT_GT(without[0], 4 * without[1]);
  // The same rays in more transfers, which have heads.
  for (std::size_t step = 0; step < with.size(); ++step) EXPECT_LT(with[step], without[step] + without[1]) << step;
}

}  // namespace
}  // namespace snug
