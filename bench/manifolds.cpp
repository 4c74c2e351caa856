// Contact manifolds beside what is known of each pair: which way, how deep, and whether pushes by them free the body.
// usage: snug-bench manifolds [--csv FILE] [--quick]

#include "bench/measure.hpp"
#include "bench/suites.hpp"
#include "scenes/contact_cases.hpp"
#include "scenes/contact_push.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <snug/snug.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace snug;

/// A pair, and the length of a translation of a that frees it: the shortest one if it is exact.
struct KnownPair {
  Shape a, b;
  Pose pose_a, pose_b;
  double way = 0;
  std::optional<Vec3> shortest;
};

struct Generator {
  std::string name;
  std::uint64_t count, quick;
  std::function<std::optional<KnownPair>(std::uint64_t seed)> pair;
};

std::optional<KnownPair> of_peg(const scenes::PegInHole& peg) {
  const double reach = peg.reach();
  if (reach < 1e-6) return {};
  return KnownPair{peg.peg, peg.hole, peg.pose, {}, reach, {}};
}

/// FCL's own test: a box of 10 x 20 x 30 around the middle of the top of a cube of 100.
KnownPair half_sunk_box(std::uint64_t seed) {
  static const Shape box(scenes::box({-5, -10, -15}, {5, 10, 15})), cube(scenes::box({-50, -50, -50}, {50, 50, 50}));
  const Pose pose = Pose::make(scenes::Random(seed).rotation(), {}).value();
  double lowest = 0;
  for (const Point3& p : box.mesh().vertices()) lowest = std::min(lowest, pose.apply(p).z);
  return {box, cube, pose, translation(0, 0, -50), -lowest, Vec3{0, 0, 1}};
}

std::vector<Generator> generators() {
  return {{"convex bodies", 300000, 2000,
           [](std::uint64_t seed) -> std::optional<KnownPair> {
             const auto pair = scenes::some_convex_pair(seed);
             if (!pair) return {};
             return KnownPair{
                 pair->a, pair->b, pair->pose_a, pair->pose_b, pair->shortest.depth, pair->shortest.normal};
           }},
          {"a box half sunk", 20000, 1000, half_sunk_box},
          {"slivers", 14000, 1000,
           [](std::uint64_t seed) -> std::optional<KnownPair> {
             const auto sliver = scenes::some_sliver(seed);
             if (!sliver) return {};
             return KnownPair{sliver->inner, sliver->outer, sliver->pose, {}, sliver->way, {}};
           }},
          {"pegs", 10000, 300, [](std::uint64_t seed) { return of_peg(scenes::some_peg(seed)); }},
          {"tapered pegs", 10000, 300, [](std::uint64_t seed) { return of_peg(scenes::some_tapered_peg(seed)); }},
          {"tight pegs", 5000, 200, [](std::uint64_t seed) { return of_peg(scenes::some_tight_peg(seed)); }},
          {"lobed shafts", 2000, 100, [](std::uint64_t seed) -> std::optional<KnownPair> {
             const auto shaft = scenes::some_lobed_shaft(seed);
             if (!shaft) return {};
             return KnownPair{shaft->shaft, shaft->hole, shaft->pose, {}, shaft->way.length(), {}};
           }}};
}

constexpr std::array k_pushes{1, 3, 60};

struct Judged {
  std::uint64_t pairs = 0, exact = 0, wrong_way = 0, below_half = 0, above_tenth = 0, above_half = 0;
  std::array<std::uint64_t, k_pushes.size()> left{};  ///< after so many pushes
  double largest = 0;
  std::uint64_t worst = 0;  ///< its seed

  void add(const KnownPair& pair, std::uint64_t seed, const RayContactOptions& options, Scratch& scratch) {
    const Contacts found = contacts(pair.a, pair.pose_a, pair.b, pair.pose_b, scratch, options).value();
    ++pairs;
    const double share = scenes::deepest_of(found) / pair.way;
    above_tenth += share > 1.1 ? 1 : 0, above_half += share > 1.5 ? 1 : 0;
    if (share > largest) largest = share, worst = seed;
    if (pair.shortest) {
      ++exact;
      below_half += share < 0.5 ? 1 : 0;
      const auto deepest = std::ranges::max_element(found.contacts, {}, &Contact::depth);
      wrong_way += deepest == found.contacts.end() || !(deepest->normal.dot(*pair.shortest) > 0) ? 1 : 0;
    }
    const scenes::Pushed pushed =
        scenes::push_out(pair.a, pair.pose_a, pair.b, pair.pose_b, k_pushes.back(), scratch, options);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += !pushed.free || pushed.pushes > k_pushes[i] ? 1 : 0;
  }
  void add(const Judged& o) {
    pairs += o.pairs, exact += o.exact, wrong_way += o.wrong_way, below_half += o.below_half;
    above_tenth += o.above_tenth, above_half += o.above_half;
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += o.left[i];
    if (o.largest > largest) largest = o.largest, worst = o.worst;
  }
};

/// All seeds below `count`, on all cores.
Judged judge(const Generator& generator, std::uint64_t count, const RayContactOptions& options) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<Judged>> parts;
  for (unsigned k = 0; k < threads; ++k)
    parts.push_back(std::async(std::launch::async, [&, k] {
      Judged judged;
      Scratch scratch;
      for (std::uint64_t seed = k; seed < count; seed += threads)
        if (const auto pair = generator.pair(seed)) judged.add(*pair, seed, options, scratch);
      return judged;
    }));
  Judged all;
  for (auto& part : parts) all.add(part.get());
  return all;
}

}  // namespace

namespace snug::bench {

int run_manifolds(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Table table({"bodies", "contacts", "pairs", "wrong way", "below half", "above 1.1", "above 1.5", "largest", "seed",
               "left after 1", "after 3", "after 60"});
  const std::array<RayContactOptions, 3> options{RayContactOptions{.normal = RayContactOptions::Normal::minimum},
                                                 RayContactOptions{.normal = RayContactOptions::Normal::smooth},
                                                 RayContactOptions{.complete = false}};
  const std::array<const char*, 3> names{"minimum", "smooth", "rays"};
  for (const Generator& generator : generators())
    for (std::size_t k = 0; k < options.size(); ++k) {
      const Judged j = judge(generator, arguments.quick ? generator.quick : generator.count, options[k]);
      const auto known = [&](std::uint64_t count) { return j.exact > 0 ? std::to_string(count) : std::string("-"); };
      table.row({generator.name, names[k], std::to_string(j.pairs), known(j.wrong_way), known(j.below_half),
                 std::to_string(j.above_tenth), std::to_string(j.above_half), fixed(j.largest, 3),
                 std::to_string(j.worst), std::to_string(j.left[0]), std::to_string(j.left[1]),
                 std::to_string(j.left[2])});
    }
  return table.print(
             "the deepest contact beside a translation that is known to free the body, and pushes by all contacts",
             arguments)
             ? 0
             : 1;
}

}  // namespace snug::bench
