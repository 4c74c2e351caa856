#include "contact/pair_blocks.hpp"
#include "contact/tracked_step.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <snug/contacts.hpp>

#include <algorithm>

namespace snug {

namespace detail {

/// Which device has which pair. Pairs are known by their trackers.
struct ContactBatchData {
  PairBlocks blocks{1};
  PairCosts costs;
  std::vector<std::uint32_t> devices;  ///< that were in use, by their places in the list
  std::uint64_t moved = 0;             ///< by blocks that there are no more

  /// One that failed hands on what it had; where others come in, all is shared out anew.
  void use(const std::vector<std::uint32_t>& now) {
    SNUG_ASSERT(std::ranges::is_sorted(now));
    const bool fewer = !now.empty() && std::ranges::includes(devices, now);
    for (std::size_t i = 0; fewer && i < devices.size();) {
      if (std::ranges::binary_search(now, devices[i])) {
        ++i;
        continue;
      }
      blocks.take_out(static_cast<std::uint32_t>(i));
      devices.erase(devices.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (devices == now) return;
    moved += blocks.moved();
    blocks = PairBlocks(now.size());
    devices = now;
  }
};

namespace {

/// The pairs whose rays go to one set of devices, and what comes back.
struct Asked {
  std::vector<std::size_t> pairs;    ///< by their places
  std::vector<DeviceRaySide> sides;  ///< two for each
  DeviceRaysTold told;
};

std::uint64_t key_of(const TrackedPair& pair) noexcept { return reinterpret_cast<std::uintptr_t>(pair.tracker); }

bool ask(std::span<const TrackedPair> pairs, std::vector<TrackedStep>& steps, const RayContactOptions& options,
         ContactBatchData& data, Asked& asked) {
  DeviceSet& set = devices_of(options);
  data.use(set.in_use());
  std::vector<PairWork> work;
  for (const std::size_t i : asked.pairs) {
    PairWork& own = work.emplace_back(PairWork{.pair = key_of(pairs[i])});
    for (const AskedRays& one : steps[i].asked()) {
      own.walks = asked.sides.emplace_back(one.side()).most > 0;
      own.rays += static_cast<double>(one.size());
    }
  }
  const auto owners = data.blocks.assign(data.costs.expect(work));
  SNUG_ASSERT(owners.size() == asked.pairs.size() && asked.sides.size() == 2 * owners.size());
  for (std::size_t s = 0; s < asked.sides.size(); ++s) asked.sides[s].owner = owners[s / 2];
  const bool basic = options.traversal == RayContactOptions::Traversal::basic;
  if (!set.cast({.sides = asked.sides, .basic = basic, .owned = true, .project = projects(options)}, asked.told))
    return false;
  SNUG_ASSERT(asked.told.work.size() == asked.sides.size());
  for (std::size_t s = 0; s < asked.sides.size(); ++s) work[s / 2].work += work_of(asked.told.work[s]);
  data.costs.remember(work);
  return true;
}

}  // namespace

}  // namespace detail

ContactBatch::ContactBatch() : data_(std::make_unique<detail::ContactBatchData>()) {}
ContactBatch::~ContactBatch() = default;
ContactBatch::ContactBatch(ContactBatch&&) noexcept = default;
ContactBatch& ContactBatch::operator=(ContactBatch&&) noexcept = default;

std::uint64_t ContactBatch::moved() const noexcept { return data_->moved + data_->blocks.moved(); }

void ContactBatch::step(std::span<const TrackedPair> pairs, unsigned threads) {
  using namespace detail;
  SNUG_ASSERT(data_ != nullptr && "a ContactBatch is used after it was moved from");
  const auto is_valid = [](const TrackedPair& pair) {
    return are_valid_meshes(*pair.a, pair.pose_a, *pair.b, pair.pose_b);
  };
  if (!std::ranges::all_of(pairs, is_valid)) {
    // Those with an invalid pose or a primitive say so by themselves; the others are asked as if these were not there.
    std::vector<TrackedPair> valid;
    for (const TrackedPair& pair : pairs)
      if (is_valid(pair))
        valid.push_back(pair);
      else
        contacts(*pair.a, pair.pose_a, *pair.b, pair.pose_b, *pair.tracker, *pair.out);
    return step(valid, threads);
  }
  std::vector<TrackedStep> steps;
  steps.reserve(pairs.size());
  for (const TrackedPair& pair : pairs)
    steps.emplace_back(*pair.a, pair.pose_a, *pair.b, pair.pose_b, *pair.tracker, *pair.out);
  for_each_chunk(steps.size(), threads, [&](std::size_t i) { steps[i].begin(); });

  // Those that ask the same devices in the same way as the first; others, if anybody has such, are done by themselves.
  Asked asked;
  const RayContactOptions* options = nullptr;
  constexpr std::size_t k_alone = ~std::size_t{0};
  std::vector<std::size_t> place(pairs.size(), k_alone);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (steps[i].asked().empty()) continue;
    const RayContactOptions& own = pairs[i].tracker->options();
    if (options == nullptr) options = &own;
    if (own.devices != options->devices || own.traversal != options->traversal || own.direction != options->direction)
      continue;
    place[i] = asked.pairs.size();
    asked.pairs.push_back(i);
  }
  const bool told = options != nullptr && ask(pairs, steps, *options, *data_, asked);
  for_each_chunk(steps.size(), threads, [&](std::size_t i) {
    if (told && place[i] != k_alone) {
      steps[i].finish(asked.told, static_cast<std::uint32_t>(2 * place[i]));
      return;
    }
    DeviceRaysTold alone;
    if (place[i] == k_alone && !steps[i].asked().empty() &&
        ask_devices(steps[i].asked(), pairs[i].tracker->options(), alone))
      steps[i].finish(alone, 0);
    else
      steps[i].finish();
  });
}

}  // namespace snug
