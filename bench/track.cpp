// Moving pairs of parts asked step after step: a tracker beside the same question from scratch, turn by turn, with answers compared.

#include "bench/measure.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/suites.hpp"

#include "scenes/scene.hpp"

#include <snug/snug.hpp>

#include <map>
#include <memory>

namespace snug::bench {

namespace {

enum class Question : std::uint8_t { first, distance, all };
constexpr std::pair<Question, const char*> k_questions[] = {
    {Question::first, "first pair"}, {Question::distance, "distance"}, {Question::all, "all pairs"}};

/// Times one question from scratch and one by a tracker, whoever's turn it is first.
class Pair {
 public:
  Pair(const Shape& a, const Shape& b) : a_(a), b_(b), tracker_(a, b) {}

  double from_scratch_s = 0, tracked_s = 0;
  std::uint64_t questions = 0, differing = 0;

  void ask(Question question, const Pose& pose_a, const Pose& pose_b) {
    ++questions;
    const bool tracker_first = questions % 2 == 0;
    if (tracker_first) track(question, pose_a, pose_b);
    search(question, pose_a, pose_b);
    if (!tracker_first) track(question, pose_a, pose_b);
    differing += meets_ != tracked_meets_ || distance_ != tracked_distance_ || pairs_ != tracked_pairs_;
  }
  [[nodiscard]] const TrackerStats& stats() const { return tracker_.stats(); }

 private:
  /// By the finer clock, unless others had the processor meanwhile.
  template <class F>
  static double seconds(F&& f) {
    const double cpu = pairs::thread_cpu_us(), wall = pairs::wall_us();
    f();
    const double passed = pairs::wall_us() - wall;
    return 1e-6 * std::min(passed, pairs::thread_cpu_us() - cpu);
  }
  void search(Question question, const Pose& pose_a, const Pose& pose_b) {
    from_scratch_s += seconds([&] {
      if (question == Question::first) meets_ = first_pair(a_, pose_a, b_, pose_b, scratch_).has_value();
      if (question == Question::distance) distance_ = snug::distance(a_, pose_a, b_, pose_b, scratch_).value;
      if (question == Question::all) triangle_pairs(a_, pose_a, b_, pose_b, scratch_, pairs_);
    });
  }
  void track(Question question, const Pose& pose_a, const Pose& pose_b) {
    tracked_s += seconds([&] {
      if (question == Question::first) tracked_meets_ = tracker_.first_pair(pose_a, pose_b).has_value();
      if (question == Question::distance) tracked_distance_ = tracker_.distance(pose_a, pose_b).value;
      if (question == Question::all) tracker_.triangle_pairs(pose_a, pose_b, tracked_pairs_);
    });
  }

  const Shape &a_, &b_;
  Scratch scratch_;
  Tracker tracker_;
  bool meets_ = false, tracked_meets_ = false;
  double distance_ = 0, tracked_distance_ = 0;
  std::vector<TrianglePair> pairs_, tracked_pairs_;
};

Aabb box_of(const Shape& shape, const Pose& pose) {
  Aabb box;
  const Aabb& own = shape.bounds();
  for (unsigned corner = 0; corner < 8; ++corner)
    box.include(pose.apply({(corner & 1U) != 0 ? own.hi.x : own.lo.x, (corner & 2U) != 0 ? own.hi.y : own.lo.y,
                            (corner & 4U) != 0 ? own.hi.z : own.lo.z}));
  return box;
}

/// Every pair of parts whose boxes overlap and of which one has moved, at each step.
/// Returns how many answers differ.
[[nodiscard]] std::uint64_t measure(const scenes::Scene& scene, std::size_t steps, Question question, const char* name,
                                    Table& table) {
  std::vector<Shape> shapes;
  for (const Part& part : scene.assembly.parts()) {
    shapes.emplace_back(part.mesh);
    keep(shapes.back().bytes());  // builds its tree
  }
  const std::vector<Motion> motions = scenes::world_motions(scene);
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Pair>> pairs;
  std::vector<Pose> before;
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<Pose> poses;
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      poses.push_back(motions[i].at(scene.duration * double(step) / double(steps - 1)));
      boxes.push_back(box_of(shapes[i], poses[i]));
    }
    for (std::size_t i = 0; i < shapes.size() && !before.empty(); ++i)
      for (std::size_t j = i + 1; j < shapes.size(); ++j) {
        if ((before[i] == poses[i] && before[j] == poses[j]) || !boxes[i].overlaps(boxes[j])) continue;
        auto& pair = pairs[{i, j}];
        if (!pair) pair = std::make_unique<Pair>(shapes[i], shapes[j]);
        pair->ask(question, poses[i], poses[j]);
      }
    before = std::move(poses);
  }
  double scratch_s = 0, tracked_s = 0;
  std::uint64_t questions = 0, differing = 0;
  TrackerStats all;
  for (const auto& [ids, pair] : pairs) {
    scratch_s += pair->from_scratch_s, tracked_s += pair->tracked_s;
    questions += pair->questions, differing += pair->differing;
    all.by_motion += pair->stats().by_motion, all.by_pairs += pair->stats().by_pairs;
    all.searches += pair->stats().searches;
  }
  const auto share = [&](std::uint64_t part) { return fixed(100 * double(part) / double(questions), 0) + " %"; };
  table.row({scene.name, std::to_string(steps), name, std::to_string(questions),
             fixed(1e6 * scratch_s / double(questions), 2), fixed(1e6 * tracked_s / double(questions), 2),
             fixed(scratch_s / tracked_s, 2), share(all.by_motion), share(all.by_pairs), share(all.searches),
             std::to_string(differing)});
  return differing;
}

}  // namespace

int run_track(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Table table({"motion", "steps", "query", "questions", "scratch us", "tracker us", "ratio", "by motion", "by pairs",
               "searches", "differing"});
  std::uint64_t differing = 0;
  for (const char* const name : {"digger", "control-box", "plant", "tool-and-box"}) {
    const scenes::Scene scene = scenes::find(name)->make({});
    for (const std::size_t finer : {1U, 10U}) {
      if (arguments.quick && finer > 1) continue;
      for (const auto& [question, words] : k_questions)
        differing += measure(scene, arguments.quick ? scene.steps / 4 : finer * scene.steps, question, words, table);
    }
  }
  const bool printed = table.print(
      "moving pairs, a tracker beside the same questions from scratch; steps as published and ten times finer",
      arguments);
  return !printed ? 5 : differing == 0 ? 0 : 1;
}

}  // namespace snug::bench
