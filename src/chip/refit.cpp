#include "chip/refit.hpp"

#include "bvh/dop24/directions.hpp"
#include "bvh/dop24/moved.hpp"
#include "query/pairs/dop/fixed/axes.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace snug::chip {

namespace {

/// A coefficient of the unit is up to so many units above a host's; trees leave twice that of their largest one.
constexpr int k_most_above = 8;
double headroom(unsigned width) noexcept { return 2 * k_most_above * fixed::power_of_two(1 - static_cast<int>(width)); }

constexpr unsigned k_links_in_burst = 8 * k_burst_bytes / 64;

/// All of a tree's, left in the lower half of a word.
std::uint32_t append_links(Words& words, const DopTree& tree) {
  const auto address = static_cast<std::uint32_t>(words.size() / k_burst_words);
  for (const DopLinks& links : tree.links) words.push_back(links.left | std::uint64_t{links.right} << 32);
  words.resize((words.size() + k_burst_words - 1) / k_burst_words * k_burst_words);
  return address;
}

class RefitUnit {
 public:
  RefitUnit(const RefitSetup& setup, const Configuration& configuration, const RefitStructure& structure, Words& words,
            DdrMemory& memory)
      : setup_(setup),
        width_(configuration.width),
        record_bursts_(configuration.record_bursts()),
        structure_(structure),
        words_(words),
        memory_(memory),
        to_ask_(setup.count) {
    SNUG_ASSERT(setup.count > 0 && structure.multipliers > 0);
  }

  RefitCounters run() {
    while (done_ < setup_.count || !memory_.at_rest()) clock();
    // Of the stack, what the root is made of is left: its own DOP.
    SNUG_ASSERT(waiting_.size() == 1 && made_.empty() && fetched_.empty() && expected_.empty());
    return counters_;
  }

 private:
  /// A node whose links, and triangle if it has one, are under way or there.
  struct Fetched {
    std::uint32_t node = 0;
    bool has_links = false, asked_triangle = false, has_triangle = false;
    DopLinks links{};
  };
  /// Beats that will come, in the order in which they were asked for.
  struct Expected {
    std::uint32_t node;
    bool triangle;
    unsigned beats;
  };

  void clock() {
    ++counters_.clocks;
    const bool arrives = memory_.beat().valid;
    const Request request = next_request();
    memory_.clock(request);
    compute();
    if (arrives) take();
  }

  /// Writing goes on until all is written that is there, reading until enough is, so that the bus seldom turns.
  Request next_request() {
    const bool enough = made_.size() >= structure_.together || (to_ask_ == 0 && fetched_.empty() && busy_ == 0);
    writing_ = !made_.empty() && (writing_ || enough);
    if (writing_) {
      if (!memory_.ready_to_write()) return {};
      memory_.write(setup_.nodes + made_.front() * record_bursts_, record_bursts_);
      counters_.bursts_written += record_bursts_;
      made_.pop_front();
      ++done_;
      return {};
    }
    if (!memory_.ready()) return {};
    for (Fetched& node : fetched_)
      if (node.has_links && node.links.leaf() && !node.asked_triangle) {
        node.asked_triangle = true;
        return ask(node.node, true, setup_.triangles + node.links.left);
      }
    if (to_ask_ > 0 && (fetched_.empty() || fetched_.size() + k_links_in_burst <= structure_.ahead)) {
      const std::uint32_t first = (to_ask_ - 1) / k_links_in_burst * k_links_in_burst;
      while (to_ask_ > first) fetched_.push_back({.node = --to_ask_});
      return ask(first, false, setup_.links + first / k_links_in_burst);
    }
    return {};
  }

  Request ask(std::uint32_t node, bool triangle, std::uint32_t address) {
    expected_.push_back({node, triangle, k_burst_beats});
    ++counters_.bursts_read;
    return {true, address, 1};
  }

  void take() {
    SNUG_ASSERT(!expected_.empty());
    Expected& beats = expected_.front();
    if (--beats.beats != 0) return;
    for (Fetched& node : fetched_) {
      if (beats.triangle) {
        node.has_triangle = node.has_triangle || node.node == beats.node;
      } else if (node.node / k_links_in_burst == beats.node / k_links_in_burst) {
        const std::uint64_t both = words_[std::size_t{setup_.links} * k_burst_words + node.node];
        node.has_links = true;
        node.links = {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32)};
      }
    }
    expected_.pop_front();
  }

  [[nodiscard]] std::uint64_t* record_of(std::uint32_t node) {
    return words_.data() + (std::size_t{setup_.nodes} + std::size_t{node} * record_bursts_) * k_burst_words;
  }

  void compute() {
    if (busy_ > 0) {
      if (--busy_ == 0) made_.push_back(computed_);
      return;
    }
    if (fetched_.empty() || made_.size() >= 2 * std::size_t{structure_.together}) return;
    const Fetched& node = fetched_.front();
    if (!node.has_links || (node.links.leaf() && !node.has_triangle)) return;
    DopWords dop;
    if (node.links.leaf()) {
      const std::uint64_t* const burst =
          words_.data() + (std::size_t{setup_.triangles} + node.links.left) * k_burst_words;
      fixed::TriangleWords corners;
      for (std::size_t i = 0; i < 9; ++i) corners[i / 3][i % 3] = get_signed_bits(burst, i * width_, width_);
      dop = refitted_leaf(corners, setup_, width_);
      busy_ = structure_.stages + (24 + structure_.multipliers - 1) / structure_.multipliers;
    } else {
      SNUG_ASSERT(waiting_.size() >= 2);
      // The left child came last.
      dop = waiting_.back();
      waiting_.pop_back();
      for (std::size_t j = 0; j < dop.size(); ++j) dop[j] = std::max(dop[j], waiting_.back()[j]);
      waiting_.pop_back();
      busy_ = 1;
    }
    waiting_.push_back(dop);
    counters_.most_waiting = std::max<std::uint64_t>(counters_.most_waiting, waiting_.size());
    // Written now, told to memory in its turn: nobody reads it in between.
    std::uint64_t* const record = record_of(node.node);
    std::fill_n(record, std::size_t{record_bursts_} * k_burst_words, std::uint64_t{0});
    std::size_t at = 0;
    for (const std::int64_t coefficient : dop)
      at = put_bits(record, at, static_cast<std::uint64_t>(coefficient), width_);
    at = put_bits(record, at, node.links.left, 32);
    put_bits(record, at, node.links.right, 32);
    computed_ = node.node;
    fetched_.pop_front();
  }

  const RefitSetup& setup_;
  unsigned width_, record_bursts_;
  RefitStructure structure_;
  Words& words_;
  DdrMemory& memory_;
  RefitCounters counters_;

  std::uint32_t to_ask_, done_ = 0;
  std::deque<Fetched> fetched_;
  std::deque<Expected> expected_;
  std::vector<DopWords> waiting_;
  unsigned busy_ = 0;  ///< clocks until what is computed can be written
  std::uint32_t computed_ = 0;
  std::deque<std::uint32_t> made_;  ///< nodes that wait to be written
  bool writing_ = false;
};

}  // namespace

DopTree tree_to_refit(const DopTree& tree, const Mesh& moved, unsigned width) {
  DopTree out = moved_dop_tree(tree, moved);
  out.largest *= 1 + headroom(width);
  return out;
}

std::optional<std::array<RefitSetup, 2>> refit_setups(const DopPair& bodies, Image& image,
                                                      const Configuration& configuration) {
  if (!image.usable) return {};
  const fixed::Format format = fixed::Format::of_width(configuration.width);
  const DopFrame frame(bodies.tree_a, bodies.mesh_a.bounds(), bodies.pose_a, bodies.tree_b, bodies.mesh_b.bounds(),
                       bodies.pose_b);
  const fixed::Scenario scenario(frame, bodies.tree_a, bodies.tree_b, format);
  // Where poses round off more than a body is large, there is no headroom.
  const double largest = std::max(bodies.tree_a.largest * frame.scale_a, bodies.tree_b.largest * frame.scale_b);
  const double reached = (largest / (1 + headroom(configuration.width)) + scenario.enlargement) * scenario.scale;
  if (!(reached + k_most_above < fixed::power_of_two(static_cast<int>(format.b)) - 1)) return {};
  RefitSetup common;
  for (std::size_t m = 1; m <= 3; ++m) {
    const double ratio =
        scenario.scale / (fixed::power_of_two(static_cast<int>(format.b)) - 1) / std::sqrt(static_cast<double>(m));
    const double units = ratio * fixed::power_of_two(static_cast<int>(configuration.width) + 4);
    common.up[m] = fixed::rounded_down(units) + 2, common.down[m] = fixed::rounded_down(units) - 1;
    // Each coordinate is off by half a unit at most; 1 is what the shift rounds away.
    const double off = 0.5 * static_cast<double>(m) * ratio + scenario.enlargement * scenario.scale;
    common.add[m] = fixed::rounded_up<std::int64_t>(off + fixed::k_guard) + 1;
  }
  std::array<RefitSetup, 2> setups{common, common};
  setups[0].nodes = image.setup.nodes_a, setups[1].nodes = image.setup.nodes_b;
  setups[0].triangles = image.setup.triangles_a, setups[1].triangles = image.setup.triangles_b;
  setups[0].links = append_links(image.words, bodies.tree_a),
  setups[1].links = append_links(image.words, bodies.tree_b);
  setups[0].count = static_cast<std::uint32_t>(bodies.tree_a.links.size());
  setups[1].count = static_cast<std::uint32_t>(bodies.tree_b.links.size());
  return setups;
}

DopWords refitted_leaf(const fixed::TriangleWords& corners, const RefitSetup& setup, unsigned width) noexcept {
  static constexpr auto k_whole = whole_directions<24>();
  DopWords dop;
  for (std::size_t j = 0; j < dop.size(); ++j) {
    const WholeDirection& d = k_whole[j];
    const auto along = [&](const fixed::Corner& x) { return d.x * x[0] + d.y * x[1] + d.z * x[2]; };
    const std::int64_t sum = std::max({along(corners[0]), along(corners[1]), along(corners[2])});
    const auto m = static_cast<std::size_t>(d.dot(d));
    const auto product = static_cast<fixed::int128>(sum) * (sum < 0 ? setup.down[m] : setup.up[m]);
    dop[j] = static_cast<std::int64_t>(product >> (width + 4)) + setup.add[m];
  }
  return dop;
}

RefitCounters refit(const RefitSetup& setup, const Configuration& configuration, const RefitStructure& structure,
                    Words& words, DdrMemory& memory) {
  return RefitUnit(setup, configuration, structure, words, memory).run();
}

}  // namespace snug::chip
