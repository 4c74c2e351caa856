#include "device/opencl_set.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <thread>

namespace snug::device {

namespace {

constexpr const char* k_does_not_fit =
    "work that does not fit into the memory of an OpenCL device is done by the processor";

}  // namespace

/// The blocks of one call that are with one device. Its thread does one after the other; the caller's watches over it.
class OpenClSet::Round {
 public:
  Round(OpenClSet& set, Member& member, const Work& work, std::vector<std::size_t> blocks)
      : set_(set), member_(member), work_(work), blocks_(std::move(blocks)) {}

  ~Round() {
    if (thread_.joinable()) given_up_ ? thread_.detach() : thread_.join();
  }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  /// On a thread of its own, or here if the system has none.
  void start(std::mutex& mutex, std::condition_variable& ended) {
    SNUG_ASSERT(mutex_ == nullptr && !blocks_.empty());
    mutex_ = &mutex, ended_ = &ended;
    try {
      thread_ = std::thread([this] { run(); });
    } catch (...) {
      run();
    }
  }
  /// With the mutex locked: whether it has come to an end, if need be by giving it up.
  bool over() {
    if (over_ || worker_ == nullptr || !worker_->give_up()) return over_;
    set_.take_out(member_);
    worker_ = nullptr;
    member_.turn.end();
    given_up_ = over_ = true;
    return true;
  }
  /// Once over: what is left to do, and in `tried` that blocks did not fit here.
  void finish(std::vector<std::size_t>& left, std::vector<std::vector<const Member*>>& tried) {
    if (thread_.joinable()) given_up_ ? thread_.detach() : thread_.join();
    SNUG_ASSERT(over_ && done_ <= blocks_.size());
    left.insert(left.end(), blocks_.begin() + static_cast<std::ptrdiff_t>(done_), blocks_.end());
    for (const std::size_t block : unfit_) {
      left.push_back(block);
      tried[block].push_back(&member_);
    }
  }
  [[nodiscard]] const std::exception_ptr& thrown() const noexcept { return thrown_; }

 private:
  void run() {
    member_.turn.wait();
    set_worker(member_.worker.get());
    try {
      while (worker_ != nullptr && worker_->ok() && done_ < blocks_.size()) {
        const DeviceOutcome outcome = work_(member_, blocks_[done_]);
        if (outcome == DeviceOutcome::failed) break;
        if (outcome == DeviceOutcome::does_not_fit) unfit_.push_back(blocks_[done_]);
        ++done_;
      }
    } catch (...) {
      thrown_ = std::current_exception();
    }
    const bool failed = worker_ != nullptr && !worker_->ok();
    set_worker(nullptr);
    if (failed) set_.take_out(member_);
    member_.turn.end();
    const std::lock_guard lock(*mutex_);
    over_ = true;
    ended_->notify_all();
  }
  void set_worker(Worker* worker) {
    const std::lock_guard lock(*mutex_);
    worker_ = worker;
  }

  OpenClSet& set_;
  Member& member_;
  const Work& work_;
  std::vector<std::size_t> blocks_;
  std::mutex* mutex_ = nullptr;
  std::condition_variable* ended_ = nullptr;
  std::thread thread_;
  Worker* worker_ = nullptr;  ///< while it is at work
  std::size_t done_ = 0;
  std::vector<std::size_t> unfit_;
  bool over_ = false, given_up_ = false;
  std::exception_ptr thrown_;
};

bool OpenClSet::share(std::size_t blocks, std::size_t first, const Work& work, std::vector<std::size_t>& unfit) {
  std::vector<std::size_t> left(blocks);
  for (std::size_t i = 0; i < blocks; ++i) left[i] = i;
  std::vector<std::vector<const Member*>> tried(blocks);  ///< devices that blocks do not fit into
  while (!left.empty()) {
    const auto members = working();
    if (members.empty()) return false;
    std::vector<std::vector<std::size_t>> of_member(members.size());
    for (const std::size_t block : left) {
      std::vector<std::size_t> may;
      for (std::size_t m = 0; m < members.size(); ++m)
        if (std::ranges::find(tried[block], members[m]) == tried[block].end()) may.push_back(m);
      if (may.empty())
        unfit.push_back(block);
      else
        of_member[may[(first + block) % may.size()]].push_back(block);
    }
    std::mutex mutex;  // which rounds need to the end
    std::condition_variable ended;
    std::deque<Round> rounds;
    for (std::size_t m = 0; m < members.size(); ++m)
      if (!of_member[m].empty()) rounds.emplace_back(*this, *members[m], work, std::move(of_member[m]));
    for (Round& round : rounds) round.start(mutex, ended);
    std::unique_lock lock(mutex);
    const auto over = [&] {
      bool all = true;
      for (Round& round : rounds) all = round.over() && all;
      return all;
    };
    while (!over()) ended.wait_for(lock, look_every_);
    lock.unlock();
    left.clear();
    for (Round& round : rounds) round.finish(left, tried);
    for (const Round& round : rounds)
      if (round.thrown()) std::rethrow_exception(round.thrown());
  }
  if (!unfit.empty()) warn_once(k_does_not_fit);
  return true;
}

bool OpenClSet::share(std::size_t blocks, std::size_t first, const Work& work) {
  std::vector<std::size_t> unfit;
  return share(blocks, first, work, unfit) && unfit.empty();
}

}  // namespace snug::device
