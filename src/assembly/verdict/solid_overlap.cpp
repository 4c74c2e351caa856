#include "assembly/verdict/solid_overlap.hpp"

#include "assembly/verdict/firmness.hpp"
#include "assembly/verdict/sheets.hpp"
#include "penetration/overlap_volume.hpp"
#include "penetration/places.hpp"
#include "penetration/thickness.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cstdio>

namespace snug::assembly {

namespace {

using Kind = SolidOverlap::Kind;

std::string shown(double length) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", length);
  return text;
}

/// Do triangles of closed shells cross by more than noise?
bool solids_cross(PairEvidence& evidence) {
  const PosedSolid &a = evidence.a, &b = evidence.b;
  return std::ranges::any_of(evidence.pairs(), [&](const TrianglePair& pair) {
    if (pair.relation != Relation::crossing || !a.topology().in_closed_shell(pair.a) ||
        !b.topology().in_closed_shell(pair.b))
      return false;
    const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
    return mutual_reach(ta, tb) >
           crossing_noise(ta, tb, evidence.resolution) + sag_between(a, b, evidence.surfaces_of(pair));
  });
}

bool shrunk_are_apart(PairEvidence& evidence) {
  return no_thicker_than(evidence.a, evidence.b, evidence.pairs(), evidence.overlap_band);
}

/// An overlap in which no ball wider than the band was found, and of which nothing proves yet that there is none.
void judge_thin(PairEvidence& evidence, SolidOverlap& overlap) {
  const PosedSolid &a = evidence.a, &b = evidence.b;
  overlap.size = overlap_size(evidence, overlap, false);
  std::optional<Depth>& depth = overlap.size.depth;
  if (only_press_fits_meet(evidence)) {
    overlap.kind = Kind::press_fit;
  } else if (depth && depth->upper <= evidence.overlap_band) {
    overlap.kind = Kind::forgiven;
  } else if (evidence.has_sag() && !find_firm_ball(a, b, evidence.pairs(), evidence.resolution)) {
    overlap.kind = Kind::by_sag;
  } else {
    overlap.kind = Kind::open;
    const double out = depth ? depth->upper : evidence.escape().length;
    const auto bound = thickness_bound(a, b, evidence.pairs(), evidence.overlap_band, out);
    if (depth) depth->thickness_bound = bound;
    overlap.reason = "the touch overlap lies between the bounds of the overlap's thickness, " +
                     shown(2 * overlap.ball->radius) + " and " + shown(bound.value_or(out));
  }
}

}  // namespace

SolidOverlap solid_overlap(PairEvidence& evidence) {
  const PosedSolid &a = evidence.a, &b = evidence.b;
  SolidOverlap overlap;
  if (!a.has_inside(Filling::closed_shells) || !b.has_inside(Filling::closed_shells)) return overlap;
  if (evidence.pairs().empty() && !evidence.flush()) return overlap;
  overlap.searched = true;
  if (evidence.same_solid()) {
    overlap.kind = Kind::same_solid;
    overlap.ball = evidence.ball().ball;
    return overlap;
  }
  if (evidence.escape().length <= evidence.overlap_band) {
    overlap.kind = Kind::forgiven;
    return overlap;
  }
  overlap.ball = evidence.ball().ball;
  overlap.size.within_tolerance = evidence.ball().within_tolerance;
  if (overlap.ball && 2 * overlap.ball->radius > evidence.overlap_band) {
    overlap.kind = Kind::thick;
  } else if (overlap.ball) {
    overlap.thin = shrunk_are_apart(evidence);
    if (overlap.thin || parts_within(a, b, evidence.directions(), evidence.overlap_band))
      overlap.kind = Kind::forgiven;
    else
      judge_thin(evidence, overlap);
  } else if (solids_cross(evidence)) {
    overlap.thin = shrunk_are_apart(evidence);
    if (!overlap.thin) {
      overlap.kind = Kind::open;
      overlap.reason = "surfaces cross, but nothing was found to be inside both";
    }
  }
  return overlap;
}

OverlapSize overlap_size(PairEvidence& evidence, const SolidOverlap& overlap, bool known_to_overlap) {
  const PosedSolid &a = evidence.a, &b = evidence.b;
  OverlapSize size;
  if (!evidence.both_closed()) return size;
  const std::optional<CommonBall> ball = overlap.ball ? overlap.ball : evidence.ball().ball;
  if (!overlap.ball) size.within_tolerance = evidence.ball().within_tolerance;
  if (!ball && !known_to_overlap) return size;  // they share nothing but rounding
  if (ball) {
    const std::vector<Vec3> directions = escape_directions(
        a, b, directions_from_surfaces(a, b, Filling::closed_shells, ball->centre, 1.01 * ball->radius),
        evidence.contact_normals());
    Escape way = escape_by_plane(a, b, directions);
    if (overlap.searched && evidence.escape().length < way.length) way = evidence.escape();
    const double lower = 2 * ball->radius;
    if (way.length > 1.01 * lower)
      if (const auto shorter = shorter_escape(a, b, directions, lower, way)) way = *shorter;
    way = verified(a, b, way, evidence.resolution);
    SNUG_ASSERT(ball->radius >= 0 && way.length >= 0);
    // Both bounds hold to their rounding; the way out is the one that was verified.
    size.depth = Depth{std::min(lower, way.length), way.length, ball->centre, way.translation};
    if (overlap.thin) size.depth->thickness_bound = evidence.overlap_band;
  }
  if (a.winds_once() && b.winds_once()) size.volume = overlap_volume(a, b);
  return size;
}

bool only_press_fits_meet(PairEvidence& evidence) {
  if (evidence.a.sag().none() || evidence.b.sag().none() || evidence.flush()) return false;
  return evidence.only_fits_meet([&](const Fit& fit) { return -fit.least <= evidence.overlap_band; });
}

}  // namespace snug::assembly
