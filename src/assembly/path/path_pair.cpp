#include "assembly/path/path_pair.hpp"

#include "assembly/verdict/assess.hpp"
#include "penetration/smallest_size.hpp"

#include <algorithm>

namespace snug::assembly {

namespace {
constexpr double k_inner = 0x1p-10, k_finest = 0x1p-44;  // of the range
}  // namespace

PathPair::PathPair(const PathPart& first, const PathPart& second, const PathTask& of)
    : a(first),
      b(second),
      task(of),
      overlap(of.overlap()),
      gap(of.gap()),
      surfaces{first.body(), first.trajectory(), second.body(), second.trajectory()},
      fuel{of.options.budget} {}

double PathPair::finest() const noexcept { return k_finest * task.range.length(); }

double PathPair::inner() const noexcept { return k_inner * task.range.length(); }

TimeGrain PathPair::grain() const noexcept { return {task.time_tolerance, inner(), finest()}; }

bool PathPair::both_closed() const { return a.solid().closed() && b.solid().closed(); }

bool PathPair::have_sag() const { return !a.solid().sag().none() || !b.solid().sag().none(); }

bool PathPair::rounding_hides() const {
  return task.resolution > task.options.tolerances.touch_overlap.value_or(0) &&
         penetration::rounding_hides(task.resolution, a.solid(), b.solid());
}

PairReport PathPair::assessed(double t, bool alone) const {
  const Tolerances& asked = task.options.tolerances;
  const AssessOptions how{alone ? asked : Tolerances{asked.clearance, gap, overlap}, Method::surface, false};
  const CancelToken* const cancel = fuel.budget.cancel;
  return assess_posed(PosedSolid(a.shape(), a.trajectory().at(t), cancel),
                      PosedSolid(b.shape(), b.trajectory().at(t), cancel), how, cancel);
}

std::vector<ContactInterval> contained_between(const std::vector<ContactInterval>& contacts, const TimeSpan& span,
                                               const MovingPair& pair, const PosedSolid& a, const PosedSolid& b) {
  std::vector<ContactInterval> out;
  for (const TimeSpan& apart : between(contacts, span)) {
    const double t = TimePiece(apart).middle;
    if (const auto corner = OverlapProof(pair, a, b).one_inside_other(pair.over({t, t})))
      out.push_back({apart, true, true, apart.begin, apart.end, TriangleContact{t, 0, 0, 0, *corner, *corner}});
  }
  return out;
}

PathContacts find_contacts(PathPair& pair) {
  const TimeSpan& range = pair.task.range;
  const MovingPair& surfaces = pair.surfaces;
  const ContactCriterion criterion{.distance = pair.gap};
  PathContacts out;
  const auto has_inside = [](const PathPart& part) { return part.solid().has_inside(Filling::closed_shells); };
  // Far away from each other all the time: no need for solids to tell when they meet.
  if (!surfaces.first_open(surfaces.over(range), criterion, surfaces.everything()).empty()) {
    const bool solids = has_inside(pair.a) && has_inside(pair.b);
    std::optional<OverlapProof> overlap;
    if (solids) overlap.emplace(surfaces, pair.a.solid(), pair.b.solid());
    const OverlapProof* const proof = overlap ? &*overlap : nullptr;
    out.contacts = contact_intervals(surfaces, proof, criterion, range, pair.grain(), pair.fuel);
  }
  if (!has_inside(pair.a) && !has_inside(pair.b)) return out;
  for (const ContactInterval& inside : contained_between(out.contacts, range, surfaces, pair.a.solid(), pair.b.solid()))
    out.contained.push_back(inside.span);
  return out;
}

}  // namespace snug::assembly
