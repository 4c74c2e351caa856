#pragma once

#include "device/opencl_set.hpp"
#include "fake_opencl.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace snug::test {

/// Two devices in one machine: the first CPU device in two pieces, or however many there are.
inline constexpr unsigned k_pieces = 2;

/// Sanitizers do not see into runtimes and their kernels: there tests have a runtime of their own, with kernels compiled as C++.
#ifdef SNUG_FAKE_OPENCL
inline constexpr bool k_fake = true;
#else
inline constexpr bool k_fake = false;
#endif

inline std::shared_ptr<device::OpenCl> load_opencl() {
  if (k_fake) return fake_opencl();
  auto cl = device::OpenCl::load(device::opencl_library());
  return cl ? *cl : nullptr;
}

/// Plenty: a busy machine must not look like a device that hangs.
inline constexpr double k_patience = 600;

/// Devices behind a watcher of the test's own. `keep` gives access to what queries do not see.
struct WatchedDevices {
  explicit WatchedDevices(device::OpenClWatcher* watcher, unsigned pieces = k_pieces, double seconds = k_patience,
                          const std::filesystem::path& programs = {})
      : WatchedDevices(load_opencl(), watcher, pieces, seconds, programs) {}
  WatchedDevices(const std::shared_ptr<device::OpenCl>& cl, device::OpenClWatcher* watcher, unsigned pieces = k_pieces,
                 double seconds = k_patience, const std::filesystem::path& programs = {}) {
    cl->watcher = watcher;
    set = std::make_shared<device::OpenClSet>(cl, DeviceOptions{.pieces = pieces, .seconds = seconds}, programs);
    devices = std::make_unique<Devices>(detail::DeviceAccess::make(set));
  }
  std::shared_ptr<device::OpenClSet> set;
  std::unique_ptr<Devices> devices;
};

/// Where CI has a runtime, its absence is an error; elsewhere such tests are left out aloud.
#define SNUG_NEED_OPENCL()                                                       \
  if (const Devices all = Devices::open(); !test::k_fake && all.usable() == 0) { \
    ASSERT_EQ(std::getenv("SNUG_NEED_OPENCL"), nullptr) << all.why_none();       \
    GTEST_SKIP() << all.why_none();                                              \
  }                                                                              \
  static_assert(true)

}  // namespace snug::test
