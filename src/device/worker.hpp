#pragma once

#include "device/discover.hpp"
#include "device/kernel_source.hpp"
#include "device/program_cache.hpp"
#include "support/rooms.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace snug::device {

/// "30 s", "0.5 s".
[[nodiscard]] std::string seconds_text(double seconds);

/// One opened device: its queue, its programs, its memory. Calls after one that failed do nothing, so that a sequence of them
/// is looked at once, at its end. One thread at a time.
class Worker {
 public:
  /// What the memory of a device is used for; each has a twin of the same bytes on the host.
  enum Slot : unsigned {
    k_pairs,
    k_next,
    k_leaves,
    k_jobs,
    k_nodes,
    k_coefficients,
    k_axes,
    k_did,
    k_scenarios,
    k_kept_nodes,
    k_kept_dops,
    k_step,
    k_bodies,
    k_boxes,
    k_triangles,
    k_links,
    k_vertices,
    k_exact_vertices,
    k_exact_triangles,
    k_corner_normals,
    k_slots
  };

  Worker(std::shared_ptr<const OpenCl> cl, FoundDevice device, double seconds,
         std::shared_ptr<const ProgramCache> programs);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] bool ok() const noexcept { return failure_.empty(); }
  /// Which call failed, and how; empty while ok().
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  /// A command never ended. Its memory may be touched at any time: then the worker must not be destroyed.
  [[nodiscard]] bool hung() const noexcept { return hung_; }
  /// For another thread, while one is at work here: gives up a call of the runtime that takes longer than the limit. True if so: it
  /// counts as hung then, and the thread that made the call will never come back from it.
  bool give_up() noexcept;
  /// What the device did is not to be believed.
  void fail(const char* why) {
    if (ok()) failure_ = why;
  }
  [[nodiscard]] const DeviceInfo& info() const noexcept { return device_.info; }

  /// Memory that some slots are to have.
  struct Need {
    Slot slot;
    std::size_t bytes;
  };
  /// Whether there is as much, beside what other slots hold. A device has a largest buffer, and so much memory in all.
  [[nodiscard]] bool fits(std::span<const Need> needs) const noexcept;
  /// Whether there would be, if nothing else were there.
  [[nodiscard]] bool could_fit(std::span<const Need> needs) const noexcept;
  /// Whether some would have to grow, and so lose what they hold.
  [[nodiscard]] bool grows(std::span<const Need> needs) const noexcept;
  /// What all slots hold.
  [[nodiscard]] std::size_t held() const noexcept;
  /// Gives all memory of the device back.
  void release();

  /// The host's twin, with room for `count`; what it held stays.
  template <class T>
  std::span<T> host(Slot slot, std::size_t count) {
    if (hosts_[slot].size() < count * sizeof(T)) hosts_[slot].resize(count * sizeof(T));
    return {reinterpret_cast<T*>(hosts_[slot].data()), count};
  }
  /// Room on the device; what was there may be lost.
  void reserve(Slot slot, std::size_t bytes);
  /// How much there is.
  [[nodiscard]] std::size_t room(Slot slot) const noexcept {
    return memories_[slot].buffer != nullptr ? memories_[slot].bytes : 0;
  }
  /// The first bytes of the host's twin to the device, from `begin` on there; and from there back to the twin, in the same place.
  void upload(Slot slot, std::size_t bytes, std::size_t begin = 0);
  void download(Slot slot, std::size_t bytes, std::size_t begin = 0);
  /// Exchanges two memories.
  void exchange(Slot a, Slot b) noexcept;

  /// Runs a kernel over `items`, rounded up to whole groups. Arguments are slots and plain numbers.
  template <class... Arguments>
  void run(const KernelSource& source, const std::string& options, const char* kernel, std::size_t items,
           Arguments... arguments) {
    const cl_kernel k = prepare(source, options, kernel);
    cl_uint at = 0;
    (argument(k, at++, arguments), ...);
    launch(k, kernel, items);
  }

  /// What commands took on the device, by its own clock, and bytes moved.
  struct Times {
    std::map<std::string, double> kernels;  ///< seconds by name
    double to_device = 0, to_host = 0;      ///< seconds
    std::uint64_t bytes_to_device = 0, bytes_to_host = 0, launches = 0, transfers = 0;
    std::uint64_t programs_found = 0, programs_built = 0;  ///< compiled before, or here
  };
  [[nodiscard]] const Times& times() const noexcept { return times_; }

  /// Of those that are left alone for ever, the one before.
  Worker* left_before = nullptr;

 private:
  struct Memory {
    cl_mem buffer = nullptr;
    std::size_t bytes = 0;
  };

  void open();
  cl_kernel prepare(const KernelSource& source, const std::string& options, const char* kernel);
  cl_program program(const KernelSource& source, const std::string& options);
  /// As it was compiled before, by whatever process; null if it was not, or is of no use.
  cl_program compiled(const Digest& key, const std::string& options);
  void keep_compiled(const Digest& key, cl_program program);
  void argument(cl_kernel kernel, cl_uint at, Slot slot);
  void argument(cl_kernel kernel, cl_uint at, cl_uint number);
  void launch(cl_kernel kernel, const char* name, std::size_t items);
  /// Waits within the limit; how long the command took on the device.
  double finish(cl_event event);
  bool check(cl_int error, const char* call);

  // All calls of the runtime, with the time they began for give_up() to see.
  template <class F, class... Arguments>
  cl_int call(const OpenClCall<F>& function, Arguments... arguments) {
    const UnderWay under_way(*this);
    return (*cl_)(function, arguments...);
  }
  template <class F, class... Arguments>
  auto make(const OpenClCall<F>& function, cl_int& error, Arguments... arguments) {
    const UnderWay under_way(*this);
    return cl_->make(function, error, arguments...);
  }
  class UnderWay {
   public:
    explicit UnderWay(Worker& worker) noexcept;
    ~UnderWay();
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

   private:
    Worker& worker_;
  };

  std::shared_ptr<const OpenCl> cl_;
  FoundDevice device_;
  double seconds_;
  std::atomic<std::int64_t> since_{
      0};  ///< when the call under way began, in nanoseconds; 0: none is, -1: it was given up
  std::string failure_;
  std::string given_up_;  ///< what failure_ will be then: there may be no memory for it
  std::shared_ptr<const ProgramCache> compiled_;
  bool hung_ = false;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::map<std::pair<const KernelSource*, std::string>, cl_program> programs_;  ///< by source and options
  std::set<cl_program> unbuilt_;                                                ///< of those, as long as they are
  std::map<std::pair<cl_program, std::string>, cl_kernel> kernels_;
  std::array<Memory, k_slots> memories_;
  std::array<std::vector<std::byte>, k_slots> hosts_;
  Times times_;
};

}  // namespace snug::device
