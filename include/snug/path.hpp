#pragma once

#include <snug/assembly.hpp>
#include <snug/budget.hpp>
#include <snug/ccd.hpp>
#include <snug/check.hpp>
#include <snug/export.hpp>
#include <snug/motion.hpp>
#include <snug/progress.hpp>
#include <snug/result.hpp>
#include <snug/shape.hpp>
#include <snug/verdict.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug {

// Parts that move along whole paths: when do they interfere, when do they touch, how close do they come? Nothing is missed
// between instants, whatever the speed. What is proved, and how: docs/continuous.md.
//
// Two parts *interfere* while a ball wider than the touch overlap fits into what they have in common (or, where a part is
// open, while triangles cross by more than that): what check() calls clash or contained. Overlaps between
// a fifth of that and all of it may be told either way. They *touch* while they share
// points or come within the touch gap without interfering. Both lengths are never taken to be smaller than the path's
// `resolution`, a billionth of the largest coordinate: faces that slide on one another flush do not interfere.

/// Lengths are in the unit of the parts, times in that of the motions.
struct PathOptions {
  Tolerances tolerances = {};
  /// By how much intervals may exceed the truth at either end; 0: a millionth of the range.
  double time_tolerance = 0;
  /// The time to look at; unless given, from the first to the last key of all motions with more than one key.
  std::optional<TimeSpan> range = std::nullopt;
  /// Find the smallest gap of every pair that stays clear, not only of those that come within the clearance.
  bool all_gaps = false;
  /// Tell which surfaces meet, and when.
  bool surfaces = true;
  /// Measure how deep parts are in one another, at instants of each interval of interference.
  bool depths = true;
  /// Steps are pieces of time that are looked into, for each pair by itself; the deadline and the token hold for all of them. What is left
  /// then is undecided.
  Budget budget = {.steps = 200'000};
  unsigned threads = 1;  ///< at least 1; the report does not depend on it
  ProgressHook progress = {};
};

/// Two surfaces that meet, by the ids of their meshes.
struct SurfaceMeeting {
  std::uint32_t a = 0, b = 0;
  /// Times at which they share a point or come within the touch gap while the parts interfere; and while they merely touch.
  /// Both contain every such time. Ascending, apart from each other.
  std::vector<TimeSpan> intervals, touch_intervals;
  friend bool operator==(const SurfaceMeeting&, const SurfaceMeeting&) = default;
};

/// How close two parts come that stay clear of one another.
struct SmallestGap {
  double value = 0;  ///< at time t
  double lower = 0;  ///< there is never less
  double t = 0;
  Point3 on_a, on_b;  ///< where, in the world
  std::uint32_t surface_a = 0, surface_b = 0;
  friend bool operator==(const SmallestGap&, const SmallestGap&) = default;
};

/// How far both parts have come since the beginning of the range, by the middles of their boxes.
struct PathTravel {
  Travel a, b;
};
/// At both ends of an interval of time.
struct SpanTravel {
  PathTravel begin, end;
};

/// How deep two parts are in one another at an instant: the deepest of those looked at, which are nine in an interval and six around the
/// deepest of these. So `lower` holds of the interval as well, and what is deeper between instants may exceed `upper`.
struct PathDepth {
  double lower = 0;  ///< thickness of what they have in common there, at least: see Depth
  double upper = 0;  ///< length of a translation that was verified to part them
  double t = 0;
  friend bool operator==(const PathDepth&, const PathDepth&) = default;
};

/// All that two parts do on their way. Intervals are closed, ascending and apart from each other.
struct PathPairReport {
  /// The gravest that ever holds: clash (contained if surfaces never meet meanwhile), undecided, touch, near, clear.
  Verdict verdict = Verdict::clear;
  std::string reason;     ///< why it is undecided, in part or whole; otherwise empty
  bool at_rest = false;   ///< the parts never move against each other: decided once, and intervals are the whole range
  double resolution = 0;  ///< no touch gap or overlap is smaller
  double overlap = 0;     ///< what the touch overlap was taken as
  double gap = 0;         ///< what the touch gap was taken as

  /// With `undecided` they contain every time of interference. Each holds one for certain (of overlaps between a fifth of the
  /// touch overlap and all of it, either may be said), and none exceeds the times of interference in it by more than the time
  /// tolerance at either end. Where faces have sags, or parts are open or too crooked, it may last as long as the contact.
  std::vector<TimeSpan> intervals;
  /// Times of touching. With `intervals` and `undecided` they contain every time at which the parts share a point or come
  /// within the touch gap.
  std::vector<TimeSpan> touch_intervals;
  /// Times that could not be told: the budget was spent (before contacts, or the clearance, were told), check() could not tell
  /// either (open parts), or a contact was neither a clash at the instants looked at nor proved shallow between them.
  std::vector<TimeSpan> undecided;

  /// One for each of `intervals` and of `touch_intervals`.
  std::vector<SpanTravel> interval_travel, touch_travel;
  /// One for each of `intervals`: nothing where parts are not closed, or sags leave no depth. Empty unless asked for.
  std::vector<std::optional<PathDepth>> depths;

  std::optional<ContactTime> first_contact;  ///< touching or interfering for the first time; none before t_lo
  std::optional<ContactTime> first_clash;    ///< interfering for the first time
  /// At the later bound of either.
  std::optional<PathTravel> first_contact_travel, first_clash_travel;
  std::vector<SurfaceMeeting> surface_pairs;  ///< ordered by (a, b); none if the deadline passed before all were known
  std::optional<SmallestGap> smallest_gap;    ///< of pairs that are near, or of all that stay clear (all_gaps)

  /// When and where to look: in the first interference, else undecided, else touching, else where the gap is smallest.
  std::optional<double> shown_at;
  std::optional<Point3> point;

  /// False if finer triangles of CAD faces might change the verdict: see PairReport::firm. `sag`: what they may be off.
  bool firm = true;
  double sag = 0;

  /// No budget ran out, not even for depths, surfaces and gaps: the lower bound of a gap that was not proved is but what is known.
  bool complete = true;

  std::uint64_t pieces = 0;  ///< of time that were looked into: what it cost
  std::uint64_t pairs = 0;   ///< of boxes and triangles that were looked at in them
};

/// Two parts that are not clear of one another all the time. a's path comes before b's.
struct PathFinding : PathPairReport {
  std::string id;  ///< of the two paths alone, as that of a Finding
  FindingSide a, b;
};

/// A pair that stays clear, if asked for (all_gaps). a's path comes before b's.
struct PathGap {
  std::uint32_t a = 0, b = 0;  ///< places in Assembly::parts()
  SmallestGap gap;
};

/// What was looked at: nothing is left out in silence.
/// Tested pairs are those that were finished; undecided ones are undecided for a time, and then the coverage is not complete.
struct PathCoverage : Coverage {
  std::uint64_t parts_moving = 0;
  std::uint64_t pairs_at_rest = 0;     ///< of those tested: never moved against each other
  std::uint64_t pairs_unfinished = 0;  ///< because of a cancel: nothing is known about them
  std::uint64_t pairs_cut_short = 0;   ///< for which a budget ran out: see PathPairReport::complete
};

struct PathReport {
  /// Gravest first, then by the paths of a and b.
  std::vector<PathFinding> findings;
  std::vector<PathGap> gaps;  ///< by the paths of a and b; empty unless all_gaps
  PathCoverage coverage;
  std::array<std::uint64_t, 6> count{};  ///< findings by Verdict
  TimeSpan range;                        ///< what was looked at
  double time_tolerance = 0;             ///< what it was taken as
  double resolution = 0;                 ///< the largest of all tested pairs
  bool cancelled = false;

  [[nodiscard]] std::uint64_t count_of(Verdict verdict) const noexcept {
    return count[static_cast<std::size_t>(verdict)];
  }
};

/// Every part against every other along their motions: motions[i] is that of parts()[i] in the world (Motion::rest for parts
/// that do not move; Part::pose is not looked at). Same report, to the last bit, for every number of threads. When
/// cancelled, it holds the pairs finished until then and says so. Costs what the ways demand, however many keys they have.
[[nodiscard]] SNUG_API Result<PathReport, PathError> check_path(const Assembly& assembly,
                                                                std::span<const Motion> motions,
                                                                const PathOptions& options = {});

/// The same for two shapes. Cancelled: undecided from beginning to end.
[[nodiscard]] SNUG_API Result<PathPairReport, PathError> check_path(const Shape& a, const Motion& motion_a,
                                                                    const Shape& b, const Motion& motion_b,
                                                                    const PathOptions& options = {});

/// A part's way in the world, from its pose in the assembly and a motion relative to that pose, as in `snug.motion/1`.
[[nodiscard]] SNUG_API Motion placed(const Pose& pose, const Motion& relative);

}  // namespace snug
