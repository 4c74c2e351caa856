#include "assembly/verdict/decision.hpp"
#include "penetration/smallest_size.hpp"

namespace snug::assembly {

Decision decide_by_rounding(PairEvidence& evidence, Decision out) {
  const double rounding = evidence.resolution;
  // An overlap as thick as the rounding is forgiven by the options themselves.
  if (out.verdict != Verdict::touch || rounding <= evidence.options.tolerances.touch_overlap.value_or(0)) return out;
  if (!rounding_hides(rounding, evidence.a, evidence.b)) return out;
  // Surfaces further apart than poses round share no point, whatever the touch gap is.
  if (out.by_gap && evidence.closest() && evidence.closest()->points.distance > rounding) return out;
  out.verdict = Verdict::undecided;
  out.reason = k_hidden_by_rounding;
  out.gap.reset();
  out.firm = true, out.in_doubt.clear();
  return out;
}

}  // namespace snug::assembly
