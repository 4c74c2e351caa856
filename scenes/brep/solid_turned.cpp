#include "scenes/brep/arithmetic.hpp"
#include "scenes/brep/solid.hpp"

#include <algorithm>
#include <cmath>

namespace snug::scenes::brep {

Tip Solid::open(FaceId on, Point2 centre, double radius, std::uint32_t segments, bool inward) {
  Frame frame = faces_[on].frame;
  frame.origin = frame.at(centre);
  Tip tip{frame, radius, ring(frame, circle({}, radius, segments)), inward ? -1.0 : 1.0};
  faces_[on].loops.push_back(tip.ring);
  return tip;
}

Tip Solid::disc(const Frame& frame, double radius, std::uint32_t segments, FaceId* made) {
  Tip tip{frame, radius, ring(frame, circle({}, radius, segments)), 1};
  const FaceId id = face("base", {frame.origin, frame.u, -frame.v, -frame.n}, Ring(tip.ring.rbegin(), tip.ring.rend()));
  if (made != nullptr) *made = id;
  return tip;
}

Tip Solid::pole(const Frame& frame, const Turn& first, std::uint32_t segments) {
  Tip tip{frame, 0, Ring(segments, vertex(frame.origin)), 1};
  return revolve(tip, 0, 0, first, nullptr);
}

Tip Solid::turned(const Tip& tip, std::span<const Turn> profile, std::vector<FaceId>* rings) {
  Tip here = tip;
  double r = tip.radius, z = 0;
  for (const Turn& turn : profile) {
    here = revolve(here, r, z, turn, rings);
    r = turn.r;
    z = turn.z;
  }
  return here;
}

Tip Solid::revolve(const Tip& tip, double from_r, double from_z, const Turn& turn, std::vector<FaceId>* rings) {
  // The profile counts from height zero; the tip has moved on to from_z.
  Step step{tip.frame, tip, from_r, from_z, turn};
  step.base.origin = tip.frame.at({}, -from_z * tip.heading);
  step.next.radius = turn.r;
  step.next.frame.origin = step.base.at({}, turn.z * tip.heading);
  if (turn.arc)
    arc_step(step, tip.ring);
  else if (turn.z != from_z)
    line_step(step, tip);
  else {
    const FaceId ring = flat_step(step, tip.ring);
    if (rings != nullptr) rings->push_back(ring);
  }
  return step.next;
}

/// A point, as many times over, on the axis.
Ring Solid::ring_at(const Step& step, double r, double z) {
  const auto count = static_cast<std::uint32_t>(step.next.ring.size());
  const double height = step.next.heading * z;
  return r == 0 ? Ring(count, vertex(step.base.at({}, height))) : ring(step.base, circle({}, r, count), height);
}

void Solid::lay(const Ring& a, const Ring& b, double radius_a, double radius_b, std::uint32_t surface) {
  if (radius_a != 0 && radius_b != 0) return strip(a, b, surface);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t k = (i + 1) % a.size();
    patches_.push_back({surface, radius_a == 0 ? Index3{a[i], b[k], b[i]} : Index3{a[i], a[k], b[i]}});
  }
}

FaceId Solid::flat_step(Step& step, const Ring& from) {
  step.next.ring = ring_at(step, step.turn.r, step.turn.z);
  Frame frame = step.next.frame;
  // Outward of the profile's direction (dr, dz), told along n, is (dz, -dr).
  const bool widens = step.turn.r > step.from_r;
  if (widens) frame = {frame.origin, frame.u, -frame.v, -frame.n};
  const FaceId made = face("ring", frame, widens ? step.next.ring : from);
  faces_[made].loops.push_back(widens ? from : step.next.ring);
  return made;
}

void Solid::line_step(Step& step, const Tip& from) {
  const Turn& turn = step.turn;
  step.next.ring = ring_at(step, turn.r, turn.z);
  const double dr = turn.r - step.from_r, dz = turn.z - step.from_z;
  const auto count = static_cast<std::uint32_t>(from.ring.size());
  // Of a cone measured square to its facets, which are a little steeper than itself.
  const double facet_dr = dr * at_turns(0.5 / count).cos;
  const double sag =
      circle_sag(std::max(step.from_r, turn.r), count) * std::fabs(dz) / std::sqrt(dz * dz + facet_dr * facet_dr);
  const bool with_n = (dz > 0) == (from.heading > 0);
  AnalyticSurface form;
  form.hollow = !with_n;
  form.radius = std::max(turn.r, step.from_r);
  form.axis = step.base.n;
  form.origin = from.frame.origin;
  std::uint32_t id = 0;
  if (dr == 0)
    id = surface(form.hollow ? "bore" : "round", SurfaceKind::cylinder, form, sag);
  else {
    // Counted from the wider end, whose radius is never zero; the axis points to where the cone widens.
    if (dr > 0) form.origin = step.next.frame.origin;
    if ((dr > 0) != with_n) form.axis = -step.base.n;
    form.half_angle = half_angle(dr, dz);
    id = surface(form.hollow ? "countersink" : "taper", SurfaceKind::cone, form, sag);
  }
  lay(from.ring, step.next.ring, step.from_r, turn.r, id);
}

void Solid::arc_step(Step& step, const Ring& from) {
  const Turn& turn = step.turn;
  const double minor = std::sqrt((step.from_r - turn.centre_r) * (step.from_r - turn.centre_r) +
                                 (step.from_z - turn.centre_z) * (step.from_z - turn.centre_z));
  const Point2 start{(step.from_r - turn.centre_r) / minor, (step.from_z - turn.centre_z) / minor};
  const Point2 end{(turn.r - turn.centre_r) / minor, (turn.z - turn.centre_z) / minor};
  const bool left = start.x * end.y - start.y * end.x > 0, ball = turn.centre_r == 0;
  AnalyticSurface form;
  form.axis = step.base.n;
  form.origin = step.base.at({}, step.next.heading * turn.centre_z);
  // Going counter-clockwise about the centre in the (r, z) plane, outward of the direction is away from the centre.
  form.hollow = left != (step.next.heading > 0);
  form.radius = ball ? minor : turn.centre_r;
  form.minor_radius = ball ? 0 : minor;
  const double chord = std::sqrt((start.x - end.x) * (start.x - end.x) + (start.y - end.y) * (start.y - end.y));
  const double du = 2 * k_pi / static_cast<double>(from.size());
  const double dv = 2 * half_angle(chord / 2, std::sqrt(std::max(0.0, 1 - chord * chord / 4))) / turn.segments;
  const std::uint32_t id = surface(ball ? "dome" : "fillet", ball ? SurfaceKind::sphere : SurfaceKind::torus, form,
                                   curved_sag(turn.centre_r + minor, minor, du, dv));
  Ring last = from;
  double last_r = step.from_r;
  for (std::uint32_t k = 1; k <= turn.segments; ++k) {
    double r = turn.r, z = turn.z;
    if (k < turn.segments) {
      const Point2 p = on_unit_arc(start, end, static_cast<double>(k) / turn.segments);
      r = turn.centre_r + minor * p.x;
      z = turn.centre_z + minor * p.y;
    }
    const Ring here = ring_at(step, r, z);
    lay(last, here, last_r, r, id);
    last = here;
    last_r = r;
  }
  step.next.ring = last;
}

Tip Solid::straight(const Tip& tip, double distance) {
  const Turn step[] = {{tip.radius, distance}};
  return turned(tip, step);
}

Tip Solid::bend(const Tip& tip, double toward_turns, double bend_radius, double turns, std::uint32_t segments) {
  const auto [cu, su] = at_turns(toward_turns);
  const Frame& frame = tip.frame;
  const Vec3 toward = cu * frame.u + su * frame.v, ahead = tip.heading * frame.n;
  const Point3 centre = frame.origin + bend_radius * toward;
  AnalyticSurface form;
  form.origin = centre;
  form.axis = cross(ahead, toward);
  form.radius = bend_radius;
  form.minor_radius = tip.radius;
  form.hollow = tip.heading < 0;
  const double du = 2 * k_pi * turns / segments, dv = 2 * k_pi / static_cast<double>(tip.ring.size());
  const std::uint32_t id =
      surface("bend", SurfaceKind::torus, form, curved_sag(bend_radius + tip.radius, tip.radius, du, dv));

  Tip next = tip;
  for (std::uint32_t k = 1; k <= segments; ++k) {
    const CosSin angle = at_turns(turns * k / segments);
    // The plane of the bend is spanned by -toward (from its centre to the pipe) and ahead.
    const auto swing = [&](const Vec3& v) {
      const double a = -dot(v, toward), b = dot(v, ahead);
      const Vec3 rest = v + a * toward - b * ahead;
      return rest - (a * angle.cos - b * angle.sin) * toward + (a * angle.sin + b * angle.cos) * ahead;
    };
    Frame turned_frame = frame;
    turned_frame.origin = centre + swing(frame.origin - centre);
    turned_frame.u = swing(frame.u);
    turned_frame.v = swing(frame.v);
    turned_frame.n = swing(frame.n);
    const Ring here = ring(turned_frame, circle({}, tip.radius, static_cast<std::uint32_t>(tip.ring.size())));
    strip(next.ring, here, id);
    next.ring = here;
    next.frame = turned_frame;
  }
  return next;
}

FaceId Solid::close(const Tip& tip) { return face(tip.heading > 0 ? "end" : "floor", tip.frame, tip.ring); }

void Solid::close(const Tip& tip, FaceId to) { faces_[to].loops.push_back(tip.ring); }

void Solid::close_dome(const Tip& tip, const Turn& last) { (void)revolve(tip, tip.radius, 0, last, nullptr); }

}  // namespace snug::scenes::brep
