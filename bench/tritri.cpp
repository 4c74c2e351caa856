// What exactness costs: relation() beside a plain-double test on the same pairs of triangles, interleaved.
// usage: snug-bench tritri [--csv FILE] [--quick]

#include "bench/measure.hpp"
#include "bench/moller.hpp"
#include "bench/suites.hpp"
#include "geometry/exact_sign.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <snug/snug.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace snug;
using scenes::Random;

struct Pair {
  Triangle a, b;
};

Aabb box_of(const Triangle& t) {
  Aabb box;
  for (const Point3& p : t.corner) box.include(p);
  return box;
}

/// Random triangles with overlapping boxes; of these about a third intersect.
std::vector<Pair> random_pairs(std::size_t count) {
  Random random(1);
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    const Pair p{random.triangle(0, 1), random.triangle(0, 1)};
    if (box_of(p.a).overlaps(box_of(p.b))) pairs.push_back(p);
  }
  return pairs;
}

/// What a traversal hands to the triangle test: neighbours with overlapping boxes from two knots through one another.
std::vector<Pair> knot_pairs(std::size_t count) {
  const Mesh knot = scenes::bumpy_knot(330, 9);
  Random random(2);
  std::vector<Pair> pairs;
  std::vector<Point3> posed(knot.vertices().size());
  while (pairs.size() < count) {
    random.pose(0.2).apply(knot.vertices(), posed);
    const TriangleMeshView a = knot.view(), b{posed, knot.triangles()};
    for (std::size_t i = 0; i < a.triangles.size() && pairs.size() < count; i += 1 + random.below(7)) {
      const Triangle t = a.triangle(i);
      const Aabb box = box_of(t);
      for (std::size_t j = 0; j < b.triangles.size() && pairs.size() < count; ++j)
        if (const Triangle u = b.triangle(j); box.overlaps(box_of(u))) pairs.push_back({t, u});
    }
  }
  return pairs;
}

/// Coplanar triangles on a grid: every plane test is exactly zero, the filters never help.
std::vector<Pair> coplanar_pairs(std::size_t count) {
  Random random(3);
  const auto corner = [&] {
    const auto x = static_cast<double>(random.below(64)), y = static_cast<double>(random.below(64));
    return Point3{x, y, 3 * x - 2 * y};
  };
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    const Pair p{{{corner(), corner(), corner()}}, {{corner(), corner(), corner()}}};
    if (box_of(p.a).overlaps(box_of(p.b))) pairs.push_back(p);
  }
  return pairs;
}

/// The same triangles turned into general position, each corner rounded: nearly coplanar, full mantissas.
std::vector<Pair> near_coplanar_pairs(std::size_t count) {
  Random random(4);
  std::vector<Pair> pairs = coplanar_pairs(count);
  const Pose pose = random.pose(100);
  for (Pair& p : pairs)
    for (Triangle* t : {&p.a, &p.b})
      for (Point3& v : t->corner) v = pose.apply(v);
  return pairs;
}

void run(bench::Table& table, const char* name, const std::vector<Pair>& pairs, int rounds) {
  std::size_t exact_hits = 0, plain_hits = 0, differ = 0;
  const std::uint64_t calls_before = geometry::exact_sign_calls();
  for (const Pair& p : pairs) {
    const bool exact = relation(p.a, p.b) != Relation::disjoint, plain = bench::Moller::intersect(p.a, p.b);
    exact_hits += exact ? 1 : 0, plain_hits += plain ? 1 : 0, differ += exact != plain ? 1 : 0;
  }
  const auto exact_calls = static_cast<double>(geometry::exact_sign_calls() - calls_before);

  std::size_t sink = 0;
  const auto times = bench::interleaved(rounds, {[&] {
                                                   for (const Pair& p : pairs)
                                                     sink += relation(p.a, p.b) != Relation::disjoint ? 1 : 0;
                                                 },
                                                 [&] {
                                                   for (const Pair& p : pairs)
                                                     sink += bench::Moller::intersect(p.a, p.b) ? 1 : 0;
                                                 }});
  bench::keep(sink);
  const double n = static_cast<double>(pairs.size());
  table.row({name, std::to_string(pairs.size()), bench::fixed(100.0 * static_cast<double>(exact_hits) / n, 1),
             bench::fixed(1e9 * times[0] / n, 1), bench::fixed(1e9 * times[1] / n, 1),
             bench::fixed(times[0] / times[1], 2), bench::fixed(exact_calls / n, 4), std::to_string(differ)});
}

}  // namespace

int snug::bench::run_tritri(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const std::size_t count = arguments.quick ? 20000 : 200000;
  const int rounds = arguments.quick ? 5 : 21;
  bench::Table table({"pairs", "count", "hits %", "exact ns", "plain ns", "ratio", "exact calls/pair", "plain wrong"});
  run(table, "random", random_pairs(count), rounds);
  run(table, "knots", knot_pairs(count), rounds);
  run(table, "coplanar", coplanar_pairs(count / 10), rounds);
  run(table, "near-coplanar", near_coplanar_pairs(count / 10), rounds);
  return table.print("relation() beside a plain-double interval test; median of interleaved rounds", arguments) ? 0 : 5;
}
