#include "scenes/plant_parts.hpp"

#include <cmath>

namespace snug::scenes::plant_parts {

using namespace brep;

namespace {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 unit(const Vec3& a) { return (1 / std::sqrt(dot(a, a))) * a; }

void add_bolt_holes(Solid& solid, FaceId from, FaceId to, const Pipe& pipe) {
  solid.name("bolt hole");
  for (std::uint32_t i = 0; i < pipe.bolts; ++i) {
    const auto [c, s] = at_turns((i + 0.5) / pipe.bolts);
    solid.join(from, circle({pipe.bolt_circle * c, pipe.bolt_circle * s}, pipe.bolt_hole, pipe.bolt_chords), to);
  }
}

/// Quarter turns from u to the direction, which lies along u or v.
double quarter_toward(const Frame& frame, const Vec3& direction) {
  const double u = dot(frame.u, direction), v = dot(frame.v, direction);
  if (std::fabs(u) > std::fabs(v)) return u > 0 ? 0 : 0.5;
  return v > 0 ? 0.25 : 0.75;
}

/// From a tip at the run's first point, or `late` behind it, to `early` before its last.
Tip follow(Solid& solid, Tip tip, std::span<const Point3> points, double bend_radius, double late, double early) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 leg = points[i + 1] - points[i];
    const bool last = i + 2 == points.size();
    const double length = std::sqrt(dot(leg, leg)) - (i == 0 ? late : bend_radius) - (last ? early : bend_radius);
    tip = solid.straight(tip, length);
    if (!last)
      tip = solid.bend(tip, quarter_toward(tip.frame, unit(points[i + 2] - points[i + 1])), bend_radius, 0.25, 5);
  }
  return tip;
}

}  // namespace

FaceId add_flange(Solid& solid, const Tip& end, const Pipe& pipe) {
  solid.name("flange");
  const Turn profile[] = {
      {pipe.flange, 0}, {pipe.flange, k_flange_thickness}, {pipe.raised, k_flange_thickness}, {pipe.raised, k_joint}};
  std::vector<FaceId> rings;
  const FaceId face = solid.close(solid.turned(end, profile, &rings));
  add_bolt_holes(solid, rings[1], rings[0], pipe);
  return face;
}

void add_nozzle(Solid& solid, const Tip& stub, const Pipe& pipe, double depth) {
  const FaceId face = add_flange(solid, stub, pipe);
  solid.name("nozzle");
  solid.close(solid.straight(solid.open(face, {}, pipe.bore, pipe.chords, true), depth));
}

void add_manhole(Solid& solid, const Tip& stub, std::uint32_t bolts) {
  solid.name("manhole");
  const double radius = stub.radius + 80;
  const Turn profile[] = {{radius, 0}, {radius, 60}};
  const FaceId cover = solid.close(solid.turned(stub, profile));
  solid.name("manhole bolt");
  for (std::uint32_t i = 0; i < bolts; ++i) {
    const auto [c, s] = at_turns(static_cast<double>(i) / bolts);
    const Point2 at{(radius - 38) * c, (radius - 38) * s};
    const FaceId nut = solid.boss(cover, circle(at, 22, 6), 24).end;
    solid.boss(nut, circle(at, 13, 6), 20);
  }
  solid.name("manhole handle");
  Tip handle = solid.straight(solid.open(cover, {-80, 0}, 10, 8), 60);
  handle = solid.straight(solid.bend(handle, 0, 30, 0.25, 3), 100);
  handle = solid.straight(solid.bend(handle, quarter_toward(handle.frame, -stub.frame.n), 30, 0.25, 3), 60);
  solid.close(handle, cover);
}

Mesh pipe_run(std::span<const Point3> points, const Pipe& pipe, double bend_radius) {
  Solid solid;
  const Vec3 ahead = unit(points[1] - points[0]);
  Frame frame;
  frame.origin = points[0];
  frame.n = ahead;
  frame.u = ahead.z != 0 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  frame.v = {ahead.y * frame.u.z - ahead.z * frame.u.y, ahead.z * frame.u.x - ahead.x * frame.u.z,
             ahead.x * frame.u.y - ahead.y * frame.u.x};
  solid.name("first flange");
  FaceId mouth = 0;
  std::vector<FaceId> rings;
  const Turn start[] = {
      {pipe.raised, k_raised_height}, {pipe.flange, k_raised_height}, {pipe.flange, k_joint}, {pipe.radius, k_joint}};
  Tip tip = solid.turned(solid.disc(frame, pipe.raised, pipe.chords, &mouth), start, &rings);
  add_bolt_holes(solid, rings[1], rings[0], pipe);
  solid.name("pipe");
  tip = follow(solid, tip, points, bend_radius, k_joint, k_joint);
  const FaceId end = add_flange(solid, tip, pipe);
  solid.name("bore");
  tip = solid.open(mouth, {}, pipe.bore, pipe.chords, true);
  solid.close(follow(solid, tip, points, bend_radius, 0, 0), end);
  return solid.build();
}

}  // namespace snug::scenes::plant_parts
