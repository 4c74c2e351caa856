#include "assembly/verdict/assessment.hpp"

#include "assembly/verdict/crossing_size.hpp"
#include "assembly/verdict/decision.hpp"
#include "assembly/verdict/firmness.hpp"
#include "assembly/verdict/matings.hpp"
#include "assembly/verdict/solid_overlap.hpp"
#include "penetration/overlap_volume.hpp"
#include "support/assert.hpp"

#include <algorithm>

// The verdict on one pair: evidence, decision, description. docs/verdicts.md has the rules.

namespace snug::assembly {

namespace {

/// The first common point of a flat contact is often a corner of it; the middle of the largest patch is the better place to look at.
std::optional<Point3> middle_of_largest(std::span<const ContactPatch> patches) {
  const auto largest = std::ranges::max_element(patches, {}, &ContactPatch::area);
  if (largest == patches.end() || largest->loops.empty()) return std::nullopt;
  const std::vector<Point3>& loop = largest->loops[0];
  Point3 sum = loop[0];
  for (const Point3& p : loop) sum = sum + (1.0 / static_cast<double>(loop.size())) * (p - loop[0]);
  return sum;
}

/// Coincident solids share their whole volume, but for what rounding moves their faces; coincident sheets their
/// vertices, and so do solids so small for where they are that rounding might move their faces through them.
bool is_duplicate(PairEvidence& evidence, const Decision& decision) {
  if (decision.overlap.kind == SolidOverlap::Kind::same_solid) return true;
  double slip = evidence.resolution;
  if (const auto& volume = decision.overlap.size.volume) {
    if (decision.verdict != Verdict::clash) return false;
    if (const auto all = evidence.shares_all(*volume)) return *all;
    slip = 0;
  }
  return !evidence.pairs().empty() && evidence.coincide(slip);
}

class Description {
 public:
  Description(PairEvidence& evidence, Decision decision) : evidence_(evidence), decision_(std::move(decision)) {}

  PairReport report() {
    describe_overlap();
    if (evidence_.cancelled()) return {};
    report_.resolution = evidence_.resolution;
    report_.verdict = decision_.verdict;
    report_.duplicate = is_duplicate(evidence_, decision_);
    report_.depth = decision_.overlap.size.depth;
    report_.volume = decision_.overlap.size.volume;
    if (report_.verdict != Verdict::clear) report_.gap = decision_.gap, report_.point = decision_.point;
    report_.firm = decision_.firm;
    if (!report_.firm) report_.in_doubt = std::move(decision_.in_doubt);
    describe_meeting();
    name_surfaces();
    describe_faces();
    if (evidence_.options.keep_triangles) report_.triangles = evidence_.pairs();
    return std::move(report_);
  }

 private:
  void describe_overlap() {
    report_.reason = decision_.reason;
    if (!decision_.overlaps()) return;
    decision_.overlap.size = overlap_size(evidence_, decision_.overlap, true);
    if (decision_.verdict != Verdict::clash || decision_.overlap.size.depth) return;
    report_.reason = evidence_.both_closed() ? "the overlap is too thin for its depth to be measured"
                                             : "not a closed shell: it has no depth and no volume";
    if (!evidence_.both_closed())
      report_.crossing =
          crossing_size(evidence_.a, evidence_.b, evidence_.pairs(), evidence_.directions(), evidence_.resolution);
  }

  void describe_meeting() {
    const std::vector<TrianglePair>& pairs = evidence_.pairs();
    report_.triangle_pairs = pairs.size();
    report_.crossing_pairs =
        static_cast<std::uint64_t>(std::ranges::count(pairs, Relation::crossing, &TrianglePair::relation));
    report_.shells_of_a_inside = evidence_.of_a_inside().certain;
    report_.shells_of_b_inside = evidence_.of_b_inside().certain;
    if (report_.verdict != Verdict::touch) return;
    report_.patches = evidence_.patches();
    if (const auto middle = middle_of_largest(report_.patches)) report_.point = middle;
  }

  /// Surfaces that share points or are in doubt; where there are none, the closest.
  void name_surfaces() {
    // Flush faces share thousands of triangle pairs, and reports are kept: their memory is that of the surfaces alone.
    std::vector<std::array<std::uint32_t, 2>> named;
    const auto name = [&](const std::array<std::uint32_t, 2>& pair) {
      if (named.empty() || named.back() != pair) named.push_back(pair);
    };
    for (const TrianglePair& pair : evidence_.pairs()) name(evidence_.surfaces_of(pair));
    for (const ContactPatch& patch : report_.patches) name({patch.surface_a, patch.surface_b});
    for (const SurfacesInDoubt& pair : report_.in_doubt) name({pair.surface_a, pair.surface_b});
    if (named.empty() && decision_.by_gap)
      if (const auto& closest = evidence_.closest())
        name({evidence_.a.mesh().surface_of(closest->a), evidence_.b.mesh().surface_of(closest->b)});
    SNUG_ASSERT(std::ranges::all_of(named, [&](const auto& pair) {
      return pair[0] < evidence_.a.mesh().surfaces().size() && pair[1] < evidence_.b.mesh().surfaces().size();
    }));
    std::ranges::sort(named);
    const auto distinct = std::ranges::unique(named);
    report_.surface_pairs.assign(named.begin(), distinct.begin());
  }

  void describe_faces() {
    const PosedSolid &a = evidence_.a, &b = evidence_.b;
    report_.matings = matings(a, b, evidence_.reach(), report_.surface_pairs);
    // Which of the surfaces in doubt meet exactly, by what they are to each other.
    for (SurfacesInDoubt& doubt : report_.in_doubt) {
      const auto known = std::ranges::find_if(report_.matings, [&](const SurfaceMating& m) {
        return m.surface_a == doubt.surface_a && m.surface_b == doubt.surface_b;
      });
      doubt.meet_exactly =
          known != report_.matings.end() && (known->mating == Mating::tangent || known->mating == Mating::coincident);
    }
    if (!evidence_.has_sag()) return;
    // Rounding is not all that a volume may be off: faces bulge over their triangles.
    if (report_.volume) report_.volume->error += volume_of_sags(a, b);
    if (report_.verdict == Verdict::clear) return;
    for (const auto& pair : report_.surface_pairs) {
      report_.sag = std::max(report_.sag, sag_between(a, b, pair));
      report_.sag_estimated |= a.sag().estimated(pair[0]) || b.sag().estimated(pair[1]);
    }
  }

  PairEvidence& evidence_;
  Decision decision_;
  PairReport report_;
};

}  // namespace

PairReport assessment(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options,
                      const CancelToken* cancel) {
  PairEvidence evidence(a, b, options, cancel);
  (void)evidence.pairs();
  if (evidence.cancelled()) return {};
  const Decision by_triangles = decide_by_triangles(evidence);
  if (evidence.cancelled()) return {};
  Decision by_faces = decide_by_faces(evidence, by_triangles);
  if (evidence.cancelled()) return {};
  Decision decision = decide_by_rounding(evidence, std::move(by_faces));
  if (evidence.cancelled()) return {};
  return Description(evidence, std::move(decision)).report();
}

}  // namespace snug::assembly
