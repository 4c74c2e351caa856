#include "assembly/verdict/decision.hpp"
#include "assembly/verdict/firmness.hpp"
#include "assembly/verdict/sheets.hpp"
#include "assembly/verdict/solid_overlap.hpp"
#include "assembly/verdict/sure_contact.hpp"
#include "penetration/interference.hpp"
#include "penetration/thickness.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <limits>

// Triangles stand for faces that may be elsewhere by their sags. What the triangles show is weighed here against that.

namespace snug::assembly {

namespace {

using Kind = SolidOverlap::Kind;
using Surfaces = std::array<std::uint32_t, 2>;

void doubt(Decision& out, std::span<const Surfaces> surfaces) {
  for (const Surfaces& pair : surfaces) out.in_doubt.push_back({pair[0], pair[1]});
}

/// Do the parts overlap wherever their faces are within their sags?
bool overlaps_firmly(PairEvidence& evidence) {
  const PosedSolid &a = evidence.a, &b = evidence.b;
  if (a.has_inside(Filling::closed_shells) && b.has_inside(Filling::closed_shells)) {
    const auto ball = find_firm_ball(a, b, evidence.pairs(), evidence.resolution);
    if (ball && 2 * ball->radius > evidence.overlap_band) return true;
  }
  return !evidence.both_closed() &&
         crossing_of_sheets(a, b, evidence.pairs(),
                            std::max(evidence.resolution, evidence.options.tolerances.touch_overlap.value_or(0)), true);
}

/// An overlap that is no deeper than what the triangles may differ from the faces is a touch; one that is sure to be
/// there but may come out at the surface is contained, though not firmly.
void weigh_overlap(PairEvidence& evidence, Decision& out) {
  SNUG_ASSERT(out.overlaps());
  const PosedSolid &a = evidence.a, &b = evidence.b;
  if (out.overlap.kind == Kind::same_solid) return;  // wherever its faces are, they are there twice
  const bool contained = out.verdict == Verdict::contained;
  if (contained && evidence.pairs().empty() && !least_gap(a, b, evidence.resolution, {})) return;
  if (overlaps_firmly(evidence)) {
    out.firm = !contained;
    return;
  }
  if (!contained) {
    // A pin that is too wide for its bore overlaps by less than the sags can show, but not by less than is known.
    const auto ball = ball_of_interference(a, b, evidence.fits(), evidence.cancel);
    if (ball && 2 * ball->radius > evidence.overlap_band) {
      out.overlap.ball = ball, out.point = ball->centre;
      return;
    }
  }
  out.overlap.size = overlap_size(evidence, out.overlap, true);
  out.verdict = Verdict::touch, out.gap = 0;
}

/// The gravest verdict that a gap of the faces may deserve, and whether it is sure to.
void weigh_gap(PairEvidence& evidence, Decision& out) {
  SNUG_ASSERT(out.by_gap && out.gap);
  const FacesGap& gap = evidence.faces_gap();
  out.verdict = evidence.verdict_of_gap(gap.least ? gap.least->least : std::numeric_limits<double>::infinity());
  if (!gap.least) return;  // clear, whatever the sags
  out.gap = gap.shown;
  if (gap.meet || gap.firm) return;
  out.firm = false;
  doubt(out, {{gap.least->surfaces}});
}

/// Does the proof that an overlap is no deeper, or no thicker, than the band leave room for the sags? Faces and their
/// triangles are apart by these, so a corner that moves by what is left sweeps no more than half the band from the face.
bool stays_forgiven(PairEvidence& evidence, const Depth& depth) {
  if (depth.upper + evidence.largest_sag() <= evidence.overlap_band) return true;
  const double left = evidence.overlap_band - 2 * std::max(evidence.a.sag().largest(), evidence.b.sag().largest());
  return left > 0 && no_thicker_than(evidence.a, evidence.b, evidence.pairs(), left);
}

/// The triangles cross, the faces do not: what is left is the play of the fit, or what other faces leave.
void leave_to_fit(PairEvidence& evidence, Decision& out) {
  const Fits& fits = evidence.fits();
  const auto least = least_gap(evidence.a, evidence.b, evidence.reach(), fits);
  if (!least) {
    out.verdict = Verdict::clear;
    return;
  }
  out.verdict = evidence.verdict_of_gap(least->least);
  out.gap = out.verdict == Verdict::near ? std::max(least->least, fits.most()) : least->least;
  out.firm = least->least > 0 && out.verdict == evidence.verdict_of_gap(fits.most());
  if (!out.firm) doubt(out, {{least->surfaces}});
}

/// Is a contact one wherever the faces are within their sags, and no overlap? Gaps that the touch gap forgives have been
/// weighed before. `by_triangles`: what was decided without the sags.
void weigh_contact(PairEvidence& evidence, const Decision& by_triangles, Decision& out) {
  SNUG_ASSERT(out.verdict == Verdict::touch && out.firm && out.in_doubt.empty());
  const PosedSolid &a = evidence.a, &b = evidence.b;
  const SolidOverlap& overlap = by_triangles.overlap;
  // An overlap that is a touch now is one by the sags alone.
  const bool by_sag = by_triangles.overlaps() || overlap.kind == Kind::by_sag;
  const bool faces_meet = by_triangles.by_gap && evidence.faces_gap().meet;
  if (evidence.pairs().empty() && !faces_meet && !by_sag) return;
  // An overlap that is forgiven must be, wherever the faces are within their sags: the way out, the shrunk bodies, or the
  // planes between the faces prove it.
  std::optional<Depth>& depth = out.overlap.size.depth;
  const bool press_fit = !by_triangles.overlaps() &&
                         (overlap.kind == Kind::press_fit ||
                          (depth && overlap.kind == Kind::forgiven && overlap.thin && only_press_fits_meet(evidence)));
  const auto refinable = [&](const TrianglePair& pair) { return evidence.refinable(evidence.surfaces_of(pair)); };
  const bool forgiven = depth && !by_sag && !press_fit && std::ranges::any_of(evidence.pairs(), refinable);
  if (forgiven && stays_forgiven(evidence, *depth)) return;
  const Fits& fits = evidence.fits();
  const double sunk = forgiven && depth->upper <= evidence.overlap_band ? evidence.overlap_band : 0;
  doubt(out, doubtful_contact(a, b, evidence.patches(), fits, press_fit ? evidence.overlap_band : 0, sunk));
  out.firm = out.in_doubt.empty();
  if (!out.firm) return;
  // A contact of triangles between faces that a fit with play divides means nothing.
  const bool only_play =
      evidence.patches().empty() && evidence.only_fits_meet([](const Fit& fit) { return fit.least > 0; });
  if (!evidence.pairs().empty() && !only_play && !touches_surely(a, b, evidence.pairs(), evidence.patches(), fits)) {
    // They do not cross, but may be apart where their triangles meet.
    out.firm = false;
    for (const TrianglePair& pair : evidence.pairs())
      if (refinable(pair)) doubt(out, {{evidence.surfaces_of(pair)}});
    std::ranges::sort(out.in_doubt);
    out.in_doubt.erase(std::ranges::unique(out.in_doubt).begin(), out.in_doubt.end());
    return;
  }
  // Of triangles only: the faces do not overlap, or are in fits without interference.
  const auto interferes = [](const Fit& fit) { return fit.most < 0; };
  if (by_sag || (press_fit && std::ranges::none_of(fits.all(), interferes)))
    depth.reset(), out.overlap.size.volume.reset();
  if (only_play) leave_to_fit(evidence, out);
}

}  // namespace

Decision decide_by_faces(PairEvidence& evidence, const Decision& by_triangles) {
  Decision out = by_triangles;
  if (evidence.has_sag()) {
    const bool by_gap = by_triangles.by_gap && evidence.closest();
    if (by_triangles.overlaps())
      weigh_overlap(evidence, out);
    else if (by_gap)
      weigh_gap(evidence, out);
    if (evidence.cancelled()) return out;
    const bool gap_may_close = by_gap && !evidence.faces_gap().meet && !evidence.faces_gap().firm;
    if (out.verdict == Verdict::touch && !gap_may_close) weigh_contact(evidence, by_triangles, out);
  }
  if (!out.overlaps() && out.overlap.size.within_tolerance) out.firm = false;
  return out;
}

}  // namespace snug::assembly
