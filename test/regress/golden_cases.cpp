#include "golden_cases.hpp"

#include "scenes/solids.hpp"

#include <cmath>

namespace snug::test {

namespace {

MeshInput input_of(const Mesh& mesh, const Vec3& offset = {}) {
  MeshInput in;
  for (const Point3& p : mesh.vertices()) in.vertices.push_back(p + offset);
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  in.surfaces.assign(mesh.surfaces().begin(), mesh.surfaces().end());
  for (std::uint32_t t = 0; t < in.triangles.size(); ++t) in.surface_of_triangle.push_back(mesh.surface_of(t));
  return in;
}
MeshInput box(const Point3& lo, const Point3& hi) { return input_of(scenes::box(lo, hi)); }

MeshInput soup(const std::vector<std::vector<Point3>>& triangles) {
  MeshInput in;
  for (const std::vector<Point3>& t : triangles) {
    const auto first = static_cast<std::uint32_t>(in.vertices.size());
    in.vertices.insert(in.vertices.end(), t.begin(), t.end());
    in.triangles.push_back({first, first + 1, first + 2});
  }
  return in;
}

MeshInput joined(MeshInput a, const MeshInput& b) {
  const auto first = static_cast<std::uint32_t>(a.vertices.size());
  const auto first_surface = static_cast<std::uint32_t>(a.surfaces.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  a.surfaces.insert(a.surfaces.end(), b.surfaces.begin(), b.surfaces.end());
  for (const Index3& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  for (const std::uint32_t s : b.surface_of_triangle) a.surface_of_triangle.push_back(s + first_surface);
  return a;
}

/// Inside out: the wall of a cavity.
MeshInput reversed(MeshInput in) {
  for (Index3& t : in.triangles) std::swap(t[1], t[2]);
  return in;
}

/// Without the triangles of one surface.
MeshInput without_surface(MeshInput in, std::uint32_t surface) {
  MeshInput out = in;
  out.triangles.clear(), out.surface_of_triangle.clear();
  for (std::size_t t = 0; t < in.triangles.size(); ++t)
    if (in.surface_of_triangle[t] != surface) {
      out.triangles.push_back(in.triangles[t]);
      out.surface_of_triangle.push_back(in.surface_of_triangle[t]);
    }
  return out;
}

/// The same triangles, each starting at another corner.
MeshInput turned(MeshInput in, std::size_t by) {
  for (std::size_t t = 0; t < in.triangles.size(); ++t)
    std::rotate(in.triangles[t].begin(), in.triangles[t].begin() + (t + by) % 3, in.triangles[t].end());
  return in;
}

/// Area of a regular polygon with corners at `radius`.
double polygon_area(double radius, double corners) {
  return 0.5 * corners * radius * radius * std::sin(2 * 3.14159265358979323846 / corners);
}

void add_boxes(std::vector<GoldenCase>& cases) {
  const MeshInput unit = box({0, 0, 0}, {1, 1, 1});
  cases.push_back({.name = "box resting on a box, fcl#502",
                   .a = unit,
                   .b = box({0.25, 0.25, 1}, {0.75, 0.75, 2}),
                   .verdict = Verdict::touch,
                   .gap = 0,
                   .patch_area = 0.25,
                   .patch_corners = 4});
  cases.push_back({.name = "box embedded in a box, fcl#503",
                   .a = unit,
                   .b = box({0.25, 0.25, 0.75}, {0.75, 0.75, 2}),
                   .verdict = Verdict::clash,
                   .depth = 0.25,
                   .volume = 0.0625});
  cases.push_back({.name = "face contact with four corners, fcl#106",
                   .a = unit,
                   .b = box({0.5, 0.5, 1}, {3, 3, 2}),
                   .verdict = Verdict::touch,
                   .gap = 0,
                   .patch_area = 0.25,
                   .patch_corners = 4});
  cases.push_back({.name = "one solid inside another, fcl#492",
                   .a = box({-2, -2, -2}, {3, 3, 3}),
                   .b = unit,
                   .verdict = Verdict::contained,
                   .volume = 1});
  for (const double x : {-3.0, 0.25, 3.0})
    cases.push_back({.name = "boxes passing each other at " + std::to_string(x) + ", fcl#555",
                     .a = unit,
                     .b = box({x, 0.5, 0.5}, {x + 1, 1.5, 1.5}),
                     .verdict = x == 0.25 ? Verdict::clash : Verdict::clear,
                     .depth = x == 0.25 ? std::optional(0.5) : std::nullopt,
                     .volume = x == 0.25 ? std::optional(0.1875) : std::nullopt});
  cases.push_back({.name = "walls 50 mm into each other, IfcOpenShell#4594",
                   .a = box({0, 0, 0}, {3, 0.25, 2.5}),
                   .b = box({2.95, 0, 0}, {6, 0.25, 2.5}),
                   .verdict = Verdict::clash,
                   .depth = 0.05,
                   .volume = 0.05 * 0.25 * 2.5});
  cases.push_back({.name = "walls end to end",
                   .a = box({0, 0, 0}, {3, 0.25, 2.5}),
                   .b = box({3, 0, 0}, {6, 0.25, 2.5}),
                   .verdict = Verdict::touch,
                   .gap = 0,
                   .patch_area = 0.625,
                   .patch_corners = 4});
  cases.push_back({.name = "small box flush in the corner of a large one",
                   .a = unit,
                   .b = box({0, 0, 0}, {0.5, 0.5, 0.5}),
                   .verdict = Verdict::clash,
                   .depth = 0.5,
                   .volume = 0.125});
  cases.push_back(
      {.name = "cubes 2^-20 apart", .a = unit, .b = box({0, 0, 1 + 0x1p-20}, {1, 1, 2}), .verdict = Verdict::clear});
  cases.push_back({.name = "cubes 2^-20 apart, clearance asked for",
                   .a = unit,
                   .b = box({0, 0, 1 + 0x1p-20}, {1, 1, 2}),
                   .tolerances = {.clearance = 0x1p-19},
                   .verdict = Verdict::near,
                   .gap = 0x1p-20});
  cases.push_back({.name = "cubes 2^-20 apart, within the touch gap",
                   .a = unit,
                   .b = box({0, 0, 1 + 0x1p-20}, {1, 1, 2}),
                   .tolerances = {.touch_gap = 0x1p-19},
                   .verdict = Verdict::touch,
                   .gap = 0x1p-20,
                   .patch_area = 1,
                   .patch_corners = 4});
  cases.push_back({.name = "cubes 2^-20 into each other",
                   .a = unit,
                   .b = box({0, 0, 1 - 0x1p-20}, {1, 1, 2}),
                   .verdict = Verdict::clash,
                   .depth = 0x1p-20,
                   .volume = 0x1p-20});
  cases.push_back({.name = "cubes 2^-20 into each other, forgiven",
                   .a = unit,
                   .b = box({0, 0, 1 - 0x1p-20}, {1, 1, 2}),
                   .tolerances = {.touch_overlap = 0x1p-19},
                   .verdict = Verdict::touch});
  cases.push_back({.name = "coincident boxes",
                   .a = unit,
                   .b = unit,
                   .verdict = Verdict::clash,
                   .depth = 1,
                   .volume = 1,
                   .duplicate = true});
  cases.push_back({.name = "square peg in a square hole, flush all around",
                   .a = joined(box({0, 0, 0}, {3, 3, 1}), reversed(box({1, 1, 0.25}, {2, 2, 0.75}))),
                   .b = box({1, 1, 0.25}, {2, 2, 0.75}),
                   .verdict = Verdict::touch,
                   .gap = 0});
  cases.push_back({.name = "in the cavity of a hollow body",
                   .a = joined(box({0, 0, 0}, {4, 4, 4}), reversed(box({1, 1, 1}, {3, 3, 3}))),
                   .b = box({1.5, 1.5, 1.5}, {2.5, 2.5, 2.5}),
                   .verdict = Verdict::clear});
  cases.push_back({.name = "second shell inside, first one far away",
                   .a = unit,
                   .b = joined(box({5, 5, 5}, {6, 6, 6}), box({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75})),
                   .verdict = Verdict::contained,
                   .volume = 0.125});
  cases.push_back({.name = "around the cavity of the other: solid filling more than the hollow",
                   .a = joined(box({0, 0, 0}, {4, 4, 4}), reversed(box({1.5, 1.5, 1.5}, {2.5, 2.5, 2.5}))),
                   .b = box({1, 1, 1}, {3, 3, 3}),
                   .verdict = Verdict::contained,
                   .volume = 7});
}

void add_round(std::vector<GoldenCase>& cases) {
  const double ring = polygon_area(1, 12) - polygon_area(0.75, 12);
  cases.push_back({.name = "pipes in line, overlapping at their ends",
                   .a = input_of(scenes::pipe(1, 0.75, 4, 12)),
                   .b = input_of(scenes::pipe(1, 0.75, 4, 12), {0, 0, 3.5}),
                   .verdict = Verdict::clash,
                   .volume = 0.5 * ring});
  cases.push_back({.name = "rods in line, overlapping at their ends",
                   .a = input_of(scenes::cylinder(1, 4, 12)),
                   .b = input_of(scenes::cylinder(1, 4, 12), {0, 0, 3.5}),
                   .verdict = Verdict::clash,
                   .depth = 0.5,
                   .volume = 0.5 * polygon_area(1, 12)});
  cases.push_back({.name = "pipes end to end",
                   .a = input_of(scenes::pipe(1, 0.75, 4, 12)),
                   .b = input_of(scenes::pipe(1, 0.75, 4, 12), {0, 0, 4}),
                   .verdict = Verdict::touch,
                   .gap = 0});
  const MeshInput floor = box({-50, -50, -1}, {50, 50, 0});
  const auto ball = [](double z) { return input_of(scenes::sphere(0.5, 8, 12), {0, 0, z}); };
  cases.push_back({.name = "small sphere on a large box, bullet3#2579",
                   .a = floor,
                   .b = ball(0.5),
                   .verdict = Verdict::touch,
                   .gap = 0});
  cases.push_back({.name = "small sphere pressed into a large box, bullet3#2579",
                   .a = floor,
                   .b = ball(0.5 - 0x1p-10),
                   .verdict = Verdict::clash,
                   .depth = 0x1p-10,
                   .lower_share = 0.95});
  cases.push_back({.name = "small sphere just above a large box, bullet3#2579",
                   .a = floor,
                   .b = ball(0.5 + 0x1p-10),
                   .verdict = Verdict::clear});
  cases.push_back(
      {.name = "coincident spheres", .a = ball(0), .b = ball(0), .verdict = Verdict::clash, .duplicate = true});
  for (std::size_t by = 0; by < 3; ++by)
    cases.push_back({.name = "corners of the triangles turned by " + std::to_string(by) + ", axom#152",
                     .a = turned(floor, by),
                     .b = turned(ball(0.25), 2 * by),
                     .verdict = Verdict::clash,
                     .depth = 0.25,
                     .lower_share = 0.95});
}

void add_sheets(std::vector<GoldenCase>& cases) {
  const MeshInput sheet = soup({{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}});
  cases.push_back({.name = "coplanar triangles, one in the other, LokiResearch#3",
                   .a = sheet,
                   .b = soup({{{0.5, 0.5, 0}, {1.5, 0.5, 0}, {0.5, 1.5, 0}}}),
                   .verdict = Verdict::touch,
                   .gap = 0});
  cases.push_back({.name = "coplanar triangles, edges crossing, LokiResearch#4",
                   .a = sheet,
                   .b = soup({{{1, -1, 0}, {2, -1, 0}, {1.5, 3, 0}}}),
                   .verdict = Verdict::touch,
                   .gap = 0});
  cases.push_back({.name = "sheets that cross",
                   .a = sheet,
                   .b = soup({{{1, 1, -1}, {1, 1, 1}, {1, 3, 1}}}),
                   .verdict = Verdict::clash});
  cases.push_back({.name = "sheet standing on a sheet",
                   .a = sheet,
                   .b = soup({{{1, 1, 0}, {1, 2, 0}, {1, 1, 1}}}),
                   .verdict = Verdict::touch,
                   .gap = 0});
  cases.push_back({.name = "point- and segment-triangles on a sheet, geometry3Sharp#85",
                   .a = sheet,
                   .b = soup({{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, {{1, 1, -1}, {1, 1, 1}, {1, 1, 0.5}}}),
                   .verdict = Verdict::touch,
                   .gap = 0});
  cases.push_back({.name = "point- and segment-triangles off a sheet, geometry3Sharp#85",
                   .a = sheet,
                   .b = soup({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{1, 1, 2}, {1, 1, 1}, {1, 1, 1.5}}}),
                   .verdict = Verdict::clear});
  cases.push_back({.name = "inside a box without a lid, coal#134",
                   .a = without_surface(box({-2, -2, -2}, {3, 3, 3}), 1),
                   .b = box({0, 0, 0}, {1, 1, 1}),
                   .verdict = Verdict::undecided});
  cases.push_back({.name = "beside a box without a lid",
                   .a = without_surface(box({-2, -2, -2}, {3, 3, 3}), 1),
                   .b = box({4, 0, 0}, {5, 1, 1}),
                   .verdict = Verdict::clear});
  cases.push_back(
      {.name = "sheet inside a solid", .a = box({-1, -1, -1}, {5, 5, 1}), .b = sheet, .verdict = Verdict::undecided});
  cases.push_back({.name = "aligned overlap of a box without a lid",
                   .a = without_surface(box({0, 0, 0}, {1, 1, 1}), 1),
                   .b = box({0, 0, 0}, {1, 1, 0.5}),
                   .verdict = Verdict::undecided});
}

void add_extremes(std::vector<GoldenCase>& cases) {
  // A part of 2 mm, given in metres.
  cases.push_back({.name = "2 mm part in metres",
                   .a = box({0, 0, 0}, {0.002, 0.002, 0.002}),
                   .b = box({0.0005, 0.0005, 0.0019}, {0.0015, 0.0015, 0.004}),
                   .verdict = Verdict::clash,
                   .depth = 0.0001,
                   .volume = 1e-10});
  // 10 km from the origin, in millimetres.
  const double far = 1e7;
  cases.push_back({.name = "10 km from the origin, touching",
                   .a = box({far, far, far}, {far + 10, far + 10, far + 10}),
                   .b = box({far + 2, far + 2, far + 10}, {far + 8, far + 8, far + 20}),
                   .verdict = Verdict::touch,
                   .gap = 0,
                   .patch_area = 36,
                   .patch_corners = 4});
  cases.push_back({.name = "10 km from the origin, 1 um deep",
                   .a = box({far, far, far}, {far + 10, far + 10, far + 10}),
                   .b = box({far + 2, far + 2, far + 10 - 0x1p-10}, {far + 8, far + 8, far + 20}),
                   .verdict = Verdict::clash,
                   .depth = 0x1p-10});
}

}  // namespace

std::vector<GoldenCase> golden_cases() {
  std::vector<GoldenCase> cases;
  add_boxes(cases);
  add_round(cases);
  add_sheets(cases);
  add_extremes(cases);
  return cases;
}

}  // namespace snug::test
