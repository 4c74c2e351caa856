#pragma once

#include "scenes/brep/outline.hpp"

#include <snug/mesh.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Closed bodies with analytic faces, right by construction rather than by cutting one body with another: a face grows a
// boss, sinks a pocket or is pierced, and the loop where that begins becomes a hole of the face.

namespace snug::scenes::brep {

/// Right-handed: n = u x v. Where a face or an open end lies; n looks out of the material.
struct Frame {
  Point3 origin;
  Vec3 u{1, 0, 0}, v{0, 1, 0}, n{0, 0, 1};
  [[nodiscard]] Point3 at(Point2 p, double height = 0) const { return origin + p.x * u + p.y * v + height * n; }
};
/// n along +x, v along +z; and n along +z, v along +y.
[[nodiscard]] Frame facing_x(const Point3& origin);
[[nodiscard]] Frame facing_z(const Point3& origin);

using FaceId = std::uint32_t;
using Ring = std::vector<std::uint32_t>;  ///< vertex ids, counter-clockwise about the frame's n

/// What a prism or a boss is bounded by. A wall on a line is flat and may carry features in its turn: its u runs along the
/// outline (for a pocket against it), its v along the extrusion, both counted from the origin of the face it grew from.
struct Extrusion {
  FaceId base = 0;                           ///< of a prism: the bottom, whose v is the top's -v
  FaceId end = 0;                            ///< the face at the far end, in the coordinates of where it grew from
  std::vector<std::optional<FaceId>> walls;  ///< by side of the outline; none on arcs
};

/// A step of a turned profile: to radius r and height z, from wherever the last one ended, by a line or by an arc about
/// (centre_r, centre_z), `segments` chords, the shorter way round.
struct Turn {
  double r = 0, z = 0;
  bool arc = false;
  double centre_r = 0, centre_z = 0;
  std::uint32_t segments = 4;
};

/// The open, round end of something that is being built; it goes on along n (or against it, into the material).
struct Tip {
  Frame frame;  ///< origin at the circle's centre
  double radius = 0;
  Ring ring;
  double heading = 1;  ///< -1: goes on against n
};

/// A pipe stub that leaves the cylindrical wall of a turned body at right angles to its axis.
struct Stub {
  double turns = 0;  ///< direction about the axis, from u
  double z = 0;      ///< height on the axis, in the frame of the body
  double radius = 0;
  double reach = 0;  ///< distance of its end from the body's axis
  std::uint32_t segments = 12;
};

class Solid {
 public:
  /// Names of the faces that follow begin with this.
  void name(std::string prefix) { prefix_ = std::move(prefix); }

  /// Begins a new shell. Along the frame's n.
  Extrusion prism(const Frame& frame, const Outline& outline, double height);
  /// Height below zero: a pocket. `to` of the same make as `outline` gives sloping walls: chamfers, countersinks.
  Extrusion boss(FaceId on, const Outline& outline, double height, const Outline* to = nullptr);
  /// A hole through to a face that looks the other way, or a column across to a face that looks this way.
  Extrusion join(FaceId from, const Outline& outline, FaceId to);

  /// Opens a circle in a face. inward: what follows goes into the material.
  Tip open(FaceId on, Point2 centre, double radius, std::uint32_t segments, bool inward = false);
  /// Begins a new shell with a disc that looks against the frame's n.
  Tip disc(const Frame& frame, double radius, std::uint32_t segments, FaceId* made = nullptr);
  /// Begins a new shell at a pole, by an arc of a dome about (0, centre_z) or a torus-shaped knuckle.
  Tip pole(const Frame& frame, const Turn& first, std::uint32_t segments);
  /// Heights count from the tip's frame, along its heading. Flat rings are faces: `rings` receives them in order.
  Tip turned(const Tip& tip, std::span<const Turn> profile, std::vector<FaceId>* rings = nullptr);
  Tip straight(const Tip& tip, double distance);
  /// A straight step from which stubs leave; `ends` receives theirs. Not for bores.
  Tip straight_with_stubs(const Tip& tip, double distance, std::span<const Stub> stubs, std::vector<Tip>& ends);
  /// Bends by `turns` (0.25: a right angle) toward the direction at `toward_turns` from u to v of the tip's frame.
  Tip bend(const Tip& tip, double toward_turns, double bend_radius, double turns, std::uint32_t segments);
  /// The face counts from its centre.
  FaceId close(const Tip& tip);
  /// Ends in a face that lies there.
  void close(const Tip& tip, FaceId to);
  /// Ends at a pole by an arc about (centre_r, centre_z).
  void close_dome(const Tip& tip, const Turn& last);

  [[nodiscard]] Mesh build() const;

 private:
  struct Face {
    Frame frame;
    std::uint32_t surface = 0;
    std::vector<Ring> loops;  ///< the outer one first
  };
  struct Patch {  // finished triangles of round faces
    std::uint32_t surface = 0;
    Index3 corners{};
  };

  std::uint32_t vertex(const Point3& p);
  Ring ring(const Frame& frame, const Outline& outline, double height = 0);
  std::uint32_t surface(const char* what, SurfaceKind kind, const AnalyticSurface& form, double sag);
  FaceId face(const char* what, const Frame& frame, Ring outer);
  void strip(const Ring& from, const Ring& to, std::uint32_t surface);
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::uint32_t surface);
  std::vector<std::optional<FaceId>> walls(const Frame& frame, const Outline& from_outline, const Ring& from,
                                           const Outline& to_outline, const Ring& to, double height);

  struct Step {  // of a turned profile: from (from_r, from_z) to the turn's end, where `next` goes on
    Frame base;
    Tip next;
    double from_r, from_z;
    Turn turn;
  };
  Tip revolve(const Tip& tip, double from_r, double from_z, const Turn& turn, std::vector<FaceId>* rings);
  FaceId flat_step(Step& step, const Ring& from);
  void line_step(Step& step, const Tip& from);
  void arc_step(Step& step, const Ring& from);
  Ring ring_at(const Step& step, double r, double z);
  void lay(const Ring& a, const Ring& b, double radius_a, double radius_b, std::uint32_t surface);

  std::string prefix_;
  std::map<std::string, std::uint32_t> used_;
  std::vector<Point3> vertices_;
  std::vector<Surface> surfaces_;
  std::vector<Face> faces_;
  std::vector<Patch> patches_;
};

/// Of a circle drawn by chords; an upper bound.
[[nodiscard]] double circle_sag(double radius, std::uint32_t segments);

}  // namespace snug::scenes::brep
