#include "device/opencl_set.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::device {

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
      SNUG_ASSERT(block < blocks && end > first);
      chunks[block].push_back({s, first, end - first});
      first = end;
    }
    before += count;
  }
  return chunks;
}

DeviceOutcome OpenClSet::cast_some(Member& member, const DeviceRays& rays, const std::vector<RayChunk>& chunks,
                                   DeviceRaysTold& told, std::vector<RayChunk>& unfit) const {
  SNUG_ASSERT(!chunks.empty() && told.work.size() == rays.sides.size());
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
  SNUG_ASSERT(chunk.first + chunk.count <= side.rays.size());
  for (std::size_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
    DeviceRayTold& one = told.emplace_back();
    one.side = chunk.side, one.ray = static_cast<std::uint32_t>(i);
    one.triangle.fill(DeviceRayTold::k_none);
    one.triangle[0] = side.most > 0 ? side.rays[i].triangle : DeviceRayTold::k_left;
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
    for (std::size_t s = 0; s < some.work.size(); ++s) told.work[s] += some.work[s];
  }
  for (const DeviceRaysTold::Work& work : told.work) rays_ += work.rays;
  for (const DeviceRayTold& one : told.told)
    if (rays.sides[one.side].most == 0 && one.triangle[0] == DeviceRayTold::k_redo) ++redone_;
  // Which item took which place is open.
  std::ranges::sort(told.told, {}, [](const DeviceRayTold& t) { return std::uint64_t{t.side} << 32 | t.ray; });
  return true;
}

}  // namespace snug::device
