#pragma once

#include "device/dop_walk.hpp"
#include "device/ray_cast.hpp"
#include "query/device_set.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace snug::device {

/// The devices of one runtime. Work comes in blocks; each has a device of its own, and goes to another when that fails
/// (opencl_share.cpp). Blocks are walks through DOP-trees (opencl_walks.cpp) or rays (opencl_rays.cpp).
class OpenClSet final : public DeviceSet {
 public:
  /// `programs` is where compiled programs are kept; empty: nowhere.
  OpenClSet(const std::shared_ptr<const OpenCl>& cl, const DeviceOptions& options,
            const std::filesystem::path& programs);
  ~OpenClSet() override;

  [[nodiscard]] std::vector<DeviceInfo> list() const override;
  [[nodiscard]] std::string why_none() const override { return why_none_; }
  [[nodiscard]] std::vector<std::string> warnings() const override;
  [[nodiscard]] bool walk(std::span<const DopPair> pairs, const DopSearch& search,
                          std::vector<DopWalked>& walked) override;
  [[nodiscard]] bool cast(const DeviceRays& rays, DeviceRaysTold& told) override;
  [[nodiscard]] std::vector<std::uint32_t> in_use() const override;
  [[nodiscard]] DeviceWork work() const override { return {rays_, redone_, tree_pairs_}; }

  /// Of the devices in use, since they were opened.
  [[nodiscard]] std::vector<Worker::Times> times() const;

  std::uint32_t room = k_walk_room;
  std::size_t most_devices = SIZE_MAX;  ///< no more than so many are used at a time
  std::size_t worth_sharing = 1024;     ///< pairs of nodes of a level that are worth a device of their own

 private:
  /// Who comes first uses the device; a thread that hangs is sent off by another.
  class Turn {
   public:
    void wait() {
      std::unique_lock lock(mutex_);
      free_.wait(lock, [&] { return !taken_; });
      taken_ = true;
    }
    void end() {
      const std::lock_guard lock(mutex_);
      SNUG_ASSERT(taken_);
      taken_ = false;
      free_.notify_one();
    }

   private:
    std::mutex mutex_;
    std::condition_variable free_;
    bool taken_ = false;
  };
  struct Member {
    DeviceInfo info;
    std::unique_ptr<Worker> worker;  ///< null if refused, or taken out since it hangs
    RayBodies bodies;                ///< that lie in its memory
    DopTrees trees;                  ///< that do
    Turn turn;

    /// Does something; if it does not fit beside what the memory holds, once more with all of it. Never tells never_fits.
    template <class Do>
    DeviceOutcome with_room(Do&& work) {
      SNUG_ASSERT(worker != nullptr);
      DeviceOutcome outcome = work();
      if (outcome == DeviceOutcome::does_not_fit && worker->held() > 0) {
        bodies.forget(), trees.forget();
        worker->release();
        outcome = worker->ok() ? work() : DeviceOutcome::failed;
      }
      return outcome == DeviceOutcome::never_fits ? DeviceOutcome::does_not_fit : outcome;
    }
  };
  class Round;
  using Work = std::function<DeviceOutcome(Member&, std::size_t)>;

  /// Calls work(member, block) for every block, those of one device one after the other, those of several at once; block i
  /// goes to the device that comes i-th behind the first, round and round. False if not all could be done.
  bool share(std::size_t blocks, std::size_t first, const Work& work);
  /// The same, but for blocks that fit into no device.
  bool share(std::size_t blocks, std::size_t first, const Work& work, std::vector<std::size_t>& unfit);
  /// Walks through some pairs on one device, one after the other if they do not fit together.
  DeviceOutcome walk_some(Member& member, std::span<const DopPair> pairs, const DopSearch& search, DopPart& part,
                          std::span<DopWalked> walked) const;
  /// Goes on where walks have stopped, on all devices.
  bool walk_on(std::span<const DopPair> pairs, const DopSearch& search, const std::vector<DopPart>& parts,
               const std::vector<std::size_t>& begin, std::vector<DopWalked>& walked);
  /// Casts some rays on one device, some after others if they do not fit together. Those of bodies that do not fit are added to `unfit`.
  DeviceOutcome cast_some(Member& member, const DeviceRays& rays, const std::vector<RayChunk>& chunks,
                          DeviceRaysTold& told, std::vector<RayChunk>& unfit) const;
  /// Tells of rays that they are the processor's, from where they are.
  static void leave(const DeviceRays& rays, const RayChunk& chunk, std::vector<DeviceRayTold>& told);
  /// What each device is to cast.
  [[nodiscard]] std::vector<std::vector<RayChunk>> divide(const DeviceRays& rays) const;
  /// Where calls begin for which that does not matter, so that those of many threads spread.
  [[nodiscard]] std::size_t any_first(std::size_t blocks) noexcept {
    return first_.fetch_add(blocks, std::memory_order_relaxed);
  }
  [[nodiscard]] std::vector<Member*> working() const;
  void take_out(Member& member) noexcept;
  void warn_once(const std::string& warning);

  std::vector<std::unique_ptr<Member>> members_;
  std::string why_none_;
  mutable std::mutex state_;  ///< of infos, workers' presence and warnings
  std::vector<std::string> warnings_;
  std::atomic<std::size_t> first_{0};
  std::atomic<std::uint64_t> rays_{0}, redone_{0}, tree_pairs_{0};
  std::chrono::duration<double> look_every_{0.25};  ///< at devices that work, whether they hang
};

}  // namespace snug::device
