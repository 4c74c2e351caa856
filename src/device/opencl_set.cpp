#include "device/opencl_set.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <exception>
#include <future>
#include <system_error>
#include <thread>

namespace snug::detail {

std::shared_ptr<DeviceSet> open_device_set(const DeviceOptions& options) {
  auto cl = OpenCl::load(options.library.empty() ? opencl_library() : options.library);
  if (!cl) return no_devices(cl.error());
  return std::make_shared<OpenClSet>(*cl, options, program_cache_folder());
}

namespace {

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
  return {{}, "the OpenCL runtime did not tell its devices within " + std::to_string(seconds) + " s"};
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
    member->info = device.info;
    if (device.info.refused.empty())
      member->worker = std::make_unique<Worker>(cl, std::move(device), seconds, compiled);
    members_.push_back(std::move(member));
  }
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

void OpenClSet::take_out(Member& member) {
  const std::lock_guard lock(state_);
  if (!member.info.refused.empty()) return;
  member.info.refused = "taken out: " + member.worker->failure();
  warnings_.push_back("OpenCL device " + member.info.name +
                      " was taken out, its work is done elsewhere: " + member.worker->failure());
  // What hangs may still write to its memory one day.
  if (member.worker->hung()) (void)member.worker.release();  // NOLINT(bugprone-unused-return-value)
}

/// The blocks of one call that are with one device. Its thread does one after the other; the caller's watches over it.
class OpenClSet::Round {
 public:
  Round(OpenClSet& set, Member& member, const Work& work, std::vector<std::size_t> blocks)
      : set_(set), member_(member), work_(work), blocks_(std::move(blocks)) {}

  /// On a thread of its own, or here if the system has none.
  void start(std::mutex& mutex, std::condition_variable& ended) {
    mutex_ = &mutex, ended_ = &ended;
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
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
  /// Once over: what is left to do.
  void finish(std::vector<std::size_t>& left, bool& fits) {
    if (thread_.joinable()) given_up_ ? thread_.detach() : thread_.join();
    left.insert(left.end(), blocks_.begin() + static_cast<std::ptrdiff_t>(done_), blocks_.end());
    fits = fits && fits_;
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
        if (outcome == DeviceOutcome::does_not_fit) fits_ = false;
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
  bool fits_ = true, over_ = false, given_up_ = false;
  std::exception_ptr thrown_;
};

bool OpenClSet::share(std::size_t blocks, std::size_t first, const Work& work) {
  std::vector<std::size_t> left(blocks);
  for (std::size_t i = 0; i < blocks; ++i) left[i] = i;
  bool fits = true;
  while (!left.empty()) {
    const auto members = working();
    if (members.empty()) return false;
    std::vector<std::vector<std::size_t>> of_member(members.size());
    for (const std::size_t block : left) of_member[(first + block) % members.size()].push_back(block);
    std::deque<Round> rounds;
    for (std::size_t m = 0; m < members.size(); ++m)
      if (!of_member[m].empty()) rounds.emplace_back(*this, *members[m], work, std::move(of_member[m]));
    std::mutex mutex;
    std::condition_variable ended;
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
    for (Round& round : rounds) round.finish(left, fits);
    for (const Round& round : rounds)
      if (round.thrown()) std::rethrow_exception(round.thrown());
  }
  if (!fits) warn_once("work that does not fit into the memory of an OpenCL device is done by the processor");
  return fits;
}

void OpenClSet::warn_once(const std::string& warning) {
  const std::lock_guard lock(state_);
  if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
}

bool OpenClSet::walk(std::span<const DopPair> pairs, const DopSearch& search, std::vector<DopWalked>& walked) {
  walked.resize(pairs.size());
  if (pairs.empty()) return true;
  // Blocks of about as many nodes each as there are devices, within what a device should hold at once.
  const std::size_t devices = std::max<std::size_t>(working().size(), 1);
  const auto nodes_of = [](const DopPair& pair) { return pair.tree_a.links.size() + pair.tree_b.links.size(); };
  std::size_t nodes = 0;
  for (const DopPair& pair : pairs) nodes += nodes_of(pair);
  const std::size_t enough = std::min<std::size_t>(nodes / devices + 1, std::size_t{1} << 22);
  std::vector<std::size_t> begin{0};
  std::size_t held = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (held > 0 && (held + nodes_of(pairs[i]) > enough || i - begin.back() >= (std::size_t{1} << 16)))
      begin.push_back(i), held = 0;
    held += nodes_of(pairs[i]);
  }
  begin.push_back(pairs.size());
  return share(begin.size() - 1, any_first(begin.size() - 1), [&](Member& member, std::size_t block) {
    const std::size_t first = begin[block], size = begin[block + 1] - first;
    return walk_on_device(*member.worker, pairs.subspan(first, size), search, std::span(walked).subspan(first, size),
                          room);
  });
}

std::vector<std::uint32_t> OpenClSet::in_use() const {
  const std::lock_guard lock(state_);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < members_.size(); ++i)
    if (members_[i]->info.refused.empty() && places.size() < most_devices) places.push_back(i);
  return places;
}

std::vector<std::vector<RayChunk>> OpenClSet::divide(const DeviceRays& rays) const {
  const std::size_t devices = std::max<std::size_t>(working().size(), 1);
  std::size_t all = 0;
  for (const DeviceRaySide& side : rays.sides) all += side.rays.size();
  // As many as there are devices, as long as there is something to do for each.
  constexpr std::size_t k_least = 256;
  const std::size_t blocks = rays.owned ? devices : std::clamp<std::size_t>(all / k_least, 1, devices);
  std::vector<std::vector<RayChunk>> chunks(blocks);
  std::size_t before = 0;
  for (std::uint32_t s = 0; s < rays.sides.size(); ++s) {
    const std::size_t count = rays.sides[s].rays.size();
    if (rays.owned) {
      if (count > 0) chunks[rays.sides[s].owner % blocks].push_back({s, 0, count});
      continue;
    }
    for (std::size_t first = 0; first < count;) {
      const std::size_t block = (before + first) * blocks / all;
      const std::size_t end = std::min(count, ((block + 1) * all + blocks - 1) / blocks - before);
      chunks[block].push_back({s, first, end - first});
      first = end;
    }
    before += count;
  }
  return chunks;
}

bool OpenClSet::cast(const DeviceRays& rays, DeviceRaysTold& told) {
  told.told.clear();
  told.work.assign(rays.sides.size(), {});
  const auto chunks = divide(rays);
  std::vector<DeviceRaysTold> of_block(chunks.size());
  const bool done = share(chunks.size(), rays.owned ? 0 : any_first(chunks.size()), [&](Member& m, std::size_t block) {
    if (chunks[block].empty()) return DeviceOutcome::done;
    DeviceRaysTold& some = of_block[block];
    some.told.clear();
    some.work.assign(rays.sides.size(), {});
    return cast_on_device(*m.worker, m.bodies, rays, chunks[block], some.told, some.work);
  });
  if (!done) return false;
  for (const DeviceRaysTold& some : of_block) {
    told.told.insert(told.told.end(), some.told.begin(), some.told.end());
    for (std::size_t s = 0; s < some.work.size(); ++s)
      told.work[s].boxes += some.work[s].boxes, told.work[s].triangles += some.work[s].triangles;
  }
  // Which item took which place is open.
  std::ranges::sort(told.told, {}, [](const DeviceRayTold& t) { return std::uint64_t{t.side} << 32 | t.ray; });
  return true;
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

}  // namespace snug::detail
