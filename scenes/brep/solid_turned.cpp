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
  const auto count = static_cast<std::uint32_t>(tip.ring.size());
  // The frame of height zero, from which the profile is told; the tip's own has moved on to from_z.
  Frame base = tip.frame;
  base.origin = base.at({}, -from_z * tip.heading);
  const double way = tip.heading;
  const auto ring_at = [&](double r, double z) {
    return r == 0 ? Ring(count, vertex(base.at({}, way * z))) : ring(base, circle({}, r, count), way * z);
  };
  Tip next = tip;
  next.radius = turn.r;
  next.frame.origin = base.at({}, way * turn.z);
  AnalyticSurface form;
  form.origin = base.origin;
  form.axis = base.n;
  const double dr = turn.r - from_r, dz = turn.z - from_z;

  if (!turn.arc && dz == 0) {
    next.ring = ring_at(turn.r, turn.z);
    Frame flat = next.frame;
    // Outward of the profile's direction (dr, dz), told along n, is (dz, -dr).
    if (dr > 0) flat = {flat.origin, flat.u, -flat.v, -flat.n};
    const bool outer_is_next = dr > 0;
    const FaceId id = face("ring", flat, outer_is_next ? next.ring : tip.ring);
    faces_[id].loops.push_back(outer_is_next ? tip.ring : next.ring);
    if (rings != nullptr) rings->push_back(id);
    return next;
  }

  const auto lay = [&](const Ring& a, const Ring& b, double ra, double rb, std::uint32_t id) {
    if (ra == 0)
      for (std::size_t i = 0; i < count; ++i) patches_.push_back({id, {a[i], b[(i + 1) % count], b[i]}});
    else if (rb == 0)
      fan(a, b[0], true, id);
    else
      strip(a, b, id);
  };
  if (!turn.arc) {
    next.ring = ring_at(turn.r, turn.z);
    form.hollow = (dz > 0) != (way > 0);
    // Of a cone measured square to its facets, which are a little steeper than itself.
    const double facet_dr = dr * at_turns(0.5 / count).cos;
    const double sag =
        circle_sag(std::max(from_r, turn.r), count) * std::fabs(dz) / std::sqrt(dz * dz + facet_dr * facet_dr);
    std::uint32_t id = 0;
    if (dr == 0) {
      form.radius = turn.r;
      form.origin = tip.frame.origin;
      id = surface(form.hollow ? "bore" : "round", SurfaceKind::cylinder, form, sag);
    } else {
      // Counted from the wider end, whose radius is never zero; the axis points to where the cone widens.
      const bool widens_ahead = turn.r > from_r;
      form.origin = widens_ahead ? next.frame.origin : tip.frame.origin;
      form.radius = std::max(turn.r, from_r);
      form.axis = (widens_ahead == (dz > 0)) == (way > 0) ? base.n : -base.n;
      form.half_angle = half_angle(dr, dz);
      id = surface(form.hollow ? "countersink" : "taper", SurfaceKind::cone, form, sag);
    }
    lay(tip.ring, next.ring, from_r, turn.r, id);
    return next;
  }

  const double minor = std::sqrt((from_r - turn.centre_r) * (from_r - turn.centre_r) +
                                 (from_z - turn.centre_z) * (from_z - turn.centre_z));
  const Point2 start{(from_r - turn.centre_r) / minor, (from_z - turn.centre_z) / minor};
  const Point2 end{(turn.r - turn.centre_r) / minor, (turn.z - turn.centre_z) / minor};
  const bool left = start.x * end.y - start.y * end.x > 0;
  // Going counter-clockwise about the centre in the (r, z) plane, outward of the direction is away from the centre.
  form.hollow = left != (way > 0);
  form.origin = base.at({}, way * turn.centre_z);
  const bool ball = turn.centre_r == 0;
  form.radius = ball ? minor : turn.centre_r;
  form.minor_radius = ball ? 0 : minor;
  const double du = 2 * k_pi / count;
  const double chord = std::sqrt((start.x - end.x) * (start.x - end.x) + (start.y - end.y) * (start.y - end.y));
  const double dv = 2 * half_angle(chord / 2, std::sqrt(std::max(0.0, 1 - chord * chord / 4))) / turn.segments;
  const double reach = ball ? minor : turn.centre_r + minor;
  // Linear interpolation over a triangle of the parameters: (du^2 |S_uu| + 2 du dv |S_uv| + dv^2 |S_vv|) / 8.
  const double sag = (du * du * reach + 2 * du * dv * minor + dv * dv * minor) / 8;
  const std::uint32_t id =
      surface(ball ? "dome" : "fillet", ball ? SurfaceKind::sphere : SurfaceKind::torus, form, upward(sag));

  Ring last = tip.ring;
  double last_r = from_r;
  for (std::uint32_t k = 1; k <= turn.segments; ++k) {
    double r = turn.r, z = turn.z;
    if (k < turn.segments) {
      const Point2 p = on_unit_arc(start, end, static_cast<double>(k) / turn.segments);
      r = turn.centre_r + minor * p.x;
      z = turn.centre_z + minor * p.y;
    }
    const Ring here = ring_at(r, z);
    lay(last, here, last_r, r, id);
    last = here;
    last_r = r;
  }
  next.ring = last;
  return next;
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
  const double sag = (du * du * (bend_radius + tip.radius) + 2 * du * dv * tip.radius + dv * dv * tip.radius) / 8;
  const std::uint32_t id = surface("bend", SurfaceKind::torus, form, upward(sag));

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
