#include "device/opencl_set.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <new>
#include <system_error>
#include <thread>

namespace snug::device {

namespace {

/// Never frees it, but knows where it is.
void leave_alone(std::unique_ptr<Worker> worker) noexcept {
  SNUG_ASSERT(worker != nullptr && worker->hung());
  static constinit std::atomic<Worker*> last = nullptr;
  Worker* const left = worker.release();
  left->left_before = last.exchange(left);
}

/// discover() with a limit: a runtime that does not come back is left alone.
FoundDevices discover_within(double seconds, const std::shared_ptr<const OpenCl>& cl, unsigned pieces) {
  std::packaged_task<FoundDevices()> task([cl, pieces] { return discover(*cl, pieces); });
  auto found = task.get_future();
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error&) {
    return discover(*cl, pieces);
  }
  if (found.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready) return found.get();
  return {{}, "the OpenCL runtime did not tell its devices within " + seconds_text(seconds)};
}

}  // namespace

OpenClSet::OpenClSet(const std::shared_ptr<const OpenCl>& cl, const DeviceOptions& options,
                     const std::filesystem::path& programs) {
  const auto compiled = std::make_shared<const ProgramCache>(programs);
  const double seconds = options.seconds > 0 ? std::min(options.seconds, 1e6) : DeviceOptions{}.seconds;
  look_every_ = std::chrono::duration<double>(std::clamp(seconds / 8, 1e-3, 0.25));
  FoundDevices found = discover_within(seconds, cl, options.pieces);
  why_none_ = std::move(found.why_none);
  for (FoundDevice& device : found.devices) {
    auto member = std::make_unique<Member>();
    const auto& only = options.only;
    if (device.info.refused.empty() && !only.empty() && std::ranges::find(only, members_.size()) == only.end())
      device.info.refused = "not chosen";
    member->info = device.info;
    if (device.info.refused.empty())
      member->worker = std::make_unique<Worker>(cl, std::move(device), seconds, compiled);
    members_.push_back(std::move(member));
  }
  warnings_.reserve(members_.size() + 1);
}

OpenClSet::~OpenClSet() = default;

std::vector<DeviceInfo> OpenClSet::list() const {
  const std::lock_guard lock(state_);
  std::vector<DeviceInfo> all;
  all.reserve(members_.size());
  for (const auto& member : members_) all.push_back(member->info);
  return all;
}

std::vector<std::string> OpenClSet::warnings() const {
  const std::lock_guard lock(state_);
  return warnings_;
}

std::vector<OpenClSet::Member*> OpenClSet::working() const {
  const std::lock_guard lock(state_);
  std::vector<Member*> all;
  for (const auto& member : members_)
    if (member->info.refused.empty() && all.size() < most_devices) all.push_back(member.get());
  return all;
}

std::vector<std::uint32_t> OpenClSet::in_use() const {
  const std::lock_guard lock(state_);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < members_.size(); ++i)
    if (members_[i]->info.refused.empty() && places.size() < most_devices) places.push_back(i);
  return places;
}

void OpenClSet::take_out(Member& member) noexcept {
  const std::lock_guard lock(state_);
  if (!member.info.refused.empty()) return;
  SNUG_ASSERT(member.worker != nullptr);
  try {
    std::string warning =
        "OpenCL device " + member.info.name + " was taken out, its work is done elsewhere: " + member.worker->failure();
    member.info.refused = "taken out: " + member.worker->failure();
    warnings_.push_back(std::move(warning));
  } catch (const std::bad_alloc&) {
    // Words short enough to need no memory, in a place that is there.
    member.info.refused = "taken out";
    warnings_.emplace_back("a device failed");
  }
  // What hangs may still write to its memory one day.
  if (member.worker->hung()) leave_alone(std::move(member.worker));
}

void OpenClSet::warn_once(const std::string& warning) {
  const std::lock_guard lock(state_);
  if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
}

std::vector<Worker::Times> OpenClSet::times() const {
  std::vector<Worker::Times> all;
  for (Member* const member : working()) {
    member->turn.wait();
    all.push_back(member->worker != nullptr ? member->worker->times() : Worker::Times{});
    member->turn.end();
  }
  return all;
}

}  // namespace snug::device

namespace snug {

// Declared by the room that asks for it.
std::shared_ptr<query::DeviceSet> query::open_device_set(const DeviceOptions& options) {
  using namespace device;
  auto cl = OpenCl::load(options.library.empty() ? opencl_library() : options.library);
  if (!cl) return no_devices(cl.error());
  return std::make_shared<OpenClSet>(*cl, options, program_cache_folder());
}

}  // namespace snug
