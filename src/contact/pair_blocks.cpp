#include "contact/pair_blocks.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <utility>

namespace snug::contact {

std::span<const std::uint32_t> PairBlocks::assign(std::span<const PairCost> pairs) {
  std::ranges::fill(load_, 0.0);
  count_.assign(load_.size(), 0);
  devices_.assign(pairs.size(), 0);
  std::map<std::uint64_t, std::uint32_t> still_there;
  std::vector<std::size_t> newcomers;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto known = device_of_.find(pairs[i].pair);
    if (known == device_of_.end()) {
      newcomers.push_back(i);
      continue;
    }
    devices_[i] = known->second;
    SNUG_ASSERT(known->second < load_.size());
    load_[known->second] += pairs[i].cost;
    ++count_[known->second];
    still_there.insert(*known);
  }
  device_of_.swap(still_there);
  // The dearest first: the cheap ones even out what they leave.
  std::ranges::sort(newcomers, [&](std::size_t i, std::size_t j) {
    return pairs[i].cost != pairs[j].cost ? pairs[i].cost > pairs[j].cost : pairs[i].pair < pairs[j].pair;
  });
  for (const std::size_t i : newcomers) {
    std::uint32_t least = 0;
    for (std::uint32_t d = 1; d < load_.size(); ++d)
      if (std::pair(load_[d], count_[d]) < std::pair(load_[least], count_[least])) least = d;
    device_of_[pairs[i].pair] = devices_[i] = least;
    load_[least] += pairs[i].cost;
    ++count_[least];
  }
  SNUG_ASSERT(device_of_.size() <= pairs.size());
  even_out(pairs);
  return devices_;
}

void PairBlocks::even_out(std::span<const PairCost> pairs) {
  for (std::size_t tries = 0; tries < pairs.size(); ++tries) {
    const auto [least, most] = std::ranges::minmax_element(load_);
    const auto to = static_cast<std::uint32_t>(least - load_.begin()),
               from = static_cast<std::uint32_t>(most - load_.begin());
    const double apart = *most - *least;
    // Moving a pair makes the larger of the two loads smaller by what it costs, or by what is left of the difference.
    double best = 0;
    std::size_t chosen = pairs.size();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double cost = pairs[i].cost;
      if (devices_[i] != from || !(cost < apart)) continue;
      const double gain = policy_.horizon * std::min(cost, apart - cost) - policy_.move_cost * cost;
      if (gain > best || (gain == best && gain > 0 && pairs[i].pair < pairs[chosen].pair)) best = gain, chosen = i;
    }
    if (chosen == pairs.size()) return;
    SNUG_ASSERT(from != to && devices_[chosen] == from);
    devices_[chosen] = device_of_[pairs[chosen].pair] = to;
    load_[from] -= pairs[chosen].cost;
    load_[to] += pairs[chosen].cost;
    ++moved_;
  }
}

void PairBlocks::take_out(std::uint32_t device) {
  if (device >= load_.size() || load_.size() == 1) return;
  load_.erase(load_.begin() + device);
  std::erase_if(device_of_, [&](const auto& entry) { return entry.second == device; });
  for (auto& [pair, at] : device_of_)
    if (at > device) --at;
}

namespace {

/// As kernels were timed on PoCL, beside a box of the tree (docs/devices.md).
constexpr double k_of_group = 4, k_of_ray = 5, k_of_told = 16, k_of_triangle = 2;

}  // namespace

double work_of(const DeviceRaysTold::Work& work) noexcept {
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  return number(work.boxes) + k_of_triangle * number(work.triangles) + k_of_ray * number(work.rays) +
         k_of_told * number(work.told) + k_of_group * number(work.groups);
}

std::vector<PairCost> PairCosts::expect(std::span<const PairWork> step) const {
  std::vector<PairCost> expected;
  expected.reserve(step.size());
  for (const PairWork& pair : step) {
    const std::size_t kind = pair.walks ? 1 : 0;
    const auto known = of_pair_.find(pair.pair);
    double each = of_all_[kind].value_or(k_of_ray);
    if (known != of_pair_.end()) each = known->second[kind].value_or(each);
    expected.push_back({pair.pair, each * pair.rays});
  }
  return expected;
}

void PairCosts::remember(std::span<const PairWork> step) {
  std::map<std::uint64_t, OfKinds> now;
  std::array<double, 2> rays{}, work{};
  for (const PairWork& pair : step) {
    const std::size_t kind = pair.walks ? 1 : 0;
    OfKinds& each = now[pair.pair];
    if (const auto known = of_pair_.find(pair.pair); known != of_pair_.end()) each = known->second;
    if (!(pair.rays > 0)) continue;
    each[kind] = pair.work / pair.rays;
    rays[kind] += pair.rays, work[kind] += pair.work;
  }
  of_pair_.swap(now);
  for (std::size_t kind = 0; kind < 2; ++kind)
    if (rays[kind] > 0) of_all_[kind] = work[kind] / rays[kind];
}

}  // namespace snug::contact
