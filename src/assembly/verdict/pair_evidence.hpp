#pragma once

#include "assembly/verdict/overlaps.hpp"
#include "penetration/common_ball.hpp"
#include "penetration/containment.hpp"
#include "penetration/escape.hpp"
#include "penetration/fits.hpp"
#include "penetration/posed_solid.hpp"
#include "query/posed/surface.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/verdict.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace snug::assembly {

/// What is known of two posed bodies. Each fact is computed when it is first asked for, and depends on the bodies and the
/// options alone: the order of the questions changes nothing but the time they take.
class PairEvidence {
 public:
  PairEvidence(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options, const CancelToken* cancel);

  const PosedSolid& a;
  const PosedSolid& b;
  const AssessOptions& options;
  const CancelToken* const cancel;
  const double resolution;    ///< what lies below it is rounding
  const double overlap_band;  ///< overlaps no thicker than this are forgiven
  const double gap_band;      ///< gaps no wider than this count as contact

  [[nodiscard]] bool cancelled() const noexcept { return cancel != nullptr && cancel->cancelled(); }
  [[nodiscard]] bool both_closed() const noexcept { return a.closed() && b.closed(); }
  /// Gaps up to this are of interest.
  [[nodiscard]] double reach() const noexcept { return std::max(gap_band, options.tolerances.clearance); }
  [[nodiscard]] Verdict verdict_of_gap(double gap) const noexcept;

  /// What the faces of both may be off at most, added.
  [[nodiscard]] double largest_sag() const noexcept { return a.sag().largest() + b.sag().largest(); }
  [[nodiscard]] bool has_sag() const noexcept { return !a.sag().none() || !b.sag().none(); }
  [[nodiscard]] std::array<std::uint32_t, 2> surfaces_of(const TrianglePair& pair) const;
  /// Can finer triangles show one of the faces better?
  [[nodiscard]] bool refinable(const std::array<std::uint32_t, 2>& surfaces) const;

  /// Triangles that share points, ordered.
  [[nodiscard]] const std::vector<TrianglePair>& pairs();
  /// Shells of either body that lie inside the other.
  [[nodiscard]] const ShellsInside& of_a_inside();
  [[nodiscard]] const ShellsInside& of_b_inside();
  /// A shell is inside, as far as rounding shows.
  [[nodiscard]] bool flush() { return of_a_inside().flush || of_b_inside().flush; }
  /// Directions in which the bodies may be moved apart, the normals of triangles that meet among them.
  [[nodiscard]] const std::vector<Vec3>& contact_normals();
  [[nodiscard]] const std::vector<Vec3>& directions();
  /// The shortest translation along one of these directions that separates the bodies by a plane.
  [[nodiscard]] const Escape& escape();
  /// Is one solid there twice, but for rounding? However thin it is, no band forgives that.
  [[nodiscard]] bool same_solid();
  /// Do both have all of their volume in common, but for what rounding moves their faces? Nothing where that cannot be decided.
  [[nodiscard]] std::optional<bool> shares_all(const OverlapVolume& both) const;
  /// Are triangles the same and vertices no further apart than this?
  [[nodiscard]] bool coincide(double slip) const;

  /// The largest ball that was found in both.
  struct Ball {
    std::optional<CommonBall> ball;
    bool within_tolerance = false;  ///< one wider than the band was taken for none, by the CAD tolerance of its faces
  };
  [[nodiscard]] const Ball& ball();

  /// Bores and what is in them, as far as they touch or come near.
  [[nodiscard]] const Fits& fits();
  /// Do only such faces meet as a fit divides that satisfies a condition?
  template <class Condition>
  [[nodiscard]] bool only_fits_meet(const Condition& condition) {
    return !pairs().empty() && std::ranges::all_of(pairs(), [&](const TrianglePair& pair) {
      const std::optional<Fit> fit = fits().between(a, pair.a, b, pair.b);
      return fit && condition(*fit);
    });
  }
  /// Where flat faces lie on one another.
  [[nodiscard]] const std::vector<ContactPatch>& patches();
  /// The closest triangles, if their faces may be within reach.
  [[nodiscard]] const std::optional<ClosestPair>& closest();
  /// Of bodies with a closest pair.
  [[nodiscard]] const FacesGap& faces_gap();
  [[nodiscard]] const SolidOverlap& solids();
  [[nodiscard]] const SheetOverlap& sheets();

 private:
  [[nodiscard]] std::vector<TrianglePair> find_pairs() const;
  [[nodiscard]] std::vector<Vec3> find_contact_normals();
  [[nodiscard]] bool find_same_solid();
  [[nodiscard]] Ball find_ball();
  [[nodiscard]] Fits find_fits();

  std::optional<std::vector<TrianglePair>> pairs_;
  std::optional<ShellsInside> of_a_inside_, of_b_inside_;
  std::optional<std::vector<Vec3>> contact_normals_, directions_;
  std::optional<Escape> escape_;
  std::optional<bool> same_solid_;
  std::optional<Ball> ball_;
  std::optional<Fits> fits_;
  std::optional<std::vector<ContactPatch>> patches_;
  std::optional<std::optional<ClosestPair>> closest_;
  std::optional<FacesGap> faces_gap_;
  std::optional<SolidOverlap> solids_;
  std::optional<SheetOverlap> sheets_;
};

}  // namespace snug::assembly
