#include "assembly/verdict/decision.hpp"

#include "assembly/verdict/solid_overlap.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>

// The rules of docs/verdicts.md, the gravest first. The first that applies decides.

namespace snug::assembly {

namespace {

using Kind = SolidOverlap::Kind;

bool shell_inside(PairEvidence& evidence, Decision& out) {
  const auto &of_a = evidence.of_a_inside().certain, &of_b = evidence.of_b_inside().certain;
  if (of_a.empty() && of_b.empty()) return false;
  out.point = of_a.empty() ? evidence.b.corner_of_shell(of_b[0]) : evidence.a.corner_of_shell(of_a[0]);
  return true;
}

/// The middle of the largest ball in both, if one was found.
std::optional<Point3> middle_of_ball(PairEvidence& evidence) {
  const SolidOverlap& solids = evidence.solids();
  return solids.ball ? std::optional(solids.ball->centre) : std::nullopt;
}

/// Closed shells of both: one solid twice, or a common ball wider than the band.
bool solids_clash(PairEvidence& evidence, Decision& out) {
  const SolidOverlap& solids = evidence.solids();
  if (solids.kind != Kind::same_solid && solids.kind != Kind::thick) return false;
  SNUG_ASSERT(solids.ball || solids.kind == Kind::same_solid);
  out.point = middle_of_ball(evidence);
  if (!out.point) out.point = middle_of(evidence.a.body().bounds());
  return true;
}

/// Open shells: triangles that cross by more than noise, or that enter a solid between its triangles.
bool sheets_clash(PairEvidence& evidence, Decision& out) {
  const auto& crossing = evidence.sheets().crossing;
  if (crossing) out.point = crossing;
  return crossing.has_value();
}

/// Would the bodies overlap if the holes of their open shells were filled?
bool overlap_when_filled(PairEvidence& evidence) {
  if (evidence.both_closed() || (evidence.pairs().empty() && !evidence.flush())) return false;
  const auto ball =
      find_common_ball(evidence.a, evidence.b, Filling::holes_filled, evidence.pairs(), evidence.resolution);
  return ball && 2 * ball->radius > evidence.overlap_band && evidence.escape().length > evidence.overlap_band;
}

bool undecidable(PairEvidence& evidence, Decision& out) {
  if (evidence.solids().kind == Kind::open)
    out.reason = evidence.solids().reason;
  else if (evidence.sheets().may_be_inside)
    out.reason = "not a closed shell: what lies inside it cannot be told from what does not";
  else if (overlap_when_filled(evidence))
    out.reason = "not a closed shell: the parts would overlap if its holes were filled";
  if (out.reason.empty()) return false;
  out.point = middle_of_ball(evidence);
  return true;
}

bool share_points(PairEvidence& evidence, Decision& out) {
  if (evidence.pairs().empty()) return false;
  const TrianglePair& first = evidence.pairs()[0];
  out.gap = 0;
  out.point = intersection(evidence.a.body().triangle(first.a), evidence.b.body().triangle(first.b)).corner[0];
  return true;
}

struct Rule {
  bool (*applies)(PairEvidence&, Decision&);
  Verdict verdict;
};
constexpr std::array k_rules{
    Rule{shell_inside, Verdict::contained}, Rule{solids_clash, Verdict::clash}, Rule{sheets_clash, Verdict::clash},
    Rule{undecidable, Verdict::undecided},  Rule{share_points, Verdict::touch},
};

/// The size of an overlap that is forgiven is reported too.
OverlapSize size_of_forgiven(PairEvidence& evidence) {
  const SolidOverlap& solids = evidence.solids();
  const bool forgiven = solids.searched && evidence.escape().length > evidence.resolution &&
                        (solids.ball || evidence.escape().length <= evidence.overlap_band);
  return forgiven && !solids.size.depth ? overlap_size(evidence, solids, false) : solids.size;
}

}  // namespace

Decision decide_by_triangles(PairEvidence& evidence) {
  Decision out;
  const auto rule = std::ranges::find_if(k_rules, [&](const Rule& r) { return r.applies(evidence, out); });
  const bool decided = rule != k_rules.end();
  // What is contained needs no overlap of surfaces.
  if (!decided || rule->verdict != Verdict::contained) out.overlap = evidence.solids();
  if (decided) {
    out.verdict = rule->verdict;
    if (out.verdict == Verdict::touch) out.overlap.size = size_of_forgiven(evidence);
    SNUG_ASSERT(!out.by_gap && (out.verdict == Verdict::undecided) == !out.reason.empty());
    return out;
  }
  SNUG_ASSERT(!out.point);  // a rule that does not apply leaves nothing behind
  out.by_gap = true;
  if (const auto& closest = evidence.closest()) {
    out.gap = closest->points.distance;
    out.verdict = evidence.verdict_of_gap(*out.gap);
    out.point = closest->points.on_a + 0.5 * (closest->points.on_b - closest->points.on_a);
  }
  return out;
}

}  // namespace snug::assembly
