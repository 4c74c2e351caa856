// How deep primitives are in one another: signed_distance() beside FCL's contact, on the same pairs in the same places. What is proved
// of a depth judges both.
// usage: snug-bench depth [--csv FILE] [--quick]

#include "bench/measure.hpp"
#include "bench/peers/depth_engine.hpp"
#include "bench/suites.hpp"
#include "scenes/random.hpp"

#include <snug/snug.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <string>

namespace {

using namespace snug;
using Kind = Primitive::Kind;
using Clock = std::chrono::steady_clock;

Primitive primitive_of(scenes::Random& random, Kind kind) {
  const double x = random.uniform(0.2, 1), y = random.uniform(0.2, 1), z = random.uniform(0.2, 1);
  switch (kind) {
    case Kind::sphere:
      return Primitive::sphere(x).value();
    case Kind::ellipsoid:
      return Primitive::ellipsoid({x, y, z}).value();
    case Kind::capsule:
      return Primitive::capsule(x, y).value();
    case Kind::box:
      return Primitive::box({x, y, z}).value();
    case Kind::cylinder:
      return Primitive::cylinder(x, y).value();
    case Kind::cone:
      return Primitive::cone(x, y).value();
    case Kind::plane:
      return Primitive::plane({x, y, z}, x - y).value();
    default:
      return Primitive::half_space({x, y, z}, x - y).value();
  }
}

struct DepthTally {
  std::size_t pairs = 0, open = 0, other_answer = 0, too_deep = 0, too_shallow = 0;
  double worst = 0, ours_us = 0, peer_us = 0;
  bool peer = false;

  void compare(const SignedDistance& ours, const bench::PeerDepth& theirs) {
    if (std::isinf(ours.value) || std::abs(ours.value) < 1e-9) return;
    if (theirs.meets != (ours.value < 0)) ++other_answer;
    if (!theirs.meets || ours.value > 0) return;
    constexpr double slack = 1e-6;
    if (theirs.depth > -ours.lower * (1 + slack)) ++too_deep;
    if (theirs.depth < -ours.upper * (1 - slack)) ++too_shallow;
    worst = std::max(worst, std::abs(theirs.depth + ours.value) / -ours.value);
  }
};

double microseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::micro>(Clock::now() - from).count();
}

DepthTally tally_of(Kind kind_a, Kind kind_b, std::size_t count) {
  scenes::Random random(11);
  Scratch scratch;
  DepthTally tally;
  for (std::size_t i = 0; i < count; ++i) {
    const Primitive a = primitive_of(random, kind_a), b = primitive_of(random, kind_b);
    const Shape shape_a(a), shape_b(b);
    const Pose pose_a = random.pose(0.3), pose_b = random.pose(0.3);
    const auto peer = bench::make_fcl_depth(a, b);
    const auto start = Clock::now();
    const SignedDistance ours = signed_distance(shape_a, pose_a, shape_b, pose_b, scratch);
    const double us = microseconds(start);
    if (!(ours.value < 0) || std::isinf(ours.value)) continue;
    ++tally.pairs, tally.ours_us += us;
    tally.open += ours.upper - ours.lower > resolution(shape_a, pose_a, shape_b, pose_b) ? 1 : 0;
    if (peer == nullptr) continue;
    tally.peer = true;
    const auto peer_start = Clock::now();
    const bench::PeerDepth theirs = peer->ask(pose_a, pose_b);
    tally.peer_us += microseconds(peer_start);
    tally.compare(ours, theirs);
  }
  return tally;
}

}  // namespace

namespace snug::bench {

int run_depth(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  constexpr std::array kinds{Kind::sphere,   Kind::ellipsoid, Kind::capsule,    Kind::box,
                             Kind::cylinder, Kind::cone,      Kind::half_space, Kind::plane};
  Table table(
      {"a", "b", "overlapping", "us", "wider than e", "FCL us", "FCL differs", "FCL too deep", "too shallow", "worst"});
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t k = i; k < kinds.size(); ++k) {
      const DepthTally t = tally_of(kinds[i], kinds[k], arguments.quick ? 200 : 3000);
      if (t.pairs == 0) continue;
      const auto pairs = static_cast<double>(t.pairs);
      const auto of_peer = [&](const std::string& text) { return t.peer ? text : std::string("-"); };
      table.row({std::string(to_string(kinds[i])), std::string(to_string(kinds[k])), std::to_string(t.pairs),
                 fixed(t.ours_us / pairs, 1), std::to_string(t.open), of_peer(fixed(t.peer_us / pairs, 1)),
                 of_peer(std::to_string(t.other_answer)), of_peer(std::to_string(t.too_deep)),
                 of_peer(std::to_string(t.too_shallow)), of_peer(fixed(t.worst, 6))});
    }
  return table.print("depth of two primitives, mean us; FCL's depth against what is proved, to 1e-6", arguments) ? 0
                                                                                                                 : 5;
}

}  // namespace snug::bench
