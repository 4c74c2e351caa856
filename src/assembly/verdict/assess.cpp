#include "assembly/verdict/assess.hpp"

#include "assembly/verdict/assessment.hpp"
#include "assembly/verdict/matings.hpp"
#include "geometry/vec_ops.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>

// What keeps a verdict the same in both orders of the bodies, and for coordinates of any size.

namespace snug::assembly {

namespace {

/// The same report with a and b exchanged.
PairReport exchanged(PairReport r) {
  for (TrianglePair& pair : r.triangles) std::swap(pair.a, pair.b);
  std::ranges::sort(r.triangles);
  for (auto& pair : r.surface_pairs) std::swap(pair[0], pair[1]);
  std::ranges::sort(r.surface_pairs);
  std::swap(r.shells_of_a_inside, r.shells_of_b_inside);
  exchange(r.matings);
  if (r.depth) r.depth->escape = -r.depth->escape;
  if (r.crossing) r.crossing->escape = -r.crossing->escape;
  for (SurfacesInDoubt& pair : r.in_doubt) std::swap(pair.surface_a, pair.surface_b);
  std::ranges::sort(r.in_doubt);
  for (ContactPatch& patch : r.patches) {
    std::swap(patch.surface_a, patch.surface_b);
    patch.normal = -patch.normal;
    for (auto& loop : patch.loops) std::ranges::reverse(loop);
  }
  std::ranges::sort(r.patches, {}, [](const ContactPatch& p) { return std::pair(p.surface_a, p.surface_b); });
  return r;
}

/// Lengths beyond these have squares and cubes that overflow or vanish.
constexpr double k_largest = 0x1p200, k_smallest = 0x1p-200;

/// The report of bodies that were multiplied by `power`, in their own size. A volume that is no number there is left out.
PairReport scaled_back(PairReport r, double power) {
  const double back = 1 / power;
  SNUG_ASSERT(power > 0 && std::isfinite(back));
  r.resolution *= back;
  r.sag *= back;
  if (r.depth) {
    r.depth->lower *= back, r.depth->upper *= back;
    r.depth->centre = back * r.depth->centre, r.depth->escape = back * r.depth->escape;
    if (r.depth->thickness_bound) *r.depth->thickness_bound *= back;
  }
  if (r.crossing) {
    r.crossing->length *= back, r.crossing->depth *= back;
    r.crossing->escape = back * r.crossing->escape;
  }
  if (r.volume) {
    const OverlapVolume v{r.volume->value * back * back * back, r.volume->error * back * back * back};
    r.volume.reset();
    if (std::isfinite(v.error) && std::isnormal(v.value)) r.volume = v;
  }
  if (r.gap) *r.gap *= back;
  if (r.point) r.point = back * *r.point;
  for (ContactPatch& patch : r.patches) {
    patch.area *= back * back;
    for (auto& loop : patch.loops)
      for (Point3& p : loop) p = back * p;
  }
  scale(r.matings, back);
  return r;
}

PairReport assess_in_order(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options,
                           const CancelToken* cancel) {
  double extent = 0;
  for (const PosedSolid* solid : {&a, &b})
    extent = std::max({extent, max_abs(solid->body().bounds().lo), max_abs(solid->body().bounds().hi)});
  if ((extent <= k_largest && extent >= k_smallest) || extent == 0) return assessment(a, b, options, cancel);
  // Multiplying by a power of two is exact but for what falls off the subnormal end, far below the resolution.
  const double power = scale_to_one(extent);
  AssessOptions in_size = options;
  in_size.method = Method::surface;  // the same pairs, on the multiplied bodies
  Tolerances& tolerances = in_size.tolerances;
  const auto in_range = [&](double length) { return std::min(length * power, k_largest); };
  tolerances = {in_range(tolerances.clearance), in_range(tolerances.touch_gap),
                in_range(tolerances.touch_overlap.value_or(0))};
  return scaled_back(assessment(a.scaled(power), b.scaled(power), in_size, cancel), power);
}

/// One order of two bodies that does not depend on who comes first, by what they are and where.
bool comes_first(const PosedSolid& a, const PosedSolid& b) {
  const std::size_t count_a = a.body().vertex_count(), count_b = b.body().vertex_count();
  for (std::uint32_t v = 0; v < std::min(count_a, count_b); ++v)
    if (const auto order = a.body().vertex(v) <=> b.body().vertex(v); order != 0) return order < 0;
  if (count_a != count_b) return count_a < count_b;
  if (!std::ranges::equal(a.mesh().triangles(), b.mesh().triangles()))
    return std::ranges::lexicographical_compare(a.mesh().triangles(), b.mesh().triangles());
  return a.mesh().hash() < b.mesh().hash();
}

}  // namespace

bool valid(const Tolerances& tolerances) noexcept {
  return std::ranges::all_of(
      std::array{tolerances.clearance, tolerances.touch_gap, tolerances.touch_overlap.value_or(0)},
      [](double length) { return std::isfinite(length) && length >= 0; });
}

PairReport assess_posed(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options,
                        const CancelToken* cancel) {
  if (comes_first(b, a)) return exchanged(assess_in_order(b, a, options, cancel));
  return assess_in_order(a, b, options, cancel);
}

}  // namespace snug::assembly

namespace snug {

PairReport assess(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const AssessOptions& options) {
  const auto refused = [&](const char* reason) {
    PairReport report;
    report.verdict = Verdict::undecided;
    report.reason = reason;
    report.resolution = resolution(a, pose_a, b, pose_b);
    return report;
  };
  if (!assembly::valid(options.tolerances)) return refused("the tolerances of the verdict are not finite, or negative");
  if (!shape::are_valid(pose_a, pose_b)) return refused("a pose is not valid");
  if (!shape::are_meshes(a, b)) return refused("a body is a primitive, which has no triangles");
  return assembly::assess_posed(penetration::PosedSolid(a, pose_a), penetration::PosedSolid(b, pose_b), options);
}

}  // namespace snug
