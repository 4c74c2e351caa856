#include "scenes/brep/solid.hpp"

#include "scenes/brep/arithmetic.hpp"
#include "scenes/brep/triangulate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug::scenes::brep {

double circle_sag(double radius, std::uint32_t segments) { return upward(radius * (1 - at_turns(0.5 / segments).cos)); }

Frame facing_x(const Point3& origin) { return {origin, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}; }
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
