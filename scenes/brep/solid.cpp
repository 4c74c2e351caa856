#include "scenes/brep/solid.hpp"

#include "scenes/brep/triangulate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug::scenes::brep {

namespace {

constexpr double k_pi = 3.14159265358979323846;

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
Vec3 unit(const Vec3& a) { return (1 / length(a)) * a; }

double chord_sag(double radius, double chord) {
  const double half = chord / 2;
  return radius - std::sqrt(std::max(0.0, radius * radius - half * half));
}
/// Sags are upper bounds: above what rounding may have taken off.
double upward(double sag) { return sag * (1 + 1e-9) + 1e-12; }

/// Between the axis and a line that gains dr on dz, in radians.
double half_angle(double dr, double dz) {
  // An arc tangent of the same bits everywhere: halve the angle until the series converges at once.
  double t = std::fabs(dr) / std::fabs(dz);
  double factor = 1;
  while (t > 0.1) {
    t = t / (1 + std::sqrt(1 + t * t));
    factor *= 2;
  }
  const double t2 = t * t;
  double sum = 0;
  for (int k = 12; k >= 0; --k) sum = 1.0 / (2 * k + 1) - t2 * sum;
  return factor * t * sum;
}

}  // namespace

double circle_sag(double radius, std::uint32_t segments) { return upward(radius * (1 - at_turns(0.5 / segments).cos)); }

Frame facing_x(const Point3& origin) { return {origin, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}; }
Frame facing_y(const Point3& origin) { return {origin, {-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}; }
Frame facing_z(const Point3& origin) { return {origin, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }

// --- pieces ---------------------------------------------------------------------------------------------------------

std::uint32_t Solid::vertex(const Point3& p) {
  vertices_.push_back(p);
  return static_cast<std::uint32_t>(vertices_.size() - 1);
}

Ring Solid::ring(const Frame& frame, const Outline& outline, double height) {
  Ring out;
  for (const Point2& p : outline.points) out.push_back(vertex(frame.at(p, height)));
  return out;
}

std::uint32_t Solid::surface(const char* what, SurfaceKind kind, const AnalyticSurface& form, double sag) {
  std::string name = prefix_.empty() ? what : prefix_ + " " + what;
  if (const std::uint32_t count = ++used_[name]; count > 1) name += " " + std::to_string(count);
  Surface made;
  made.name = std::move(name);
  made.kind = kind;
  made.sag = {sag, false};
  made.analytic = form;
  surfaces_.push_back(std::move(made));
  return static_cast<std::uint32_t>(surfaces_.size() - 1);
}

FaceId Solid::face(const char* what, const Frame& frame, Ring outer) {
  AnalyticSurface form;
  form.origin = frame.origin;
  form.axis = frame.n;
  const std::uint32_t id = surface(what, SurfaceKind::plane, form, 0);
  faces_.push_back({frame, id, {std::move(outer)}});
  return static_cast<FaceId>(faces_.size() - 1);
}

void Solid::quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::uint32_t surface) {
  patches_.push_back({surface, {a, b, c}});
  patches_.push_back({surface, {a, c, d}});
}

void Solid::strip(const Ring& from, const Ring& to, std::uint32_t surface) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t k = (i + 1) % from.size();
    quad(from[i], from[k], to[k], to[i], surface);
  }
}

void Solid::fan(const Ring& from, std::uint32_t apex, bool toward, std::uint32_t surface) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t k = (i + 1) % from.size();
    patches_.push_back({surface, toward ? Index3{from[i], from[k], apex} : Index3{apex, from[k], from[i]}});
  }
}

// --- extrusions -----------------------------------------------------------------------------------------------------

std::vector<std::optional<FaceId>> Solid::walls(const Frame& frame, const Outline& from_outline, const Ring& from,
                                                const Outline& to_outline, const Ring& to, double height) {
  const std::size_t count = from.size();
  const double sign = height < 0 ? -1 : 1;
  std::vector<std::optional<FaceId>> made;
  for (std::uint32_t s = 0; s < from_outline.sides.size(); ++s) {
    std::vector<std::size_t> edges;
    for (std::size_t i = 0; i < count; ++i)
      if (from_outline.side_of_edge[i] == s) edges.push_back(i);
    const Side& side = from_outline.sides[s];
    if (!side.round) {
      const std::size_t i = edges.front(), k = (i + 1) % count;
      const Point3 p = vertices_[from[i]], q = vertices_[from[k]], r = vertices_[to[i]];
      const Vec3 along = unit(q - p);
      // Counted from where the face it grew from counts, so that a hole through two walls has one place.
      const bool upright =
          from_outline.points[i].x == to_outline.points[i].x && from_outline.points[i].y == to_outline.points[i].y;
      const Vec3 u = sign * along, v = upright ? frame.n : unit(r - p - dot(r - p, along) * along);
      const Vec3 n = cross(u, v);
      const Point3 origin = frame.origin + dot(p - frame.origin, n) * n;
      made.emplace_back(face("side", {origin, u, v, n}, {from[i], from[k], to[k], to[i]}));
      continue;
    }
    const Side& end = to_outline.sides[s];
    AnalyticSurface form;
    form.origin = frame.at(side.centre);
    form.axis = frame.n;
    form.radius = side.radius;
    form.hollow = side.counter_clockwise != (height > 0);
    double sag = 0;
    for (const std::size_t i : edges) {
      const std::size_t k = (i + 1) % count;
      sag = std::max({sag, chord_sag(side.radius, length(vertices_[from[k]] - vertices_[from[i]])),
                      chord_sag(end.radius, length(vertices_[to[k]] - vertices_[to[i]]))});
    }
    SurfaceKind kind = SurfaceKind::cylinder;
    if (side.radius != end.radius) {
      kind = SurfaceKind::cone;
      form.half_angle = half_angle(end.radius - side.radius, height);
      if ((end.radius > side.radius) != (height > 0)) form.axis = -frame.n;
    }
    const std::uint32_t id = surface(form.hollow ? "bore" : "round", kind, form, upward(sag));
    for (const std::size_t i : edges) {
      const std::size_t k = (i + 1) % count;
      quad(from[i], from[k], to[k], to[i], id);
    }
    made.emplace_back();
  }
  return made;
}

Extrusion Solid::prism(const Frame& frame, const Outline& outline, double height) {
  Extrusion made;
  const Ring low = ring(frame, outline), high = ring(frame, outline, height);
  made.base = face("base", {frame.origin, frame.u, -frame.v, -frame.n}, Ring(low.rbegin(), low.rend()));
  made.walls = walls(frame, outline, low, outline, high, height);
  made.end = face("end", {frame.at({}, height), frame.u, frame.v, frame.n}, high);
  return made;
}

Extrusion Solid::boss(FaceId on, const Outline& outline, double height, const Outline* to) {
  Extrusion made;
  made.base = on;
  const Frame frame = faces_[on].frame;
  const Ring near_ring = ring(frame, outline), far_ring = ring(frame, to != nullptr ? *to : outline, height);
  faces_[on].loops.push_back(near_ring);
  made.walls = walls(frame, outline, near_ring, to != nullptr ? *to : outline, far_ring, height);
  made.end = face(height < 0 ? "floor" : "top", {frame.at({}, height), frame.u, frame.v, frame.n}, far_ring);
  return made;
}

Extrusion Solid::join(FaceId from, const Outline& outline, FaceId to) {
  const Frame frame = faces_[from].frame;
  const double height = dot(faces_[to].frame.origin - frame.origin, frame.n);
  const Ring near_ring = ring(frame, outline), far_ring = ring(frame, outline, height);
  faces_[from].loops.push_back(near_ring);
  faces_[to].loops.push_back(far_ring);
  return {from, to, walls(frame, outline, near_ring, outline, far_ring, height)};
}

// --- turned and bent ------------------------------------------------------------------------------------------------

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
    const auto [c, s] = at_turns(turns * k / segments);
    // The plane of the bend is spanned by -toward (from its centre to the pipe) and ahead.
    const auto swing = [&, c = c, s = s](const Vec3& v) {
      const double a = -dot(v, toward), b = dot(v, ahead);
      const Vec3 rest = v + a * toward - b * ahead;
      return rest - (a * c - b * s) * toward + (a * s + b * c) * ahead;
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

// --- stubs ----------------------------------------------------------------------------------------------------------

Tip Solid::straight_with_stubs(const Tip& tip, double distance, std::span<const Stub> stubs, std::vector<Tip>& ends) {
  const auto count = static_cast<std::uint32_t>(tip.ring.size());
  const double body = tip.radius;
  Tip next = tip;
  next.frame.origin = tip.frame.at({}, distance);
  next.ring = ring(next.frame, circle({}, body, count));

  std::vector<bool> taken(count, false);
  AnalyticSurface form;
  form.origin = tip.frame.origin;
  form.axis = tip.frame.n;
  form.radius = body;
  const std::uint32_t id = surface("round", SurfaceKind::cylinder, form, 0);
  double widest = 1.0 / count;  // of a triangle, in turns

  std::vector<bool> done(stubs.size(), false);
  for (std::size_t first = 0; first < stubs.size(); ++first) {
    if (done[first]) continue;
    // All stubs of one direction pierce one panel, wide enough for the largest.
    double radius = 0;
    for (const Stub& stub : stubs)
      if (stub.turns == stubs[first].turns) radius = std::max(radius, stub.radius);
    const double half_width = half_angle(radius, std::sqrt(body * body - radius * radius)) / (2 * k_pi);
    const double middle = stubs[first].turns * count;
    const auto k0 = static_cast<std::int64_t>(std::floor(middle - half_width * count - 0.3));
    const auto k1 = static_cast<std::int64_t>(std::ceil(middle + half_width * count + 0.3));
    std::vector<std::vector<Point2>> loops(1);
    std::vector<std::uint32_t> ids;
    const auto wrap = [&](std::int64_t k) {
      const auto n = static_cast<std::int64_t>(count);
      return static_cast<std::size_t>((k % n + n) % n);
    };
    // In the unrolled wall: turns times circumference, and height.
    const double unroll = 2 * k_pi * body;
    for (std::int64_t k = k0; k <= k1; ++k) {
      loops[0].push_back({unroll * static_cast<double>(k) / count, 0});
      ids.push_back(tip.ring[wrap(k)]);
      if (k < k1) taken[wrap(k)] = true;
    }
    for (std::int64_t k = k1; k >= k0; --k) {
      loops[0].push_back({unroll * static_cast<double>(k) / count, distance});
      ids.push_back(next.ring[wrap(k)]);
    }
    const auto [c, s] = at_turns(stubs[first].turns);
    const Vec3 out = c * tip.frame.u + s * tip.frame.v, across = cross(tip.frame.n, out);
    for (std::size_t i = first; i < stubs.size(); ++i) {
      const Stub& stub = stubs[i];
      if (stub.turns != stubs[first].turns) continue;
      done[i] = true;
      const Frame frame{tip.frame.at({}, stub.z) + stub.reach * out, across, tip.frame.n, out};
      const Outline rim = circle({}, stub.radius, stub.segments);
      Ring on_wall;
      std::vector<Point2> loop;
      for (const Point2& p : rim.points) {
        const double depth = std::sqrt(body * body - p.x * p.x);
        on_wall.push_back(vertex(frame.at(p, depth - stub.reach)));
        const double angle = p.x < 0 ? -half_angle(p.x, depth) : p.x > 0 ? half_angle(p.x, depth) : 0;
        loop.push_back({unroll * stub.turns + body * angle, stub.z + p.y});
        ids.push_back(on_wall.back());
      }
      loops.push_back(std::move(loop));
      Tip end{frame, stub.radius, ring(frame, rim), 1};
      AnalyticSurface neck;
      neck.origin = frame.origin;
      neck.axis = out;
      neck.radius = stub.radius;
      strip(on_wall, end.ring, surface("neck", SurfaceKind::cylinder, neck, circle_sag(stub.radius, stub.segments)));
      ends.push_back(std::move(end));
    }
    std::vector<Point2> flat;
    for (const auto& loop : loops) flat.insert(flat.end(), loop.begin(), loop.end());
    for (const Index3& t : triangulate(loops)) {
      for (int k = 0; k < 3; ++k)
        widest = std::max(widest, std::fabs(flat[t[static_cast<std::size_t>(k)]].x -
                                            flat[t[static_cast<std::size_t>((k + 1) % 3)]].x) /
                                      unroll);
      patches_.push_back({id, {ids[t[0]], ids[t[1]], ids[t[2]]}});
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!taken[i]) quad(tip.ring[i], tip.ring[(i + 1) % count], next.ring[(i + 1) % count], next.ring[i], id);
  surfaces_[id].sag.value = upward(body * (1 - at_turns(widest / 2).cos));
  return next;
}

// --- mesh -----------------------------------------------------------------------------------------------------------

Mesh Solid::build() const {
  std::vector<Patch> triangles = patches_;
  for (const Face& face : faces_) {
    std::vector<std::vector<Point2>> loops;
    std::vector<std::uint32_t> ids;
    for (const Ring& loop : face.loops) {
      loops.emplace_back();
      for (const std::uint32_t v : loop) {
        const Vec3 from = vertices_[v] - face.frame.origin;
        loops.back().push_back({dot(from, face.frame.u), dot(from, face.frame.v)});
        ids.push_back(v);
      }
    }
    for (const Index3& t : triangulate(loops)) triangles.push_back({face.surface, {ids[t[0]], ids[t[1]], ids[t[2]]}});
  }
  std::ranges::stable_sort(triangles, {}, &Patch::surface);

  MeshInput input;
  input.surfaces = surfaces_;
  std::map<Point3, std::uint32_t> places;
  for (const Patch& patch : triangles) {
    Index3 corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Point3& p = vertices_[patch.corners[k]];
      const auto [place, fresh] = places.try_emplace(p, static_cast<std::uint32_t>(input.vertices.size()));
      if (fresh) input.vertices.push_back(p);
      corners[k] = place->second;
    }
    input.triangles.push_back(corners);
    input.surface_of_triangle.push_back(patch.surface);
  }
  return Mesh::build(std::move(input)).value();
}

}  // namespace snug::scenes::brep
