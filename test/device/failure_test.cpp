#include "scenes/solids.hpp"
#include "watched_devices.hpp"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <set>
#include <thread>

#include <unistd.h>

namespace snug {
namespace {

/// Has one call fail, by its number, or from it on; or only counts.
class FailAt final : public device::OpenClWatcher {
 public:
  FailAt(std::size_t number, bool and_all_after) noexcept : number_(number), all_(and_all_after) {}

  cl_int before(const char* call) override {
    const std::size_t now = count_++;
    const bool fails = all_ ? now >= number_ : now == number_;
    const std::lock_guard lock(mutex_);
    (fails ? failed : made).insert(call);
    return fails ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  std::set<std::string> made, failed;

 private:
  std::mutex mutex_;
  std::atomic<std::size_t> count_ = 0;
  std::size_t number_;
  bool all_;
};

struct Bodies {
  Shape a{scenes::box({-1, -1, -1}, {1, 1, 1})}, b{a};
  Pose pose_a, pose_b = Pose::make({0.9, 0.3, 0.2, 0.1}, {0.7, 0.6, 0.5}).value();
};

std::vector<TrianglePair> ask(const Bodies& bodies, const Devices* devices) {
  Scratch scratch;
  QueryOptions options{.method = Method::dop_fixed};
  options.device = devices != nullptr ? Device::opencl : Device::cpu;
  options.devices = devices;
  return triangle_pairs(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, scratch, options);
}

/// What a call's failure leaves behind, told in one place for all of them.
void expect_sound(const Bodies& bodies, const std::vector<TrianglePair>& wanted, FailAt& watcher, bool fake) {
  const test::WatchedDevices devices(fake ? test::fake_opencl() : test::load_opencl(), &watcher);
  EXPECT_EQ(ask(bodies, devices.devices.get()), wanted);
  EXPECT_TRUE(watcher.failed.empty() || ask(bodies, devices.devices.get()) == wanted);
  // A device that failed is taken out once, with one warning, and stays in the list with the reason.
  std::size_t taken_out = 0;
  for (const DeviceInfo& info : devices.devices->list()) taken_out += info.refused.starts_with("taken out") ? 1 : 0;
  EXPECT_EQ(devices.devices->warnings().size(), taken_out);
  EXPECT_EQ(devices.devices->list().empty(), !devices.devices->why_none().empty());
}

/// Has every call fail in turn, or as many of them as the scale allows, spread over the run.
void fail_each(bool fake, std::size_t step) {
  const Bodies bodies;
  const auto wanted = ask(bodies, nullptr);
  ASSERT_GT(wanted.size(), 5U);
  FailAt none(SIZE_MAX, false);
  expect_sound(bodies, wanted, none, fake);
  ASSERT_GT(none.count(), 50U);
  std::cout << none.count() << " calls\n";
  step *= std::max<std::size_t>(1, 100 / test::scaled(100));
  std::set<std::string> failed;
  for (std::size_t i = 0; i < none.count(); i += step) {
    SCOPED_TRACE(i);
    FailAt one(i, false);
    expect_sound(bodies, wanted, one, fake);
    failed.merge(one.failed);
  }
  for (const std::string& call : none.made)
    EXPECT_TRUE(step > 1 || failed.contains(call)) << call << " was never made to fail";
}

TEST(DeviceFailures, EveryCallMayFailOnce) { fail_each(true, 1); }
TEST(DeviceFailures, CallsOfARuntimeMayFailOnce) {
  SNUG_NEED_OPENCL();
  fail_each(false, 12);  // where opening devices takes a while
}

TEST(DeviceFailures, OnceAllCallsFailTheProcessorDoesIt) {
  SNUG_NEED_OPENCL();
  const Bodies bodies;
  const auto wanted = ask(bodies, nullptr);
  for (const bool fake : {true, false}) {
    FailAt none(SIZE_MAX, false);
    expect_sound(bodies, wanted, none, fake);
    const std::size_t step = std::max<std::size_t>(1, none.count() / test::scaled(fake ? 200 : 20));
    for (std::size_t i = 0; i < none.count(); i += step) {
      SCOPED_TRACE(i);
      FailAt rest(i, true);
      expect_sound(bodies, wanted, rest, fake);
    }
  }
}

/// Lets commands seem to be under way for ever, from the first or from a later one on.
class Stall final : public device::OpenClWatcher {
 public:
  explicit Stall(std::size_t from) noexcept : from_(from) {}
  cl_int before(const char*) override { return CL_SUCCESS; }
  bool stalled() override { return looks_++ >= from_; }

 private:
  std::atomic<std::size_t> looks_ = 0;
  std::size_t from_;
};

TEST(DeviceFailures, DevicesThatHangAreTakenOut) {
  SNUG_NEED_OPENCL();
  const Bodies bodies;
  const auto wanted = ask(bodies, nullptr);
  for (const std::size_t from : {0U, 5U, 40U}) {
    SCOPED_TRACE(from);
    Stall stall(from);
    const test::WatchedDevices devices(&stall, test::k_pieces, 0.01);
    for (int times = 0; times < 3; ++times) EXPECT_EQ(ask(bodies, devices.devices.get()), wanted);
    EXPECT_EQ(devices.devices->usable(), 0U);
    ASSERT_EQ(devices.devices->warnings().size(), devices.devices->list().size());
    for (const std::string& warning : devices.devices->warnings())
      EXPECT_NE(warning.find("did not"), std::string::npos) << warning;
  }
}

/// Programs found and built by all devices of a set.
std::pair<std::uint64_t, std::uint64_t> programs_of(const device::OpenClSet& set) {
  std::pair<std::uint64_t, std::uint64_t> sum;
  for (const auto& times : set.times()) sum.first += times.programs_found, sum.second += times.programs_built;
  return sum;
}

TEST(DevicePrograms, AreKeptOnDiskAndBrokenOnesIgnored) {
  SNUG_NEED_OPENCL();
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("snug-programs-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  const Bodies bodies;
  const auto wanted = ask(bodies, nullptr);
  using Count = std::pair<std::uint64_t, std::uint64_t>;
  const auto open_and_ask = [&](device::OpenClWatcher* watcher, const fs::path& where) {
    const test::WatchedDevices devices(watcher, 1, test::k_patience, where);
    EXPECT_EQ(ask(bodies, devices.devices.get()), wanted);
    EXPECT_EQ(devices.devices->usable(), devices.devices->list().size());
    return programs_of(*devices.set);
  };
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(0, 1));
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(1, 0));
  EXPECT_EQ(open_and_ask(nullptr, {}), Count(0, 1));
  // Cut off, overwritten, empty, or a program that no device knows: compiled anew, and kept again.
  const auto each_file = [&](const auto& spoil) {
    std::size_t spoiled = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.file_size() > 100) spoil(entry.path()), ++spoiled;
    EXPECT_GT(spoiled, 0U);
  };
  each_file([](const fs::path& p) { fs::resize_file(p, fs::file_size(p) / 2); });
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(0, 1));
  each_file([](const fs::path& p) {
    std::fstream file(p, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(fs::file_size(p) - 50));
    file.write("xxxx", 4);
  });
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(0, 1));
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(1, 0));
  // A runtime that does not take it, or does not give it away, harms nobody.
  class Refuse final : public device::OpenClWatcher {
   public:
    explicit Refuse(std::string call) : call_(std::move(call)) {}
    cl_int before(const char* call) override { return call == call_ ? CL_INVALID_BINARY : CL_SUCCESS; }

   private:
    std::string call_;
  };
  Refuse foreign("clCreateProgramWithBinary"), silent("clGetProgramInfo");
  EXPECT_EQ(open_and_ask(&foreign, folder), Count(0, 1));
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(1, 0));
  fs::remove_all(folder);
  EXPECT_EQ(open_and_ask(&silent, folder), Count(0, 1));
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(0, 1));
  // Many at once.
  fs::remove_all(folder);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { (void)open_and_ask(nullptr, folder); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(open_and_ask(nullptr, folder), Count(1, 0));
  fs::remove_all(folder);
}

/// Never comes back from one kind of call.
class Swallow final : public device::OpenClWatcher {
 public:
  explicit Swallow(std::string call) : call_(std::move(call)) {}
  cl_int before(const char* call) override {
    if (call != call_) return CL_SUCCESS;
    std::unique_lock lock(mutex_);
    never_.wait(lock, [] { return false; });
    return CL_SUCCESS;
  }

 private:
  std::string call_;
  std::mutex mutex_;
  std::condition_variable never_;
};

TEST(DeviceFailures, CallsThatNeverReturnAreGivenUp) {
  SNUG_NEED_OPENCL();
  const Bodies bodies;
  const auto wanted = ask(bodies, nullptr);
  for (const char* const call : {"clCreateContext", "clBuildProgram", "clCreateBuffer", "clEnqueueWriteBuffer",
                                 "clEnqueueNDRangeKernel", "clFlush"}) {
    SCOPED_TRACE(call);
    auto* const swallow = new Swallow(call);  // threads stay in it
    const test::WatchedDevices devices(swallow, test::k_pieces, 0.1);
    for (int times = 0; times < 2; ++times) EXPECT_EQ(ask(bodies, devices.devices.get()), wanted);
    const auto warnings = devices.devices->warnings();
    ASSERT_FALSE(warnings.empty());
    EXPECT_NE(warnings[0].find("did not return within"), std::string::npos) << warnings[0];
  }
  // Nor need the runtime ever tell what devices it has.
  auto* const swallow = new Swallow("clGetPlatformIDs");
  const test::WatchedDevices devices(swallow, test::k_pieces, 0.1);
  EXPECT_EQ(devices.devices->usable(), 0U);
  EXPECT_NE(devices.devices->why_none().find("did not tell"), std::string::npos) << devices.devices->why_none();
  EXPECT_EQ(ask(bodies, devices.devices.get()), wanted);
}

/// Runs out of memory at a call, once.
class Exhaust final : public device::OpenClWatcher {
 public:
  Exhaust(const char* call, int number) : call_(call), number_(number) {}
  cl_int before(const char* call) override {
    if (call == call_ && ++count_ == number_) throw std::bad_alloc();
    return CL_SUCCESS;
  }

 private:
  std::string call_;
  std::atomic<int> count_ = 0;
  int number_;
};

TEST(DeviceFailures, AfterAnExceptionDevicesAnswerAsBefore) {
  const Bodies bodies;
  const auto wanted = ask(bodies, nullptr);
  Scratch scratch;
  const auto contacts_of = [&](const Devices* devices) {
    RayContactOptions options{.complete = false};
    options.device = devices != nullptr ? Device::opencl : Device::cpu, options.devices = devices;
    return contacts(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, scratch, options).value().contacts;
  };
  const auto wanted_contacts = contacts_of(nullptr);
  ASSERT_FALSE(wanted_contacts.empty());
  for (const char* const call : {"clCreateBuffer", "clEnqueueWriteBuffer", "clEnqueueNDRangeKernel"})
    for (const int number : {1, 2, 4}) {
      SCOPED_TRACE(call);
      SCOPED_TRACE(number);
      Exhaust rays(call, number), walk(call, number);
      const test::WatchedDevices for_rays(test::fake_opencl(), &rays, 1), for_walk(test::fake_opencl(), &walk, 1);
      int thrown = 0;
      for (int times = 0; times < 5; ++times) {
        try {
          EXPECT_EQ(contacts_of(for_rays.devices.get()), wanted_contacts);
        } catch (const std::bad_alloc&) {
          ++thrown;
        }
        try {
          EXPECT_EQ(ask(bodies, for_walk.devices.get()), wanted);
        } catch (const std::bad_alloc&) {
          ++thrown;
        }
      }
      EXPECT_TRUE(number > 1 || thrown == 2) << thrown;
      EXPECT_LE(thrown, 2);
      EXPECT_EQ(contacts_of(for_rays.devices.get()), wanted_contacts);
      EXPECT_EQ(ask(bodies, for_walk.devices.get()), wanted);
    }
}

TEST(DeviceFailures, WithoutARuntimeThereAreNone) {
  const Devices devices = Devices::open({.library = "libsnug-there-is-no-such-runtime.so"});
  EXPECT_EQ(devices.usable(), 0U);
  EXPECT_NE(devices.why_none().find("no-such-runtime"), std::string::npos) << devices.why_none();
  const Bodies bodies;
  EXPECT_EQ(ask(bodies, &devices), ask(bodies, nullptr));
  Scratch scratch;
  RayContactOptions device;
  device.device = Device::opencl, device.devices = &devices;
  const auto found = contacts(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, scratch, device).value();
  EXPECT_EQ(found.contacts, contacts(bodies.a, bodies.pose_a, bodies.b, bodies.pose_b, scratch).value().contacts);
  EXPECT_EQ(found.stats.device_rays, 0U);
  const Devices other = Devices::open({.library = "libm.so.6"});
  EXPECT_NE(other.why_none().find("clGetPlatformIDs"), std::string::npos) << other.why_none();
}

}  // namespace
}  // namespace snug
