// Many pairs at once: how they are divided, what is moved, and that whatever call fails leaves the answers as they are.

#include "odd_bodies.hpp"
#include "watched_devices.hpp"

#include <atomic>
#include <iostream>
#include <set>

namespace snug {
namespace {

using test::WatchedDevices;

/// Pairs that hardly move, more of them now and then.
class Crowd {
 public:
  explicit Crowd(const Devices& devices) {
    RayContactOptions options{.displacement_threshold = 0.05, .device = Device::opencl};
    options.devices = &devices;
    for (std::size_t i = 0; i < k_most; ++i) trackers_.push_back(ContactTracker::make(options).value());
  }
  void step(std::size_t pairs, int at) {
    std::vector<TrackedPair> asked;
    for (std::size_t i = 0; i < pairs; ++i) {
      const Vec3 place{0.5, 0.2 + 1e-6 * at + 0.001 * static_cast<double>(i), 0.3};
      asked.push_back({&a_, Pose(), &b_, Pose::make({0.9, 0.1, 0.3, 0.2}, place).value(), &trackers_[i], &found_[i]});
    }
    batch.step(asked);
  }
  ContactBatch batch;

 private:
  static constexpr std::size_t k_most = 32;
  Shape a_{scenes::torus(1, 0.3, 30, 16)}, b_{scenes::sphere(0.8, 14, 22)};
  std::vector<ContactTracker> trackers_;
  std::vector<Contacts> found_{k_most};
};

/// Of a step, by device.
template <class Step>
std::vector<device::Worker::Times> spent(const WatchedDevices& devices, Step&& step) {
  const auto before = devices.set->times();
  step();
  auto after = devices.set->times();
  for (std::size_t d = 0; d < after.size(); ++d) {
    after[d].transfers -= before[d].transfers, after[d].launches -= before[d].launches;
    after[d].bytes_to_device -= before[d].bytes_to_device;
  }
  return after;
}

TEST(DeviceBatches, PairsThatComeWhileOthersRestAreDividedEvenly) {
  const WatchedDevices two(test::fake_opencl(), nullptr);
  Crowd crowd(*two.devices);
  std::size_t pairs = 8;
  for (int step = 0; step < 12; ++step) {
    SCOPED_TRACE(step);
    const bool come = step == 4 || step == 8;
    if (come) pairs += 12;
    const auto times = spent(two, [&] { crowd.step(pairs, step); });
    ASSERT_EQ(times.size(), 2U);
    const auto [less, more] = std::minmax(times[0].bytes_to_device, times[1].bytes_to_device);
    EXPECT_GT(10 * less, 7 * more) << less << ' ' << more;
  }
  EXPECT_EQ(crowd.batch.moved(), 0U);
}

/// One transfer each way, and as many launches as there are kernels, wherever nothing is new.
TEST(DeviceBatches, AWarmStepIsOneTransferEachWay) {
  const WatchedDevices two(test::fake_opencl(), nullptr);
  Crowd crowd(*two.devices);
  for (int step = 0; step < 6; ++step) {
    SCOPED_TRACE(step);
    const auto times = spent(two, [&] { crowd.step(16, step); });
    for (const auto& of_device : times) {
      // At first both bodies as well, in eight pieces; and what is told is more than was expected.
      EXPECT_EQ(of_device.transfers, step == 0 ? 11U : 2U);
      EXPECT_EQ(of_device.launches, 2U);
    }
  }
}

/// A call fails by its number, or memory runs out there; or calls are only counted.
class BreakAt final : public device::OpenClWatcher {
 public:
  enum class How : std::uint8_t { fails, throws };
  BreakAt(std::size_t number, How how) noexcept : number_(number), how_(how) {}
  cl_int before(const char* call) override {
    if (!on || count++ != number_) return CL_SUCCESS;
    broken = call;
    if (how_ == How::throws) throw std::bad_alloc();
    return CL_OUT_OF_RESOURCES;
  }
  std::atomic<bool> on = false;  ///< devices are listed before
  std::atomic<std::size_t> count = 0;
  std::string broken;

 private:
  std::size_t number_;
  How how_;
};

/// Some steps of all that devices do: rays and walks of four pairs, a sheet with rims and a body that deforms among them; and
/// walks through DOP-trees, in narrow words and wide ones.
class Everything {
 public:
  explicit Everything(RayContactOptions::Traversal traversal) : traversal_(traversal) {
    MeshInput in;
    for (std::uint32_t i = 0; i < 9; ++i) in.vertices.push_back({i % 3 - 1.0, i / 3 - 1.0, 0.1});
    for (const std::uint32_t a : {0U, 1U, 3U, 4U})
      in.triangles.insert(in.triangles.end(), {Index3{a, a + 1, a + 3}, Index3{a + 1, a + 4, a + 3}});
    sheet_ = Shape(Mesh::build(in).value());
  }
  struct Answers {
    std::vector<std::vector<Contact>> contacts;
    std::vector<ContactStats> counted;
    std::vector<std::vector<TrianglePair>> pairs;
    std::size_t thrown = 0;
  };
  [[nodiscard]] Answers run(const Devices* devices) const {
    Answers all;
    RayContactOptions options{.traversal = traversal_, .displacement_threshold = 0.05};
    if (devices != nullptr) options.device = Device::opencl, options.devices = devices;
    std::vector<ContactTracker> trackers;
    for (int i = 0; i < 4; ++i) trackers.push_back(ContactTracker::make(options).value());
    ContactBatch batch;
    for (int step = 0; step < 4; ++step) {
      const Shape a = step > 1 ? wider(step) : ring_;
      const Pose pose = Pose::make({0.9, 0.1, 0.3, 0.2 + 0.001 * step}, {0.5, 0.2 + 0.004 * step, 0.3}).value();
      std::vector<Contacts> found(4);
      const Shape* const of[4][2] = {{&a, &ball_}, {&ball_, &box_}, {&a, &box_}, {&sheet_, &ball_}};
      std::vector<TrackedPair> pairs;
      for (std::size_t i = 0; i < 4; ++i) pairs.push_back({of[i][0], Pose(), of[i][1], pose, &trackers[i], &found[i]});
      again(all, [&] { batch.step(pairs); });
      for (const Contacts& one : found)
        all.contacts.push_back(one.contacts), all.counted.push_back(test::counted_anywhere(one.stats));
      if (step % 2 == 0) again(all, [&] { all.pairs.push_back(walk(a, pose, step == 0 ? 17 : 34, devices)); });
    }
    return all;
  }

 private:
  template <class Do>
  static void again(Answers& all, Do&& work) {
    for (int tries = 0;; ++tries) try {
        work();
        return;
      } catch (const std::bad_alloc&) {
        ++all.thrown;
        if (tries > 2) throw;
      }
  }
  [[nodiscard]] Shape wider(int step) const {
    std::vector<Point3> vertices(ring_.mesh().vertices().begin(), ring_.mesh().vertices().end());
    for (Point3& p : vertices) p.x *= 1 + 0.001 * step;
    return ring_.updated(vertices).value();
  }
  [[nodiscard]] std::vector<TrianglePair> walk(const Shape& a, const Pose& pose, unsigned bits,
                                               const Devices* devices) const {
    QueryOptions options{.method = Method::dop_fixed};
    options.dop = {.coefficient_bits = bits, .mapping_bits = bits, .offset_bits = bits};
    if (devices != nullptr) options.device = Device::opencl, options.devices = devices;
    Scratch scratch;
    return triangle_pairs(a, Pose(), ball_, pose, scratch, options);
  }

  RayContactOptions::Traversal traversal_;
  Shape ring_{scenes::torus(1, 0.3, 9, 6)}, ball_{scenes::sphere(0.8, 5, 7)},
      box_{scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})}, sheet_{box_};
};

/// On devices with much memory, and with so little that some of it is shed again and again; with doubles and without.
struct Kind {
  RayContactOptions::Traversal traversal;
  bool doubles;
  std::uint64_t memory;
  BreakAt::How how;
};

TEST(DeviceBatches, WhateverCallBreaksAnswersAreTheSame) {
  using enum RayContactOptions::Traversal;
  using How = BreakAt::How;
  constexpr std::uint64_t k_plenty = std::uint64_t{1} << 30, k_little = 40000;
  for (const auto& [traversal, doubles, memory, how] :
       {Kind{tree, true, k_plenty, How::fails}, Kind{basic, false, k_little, How::fails},
        Kind{tree, true, k_little, How::throws}, Kind{tree, false, k_plenty, How::throws}}) {
    const Everything everything(traversal);
    const auto wanted = everything.run(nullptr);
    std::set<std::string> broken;
    const auto run = [&, doubles, memory](BreakAt& watcher) {
      const WatchedDevices devices(
          test::fake_opencl({.memory_bytes = memory, .largest_buffer_bytes = memory / 2, .doubles = doubles}),
          &watcher);
      devices.set->worth_sharing = 10, devices.set->room = 1024;
      watcher.on = true;
      const auto found = everything.run(devices.devices.get());
      watcher.on = false;
      EXPECT_EQ(found.pairs, wanted.pairs);
      // A step that threw begins anew, with rays through all bodies.
      if (found.thrown == 0) {
        EXPECT_EQ(found.contacts, wanted.contacts);
        EXPECT_EQ(found.counted, wanted.counted);
      }
      std::size_t taken_out = 0, said = 0;
      for (const DeviceInfo& info : devices.devices->list()) taken_out += info.refused.starts_with("taken out") ? 1 : 0;
      for (const std::string& warning : devices.devices->warnings())
        said += warning.find("does not fit") == std::string::npos ? 1 : 0;
      EXPECT_EQ(said, taken_out);
      EXPECT_EQ(taken_out, watcher.broken.empty() || found.thrown > 0 ? 0U : 1U) << watcher.broken;
      broken.insert(watcher.broken);
      return work_of(*devices.devices).rays;
    };
    BreakAt none(SIZE_MAX, how);
    EXPECT_GT(run(none), 100U);
    // All of them in long runs, otherwise some of each kind.
    const std::size_t calls = none.count, each = (6000 / test::scaled(1500)) | 1;
    std::cout << calls << " calls\n";
    for (std::size_t i = 0; i < calls; i += each) {
      SCOPED_TRACE(i);
      BreakAt one(i, how);
      run(one);
    }
    for (const char* const call : {"clEnqueueNDRangeKernel", "clEnqueueWriteBuffer", "clEnqueueReadBuffer"})
      EXPECT_TRUE(each > 1 || broken.contains(call)) << call;
    EXPECT_TRUE(each > 1 || (broken.contains("clCreateContext") && broken.contains("clCreateCommandQueue")));
  }
}

}  // namespace
}  // namespace snug
