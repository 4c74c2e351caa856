#include "device/pair_blocks.hpp"

#include <algorithm>

namespace snug::detail {

std::span<const std::uint32_t> PairBlocks::assign(std::span<const PairCost> pairs) {
  std::ranges::fill(load_, 0.0);
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
    load_[known->second] += pairs[i].cost;
    still_there.insert(*known);
  }
  device_of_.swap(still_there);
  // The dearest first: the cheap ones even out what they leave.
  std::ranges::sort(newcomers, [&](std::size_t i, std::size_t j) {
    return pairs[i].cost != pairs[j].cost ? pairs[i].cost > pairs[j].cost : pairs[i].pair < pairs[j].pair;
  });
  for (const std::size_t i : newcomers) {
    const auto least = static_cast<std::uint32_t>(std::ranges::min_element(load_) - load_.begin());
    device_of_[pairs[i].pair] = devices_[i] = least;
    load_[least] += pairs[i].cost;
  }
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

std::vector<PairCost> PairCosts::expect(std::span<const PairWork> step) const {
  double rays = 0, work = 0;
  for (const auto& [pair, before] : last_) rays += before.rays, work += before.work;
  std::vector<PairCost> expected;
  expected.reserve(step.size());
  for (const PairWork& pair : step) {
    const auto known = last_.find(pair.pair);
    const bool has = known != last_.end() && known->second.rays > 0;
    const double each = has ? known->second.work / known->second.rays : rays > 0 ? work / rays : 1;
    expected.push_back({pair.pair, each * pair.rays});
  }
  return expected;
}

void PairCosts::remember(std::span<const PairWork> step) {
  last_.clear();
  for (const PairWork& pair : step) last_[pair.pair] = pair;
}

}  // namespace snug::detail
