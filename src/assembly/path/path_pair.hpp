#pragma once

#include "assembly/path/contact_intervals.hpp"
#include "assembly/path/path_part.hpp"
#include "support/rooms.hpp"

#include <snug/verdict.hpp>

#include <string>
#include <vector>

namespace snug::assembly {

/// Two parts on their ways, and what may still be spent on them.
struct PathPair {
  PathPair(const PathPart& first, const PathPart& second, const PathTask& of);

  const PathPart& a;
  const PathPart& b;
  const PathTask& task;
  double overlap;       ///< touch overlap, no less than the resolution
  double gap;           ///< touch gap, likewise
  MovingPair surfaces;  ///< of the parts as they are
  PieceBudget fuel;

  /// Pieces of time are not cut further.
  [[nodiscard]] double finest() const noexcept;
  /// Bodies that meet at both ends and in the middle of a piece this short are taken to meet throughout.
  [[nodiscard]] double inner() const noexcept;
  [[nodiscard]] TimeGrain grain() const noexcept;
  [[nodiscard]] bool both_closed() const;
  [[nodiscard]] bool have_sag() const;
  /// What check() says of them at an instant. `alone`: with the tolerances that were asked for and the resolution of this instant
  /// instead of that of the path.
  [[nodiscard]] PairReport assessed(double t, bool alone = false) const;
  /// Is the path so long that its resolution is not small beside the parts, and widens the touch overlap?
  [[nodiscard]] bool rounding_hides() const;
};

inline constexpr const char* k_budget_spent = "the budget was spent";

/// When surfaces meet, or come within the touch gap.
struct PathContacts {
  std::vector<ContactInterval> contacts;
  std::vector<TimeSpan> contained;  ///< one part is inside the other, and surfaces are apart
};
[[nodiscard]] PathContacts find_contacts(PathPair& pair);

/// When parts are deeper in one another than the touch overlap.
struct PathInterference {
  std::vector<ContactInterval> clashes;
  std::vector<TimeSpan> undecided;
  std::string reason;  ///< of the first that is undecided for another reason than the budget
  bool firm = true;
  double sag = 0;           ///< the largest that was met
  std::uint64_t pairs = 0;  ///< of boxes and triangles that were looked at
};
[[nodiscard]] PathInterference find_interference(PathPair& pair, const std::vector<ContactInterval>& contacts);

/// Of the rest of a span, in which surfaces do not meet: the times during which one is inside the other, shown at a corner of a shell that
/// is. What is inside at an instant of such a time is so all through it.
[[nodiscard]] std::vector<ContactInterval> contained_between(const std::vector<ContactInterval>& contacts,
                                                             const TimeSpan& span, const MovingPair& pair,
                                                             const PosedSolid& a, const PosedSolid& b);

}  // namespace snug::assembly
