// The cycle model of the whole chip against a walk without clocks, hand-counted clocks, and a world that misbehaves.

#include "chip/walk.hpp"
#include "query/all_pairs.hpp"
#include "query/pairs/dop/fixed/axes.hpp"
#include "query/pairs/dop/fixed/placement.hpp"
#include "scenes/control_box.hpp"
#include "scenes/worlds.hpp"
#include "support.hpp"
#include "unit/chip_judge.hpp"

#include <snug/chip.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace snug::chip {
namespace {

using scenes::Random;

/// Ready and beats as chance will have it; may report an error with one beat.
class FickleMemory final : public Memory {
 public:
  FickleMemory(const Words& words, std::uint64_t seed, std::uint64_t wrong_beat = ~std::uint64_t{0})
      : contents_(words), random_(seed), wrong_beat_(wrong_beat) {
    roll();
  }
  [[nodiscard]] bool ready() const override { return ready_; }
  [[nodiscard]] Beat beat() const override {
    if (beats_.empty() || !comes_) return {};
    Beat beat = contents_.beat(beats_.front());
    beat.error = beat.error || served_ == wrong_beat_;
    return beat;
  }
  void clock(const Request& request) override {
    if (!beats_.empty() && comes_) beats_.pop_front(), ++served_;
    if (request.valid && ready_)
      for (std::uint64_t i = 0; i < std::uint64_t{request.bursts} * k_burst_beats; ++i)
        beats_.push_back(std::uint64_t{request.address} * k_burst_beats + i);
    roll();
  }

 private:
  void roll() { ready_ = random_.below(3) == 0, comes_ = random_.below(4) != 0; }
  MemoryContents contents_;
  Random random_;
  std::uint64_t wrong_beat_, served_ = 0;
  std::deque<std::uint64_t> beats_;
  bool ready_ = false, comes_ = false;
};

Body triangle_at(double x) {
  MeshInput input;
  input.vertices = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}};
  input.triangles = {{0, 1, 2}};
  return Body(Mesh::build(std::move(input)).value());
}

TEST(ChipSystem, TakesTheClocksCountedByHand) {
  // Section by section of docs/chip-system.md, with memory that answers in the next clock and one axis. Clock 1 asks the stack, 2
  // pops, 3 requests; beats from clock 4 on; then full, one test, the pipe; the same again for triangles; 64 clocks; the end.
  const Body one = triangle_at(0), other = triangle_at(0.25), far = triangle_at(0);
  struct Case {
    unsigned width;
    bool meet;
    std::uint64_t clocks;
  };
  for (const Case& c : {Case{18, true, 97}, Case{18, false, 21}, Case{35, true, 107}, Case{35, false, 31}}) {
    const Pose away = Pose::make({}, {c.meet ? 0.0 : 50.0, 0, 0}).value();
    const Image image =
        make_image(pair_of(one, {}, c.meet ? other : far, away), width(c.width), {.axes = 1, .most_axes = 1});
    ASSERT_TRUE(image.usable);
    SteadyMemory memory(image.words, 1);
    System system(width(c.width));
    const ChipRun result = run(system, image.setup, memory);
    EXPECT_EQ(result.counters.clocks, c.clocks) << "W = " << c.width;
    EXPECT_EQ(result.hits.size(), c.meet ? 1U : 0U);
  }
}

TEST(ChipSystem, LoadsAPairInTheClocksOfThePaper) {
  // "Only 20 clock-cycles" at 35 bits; with one axis and two bursts less, 12 at 18 bits. Memory needs two clocks for that.
  Random random(3);
  const Body a(soup(random, 200, 0.3)), b(soup(random, 200, 0.3));
  for (const unsigned w : {18U, 35U}) {
    const Image image = make_image(pair_of(a, {}, b, {}), width(w), {.axes = 1, .most_axes = 1});
    SteadyMemory memory(image.words, 2);
    System system(width(w), {.triangle_clocks = 1});
    const Counters c = run(system, image.setup, memory).counters;
    const std::uint64_t of_triangles = 12 * c.triangle_tests, of_dops = c.clocks - of_triangles;
    EXPECT_NEAR(static_cast<double>(of_dops) / static_cast<double>(c.dop_tests), w == 18 ? 12 : 20, 0.25) << w;
  }
}

TEST(ChipSystem, FindsWhatAWalkWithoutClocksFinds) {
  const std::uint64_t count = test::scaled(60);
  std::uint64_t overlapping = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Body a(soup(random, 1 + static_cast<unsigned>(random.below(60)), 0.2));
    const Body b(soup(random, 1 + static_cast<unsigned>(random.below(60)), 0.2));
    const Pose pose_a = Pose::make(random.rotation(), random.point(-1, 1)).value();
    const Pose pose_b = Pose::make(random.rotation(), random.point(-1, 1)).value();
    const DopPair bodies = pair_of(a, pose_a, b, pose_b);
    const unsigned widths[] = {8, 12, 14, 18, 35};
    const Configuration configuration = width(widths[random.below(5)]);
    const unsigned axes = 1 + static_cast<unsigned>(random.below(30));
    Judge judge(bodies, a, b, configuration.width, axes);
    overlapping += judge.kept.empty() ? 0 : 1;
    const Image image = make_image(bodies, configuration, {.axes = axes, .most_axes = axes});
    ASSERT_TRUE(image.usable);
    const std::uint64_t bursts = 2 * configuration.record_bursts() * judge.dop_tests + 2 * judge.leaves;
    for (const bool queue : {false, true}) {
      System system(configuration, {.stack_depth = 100000, .queue = queue});
      FickleMemory fickle(image.words, seed);
      DdrMemory ddr(image.words);
      SteadyMemory steady(image.words, 1 + static_cast<unsigned>(random.below(20)));
      for (Memory* memory :
           {static_cast<Memory*>(&fickle), static_cast<Memory*>(&ddr), static_cast<Memory*>(&steady)}) {
        const ChipRun result = run(system, image.setup, *memory);
        EXPECT_FALSE(result.overflow || result.error);
        EXPECT_EQ(numbers(result), judge.kept);
        EXPECT_EQ(result.counters.dop_tests, judge.dop_tests);
        EXPECT_EQ(result.counters.triangle_tests, judge.leaves);
        EXPECT_EQ(result.counters.hits, judge.kept.size());
        EXPECT_EQ(result.counters.bursts, bursts);
      }
    }
    // Testing on can only tell more apart.
    const Image further = make_image(bodies, configuration, {.axes = axes, .most_axes = 64, .go_on = true});
    System system(configuration);
    DdrMemory ddr(further.words);
    const ChipRun result = run(system, further.setup, ddr);
    EXPECT_LE(result.counters.dop_tests, judge.dop_tests);
    for (const Numbers& pair : numbers(result)) EXPECT_TRUE(judge.kept.contains(pair));
  }
  EXPECT_GT(overlapping, count / 4);
}

TEST(ChipSystem, VariantsFindTheSameWithLessTraffic) {
  for (std::uint64_t seed = 0; seed < test::scaled(30); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Body a(soup(random, 40, 0.2)), b(soup(random, 50, 0.2));
    const Pose pose_b = Pose::make(random.rotation(), random.point(-0.3, 0.3)).value();
    const Pose pose_a;
    const DopPair bodies = pair_of(a, pose_a, b, pose_b);
    const unsigned w = random.below(2) == 0 ? 18 : 35, axes = 1 + static_cast<unsigned>(random.below(30));
    Judge judge(bodies, a, b, w, axes);
    const Image image = make_image(bodies, width(w), {.axes = axes, .most_axes = axes});
    const std::uint64_t bursts = 2 * width(w).record_bursts() * judge.dop_tests + 2 * judge.leaves;
    Structure pipes, cache, both, quick;
    pipes.pipes = both.pipes = 1 + static_cast<unsigned>(random.below(24));
    cache.cached_records = both.cached_records = 1 + static_cast<unsigned>(random.below(40));
    quick.triangle_clocks = 1;
    for (const Structure& structure : {pipes, cache, both, quick}) {
      System system(width(w), structure);
      DdrMemory memory(image.words);
      const ChipRun result = run(system, image.setup, memory);
      EXPECT_EQ(numbers(result), judge.kept);
      EXPECT_EQ(result.counters.dop_tests, judge.dop_tests);
      EXPECT_EQ(result.counters.triangle_tests, judge.leaves);
      if (structure.cached_records == 0) {
        EXPECT_EQ(result.counters.bursts, bursts);
      } else if (judge.dop_tests > 100) {
        EXPECT_LT(result.counters.bursts, bursts);
      }
    }
  }
}

TEST(ChipSystem, LosesNothingWhenTheHostIsSlow) {
  Random random(5);
  const Body a(soup(random, 80, 0.3)), b(soup(random, 80, 0.3));
  const Image image = make_image(pair_of(a, {}, b, {}), width(18), {});
  System system(width(18));
  DdrMemory first(image.words), second(image.words);
  const ChipRun quick = run(system, image.setup, first);
  system.set(image.setup);
  Inputs in;
  in.start = true;
  system.clock(in);
  ChipRun slow;
  for (Outputs out = system.outputs(); out.busy; out = system.outputs()) {
    Inputs pins{.request_ready = second.ready(), .beat = second.beat(), .hit_ready = random.below(300) == 0};
    if (out.hit_valid && pins.hit_ready) slow.hits.push_back({true, out.hit_a, out.hit_b});
    second.clock(out.request);
    system.clock(pins);
  }
  EXPECT_EQ(numbers(slow), numbers(quick));
  EXPECT_GT(slow.hits.size(), 10U);
  EXPECT_GT(system.counters().clocks, quick.counters.clocks);
  EXPECT_GT(system.counters().waits_triangle, quick.counters.waits_triangle);
}

TEST(ChipSystem, ReportsErrorsAndOverflowAndWorksAgain) {
  Random random(6);
  const Body a(soup(random, 60, 0.3)), b(soup(random, 60, 0.3));
  const Image image = make_image(pair_of(a, {}, b, {}), width(18), {});
  System system(width(18));
  DdrMemory memory(image.words);
  const ChipRun good = run(system, image.setup, memory);
  ASSERT_FALSE(good.error || good.overflow);
  for (std::uint64_t i = 0; i < test::scaled(100); ++i) {
    SCOPED_TRACE(i);
    FickleMemory fails(image.words, i, random.below(4 * good.counters.bursts));
    const ChipRun failed = run(system, image.setup, fails);
    EXPECT_TRUE(failed.error);
    for (const Numbers& pair : numbers(failed)) EXPECT_TRUE(numbers(good).contains(pair));
    FickleMemory works(image.words, i);
    const ChipRun again = run(system, image.setup, works);
    EXPECT_FALSE(again.error);
    EXPECT_EQ(numbers(again), numbers(good));
    // A reset in the middle, then a new start.
    FickleMemory cut(image.words, i), whole(image.words, i);
    system.set(image.setup);
    Inputs start, reset;
    start.start = reset.reset = true;
    system.clock(start);
    for (std::uint64_t t = random.below(2000); t > 0; --t) {
      const Inputs in{.request_ready = cut.ready(), .beat = cut.beat()};
      cut.clock(system.outputs().request);
      system.clock(in);
    }
    system.clock(reset);
    EXPECT_FALSE(system.outputs().busy || system.outputs().done || system.outputs().request.valid);
    EXPECT_EQ(run(system, image.setup, whole).counters, again.counters) << "as if nothing had been before";
  }
  for (const std::size_t depth : {std::size_t{1}, std::size_t{3}}) {
    System small(width(18), {.stack_depth = depth});
    DdrMemory fresh(image.words);
    const ChipRun run_over = run(small, image.setup, fresh);
    EXPECT_TRUE(run_over.overflow);
    EXPECT_LE(run_over.counters.most_waiting, depth);
  }
}

TEST(ChipSystem, PutsIntoMemoryWhatTheRecordsSay) {
  Random random(7);
  const Body a(soup(random, 30, 0.3)), b(soup(random, 20, 0.1));
  const DopFrame frame(a.tree, a.mesh.bounds(), {}, b.tree, b.mesh.bounds(), {});
  for (const unsigned w : {8U, 18U, 19U, 35U}) {
    const Image image = make_image(pair_of(a, {}, b, {}), width(w), {});
    const fixed::Scenario scenario(frame, a.tree, b.tree, fixed::Format::of_width(w));
    const auto same = [&](const DopTree& tree, double scale, std::uint32_t address) {
      const auto bytes = write_dop_records(fixed::records_of(tree, scale, scenario)).value();
      return std::memcmp(bytes.data() + k_burst_bytes, image.words.data() + std::size_t{address} * k_burst_words,
                         bytes.size() - k_burst_bytes) == 0;
    };
    EXPECT_TRUE(same(a.tree, frame.scale_a, image.setup.nodes_a)) << w;
    EXPECT_TRUE(same(b.tree, frame.scale_b, image.setup.nodes_b)) << w;
  }
}

TEST(ChipSystem, IsADeviceLikeAnyOther) {
  for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape a(soup(random, 50, 0.2)), b(soup(random, 40, 0.3));
    const double far = random.below(4) == 0 ? 1e7 : 1;
    const Pose pose_a = Pose::make(random.rotation(), random.point(-far, far)).value();
    const Pose pose_b = Pose::make(random.rotation(), pose_a.translation() + random.point(-0.5, 0.5)).value();
    Scratch scratch;
    QueryOptions chip{.method = Method::dop_fixed, .device = Device::chip};
    if (random.below(2) == 0) chip.dop.coefficient_bits = chip.dop.mapping_bits = chip.dop.offset_bits = 34;
    if (random.below(4) == 0)
      chip.dop.schedule = DopSearch::Schedule::queue;  // which overflows at times and falls back
    const auto pairs = triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = Method::brute});
    EXPECT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, chip), pairs);
    for (const unsigned threads : {2U, 4U, 8U}) {
      QueryOptions other = chip;
      other.threads = threads;
      other.instructions = threads == 2 ? Instructions::scalar : threads == 4 ? Instructions::sse2 : Instructions::avx2;
      EXPECT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, other), pairs) << threads;
    }
    auto turned = triangle_pairs(b, pose_b, a, pose_a, scratch, chip);
    for (TrianglePair& pair : turned) std::swap(pair.a, pair.b);
    std::ranges::sort(turned);
    EXPECT_EQ(turned, pairs);
    EXPECT_EQ(surface_pairs(a, pose_a, b, pose_b, scratch, chip), surface_pairs(a, pose_a, b, pose_b, scratch));
    EXPECT_EQ(intersects(a, pose_a, b, pose_b, scratch, chip), !pairs.empty());
    for (const std::uint32_t depth : {512U, 2U}) {
      const ChipReport report = chip_pairs(a, pose_a, b, pose_b, scratch, {.stack_depth = depth}).value();
      EXPECT_EQ(report.pairs, pairs);
      EXPECT_EQ(report.fell_back.empty(), depth == 512 || report.most_waiting < 2);
    }
  }
  Scratch scratch;
  Random random(1);
  const Shape some(soup(random, 3, 0.3));
  const auto refused = chip_pairs(some, {}, some, {}, scratch, {.configuration = "w99"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("w99"), std::string::npos);
}

TEST(ChipSystem, CanBeStopped) {
  Random random(2);
  const Shape a(soup(random, 200, 0.3)), b(soup(random, 200, 0.3));
  Scratch scratch;
  CancelToken cancel;
  const ChipReport whole = chip_pairs(a, {}, b, {}, scratch, {.cancel = &cancel}).value();
  EXPECT_FALSE(whole.cancelled);
  ASSERT_GT(whole.pairs.size(), 10U);
  cancel.cancel();
  const ChipReport nothing = chip_pairs(a, {}, b, {}, scratch, {.cancel = &cancel}).value();
  EXPECT_TRUE(nothing.cancelled);
  EXPECT_TRUE(nothing.pairs.empty());
  EXPECT_NE(chip_json(nothing, {}).find("\"cancelled\": true"), std::string::npos);
  // A query always decides: the model gives way to the processor, which counts otherwise.
  const QueryOptions chip{.method = Method::dop_fixed, .device = Device::chip};
  for (const bool stopped : {false, true}) {
    Stats by_chip, by_processor;
    QueryOptions asked = chip, plain = chip;
    asked.stats = &by_chip, plain.stats = &by_processor, plain.device = Device::cpu;
    std::vector<TrianglePair> found;
    query::find_triangle_pairs({{a, {}}, {b, {}}}, scratch, found, asked, stopped ? &cancel : nullptr);
    EXPECT_EQ(found, whole.pairs);
    EXPECT_EQ(triangle_pairs(a, {}, b, {}, scratch, plain), whole.pairs);
    EXPECT_EQ(by_chip.box_tests == by_processor.box_tests, stopped);
  }

  // In the middle, by a memory that asks for it after so many requests: what was found is right, and the chip works again.
  const Body body_a(a.mesh()), body_b(b.mesh());
  const Image image = make_image(pair_of(body_a, {}, body_b, {}), width(18), {});
  class Stopping final : public Memory {
   public:
    Stopping(const Words& words, CancelToken& token) : memory_(words), token_(token) {}
    [[nodiscard]] bool ready() const override { return memory_.ready(); }
    [[nodiscard]] Beat beat() const override { return memory_.beat(); }
    void clock(const Request& request) override {
      if (request.valid && ++requests_ == 2000) token_.cancel();
      memory_.clock(request);
    }

   private:
    DdrMemory memory_;
    CancelToken& token_;
    unsigned requests_ = 0;
  };
  CancelToken later;
  Stopping stopping(image.words, later);
  System system(width(18));
  const ChipRun part = run(system, image.setup, stopping, {.cancel = &later});
  EXPECT_TRUE(part.cancelled);
  EXPECT_FALSE(system.outputs().busy);
  DdrMemory memory(image.words);
  const ChipRun all = run(system, image.setup, memory);
  EXPECT_FALSE(part.hits.empty());
  EXPECT_LT(part.hits.size(), all.hits.size());
  for (const Numbers& pair : numbers(part)) EXPECT_TRUE(numbers(all).contains(pair));
}

/// Real shapes: candidates for each pair that meets, W = 18 and 35, and the stack's room.
TEST(ChipSystem, LeavesFewCandidatesOfRealShapes) {
  struct Case {
    const char* name;
    Mesh mesh;
  };
  const Case cases[] = {{"headlight", scenes::headlight({}).assembly.parts()[0].mesh},
                        {"knot", scenes::knots({.size = 2000}).assembly.parts()[0].mesh}};
  for (const Case& c : cases) {
    const Shape shape(c.mesh);
    double reach = 0;
    for (const Point3& v : c.mesh.vertices()) reach = std::max(reach, std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
    for (const auto& [name, most] : {std::pair{"w18", 3.0}, std::pair{"w35", 1.5}}) {
      Random random(15);
      std::uint64_t candidates = 0, meeting = 0, waiting = 0;
      for (int i = 0; i < 4; ++i) {
        const Pose pose_a = Pose::make(random.rotation(), {}).value();
        const Pose pose_b = Pose::make(random.rotation(), (0.3 * reach) * random.point(-1, 1)).value();
        Scratch scratch;
        const ChipReport report = chip_pairs(shape, pose_a, shape, pose_b, scratch, {.configuration = name}).value();
        ASSERT_EQ(report.fell_back, "");
        ASSERT_EQ(report.pairs, triangle_pairs(shape, pose_a, shape, pose_b, scratch));
        candidates += report.candidates, meeting += report.pairs.size();
        waiting = std::max(waiting, report.most_waiting);
      }
      ASSERT_GT(meeting, 100U);
      const double ratio = static_cast<double>(candidates) / static_cast<double>(meeting);
      std::printf("%s, %s: %.3f candidates for each pair that meets, at most %llu entries of the stack\n", c.name, name,
                  ratio, static_cast<unsigned long long>(waiting));
      EXPECT_LE(ratio, most) << c.name << ' ' << name;
    }
  }
}

/// Parts that touch face to face, where words are short: in sum the bars hold, of single pairs they do not all.
TEST(ChipSystem, LeavesFewCandidatesOfAnAssemblyInSum) {
  const scenes::Scene box = scenes::control_box();
  const auto parts = box.assembly.parts();
  std::vector<Shape> shapes;
  for (const Part& part : parts) shapes.emplace_back(part.mesh);
  for (const auto& [name, most] : {std::pair{"w18", 3.0}, std::pair{"w35", 1.5}}) {
    std::uint64_t candidates = 0, meeting = 0, beyond = 0, of = 0;
    Scratch scratch;
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t k = i + 1; k < parts.size(); ++k) {
        const auto pairs = triangle_pairs(shapes[i], parts[i].pose, shapes[k], parts[k].pose, scratch);
        if (pairs.empty()) continue;
        const ChipReport report =
            chip_pairs(shapes[i], parts[i].pose, shapes[k], parts[k].pose, scratch, {.configuration = name}).value();
        ASSERT_EQ(report.fell_back, "");
        ASSERT_EQ(report.pairs, pairs) << parts[i].path << " / " << parts[k].path;
        candidates += report.candidates, meeting += pairs.size(), ++of;
        beyond += static_cast<double>(report.candidates) > most * static_cast<double>(pairs.size()) ? 1 : 0;
      }
    ASSERT_GT(of, 10U);
    const double ratio = static_cast<double>(candidates) / static_cast<double>(meeting);
    std::printf("control box, %s: %.3f candidates for each pair that meets; beyond %.1f %llu of %llu pairs of parts\n",
                name, ratio, most, static_cast<unsigned long long>(beyond), static_cast<unsigned long long>(of));
    EXPECT_LE(ratio, most) << name;
  }
}

}  // namespace
}  // namespace snug::chip
