#include "assembly/verdict/faces_gap.hpp"

#include "assembly/verdict/firmness.hpp"
#include "assembly/verdict/matings.hpp"
#include "assembly/verdict/sure_contact.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::assembly {

namespace {

/// Do faces touch by their forms, although their triangles do not?
bool touch_by_form(PairEvidence& evidence) {
  const auto near = matings(evidence.a, evidence.b, evidence.reach(), {});
  return std::ranges::any_of(near, [&](const SurfaceMating& m) {
    return m.mating != Mating::none && tangent_inside_borders(evidence.a, m.surface_a, evidence.b, m.surface_b);
  });
}

}  // namespace

FacesGap find_faces_gap(PairEvidence& evidence) {
  SNUG_ASSERT(evidence.closest().has_value());
  const Fits& fits = evidence.fits();
  FacesGap out;
  out.least = least_gap(evidence.a, evidence.b, evidence.reach(), fits);
  if (!out.least) return out;
  const double least = out.least->least;
  const ClosestPair& closest = *evidence.closest();
  const std::array<std::uint32_t, 2> surfaces{evidence.a.mesh().surface_of(closest.a),
                                              evidence.b.mesh().surface_of(closest.b)};
  const double sag = sag_between(evidence.a, evidence.b, surfaces);
  out.most = std::min(closest.points.distance + sag, fits.most());
  out.shown = std::clamp(closest.points.distance, least, std::max(least, out.most));
  SNUG_ASSERT(out.shown >= least && least >= 0);
  // What is no gap but for rounding, or as its author would have it, is weighed as a contact.
  out.meet = out.shown <= evidence.resolution || (!evidence.refinable(surfaces) && out.shown <= sag);
  if (!out.meet && least == 0 && touch_by_form(evidence)) out.meet = true, out.shown = 0;
  out.firm = least > 0 && evidence.verdict_of_gap(least) == evidence.verdict_of_gap(out.most);
  return out;
}

}  // namespace snug::assembly
