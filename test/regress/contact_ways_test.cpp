#include "scenes/contact_push.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

// Which way contacts push, all of them together: out of the other body, and about as far as it takes.

namespace snug {
namespace {

using scenes::push_of;
using scenes::Random;

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

TEST(ContactWays, OfBeamsEdgeOnEdgeLeadStraightUp) {
  const Shape along(scenes::box({-3, -0.5, -0.5}, {3, 0.5, 0.5})), across(scenes::box({-0.5, -3, -0.5}, {0.5, 3, 0.5}));
  Scratch scratch;
  const auto half = [](double degrees) { return 0.5 * degrees * 3.14159265358979 / 180; };
  const auto height = [&](double degrees) { return 0.5 * (std::cos(2 * half(degrees)) + std::sin(2 * half(degrees))); };
  for (const double p : {2.0, 5.0, 10.0, 20.0, 30.0, 45.0})
    for (const double q : {2.0, 5.0, 10.0, 20.0, 30.0, 45.0}) {
      SCOPED_TRACE(testing::Message() << "rolled by " << p << " and " << q);
      const Pose above = Pose::make({std::cos(half(p)), std::sin(half(p)), 0, 0}, {0, 0, height(p) - 0.02}).value();
      const Pose below = Pose::make({std::cos(half(q)), 0, std::sin(half(q)), 0}, {0, 0, -height(q)}).value();
      const Vec3 push = push_of(contacts(along, above, across, below, scratch).value());
      EXPECT_NEAR(push.z, 0.02, 0.005);
      EXPECT_LT(std::hypot(push.x, push.y), 0.02);
    }
}

TEST(ContactWays, LeadOutOfTheFloorAndOutOfTheWall) {
  // A step, its ledge at y = 2 and its wall at x = 1, and a box on the one and in the other: wider than the step, narrower, as wide.
  const std::pair<double, double> outline[] = {{0, 0}, {3, 0}, {3, 2}, {1, 2}, {1, 4}, {0, 4}};
  const Shape step(scenes::prism(outline, 0, 2));
  Scratch scratch;
  for (const auto& [from, to] : {std::pair(-1.0, 3.0), std::pair(0.5, 1.5), std::pair(0.0, 2.0)})
    for (const double ledge : {0.0, 1e-6, 1e-3, 0.01})
      for (const double wall : {0.05, 0.3}) {
        SCOPED_TRACE(testing::Message() << from << ' ' << ledge << ' ' << wall);
        const Shape box(scenes::box({0, 0, from}, {1, 1, to}));
        const Vec3 push = push_of(contacts(box, translation(1 - wall, 2 - ledge, 0), step, {}, scratch).value());
        EXPECT_GT(push.x, 0.8 * wall);
        EXPECT_LT(push.x, 1.5 * wall);
        EXPECT_NEAR(push.y, ledge, 0.1 * wall);
        EXPECT_NEAR(push.z, 0, 0.3 * wall);
      }
}

TEST(ContactWays, OfPlatesUponEachOtherLeadAcrossThem) {
  const Shape plate(scenes::box({-0.5, -0.5, -0.01}, {0.5, 0.5, 0.01}));
  Scratch scratch;
  for (const double tilt : {0.0, 0.005, 0.01})
    for (const double shift : {0.01, 0.2})
      for (const double sunk : {0.002, 0.01, 0.014, 0.016, 0.019}) {
        SCOPED_TRACE(testing::Message() << tilt << ' ' << shift << ' ' << sunk);
        const Pose pose = Pose::make({1, tilt / 2, 0, 0}, {shift, 0.7 * shift, 0.02 - sunk}).value();
        const Contacts found = contacts(plate, pose, plate, {}, scratch).value();
        ASSERT_TRUE(found.touching());
        for (const Contact& c : found.contacts) {
          // A plate that is tilted and nearly through comes out below at one end.
          EXPECT_GT(tilt > 0 && sunk > 0.015 ? std::abs(c.normal.z) : c.normal.z, 0.9);
          EXPECT_LT(c.depth, 0.03);
        }
      }
}

TEST(ContactWays, OfACardInTheFloorPushItsDeepCornersUp) {
  // Thinner than it is deep, with an edge or one corner sticking out: its corners' rays leave it before they leave the floor. Of two
  // triangles a side, and of many.
  Scratch scratch;
  const Shape floor(scenes::box({-5, -5, -3}, {5, 5, 0})), coarse(scenes::box({-0.5, -0.5, -0.001}, {0.5, 0.5, 0.001}));
  MeshInput input;
  constexpr std::uint32_t k_sides = 12, k_row = k_sides + 1;
  for (const double z : {-0.001, 0.001})
    for (std::uint32_t i = 0; i < k_row * k_row; ++i)
      input.vertices.push_back({double(i % k_row) / k_sides - 0.5, double(i / k_row) / k_sides - 0.5, z});
  const auto quad = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
    input.triangles.push_back({p, q, r});
    input.triangles.push_back({p, r, s});
  };
  constexpr std::uint32_t k_up = k_row * k_row, k_last = k_row * k_sides;
  for (std::uint32_t y = 0; y < k_sides; ++y)
    for (std::uint32_t x = 0; x < k_sides; ++x) {
      const std::uint32_t i = y * k_row + x;
      quad(i, i + k_row, i + k_row + 1, i + 1);
      quad(k_up + i, k_up + i + 1, k_up + i + k_row + 1, k_up + i + k_row);
    }
  for (std::uint32_t i = 0; i < k_sides; ++i) {
    quad(i, i + 1, k_up + i + 1, k_up + i);
    quad(k_last + i + 1, k_last + i, k_up + k_last + i, k_up + k_last + i + 1);
    quad((i + 1) * k_row, i * k_row, k_up + i * k_row, k_up + (i + 1) * k_row);
    quad(i * k_row + k_sides, (i + 1) * k_row + k_sides, k_up + (i + 1) * k_row + k_sides, k_up + i * k_row + k_sides);
  }
  const Shape fine(Mesh::build(std::move(input)).value());
  for (const Shape* const card : {&coarse, &fine})
    for (const double tilt : {0.02, 0.1, 0.3, 0.6})
      for (const double turned : {0.0, 0.4, 0.785})
        for (const double out : {0.02, 0.1, 0.3}) {
          // A corner of a fine mesh that lies just below the surface speaks for all around it.
          if (card == &fine && turned == 0.4) continue;
          SCOPED_TRACE(testing::Message() << (card == &fine) << ' ' << tilt << ' ' << turned << ' ' << out);
          const Pose rolled = compose(rotation({std::cos(turned), std::sin(turned), 0}, tilt), Pose());
          double top = -1, bottom = 1;
          for (const Point3& p : card->mesh().vertices()) {
            top = std::max(top, rolled.apply(p).z);
            bottom = std::min(bottom, rolled.apply(p).z);
          }
          const double sunk = top - out * (top - bottom);
          const Pose pose = Pose::make(rolled.rotation(), {0.3, 0.1, -sunk}).value();
          for (const bool exchanged : {false, true}) {
            const Contacts found = exchanged ? contacts(floor, {}, *card, pose, scratch).value()
                                             : contacts(*card, pose, floor, {}, scratch).value();
            double deepest = 0, lowest = 0;
            for (const Contact& c : found.contacts) {
              EXPECT_GT((exchanged ? -1 : 1) * c.normal.z, 0.8);  // up, or across the card
              deepest = std::max(deepest, c.depth);
              lowest = std::min(lowest, (exchanged ? c.on_b : c.on_a).z);
            }
            EXPECT_GT(deepest, 0.95 * (sunk - bottom));
            EXPECT_LT(deepest, 1.5 * (sunk - bottom));
            EXPECT_NEAR(lowest, bottom - sunk, 0.05 * (sunk - bottom)) << "not told where it is deepest";
          }
        }
}

TEST(ContactWays, OfACubeThroughAPlateLeadOneWay) {
  // It sticks out below by less than it takes to pull it out: the place on the far side must not push it on.
  const Shape cube(scenes::box({-0.5, -0.5, 0}, {0.5, 0.5, 1})), plate(scenes::box({-10, -10, -0.04}, {10, 10, 0}));
  Scratch scratch;
  ContactTracker tracker;
  for (const double sunk : {0.01, 0.03, 0.042, 0.06, 0.1, 0.2, 0.4, 0.5}) {
    const Pose pose = compose(translation(0.31, 0.17, -sunk), rotation({0, 0, 1}, 0.3));
    Contacts tracked;
    contacts(cube, pose, plate, {}, tracker, tracked);
    for (const Contacts& found : {contacts(cube, pose, plate, {}, scratch).value(), tracked}) {
      SCOPED_TRACE(sunk);
      ASSERT_TRUE(found.touching());
      const Vec3 push = push_of(found);
      EXPECT_NEAR(push.z, sunk, 1e-9);
      EXPECT_NEAR(length(push), sunk, 1e-9);
    }
    // Contacts that are left out again were not completed.
    const Contacts found = contacts(cube, pose, plate, {}, scratch).value();
    EXPECT_LE(found.stats.completed, found.contacts.size());
    const Vec3 back = push_of(contacts(plate, {}, cube, pose, scratch).value());
    EXPECT_NEAR(back.z, -sunk, 1e-9);
  }
  // Of a box that lies in a cube but for a corner, that corner is parted soonest by going in: its deep corners must still be told.
  const Shape small(scenes::box({-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25})),
      large(scenes::box({-1, -1, -1}, {1, 1, 1}));
  for (const double turned : {0.02, 0.05, 0.5})
    for (const double out : {1e-9, 1e-6, 1e-4}) {
      SCOPED_TRACE(testing::Message() << "turned by " << turned << ", out by " << out);
      const Pose at_origin = rotation({1, 0.3, 0.2}, turned);
      double top = 0;
      for (const Point3& p : small.mesh().vertices()) top = std::max(top, at_origin.apply(p).z);
      const Pose pose = compose(translation(0.1, 0.2, 1 + out - top), at_origin);
      const Contacts found = contacts(small, pose, large, {}, scratch).value();
      EXPECT_TRUE(std::ranges::any_of(
          found.contacts, [](const Contact& c) { return !c.predicted && c.normal.z > 0.5 && c.depth > 0.1; }));
    }
  // On either side of a peg in a groove that is too narrow both push: neither way parts the other side.
  MeshInput both;
  test::append(both, scenes::box({-1, -1, -1}, {0, 1, 1}));
  test::append(both, scenes::box({0.98, -1, -1}, {2, 1, 1}));
  const Shape walls(Mesh::build(std::move(both)).value()), peg(scenes::box({0, -0.5, -0.5}, {1, 0.5, 0.5}));
  const Contacts held = contacts(peg, translation(-0.005, 0, 0), walls, {}, scratch).value();
  EXPECT_TRUE(std::ranges::any_of(held.contacts, [](const Contact& c) { return !c.predicted && c.normal.x > 0.9; }));
  EXPECT_TRUE(std::ranges::any_of(held.contacts, [](const Contact& c) { return !c.predicted && c.normal.x < -0.9; }));
}

TEST(ContactWays, OfBoxesOnALatticeDoNotDependOnWhichIsTheFirst) {
  // Faces, edges and corners coincide: among contacts that are as good as one another, the same are told, in the same order whichever way
  // rays walk.
  Scratch scratch;
  std::uint64_t met = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(4000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    // Two boxes each.
    const auto body = [&] {
      MeshInput input;
      for (int i = 0; i < 2; ++i) {
        Point3 lo, hi;
        for (double Point3::* const axis : {&Point3::x, &Point3::y, &Point3::z}) {
          lo.*axis = static_cast<double>(random.below(8)) - 4;
          hi.*axis = lo.*axis + 1 + static_cast<double>(random.below(5));
        }
        test::append(input, scenes::box(lo, hi));
      }
      return Shape(Mesh::build(std::move(input)).value());
    };
    const Shape a = body(), b = body();
    // Where equal triangles lie upon each other there is no telling which side is out.
    std::set<std::array<Point3, 3>> triangles;
    const auto sorted = [](const Shape& shape, std::uint32_t t) {
      std::array<Point3, 3> corners = shape.mesh().view().triangle(t).corner;
      std::ranges::sort(corners);
      return corners;
    };
    for (std::uint32_t t = 0; t < 24; ++t) triangles.insert(sorted(a, t));
    bool equal = false;
    for (std::uint32_t t = 0; t < 24; ++t) equal = equal || triangles.contains(sorted(b, t));
    if (equal) continue;
    const Contacts one = contacts(a, {}, b, {}, scratch).value(), other = contacts(b, {}, a, {}, scratch).value();
    using Listed = std::tuple<Vec3, Vec3, Vec3, double, std::uint32_t, std::uint32_t>;
    std::vector<Listed> here, there;
    for (const Contact& c : one.contacts)
      here.emplace_back(c.on_a, c.on_b, c.normal, c.depth, c.triangle_a, c.triangle_b);
    for (const Contact& c : other.contacts)
      there.emplace_back(c.on_b, c.on_a, -c.normal, c.depth, c.triangle_b, c.triangle_a);
    std::ranges::sort(here), std::ranges::sort(there);
    ASSERT_TRUE(here == there);
    RayContactOptions basic{.traversal = RayContactOptions::Traversal::basic};
    ASSERT_EQ(contacts(a, {}, b, {}, scratch, basic).value().contacts, one.contacts);
    met += one.contacts.empty() ? 0 : 1;
  }
  EXPECT_GT(met, test::scaled(4000) / 4);
}

TEST(ContactWays, OfBoxesInAnyPosePartThem) {
  // Convex boxes, sunk in by 0.02 along the best of the 15 ways that part boxes; then a goes where its contacts push it.
  Scratch scratch;
  std::uint64_t compared = 0, far = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto half = [&] { return Vec3{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)}; };
    const Vec3 of_a = half(), of_b = seed % 2 == 0 ? Vec3{2, 2, 0.3} : half();
    const Shape a(scenes::box(-of_a, of_a)), b(scenes::box(-of_b, of_b));
    const Pose pose_b = Pose::make(random.rotation(), {}).value();
    Quaternion turned = random.rotation();
    if (seed % 3 == 1) {  // all but parallel
      const Quaternion q = pose_b.rotation();
      turned = {q.w + random.uniform(-0.02, 0.02), q.x + random.uniform(-0.02, 0.02), q.y, q.z};
    }
    const Pose pose_a = Pose::make(turned, {}).value();
    std::vector<Vec3> axes;
    const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3& u : unit) {
      axes.push_back(pose_a.apply(u)), axes.push_back(pose_b.apply(u));
      for (const Vec3& v : unit) {
        const Vec3 both = cross(pose_a.apply(u), pose_b.apply(v));
        if (length(both) > 1e-6) axes.push_back((1 / length(both)) * both);
      }
    }
    const auto sunk_at = [&](const Vec3& at, Vec3& way) {
      double least = INFINITY;
      for (const Vec3& axis : axes)
        for (const double sign : {1.0, -1.0}) {
          double top = -INFINITY, bottom = INFINITY;
          for (const Point3& p : b.mesh().vertices()) top = std::max(top, sign * dot(axis, pose_b.apply(p)));
          for (const Point3& p : a.mesh().vertices()) bottom = std::min(bottom, sign * dot(axis, pose_a.apply(p) + at));
          if (top - bottom < least) least = top - bottom, way = sign * axis;
        }
      return least;
    };
    Vec3 at = random.point(-1.5, 1.5), way;
    const double first = sunk_at(at, way);
    at = at + (first - 0.02) * way;
    if (const double now = sunk_at(at, way); !(now > 0.015 && now < 0.025)) continue;
    ++compared;
    const Vec3 began = at;
    bool apart = false;
    for (int round = 0; round < 30 && !apart; ++round) {
      const Contacts found = contacts(a, Pose::make(turned, at).value(), b, pose_b, scratch).value();
      apart = !found.touching();
      at = at + 1.001 * push_of(found) + 1e-9 * way;
    }
    EXPECT_TRUE(apart);
    far += length(at - began) > 4 * 0.02 ? 1 : 0;
  }
  EXPECT_GT(compared, test::scaled(1500) / 2);
  EXPECT_LT(100 * far, compared) << far << " of " << compared;
}

TEST(ContactWays, OfARimLeadBackAlongItsSheet) {
  // A cube without its bottom, a centimetre in the ground: no face of it is there, and its walls' rays run under the surface for ever.
  const Mesh cube = scenes::box({-0.5, -0.5, 0}, {0.5, 0.5, 1});
  MeshInput input;
  input.vertices.assign(cube.vertices().begin(), cube.vertices().end());
  for (const Index3& t : cube.triangles())
    if (std::ranges::any_of(t, [&](std::uint32_t v) { return cube.vertices()[v].z > 0.5; }))
      input.triangles.push_back(t);
  const Shape cup(Mesh::build(std::move(input)).value()), ground(scenes::box({-500, -500, -50}, {500, 500, 0}));
  ASSERT_EQ(cup.mesh().triangles().size(), 10U);
  Scratch scratch;
  ContactTracker tracker;
  for (int step = 0; step < 20; ++step) {
    SCOPED_TRACE(step);
    const double sunk = 0.01 + 0.0005 * step;
    const Pose pose = Pose::make({1, 0, 0, 0.1}, {3, 7, -sunk}).value();
    for (const Contacts& found :
         {contacts(cup, pose, ground, {}, scratch).value(), contacts(cup, pose, ground, {}, tracker)}) {
      ASSERT_GE(found.contacts.size(), 4U);
      for (const Contact& c : found.contacts) {
        EXPECT_NEAR(c.normal.z, 1, 1e-9);
        EXPECT_NEAR(c.depth, sunk, 1e-6);
      }
    }
  }
}

TEST(ContactWays, ATrackerTellsHalfTheDepthAtLeast) {
  // A cube that tips over the rim of another, and cubes that sink in slowly: between standard rays nothing deep goes untold.
  const Shape cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  Scratch scratch;
  const auto deepest = [](const Contacts& found) {
    double depth = 0;
    for (const Contact& c : found.contacts) depth = std::max(depth, c.depth);
    return depth;
  };
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Quaternion yaw = rotation({0, 0, 1}, random.uniform(0, 1.5)).rotation();
    const Vec3 axis = random.point(-1, 1), way{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), -1};
    const double turning = random.uniform(0, 0.02), speed = random.uniform(0, 0.006);
    const RayContactOptions automatic, far{.displacement_threshold = 0.2},
        iterative{.rays = RayContactOptions::Rays::iterative},
        both{.rays = iterative.rays, .displacement_threshold = 0.2};
    for (const RayContactOptions& options : {automatic, far, iterative, both}) {
      ContactTracker tracker = ContactTracker::make(options).value();
      for (int step = 0; step < 25; ++step) {
        const Pose turned = compose(rotation(axis, turning * step), Pose::make(yaw, {}).value());
        // Some of them flush at the start.
        const Vec3 above = seed % 2 == 0 ? Vec3{0.1, 0.05, 1.001} : Vec3{0, 0, 0.9999};
        const Pose pose = Pose::make(turned.rotation(), above + (speed * step) * way).value();
        const Pose below = seed % 2 == 0 ? Pose() : Pose::make(yaw, {}).value();
        const double told = deepest(contacts(cube, pose, cube, below, tracker));
        const double there = deepest(contacts(cube, pose, cube, below, scratch).value());
        ASSERT_GE(told, 0.5 * there - 0.005) << step;
      }
    }
  }
}

TEST(ContactWays, OfFlushCubesThatTipAreNotToldLate) {
  // Two of a stack of cubes that touched exactly, as they slip and tip: one corner is told of at first, and the others come in
  // unforeseen.
  struct Placed {
    Quaternion turned;
    Vec3 at;
  };
  const std::pair<Placed, Placed> steps[] = {
      {{{0.9659258, 2.335662e-05, 0.0001044336, 0.2588191}, {0.3, 0.2000047, 0.4997311}},
       {{0.9659258, 7.435932e-05, 0.0001852274, 0.2588191}, {0.3, 0.1999853, 1.499737}}},
      {{{0.9659292, 0.0001141717, 0.0002991218, 0.2588062}, {0.3001934, 0.2000092, 0.4993727}},
       {{0.9659271, -0.0002531395, 0.0001231905, 0.2588143}, {0.300257, 0.1999706, 1.498823}}},
      {{{0.9659349, -2.822937e-05, 9.081389e-05, 0.2587853}, {0.3002146, 0.2001055, 0.4994529}},
       {{0.9659177, 0.0005809375, 0.002326655, 0.2588384}, {0.300512, 0.2000202, 1.495459}}},
      {{{0.9659259, -0.000340263, -0.0003517308, 0.2588182}, {0.299746, 0.2003392, 0.4995973}},
       {{0.9659327, 0.002155398, 0.004940948, 0.2587372}, {0.3011249, 0.2000531, 1.490766}}},
      {{{0.9661958, -0.0006351954, -0.0007287805, 0.2578075}, {0.2989318, 0.2011533, 0.4996693}},
       {{0.9657782, 0.00402282, 0.008372862, 0.2592028}, {0.301992, 0.1996938, 1.484777}}},
      {{{0.9661437, -0.0007053645, -0.0008586444, 0.258002}, {0.2980856, 0.2014409, 0.4996898}},
       {{0.965909, 0.00662514, 0.01272044, 0.2584841}, {0.3020617, 0.2001916, 1.477474}}},
      {{{0.9666434, -0.0009152998, -0.001076892, 0.256122}, {0.2970437, 0.202956, 0.4997439}},
       {{0.9655104, 0.009437024, 0.0177834, 0.2595851}, {0.3021717, 0.1996614, 1.469044}}},
      {{{0.9665094, -0.0008970938, -0.001130809, 0.2566272}, {0.2953995, 0.2035873, 0.4997131}},
       {{0.9656488, 0.01295819, 0.02365226, 0.2584475}, {0.3017621, 0.2004917, 1.459397}}},
  };
  const Shape cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  const auto deepest = [](const Contacts& found) {
    double depth = 0;
    for (const Contact& c : found.contacts) depth = std::max(depth, c.depth);
    return depth;
  };
  Scratch scratch;
  double last = 0;
  ContactTracker tracker = ContactTracker::make({.displacement_threshold = 0.114}).value();
  for (const auto& [a, b] : steps) {
    const Pose pose_a = Pose::make(a.turned, a.at).value(), pose_b = Pose::make(b.turned, b.at).value();
    last = deepest(contacts(cube, pose_a, cube, pose_b, scratch).value());
    EXPECT_GE(deepest(contacts(cube, pose_a, cube, pose_b, tracker)), 0.5 * last - 0.001);
  }
  EXPECT_GT(last, 0.05);
}

}  // namespace
}  // namespace snug
