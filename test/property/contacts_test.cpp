#include "count_allocations.hpp"
#include "geometry/turn.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

// Contacts held to brute force: there are some exactly if the bodies share a point, whatever the shapes, poses and sizes, and
// the same ones for both orders of the bodies, both traversals and every instruction set.

namespace snug {
namespace {

using scenes::Random;

Mesh resized(const Mesh& mesh, const Vec3& factor) {
  MeshInput input;
  for (const Point3& v : mesh.vertices()) input.vertices.push_back({factor.x * v.x, factor.y * v.y, factor.z * v.z});
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  return Mesh::build(std::move(input)).value();
}

/// A square in z = 0 of n x n cells, open.
Mesh sheet(std::uint32_t n) {
  MeshInput input;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j) input.vertices.push_back({-1 + 2.0 * i / n, -1 + 2.0 * j / n, 0});
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t p = i * (n + 1) + j, q = p + n + 1;
      input.triangles.push_back({p, q, q + 1});
      input.triangles.push_back({p, q + 1, p + 1});
    }
  return Mesh::build(std::move(input)).value();
}

Mesh tetrahedron() {
  MeshInput input;
  input.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  input.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return Mesh::build(std::move(input)).value();
}

Mesh turned_inside_out(const Mesh& mesh) {
  MeshInput input;
  input.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  for (const Index3& t : mesh.triangles()) input.triangles.push_back({t[0], t[2], t[1]});
  return Mesh::build(std::move(input)).value();
}

struct Body {
  const char* name;
  Shape shape;
};

const std::vector<Body>& bodies() {
  static const std::vector<Body> all = [] {
    std::vector<Body> made;
    const auto add = [&](const char* name, const Mesh& mesh) { made.push_back({name, Shape(mesh)}); };
    add("box", scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
    add("plate", scenes::box({-1, -1, -0.005}, {1, 1, 0.005}));
    add("needle", scenes::box({-1, -0.01, -0.01}, {1, 0.01, 0.01}));
    add("sphere", scenes::sphere(0.7, 7, 10));
    add("torus", scenes::torus(0.7, 0.2, 12, 7));
    add("knot", scenes::bumpy_knot(30, 6));
    add("tetrahedron", tetrahedron());
    add("sheet", sheet(3));
    add("flat sphere", resized(scenes::sphere(1, 6, 9), {1, 1, 0.02}));
    add("inside out", turned_inside_out(scenes::sphere(0.6, 6, 8)));
    return made;
  }();
  return all;
}

/// By brute force: triangles that share a point, or a corner of one body inside the other.
bool share_a_point(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  Scratch scratch;
  if (!triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = Method::brute}).empty()) return true;
  const auto holds = [](const Shape& outer, const Pose& pose, const Shape& inner, const Pose& pose_inner) {
    if (!is_closed(outer.mesh().view())) return false;
    std::vector<Point3> posed(outer.mesh().vertices().size());
    pose.apply(outer.mesh().vertices(), posed);
    const Point3 corner = pose_inner.apply(inner.mesh().vertices()[inner.mesh().triangles()[0][0]]);
    return locate(corner, {posed, outer.mesh().triangles()}).side != Side::outside;
  };
  return holds(a, pose_a, b, pose_b) || holds(b, pose_b, a, pose_a);
}

Contact mirrored(Contact c) {
  using Source = Contact::Source;
  if (c.source != Source::triangles)
    c.source = c.source == Source::vertex_of_a ? Source::vertex_of_b : Source::vertex_of_a;
  std::swap(c.on_a, c.on_b), std::swap(c.triangle_a, c.triangle_b), std::swap(c.surface_a, c.surface_b);
  c.normal = -c.normal;
  return c;
}

/// All of an answer that does not depend on the order of the bodies, in an order of its own.
std::vector<std::tuple<int, std::uint32_t, Vec3, Vec3, Vec3, double, double, std::uint32_t, std::uint32_t>> listed(
    const Contacts& found, bool mirror) {
  std::vector<std::tuple<int, std::uint32_t, Vec3, Vec3, Vec3, double, double, std::uint32_t, std::uint32_t>> list;
  for (const Contact& contact : found.contacts) {
    const Contact c = mirror ? mirrored(contact) : contact;
    list.emplace_back(static_cast<int>(c.source), c.vertex, c.on_a, c.on_b, c.normal, c.depth, c.depth_bound,
                      c.triangle_a, c.triangle_b);
  }
  std::ranges::sort(list);
  return list;
}

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

void expect_sound(const Contacts& found) {
  std::set<std::uint64_t> ids;
  for (const Contact& c : found.contacts) {
    ASSERT_TRUE(ids.insert(c.id).second);
    ASSERT_NEAR(dot(c.normal, c.normal), 1, 1e-12);
    ASSERT_NEAR(dot(c.on_b - c.on_a, c.normal), c.depth, 1e-12 * (1 + std::abs(c.depth)));
    ASSERT_LE(c.depth, c.depth_bound);
    ASSERT_LE(0, c.predicted ? -c.depth : c.depth);
  }
  std::uint32_t next = 0;
  for (const ContactArea& patch : found.patches) {
    ASSERT_EQ(patch.begin, next);
    ASSERT_LT(patch.begin, patch.end);
    next = patch.end;
    for (std::uint32_t i = patch.begin; i < patch.end; ++i) {
      if (patch.kind == ContactArea::Kind::rays) {
        ASSERT_EQ(found.contacts[i].surface_a, patch.surface_a);
        ASSERT_EQ(found.contacts[i].surface_b, patch.surface_b);
      } else {
        ASSERT_EQ(found.contacts[i].normal, patch.normal);
      }
      ASSERT_LE(found.contacts[i].depth, patch.depth);
    }
  }
  ASSERT_EQ(next, found.contacts.size());
}

/// Poses at which two bodies are close: some apart, some deep in one another, some flush.
std::pair<Pose, Pose> some_poses(Random& random) {
  const auto placed = [&](const Quaternion& q, const Vec3& t) { return Pose::make(q, t).value(); };
  const double apart = random.uniform(0, 1.6);
  const Vec3 way = random.point(-1, 1);
  const double length = std::sqrt(dot(way, way));
  const Vec3 offset = (apart / std::max(length, 1e-3)) * way;
  if (random.below(5) == 0) {  // along axes, where faces are flush and edges meet edges
    const Vec3 grid{0.5 * double(random.below(4)), 0.5 * double(random.below(4)), 0.5 * double(random.below(3))};
    return {Pose(), placed({1, 0, 0, 0}, grid)};
  }
  return {placed(random.rotation(), {}), placed(random.rotation(), offset)};
}

TEST(Contacts, AreThereExactlyIfBodiesShareAPoint) {
  std::uint64_t met = 0, apart = 0, by_triangles = 0;
  Scratch scratch;
  Contacts found, other;
  for (std::uint64_t seed = 0; seed < test::scaled(6000); ++seed) {
    Random random(seed);
    const Body &a = bodies()[random.below(bodies().size())], &b = bodies()[random.below(bodies().size())];
    SCOPED_TRACE(std::string(a.name) + " / " + b.name + " seed " + std::to_string(seed));
    const auto [pose_a, pose_b] = some_poses(random);
    const bool meet = share_a_point(a.shape, pose_a, b.shape, pose_b);
    (meet ? met : apart) += 1;
    RayContactOptions options;
    if (seed % 3 == 1) options.displacement_threshold = 0.1;
    if (seed % 7 == 2) options.direction = RayContactOptions::Direction::weighted;
    if (seed % 5 == 3) options.normal = RayContactOptions::Normal::smooth;
    ASSERT_TRUE(contacts(a.shape, pose_a, b.shape, pose_b, scratch, found, options));
    ASSERT_EQ(found.touching(), meet);
    by_triangles += found.stats.completed > 0 ? 1 : 0;
    expect_sound(found);
    if (HasFatalFailure()) return;
    // Exchanged. Where equal triangles lie upon each other there is no telling which way is out.
    ASSERT_TRUE(contacts(b.shape, pose_b, a.shape, pose_a, scratch, other, options));
    if (!(&a == &b && pose_a == pose_b)) {
      ASSERT_TRUE(listed(other, true) == listed(found, false));
    }
    // Past every triangle, and one number at a time.
    options.traversal = RayContactOptions::Traversal::basic;
    ASSERT_TRUE(contacts(a.shape, pose_a, b.shape, pose_b, scratch, other, options));
    ASSERT_TRUE(other.contacts == found.contacts);
    options.traversal = RayContactOptions::Traversal::tree;
    options.instructions = seed % 2 == 0 ? Instructions::scalar : Instructions::sse2;
    ASSERT_TRUE(contacts(a.shape, pose_a, b.shape, pose_b, scratch, other, options));
    ASSERT_TRUE(other.contacts == found.contacts);
    ASSERT_EQ(other.stats, found.stats);
    // A tracker that has seen nothing yet.
    ContactTracker tracker;
    ASSERT_EQ(contacts(a.shape, pose_a, b.shape, pose_b, tracker).touching(), meet);
    // Reduced.
    const std::size_t before = found.contacts.size();
    const auto patches = found.patches;
    reduce(found);
    ASSERT_LE(found.contacts.size(), before);
    ASSERT_EQ(found.patches.size(), patches.size());
    for (std::size_t i = 0; i < patches.size(); ++i) {
      ASSERT_LE(found.patches[i].end - found.patches[i].begin, 4U);
      ASSERT_NEAR(found.patches[i].depth, patches[i].depth, 1e-3 * std::abs(patches[i].depth));
    }
  }
  EXPECT_GT(met, test::scaled(6000) / 5);
  EXPECT_GT(apart, test::scaled(6000) / 5);
  EXPECT_GT(by_triangles, test::scaled(6000) / 20);
}

TEST(Contacts, SizeChangesNothing) {
  for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double size = std::ldexp(1.0, static_cast<int>(random.below(120)) - 60);
    const Shape small(resized(scenes::torus(0.7, 0.2, 12, 7), {1, 1, 1}));
    const Shape large(resized(small.mesh(), {size, size, size}));
    const Pose pose = Pose::make(random.rotation(), random.point(-0.8, 0.8)).value();
    const Pose far = Pose::make(pose.rotation(), size * pose.translation()).value();
    Scratch scratch;
    const Contacts one = contacts(small, {}, small, pose, scratch).value();
    const Contacts other = contacts(large, {}, large, far, scratch).value();
    ASSERT_EQ(one.contacts.size(), other.contacts.size());
    for (std::size_t i = 0; i < one.contacts.size(); ++i) {
      ASSERT_EQ(one.contacts[i].vertex, other.contacts[i].vertex);
      ASSERT_NEAR(size * one.contacts[i].depth, other.contacts[i].depth, 1e-9 * size);
    }
  }
}

TEST(Contacts, ReprojectedOnesPushStraightUp) {
  // A body sunk into the ground is pushed along the ground's normal, however it is turned.
  const Shape ground(scenes::box({-10, -10, -4}, {10, 10, 0}));
  Scratch scratch;
  double slanted = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape& body = bodies()[seed % 2 == 0 ? 5 : 3].shape;
    const Pose pose = Pose::make(random.rotation(), {0, 0, random.uniform(0.2, 0.5)}).value();
    RayContactOptions options{.complete = false};
    const Contacts found = contacts(body, pose, ground, {}, scratch, options).value();
    for (const Contact& c : found.contacts) {
      if (c.source != Contact::Source::vertex_of_a) continue;
      ASSERT_EQ(c.normal, (Vec3{0, 0, 1}));
      ASSERT_NEAR(c.depth, -c.on_a.z, 1e-12);
      ASSERT_NEAR(c.on_b.z, 0, 1e-12);
    }
    options.direction = RayContactOptions::Direction::weighted;
    const Contacts weighted = contacts(body, pose, ground, {}, scratch, options).value();
    for (const Contact& c : weighted.contacts) {
      if (c.source != Contact::Source::vertex_of_a) continue;
      ASSERT_NEAR(c.weight, c.normal.z, 1e-12);
      slanted += c.normal.z < 0.9 ? 1 : 0;
    }
  }
  EXPECT_GT(slanted, 0);
}

/// The distance of a point from a triangle, by its plane, its sides and its corners.
double distance_to(const Point3& p, const Triangle& t) {
  double least = INFINITY;
  bool over = true;
  const auto cross = [](const Vec3& u, const Vec3& v) {
    return Vec3{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  };
  const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 side = t[(k + 1) % 3] - t[k];
    const double along = std::clamp(dot(p - t[k], side) / dot(side, side), 0.0, 1.0);
    const Vec3 way = p - (t[k] + along * side);
    least = std::min(least, std::sqrt(dot(way, way)));
    over = over && dot(cross(side, p - t[k]), normal) >= 0;
  }
  return over ? std::min(least, std::abs(dot(p - t[0], normal)) / std::sqrt(dot(normal, normal))) : least;
}

TEST(Contacts, DepthBoundIsNoLessThanTheWayToTheSurface) {
  // Depth is along the normal of the surface that was hit, and may be less.
  const Shape ball(scenes::sphere(0.5, 9, 14)), large(scenes::sphere(1, 7, 10));
  Scratch scratch;
  std::uint64_t checked = 0, less = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose = Pose::make(random.rotation(), {random.uniform(-0.4, 0.4), 0.1, random.uniform(0.9, 1.2)}).value();
    for (const Contacts told = contacts(ball, pose, large, {}, scratch, {.complete = false}).value();
         const Contact& c : told.contacts) {
      if (c.source == Contact::Source::triangles || c.predicted) continue;
      const bool of_a = c.source == Contact::Source::vertex_of_a;
      const Mesh& other = of_a ? large.mesh() : ball.mesh();
      double least = INFINITY;
      for (std::uint32_t t = 0; t < other.triangles().size(); ++t) {
        const Triangle raw = other.view().triangle(t);
        least = std::min(least, distance_to(of_a ? c.on_a : c.on_b, of_a ? raw : test::posed(raw, pose)));
      }
      ASSERT_LE(least, c.depth_bound * (1 + 1e-9));
      ++checked, less += c.depth < least * (1 - 1e-6) ? 1 : 0;
    }
  }
  EXPECT_GT(checked, test::scaled(100) * 10);
  EXPECT_GT(less, 0U);  // of these the depth itself would be no bound
}

TEST(Contacts, BasicRaysAreCastFromEveryVertexInTheBox) {
  // The judge of the tree does without what spares rays: groups of vertices, and the grid of what is outside.
  const Shape knot(scenes::bumpy_knot(60, 8)), torus(scenes::torus(0.7, 0.2, 24, 12));
  Scratch scratch;
  std::uint64_t spared = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(50); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose = Pose::make(random.rotation(), random.point(-0.5, 0.5)).value();
    RayContactOptions options{.complete = false};
    const Contacts by_tree = contacts(knot, pose, torus, {}, scratch, options).value();
    options.traversal = RayContactOptions::Traversal::basic;
    const Contacts basic = contacts(knot, pose, torus, {}, scratch, options).value();
    ASSERT_EQ(basic.contacts, by_tree.contacts);
    std::uint64_t in_boxes = 0;
    const auto count = [&](const Shape& of, const Pose& pose_of, const Shape& other, const Pose& pose_other) {
      for (const Point3& v : of.mesh().vertices()) {
        const Point3 p = geometry::turn_back(pose_other.matrix(), pose_of.apply(v) - pose_other.translation());
        in_boxes += other.bounds().overlaps({p, p}) ? 1 : 0;
      }
    };
    count(knot, pose, torus, {});
    count(torus, {}, knot, pose);
    ASSERT_EQ(basic.stats.standard_rays, in_boxes);
    ASSERT_LE(by_tree.stats.standard_rays, in_boxes);
    spared += in_boxes - by_tree.stats.standard_rays;
  }
  EXPECT_GT(spared, 0U);
}

TEST(Contacts, BarsAcrossEachOtherRestOnFour) {
  // No vertex of one is anywhere near the other: rays tell nothing.
  const Shape bar(scenes::box({-2, -0.5, -0.5}, {2, 0.5, 0.5}));
  const Pose across = rotation({0, 0, 1}, 1.5707963267948966);
  Scratch scratch;
  for (const double depth : {0.0, 1e-3, 0.01}) {
    SCOPED_TRACE(depth);
    const Pose above = Pose::make(across.rotation(), {0, 0, 1 - depth}).value();
    Contacts found = contacts(bar, above, bar, {}, scratch).value();
    reduce(found);
    ASSERT_EQ(found.stats.hits, 0U);
    ASSERT_GE(found.contacts.size(), 4U);
    Aabb spanned;
    for (const Contact& c : found.contacts) {
      ASSERT_NEAR(c.normal.z, 1, 1e-9);
      ASSERT_NEAR(c.depth, depth, 1e-9);
      spanned.include(c.on_a);
    }
    EXPECT_NEAR(spanned.hi.x - spanned.lo.x, 1, 1e-6);
    EXPECT_NEAR(spanned.hi.y - spanned.lo.y, 1, 1e-6);
  }
}

TEST(Contacts, RidgesAcrossEachOtherAreApartAcrossBoth) {
  // Two long roofs, one turned over and round: they meet in one point of their ridges.
  MeshInput input;
  input.vertices = {{-2, -1, -1}, {2, -1, -1}, {-2, 1, -1}, {2, 1, -1}, {-2, 0, 0}, {2, 0, 0}};
  input.triangles = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}, {2, 4, 5}, {2, 5, 3}, {0, 4, 2}, {1, 3, 5}};
  const Shape roof(Mesh::build(std::move(input)).value());
  Scratch scratch;
  const double h = std::sqrt(0.5);
  for (const double depth : {1e-6, 0.01, 0.1}) {
    SCOPED_TRACE(depth);
    const Pose above = Pose::make({0, h, h, 0}, {0.1, 0.2, -depth}).value();  // about x = y by half a turn
    const Contacts found = contacts(roof, above, roof, {}, scratch).value();
    ASSERT_TRUE(found.touching());
    for (const Contact& c : found.contacts) {
      EXPECT_NEAR(c.normal.z, 1, 1e-9);
      EXPECT_NEAR(c.depth, depth, 1e-9);
    }
  }
}

TEST(Contacts, BadSettingsAreRefused) {
  using Code = ContactError::Code;
  Scratch scratch;
  const Shape& box = bodies()[0].shape;
  const auto refused = [&](const RayContactOptions& options) {
    const auto made = ContactTracker::make(options);
    const auto asked = contacts(box, {}, box, {}, scratch, options);
    EXPECT_FALSE(made);
    EXPECT_FALSE(asked);
    EXPECT_EQ(asked.error().code, made.error().code);
    EXPECT_FALSE(made.error().message().empty());
    return made.error().code;
  };
  EXPECT_EQ(refused({.displacement_threshold = -1.0}), Code::bad_threshold);
  EXPECT_EQ(refused({.displacement_threshold = std::nan("")}), Code::bad_threshold);
  EXPECT_EQ(refused({.distance_extension = INFINITY}), Code::bad_extension);
  EXPECT_EQ(refused({.displacement_threshold = 0.5, .distance_extension = 0.5}), Code::extension_too_small);
  EXPECT_EQ(refused({.max_iterations = 0U}), Code::bad_iterations);
  EXPECT_EQ(refused({.confidence = 0.5}), Code::bad_confidence);
  const auto small = ContactTracker::make({.displacement_threshold = 0.5, .distance_extension = 0.25});
  EXPECT_NE(small.error().message().find("0.25"), std::string::npos);
  EXPECT_NE(small.error().message().find("displacement_threshold"), std::string::npos);
  EXPECT_TRUE(ContactTracker::make({.displacement_threshold = 0.5, .distance_extension = 0.6}));
}

}  // namespace
}  // namespace snug
