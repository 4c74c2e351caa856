#include "assembly/verdict/decision.hpp"
#include "assembly/verdict/firmness.hpp"
#include "assembly/verdict/matings.hpp"
#include "assembly/verdict/sheets.hpp"
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
  out.overlap.kind = Kind::by_sag;
  out.verdict = Verdict::touch, out.gap = 0;
}

/// Do faces touch by their forms, although their triangles do not?
bool touch_by_form(PairEvidence& evidence) {
  const auto near = matings(evidence.a, evidence.b, evidence.reach(), {});
  return std::ranges::any_of(near, [&](const SurfaceMating& m) {
    return m.mating != Mating::none && tangent_inside_borders(evidence.a, m.surface_a, evidence.b, m.surface_b);
  });
}

/// The gravest verdict that a gap of the faces may deserve, and whether it is sure to.
void weigh_gap(PairEvidence& evidence, Decision& out) {
  SNUG_ASSERT(out.by_gap && out.gap && evidence.closest());
  const Fits& fits = evidence.fits();
  const auto least = least_gap(evidence.a, evidence.b, evidence.reach(), fits);
  out.verdict = evidence.verdict_of_gap(least ? least->least : std::numeric_limits<double>::infinity());
  if (!least) return;  // clear, whatever the sags
  const ClosestPair& closest = *evidence.closest();
  const Surfaces surfaces{evidence.a.mesh().surface_of(closest.a), evidence.b.mesh().surface_of(closest.b)};
  const double sag = sag_between(evidence.a, evidence.b, surfaces);
  const double most = std::min(*out.gap + sag, fits.most());
  out.gap = std::clamp(*out.gap, least->least, std::max(least->least, most));
  // What is no gap but for rounding, or as its author would have it, is weighed as a contact.
  out.faces_meet = *out.gap <= evidence.resolution || (!evidence.refinable(surfaces) && *out.gap <= sag);
  if (!out.faces_meet && least->least == 0 && touch_by_form(evidence)) out.faces_meet = true, out.gap = 0;
  if (!out.faces_meet) out.firm = least->least > 0 && out.verdict == evidence.verdict_of_gap(most);
  if (!out.firm) doubt(out, {{least->surfaces}});
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
/// weighed before.
void weigh_contact(PairEvidence& evidence, Decision& out) {
  SNUG_ASSERT(out.verdict == Verdict::touch && out.firm && out.in_doubt.empty());
  const PosedSolid &a = evidence.a, &b = evidence.b;
  SolidOverlap& overlap = out.overlap;
  const bool by_sag = overlap.kind == Kind::by_sag;
  if (evidence.pairs().empty() && !out.faces_meet && !by_sag) return;
  // An overlap that is forgiven must be, wherever the faces are within their sags: the way out, the shrunk bodies, or the
  // planes between the faces prove it.
  std::optional<Depth>& depth = overlap.size.depth;
  if (depth && overlap.kind == Kind::forgiven && overlap.thin && only_press_fits_meet(evidence))
    overlap.kind = Kind::press_fit;
  const bool press_fit = overlap.kind == Kind::press_fit;
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
  if (by_sag || (press_fit && std::ranges::none_of(fits.all(), interferes))) depth.reset(), overlap.size.volume.reset();
  if (only_play) leave_to_fit(evidence, out);
}

}  // namespace

Decision decide_by_faces(PairEvidence& evidence, Decision out) {
  if (evidence.has_sag()) {
    if (out.overlaps())
      weigh_overlap(evidence, out);
    else if (out.by_gap && evidence.closest())
      weigh_gap(evidence, out);
    if (evidence.cancelled()) return out;
    if (out.verdict == Verdict::touch && out.firm) weigh_contact(evidence, out);
  }
  if (!out.overlaps() && out.overlap.size.within_tolerance) out.firm = false;
  return out;
}

}  // namespace snug::assembly
