#include "chip/image.hpp"

#include "chip/relative.hpp"
#include "query/pairs/dop/fixed/axes.hpp"
#include "query/pairs/dop/fixed/placement.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::chip {

namespace {

/// Room behind what is there, from a whole record on; returns its address.
std::uint32_t append(Words& words, std::size_t bursts, unsigned record_bursts) {
  SNUG_ASSERT(words.size() % k_burst_words == 0 && record_bursts > 0);
  const std::size_t at = (words.size() / k_burst_words + record_bursts - 1) / record_bursts * record_bursts;
  words.resize((at + bursts) * k_burst_words);
  return static_cast<std::uint32_t>(at);
}

std::uint32_t append_relative(Words& words, const DopRecords& records, unsigned q) {
  const Words own = relative_records(records, q);
  const std::uint32_t address = append(words, own.size() / k_burst_words, relative_record_bursts(q));
  std::ranges::copy(own, words.begin() + static_cast<std::ptrdiff_t>(std::size_t{address} * k_burst_words));
  return address;
}

std::uint32_t append_nodes(Words& words, const DopRecords& records, unsigned record_bursts) {
  SNUG_ASSERT(records.coefficients.size() == 24 * records.links.size());
  SNUG_ASSERT(24 * records.width + 64 <= record_bursts * 8 * k_burst_bytes);
  const std::uint32_t address = append(words, records.links.size() * record_bursts, record_bursts);
  std::uint64_t* record = words.data() + std::size_t{address} * k_burst_words;
  for (std::size_t node = 0; node < records.links.size(); ++node, record += record_bursts * k_burst_words) {
    std::size_t at = 0;
    for (std::size_t j = 0; j < 24; ++j)
      at = put_bits(record, at, static_cast<std::uint64_t>(records.coefficients[24 * node + j]), records.width);
    at = put_bits(record, at, records.links[node].left, 32);
    put_bits(record, at, records.links[node].right, 32);
  }
  return address;
}

std::uint32_t append_triangles(Words& words, const Mesh& mesh, const DopTree& tree, double unit_scale,
                               const fixed::Format& format) {
  const std::size_t count = mesh.triangles().size();
  SNUG_ASSERT(9 * (format.b + 1) <= 8 * k_burst_bytes);
  const std::uint32_t address = append(words, count, 1);
  std::uint64_t* burst = words.data() + std::size_t{address} * k_burst_words;
  for (std::uint32_t t = 0; t < count; ++t, burst += k_burst_words) {
    std::size_t at = 0;
    for (const fixed::Corner& corner : fixed::words_of(mesh, t, tree, unit_scale, format))
      for (const std::int64_t x : corner) at = put_bits(burst, at, static_cast<std::uint64_t>(x), format.b + 1);
  }
  return address;
}

/// Quadrangles instead: four corners in place of three, then whether there is a second triangle.
std::uint32_t append_quads(Words& words, const Mesh& mesh, const QuadTree& quads, double unit_scale,
                           const fixed::Format& format) {
  const unsigned width = format.b + 1;
  SNUG_ASSERT(12 * width + 1 <= 8 * k_burst_bytes);
  const std::uint32_t address = append(words, quads.leaves.size(), 1);
  std::uint64_t* burst = words.data() + std::size_t{address} * k_burst_words;
  for (const Quad& quad : quads.leaves) {
    std::size_t at = 0;
    for (const std::uint32_t vertex : quad.corner)
      for (const std::int64_t x : fixed::corner_of(mesh.vertices()[vertex], quads.tree, unit_scale, format))
        at = put_bits(burst, at, static_cast<std::uint64_t>(x), width);
    put_bits(burst, at, quad.alone() ? 0 : 1, 1);
    burst += k_burst_words;
  }
  return address;
}

}  // namespace

Image make_image(const DopPair& bodies, const Configuration& configuration, const AxisChoice& choice,
                 const Layout& layout) {
  Image image;
  SNUG_ASSERT((layout.quads_a == nullptr) == (layout.quads_b == nullptr));
  SNUG_ASSERT(layout.relative_bits <= k_most_relative_bits);
  if (bodies.tree_a.empty() || bodies.tree_b.empty()) return image;
  const DopFrame frame(bodies.tree_a, bodies.mesh_a.bounds(), bodies.pose_a, bodies.tree_b, bodies.mesh_b.bounds(),
                       bodies.pose_b);
  const fixed::Format format = fixed::Format::of_width(configuration.width);
  const fixed::Scenario scenario(frame, bodies.tree_a, bodies.tree_b, format);
  if (!scenario.usable) return image;

  Setup& setup = image.setup;
  setup.axes = std::clamp(choice.axes, 1U, k_most_chip_axes);
  setup.go_on = choice.go_on;
  const unsigned most = choice.go_on ? std::clamp(choice.most_axes, setup.axes, k_most_chip_axes) : setup.axes;
  for (unsigned i = 0; i < most; ++i) {
    const DopAxis axis = axis_for(frame, axis_order()[i]);
    // Without an offset that is a number, an axis without weights, which separates nothing.
    setup.axis.push_back(axis.offset == axis.offset ? fixed::axis_of(axis, scenario) : fixed::Axis{});
  }
  setup.placement = fixed::placement_of(frame, format);

  const auto nodes = [&](const DopTree& tree, double unit_scale) {
    const DopRecords records = fixed::records_of(tree, unit_scale, scenario);
    return layout.relative_bits != 0 ? append_relative(image.words, records, layout.relative_bits)
                                     : append_nodes(image.words, records, configuration.record_bursts());
  };
  setup.nodes_a = nodes(bodies.tree_a, frame.scale_a);
  setup.nodes_b = nodes(bodies.tree_b, frame.scale_b);
  const auto triangles = [&](const Mesh& mesh, const DopTree& tree, const QuadTree* quads, double unit_scale) {
    return quads != nullptr ? append_quads(image.words, mesh, *quads, unit_scale, format)
                            : append_triangles(image.words, mesh, tree, unit_scale, format);
  };
  setup.triangles_a = triangles(bodies.mesh_a, bodies.tree_a, layout.quads_a, frame.scale_a);
  setup.triangles_b = triangles(bodies.mesh_b, bodies.tree_b, layout.quads_b, frame.scale_b);
  image.usable = true;
  return image;
}

std::vector<NumberPair> triangles_of(const std::vector<NumberPair>& hits, const QuadTree& a, const QuadTree& b) {
  std::vector<NumberPair> out;
  for (const NumberPair& hit : hits) {
    SNUG_ASSERT(hit.a / 2 < a.leaves.size() && hit.b / 2 < b.leaves.size());
    out.push_back({true, a.leaves[hit.a / 2].triangle[hit.a % 2], b.leaves[hit.b / 2].triangle[hit.b % 2]});
    SNUG_ASSERT(out.back().a != k_no_triangle && out.back().b != k_no_triangle);
  }
  return out;
}

ChipRun run(System& system, const Setup& setup, Memory& memory, const Watch& watch) {
  constexpr std::uint64_t k_between = 4096;  // clocks between two looks at the watch
  ChipRun run;
  system.set(setup);
  Inputs begin;
  begin.start = true;
  system.clock(begin);
  SNUG_ASSERT(system.outputs().busy);
  for (std::uint64_t clock = 0;; ++clock) {
    if (clock % k_between == 0 && watch.cancelled()) {
      run.cancelled = true;
      break;
    }
    const Outputs out = system.outputs();
    if (!out.busy) {
      run.overflow = out.overflow, run.error = out.error;
      break;
    }
    if (out.hit_valid) run.hits.push_back({true, out.hit_a, out.hit_b});
    const Inputs in{.request_ready = memory.ready(), .beat = memory.beat()};
    memory.clock(out.request);
    system.clock(in);
  }
  run.counters = system.counters();
  SNUG_ASSERT(run.counters.hits == run.hits.size());
  if (run.cancelled) {
    Inputs reset;
    reset.reset = true;
    system.clock(reset);
  }
  return run;
}

}  // namespace snug::chip
