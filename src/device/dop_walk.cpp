#include "device/dop_walk.hpp"

#include "device/dop_encode.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::device {

KeptShapes::Needs DopTrees::needs_of(const Worker& /*worker*/, const Shape& shape) const {
  const std::size_t nodes = Access::data(shape).get<DopTree>().links.size();
  return {{Worker::k_kept_nodes, nodes * sizeof(SnugDopNode)}, {Worker::k_kept_dops, nodes * sizeof(Dop24)}};
}

KeptShapes::Sent DopTrees::send(Worker& worker, const std::vector<Shape>& shapes) {
  std::size_t all = nodes_;
  for (const Shape& shape : shapes) all += Access::data(shape).get<DopTree>().links.size();
  if (all >= UINT32_MAX) return Sent::too_many;
  std::vector<SnugDopNode> nodes;
  std::vector<Dop24> dops;
  nodes.reserve(all - nodes_), dops.reserve(all - nodes_);
  std::vector<std::uint32_t> first = first_;
  for (const Shape& shape : shapes) {
    const DopTree& tree = Access::data(shape).get<DopTree>();
    first.push_back(static_cast<std::uint32_t>(nodes_ + nodes.size()));
    for (std::size_t i = 0; i < tree.links.size(); ++i) nodes.push_back(kept_node(tree, i));
    dops.insert(dops.end(), tree.dops.begin(), tree.dops.end());
  }
  SNUG_ASSERT(nodes.size() == all - nodes_ && dops.size() == nodes.size());
  send_behind<SnugDopNode>(worker, Worker::k_kept_nodes, nodes, nodes_);
  send_behind<Dop24>(worker, Worker::k_kept_dops, dops, nodes_);
  if (!worker.ok()) return Sent::failed;
  first_ = std::move(first), nodes_ = all;
  return Sent::done;
}

namespace {

static_assert(SNUG_AXIS_LANES == k_axis_lanes);
static_assert(sizeof(Dop24) == 24 * sizeof(double));

/// Level by level: what is found on one is opened on the next. A level too large for the memory there is is divided; what has
/// to wait does so on the host.
template <class Words>
class DeviceWalk {
 public:
  DeviceWalk(Worker& worker, DopTrees& trees, std::span<const DopPair> pairs, std::span<DopWalked> walked,
             std::uint32_t room)
      : worker_(worker),
        trees_(trees),
        pairs_(pairs),
        walked_(walked),
        room_(std::max(room, 2U)),
        keeps_(worker.info().doubles && std::ranges::all_of(pairs, [](const DopPair& pair) {
                 return pair.shape_a != nullptr && pair.shape_b != nullptr;
               })) {
    SNUG_ASSERT(pairs.size() == walked.size());
  }

  DeviceOutcome run(unsigned axes, const fixed::Format& format, DopPart& part) {
    const DeviceOutcome sent = send(axes, format, part.from_roots ? pairs_.size() : part.level.size());
    if (sent != DeviceOutcome::done) return sent;
    for (DopWalked& walked : walked_) walked.leaves.clear(), walked.node_pairs = walked.axis_tests = 0;
    std::uint32_t level = part.from_roots ? roots() : put(part.level);
    while (worker_.ok() && (level > 0 || !waiting_.empty()) && level < part.enough)
      level = level > 0 ? open(level) : next_waiting();
    SNUG_ASSERT(level <= room_);
    if (worker_.ok() && level > 0) worker_.download(Worker::k_pairs, level * sizeof(SnugDopPair));
    if (!worker_.ok()) return DeviceOutcome::failed;
    const auto left = worker_.template host<SnugDopPair>(Worker::k_pairs, level);
    part.level.assign(left.begin(), left.end());
    for (const auto& some : waiting_) part.level.insert(part.level.end(), some.begin(), some.end());
    for (DopWalked& walked : walked_)
      std::ranges::sort(walked.leaves, {}, [](const DopNodePair& p) { return std::uint64_t{p.a} << 32 | p.b; });
    return DeviceOutcome::done;
  }

 private:
  using Word = typename Words::Word;
  using Axis = typename Words::Axis;

  static std::uint32_t count(std::size_t n) noexcept { return static_cast<std::uint32_t>(n); }
  [[nodiscard]] const char* options() const noexcept { return keeps_ ? Words::k_kept_options : Words::k_options; }
  [[nodiscard]] Worker::Slot rounding() const noexcept { return keeps_ ? Worker::k_scenarios : Worker::k_jobs; }
  [[nodiscard]] Worker::Slot nodes() const noexcept { return keeps_ ? Worker::k_kept_nodes : Worker::k_nodes; }
  [[nodiscard]] Worker::Slot coefficients() const noexcept {
    return keeps_ ? Worker::k_kept_dops : Worker::k_coefficients;
  }

  DeviceOutcome send(unsigned axes, const fixed::Format& format, std::size_t first_level) {
    if (keeps_) {
      std::vector<const Shape*> shapes;
      for (const DopPair& pair : pairs_) shapes.push_back(pair.shape_a), shapes.push_back(pair.shape_b);
      if (const DeviceOutcome brought = trees_.bring(worker_, shapes); brought != DeviceOutcome::done) return brought;
    }
    const unsigned groups = (axes + k_axis_lanes - 1) / k_axis_lanes;
    const std::size_t axes_of_pair = std::size_t{2 * k_axis_lanes} * groups;
    std::size_t nodes = 0;
    for (const DopPair& pair : pairs_)
      if (!keeps_) nodes += pair.tree_a.links.size() + pair.tree_b.links.size();
    if (nodes >= UINT32_MAX || pairs_.size() * axes_of_pair >= UINT32_MAX) return DeviceOutcome::does_not_fit;
    const std::size_t jobs_bytes = pairs_.size() * sizeof(SnugDopJob),
                      scenario_bytes = keeps_ ? pairs_.size() * sizeof(SnugDopScenario) : 0,
                      axis_bytes = pairs_.size() * axes_of_pair * sizeof(Axis),
                      did_bytes = (SNUG_DOP_JOBS + 2 * pairs_.size()) * sizeof(std::uint32_t);
    const auto fits = [&](std::size_t room) {
      const std::size_t queue = room * sizeof(SnugDopPair);
      const Worker::Need needs[] = {{Worker::k_jobs, jobs_bytes},
                                    {Worker::k_scenarios, scenario_bytes},
                                    {Worker::k_axes, axis_bytes},
                                    {Worker::k_did, did_bytes},
                                    {Worker::k_nodes, nodes * sizeof(SnugDopNode)},
                                    {Worker::k_coefficients, 24 * nodes * sizeof(Word)},
                                    {Worker::k_pairs, queue},
                                    {Worker::k_next, queue},
                                    {Worker::k_leaves, queue}};
      return worker_.fits(needs);
    };
    // Shorter queues where memory is short, though none that would do hardly anything at a time.
    const std::size_t least = std::max(first_level, std::size_t{2});
    constexpr std::size_t k_worth = 1024;
    room_ = std::max(room_, count(least));
    while (!fits(room_) && room_ / 2 >= std::max(least, k_worth)) room_ /= 2;
    if (!fits(room_)) return DeviceOutcome::does_not_fit;

    const auto jobs = worker_.template host<SnugDopJob>(Worker::k_jobs, pairs_.size());
    const auto scenarios = worker_.template host<SnugDopScenario>(Worker::k_scenarios, keeps_ ? pairs_.size() : 0);
    SnugDopNode* const node = worker_.template host<SnugDopNode>(Worker::k_nodes, nodes).data();
    Word* const words = worker_.template host<Word>(Worker::k_coefficients, 24 * nodes).data();
    Axis* const axis = worker_.template host<Axis>(Worker::k_axes, pairs_.size() * axes_of_pair).data();
    std::size_t at = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const DopPair& pair = pairs_[i];
      const EncodedPair<Words> encoded(pair, format);
      encoded.axes(axes, groups, axis + axes_of_pair * i);
      const std::size_t nodes_a = pair.tree_a.links.size();
      if (keeps_) {
        scenarios[i] = encoded.scenario();
        jobs[i] = {trees_.first_node(*pair.shape_a), trees_.first_node(*pair.shape_b), count(axes_of_pair * i), groups};
        continue;
      }
      encoded.trees(node + at, words + 24 * at);
      jobs[i] = {count(at), count(at + nodes_a), count(axes_of_pair * i), groups};
      at += nodes_a + pair.tree_b.links.size();
    }
    SNUG_ASSERT(keeps_ || at == nodes);
    worker_.upload(Worker::k_jobs, jobs_bytes);
    worker_.upload(Worker::k_axes, axis_bytes);
    if (keeps_) {
      worker_.upload(Worker::k_scenarios, scenario_bytes);
    } else {
      worker_.upload(Worker::k_nodes, nodes * sizeof(SnugDopNode));
      worker_.upload(Worker::k_coefficients, 24 * nodes * sizeof(Word));
    }
    for (const Worker::Slot slot : {Worker::k_pairs, Worker::k_next, Worker::k_leaves})
      worker_.reserve(slot, room_ * sizeof(SnugDopPair));
    return worker_.ok() ? DeviceOutcome::done : DeviceOutcome::failed;
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

  /// Compares roots; how many pairs are in k_pairs afterwards.
  std::uint32_t roots() {
    clear_did();
    worker_.run(k_dop_walk_source, options(), "snug_dop_roots", pairs_.size(), count(pairs_.size()), Worker::k_jobs,
                rounding(), coefficients(), Worker::k_axes, Worker::k_pairs, Worker::k_did);
    read_did();
    if (!worker_.ok()) return 0;
    count_level();
    return believed(did_[SNUG_DOP_PAIRS], pairs_.size());
  }

  /// Opens what is in k_pairs; how many are there afterwards.
  std::uint32_t open(std::uint32_t level) {
    SNUG_ASSERT(level > 0 && level <= room_);
    clear_did();
    worker_.run(k_dop_walk_source, options(), "snug_dop_open", level, level, Worker::k_pairs, Worker::k_jobs,
                rounding(), nodes(), coefficients(), Worker::k_axes, Worker::k_next, room_, Worker::k_leaves,
                Worker::k_did);
    read_did();
    const std::uint32_t found = believed(did_[SNUG_DOP_PAIRS], std::size_t{2} * level);
    const std::uint32_t leaves = believed(did_[SNUG_DOP_LEAVES], level);
    if (!worker_.ok()) return 0;
    if (found > room_) {
      SNUG_ASSERT(level >= 2);
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
      for (const SnugDopPair& leaf : worker_.template host<SnugDopPair>(Worker::k_leaves, leaves)) {
        if (leaf.job >= walked_.size()) return worker_.fail("a device tells of a pair that there is not"), 0;
        walked_[leaf.job].leaves.push_back({leaf.a, leaf.b});
      }
    }
    worker_.exchange(Worker::k_pairs, Worker::k_next);
    return found;
  }

  /// A number that a device tells, which can not be more than there is.
  std::uint32_t believed(std::uint32_t number, std::size_t most) {
    if (number <= most) return number;
    worker_.fail("a device tells of more pairs than there are");
    return 0;
  }

  std::uint32_t put(const std::vector<SnugDopPair>& level) {
    SNUG_ASSERT(level.size() <= room_);
    const auto pairs = worker_.template host<SnugDopPair>(Worker::k_pairs, level.size());
    std::ranges::copy(level, pairs.begin());
    worker_.upload(Worker::k_pairs, pairs.size_bytes());
    return count(level.size());
  }

  std::uint32_t next_waiting() {
    SNUG_ASSERT(!waiting_.empty());
    const std::vector<SnugDopPair> level = std::move(waiting_.back());
    waiting_.pop_back();
    return put(level);
  }

  Worker& worker_;
  DopTrees& trees_;
  std::span<const DopPair> pairs_;
  std::span<DopWalked> walked_;
  std::uint32_t room_;
  bool keeps_;
  std::span<std::uint32_t> did_;
  std::vector<std::vector<SnugDopPair>> waiting_;
};

}  // namespace

DeviceOutcome walk_on_device(Worker& worker, DopTrees& trees, std::span<const DopPair> pairs, const DopSearch& search,
                             DopPart& part, std::span<DopWalked> walked, std::uint32_t room) {
  const unsigned axes = std::clamp(search.axes, 1U, k_most_axes);
  const auto format = fixed::Format::within_limits(search.coefficient_bits, search.mapping_bits, search.offset_bits);
  return format.narrow() ? DeviceWalk<NarrowWords>(worker, trees, pairs, walked, room).run(axes, format, part)
                         : DeviceWalk<WideWords>(worker, trees, pairs, walked, room).run(axes, format, part);
}

}  // namespace snug::device
