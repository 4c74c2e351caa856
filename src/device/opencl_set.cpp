#include "device/opencl_set.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <exception>
#include <future>
#include <new>
#include <system_error>
#include <thread>
#include <tuple>

namespace snug::detail {

std::shared_ptr<DeviceSet> open_device_set(const DeviceOptions& options) {
  auto cl = OpenCl::load(options.library.empty() ? opencl_library() : options.library);
  if (!cl) return no_devices(cl.error());
  return std::make_shared<OpenClSet>(*cl, options, program_cache_folder());
}

namespace {

constexpr const char* k_does_not_fit =
    "work that does not fit into the memory of an OpenCL device is done by the processor";

/// Never frees it, but knows where it is.
void leave_alone(std::unique_ptr<Worker> worker) noexcept {
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

void OpenClSet::take_out(Member& member) noexcept {
  const std::lock_guard lock(state_);
  if (!member.info.refused.empty()) return;
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

void OpenClSet::warn_once(const std::string& warning) {
  const std::lock_guard lock(state_);
  if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
}

template <class Do>
DeviceOutcome OpenClSet::Member::with_room(Do&& work) {
  const DeviceOutcome outcome = work();
  if (outcome != DeviceOutcome::does_not_fit || worker->held() == 0) return outcome;
  bodies.forget(), trees.forget();
  worker->release();
  return worker->ok() ? work() : DeviceOutcome::failed;
}

DeviceOutcome OpenClSet::walk_some(Member& member, std::span<const DopPair> pairs, const DopSearch& search,
                                   DopPart& part, std::span<DopWalked> walked) const {
  const DeviceOutcome outcome =
      member.with_room([&] { return walk_on_device(*member.worker, member.trees, pairs, search, part, walked, room); });
  if (outcome != DeviceOutcome::does_not_fit || pairs.size() < 2 || !part.from_roots) return outcome;
  const auto half = static_cast<std::uint32_t>(pairs.size() / 2);
  DopPart first{true, {}, part.enough}, second = first;
  for (const auto& [begin, size, some] :
       {std::tuple{std::uint32_t{0}, std::size_t{half}, &first}, std::tuple{half, pairs.size() - half, &second}}) {
    const DeviceOutcome of_half =
        walk_some(member, pairs.subspan(begin, size), search, *some, walked.subspan(begin, size));
    if (of_half != DeviceOutcome::done) return of_half;
    for (SnugDopPair pair : some->level) {
      pair.job += begin;
      part.level.push_back(pair);
    }
  }
  return DeviceOutcome::done;
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
  // Where there are fewer than devices, each goes as far as there is something to do for all of them.
  const std::size_t blocks = begin.size() - 1;
  std::vector<DopPart> parts(blocks);
  if (blocks < devices)
    for (DopPart& part : parts) part.enough = worth_sharing * devices;
  const bool done = share(blocks, any_first(blocks), [&](Member& member, std::size_t block) {
    const std::size_t first = begin[block], size = begin[block + 1] - first;
    DopPart part{true, {}, parts[block].enough};
    const DeviceOutcome outcome =
        walk_some(member, pairs.subspan(first, size), search, part, std::span(walked).subspan(first, size));
    if (outcome == DeviceOutcome::done) parts[block] = std::move(part);
    return outcome;
  });
  if (!done || !walk_on(pairs, search, parts, begin, walked)) return false;
  tree_pairs_ += pairs.size();
  return true;
}

bool OpenClSet::walk_on(std::span<const DopPair> pairs, const DopSearch& search, const std::vector<DopPart>& parts,
                        const std::vector<std::size_t>& begin, std::vector<DopWalked>& walked) {
  struct Piece {
    std::size_t block;
    std::vector<SnugDopPair> level;
    std::vector<DopWalked> walked;
  };
  const std::size_t devices = std::max<std::size_t>(working().size(), 1);
  std::vector<Piece> pieces;
  for (std::size_t block = 0; block < parts.size(); ++block) {
    const auto& level = parts[block].level;
    const std::size_t count = std::min(devices, level.size());
    // Neighbours in a level tend to have as much below them.
    for (std::size_t i = 0; i < count; ++i) {
      Piece& piece = pieces.emplace_back(Piece{block, {}, std::vector<DopWalked>(begin[block + 1] - begin[block])});
      for (std::size_t k = i; k < level.size(); k += count) piece.level.push_back(level[k]);
    }
  }
  if (pieces.empty()) return true;
  const bool done = share(pieces.size(), any_first(pieces.size()), [&](Member& member, std::size_t i) {
    Piece& piece = pieces[i];
    DopPart part{false, piece.level, SIZE_MAX};
    return walk_some(member, pairs.subspan(begin[piece.block], piece.walked.size()), search, part, piece.walked);
  });
  if (!done) return false;
  for (const Piece& piece : pieces)
    for (std::size_t i = 0; i < piece.walked.size(); ++i) {
      DopWalked& all = walked[begin[piece.block] + i];
      const DopWalked& some = piece.walked[i];
      all.node_pairs += some.node_pairs, all.axis_tests += some.axis_tests;
      all.leaves.insert(all.leaves.end(), some.leaves.begin(), some.leaves.end());
    }
  for (DopWalked& all : walked)
    std::ranges::sort(all.leaves, {}, [](const DopNodePair& p) { return std::uint64_t{p.a} << 32 | p.b; });
  return true;
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

DeviceOutcome OpenClSet::cast_some(Member& member, const DeviceRays& rays, const std::vector<RayChunk>& chunks,
                                   DeviceRaysTold& told, std::vector<RayChunk>& unfit) const {
  const DeviceOutcome outcome = member.with_room(
      [&] { return cast_on_device(*member.worker, member.bodies, rays, chunks, told.told, told.work); });
  if (outcome != DeviceOutcome::does_not_fit) return outcome;
  std::vector<RayChunk> halves[2];
  if (chunks.size() > 1) {
    const auto middle = chunks.begin() + static_cast<std::ptrdiff_t>(chunks.size() / 2);
    halves[0].assign(chunks.begin(), middle), halves[1].assign(middle, chunks.end());
  } else if (chunks[0].count > 1 && too_many(*member.worker, rays, chunks)) {
    const auto& [side, first, count] = chunks[0];
    halves[0] = {{side, first, count / 2}}, halves[1] = {{side, first + count / 2, count - count / 2}};
  } else {
    unfit.push_back(chunks[0]);
    return DeviceOutcome::done;
  }
  for (const auto& half : halves)
    if (const DeviceOutcome of_half = cast_some(member, rays, half, told, unfit); of_half != DeviceOutcome::done)
      return of_half;
  return DeviceOutcome::done;
}

void OpenClSet::leave(const DeviceRays& rays, const RayChunk& chunk, std::vector<DeviceRayTold>& told) {
  const DeviceRaySide& side = rays.sides[chunk.side];
  for (std::size_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
    DeviceRayTold& one = told.emplace_back();
    one.side = chunk.side, one.ray = static_cast<std::uint32_t>(i);
    one.triangle.fill(DeviceRayTold::k_none);
    one.triangle[0] = side.most > 0 ? side.rays[i].triangle : DeviceRayTold::k_redo;
    one.triangle[1] = side.most > 0 ? 0 : DeviceRayTold::k_none;
  }
}

bool OpenClSet::cast(const DeviceRays& rays, DeviceRaysTold& told) {
  told.told.clear();
  told.work.assign(rays.sides.size(), {});
  auto chunks = divide(rays);
  std::vector<DeviceRaysTold> of_block(chunks.size());
  std::vector<std::vector<RayChunk>> unfit(chunks.size());
  const auto clear = [&](DeviceRaysTold& some) {
    some.told.clear();
    some.work.assign(rays.sides.size(), {});
  };
  if (!share(chunks.size(), rays.owned ? 0 : any_first(chunks.size()), [&](Member& m, std::size_t block) {
        if (chunks[block].empty()) return DeviceOutcome::done;
        unfit[block].clear();
        clear(of_block[block]);
        return cast_some(m, rays, chunks[block], of_block[block], unfit[block]);
      }))
    return false;
  // Another device may have room for what did not fit into the one that it fell to.
  std::vector<RayChunk> others;
  for (const auto& some : unfit) others.insert(others.end(), some.begin(), some.end());
  std::vector<DeviceRaysTold> of_other(others.size());
  std::vector<std::size_t> nowhere;
  if (!share(
          others.size(), any_first(others.size()),
          [&](Member& m, std::size_t i) {
            clear(of_other[i]);
            std::vector<RayChunk> still;
            const DeviceOutcome outcome = cast_some(m, rays, {others[i]}, of_other[i], still);
            return still.empty() ? outcome : DeviceOutcome::does_not_fit;
          },
          nowhere))
    return false;
  for (const std::size_t i : nowhere) {
    clear(of_other[i]);
    leave(rays, others[i], of_other[i].told);
  }
  of_block.insert(of_block.end(), of_other.begin(), of_other.end());
  for (const DeviceRaysTold& some : of_block) {
    told.told.insert(told.told.end(), some.told.begin(), some.told.end());
    for (std::size_t s = 0; s < some.work.size(); ++s)
      told.work[s].boxes += some.work[s].boxes, told.work[s].triangles += some.work[s].triangles;
  }
  for (const DeviceRaySide& side : rays.sides) rays_ += side.rays.size();
  for (const DeviceRayTold& one : told.told)
    if (rays.sides[one.side].most == 0 && one.triangle[0] == DeviceRayTold::k_redo) ++redone_;
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
