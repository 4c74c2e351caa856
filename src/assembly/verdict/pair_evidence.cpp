#include "assembly/verdict/pair_evidence.hpp"

#include "assembly/verdict/contact_patches.hpp"
#include "assembly/verdict/faces_gap.hpp"
#include "assembly/verdict/matings.hpp"
#include "assembly/verdict/sheet_overlap.hpp"
#include "assembly/verdict/solid_overlap.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/overlap_volume.hpp"
#include "query/all_pairs.hpp"
#include "query/posed/descend.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::assembly {

namespace {

// What rounding may hide, as a share of what two solids have in common, up to which that shows whether they are the same.
constexpr double k_deciding_slack = 0.01;
// A share of a part's size: CAD kernels model to no coarser a tolerance unless a file was healed.
constexpr double k_modelling = 1e-6;

template <class T, class Find>
const T& once(std::optional<T>& fact, const Find& find) {
  if (!fact) fact.emplace(find());
  return *fact;
}

double extent_of(const PosedSolid& solid) { return max_abs(solid.body().bounds().hi - solid.body().bounds().lo); }

/// The largest CAD tolerance of the faces that hem in a ball.
double cad_tolerance(const PosedSolid& solid, const CommonBall& ball) {
  double largest = 0;
  const double reach = 1.01 * ball.radius;
  const Aabb around{ball.centre - Vec3{reach, reach, reach}, ball.centre + Vec3{reach, reach, reach}};
  descend_one(
      solid.body(), [&](const Aabb& box) { return box.overlaps(around); },
      [&](std::uint32_t t) {
        if (solid.body().box_of_triangle(t).overlaps(around))
          largest = std::max(largest, solid.sag().tolerance(solid.mesh().surface_of(t)));
      });
  return largest;
}

}  // namespace

PairEvidence::PairEvidence(const PosedSolid& a_, const PosedSolid& b_, const AssessOptions& options_,
                           const CancelToken* cancel_)
    : a(a_),
      b(b_),
      options(options_),
      cancel(cancel_),
      resolution(a_.error() + b_.error()),
      overlap_band(std::max(options_.tolerances.touch_overlap.value_or(0), resolution)),
      gap_band(std::max(options_.tolerances.touch_gap, resolution)) {
  SNUG_ASSERT(resolution >= 0 && overlap_band >= resolution && gap_band >= resolution);
}

Verdict PairEvidence::verdict_of_gap(double gap) const noexcept {
  return gap <= gap_band ? Verdict::touch : gap < options.tolerances.clearance ? Verdict::near : Verdict::clear;
}

std::array<std::uint32_t, 2> PairEvidence::surfaces_of(const TrianglePair& pair) const {
  return {a.mesh().surface_of(pair.a), b.mesh().surface_of(pair.b)};
}

bool PairEvidence::refinable(const std::array<std::uint32_t, 2>& surfaces) const {
  return a.sag().refinable(surfaces[0]) || b.sag().refinable(surfaces[1]);
}

std::vector<TrianglePair> PairEvidence::find_pairs() const {
  Scratch scratch;
  std::vector<TrianglePair> pairs;
  find_triangle_pairs({{a.shape(), a.pose()}, {b.shape(), b.pose()}}, scratch, pairs,
                      {.method = options.method, .device = options.device, .devices = options.devices}, cancel);
  SNUG_ASSERT(std::ranges::is_sorted(pairs));
  return pairs;
}

const std::vector<TrianglePair>& PairEvidence::pairs() {
  return once(pairs_, [&] { return find_pairs(); });
}

const ShellsInside& PairEvidence::of_a_inside() {
  return once(of_a_inside_, [&] { return shells_inside(a, b, shells_met(a, pairs(), &TrianglePair::a), resolution); });
}

const ShellsInside& PairEvidence::of_b_inside() {
  return once(of_b_inside_, [&] { return shells_inside(b, a, shells_met(b, pairs(), &TrianglePair::b), resolution); });
}

/// Normals of triangles that meet, each plane once.
std::vector<Vec3> PairEvidence::find_contact_normals() {
  std::vector<Vec3> normals;
  const auto add = [&](const Triangle& t) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double size = std::sqrt(dot(n, n));
    if (!(size > 0) || !std::isfinite(size) || normals.size() >= 32) return;
    const Vec3 u = (1 / size) * n;
    // Of triangles so large that their squares overflow, or so small that they vanish, it has no unit length.
    if (!(std::abs(dot(u, u) - 1) < 1e-9)) return;
    if (std::ranges::none_of(normals, [&](const Vec3& known) { return std::abs(dot(known, u)) > 1 - 1e-9; }))
      normals.push_back(u);
  };
  const std::size_t step = std::max<std::size_t>(1, pairs().size() / 64);
  for (std::size_t i = 0; i < pairs().size(); i += step) {
    add(a.body().triangle(pairs()[i].a));
    add(b.body().triangle(pairs()[i].b));
  }
  return normals;
}

const std::vector<Vec3>& PairEvidence::contact_normals() {
  return once(contact_normals_, [&] { return find_contact_normals(); });
}

const std::vector<Vec3>& PairEvidence::directions() {
  return once(directions_, [&] { return escape_directions(a, b, contact_normals()); });
}

const Escape& PairEvidence::escape() {
  return once(escape_, [&] { return escape_by_plane(a, b, directions()); });
}

bool PairEvidence::same_solid() {
  return once(same_solid_, [&] { return find_same_solid(); });
}

/// Boxes rule out most.
bool PairEvidence::find_same_solid() {
  const Aabb &of_a = a.body().bounds(), &of_b = b.body().bounds();
  if (max_abs(of_a.lo - of_b.lo) > resolution || max_abs(of_a.hi - of_b.hi) > resolution) return false;
  const Vec3 size = of_a.hi - of_a.lo;
  const bool thick = std::min({size.x, size.y, size.z}) > resolution / k_deciding_slack;
  if (coincide(thick ? resolution : 0)) return true;
  return escape().length <= overlap_band && a.winds_once() && b.winds_once() &&
         shares_all(overlap_volume(a, b)).value_or(false);
}

std::optional<bool> PairEvidence::shares_all(const OverlapVolume& both) const {
  const OverlapVolume of_a = volume_of(a), of_b = volume_of(b);
  const double slack = of_a.error + of_b.error + both.error + 2 * resolution * (area_of(a) + area_of(b));
  if (!(slack <= k_deciding_slack * both.value)) return std::nullopt;
  return std::max(of_a.value, of_b.value) - both.value <= slack;
}

bool PairEvidence::coincide(double slip) const {
  const auto count = static_cast<std::uint32_t>(a.body().vertex_count());
  if (count != b.body().vertex_count() || !std::ranges::equal(a.mesh().triangles(), b.mesh().triangles())) return false;
  for (std::uint32_t v = 0; v < count; ++v)
    if (!(max_abs(a.body().vertex(v) - b.body().vertex(v)) <= slip)) return false;
  return true;
}

const PairEvidence::Ball& PairEvidence::ball() {
  return once(ball_, [&] { return find_ball(); });
}

/// A ball no wider than the resolution is rounding, not material. One no wider than the CAD tolerance of the faces around it is
/// none; that is firm only within what modelling leaves, not for whatever a file claims.
PairEvidence::Ball PairEvidence::find_ball() {
  Ball found{find_common_ball(a, b, Filling::closed_shells, pairs(), resolution)};
  if (!found.ball || same_solid()) return found;
  const double width = 2 * found.ball->radius;
  if (width > resolution && width > cad_tolerance(a, *found.ball) + cad_tolerance(b, *found.ball)) return found;
  return {.ball = std::nullopt,
          .within_tolerance = width > std::max(overlap_band, k_modelling * std::min(extent_of(a), extent_of(b)))};
}

const Fits& PairEvidence::fits() {
  return once(fits_, [&] { return find_fits(); });
}

Fits PairEvidence::find_fits() {
  std::vector<std::array<std::uint32_t, 2>> known;
  for (const TrianglePair& pair : pairs()) known.push_back(surfaces_of(pair));
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  return {matings(a, b, reach() + 2 * largest_sag(), known), a, b};
}

const std::vector<ContactPatch>& PairEvidence::patches() {
  return once(patches_, [&] { return contact_patches(a, b, gap_band, overlap_band); });
}

const std::optional<ClosestPair>& PairEvidence::closest() {
  return once(closest_, [&] { return tree_closest(a.body(), b.body(), reach() + largest_sag()); });
}

const FacesGap& PairEvidence::faces_gap() {
  return once(faces_gap_, [&] { return find_faces_gap(*this); });
}

const SolidOverlap& PairEvidence::solids() {
  return once(solids_, [&] { return solid_overlap(*this); });
}

const SheetOverlap& PairEvidence::sheets() {
  return once(sheets_, [&] { return sheet_overlap(*this); });
}

}  // namespace snug::assembly
