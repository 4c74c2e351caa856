// Kernels of rays compiled as C++, item after item, held to the processor's rays.

#include "device/ray_encode.hpp"
#include "geometry/vec_ops.hpp"
#include "odd_bodies.hpp"
#include "query/dop/dop.hpp"
#include "query/ray/device_rays.hpp"
#include "query/shape_data.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "kernels_as_cpp.hpp"  // behind all others: it names things as OpenCL does

namespace {

#include "ray_kernels.inc"

}  // namespace

namespace snug {
namespace {

/// What kernels tell of rays, item after item.
detail::DeviceRaysTold told_by_kernels(std::span<const detail::AskedRays> asked, bool by_boxes, bool projects) {
  std::vector<detail::DeviceRaySide> sides;
  std::vector<detail::RayChunk> chunks;
  std::vector<const Shape*> shapes;
  detail::EncodedBodies bodies;
  bodies.exact = projects;
  const auto place = [&](const Shape& shape) {
    const auto known = std::ranges::find(shapes, &shape);
    if (known != shapes.end()) return static_cast<std::uint32_t>(known - shapes.begin());
    EXPECT_TRUE(bodies.add(shape));
    shapes.push_back(&shape);
    return static_cast<std::uint32_t>(shapes.size() - 1);
  };
  for (const detail::AskedRays& one : asked) {
    const detail::DeviceRaySide side = sides.emplace_back(one.side());
    place(*side.source), place(*side.target);
    // In two chunks, as if they were divided among devices.
    const auto number = static_cast<std::uint32_t>(sides.size() - 1);
    chunks.push_back({number, one.size() / 3, one.size() - one.size() / 3});
    chunks.push_back({number, 0, one.size() / 3});
  }
  const detail::EncodedStep step(sides, chunks, 1, projects);
  std::vector<std::uint64_t> memory((step.all() + 1) / 2);  // where doubles may lie
  const std::span words(reinterpret_cast<std::uint32_t*>(memory.data()), step.all());
  step.fill(words.first(step.sent()), place);
  for (current_item = 0; current_item < step.groups_through(); ++current_item)
    (by_boxes ? stackless::snug_rays : basic::snug_rays)(0, words.data(), bodies.bodies.data(), bodies.boxes.data(),
                                                         bodies.triangles.data(), bodies.vertices.data());
  for (current_item = 0; current_item < step.groups_of_walks(); ++current_item)
    walking::snug_follow(static_cast<uint>(step.groups_through()), words.data(), bodies.bodies.data(),
                         bodies.links.data(), bodies.triangles.data(), bodies.vertices.data());
  const SnugRayStep& at = step.at();
  if (projects)
    for (current_item = 0; current_item < step.rays(); ++current_item)
      projecting::snug_project(words.data(), bodies.bodies.data(), bodies.exact_vertices.data(),
                               bodies.exact_triangles.data(), &bodies.corner_normals.data()->x);
  detail::DeviceRaysTold told;
  told.work.resize(sides.size());
  const std::size_t count = words[at.head];
  step.take(words.subspan(at.head, at.told - at.head + at.told_words * count), told.told, told.work);
  std::ranges::sort(told.told, {}, [](const auto& t) { return std::uint64_t{t.side} << 32 | t.ray; });
  return told;
}

/// All that a ray tells, and the contact that it makes, in bits: zeros have signs.
struct Found {
  Contact contact;
  std::array<std::uint64_t, 12> bits{};
  friend bool operator==(const Found&, const Found&) = default;
};
Found found_of(const detail::VertexRays::Told& told, const Contact& made) {
  Found found{made, {}};
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  std::size_t at = 0;
  for (const double x : {told.hit.t, made.depth, made.weight}) found.bits[at++] = bits(x);
  for (const Vec3& v : {made.normal, made.on_a, made.on_b})
    for (std::size_t i = 0; i < 3; ++i) found.bits[at++] = bits(v[i]);
  return found;
}
Found found_by(const detail::VertexRays& rays, std::uint32_t vertex, const detail::VertexRays::Told& told) {
  return found_of(told, rays.contact(vertex, told));
}
void PrintTo(const Found& found, std::ostream* out) {
  *out << "vertex " << found.contact.vertex << " triangles " << found.contact.triangle_a << ' '
       << found.contact.triangle_b << (found.contact.predicted ? " predicted" : "") << std::hex;
  for (const std::uint64_t bits : found.bits) *out << ' ' << bits;
  *out << std::dec;
}

/// How kernels are run: through boxes or past all triangles, with contacts made there or by the processor.
struct Way {
  bool by_boxes, projects;
};
constexpr std::array<Way, 3> k_ways{{{true, true}, {false, true}, {true, false}}};

/// A pose of the source with the ray of one vertex through a corner, an edge or a face of the target, or along it, beginning on it,
/// just beside it or anywhere.
Pose aimed(const Shape& source, const Shape& target, const Pose& pose, scenes::Random& random) {
  const auto& mesh = target.mesh().view();
  const Triangle t = test::posed(mesh.triangle(static_cast<std::uint32_t>(random.below(mesh.triangles.size()))), pose);
  const std::uint64_t kind = random.below(8);
  const double u = 0.5 * random.uniform(0, 1), v = 0.5 * random.uniform(0, 1);
  Point3 through = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
  if (kind == 1) through = t[0];
  if (kind == 2) through = t[0] + u * (t[1] - t[0]);
  const auto vertex = static_cast<std::uint32_t>(random.below(source.mesh().vertices().size()));
  const Pose turned = kind == 3 ? Pose() : random.pose(0);
  const Vec3 way = -turned.apply(detail::Access::data(source).contact_mesh().normal(vertex));
  const double beside = std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(40)));
  const double back = kind == 4 ? 0 : kind >= 5 ? beside : random.uniform(-1, 1);
  const Point3 origin = through - back * way;
  return Pose::make(turned.rotation(), origin - turned.apply(source.mesh().vertices()[vertex])).value();
}

TEST(DeviceKernels, WhatRaysTellIsWhatTheProcessorFinds) {
  std::size_t found = 0, named = 0, silent = 0;
  ContactStats stats;
  const auto count = test::scaled(1500);
  // Fine and round, a floor of few large triangles, one turned inside out, and something open.
  MeshInput inside_out;
  const Mesh sphere = scenes::sphere(0.7, 8, 12);
  inside_out.vertices.assign(sphere.vertices().begin(), sphere.vertices().end());
  for (const Index3& t : sphere.triangles()) inside_out.triangles.push_back({t[0], t[2], t[1]});
  const std::array<Shape, 4> shapes{Shape(scenes::bumpy_knot(40, 10)), Shape(scenes::box({-30, -30, -1}, {30, 30, 0})),
                                    Shape(Mesh::build(inside_out).value()), Shape(scenes::sphere(0.5, 5, 7))};
  const std::array<Shape, 2> sources{Shape(scenes::box({-0.2, -0.3, -0.1}, {0.2, 0.3, 0.1})), shapes[3]};
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Shape &body = shapes[seed % 4], &source = sources[seed / 4 % 2];
    const Pose pose = random.pose(seed % 3 == 0 ? 1000 : 1), pose_source = aimed(source, body, pose, random);
    const RayContactOptions options{.traversal = RayContactOptions::Traversal::basic};
    const detail::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const detail::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 5 < 2 ? -1 : random.uniform(0, 0.5), extension = seed % 7 == 0 ? 300 : 0.1;
    std::vector<detail::RayStart> starts;
    rays.list(extension, culling, starts);
    ContactStats expected_stats;
    std::vector<Found> expected;
    for (const detail::RayStart& start : starts)
      if (const auto told = rays.cast(start, culling, expected_stats))
        expected.push_back(found_by(rays, start.vertex, *told));
    const std::vector asked{detail::AskedRays::standard(rays, extension, culling)};
    for (const auto& [by_boxes, projects] : k_ways) {
      const auto told = told_by_kernels(asked, by_boxes, projects);
      ContactStats now;
      std::vector<Found> answers;
      asked[0].answer(told_of(told, 0), told.work[0], now,
                      [&](const auto& one, const Contact& made) { answers.push_back(found_of(one, made)); });
      ASSERT_EQ(answers, expected);
      EXPECT_EQ(now.standard_rays, expected_stats.standard_rays);
      EXPECT_EQ(now.predictive_rays, expected_stats.predictive_rays);
      found += answers.size(), named += told.told.size(), silent += starts.size() - told.told.size();
      stats += now;
    }
  }
  EXPECT_GT(found, count);
  EXPECT_GT(named, found);
  EXPECT_GT(silent, count);  // only those that may tell something come back
  std::cout << "rays " << stats.device_rays << ", told of " << named << ", cast again " << stats.redone_rays
            << ", contacts " << found << ", made by kernels " << stats.device_projections << '\n';
  EXPECT_GT(3 * stats.device_projections, found);  // two thirds of the rays go where they may be
  EXPECT_LT(20 * stats.redone_rays, stats.device_rays);
}

/// Any number of triangles that rounding is likely to confuse; each family attacks another term of the bounds.
struct Soup {
  explicit Soup(std::uint64_t seed) : random(seed * 7919 + 1), family(random.below(8)) {
    const double gap = power(-9, -3), e = power(-8, -1);
    const Pose tilt = random.below(3) != 0 ? random.pose(0) : Pose();
    const std::uint64_t count = 2 + random.below(60);
    const auto around = [&](const Point3& p, double size) { return p + size * random.point(-1, 1); };
    const auto grid = [&] {
      const auto one = [&] { return static_cast<double>(random.below(5)) - 2; };
      return Point3{one(), one(), one()};
    };
    for (std::uint64_t i = 0; i < count; ++i) {
      const double z = static_cast<double>(i) * gap;
      const auto flat = [&](double x, double y, double at) { return tilt.apply({x, y, at}); };
      const auto rough = [&] { return random.below(2) != 0 ? z : z + gap * random.uniform(-1, 1); };
      const auto steep = [&](double x, double y) { return tilt.apply({x, e * random.uniform(-1, 1), y}); };
      const Point3 a = random.point(-1, 1), b = random.point(-1, 1), c{0.3, 0.2, -0.4};
      const double size = power(-7, -3), width = power(-3, 0);
      if (family == 0 || (family == 3 && i < 2)) add(a, b, random.point(-1, 1));
      if (family == 1) add(flat(-1, -1, rough()), flat(1, -1, rough()), flat(0, 1, rough()));
      if (family == 2) add(a, b, around(a, power(-8, -2)));  // needles
      if (family == 3 && i >= 2) add(around(c, size), around(c, size), around(c, size));
      if (family == 4) add(grid(), grid(), grid());
      if (family == 5)
        add(flat(-3, -1, 0.999999 + 0.01 * z), flat(1, -1, 0.999999 + 0.01 * z), flat(0, 4, 0.999999 + 0.01 * z));
      if (family == 6) add(steep(-1, -1), steep(1, -1), steep(random.uniform(-1, 1), 1));
      if (family == 7) add(around(a, width), around(a, width), around(a, width));
    }
    scale = random.below(12) == 0 ? std::ldexp(1.0, static_cast<int>(random.below(500)) - 250) : 1;
    for (Point3& p : input.vertices) p = scale * p;
  }
  double power(double least, double most) { return std::pow(10.0, random.uniform(least, most)); }
  void add(const Point3& a, const Point3& b, const Point3& c) {
    const auto first = static_cast<std::uint32_t>(input.vertices.size());
    for (const Point3& p : {a, b, c}) input.vertices.push_back(p);
    input.triangles.push_back({first, first + 1, first + 2});
  }
  scenes::Random random;
  std::uint64_t family;
  double scale = 1;
  MeshInput input;
};

/// Turns one unit vector into another.
Quaternion turning(const Vec3& from, const Vec3& to) {
  const Vec3 axis = detail::cross(from, to);
  const double w = 1 + detail::dot(from, to);
  return w > 1e-6 ? Quaternion{w, axis.x, axis.y, axis.z} : Quaternion{0, from.y, -from.x, from.z};
}

TEST(DeviceKernels, RaysAtTrianglesThatRoundingConfuses) {
  const auto count = test::scaled(250);
  std::array<std::uint64_t, 8> rays{}, redone{}, found{};
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Soup soup(seed);
    scenes::Random& random = soup.random;
    const double unit = soup.scale;
    const Shape body(Mesh::build(soup.input).value());
    const Shape source(
        scenes::box({-0.01 * unit, -0.02 * unit, -0.015 * unit}, {0.01 * unit, 0.01 * unit, 0.015 * unit}));
    const double away = random.below(3) == 0 ? soup.power(0, 14) * unit : 0;
    const Pose pose =
        Pose::make(random.below(4) != 0 ? random.rotation() : Quaternion{1, 0, 0, 0}, away * random.point(-1, 1))
            .value();
    const RayContactOptions options{.traversal = RayContactOptions::Traversal::basic};
    const detail::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    for (int k = 0; k < 40; ++k) {
      // At a point on a triangle, an edge or a corner, or beside it by little.
      const Triangle t = target.posed(static_cast<std::uint32_t>(random.below(soup.input.triangles.size())));
      double u = random.uniform(0, 0.5), v = random.uniform(0, 0.5);
      const std::uint64_t feature = random.below(4);
      if (feature <= 1) v = 0;
      if (feature == 1) u = 0;
      const auto little = [&] {
        return random.below(2) != 0 ? 0 : soup.power(-9, -2) * (random.below(2) != 0 ? 1 : -1);
      };
      u += little(), v += little();
      const Vec3 p = t[1] - t[0], q = t[2] - t[0];
      const Point3 at = t[0] + u * p + v * q;
      // Anywhere; nearly along the triangle; along an axis; across the triangle.
      Vec3 way = random.point(-1, 1);
      const std::uint64_t kind = random.below(9);
      if (kind == 0) way = (1 / unit) * p + 1e-6 * way;
      if (kind == 1) way = {0, random.below(2) != 0 ? 1.0 : -1.0, 0};
      if (kind == 2) way = detail::cross((1 / unit) * p, (1 / unit) * q);
      const double size = detail::length_of(way);
      if (!(size > 1e-100)) continue;
      way = (1 / size) * way;
      const double sign = random.below(2) != 0 ? 1 : -1;
      const double back = random.below(10) == 0 ? 0 : sign * unit * soup.power(-9, 0.2);
      const auto vertex = static_cast<std::uint32_t>(random.below(source.mesh().vertices().size()));
      const Vec3 own = -detail::Access::data(source).contact_mesh().normal(vertex);
      const auto turned = Pose::make(turning(own, way), {}).value();
      const Vec3 to = at - back * turned.apply(own);
      const Pose pose_source =
          Pose::make(turned.rotation(), to - turned.apply(source.mesh().vertices()[vertex])).value();
      const detail::VertexRays from(source, pose_source, target, true, options);
      const double culling = random.below(3) == 0 ? -1 : std::abs(back) * random.uniform(0, 2);
      ContactStats stats, now;
      std::vector<Found> expected, answers;
      std::vector<detail::RayStart> starts;
      from.list(unit, culling, starts);
      for (const detail::RayStart& start : starts)
        if (const auto told = from.cast(start, culling, stats)) expected.push_back(found_by(from, start.vertex, *told));
      const std::vector asked{detail::AskedRays::standard(from, unit, culling)};
      for (const auto& [by_boxes, projects] : k_ways) {
        const auto told = told_by_kernels(asked, by_boxes, projects);
        answers.clear();
        asked[0].answer(told_of(told, 0), told.work[0], now,
                        [&](const auto& one, const Contact& made) { answers.push_back(found_of(one, made)); });
        ASSERT_EQ(answers, expected) << "family " << soup.family << " ray " << k << " by boxes " << by_boxes;
        found[soup.family] += answers.size();
      }
      rays[soup.family] += now.device_rays, redone[soup.family] += now.redone_rays;
    }
  }
  for (std::size_t f = 0; f < rays.size(); ++f) {
    std::cout << "family " << f << ": rays " << rays[f] << ", told " << found[f] << ", cast again " << redone[f]
              << '\n';
    if (count >= 100) {
      EXPECT_GT(found[f], 50U);
      EXPECT_LT(2 * redone[f], rays[f]);  // or nothing was tested
    }
  }
}

/// A list that has no place for all is no list.
TEST(DeviceKernels, MoreTrianglesThanThereIsRoomForAreNotToldInPart) {
  stackless::SnugNearest nearest{};
  stackless::snug_clear(&nearest);
  for (uint i = 0; i < 3; ++i) stackless::snug_offer(&nearest, 10 + i, false, 0.5F, 1.0F);
  uint told[SNUG_RAY_TRIANGLES] = {1, 2, 3, 4}, count = 4;
  EXPECT_TRUE(stackless::snug_conclude(&nearest, told, &count));
  EXPECT_EQ(count, 7U);
  stackless::snug_offer(&nearest, 13, false, 0.5F, 1.0F);
  EXPECT_FALSE(stackless::snug_conclude(&nearest, told, &count));
  // Nor one of those soonest that has lost one it may have met before.
  stackless::snug_offer(&nearest, 14, false, 0.5F, 1.0F);
  count = 0;
  EXPECT_FALSE(stackless::snug_conclude(&nearest, told, &count));
}

/// A number that floats round by as much as they can, to either side.
double far_from_floats(double x, scenes::Random& random) {
  const float below = static_cast<float>(x);
  const double step = std::nextafter(below, 10.0F) - double{below};
  return below + (random.below(2) != 0 ? 0.4999 : -0.4999) * step;
}

/// What kernels take for certain of a line and a triangle, beside what is true, computed in twice the digits of their numbers and more. Every
/// bound holds, and none is so wide that nothing could be told.
TEST(DeviceKernels, BoundsHoldAndAreNoLongerThanTheyNeedBe) {
  const auto count = test::scaled(200000);
  using Number = long double;
  Number of_side = 0, of_place = 0, of_plane = 0;
  std::uint64_t met = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    scenes::Random random(seed);
    const auto spread = [&] { return std::pow(2.0, -static_cast<double>(random.below(12))); };
    // Triangles of all sizes, needles among them, anywhere; lines through them or beside, from as far as may be.
    const double size = spread();
    const Point3 middle = random.point(-1, 1);
    double corner[3][3], origin[3], way[3];
    SnugRayTriangle triangle{};
    stackless::SnugLine line{};
    const double flat = random.below(3) == 0 ? spread() : 1;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        const double x = middle[i] + size * random.uniform(-1, 1) * (i == 2 ? flat : 1);
        corner[k][i] = far_from_floats(std::clamp(x, -1.0, 1.0), random);
        triangle.corner[k][i] = static_cast<float>(corner[k][i]);
      }
    const double u = random.uniform(-0.2, 0.8), v = random.uniform(-0.2, 0.8);
    Vec3 to, from = 2.0 * random.point(-1, 1);
    double at[3];
    for (std::size_t i = 0; i < 3; ++i)
      at[i] = corner[0][i] + u * (corner[1][i] - corner[0][i]) + v * (corner[2][i] - corner[0][i]);
    to = {at[0], at[1], at[2]};
    if (random.below(3) == 0) from = to + (2 * spread()) * random.point(-1, 1);
    from = {std::clamp(from.x, -2.0, 2.0), std::clamp(from.y, -2.0, 2.0), std::clamp(from.z, -2.0, 2.0)};
    const double length = detail::length_of(to - from);
    if (!(length > 1e-9)) continue;
    float squared = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      origin[i] = far_from_floats(from[i], random), way[i] = far_from_floats((to - from)[i] / length, random);
      line.origin[i] = static_cast<float>(origin[i]), line.direction[i] = static_cast<float>(way[i]);
      squared += line.direction[i] * line.direction[i];
    }
    line.per_squared = 1.0F / squared, line.doubt = 3.7e-7F;

    const auto dot = [](const Number* p, const Number* q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
    Number c[3][3], d[3], side[3], t[3];
    for (std::size_t i = 0; i < 3; ++i) {
      d[i] = way[i];
      for (std::size_t k = 0; k < 3; ++k) c[k][i] = Number{corner[k][i]} - Number{origin[i]};
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Number *p = c[k], *q = c[(k + 1) % 3];
      const Number across[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
      side[k] = dot(across, d), t[k] = dot(c[k], d) / dot(d, d);
    }
    stackless::SnugSeen seen{};
    stackless::snug_see(&line, &triangle, &seen);
    const Number slack = 2.5F * seen.off + 0x1p-19F * seen.reach + 0x1p-23F * std::abs(seen.along);
    for (std::size_t k = 0; k < 3; ++k) {
      of_side = std::max(of_side, std::abs(seen.side[k] - side[k]) / seen.doubt);
      const float place = stackless::snug_dot(seen.u[k], line.direction) * line.per_squared + seen.along;
      of_place = std::max(of_place, std::abs(place - t[k]) / slack);
    }
    // Where it is met, if certainly so.
    const Number sum = side[0] + side[1] + side[2];
    if (!(seen.least > seen.doubt || seen.most < -seen.doubt)) continue;
    ++met;
    const Number where = (side[1] * t[0] + side[2] * t[1] + side[0] * t[2]) / sum;
    float p[3], q[3];
    for (int i = 0; i < 3; ++i) p[i] = seen.u[1][i] - seen.u[0][i], q[i] = seen.u[2][i] - seen.u[0][i];
    const float n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    float first = -SNUG_FAR, last = SNUG_FAR;
    stackless::snug_narrow(&line, &triangle, n, &first, &last);
    if (first == -SNUG_FAR) continue;
    ASSERT_LE(first, where) << seed;
    ASSERT_GE(last, where) << seed;
    const Number half = (Number{last} - first) / 2;
    if (half > 0) of_plane = std::max(of_plane, std::abs(where - (Number{first} + half)) / half);
  }
  std::cout << "at most, of the bounds: sides " << of_side << ", places of corners " << of_place
            << ", where planes are met " << of_plane << "; lines that meet " << met << '\n';
  ASSERT_LE(of_side, 1);
  ASSERT_LE(of_place, 1);
  if (count < 100000) return;
  EXPECT_GT(of_side, 0.1);
  EXPECT_GT(of_place, 0.1);
  EXPECT_GT(of_plane, 0.1);
  EXPECT_GT(4 * met, count);
}

TEST(DeviceKernels, WalksEndWhereThoseOfTheProcessorDo) {
  const auto count = test::scaled(800);
  std::size_t found = 0, steps = 0, left = 0, projected = 0;
  const std::array<Shape, 3> shapes{Shape(scenes::bumpy_knot(60, 16)), Shape(scenes::sphere(0.8, 20, 32)),
                                    Shape(scenes::box({-1, -1, -1}, {1, 1, 1}))};
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Shape &body = shapes[seed % 3], &source = shapes[seed / 3 % 3];
    const Pose pose = random.pose(seed % 4 == 0 ? 1000 : 1), pose_source = aimed(source, body, pose, random);
    const RayContactOptions options;
    const detail::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const detail::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 5 < 2 ? -1 : random.uniform(0, 0.5);
    const auto most = static_cast<unsigned>(1 + random.below(12));
    std::vector<detail::AskedRays> asked{detail::AskedRays::walks(rays, culling, most)};
    ContactStats expected_stats, now;
    std::vector<Found> expected, answers;
    for (int i = 0; i < 20; ++i) {
      // From somewhere, and from near where the ray goes.
      const auto vertex = source.mesh().triangles()[random.below(source.mesh().triangles().size())][0];
      if (!detail::Access::data(source).contact_mesh().has_ray(vertex)) continue;
      ContactStats unwanted;
      auto from = static_cast<std::uint32_t>(random.below(body.mesh().triangles().size()));
      if (const auto hit = target.meet(rays.ray_of(vertex), {1e300, 1e300}, unwanted).ahead; hit && i % 4 != 0)
        for (from = hit->triangle; random.below(3) != 0;) {
          const std::uint32_t next = detail::Access::data(body).contact_mesh().links().neighbour[from][random.below(3)];
          if (next != detail::MeshLinks::k_none) from = next;
        }
      asked[0].add(vertex, from);
      if (const auto told = rays.follow(vertex, from, culling, most, expected_stats))
        expected.push_back(found_by(rays, vertex, *told));
    }
    const auto told = told_by_kernels(asked, true, seed % 2 == 0);
    asked[0].answer(told_of(told, 0), told.work[0], now,
                    [&](const auto& one, const Contact& made) { answers.push_back(found_of(one, made)); });
    ASSERT_EQ(answers, expected);
    EXPECT_EQ(now.walked, expected_stats.walked);
    EXPECT_EQ(now.lost_rays, expected_stats.lost_rays);
    EXPECT_EQ(now.iterative_rays, expected_stats.iterative_rays);
    found += answers.size(), steps += now.walked, left += told.work[0].triangles;
    projected += now.device_projections;
  }
  EXPECT_GT(found, count);
  EXPECT_GT(3 * projected, found);  // of half of them
  EXPECT_GT(2 * left, steps);       // most of the way is gone by the kernel
}

/// Rims, shells of which some are turned inside out, sheets beside sheets, bodies that meet themselves or may, since they deform.
TEST(DeviceKernels, OddBodiesAreToldAsByTheProcessor) {
  const auto count = test::scaled(1200);
  std::array<std::uint64_t, test::OddBody::k_families> found{};
  std::uint64_t at_rims = 0, projected = 0, of_deformed = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const test::OddBody target_body(random), source_body(random);
    const Shape plain(target_body.mesh()), source(source_body.mesh());
    const bool deformed = seed % 4 == 3;
    const std::vector<Point3> vertices(plain.mesh().vertices().begin(), plain.mesh().vertices().end());
    const Shape body = deformed ? plain.updated(vertices).value() : plain;
    const Pose pose = seed % 3 == 0 ? Pose() : random.pose(1);
    const Pose pose_source = seed % 5 == 0 ? Pose() : aimed(source, body, pose, random);
    const RayContactOptions options;
    const detail::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const detail::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 2 == 0 ? -1 : random.uniform(0, 0.5);
    std::vector<detail::RayStart> starts;
    rays.list(0.1, culling, starts);
    ContactStats cast_stats, walk_stats;
    std::vector<Found> cast, walked;
    std::vector<detail::AskedRays> asked{detail::AskedRays::standard(rays, 0.1, culling),
                                         detail::AskedRays::walks(rays, culling, 6)};
    for (const detail::RayStart& start : starts) {
      if (const auto told = rays.cast(start, culling, cast_stats)) cast.push_back(found_by(rays, start.vertex, *told));
      const auto from = static_cast<std::uint32_t>(random.below(body.mesh().triangles().size()));
      asked[1].add(start.vertex, from);
      if (const auto told = rays.follow(start.vertex, from, culling, 6, walk_stats))
        walked.push_back(found_by(rays, start.vertex, *told));
      at_rims += rays.has_rim(start.vertex) ? 1 : 0;
    }
    for (const auto& [by_boxes, projects] : k_ways) {
      const auto told = told_by_kernels(asked, by_boxes, projects);
      for (std::uint32_t side = 0; side < 2; ++side) {
        SCOPED_TRACE(side);
        ContactStats now;
        std::vector<Found> answers;
        asked[side].answer(told_of(told, side), told.work[side], now,
                           [&](const auto& one, const Contact& made) { answers.push_back(found_of(one, made)); });
        ASSERT_EQ(answers, side == 0 ? cast : walked);
        EXPECT_EQ(test::counted_anywhere(now), test::counted_anywhere(side == 0 ? cast_stats : walk_stats));
        EXPECT_EQ(now.device_rays, asked[side].size());
        projected += now.device_projections, of_deformed += deformed ? now.device_projections : 0;
      }
    }
    found[target_body.family] += cast.size() + walked.size();
  }
  std::cout << "rays from rims " << at_rims << ", contacts made by kernels " << projected << ", of bodies that deform "
            << of_deformed << "; told, by family:";
  for (const std::uint64_t told : found) std::cout << ' ' << told;
  std::cout << '\n';
  EXPECT_GT(at_rims, count);
  EXPECT_GT(projected, count);
  EXPECT_GT(10 * of_deformed, count);
  if (count < 300) return;
  for (const std::uint64_t told : found) EXPECT_GT(20 * told, count);
}

}  // namespace
}  // namespace snug
