#include "io/step/write_shape.hpp"

#include "geometry/analytic/meridian.hpp"
#include "geometry/vec_ops.hpp"
#include "io/step/patch.hpp"
#include "io/step/write_spline.hpp"
#include "support/trig.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace snug::io {

namespace {

using geometry::cross;
using model::dot;

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const double largest = geometry::max_abs(v);
  if (!(largest > 0) || !std::isfinite(largest)) return otherwise;
  const Vec3 scaled = (1 / largest) * v;
  return (1 / std::sqrt(dot(scaled, scaled))) * scaled;
}

std::string flag(bool value) { return value ? ".T." : ".F."; }

class ShapeWriter {
 public:
  ShapeWriter(StepText& step, const Mesh& mesh, const Brep& brep, std::uint64_t first_patch, Steps& steps)
      : step_(step), mesh_(mesh), brep_(brep), first_patch_(first_patch), steps_(steps), edges_(brep.edges.size()) {
    for (std::size_t i = 0; i < sizeof token_; ++i) token_ = token_ << 8 | mesh.hash()[i];
    faces_of_.resize(mesh.surfaces().size());
    for (const BrepShell& shell : brep.shells)
      for (const BrepFace& face : shell.faces) ++faces_of_[face.surface];
  }

  StepShape write() {
    const std::vector<std::size_t> outer_of = match_cavities();
    for (std::size_t s = 0; s < brep_.shells.size(); ++s) {
      const BrepShell& shell = brep_.shells[s];
      if (shell.faces.empty() || (shell.closed && outer_of[s] != s)) continue;
      if (!shell.closed) {
        const StepId open = write_shell("OPEN_SHELL", shell, false);
        out_.sheets.push_back(step_.add("SHELL_BASED_SURFACE_MODEL('',(" + step_ref(open) + "))"));
        continue;
      }
      const bool inside_out = shell.volume < 0;
      out_.turned += inside_out;
      const StepId outer = write_shell("CLOSED_SHELL", shell, inside_out);
      std::vector<StepId> voids;
      for (std::size_t c = 0; c < brep_.shells.size(); ++c) {
        if (c == s || outer_of[c] != s || !brep_.shells[c].closed || brep_.shells[c].faces.empty()) continue;
        // Written as if it were a body of its own, and then turned: the way CAD programs have it.
        const StepId cavity = write_shell("CLOSED_SHELL", brep_.shells[c], true);
        voids.push_back(step_.add("ORIENTED_CLOSED_SHELL('',*," + step_ref(cavity) + ",.F.)"));
      }
      out_.solids.push_back(voids.empty()
                                ? step_.add("MANIFOLD_SOLID_BREP(''," + step_ref(outer) + ')')
                                : step_.add("BREP_WITH_VOIDS(''," + step_ref(outer) + ',' + step_refs(voids) + ')'));
    }
    return std::move(out_);
  }

 private:
  /// Per shell the one it belongs to: a cavity to the smallest body whose box holds its own, all others to themselves.
  [[nodiscard]] std::vector<std::size_t> match_cavities() const {
    const std::size_t count = brep_.shells.size();
    std::vector<Aabb> boxes(count);
    for (std::size_t s = 0; s < count; ++s)
      for (const BrepFace& face : brep_.shells[s].faces)
        for (const std::uint32_t t : face.triangles)
          for (const std::uint32_t v : mesh_.triangles()[t]) boxes[s].include(mesh_.vertices()[v]);
    std::vector<std::size_t> outer(count);
    for (std::size_t s = 0; s < count; ++s) {
      outer[s] = s;
      if (!brep_.shells[s].closed || !(brep_.shells[s].volume < 0)) continue;
      for (std::size_t o = 0; o < count; ++o) {
        const BrepShell& body = brep_.shells[o];
        if (!body.closed || !(body.volume > -brep_.shells[s].volume)) continue;
        Aabb both = boxes[o];
        both.include(boxes[s].lo), both.include(boxes[s].hi);
        if (both == boxes[o] && (outer[s] == s || body.volume < brep_.shells[outer[s]].volume)) outer[s] = o;
      }
    }
    return outer;
  }

  StepId write_shell(std::string_view kind, const BrepShell& shell, bool turn) {
    std::vector<StepId> faces;
    for (const BrepFace& face : shell.faces) {
      faces.push_back(write_face(face, turn));
      if (const auto& color = mesh_.surfaces()[face.surface].color) out_.face_colors.emplace_back(faces.back(), *color);
      if (!steps_.next()) break;
    }
    return step_.add(std::string(kind) + "(''," + step_refs(faces) + ')');
  }

  StepId write_face(const BrepFace& face, bool turn) {
    const Frame frame = frame_of(face);
    std::vector<StepId> bounds;
    const std::size_t outer = outermost(face);
    for (std::size_t i = 0; i < face.loops.size(); ++i) {
      std::vector<StepId> uses;
      for (const BrepEdgeUse& use : face.loops[i])
        uses.push_back(step_.add("ORIENTED_EDGE('',*,*," + step_ref(edge(use.edge)) + ',' + flag(use.forward) + ')'));
      const StepId loop = step_.add("EDGE_LOOP(''," + step_refs(uses) + ')');
      bounds.push_back(step_.add((i == outer ? "FACE_OUTER_BOUND(''," : "FACE_BOUND('',") + step_ref(loop) + ',' +
                                 flag(!turn) + ')'));
    }
    const bool same_sense = face.form.surface.hollow == turn;
    if (face.loops.empty()) bounds.push_back(whole_bound(face.form, frame, same_sense));
    const StepId surface = write_surface(face.form, frame);
    return step_.add("ADVANCED_FACE(" + step_string(name_of(face)) + ',' + step_refs(bounds) + ',' + step_ref(surface) +
                     ',' + flag(same_sense) + ')');
  }

  [[nodiscard]] std::string name_of(const BrepFace& face) const {
    const Surface& surface = mesh_.surfaces()[face.surface];
    if (faces_of_[face.surface] == 1 && !looks_marked(surface.name)) return surface.name;
    return marked_name({first_patch_ + face.surface, surface.kind, token_}, surface.name);
  }

  struct Frame {
    Point3 origin;
    Vec3 axis, x;
  };

  /// Where CAD programs begin to count angles is a seam; it is laid away from the face where that can be.
  [[nodiscard]] Frame frame_of(const BrepFace& face) const {
    const AnalyticSurface& form = face.form.surface;
    Frame frame{form.origin, form.axis, geometry::square_to(form.axis)};
    if (face.form.kind == SurfaceKind::plane) return frame;
    Vec3 towards;  // from the axis or centre to the face, the larger the more one-sided the face is
    double area = 0;
    for (const std::uint32_t t : face.triangles) {
      const Triangle triangle = mesh_.view().triangle(t);
      const Vec3 twice = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
      const double weight = std::sqrt(dot(twice, twice));
      towards = towards + weight * unit_or(geometry::middle_of(triangle) - form.origin, {});
      area += weight;
    }
    if (face.form.kind == SurfaceKind::sphere) frame.axis = sphere_axis(face, unit_or(towards, {0, 0, 1}));
    const Vec3 across = towards - dot(towards, frame.axis) * frame.axis;
    constexpr double k_one_sided = 1e-3;
    if (geometry::max_abs(across) > k_one_sided * area) frame.x = unit_or(-across, frame.x);
    frame.x = unit_or(frame.x - dot(frame.x, frame.axis) * frame.axis, geometry::square_to(frame.axis));
    return frame;
  }

  /// The poles are laid away from a face on one half of a sphere, and else where its circles have them in their middle.
  [[nodiscard]] Vec3 sphere_axis(const BrepFace& face, const Vec3& towards) const {
    const AnalyticSurface& form = face.form.surface;
    double least = form.radius;
    for (const std::uint32_t t : face.triangles)
      for (const Point3& p : mesh_.view().triangle(t).corner) least = std::min(least, dot(p - form.origin, towards));
    if (!face.loops.empty() && least > 0.2 * form.radius) return geometry::square_to(towards);
    for (const BrepLoop& loop : face.loops)
      for (const BrepEdgeUse& use : loop)
        if (brep_.edges[use.edge].curve.kind == BrepCurve::Kind::circle) return brep_.edges[use.edge].curve.axis;
    return face.loops.empty() ? Vec3{0, 0, 1} : towards;
  }

  StepId write_surface(const FaceForm& form, const Frame& frame) {
    const std::string place = step_ref(step_.placement(frame.origin, frame.axis, frame.x));
    const AnalyticSurface& s = form.surface;
    switch (form.kind) {
      case SurfaceKind::cylinder:
        return step_.add("CYLINDRICAL_SURFACE(''," + place + ',' + step_real(s.radius) + ')');
      case SurfaceKind::cone:
        return step_.add("CONICAL_SURFACE(''," + place + ',' + step_real(s.radius) + ',' + step_real(s.half_angle) +
                         ')');
      case SurfaceKind::sphere:
        return step_.add("SPHERICAL_SURFACE(''," + place + ',' + step_real(s.radius) + ')');
      case SurfaceKind::torus:
        return step_.add("TOROIDAL_SURFACE(''," + place + ',' + step_real(s.radius) + ',' + step_real(s.minor_radius) +
                         ')');
      default:
        return step_.add("PLANE(''," + place + ')');
    }
  }

  /// The bound of a face that has none: a pole of a sphere, both circles through a point of a torus.
  StepId whole_bound(const FaceForm& form, const Frame& frame, bool same_sense) {
    const AnalyticSurface& s = form.surface;
    if (form.kind == SurfaceKind::sphere) {
      const StepId pole = vertex_at(frame.origin - s.radius * frame.axis);
      const StepId loop = step_.add("VERTEX_LOOP(''," + step_ref(pole) + ')');
      return step_.add("FACE_BOUND(''," + step_ref(loop) + ",.T.)");
    }
    const StepId at = vertex_at(frame.origin + (s.radius + s.minor_radius) * frame.x);
    const auto circle = [&](const Point3& centre, const Vec3& axis, double radius) {
      const StepId place = step_.placement(centre, axis, frame.x);
      const StepId curve = step_.add("CIRCLE(''," + step_ref(place) + ',' + step_real(radius) + ')');
      return step_.add("EDGE_CURVE(''," + step_ref(at) + ',' + step_ref(at) + ',' + step_ref(curve) + ",.T.)");
    };
    const StepId along = circle(frame.origin, frame.axis, s.radius + s.minor_radius);
    const StepId around = circle(frame.origin + s.radius * frame.x, cross(frame.x, frame.axis), s.minor_radius);
    std::vector<StepId> uses;
    for (const auto& [edge, forward] : {std::pair{along, true}, {around, true}, {along, false}, {around, false}})
      uses.push_back(step_.add("ORIENTED_EDGE('',*,*," + step_ref(edge) + ',' + flag(forward) + ')'));
    const StepId loop = step_.add("EDGE_LOOP(''," + step_refs(uses) + ')');
    return step_.add("FACE_BOUND(''," + step_ref(loop) + ',' + flag(same_sense) + ')');
  }

  /// Of a plane: the loop that the others are holes in, the one that runs counter-clockwise.
  [[nodiscard]] std::size_t outermost(const BrepFace& face) const {
    if (face.form.kind != SurfaceKind::plane) return face.loops.size();
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 0; i < face.loops.size(); ++i) {
      double area = 0;
      for (const BrepEdgeUse& use : face.loops[i])
        area += (use.forward ? 1 : -1) * swept(brep_.edges[use.edge], face.form.surface);
      if (i == 0 || area > most) best = i, most = area;
    }
    return best;
  }

  /// Twice the area that the line from the plane's origin to a point on the edge passes over.
  [[nodiscard]] double swept(const BrepEdge& edge, const AnalyticSurface& plane) const {
    const Vec3 from = mesh_.vertices()[edge.from] - plane.origin, to = mesh_.vertices()[edge.to] - plane.origin;
    const auto over = [&](const Vec3& a, const Vec3& b) { return dot(plane.axis, cross(a, b)); };
    double sum = 0;
    switch (edge.curve.kind) {
      case BrepCurve::Kind::line:
        return over(from, to);
      case BrepCurve::Kind::spline:
        for (std::size_t i = 0; i + 1 < edge.curve.points.size(); ++i)
          sum += over(edge.curve.points[i] - plane.origin, edge.curve.points[i + 1] - plane.origin);
        return sum;
      case BrepCurve::Kind::circle:
        break;
    }
    const Vec3 centre = edge.curve.centre - plane.origin, a = from - centre, b = to - centre;
    double turn = edge.from == edge.to ? 2 * support::k_pi : std::atan2(dot(edge.curve.axis, cross(a, b)), dot(a, b));
    if (turn < 0) turn += 2 * support::k_pi;
    const double sense = dot(edge.curve.axis, plane.axis);
    return over(centre, to - from) + sense * edge.curve.radius * edge.curve.radius * turn;
  }

  StepId vertex_at(const Point3& p) { return step_.add("VERTEX_POINT(''," + step_ref(step_.point(p)) + ')'); }

  StepId vertex(std::uint32_t v) {
    StepId& id = vertices_[v];
    if (id == 0) id = vertex_at(mesh_.vertices()[v]);
    return id;
  }

  StepId edge(std::uint32_t e) {
    if (edges_[e] != 0) return edges_[e];
    const BrepEdge& edge = brep_.edges[e];
    const StepId from = vertex(edge.from), to = vertex(edge.to), curve = write_curve(edge);
    return edges_[e] =
               step_.add("EDGE_CURVE(''," + step_ref(from) + ',' + step_ref(to) + ',' + step_ref(curve) + ",.T.)");
  }

  StepId write_curve(const BrepEdge& edge) {
    const Point3 &from = mesh_.vertices()[edge.from], &to = mesh_.vertices()[edge.to];
    switch (edge.curve.kind) {
      case BrepCurve::Kind::circle: {
        const Vec3 arm = from - edge.curve.centre;
        const Vec3 x = unit_or(arm - dot(arm, edge.curve.axis) * edge.curve.axis, geometry::square_to(edge.curve.axis));
        const StepId place = step_.placement(edge.curve.centre, edge.curve.axis, x);
        return step_.add("CIRCLE(''," + step_ref(place) + ',' + step_real(edge.curve.radius) + ')');
      }
      case BrepCurve::Kind::spline:
        return write_spline(step_, edge.curve.points, edge.from == edge.to);
      case BrepCurve::Kind::line:
        break;
    }
    const StepId start = step_.point(from), way = step_.direction(unit_or(to - from, {1, 0, 0}));
    const StepId vector = step_.add("VECTOR(''," + step_ref(way) + ",1.)");
    return step_.add("LINE(''," + step_ref(start) + ',' + step_ref(vector) + ')');
  }

  StepText& step_;
  const Mesh& mesh_;
  const Brep& brep_;
  std::uint64_t first_patch_;
  std::uint64_t token_ = 0;  ///< of the marks
  Steps& steps_;
  std::vector<std::uint32_t> faces_of_;       ///< per surface of the mesh, how many
  std::map<std::uint32_t, StepId> vertices_;  ///< of the mesh, those that are ends of edges
  std::vector<StepId> edges_;                 ///< of the Brep; 0 until written
  StepShape out_;
};

}  // namespace

StepShape write_shape(StepText& step, const Mesh& mesh, const Brep& brep, std::uint64_t first_patch, Steps& steps) {
  return ShapeWriter(step, mesh, brep, first_patch, steps).write();
}

}  // namespace snug::io
