#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

// Bodies of several shells: turned inside out, nested, floating inside one another, crossing themselves.

namespace snug {
namespace {

using scenes::Random;
using Source = Contact::Source;

/// Puts bodies together to one.
class Assembled {
 public:
  Assembled& add(const Mesh& mesh, bool turned = false) {
    test::append(input_, mesh, turned);
    return *this;
  }
  [[nodiscard]] Shape shape() const { return Shape(Mesh::build(MeshInput(input_)).value()); }

 private:
  MeshInput input_;
};

Mesh cube(const Point3& middle, double half) {
  return scenes::box(middle - Vec3{half, half, half}, middle + Vec3{half, half, half});
}

/// Contacts of vertices, by side and number.
std::map<std::pair<int, std::uint32_t>, Contact> by_vertex(const Contacts& found) {
  std::map<std::pair<int, std::uint32_t>, Contact> list;
  for (const Contact& c : found.contacts)
    if (c.source != Source::triangles) list.emplace(std::pair(static_cast<int>(c.source), c.vertex), c);
  return list;
}

TEST(ContactShells, FaceOutEachByItself) {
  // A block with a cavity, a core that floats in that, and a block beside it. Any of the three solids may be turned inside out,
  // a solid with its cavity as a whole: solid is what shells wind around, whichever way.
  const auto body = [](bool block, bool core, bool beside) {
    return Assembled()
        .add(cube({0, 0, 0}, 1), block)
        .add(cube({0, 0, 0}, 0.7), !block)
        .add(cube({0, 0, 0}, 0.4), core)
        .add(cube({2, 0, 0}, 0.6), beside)
        .shape();
  };
  const Shape right = body(false, false, false), probe(scenes::sphere(0.3, 7, 10));
  Scratch scratch;
  std::uint64_t compared = 0;
  for (unsigned turned = 1; turned < 8; ++turned) {
    const Shape other = body((turned & 1) != 0, (turned & 2) != 0, (turned & 4) != 0);
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
      SCOPED_TRACE(testing::Message() << turned << " seed " << seed);
      Random random(seed);
      const Pose pose = Pose::make(random.rotation(), {random.uniform(-1, 2.5), 0.1, random.uniform(-1, 1)}).value();
      const Contacts one = contacts(probe, pose, right, {}, scratch, {.complete = false}).value();
      const Contacts same = contacts(probe, pose, other, {}, scratch, {.complete = false}).value();
      ASSERT_EQ(one.touching(), same.touching());
      const auto expected = by_vertex(one), found = by_vertex(same);
      ASSERT_EQ(expected.size(), found.size());
      for (const auto& [vertex, c] : expected) {
        ASSERT_TRUE(found.contains(vertex));
        const Contact& d = found.at(vertex);
        ASSERT_NEAR(c.depth, d.depth, 1e-9);
        const Vec3 apart = c.normal - d.normal;
        ASSERT_LT(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z, 1e-18);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, test::scaled(60) * 10);
}

TEST(ContactShells, CavitiesPushInwards) {
  // A box within a cavity, a centimetre in its wall; the body as it should be, and turned inside out as a whole.
  const Shape probe(cube({0, 0, 0}, 0.1));
  Scratch scratch;
  for (const bool turned : {false, true}) {
    const Shape hollow = Assembled().add(cube({0, 0, 0}, 1), turned).add(cube({0, 0, 0}, 0.7), !turned).shape();
    const Contacts found = contacts(probe, translation(0.61, 0.1, 0.2), hollow, {}, scratch).value();
    ASSERT_EQ(found.contacts.size(), 4U);
    for (const Contact& c : found.contacts) {
      EXPECT_EQ(c.normal, (Vec3{-1, 0, 0}));
      EXPECT_NEAR(c.depth, 0.01, 1e-9);
    }
  }
}

TEST(ContactShells, OneTurnedInsideOutBesideALargerOnePushesOut) {
  const Shape both =
      Assembled().add(scenes::box({0, 0, 0}, {10, 10, 10})).add(scenes::box({20, 0, 0}, {22, 2, 2}), true).shape();
  const Shape probe(scenes::box({18.5, 0.5, 0.5}, {20.5, 1.5, 1.5}));
  Scratch scratch;
  const Contacts found = contacts(probe, {}, both, {}, scratch).value();
  ASSERT_EQ(found.contacts.size(), 4U);
  for (const Contact& c : found.contacts) {
    EXPECT_EQ(c.normal, (Vec3{-1, 0, 0}));
    EXPECT_NEAR(c.depth, 0.5, 1e-12);
  }
}

TEST(ContactShells, OpenOnesFaceAsTheyTurn) {
  // The inside of a bowl, open above: it faces inwards and upwards, and a ball in it is pushed up.
  const Mesh whole = scenes::sphere(1, 16, 24);
  MeshInput input;
  input.vertices.assign(whole.vertices().begin(), whole.vertices().end());
  for (const Index3& t : whole.triangles())
    if (std::ranges::all_of(t, [&](std::uint32_t v) { return whole.vertices()[v].z < 0.1; }))
      input.triangles.push_back({t[0], t[2], t[1]});
  const Shape bowl(Mesh::build(std::move(input)).value()), ball(scenes::sphere(0.3, 12, 18));
  Scratch scratch;
  const Contacts found = contacts(ball, translation(0, 0, -0.75), bowl, {}, scratch).value();
  ASSERT_TRUE(found.touching());
  for (const Contact& c : found.contacts) EXPECT_GT(c.normal.z, 0.5);
}

TEST(ContactShells, ThatFloatInsideAreToldWhateverElseMeets) {
  const Shape block(scenes::box({0, 0, 0}, {10, 10, 10}));
  const Mesh crossing = scenes::box({-1, 4, 4}, {1, 6, 6});
  const Shape some = Assembled().add(crossing).add(cube({5, 5, 7}, 0.1)).add(cube({4, 5, 5}, 0.1)).shape();
  const Shape floating = Assembled().add(cube({5, 5, 7}, 0.1)).add(cube({4, 5, 5}, 0.1)).shape();
  Scratch scratch;
  for (const Shape* const body : {&some, &floating})
    for (const bool exchanged : {false, true}) {
      const Contacts found =
          exchanged ? contacts(block, {}, *body, {}, scratch).value() : contacts(*body, {}, block, {}, scratch).value();
      // The nearest way out for each of them as a whole, by the four corners that come out last.
      std::size_t up = 0, aside = 0;
      for (const Contact& c : found.contacts) {
        const Point3& own = exchanged ? c.on_b : c.on_a;
        if (own.x < 2) continue;
        const Vec3 way = exchanged ? -c.normal : c.normal;
        EXPECT_NEAR(c.depth, own.z > 6 ? 3.1 : 4.1, 1e-9);
        EXPECT_EQ(way, (own.z > 6 ? Vec3{0, 0, 1} : Vec3{-1, 0, 0}));
        ++(own.z > 6 ? up : aside);
      }
      EXPECT_EQ(up, 4U);
      EXPECT_EQ(aside, 4U);
      EXPECT_EQ(found.contacts.size() > 8, body == &some);
    }
  // Those in a cavity are outside.
  const Shape hollow = Assembled().add(scenes::box({0, 0, 0}, {10, 10, 10})).add(cube({5, 5, 6}, 3), true).shape();
  for (const Contacts told = contacts(some, {}, hollow, {}, scratch).value(); const Contact& c : told.contacts)
    EXPECT_LT(c.on_a.x, 2);
  EXPECT_FALSE(contacts(floating, {}, hollow, {}, scratch).value().touching());
}

TEST(ContactShells, InsideAnotherArePushedOutAsAWholeTheNearestWay) {
  // Boxes in any pose within a box in any pose. The judge: the face beyond which all corners are soonest, by their distances from its
  // plane.
  Scratch scratch;
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 half{random.uniform(0.01, 0.5), random.uniform(0.01, 0.5), random.uniform(0.001, 0.5)};
    const Shape inner(scenes::box(-half, half)), outer(scenes::box({-2, -3, -4}, {2, 3, 4}));
    const Pose frame = Pose::make(random.rotation(), random.point(-5, 5)).value();
    const Pose within =
        Pose::make(random.rotation(), {random.uniform(-1.1, 1.1), random.uniform(-2, 2), random.uniform(-3, 3)})
            .value();
    const Pose pose = compose(frame, within);
    double shortest = 1e300;
    Vec3 way;
    for (int face = 0; face < 6; ++face) {
      const Vec3 normal{face / 2 == 0 ? 1 - 2.0 * (face % 2) : 0, face / 2 == 1 ? 1 - 2.0 * (face % 2) : 0,
                        face / 2 == 2 ? 1 - 2.0 * (face % 2) : 0};
      double needed = 0;
      for (const Point3& v : inner.mesh().vertices()) {
        const Point3 p = within.apply(v);
        needed = std::max(needed, 2.0 + face / 2 - (normal.x * p.x + normal.y * p.y + normal.z * p.z));
      }
      if (needed < shortest) shortest = needed, way = frame.apply(normal) - frame.translation();
    }
    const Contacts found = contacts(inner, pose, outer, frame, scratch).value();
    ASSERT_GE(found.contacts.size(), 3U);
    double deepest = 0;
    for (const Contact& c : found.contacts) {
      deepest = std::max(deepest, c.depth);
      const Vec3 apart = c.normal - way;
      ASSERT_LT(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z, 1e-20);
    }
    ASSERT_NEAR(deepest, shortest, 1e-9);
    const Pose out = Pose::make(pose.rotation(), pose.translation() + 1.001 * deepest * way).value();
    ASSERT_FALSE(contacts(inner, out, outer, frame, scratch).value().touching());
    // Exchanged, by a tracker, and without a tree.
    Contacts turned = contacts(outer, frame, inner, pose, scratch).value();
    ASSERT_EQ(turned.contacts.size(), found.contacts.size());
    for (std::size_t i = 0; i < found.contacts.size(); ++i) {
      const Contact &c = found.contacts[i], &d = turned.contacts[i];
      ASSERT_EQ(c.depth, d.depth);
      ASSERT_EQ(c.normal, -d.normal);
      ASSERT_EQ(c.on_a, d.on_b);
    }
    ContactTracker tracker;
    ASSERT_EQ(contacts(inner, pose, outer, frame, tracker).contacts, found.contacts);
    RayContactOptions basic{.traversal = RayContactOptions::Traversal::basic};
    ASSERT_EQ(contacts(inner, pose, outer, frame, scratch, basic).value().contacts, found.contacts);
  }
}

TEST(ContactShells, InsideAnotherAreToldAtAllTheirCorners) {
  // A card a hair's breadth to some decimetres below the top of a floor, flat and tilted: four corners, each as deep as it is.
  const Shape card(scenes::box({-0.5, -0.5, -0.001}, {0.5, 0.5, 0.001})), floor(scenes::box({-5, -5, -1}, {5, 5, 0}));
  Scratch scratch;
  for (const double below : {0.0011, 0.01, 0.2, 0.3})
    for (const double tilt : {0.0, 0.001, 0.3}) {
      SCOPED_TRACE(testing::Message() << below << ' ' << tilt);
      const Pose pose = Pose::make({1, tilt * below, 0, 0}, {1, 2, -below - 1.1 * tilt * below}).value();
      const Contacts found = contacts(card, pose, floor, {}, scratch, {.reduce = true}).value();
      ASSERT_EQ(found.contacts.size(), 4U);
      for (const Contact& c : found.contacts) {
        EXPECT_NEAR((c.normal - Vec3{0, 0, 1}).length(), 0, 1e-15);
        EXPECT_NEAR(c.depth, -c.on_a.z, 1e-12);
      }
    }
  // A ball within a ball: the way leads out where they are nearest.
  const Shape ball(scenes::sphere(0.2, 12, 16)), around(scenes::sphere(2, 24, 32));
  const Contacts found = contacts(ball, translation(0.9, 0.8, 0.9), around, {}, scratch).value();
  ASSERT_GE(found.contacts.size(), 4U);
  for (const Contact& c : found.contacts) {
    EXPECT_GT((0.9 * c.normal.x + 0.8 * c.normal.y + 0.9 * c.normal.z) / std::sqrt(0.81 + 0.64 + 0.81), 0.98);
    EXPECT_LT(c.depth, 0.75);
  }
}

TEST(ContactShells, NestedOnesOfOneBodyDoNotMeet) {
  // A crossing elsewhere in the body changes nothing about them.
  const auto nested = [] { return Assembled().add(cube({12, 2, 2}, 2)).add(cube({12, 2, 2}, 1)); };
  Scratch scratch;
  EXPECT_TRUE(self_contacts(nested().shape(), scratch).value().contacts.empty());
  const Shape more = nested().add(cube({0, 0, 0}, 1)).add(scenes::box({-0.5, -0.4, 0.9}, {0.6, 0.5, 2})).shape();
  const Contacts found = self_contacts(more, scratch).value();
  EXPECT_TRUE(found.touching());
  for (const Contact& c : found.contacts) {
    EXPECT_LT(c.on_a.x, 5);
    EXPECT_NEAR(c.depth, 0.1, 1e-9);
  }
}

TEST(ContactShells, FlushOnesOfOneBodyOverlapAsDeepAsTheyDo) {
  const Shape flush =
      Assembled().add(scenes::box({0, 0, 0}, {1, 1, 1})).add(scenes::box({0, 0, 0.9}, {1, 1, 2})).shape();
  Scratch scratch;
  double deepest = 0;
  for (const Contacts told = self_contacts(flush, scratch).value(); const Contact& c : told.contacts)
    deepest = std::max(deepest, c.depth);
  EXPECT_NEAR(deepest, 0.1, 1e-9);
}

TEST(ContactShells, ADeformedBodyHasTheContactsOfANewOne) {
  // Boxes whose corners are put anywhere, so that they cross themselves.
  const Mesh rest = scenes::box({-1, -1, -1}, {1, 1, 1});
  const Shape base(rest), probe(scenes::box({-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}));
  Scratch scratch;
  std::uint64_t crossing = 0, told = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Point3> vertices(rest.vertices().begin(), rest.vertices().end());
    for (Point3& p : vertices) p = seed % 4 == 0 ? p + 0.4 * random.point(-1, 1) : random.point(-1, 1);
    MeshInput input;
    input.vertices = vertices;
    input.triangles.assign(rest.triangles().begin(), rest.triangles().end());
    // Else they would be found anew, by crease angle.
    input.surfaces.assign(rest.surfaces().begin(), rest.surfaces().end());
    for (std::uint32_t t = 0; t < input.triangles.size(); ++t) input.surface_of_triangle.push_back(rest.surface_of(t));
    const Shape fresh(Mesh::build(std::move(input)).value()), deformed = base.updated(std::move(vertices)).value();
    const Pose pose = Pose::make(random.rotation(), random.point(-1.2, 1.2)).value();
    Contacts one;
    for (const bool complete : {true, false}) {
      RayContactOptions how{.complete = complete};
      one = contacts(probe, pose, fresh, {}, scratch, how).value();
      ASSERT_EQ(one.contacts, contacts(probe, pose, deformed, {}, scratch, how).value().contacts);
      how.traversal = RayContactOptions::Traversal::basic;
      ASSERT_EQ(one.contacts, contacts(probe, pose, fresh, {}, scratch, how).value().contacts);
    }
    // A vertex that is outside has no contact.
    std::vector<Point3> posed(probe.mesh().vertices().size());
    pose.apply(probe.mesh().vertices(), posed);
    for (const Contact& c : one.contacts) {
      if (c.source == Source::triangles) continue;
      const bool of_a = c.source == Source::vertex_of_a;
      const auto side =
          of_a ? locate(c.on_a, fresh.mesh().view()).side : locate(c.on_b, {posed, probe.mesh().triangles()}).side;
      ASSERT_NE(side, Side::outside);
      ++told;
    }
    crossing += intersects_itself(fresh, scratch) ? 1 : 0;
  }
  EXPECT_GT(crossing, test::scaled(1500) / 4);
  EXPECT_GT(told, test::scaled(1500) / 10);
}

/// Its tips at distance 1 along the axes.
Mesh octahedron() {
  MeshInput input;
  input.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  input.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return Mesh::build(std::move(input)).value();
}

TEST(ContactShells, TouchAWallFromInside) {
  // Whichever wall it is, and whether a face or a tip touches it: the shortest way out is through that wall.
  Scratch scratch;
  for (const Shape& inner : {Shape(cube({0, 0, 0}, 1)), Shape(octahedron())})
    for (double Point3::* const axis : {&Point3::x, &Point3::y, &Point3::z})
      for (const double side : {-1.0, 1.0}) {
        Point3 lo{-5, -5, -5}, hi{5, 5, 5};
        Point3& moved = side < 0 ? lo : hi;
        moved.*axis = side;
        const Shape outer(scenes::box(lo, hi));
        Vec3 out;
        out.*axis = side;
        for (const bool exchanged : {false, true}) {
          const Contacts found =
              contacts(exchanged ? outer : inner, {}, exchanged ? inner : outer, {}, scratch).value();
          const auto deepest = std::ranges::max_element(found.patches, {}, &ContactArea::depth);
          ASSERT_NE(deepest, found.patches.end());
          EXPECT_NEAR(deepest->depth, 2, 1e-12);
          EXPECT_NEAR((exchanged ? -1 : 1) * deepest->normal.dot(out), 1, 1e-12);
        }
      }
}

TEST(ContactShells, TouchTheWallOfACavity) {
  const Shape hollow = Assembled().add(cube({0, 0, 0}, 4)).add(cube({0, 0, 0}, 2), true).shape();
  Scratch scratch;
  for (const Shape& inner : {Shape(cube({0, 0, 0}, 1)), Shape(octahedron())})
    for (const Vec3& at : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, -1}}) {
      const Contacts found = contacts(inner, translation(at.x, at.y, at.z), hollow, {}, scratch).value();
      ASSERT_TRUE(found.touching());
      for (const ContactArea& patch : found.patches) EXPECT_EQ(patch.depth, 0);
    }
}

}  // namespace
}  // namespace snug
