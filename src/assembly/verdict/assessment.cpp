#include "assembly/verdict/assessment.hpp"

#include "assembly/verdict/contact_patches.hpp"
#include "assembly/verdict/crossing_size.hpp"
#include "assembly/verdict/firmness.hpp"
#include "assembly/verdict/matings.hpp"
#include "assembly/verdict/sheets.hpp"
#include "assembly/verdict/sure_contact.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/common_ball.hpp"
#include "penetration/containment.hpp"
#include "penetration/escape.hpp"
#include "penetration/interference.hpp"
#include "penetration/overlap_volume.hpp"
#include "penetration/places.hpp"
#include "penetration/thickness.hpp"
#include "query/pairs/brute/brute.hpp"
#include "query/posed/descend.hpp"
#include "query/posed/surface.hpp"
#include "shape/shape_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>

// The verdict on one pair. docs/verdicts.md tells the rules; the order of the steps is the order of gravity.

namespace snug::detail {

namespace {

// What rounding may hide, as a share of what two solids have in common, up to which that tells whether they are the same.
constexpr double k_telling_slack = 0.01;
// A share of a part's size: CAD kernels model to no coarser a tolerance unless a file was healed.
constexpr double k_modelling = 1e-6;

std::string shown(double length) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", length);
  return text;
}

class Assessment {
 public:
  Assessment(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options, const CancelToken* cancel)
      : a_(a), b_(b), options_(options), cancel_(cancel) {
    report_.resolution = a.error() + b.error();
    overlap_band_ = std::max(options.bands.touch_overlap, report_.resolution);
    gap_band_ = std::max(options.bands.touch_gap, report_.resolution);
  }

  PairReport run() {
    find_pairs();
    if (cancelled()) return {};
    if (!is_contained() && !solids_clash() && !sheets_clash() && !is_undecided() && !touches()) measure_gap();
    if (cancelled()) return {};
    if (report_.verdict >= Verdict::clash && has_sag()) weigh_overlap();
    if (cancelled()) return {};
    if (report_.verdict == Verdict::touch) report_.patches = contact_patches(a_, b_, gap_band_, overlap_band_);
    if (report_.verdict == Verdict::touch && report_.firm && has_sag()) weigh_contact();
    if (report_.verdict < Verdict::clash && within_tolerance_) report_.firm = false;
    if (cancelled()) return {};
    if (report_.verdict >= Verdict::clash) describe_overlap();
    if (cancelled()) return {};
    look_at_largest_patch();
    note_duplicate();
    name_surfaces();
    tell_sag();
    report_.matings = matings(a_, b_, reach(), report_.surface_pairs);
    tell_doubt();
    widen_volume();
    if (options_.keep_triangles) report_.triangles = std::move(pairs_);
    return std::move(report_);
  }

 private:
  void find_pairs() {
    if (options_.method == Method::brute) {
      BruteMemory memory;
      pairs_ = brute_pairs({a_.mesh(), a_.pose(), b_.mesh(), b_.pose()}, memory, 1, cancel_);
    } else {
      Scratch scratch;
      pairs_ = triangle_pairs(
          a_.shape(), a_.pose(), b_.shape(), b_.pose(), scratch,
          {.method = options_.method, .device = options_.device, .devices = options_.devices, .cancel = cancel_});
    }
    report_.triangle_pairs = pairs_.size();
    report_.crossing_pairs =
        static_cast<std::uint64_t>(std::ranges::count(pairs_, Relation::crossing, &TrianglePair::relation));
  }

  [[nodiscard]] bool cancelled() const noexcept { return cancel_ != nullptr && cancel_->cancelled(); }

  bool decide(Verdict verdict) {
    report_.verdict = verdict;
    return true;
  }

  bool is_contained() {
    const ShellsInside of_a = shells_inside(a_, b_, shells_met(a_, pairs_, &TrianglePair::a), report_.resolution);
    const ShellsInside of_b = shells_inside(b_, a_, shells_met(b_, pairs_, &TrianglePair::b), report_.resolution);
    doubtful_ = of_a.doubtful || of_b.doubtful;
    flush_ = of_a.flush || of_b.flush;
    may_overlap_ = !pairs_.empty() || flush_;
    report_.shells_of_a_inside = of_a.certain;
    report_.shells_of_b_inside = of_b.certain;
    if (of_a.certain.empty() && of_b.certain.empty()) return false;
    const bool inner_is_a = !of_a.certain.empty();
    const PosedSolid& inner = inner_is_a ? a_ : b_;
    const std::uint32_t shell = inner_is_a ? of_a.certain[0] : of_b.certain[0];
    report_.point = inner.corner_of_shell(shell);
    return decide(Verdict::contained);
  }

  /// Closed shells of both: the deepest common ball against a way out.
  bool solids_clash() {
    if (!a_.has_inside(Filling::closed_shells) || !b_.has_inside(Filling::closed_shells)) return false;
    if (!may_overlap_) return false;
    const std::vector<Vec3> directions = escape_directions(a_, b_, contact_normals());
    escape_ = escape_by_plane(a_, b_, directions);
    if (is_same_solid()) {
      find_ball();
      report_.point = ball_ ? ball_->centre : middle_of(a_.body().bounds());
      return decide(Verdict::clash);
    }
    if (escape_->length <= overlap_band_) return false;
    find_ball();
    if (ball_ && 2 * ball_->radius > overlap_band_) {
      report_.point = ball_->centre;
      return decide(Verdict::clash);
    }
    // Nothing wider than the band was found: that there is nothing wider has to be proved.
    if (ball_ && !is_thin(directions)) {
      measure_overlap();
      report_.point = ball_->centre;
      press_fit_ = only_press_fits_meet();
      if (!press_fit_ && (!report_.depth || report_.depth->upper > overlap_band_)) {
        // An overlap that the faces need not have is left to their sags.
        by_sag_ = has_sag() && !find_firm_ball(a_, b_, pairs_, report_.resolution);
        if (!by_sag_) doubt_thickness();
      }
    }
    if (!ball_ && solids_cross() && !is_thin({})) doubt_ = "surfaces cross, but nothing was found to be inside both";
    return false;
  }

  /// Is one solid there twice, but for rounding? However thin it is, no band forgives that. Boxes tell of most that it is not.
  bool is_same_solid() {
    const Aabb &of_a = a_.body().bounds(), &of_b = b_.body().bounds();
    const double slip = report_.resolution;
    if (max_abs(of_a.lo - of_b.lo) > slip || max_abs(of_a.hi - of_b.hi) > slip) return false;
    const Vec3 size = of_a.hi - of_a.lo;
    const bool tells = std::min({size.x, size.y, size.z}) > slip / k_telling_slack;
    report_.duplicate = coincide(tells ? slip : 0);
    if (!report_.duplicate && escape_->length <= overlap_band_ && a_.winds_once() && b_.winds_once())
      report_.duplicate = shares_all(overlap_volume(a_, b_)).value_or(false);
    return report_.duplicate;
  }

  /// Do both have all of their volume in common, but for what rounding moves their faces? Nothing where that tells nothing.
  [[nodiscard]] std::optional<bool> shares_all(const OverlapVolume& both) const {
    const OverlapVolume of_a = volume_of(a_), of_b = volume_of(b_);
    const double slack = of_a.error + of_b.error + both.error + 2 * report_.resolution * (area_of(a_) + area_of(b_));
    if (!(slack <= k_telling_slack * both.value)) return std::nullopt;
    return std::max(of_a.value, of_b.value) - both.value <= slack;
  }

  [[nodiscard]] bool coincide(double slip) const {
    const auto count = static_cast<std::uint32_t>(a_.body().vertex_count());
    if (count != b_.body().vertex_count() || !std::ranges::equal(a_.mesh().triangles(), b_.mesh().triangles()))
      return false;
    for (std::uint32_t v = 0; v < count; ++v)
      if (!(max_abs(a_.body().vertex(v) - b_.body().vertex(v)) <= slip)) return false;
    return true;
  }

  /// The largest ball that is found in both. One no wider than the resolution is rounding, not material. One no wider than the
  /// CAD tolerance of the faces around it is none; that is firm only within what modelling leaves, not for whatever a file
  /// claims.
  void find_ball() {
    ball_ = find_common_ball(a_, b_, Filling::closed_shells, pairs_, report_.resolution);
    if (!ball_ || report_.duplicate) return;
    const double width = 2 * ball_->radius;
    if (width > report_.resolution && width > cad_tolerance(*ball_)) return;
    within_tolerance_ = width > std::max(overlap_band_, k_modelling * std::min(extent_of(a_), extent_of(b_)));
    ball_.reset();
  }

  [[nodiscard]] static double extent_of(const PosedSolid& solid) {
    return max_abs(solid.body().bounds().hi - solid.body().bounds().lo);
  }

  /// Of the faces that hem in the ball, of both bodies added.
  [[nodiscard]] double cad_tolerance(const CommonBall& ball) const {
    const auto of = [&](const PosedSolid& solid) {
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
    };
    return of(a_) + of(b_);
  }

  /// Is the overlap proved to be no thicker than the band: by shrunk bodies that are apart, or by a translation no longer than
  /// that?
  bool is_thin(std::span<const Vec3> directions) {
    thin_ = no_thicker_than(a_, b_, pairs_, overlap_band_);
    return thin_ || parts_within(a_, b_, directions, overlap_band_);
  }

  void doubt_thickness() {
    const double found = 2 * ball_->radius, out = report_.depth ? report_.depth->upper : escape_->length;
    const auto bound = thickness_bound(a_, b_, pairs_, overlap_band_, out);
    if (report_.depth) report_.depth->thickness_bound = bound;
    doubt_ = "the touch overlap lies between the bounds of the overlap's thickness, " + shown(found) + " and " +
             shown(bound.value_or(out));
  }

  /// Is all that meets divided by fits whose interference is forgiven? The way out of a bore is along its axis, so no depth
  /// would show that. Triangles that stand for themselves are no cylinders.
  bool only_press_fits_meet() {
    if (a_.sag().none() || b_.sag().none() || pairs_.empty() || flush_) return false;
    if (fits_.all().empty()) fits_ = find_fits();
    return std::ranges::all_of(pairs_, [&](const TrianglePair& pair) {
      const Fit* fit = fits_.between(a_, pair.a, b_, pair.b);
      return fit != nullptr && -fit->least <= overlap_band_;
    });
  }

  /// Do triangles of closed shells cross by more than noise?
  [[nodiscard]] bool solids_cross() const {
    return std::ranges::any_of(pairs_, [&](const TrianglePair& pair) {
      if (pair.relation != Relation::crossing || !a_.topology().in_closed_shell(pair.a) ||
          !b_.topology().in_closed_shell(pair.b))
        return false;
      const Triangle ta = a_.body().triangle(pair.a), tb = b_.body().triangle(pair.b);
      return mutual_reach(ta, tb) > crossing_noise(ta, tb, report_.resolution) + sag_between(a_, b_, surfaces_of(pair));
    });
  }

  /// Open shells: triangles that cross by more than noise, or that enter a solid between its triangles.
  bool sheets_clash() {
    if (a_.closed() && b_.closed()) return false;
    auto place = crossing_of_sheets(a_, b_, pairs_, report_.resolution);
    for (const auto& [sheet, solid, side] : {std::tuple{&a_, &b_, &TrianglePair::a}, {&b_, &a_, &TrianglePair::b}}) {
      if (place || sheet->closed()) continue;
      const SheetInside inside = sheet_inside(*sheet, *solid, pairs_, side, report_.resolution);
      if (inside.place && inside.comes_out) place = inside.place;
      if (inside.place && !inside.comes_out) doubtful_ = true;
    }
    if (!place) return false;
    if (options_.bands.touch_overlap > report_.resolution &&
        parts_within(a_, b_, escape_directions(a_, b_, contact_normals()), options_.bands.touch_overlap)) {
      doubtful_ = false;
      return false;
    }
    report_.point = place;
    return decide(Verdict::clash);
  }

  bool is_undecided() {
    if (doubtful_) report_.reason = "not a closed shell: what lies inside it cannot be told from what does not";
    if (!doubt_.empty()) report_.reason = doubt_;
    if (report_.reason.empty() && !(a_.closed() && b_.closed()) && may_overlap_) {
      const auto ball = find_common_ball(a_, b_, Filling::holes_filled, pairs_, report_.resolution);
      if (ball && 2 * ball->radius > overlap_band_ &&
          escape_by_plane(a_, b_, escape_directions(a_, b_, contact_normals())).length > overlap_band_)
        report_.reason = "not a closed shell: the parts would overlap if its holes were filled";
    }
    return !report_.reason.empty() && decide(Verdict::undecided);
  }

  bool touches() {
    if (pairs_.empty()) return false;
    report_.gap = 0;
    // An overlap that is forgiven is still told.
    const bool forgiven =
        escape_ && escape_->length > report_.resolution && (ball_ || escape_->length <= overlap_band_);
    if (forgiven && !report_.depth) measure_overlap();
    report_.point = intersection(a_.body().triangle(pairs_[0].a), b_.body().triangle(pairs_[0].b)).corner[0];
    return decide(Verdict::touch);
  }

  void measure_gap() {
    closest_ = tree_closest(a_.body(), b_.body(), reach() + largest_sag());
    if (!closest_) return;
    double gap = closest_->points.distance;
    decide(verdict_of_gap(gap));
    if (has_sag()) weigh_gap(gap);
    if (report_.verdict == Verdict::clear) return;
    report_.gap = gap;
    report_.point = closest_->points.on_a + 0.5 * (closest_->points.on_b - closest_->points.on_a);
  }

  [[nodiscard]] Verdict verdict_of_gap(double gap) const noexcept {
    return gap <= gap_band_ ? Verdict::touch : gap < options_.bands.clearance ? Verdict::near : Verdict::clear;
  }

  /// Gaps up to this are of interest.
  [[nodiscard]] double reach() const noexcept { return std::max(gap_band_, options_.bands.clearance); }

  /// What the faces of both may be off at most, added.
  [[nodiscard]] double largest_sag() const noexcept { return a_.sag().largest() + b_.sag().largest(); }
  [[nodiscard]] bool has_sag() const noexcept { return !a_.sag().none() || !b_.sag().none(); }

  [[nodiscard]] std::array<std::uint32_t, 2> surfaces_of(const TrianglePair& pair) const {
    return {a_.mesh().surface_of(pair.a), b_.mesh().surface_of(pair.b)};
  }

  [[nodiscard]] bool refinable(const std::array<std::uint32_t, 2>& surfaces) const {
    return a_.sag().refinable(surfaces[0]) || b_.sag().refinable(surfaces[1]);
  }

  [[nodiscard]] bool any_refinable() const {
    return std::ranges::any_of(pairs_, [&](const TrianglePair& pair) { return refinable(surfaces_of(pair)); });
  }

  /// Bores and what is in them, as far as they touch or come near.
  [[nodiscard]] Fits find_fits() const {
    std::vector<std::array<std::uint32_t, 2>> known;
    for (const TrianglePair& pair : pairs_) known.push_back(surfaces_of(pair));
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    return {matings(a_, b_, reach() + 2 * largest_sag(), known), a_, b_};
  }

  /// The gravest verdict that the faces may deserve, and whether they are sure to.
  void weigh_gap(double& gap) {
    fits_ = find_fits();
    const auto least = least_gap(a_, b_, reach(), fits_);
    decide(verdict_of_gap(least ? least->least : std::numeric_limits<double>::infinity()));
    if (!least) return;  // clear, whatever the sags
    const std::array closest{a_.mesh().surface_of(closest_->a), b_.mesh().surface_of(closest_->b)};
    const double most = std::min(gap + sag_between(a_, b_, closest), fits_.most());
    gap = std::clamp(gap, least->least, std::max(least->least, most));
    // What is no gap but for rounding, or as its author would have it, is weighed as a contact.
    in_contact_ = gap <= report_.resolution || (!refinable(closest) && gap <= sag_between(a_, b_, closest));
    if (!in_contact_ && least->least == 0 && touches_by_form()) in_contact_ = true, gap = 0;
    if (!in_contact_) report_.firm = least->least > 0 && report_.verdict == verdict_of_gap(most);
    if (!report_.firm) note_doubt({{least->surfaces}});
  }

  /// Do faces touch by their forms, although their triangles do not?
  [[nodiscard]] bool touches_by_form() const {
    const auto near = matings(a_, b_, reach(), {});
    return std::ranges::any_of(near, [&](const SurfaceMating& m) {
      return m.mating != Mating::none && tangent_inside_borders(a_, m.surface_a, b_, m.surface_b);
    });
  }

  /// An overlap that is no deeper than what the triangles may differ from the faces is a touch; one that is sure to be
  /// there but may come out at the surface is contained, though not firmly.
  void weigh_overlap() {
    if (report_.duplicate) return;  // wherever its faces are, they are there twice
    const bool wholly_inside =
        report_.verdict == Verdict::contained && pairs_.empty() && !least_gap(a_, b_, report_.resolution, {});
    if (wholly_inside) return;
    if (overlaps_firmly()) {
      report_.firm = report_.verdict != Verdict::contained;
      return;
    }
    if (report_.verdict == Verdict::clash && interferes()) return;
    measure_overlap();
    decide(Verdict::touch);
    report_.gap = 0;
    by_sag_ = true;
  }

  /// A pin that is too wide for its bore overlaps by less than the sags can show, but not by less than is known.
  bool interferes() {
    if (fits_.all().empty()) fits_ = find_fits();
    const auto ball = ball_of_interference(a_, b_, fits_, cancel_);
    if (!ball || 2 * ball->radius <= overlap_band_) return false;
    ball_ = ball;
    report_.point = ball->centre;
    return true;
  }

  /// Do the parts overlap wherever their faces are within their sags?
  [[nodiscard]] bool overlaps_firmly() const {
    if (a_.has_inside(Filling::closed_shells) && b_.has_inside(Filling::closed_shells)) {
      const auto ball = find_firm_ball(a_, b_, pairs_, report_.resolution);
      if (ball && 2 * ball->radius > overlap_band_) return true;
    }
    return !(a_.closed() && b_.closed()) &&
           crossing_of_sheets(a_, b_, pairs_, std::max(report_.resolution, options_.bands.touch_overlap), true);
  }

  /// Is a contact one wherever the faces are within their sags, and no overlap? Gaps that the touch gap forgives have been
  /// weighed before.
  void weigh_contact() {
    if (pairs_.empty() && !in_contact_ && !by_sag_) return;
    // An overlap that is forgiven must be, wherever the faces are within their sags: the way out, the shrunk bodies, or the
    // planes between the faces prove it.
    if (report_.depth && !by_sag_ && thin_ && !press_fit_) press_fit_ = only_press_fits_meet();
    const bool forgiven = report_.depth && !by_sag_ && !press_fit_ && any_refinable();
    if (forgiven && stays_forgiven()) return;
    if (fits_.all().empty()) fits_ = find_fits();
    const double sunk = forgiven && report_.depth->upper <= overlap_band_ ? overlap_band_ : 0;
    note_doubt(doubtful_contact(a_, b_, report_.patches, fits_, press_fit_ ? overlap_band_ : 0, sunk));
    report_.firm = report_.in_doubt.empty();
    if (!report_.firm) return;
    if (!pairs_.empty() && !only_fits_meet() && !touches_surely(a_, b_, pairs_, report_.patches, fits_)) {
      // They do not cross, but may be apart where their triangles meet.
      report_.firm = false;
      for (const TrianglePair& pair : pairs_)
        if (refinable(surfaces_of(pair))) report_.in_doubt.push_back({surfaces_of(pair)[0], surfaces_of(pair)[1]});
      std::ranges::sort(report_.in_doubt);
      report_.in_doubt.erase(std::ranges::unique(report_.in_doubt).begin(), report_.in_doubt.end());
      return;
    }
    // Of triangles only: the faces do not overlap, or are in fits without interference.
    const auto interferes = [](const Fit& fit) { return fit.most < 0; };
    if (by_sag_ || (press_fit_ && std::ranges::none_of(fits_.all(), interferes)))
      report_.depth.reset(), report_.volume.reset();
    if (only_fits_meet()) leave_to_fit();
  }

  /// Does the proof that an overlap is no deeper, or no thicker, than the band leave room for the sags? Faces and their
  /// triangles are apart by these, so a corner that moves by what is left sweeps no more than half the band from the face.
  [[nodiscard]] bool stays_forgiven() const {
    if (report_.depth->upper + largest_sag() <= overlap_band_) return true;
    const double left = overlap_band_ - 2 * std::max(a_.sag().largest(), b_.sag().largest());
    return left > 0 && no_thicker_than(a_, b_, pairs_, left);
  }

  void note_doubt(std::span<const std::array<std::uint32_t, 2>> surfaces) {
    for (const auto& pair : surfaces) report_.in_doubt.push_back({pair[0], pair[1]});
  }

  /// Which of the surfaces in doubt meet exactly, by what they are to each other.
  void tell_doubt() {
    if (report_.firm) report_.in_doubt.clear();
    for (SurfacesInDoubt& doubt : report_.in_doubt) {
      const auto known = std::ranges::find_if(report_.matings, [&](const SurfaceMating& m) {
        return m.surface_a == doubt.surface_a && m.surface_b == doubt.surface_b;
      });
      doubt.meet_exactly =
          known != report_.matings.end() && (known->mating == Mating::tangent || known->mating == Mating::coincident);
    }
  }

  /// Is every contact of triangles between faces that a fit with play divides, where it means nothing?
  [[nodiscard]] bool only_fits_meet() const {
    return !pairs_.empty() && report_.patches.empty() && std::ranges::all_of(pairs_, [&](const TrianglePair& pair) {
      const Fit* fit = fits_.between(a_, pair.a, b_, pair.b);
      return fit != nullptr && fit->least > 0;
    });
  }

  /// The triangles cross, the faces do not: what is left is the play of the fit, or what other faces leave.
  void leave_to_fit() {
    const auto least = least_gap(a_, b_, reach(), fits_);
    const double most = fits_.most();
    if (!least) {
      decide(Verdict::clear);
      report_.gap.reset(), report_.point.reset();
      return;
    }
    decide(verdict_of_gap(least->least));
    report_.gap = report_.verdict == Verdict::near ? std::max(least->least, most) : least->least;
    report_.firm = least->least > 0 && report_.verdict == verdict_of_gap(most);
    if (!report_.firm) note_doubt({{least->surfaces}});
  }

  void tell_sag() {
    if (!has_sag() || report_.verdict == Verdict::clear) return;
    for (const auto& pair : report_.surface_pairs) {
      report_.sag = std::max(report_.sag, sag_between(a_, b_, pair));
      report_.sag_estimated |= a_.sag().estimated(pair[0]) || b_.sag().estimated(pair[1]);
    }
  }

  void measure_overlap() {
    if (!a_.closed() || !b_.closed()) return;
    if (!ball_) find_ball();
    if (!ball_ && report_.verdict < Verdict::clash) return;  // they share nothing but rounding
    if (ball_) {
      const std::vector<Vec3> directions = escape_directions(a_, b_, ball_normals(), contact_normals());
      Escape way = escape_by_plane(a_, b_, directions);
      if (escape_ && escape_->length < way.length) way = *escape_;
      const double lower = 2 * ball_->radius;
      if (way.length > 1.01 * lower)
        if (const auto shorter = shorter_escape(a_, b_, directions, lower, way)) way = *shorter;
      way = verified(a_, b_, way, report_.resolution);
      // Both bounds hold to their rounding; the way out is the one that was verified.
      report_.depth = Depth{std::min(lower, way.length), way.length, ball_->centre, way.translation};
      if (thin_) report_.depth->thickness_bound = overlap_band_;
    }
    if (a_.winds_once() && b_.winds_once()) report_.volume = overlap_volume(a_, b_);
  }

  /// Rounding is not all that a volume may be off: faces bulge over their triangles.
  void widen_volume() {
    if (report_.volume && has_sag()) report_.volume->error += volume_of_sags(a_, b_);
  }

  void describe_overlap() {
    measure_overlap();
    report_.gap.reset();
    if (report_.verdict != Verdict::clash || report_.depth) return;
    report_.reason = a_.closed() && b_.closed() ? "the overlap is too thin for its depth to be measured"
                                                : "not a closed shell: it has no depth and no volume";
    if (!a_.closed() || !b_.closed())
      report_.crossing =
          crossing_size(a_, b_, pairs_, escape_directions(a_, b_, contact_normals()), report_.resolution);
  }

  /// The first common point of a flat contact is often a corner of it; its middle is the better place to look at.
  void look_at_largest_patch() {
    const auto largest = std::ranges::max_element(report_.patches, {}, &ContactPatch::area);
    if (largest == report_.patches.end() || largest->loops.empty()) return;
    const std::vector<Point3>& loop = largest->loops[0];
    Point3 sum = loop[0];
    for (const Point3& p : loop) sum = sum + (1.0 / static_cast<double>(loop.size())) * (p - loop[0]);
    report_.point = sum;
  }

  /// Coincident solids share their whole volume, but for what rounding moves their faces; coincident sheets their
  /// vertices, and so do solids so small for where they are that rounding might move their faces through them.
  void note_duplicate() {
    if (report_.duplicate) return;
    double slip = report_.resolution;
    if (report_.volume) {
      if (report_.verdict != Verdict::clash) return;
      if (const auto all = shares_all(*report_.volume)) {
        report_.duplicate = *all;
        return;
      }
      slip = 0;
    }
    report_.duplicate = !pairs_.empty() && coincide(slip);
  }

  void name_surfaces() {
    for (const TrianglePair& pair : pairs_) report_.surface_pairs.push_back(surfaces_of(pair));
    for (const ContactPatch& patch : report_.patches)
      report_.surface_pairs.push_back({patch.surface_a, patch.surface_b});
    if (!report_.firm)
      for (const SurfacesInDoubt& doubt : report_.in_doubt)
        report_.surface_pairs.push_back({doubt.surface_a, doubt.surface_b});
    if (report_.surface_pairs.empty() && closest_)
      report_.surface_pairs.push_back({a_.mesh().surface_of(closest_->a), b_.mesh().surface_of(closest_->b)});
    std::ranges::sort(report_.surface_pairs);
    report_.surface_pairs.erase(std::ranges::unique(report_.surface_pairs).begin(), report_.surface_pairs.end());
  }

  /// Normals of triangles that meet, each plane once.
  std::vector<Vec3> contact_normals() const {
    std::vector<Vec3> normals;
    const auto add = [&](const Triangle& t) {
      const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
      const double size = std::sqrt(dot(n, n));
      if (!(size > 0) || !std::isfinite(size) || normals.size() >= 32) return;
      const Vec3 u = (1 / size) * n;
      if (std::ranges::none_of(normals, [&](const Vec3& known) { return std::abs(dot(known, u)) > 1 - 1e-9; }))
        normals.push_back(u);
    };
    const std::size_t step = std::max<std::size_t>(1, pairs_.size() / 64);
    for (std::size_t i = 0; i < pairs_.size(); i += step) {
      add(a_.body().triangle(pairs_[i].a));
      add(b_.body().triangle(pairs_[i].b));
    }
    return normals;
  }

  /// The ways in which the common ball is hemmed in.
  std::vector<Vec3> ball_normals() const {
    return directions_from_surfaces(a_, b_, Filling::closed_shells, ball_->centre, 1.01 * ball_->radius);
  }

  const PosedSolid& a_;
  const PosedSolid& b_;
  const AssessOptions& options_;
  const CancelToken* cancel_;
  double overlap_band_ = 0, gap_band_ = 0;
  std::vector<TrianglePair> pairs_;
  std::optional<CommonBall> ball_;
  std::optional<Escape> escape_;
  std::optional<ClosestPair> closest_;
  bool doubtful_ = false;
  Fits fits_;
  bool thin_ = false;       ///< the overlap is proved to be no thicker than the band
  bool flush_ = false;      ///< a shell is inside, as far as rounding lets that be told
  bool press_fit_ = false;  ///< all that meets is in fits whose interference is forgiven
  bool within_tolerance_ =
      false;                  ///< an overlap wider than the band was taken for none, by the CAD tolerance of its faces
  bool by_sag_ = false;       ///< an overlap of triangles that the faces need not have
  bool in_contact_ = false;   ///< no point is shared, but only for rounding or within the CAD tolerance
  bool may_overlap_ = false;  ///< surfaces meet, or one is flush with the other from inside
  std::string doubt_;         ///< why solids that may clash are not known to
  PairReport report_;
};

}  // namespace

PairReport assessment(const PosedSolid& a, const PosedSolid& b, const AssessOptions& options,
                      const CancelToken* cancel) {
  return Assessment(a, b, options, cancel).run();
}

}  // namespace snug::detail
