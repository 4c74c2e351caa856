// Kernels of rays compiled as C++, item after item, held to the processor's rays.

#include "geometry/vec_ops.hpp"
#include "odd_bodies.hpp"
#include "scenes/solids.hpp"

#include <cstring>
#include <iostream>

#include "ray_kernels.hpp"  // behind all others: it names things as OpenCL does

namespace snug {
namespace {

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
    const contact::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const contact::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 5 < 2 ? -1 : random.uniform(0, 0.5), extension = seed % 7 == 0 ? 300 : 0.1;
    std::vector<contact::RayStart> starts;
    rays.list(extension, culling, starts);
    ContactStats expected_stats;
    std::vector<Found> expected;
    for (const contact::RayStart& start : starts)
      if (const auto told = rays.cast(start, culling, expected_stats))
        expected.push_back(found_by(rays, start.vertex, *told));
    const std::vector asked{contact::AskedRays::standard(rays, extension, culling)};
    for (const auto& [by_boxes, projects] : k_ways) {
      const auto told = told_by_kernels(asked, by_boxes, projects);
      ContactStats now;
      std::vector<Found> answers;
      asked[0].answer(contact::told_of(told, 0), told.work[0], now,
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

TEST(DeviceKernels, WhatIsNotThereIsNotTakenFromADevice) {
  const Shape body(scenes::box({-1, -1, -1}, {1, 1, 1})), source(scenes::sphere(0.5, 5, 7));
  const std::array poses{Pose(), translation(1.2, 0, 0)};
  const std::vector<query::DeviceRay> asked(9, {.vertex = 1, .triangle = 0, .ahead = 1});
  for (const std::uint32_t most : {0U, 6U}) {
    query::DeviceRaySide side{&source, &body, &poses[1], &poses[0], 0.1, most, asked, 0};
    const device::EncodedStep step(std::span(&side, 1), {{0, 4, 5}, {0, 0, 4}}, 1, true);
    const SnugRayStep& at = step.at();
    std::vector<std::uint32_t> words(at.told - at.head + at.told_words);
    const auto taken = [&](std::uint32_t ray, std::array<std::uint32_t, 7> triangles, std::uint32_t tells,
                           std::uint32_t projected) {
      const std::span one = std::span(words).last(at.told_words);
      one[0] = ray;
      std::ranges::copy(triangles, one.begin() + 1);
      SnugRayProjected made{};
      made.tells = tells, made.triangle = projected;
      std::memcpy(&one[sizeof(SnugRayTold) / 4], &made, sizeof made);
      std::vector<query::DeviceRayTold> told;
      std::array<query::DeviceRaysTold::Work, 1> work{};
      return step.take(words, told, work);
    };
    const std::uint32_t none = query::DeviceRayTold::k_none;
    for (std::uint32_t ray = 0; ray < 9; ++ray) EXPECT_TRUE(taken(ray, {11, 3, none}, SNUG_TELLS_CONTACT, 11));
    for (const std::uint32_t ray : {9U, 10U, 1U << 20U, ~0U})
      EXPECT_FALSE(taken(ray, {11, 3, none}, SNUG_UNDECIDED, 0));
    EXPECT_FALSE(taken(0, {12, 3, none}, SNUG_UNDECIDED, 0)) << "there are twelve triangles";
    EXPECT_FALSE(taken(0, {11, most == 0 ? 12U : 7U, none}, SNUG_UNDECIDED, 0)) << "or more steps than were allowed";
    EXPECT_FALSE(taken(0, {11, 3, none}, SNUG_TELLS_CONTACT, 12));
    EXPECT_FALSE(taken(0, {11, 3, none}, SNUG_TELLS_PREDICTION, ~0U));
    EXPECT_TRUE(taken(0, {11, 3, none}, SNUG_UNDECIDED, 12)) << "nobody reads it";
    EXPECT_EQ(taken(0, {query::DeviceRayTold::k_redo, 12}, SNUG_UNDECIDED, 0), most == 0);
  }
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
  const Vec3 axis = geometry::cross(from, to);
  const double w = 1 + geometry::dot(from, to);
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
    const contact::RayTarget target(body, pose, options.traversal, Instructions::scalar);
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
      if (kind == 2) way = geometry::cross((1 / unit) * p, (1 / unit) * q);
      const double size = geometry::length_of(way);
      if (!(size > 1e-100)) continue;
      way = (1 / size) * way;
      const double sign = random.below(2) != 0 ? 1 : -1;
      const double back = random.below(10) == 0 ? 0 : sign * unit * soup.power(-9, 0.2);
      const auto vertex = static_cast<std::uint32_t>(random.below(source.mesh().vertices().size()));
      const Vec3 own = -detail::Access::data(source).get<contact::ContactMesh>().normal(vertex);
      const auto turned = Pose::make(turning(own, way), {}).value();
      const Vec3 to = at - back * turned.apply(own);
      const Pose pose_source =
          Pose::make(turned.rotation(), to - turned.apply(source.mesh().vertices()[vertex])).value();
      const contact::VertexRays from(source, pose_source, target, true, options);
      const double culling = random.below(3) == 0 ? -1 : std::abs(back) * random.uniform(0, 2);
      ContactStats stats, now;
      std::vector<Found> expected, answers;
      std::vector<contact::RayStart> starts;
      from.list(unit, culling, starts);
      for (const contact::RayStart& start : starts)
        if (const auto told = from.cast(start, culling, stats)) expected.push_back(found_by(from, start.vertex, *told));
      const std::vector asked{contact::AskedRays::standard(from, unit, culling)};
      for (const auto& [by_boxes, projects] : k_ways) {
        const auto told = told_by_kernels(asked, by_boxes, projects);
        answers.clear();
        asked[0].answer(contact::told_of(told, 0), told.work[0], now,
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
    const contact::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const contact::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 5 < 2 ? -1 : random.uniform(0, 0.5);
    const auto most = static_cast<unsigned>(1 + random.below(12));
    std::vector<contact::AskedRays> asked{contact::AskedRays::walks(rays, culling, most)};
    ContactStats expected_stats, now;
    std::vector<Found> expected, answers;
    for (int i = 0; i < 20; ++i) {
      // From somewhere, and from near where the ray goes.
      const auto vertex = source.mesh().triangles()[random.below(source.mesh().triangles().size())][0];
      if (!detail::Access::data(source).get<contact::ContactMesh>().has_ray(vertex)) continue;
      ContactStats unwanted;
      auto from = static_cast<std::uint32_t>(random.below(body.mesh().triangles().size()));
      if (const auto hit = target.meet(rays.ray_of(vertex), {1e300, 1e300}, unwanted).ahead; hit && i % 4 != 0)
        for (from = hit->triangle; random.below(3) != 0;) {
          const std::uint32_t next =
              detail::Access::data(body).get<contact::ContactMesh>().links().neighbour[from][random.below(3)];
          if (next != mesh::MeshLinks::k_none) from = next;
        }
      asked[0].add(vertex, from);
      if (const auto told = rays.follow(vertex, from, culling, most, expected_stats))
        expected.push_back(found_by(rays, vertex, *told));
    }
    const auto told = told_by_kernels(asked, true, seed % 2 == 0);
    asked[0].answer(contact::told_of(told, 0), told.work[0], now,
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
    const contact::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const contact::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 2 == 0 ? -1 : random.uniform(0, 0.5);
    std::vector<contact::RayStart> starts;
    rays.list(0.1, culling, starts);
    ContactStats cast_stats, walk_stats;
    std::vector<Found> cast, walked;
    std::vector<contact::AskedRays> asked{contact::AskedRays::standard(rays, 0.1, culling),
                                          contact::AskedRays::walks(rays, culling, 6)};
    for (const contact::RayStart& start : starts) {
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
        asked[side].answer(contact::told_of(told, side), told.work[side], now,
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
