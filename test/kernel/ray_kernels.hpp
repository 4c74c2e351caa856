#pragma once

#include "contact/device_rays.hpp"
#include "device/ray_encode.hpp"
#include "scenes/random.hpp"
#include "shape/shape_data.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include "kernels_as_cpp.hpp"  // behind all others: it names things as OpenCL does

// Kernels of rays compiled as C++ and run item after item, and what is held to them.

namespace {

#include "ray_kernels.inc"

}  // namespace

namespace snug {
namespace {

/// What kernels tell of rays, item after item.
query::DeviceRaysTold told_by_kernels(std::span<const contact::AskedRays> asked, bool by_boxes, bool projects) {
  std::vector<query::DeviceRaySide> sides;
  std::vector<device::RayChunk> chunks;
  std::vector<const Shape*> shapes;
  device::EncodedBodies bodies;
  bodies.exact = projects;
  const auto place = [&](const Shape& shape) {
    const auto known = std::ranges::find(shapes, &shape);
    if (known != shapes.end()) return static_cast<std::uint32_t>(known - shapes.begin());
    EXPECT_TRUE(bodies.add(shape));
    shapes.push_back(&shape);
    return static_cast<std::uint32_t>(shapes.size() - 1);
  };
  for (const contact::AskedRays& one : asked) {
    const query::DeviceRaySide side = sides.emplace_back(one.side());
    place(*side.source), place(*side.target);
    // In two chunks, as if they were divided among devices.
    const auto number = static_cast<std::uint32_t>(sides.size() - 1);
    chunks.push_back({number, one.size() / 3, one.size() - one.size() / 3});
    chunks.push_back({number, 0, one.size() / 3});
  }
  const device::EncodedStep step(sides, chunks, 1, projects);
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
  query::DeviceRaysTold told;
  told.work.resize(sides.size());
  const std::size_t count = words[at.head];
  EXPECT_TRUE(step.take(words.subspan(at.head, at.told - at.head + at.told_words * count), told.told, told.work));
  std::ranges::sort(told.told, {}, [](const auto& t) { return std::uint64_t{t.side} << 32 | t.ray; });
  return told;
}

/// All that a ray tells, and the contact that it makes, in bits: zeros have signs.
struct Found {
  Contact contact;
  std::array<std::uint64_t, 12> bits{};
  friend bool operator==(const Found&, const Found&) = default;
};
Found found_of(const contact::VertexRays::Told& told, const Contact& made) {
  Found found{made, {}};
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  std::size_t at = 0;
  for (const double x : {told.hit.t, made.depth, made.weight}) found.bits[at++] = bits(x);
  for (const Vec3& v : {made.normal, made.on_a, made.on_b})
    for (std::size_t i = 0; i < 3; ++i) found.bits[at++] = bits(v[i]);
  return found;
}
Found found_by(const contact::VertexRays& rays, std::uint32_t vertex, const contact::VertexRays::Told& told) {
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
  const Vec3 way = -turned.apply(detail::Access::data(source).get<contact::ContactMesh>().normal(vertex));
  const double beside = std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(40)));
  const double back = kind == 4 ? 0 : kind >= 5 ? beside : random.uniform(-1, 1);
  const Point3 origin = through - back * way;
  return Pose::make(turned.rotation(), origin - turned.apply(source.mesh().vertices()[vertex])).value();
}

}  // namespace
}  // namespace snug
