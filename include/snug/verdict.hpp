#pragma once

#include <snug/export.hpp>
#include <snug/query.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug {

/// How two parts stand to one another, in rising order of gravity. Of those that hold the gravest is given, `undecided`
/// standing between `touch` and `clash`: what may be a clash is never called a touch, but for what the sags of CAD faces
/// leave open (PairReport::firm).
enum class Verdict : std::uint8_t {
  clear,      ///< none of the others
  near,       ///< a gap below the asked clearance
  touch,      ///< they share points or come within the touch gap, without clash
  undecided,  ///< it cannot be told; the reason is given
  clash,      ///< interiors overlap by more than the touch overlap; of open sheets: they cross
  contained,  ///< a closed shell of one lies wholly inside the other, away from its surface
};
/// "clear", "near", "touch", "undecided", "clash", "contained".
[[nodiscard]] SNUG_API std::string_view to_string(Verdict verdict) noexcept;
[[nodiscard]] SNUG_API std::optional<Verdict> parse_verdict(std::string_view text) noexcept;

/// Where one verdict ends and the next begins, in the unit of the coordinates. Those of touching never fall below the
/// resolution of a pair. All must be finite and not negative.
struct Tolerances {
  double clearance =
      0;  ///< gaps below this are `near`; of parts that move, those up to the resolution above it may be too
  double touch_gap = 0;  ///< gaps up to this wide already count as touching
  /// Overlaps proved to be no thicker than this still count as touching. Unless given: default_touch_overlap() of an assembly, 0 of bare
  /// shapes. 0: none is forgiven but what lies below the resolution.
  std::optional<double> touch_overlap = std::nullopt;
};

/// How deep two solids are in one another, by two numbers. The *thickness* of the overlap is the diameter of the largest ball
/// inside both; the *penetration depth* is the length of the shortest translation that makes the interiors disjoint, and is
/// never less.
struct Depth {
  double lower = 0;  ///< the thickness is at least this: the diameter of a ball certified to lie inside both
  double upper = 0;  ///< the penetration depth is at most this: the length of `escape`
  Point3 centre;     ///< of that ball
  Vec3 escape;       ///< a translation of b that was verified to make the interiors disjoint
  /// The thickness was proved to be no more than this. Looked for only where the touch overlap is no less than `lower`.
  std::optional<double> thickness_bound = std::nullopt;
};

/// How much of two bodies crosses of which one is not closed, so that it has neither thickness nor volume.
struct Crossing {
  double length = 0;  ///< of the curve in which the surfaces cross, each piece once, those along edges too
  double depth = 0;   ///< length of `escape`
  Vec3 escape;        ///< a translation of b that was verified to leave nothing that crosses
};

/// Two surfaces that leave a verdict open.
struct SurfacesInDoubt {
  std::uint32_t surface_a = 0, surface_b = 0;
  /// By their analytic forms they meet exactly, within the CAD tolerances: no triangles are fine enough to settle that.
  bool meet_exactly = false;
  friend auto operator<=>(const SurfacesInDoubt&, const SurfacesInDoubt&) = default;
};

/// Where two surfaces lie flat against each other: flat polygons, the outer ones counter-clockwise seen against the
/// normal, holes the other way round.
struct ContactPatch {
  std::uint32_t surface_a = 0, surface_b = 0;
  Vec3 normal;  ///< unit, out of a
  double area = 0;
  std::vector<std::vector<Point3>> loops;
};

/// Volume of what two closed solids have in common.
struct OverlapVolume {
  double value = 0;
  double error = 0;  ///< bound on its rounding, plus what the sags of the faces around it leave open
};

/// How two analytic faces are meant to sit together.
enum class Mating : std::uint8_t {
  none,          ///< nothing of the following, or not known
  planar_mate,   ///< planes face to face
  planar_align,  ///< planes flush, facing the same way
  concentric,    ///< round faces with a common axis or centre: a pin in a bush
  tangent,       ///< a round face rests on a flat or round one
  coincident,    ///< the same round surface: common axis and equal radii
};
/// "none", "planar_mate", "planar_align", "concentric", "tangent", "coincident".
[[nodiscard]] SNUG_API std::string_view to_string(Mating mating) noexcept;

/// What two surfaces that touch or come near are to one another, from their analytic forms, with what is left of exactness.
struct SurfaceMating {
  std::uint32_t surface_a = 0, surface_b = 0;
  Mating mating = Mating::none;
  double angle = 0;                         ///< between normals or axes, radians
  double offset = 0;                        ///< between planes or axes, or from tangency
  std::optional<double> radius_difference;  ///< of round faces: |r_a - r_b|
  /// Of a bore and what is in it: the bore's radius less the other's. Positive: clearance; negative: interference.
  std::optional<double> fit;
};

/// Everything there is to say about two posed bodies.
struct PairReport {
  Verdict verdict = Verdict::clear;
  std::string reason;      ///< why it is undecided, or why a clash has no depth; otherwise empty
  bool duplicate = false;  ///< both occupy the same space
  double resolution = 0;   ///< what lies below it is rounding noise of the two poses

  std::uint64_t triangle_pairs = 0;     ///< pairs of triangles that share a point
  std::uint64_t crossing_pairs = 0;     ///< those of them that cross
  std::vector<TrianglePair> triangles;  ///< all of them, if asked for, ordered by (a, b)
  /// Surfaces that share points; where none do, the two that come closest. Ordered.
  std::vector<std::array<std::uint32_t, 2>> surface_pairs;
  /// Shells (see MeshReport) that lie wholly inside the other body.
  std::vector<std::uint32_t> shells_of_a_inside, shells_of_b_inside;

  std::optional<Depth> depth;           ///< of closed solids whose interiors overlap, forgiven or not
  std::optional<OverlapVolume> volume;  ///< of closed solids whose own shells do not overlap
  std::optional<Crossing> crossing;     ///< of a clash with a body that is not closed
  std::optional<double> gap;            ///< smallest distance, of what is near or touches; 0 where points are shared
  std::optional<Point3> point;          ///< a place to look at: in the overlap, on the contact, or in the gap
  std::vector<ContactPatch> patches;    ///< of parts that touch
  std::vector<SurfaceMating> matings;   ///< of surfaces that touch or come near, both of analytic kind; ordered

  /// False if what was measured is not larger than what the triangles may differ from the CAD faces they stand for.
  bool firm = true;
  double sag = 0;              ///< that difference: sags and tolerances of the faces that decide
  bool sag_estimated = false;  ///< part of it was sampled rather than bounded
  /// Surfaces that leave a verdict open which is not firm, as far as they are known; ordered.
  std::vector<SurfacesInDoubt> in_doubt;
};

struct AssessOptions {
  Tolerances tolerances = {};
  Method method = Method::surface;
  bool keep_triangles = false;  ///< fill PairReport::triangles
  Device device = Device::cpu;
  const Devices* devices = nullptr;
};

/// The verdict on two bodies, with its evidence. Exchanging the bodies exchanges what belongs to a and b and changes
/// nothing else, to the last bit. `contained`, and `clash` of closed solids, are certified: by exact location of a point
/// or of a ball in both. Bodies that are not closed are sheets: they clash where triangles cross; where it would matter
/// whether something is inside them the verdict is `undecided`. See docs/verdicts.md.
[[nodiscard]] SNUG_API PairReport assess(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         const AssessOptions& options = {});

}  // namespace snug
