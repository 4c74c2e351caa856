#include "device/dop_walk.hpp"

#include "device/dop_encode.hpp"

#include <algorithm>

namespace snug::detail {

namespace {

static_assert(SNUG_AXIS_LANES == k_axis_lanes);

/// Level by level: what is found on one is opened on the next. A level too large for the memory there is is divided; what has
/// to wait does so on the host.
template <class Words>
class DeviceWalk {
 public:
  DeviceWalk(Worker& worker, std::span<const DopPair> pairs, std::span<DopWalked> walked, std::uint32_t room)
      : worker_(worker), pairs_(pairs), walked_(walked), room_(std::max({room, 2U, count(pairs.size())})) {}

  DeviceOutcome run(unsigned axes, const fixed::Format& format) {
    if (!send(axes, format)) return DeviceOutcome::does_not_fit;
    for (DopWalked& walked : walked_) walked.leaves.clear(), walked.node_pairs = walked.axis_tests = 0;
    clear_did();
    worker_.run(k_dop_walk_source, Words::k_options, "snug_dop_roots", pairs_.size(), count(pairs_.size()),
                Worker::k_jobs, Worker::k_coefficients, Worker::k_axes, Worker::k_pairs, Worker::k_did);
    read_did();
    std::uint32_t level = worker_.ok() ? did_[SNUG_DOP_PAIRS] : 0;
    if (worker_.ok()) count_level();
    while (worker_.ok() && (level > 0 || !waiting_.empty())) level = level > 0 ? open(level) : next_waiting();
    if (!worker_.ok()) return DeviceOutcome::failed;
    for (DopWalked& walked : walked_)
      std::ranges::sort(walked.leaves, {}, [](const DopNodePair& p) { return std::uint64_t{p.a} << 32 | p.b; });
    return DeviceOutcome::done;
  }

 private:
  using Word = typename Words::Word;
  using Axis = typename Words::Axis;

  static std::uint32_t count(std::size_t n) noexcept { return static_cast<std::uint32_t>(n); }

  bool send(unsigned axes, const fixed::Format& format) {
    const unsigned groups = (axes + k_axis_lanes - 1) / k_axis_lanes;
    const std::size_t axes_of_pair = std::size_t{2 * k_axis_lanes} * groups;
    std::size_t nodes = 0;
    for (const DopPair& pair : pairs_) nodes += pair.tree_a.links.size() + pair.tree_b.links.size();
    const std::size_t coefficient_bytes = 24 * nodes * sizeof(Word),
                      axis_bytes = pairs_.size() * axes_of_pair * sizeof(Axis);
    const std::size_t queue_bytes = room_ * sizeof(SnugDopPair);
    if (nodes >= UINT32_MAX || pairs_.size() * axes_of_pair >= UINT32_MAX) return false;
    if (!worker_.fits(std::max({coefficient_bytes, axis_bytes, queue_bytes, nodes * sizeof(SnugDopNode)})))
      return false;
    const auto jobs = worker_.template host<SnugDopJob>(Worker::k_jobs, pairs_.size());
    SnugDopNode* const node = worker_.template host<SnugDopNode>(Worker::k_nodes, nodes).data();
    Word* const words = worker_.template host<Word>(Worker::k_coefficients, 24 * nodes).data();
    Axis* const axis = worker_.template host<Axis>(Worker::k_axes, pairs_.size() * axes_of_pair).data();
    std::size_t at = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const DopPair& pair = pairs_[i];
      encode_pair<Words>(pair, axes, groups, format, node + at, words + 24 * at, axis + axes_of_pair * i);
      const std::size_t nodes_a = pair.tree_a.links.size();
      jobs[i] = {count(at), count(at + nodes_a), count(axes_of_pair * i), groups};
      at += nodes_a + pair.tree_b.links.size();
    }
    worker_.upload(Worker::k_jobs, jobs.size_bytes());
    worker_.upload(Worker::k_nodes, nodes * sizeof(SnugDopNode));
    worker_.upload(Worker::k_coefficients, coefficient_bytes);
    worker_.upload(Worker::k_axes, axis_bytes);
    for (const Worker::Slot slot : {Worker::k_pairs, Worker::k_next, Worker::k_leaves})
      worker_.reserve(slot, queue_bytes);
    return true;
  }

  void clear_did() {
    did_ = worker_.template host<std::uint32_t>(Worker::k_did, SNUG_DOP_JOBS + 2 * pairs_.size());
    std::ranges::fill(did_, 0U);
    worker_.upload(Worker::k_did, did_.size_bytes());
  }
  void read_did() { worker_.download(Worker::k_did, did_.size_bytes()); }

  void count_level() {
    for (std::size_t i = 0; i < walked_.size(); ++i) {
      walked_[i].node_pairs += did_[SNUG_DOP_JOBS + 2 * i];
      walked_[i].axis_tests += std::uint64_t{k_axis_lanes} * did_[SNUG_DOP_JOBS + 2 * i + 1];
    }
  }

  /// Opens what is in k_pairs; how many are there afterwards.
  std::uint32_t open(std::uint32_t level) {
    clear_did();
    worker_.run(k_dop_walk_source, Words::k_options, "snug_dop_open", level, level, Worker::k_pairs, Worker::k_jobs,
                Worker::k_nodes, Worker::k_coefficients, Worker::k_axes, Worker::k_next, room_, Worker::k_leaves,
                Worker::k_did);
    read_did();
    if (!worker_.ok()) return 0;
    const std::uint32_t found = did_[SNUG_DOP_PAIRS], leaves = did_[SNUG_DOP_LEAVES];
    if (found > room_) {
      // Nothing of this counts. Two pairs at most come of one, so that halves fit sooner or later.
      worker_.download(Worker::k_pairs, level * sizeof(SnugDopPair));
      const auto all = worker_.template host<SnugDopPair>(Worker::k_pairs, level);
      waiting_.emplace_back(all.begin() + level / 2, all.end());
      return level / 2;
    }
    count_level();
    if (leaves > 0) {
      worker_.download(Worker::k_leaves, leaves * sizeof(SnugDopPair));
      if (!worker_.ok()) return 0;
      for (const SnugDopPair& leaf : worker_.template host<SnugDopPair>(Worker::k_leaves, leaves))
        walked_[leaf.job].leaves.push_back({leaf.a, leaf.b});
    }
    worker_.exchange(Worker::k_pairs, Worker::k_next);
    return found;
  }

  std::uint32_t next_waiting() {
    const auto pairs = worker_.template host<SnugDopPair>(Worker::k_pairs, waiting_.back().size());
    std::ranges::copy(waiting_.back(), pairs.begin());
    waiting_.pop_back();
    worker_.upload(Worker::k_pairs, pairs.size_bytes());
    return count(pairs.size());
  }

  Worker& worker_;
  std::span<const DopPair> pairs_;
  std::span<DopWalked> walked_;
  std::uint32_t room_;
  std::span<std::uint32_t> did_;
  std::vector<std::vector<SnugDopPair>> waiting_;
};

}  // namespace

DeviceOutcome walk_on_device(Worker& worker, std::span<const DopPair> pairs, const DopSearch& search,
                             std::span<DopWalked> walked, std::uint32_t room) {
  const unsigned axes = std::clamp(search.axes, 1U, k_most_axes);
  const auto format = fixed::Format::within_limits(search.coefficient_bits, search.mapping_bits, search.offset_bits);
  return format.narrow() ? DeviceWalk<NarrowWords>(worker, pairs, walked, room).run(axes, format)
                         : DeviceWalk<WideWords>(worker, pairs, walked, room).run(axes, format);
}

}  // namespace snug::detail
