#include "chip/walk.hpp"

#include "support/assert.hpp"

#include <algorithm>

namespace snug::chip {

ChipAnswer ask_chip(const DopPair& bodies, const ChipSearch& search, const Watch& watch) {
  ChipAnswer answer;
  const Image image = make_image(bodies, search.configuration, search.axes);
  if (!image.usable) {
    answer.fell_back = "the bodies lie too far apart for words of the chip, or one of them is empty";
    return answer;
  }
  DdrMemory memory(image.words);
  System system(search.configuration, search.structure);
  answer.run = run(system, image.setup, memory, watch);
  answer.row_misses = memory.row_misses(), answer.refreshes = memory.refreshes();
  if (answer.run.overflow) answer.fell_back = "the stack overflowed";
  if (answer.run.error) answer.fell_back = "memory reported an error";
  return answer;
}

std::vector<TrianglePair> confirmed(const std::vector<NumberPair>& hits, const Mesh& a, const Pose& pose_a,
                                    const Mesh& b, const Pose& pose_b) {
  const auto posed = [](const Mesh& mesh, std::uint32_t triangle, const Pose& pose) {
    SNUG_ASSERT(triangle < mesh.triangles().size());
    const Index3& corners = mesh.triangles()[triangle];
    const auto& v = mesh.vertices();
    return Triangle{{pose.apply(v[corners[0]]), pose.apply(v[corners[1]]), pose.apply(v[corners[2]])}};
  };
  std::vector<TrianglePair> pairs;
  for (const NumberPair& hit : hits) {
    const Relation how = relation(posed(a, hit.a, pose_a), posed(b, hit.b, pose_b));
    if (how != Relation::disjoint) pairs.push_back({hit.a, hit.b, how});
  }
  std::ranges::sort(pairs);
  SNUG_ASSERT(std::ranges::adjacent_find(pairs) == pairs.end());
  return pairs;
}

}  // namespace snug::chip

namespace snug {

// Declared by the room that asks for it.
void query::chip_walk(const DopPair& bodies, const DopOptions& options, DopMemory& memory, DopTaker& taker,
                      Stats* stats) {
  using namespace chip;
  const unsigned width = options.search.coefficient_bits + 1;
  const auto off = [&](const Configuration& c) { return c.width > width ? c.width - width : width - c.width; };
  const Configuration& configuration = *std::ranges::min_element(configurations(), {}, off);
  const AxisChoice axes{.axes = options.search.axes, .most_axes = k_most_chip_axes, .go_on = true};
  const chip::Structure structure{.queue = options.search.schedule == DopSearch::Schedule::queue};
  const ChipAnswer answer = ask_chip(bodies, {configuration, structure, axes}, {.cancel = options.cancel});
  if (!answer.fell_back.empty() || answer.run.cancelled) {
    DopOptions processor = options;
    processor.chip = false;
    return dop_walk(bodies, processor, memory, taker, stats);
  }
  memory.most_pending = answer.run.counters.most_waiting;
  if (stats != nullptr) {
    stats->node_pairs += answer.run.counters.dop_tests;
    stats->box_tests += answer.run.counters.axis_tests;
    stats->triangle_tests += answer.run.counters.triangle_tests;
  }
  for (const NumberPair& hit : answer.run.hits)
    if (!taker.take(hit.a, hit.b)) return;
}

}  // namespace snug
