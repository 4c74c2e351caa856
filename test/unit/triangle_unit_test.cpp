// The golden model of the chip's triangle unit: it may keep triangles that do not meet, and never loses some that do.

#include "query/pairs/dop/dop.hpp"
#include "query/pairs/dop/fixed/placement.hpp"
#include "scenes/random.hpp"
#include "scenes/worlds.hpp"
#include "support.hpp"

#include <snug/triangle.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace snug::query::fixed {
namespace {

using scenes::Random;

constexpr std::array<unsigned, 5> k_widths{8, 12, 14, 18, 35};

/// A triangle alone, so that it has a tree of its own.
struct Part {
  Mesh mesh;
  DopTree tree;
  explicit Part(Mesh m) : mesh(std::move(m)), tree(build_dop_tree(mesh)) {}
  [[nodiscard]] Triangle posed(std::uint32_t t, const Pose& pose) const {
    const Index3& c = mesh.triangles()[t];
    const auto& v = mesh.vertices();
    return {{pose.apply(v[c[0]]), pose.apply(v[c[1]]), pose.apply(v[c[2]])}};
  }
};

Part part_of(const std::vector<Triangle>& triangles) {
  std::vector<Point3> vertices;
  std::vector<Index3> indices;
  for (const Triangle& t : triangles) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    indices.push_back({first, first + 1, first + 2});
    vertices.insert(vertices.end(), {t[0], t[1], t[2]});
  }
  MeshInput input;
  input.vertices = std::move(vertices);
  input.triangles = std::move(indices);
  return Part(Mesh::build(std::move(input)).value());
}

struct Bodies {
  const Part &a, &b;
  Pose pose_a, pose_b;
  DopFrame frame;
  Bodies(const Part& first, const Pose& first_pose, const Part& second, const Pose& second_pose)
      : a(first),
        b(second),
        pose_a(first_pose),
        pose_b(second_pose),
        frame(a.tree, a.mesh.bounds(), pose_a, b.tree, b.mesh.bounds(), pose_b) {}

  [[nodiscard]] bool kept(std::uint32_t ta, std::uint32_t tb, unsigned width) const {
    const Format f = Format::of_width(width);
    const Placement placement = placement_of(frame, f);
    if (!placement.usable) return true;
    return may_meet(words_of(a.mesh, ta, a.tree, frame.scale_a, f),
                    placed(words_of(b.mesh, tb, b.tree, frame.scale_b, f), placement, f.c), placement.slack);
  }
  [[nodiscard]] bool meet(std::uint32_t ta, std::uint32_t tb) const {
    return relation(a.posed(ta, pose_a), b.posed(tb, pose_b)) != Relation::disjoint;
  }
};

/// Points of a triangle: corners, points of edges, inner ones.
Point3 point_of(const Triangle& t, Random& random) {
  double u = random.uniform(0, 1), v = random.uniform(0, 1 - u);
  if (random.below(3) == 0) v = 0;
  if (random.below(3) == 0) u = v = 0;
  return t[0] + (u * (t[1] - t[0]) + v * (t[2] - t[0]));
}

/// A few triangles of sizes from 1 to 2^-12, about the same place.
std::vector<Triangle> some_triangles(Random& random) {
  std::vector<Triangle> all{random.triangle(-1, 1)};
  for (unsigned i = 0; i < 3; ++i) {
    const double size = std::ldexp(1.0, -static_cast<int>(random.below(13)));
    const Point3 middle = point_of(all[0], random);
    Triangle t = random.triangle(-size, size);
    if (random.below(6) == 0) t.corner[2] = t.corner[1];  // no area
    if (random.below(6) == 0)
      for (Point3& c : t.corner) c.z = 0;  // along a coordinate
    for (Point3& c : t.corner) c = middle + c;
    all.push_back(t);
  }
  return all;
}

TEST(TriangleUnit, KeepsTrianglesThatMeet) {
  std::array<std::uint64_t, k_widths.size()> dropped{};
  std::uint64_t meeting = 0, touching = 0, apart = 0;
  const std::uint64_t count = test::scaled(40000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Part a = part_of(some_triangles(random)), b = part_of(some_triangles(random));
    const double far = random.below(4) == 0 ? 1e7 : 1;
    const Pose pose_a = Pose::make(random.rotation(), random.point(-far, far)).value();
    const Quaternion turn = random.below(4) == 0 ? pose_a.rotation() : random.rotation();
    // A point of b on a point of a, nearly: off by a little along some direction, or by nothing but rounding.
    const auto ta = static_cast<std::uint32_t>(random.below(4)), tb = static_cast<std::uint32_t>(random.below(4));
    const Pose turned = Pose::make(turn, {}).value();
    const Point3 on_a = point_of(a.posed(ta, pose_a), random), on_b = point_of(b.posed(tb, turned), random);
    const double off = random.below(3) == 0 ? 0 : std::ldexp(1.0, -static_cast<int>(random.below(40)));
    const Pose pose_b = Pose::make(turn, (on_a - on_b) + off * random.point(-1, 1)).value();
    const Bodies bodies(a, pose_a, b, pose_b);
    const bool meet = bodies.meet(ta, tb);
    meeting += meet ? 1 : 0;
    touching += meet && off == 0 ? 1 : 0;
    apart += meet ? 0 : 1;
    for (std::size_t w = 0; w < k_widths.size(); ++w) {
      const bool kept = bodies.kept(ta, tb, k_widths[w]);
      if (meet) {
        ASSERT_TRUE(kept) << "W = " << k_widths[w];
      }
      dropped[w] += kept ? 0 : 1;
    }
  }
  EXPECT_GT(meeting, count / 5);
  EXPECT_GT(touching, count / 20) << "some must meet in about one point for the test to mean something";
  EXPECT_GT(apart, count / 5);
  for (std::size_t w = 1; w < k_widths.size(); ++w)
    EXPECT_GE(dropped[w], dropped[w - 1]) << "wider words keep fewer, over many pairs";
  EXPECT_GT(dropped.back(), apart / 3) << "most gaps are smaller than a unit, but not all";
}

TEST(TriangleUnit, WholeNumbersThatMeetAreKeptWhateverIsAddedWithinTheSlack) {
  // Exact integer triangles are perturbed by as much as the slack allows; the pair must be kept if the exact ones meet.
  std::uint64_t meeting = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(40000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 7000000);
    const auto reach = static_cast<std::int64_t>(std::uint64_t{1} << (3 + random.below(30)));
    const auto slack_bits = static_cast<unsigned>(random.below(5));
    const auto any = [&](std::int64_t limit) {
      return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * limit + 1))) - limit;
    };
    TriangleWords a{}, b{}, a_off{}, b_off{};
    Triangle exact_a, exact_b;
    // A difference of two corners may be off by the slack, a corner by half of it.
    const std::int64_t half = (std::int64_t{1} << slack_bits) / 2;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        a[i][k] = any(reach);
        b[i][k] = random.below(3) == 0 ? a[random.below(i + 1)][k] : any(reach);
        a_off[i][k] = a[i][k] + any(half);
        b_off[i][k] = b[i][k] + any(half);
      }
      exact_a.corner[i] = {static_cast<double>(a[i][0]), static_cast<double>(a[i][1]), static_cast<double>(a[i][2])};
      exact_b.corner[i] = {static_cast<double>(b[i][0]), static_cast<double>(b[i][1]), static_cast<double>(b[i][2])};
    }
    if (relation(exact_a, exact_b) == Relation::disjoint) continue;
    ++meeting;
    ASSERT_TRUE(may_meet(a_off, b_off, slack_bits));
    ASSERT_TRUE(may_meet(b_off, a_off, slack_bits));
  }
  EXPECT_GT(meeting, 500U);
}

TEST(TriangleUnit, CornersOfCubesAreKeptWhenEveryOneIsOffByAsMuchAsTheSlackAllows) {
  // Corners of a grid of 3 x 3 x 3 touch often and have triple products that change most; each is moved as far as it may be.
  // With two ninths of the error, or less, some are lost.
  std::uint64_t meeting = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(80000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 8000000);
    const auto slack_bits = static_cast<unsigned>(1 + random.below(4));
    const std::int64_t half = (std::int64_t{1} << slack_bits) / 2, reach = half << (3 + random.below(12));
    TriangleWords a{}, b{};
    Triangle exact_a, exact_b;
    for (auto [words, exact] : {std::pair{&a, &exact_a}, std::pair{&b, &exact_b}})
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::int64_t& c : (*words)[i]) c = reach * (static_cast<std::int64_t>(random.below(3)) - 1);
        const Corner& c = (*words)[i];
        exact->corner[i] = {static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])};
      }
    if (relation(exact_a, exact_b) == Relation::disjoint) continue;
    ++meeting;
    for (unsigned trial = 0; trial < 8; ++trial) {
      TriangleWords a_off = a, b_off = b;
      for (TriangleWords* words : {&a_off, &b_off})
        for (Corner& corner : *words)
          for (std::int64_t& c : corner) c += random.below(2) == 0 ? half : -half;
      ASSERT_TRUE(may_meet(a_off, b_off, slack_bits));
    }
  }
  EXPECT_GT(meeting, 500U);
}

TEST(TriangleUnit, IsExactForTrianglesInGeneralPosition) {
  // Words of 32 bits whose last three are noise: nothing is near a decision, and nothing may be kept needlessly.
  std::uint64_t meeting = 0;
  const std::uint64_t count = test::scaled(40000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 9000000);
    TriangleWords a{}, b{};
    Triangle exact_a, exact_b;
    for (auto [words, exact] : {std::pair{&a, &exact_a}, std::pair{&b, &exact_b}})
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::int64_t& c : (*words)[i]) c = static_cast<std::int64_t>(random.next()) >> 32;
        const Corner& c = (*words)[i];
        exact->corner[i] = {static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])};
      }
    const bool meet = relation(exact_a, exact_b) != Relation::disjoint;
    meeting += meet ? 1 : 0;
    ASSERT_EQ(may_meet(a, b, 3), meet);
    ASSERT_EQ(may_meet(b, a, 3), meet);
  }
  EXPECT_GT(meeting, count / 20);
}

TEST(TriangleUnit, SlackIsTheLeastThatCoversWordsAndPosing) {
  std::uint64_t enlarged = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(8000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Format f = Format::of_width(k_widths[seed % k_widths.size()]);
    const Part a = part_of({random.triangle(-1, 1)}), b = part_of({random.triangle(-1, 1)});
    const Point3 away = std::ldexp(1.0, static_cast<int>(random.below(28))) * random.point(-1, 1);
    const Bodies bodies(a, Pose::make(random.rotation(), away).value(), b, Pose::make(random.rotation(), away).value());
    const Placement placement = placement_of(bodies.frame, f);
    if (!placement.usable) continue;
    const double units = 2 * 3.87 + bodies.frame.error * (std::ldexp(1.0, static_cast<int>(f.b)) - 1);
    ASSERT_GE(std::ldexp(1.0, static_cast<int>(placement.slack)), units);
    if (placement.slack > 3) {
      ASSERT_LT(std::ldexp(1.0, static_cast<int>(placement.slack) - 1), units);
      ++enlarged;
    }
  }
  EXPECT_GT(enlarged, 50U);
}

TEST(TriangleUnit, WordsKeepTheirWidths) {
  double off = 0, corners = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(8000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const unsigned width = k_widths[seed % k_widths.size()];
    const Format f = Format::of_width(width);
    const Part a = part_of({random.triangle(-1, 1)}), b = part_of({random.triangle(-1, 1)});
    const Quaternion turn = random.below(3) == 0 ? Quaternion{1, 0, 0, 0} : random.rotation();
    const Bodies bodies(a, Pose{}, b, Pose::make(turn, random.point(-3, 3)).value());
    const Placement placement = placement_of(bodies.frame, f);
    if (!placement.usable) continue;
    const auto fits = [](std::int64_t value, unsigned bits) {
      return value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << (bits - 1));
    };
    for (const std::int64_t r : placement.rotation) ASSERT_TRUE(fits(r, width));
    for (const std::int64_t t : placement.translation) ASSERT_TRUE(fits(t, width + 2));
    const TriangleWords words = words_of(b.mesh, 0, b.tree, bodies.frame.scale_b, f);
    const TriangleWords moved = placed(words, placement, f.c);
    const Triangle exact = b.posed(0, bodies.pose_b);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_TRUE(fits(words[i][k], width));
        ASSERT_TRUE(fits(moved[i][k], width + 3));
        // Within the 3.87 units of docs/triangle-unit.md, doubles aside.
        const double unit =
            std::ldexp(1.0, std::max(a.tree.exponent, b.tree.exponent)) / (std::ldexp(1.0, static_cast<int>(f.b)) - 1);
        const double at[] = {exact[i].x, exact[i].y, exact[i].z};
        const double centre[] = {a.tree.centre.x, a.tree.centre.y, a.tree.centre.z};
        const double error = static_cast<double>(moved[i][k]) - (at[k] - centre[k]) / unit;
        ASSERT_LE(std::abs(error), 3.87 + 0.01);
        off += error;
        ++corners;
      }
  }
  EXPECT_NEAR(off / corners, 0, 0.1) << "rounded to nearest, not down";
}

class Counter final : public DopTaker {
 public:
  Counter(const Bodies& bodies, unsigned width) : bodies_(bodies), width_(width) {}
  bool take(std::uint32_t ta, std::uint32_t tb) override {
    const bool is_kept = bodies_.kept(ta, tb, width_), meet = bodies_.meet(ta, tb);
    ++leaves;
    kept += is_kept ? 1 : 0;
    meeting += meet ? 1 : 0;
    lost += meet && !is_kept ? 1 : 0;
    return true;
  }
  std::uint64_t leaves = 0, kept = 0, meeting = 0, lost = 0;

 private:
  const Bodies& bodies_;
  const unsigned width_;
};

TEST(TriangleUnit, LeavesFewCandidatesOfTwoHeadlights) {
  const Part light(scenes::headlight({}).assembly.parts()[0].mesh);
  double reach = 0;
  for (const Point3& v : light.mesh.vertices()) reach = std::max(reach, std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  struct Bar {
    unsigned width;
    double most;
  };
  for (const Bar& bar : {Bar{18, 3.0}, Bar{35, 1.5}}) {
    std::uint64_t kept = 0, meeting = 0, leaves = 0;
    Random random(14);
    for (unsigned i = 0; i < 12; ++i) {
      const double distance = 0.1 * (1 + i % 6);
      Vec3 along = random.point(-1, 1);
      along = (1 / std::sqrt(along.x * along.x + along.y * along.y + along.z * along.z)) * along;
      const Pose pose_a = Pose::make(random.rotation(), {}).value();
      const Bodies bodies(light, pose_a, light, Pose::make(random.rotation(), (distance * reach) * along).value());
      Counter counter(bodies, bar.width);
      DopMemory memory;
      DopOptions options{.search = {}, .fixed = true};
      options.search.axes = 24;
      options.search.coefficient_bits = options.search.mapping_bits = options.search.offset_bits = bar.width - 1;
      Stats stats;
      dop_walk({light.mesh, light.tree, bodies.pose_a, light.mesh, light.tree, bodies.pose_b,
                kernels_for(Instructions::best)},
               options, memory, counter, &stats);
      EXPECT_EQ(counter.lost, 0U) << i;
      kept += counter.kept;
      meeting += counter.meeting;
      leaves += counter.leaves;
    }
    ASSERT_GT(meeting, 1000U);
    const double ratio = static_cast<double>(kept) / static_cast<double>(meeting);
    RecordProperty("w" + std::to_string(bar.width) + "_candidates_per_pair", std::to_string(ratio));
    std::printf("W = %u: %llu leaves, %llu candidates, %llu pairs that meet: %.3f candidates for each\n", bar.width,
                static_cast<unsigned long long>(leaves), static_cast<unsigned long long>(kept),
                static_cast<unsigned long long>(meeting), ratio);
    EXPECT_LE(ratio, bar.most);
  }
}

}  // namespace
}  // namespace snug::query::fixed
