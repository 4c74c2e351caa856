#include "assembly/verdict/decision.hpp"

#include "assembly/verdict/sheets.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>
#include <tuple>

// The rules of docs/verdicts.md, the gravest first. The first that applies decides.

namespace snug::assembly {

namespace {

using Kind = SolidOverlap::Kind;

/// What open shells show: where they cross the other body, and whether they may be inside it.
struct SheetOverlap {
  std::optional<Point3> crossing;
  bool may_be_inside = false;
};

SheetOverlap sheet_overlap(PairEvidence& evidence) {
  const PosedSolid &a = evidence.a, &b = evidence.b;
  SheetOverlap overlap;
  overlap.may_be_inside = evidence.of_a_inside().doubtful || evidence.of_b_inside().doubtful;
  if (evidence.both_closed()) return overlap;
  overlap.crossing = crossing_of_sheets(a, b, evidence.pairs(), evidence.resolution);
  for (const auto& [sheet, solid, side] : {std::tuple{&a, &b, &TrianglePair::a}, {&b, &a, &TrianglePair::b}}) {
    if (overlap.crossing || sheet->closed()) continue;
    const SheetInside inside = sheet_inside(*sheet, *solid, evidence.pairs(), side, evidence.resolution);
    if (inside.place && inside.comes_out) overlap.crossing = inside.place;
    if (inside.place && !inside.comes_out) overlap.may_be_inside = true;
  }
  const double forgiven = evidence.options.tolerances.touch_overlap.value_or(0);
  const bool forgives = overlap.crossing && forgiven > evidence.resolution;
  if (forgives && parts_within(a, b, evidence.directions(), forgiven)) return {};
  return overlap;
}

/// What the rules are about.
struct Facts {
  PairEvidence& evidence;
  SolidOverlap solids = {};
  SheetOverlap sheets = {};
};

bool shell_inside(Facts& facts, Decision& out) {
  PairEvidence& evidence = facts.evidence;
  const auto &of_a = evidence.of_a_inside().certain, &of_b = evidence.of_b_inside().certain;
  if (of_a.empty() && of_b.empty()) return false;
  out.point = of_a.empty() ? evidence.b.corner_of_shell(of_b[0]) : evidence.a.corner_of_shell(of_a[0]);
  return true;
}

/// Closed shells of both: one solid twice, or a common ball wider than the band.
bool solids_clash(Facts& facts, Decision& out) {
  facts.solids = solid_overlap(facts.evidence);
  if (facts.solids.ball) out.point = facts.solids.ball->centre;
  if (facts.solids.kind == Kind::same_solid && !out.point) out.point = middle_of(facts.evidence.a.body().bounds());
  return facts.solids.kind == Kind::same_solid || facts.solids.kind == Kind::thick;
}

/// Open shells: triangles that cross by more than noise, or that enter a solid between its triangles.
bool sheets_clash(Facts& facts, Decision& out) {
  facts.sheets = sheet_overlap(facts.evidence);
  if (facts.sheets.crossing) out.point = facts.sheets.crossing;
  return facts.sheets.crossing.has_value();
}

/// Would the bodies overlap if the holes of their open shells were filled?
bool overlap_when_filled(PairEvidence& evidence) {
  if (evidence.both_closed() || (evidence.pairs().empty() && !evidence.flush())) return false;
  const auto ball =
      find_common_ball(evidence.a, evidence.b, Filling::holes_filled, evidence.pairs(), evidence.resolution);
  return ball && 2 * ball->radius > evidence.overlap_band && evidence.escape().length > evidence.overlap_band;
}

bool undecidable(Facts& facts, Decision& out) {
  if (facts.solids.kind == Kind::open)
    out.reason = facts.solids.reason;
  else if (facts.sheets.may_be_inside)
    out.reason = "not a closed shell: what lies inside it cannot be told from what does not";
  else if (overlap_when_filled(facts.evidence))
    out.reason = "not a closed shell: the parts would overlap if its holes were filled";
  return !out.reason.empty();
}

bool share_points(Facts& facts, Decision& out) {
  PairEvidence& evidence = facts.evidence;
  if (evidence.pairs().empty()) return false;
  SolidOverlap& solids = facts.solids;
  // The size of an overlap that is forgiven is reported too.
  const bool forgiven = solids.searched && evidence.escape().length > evidence.resolution &&
                        (solids.ball || evidence.escape().length <= evidence.overlap_band);
  if (forgiven && !solids.size.depth) solids.size = overlap_size(evidence, solids, false);
  const TrianglePair& first = evidence.pairs()[0];
  out.gap = 0;
  out.point = intersection(evidence.a.body().triangle(first.a), evidence.b.body().triangle(first.b)).corner[0];
  return true;
}

struct Rule {
  bool (*applies)(Facts&, Decision&);
  Verdict verdict;
};
constexpr std::array k_rules{
    Rule{shell_inside, Verdict::contained}, Rule{solids_clash, Verdict::clash}, Rule{sheets_clash, Verdict::clash},
    Rule{undecidable, Verdict::undecided},  Rule{share_points, Verdict::touch},
};

}  // namespace

Decision decide_by_triangles(PairEvidence& evidence) {
  Decision out;
  Facts facts{evidence};
  const auto rule = std::ranges::find_if(k_rules, [&](const Rule& r) { return r.applies(facts, out); });
  out.overlap = std::move(facts.solids);
  if (rule != k_rules.end()) {
    out.verdict = rule->verdict;
    SNUG_ASSERT(!out.by_gap && (out.verdict == Verdict::undecided) == !out.reason.empty());
    return out;
  }
  out.by_gap = true;
  if (const auto& closest = evidence.closest()) {
    out.gap = closest->points.distance;
    out.verdict = evidence.verdict_of_gap(*out.gap);
    out.point = closest->points.on_a + 0.5 * (closest->points.on_b - closest->points.on_a);
  }
  return out;
}

}  // namespace snug::assembly
