#pragma once

#include <snug/export.hpp>
#include <snug/penetration.hpp>
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
