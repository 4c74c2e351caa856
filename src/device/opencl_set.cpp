#include "device/opencl_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <thread>

namespace snug::detail {

std::shared_ptr<DeviceSet> open_device_set(const DeviceOptions& options) {
  std::string library = options.library;
  if (library.empty()) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
    if (const char* const named = std::getenv("SNUG_OPENCL_LIBRARY")) library = named;
  }
  if (library.empty()) library = "libOpenCL.so.1";
  auto cl = OpenCl::load(library);
  if (!cl) return no_devices(cl.error());
  return std::make_shared<OpenClSet>(*cl, options);
}

OpenClSet::OpenClSet(const std::shared_ptr<const OpenCl>& cl, const DeviceOptions& options) {
  FoundDevices found = discover(*cl, options.pieces);
  why_none_ = std::move(found.why_none);
  for (FoundDevice& device : found.devices) {
    auto member = std::make_unique<Member>();
    member->info = device.info;
    if (device.info.refused.empty()) member->worker = std::make_unique<Worker>(cl, std::move(device), options.seconds);
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

bool OpenClSet::share(std::size_t blocks, std::size_t first,
                      const std::function<DeviceOutcome(Member&, std::size_t)>& work) {
  std::vector<std::size_t> left(blocks);
  for (std::size_t i = 0; i < blocks; ++i) left[i] = i;
  std::atomic<bool> fits = true;
  while (!left.empty()) {
    const auto members = working();
    if (members.empty()) return false;
    std::vector<std::vector<std::size_t>> of_member(members.size()), undone(members.size());
    for (const std::size_t block : left) of_member[(first + block) % members.size()].push_back(block);
    std::vector<std::exception_ptr> thrown(members.size());
    const auto run = [&](std::size_t m) {
      try {
        const std::lock_guard lock(members[m]->busy);
        for (const std::size_t block : of_member[m]) {
          Worker* const worker = members[m]->worker.get();
          const bool usable = worker != nullptr && worker->ok();
          const DeviceOutcome outcome = usable ? work(*members[m], block) : DeviceOutcome::failed;
          if (outcome == DeviceOutcome::does_not_fit) fits = false;
          if (outcome != DeviceOutcome::failed) continue;
          undone[m].push_back(block);
          if (usable) take_out(*members[m]);
        }
      } catch (...) {
        thrown[m] = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t m = 1; m < members.size(); ++m)
      if (!of_member[m].empty()) threads.emplace_back(run, m);
    run(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& e : thrown)
      if (e) std::rethrow_exception(e);
    left.clear();
    for (const auto& some : undone) left.insert(left.end(), some.begin(), some.end());
  }
  return fits;
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
    const std::lock_guard lock(member->busy);
    all.push_back(member->worker != nullptr ? member->worker->times() : Worker::Times{});
  }
  return all;
}

}  // namespace snug::detail
