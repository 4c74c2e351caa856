#pragma once

#include <snug/budget.hpp>
#include <snug/distance.hpp>
#include <snug/export.hpp>
#include <snug/query.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace snug {

namespace detail {
struct TrackerData;
}

/// What a tracker was asked, and how much of it it knew from before.
struct TrackerStats {
  std::uint64_t questions = 0;
  std::uint64_t by_motion = 0;  ///< answered by how far the bodies can have come since it was last known
  std::uint64_t by_pairs = 0;   ///< answered by looking at triangles that were near before
  std::uint64_t searches = 0;   ///< walks through the trees, those that gather what is near included

  friend bool operator==(const TrackerStats&, const TrackerStats&) = default;
};

/// Two bodies that move, asked step after step. Answers are those of the functions of the same name, bit for bit, for any
/// motion; where the bodies have moved little they come much sooner. It remembers how far apart the bodies were and where, which
/// triangles met, and which were near; how far any point can have moved since then tells what of that still holds.
///
/// One for each pair, and for one thread at a time. Jumps are safe, only not faster. On a lone question it is slower than the
/// functions. Primitives, methods other than `surface`, and searches by aligned boxes are asked anew every time; under a budget the
/// latter search by oriented boxes like try_intersects() and try_distance(). Invalid poses are refused as by those functions, and not
/// remembered. One that was moved from may only be assigned to or destroyed, which builds with assertions check.
class SNUG_API Tracker {
 public:
  Tracker(Shape a, Shape b, const QueryOptions& options = {});
  ~Tracker();
  Tracker(Tracker&&) noexcept;
  Tracker& operator=(Tracker&&) noexcept;

  [[nodiscard]] bool intersects(const Pose& pose_a, const Pose& pose_b);
  /// The pair named before, if it still shares a point; otherwise what first_pair() names.
  [[nodiscard]] std::optional<TrianglePair> first_pair(const Pose& pose_a, const Pose& pose_b);
  void triangle_pairs(const Pose& pose_a, const Pose& pose_b, std::vector<TrianglePair>& pairs);
  /// Where bodies touch, which of the triangles that share a point are named depends on those named before.
  [[nodiscard]] Distance distance(const Pose& pose_a, const Pose& pose_b);
  [[nodiscard]] bool within(const Pose& pose_a, const Pose& pose_b, double clearance);
  /// No two triangles are closer than this, by what it remembers and how far the bodies have moved since, without a look at
  /// them; 0 if that tells nothing.
  [[nodiscard]] double known_apart(const Pose& pose_a, const Pose& pose_b);

  // Under a budget. What was not finished is not remembered, and what is remembered makes answers better: with limited steps
  // they depend on what was asked before, and on nothing else.

  [[nodiscard]] Outcome<Answer> try_intersects(const Pose& pose_a, const Pose& pose_b, const Budget& budget);
  [[nodiscard]] Outcome<Distance> try_distance(const Pose& pose_a, const Pose& pose_b, const Budget& budget);

  /// Another shape in the place of one, for example one that was deformed: forgets everything.
  void set_shapes(Shape a, Shape b);
  void forget() noexcept;
  [[nodiscard]] const TrackerStats& stats() const noexcept;

 private:
  std::unique_ptr<detail::TrackerData> data_;
};

}  // namespace snug
