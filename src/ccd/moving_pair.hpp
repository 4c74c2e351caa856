#pragma once

#include "ccd/open_pair.hpp"
#include "ccd/span_separation.hpp"
#include "ccd/trajectory.hpp"
#include "support/rooms.hpp"

#include <array>
#include <optional>
#include <vector>

namespace snug::ccd {

/// What counts as meeting.
struct ContactCriterion {
  double distance = 0;    ///< no more than this apart
  bool crossing = false;  ///< or, if set, triangles that cross; `distance` is then zero
  /// Of crossing ones, if given, only those that are marked in both.
  const std::vector<bool>* marked_a = nullptr;
  const std::vector<bool>* marked_b = nullptr;

  [[nodiscard]] bool asks_for(std::uint32_t triangle_a, std::uint32_t triangle_b) const {
    return marked_a == nullptr || ((*marked_a)[triangle_a] && (*marked_b)[triangle_b]);
  }
};

/// What is left of pairs after a span has been looked at.
struct OpenPairs {
  std::vector<OpenPair> pairs;
  std::optional<TriangleContact> in_the_middle;  ///< two triangles that meet there, if some were seen
};

/// Two moving bodies, looked at over spans of time.
class MovingPair {
 public:
  /// Borrows all.
  MovingPair(const BoxedMesh& a, const Trajectory& trajectory_a, const BoxedMesh& b,
             const Trajectory& trajectory_b) noexcept
      : a_(&a), b_(&b), trajectory_a_(&trajectory_a), trajectory_b_(&trajectory_b) {}

  [[nodiscard]] const BoxedMesh& a() const noexcept { return *a_; }
  [[nodiscard]] const BoxedMesh& b() const noexcept { return *b_; }
  [[nodiscard]] std::vector<OpenPair> everything() const;
  /// Pairs of nodes and triangles that were looked at so far: what it cost.
  [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }
  [[nodiscard]] PairMotion over(const TimeSpan& span) const;

  /// Leaves out pairs that are proved to be farther apart than asked all through the span. Nodes are opened as far as that helps
  /// for a span of this length; triangles that remain may still be clear, only not by one direction for all the span.
  [[nodiscard]] OpenPairs still_open(const PairMotion& motion, const ContactCriterion& criterion,
                                     const std::vector<OpenPair>& pairs) const;

  /// The same up to the first pair that is left: that one and all that were not looked at, or nothing if no pair is left.
  [[nodiscard]] std::vector<OpenPair> first_open(const PairMotion& motion, const ContactCriterion& criterion,
                                                 const std::vector<OpenPair>& pairs) const;

  /// Two triangles that meet at an instant, among pairs: the first in the order of the walk that cross, or the closest; if any will do,
  /// the first that are close enough.
  enum class Wanted : std::uint8_t { closest, any };
  [[nodiscard]] std::optional<TriangleContact> contact_at(double t, const ContactCriterion& criterion,
                                                          const std::vector<OpenPair>& pairs,
                                                          Wanted wanted = Wanted::closest) const;
  /// The closest two at an instant among pairs, if no farther apart than `within`.
  [[nodiscard]] std::optional<TriangleContact> closest_at(double t, double within, const std::vector<OpenPair>& pairs,
                                                          Wanted wanted = Wanted::closest) const;

  [[nodiscard]] NodeSeparation separation_of(const PairMotion& motion, OpenPair nodes, double enough) const;
  /// Do nodes move so far that a shorter span helps more than smaller nodes?
  [[nodiscard]] bool wants_shorter_span(const PairMotion& motion, OpenPair nodes,
                                        const NodeSeparation& known) const noexcept;

 private:
  /// As they are in the middle of a span.
  [[nodiscard]] std::array<Triangle, 2> posed_at_middle(const PairMotion& motion, OpenPair triangles) const noexcept;
  /// Is nothing left of the pair? Otherwise it is left, or its parts are added to the stack.
  enum class Fate : std::uint8_t { apart, left, opened };
  [[nodiscard]] Fate look_at_nodes(const PairMotion& motion, OpenPair nodes, double enough,
                                   std::vector<OpenPair>& stack) const;
  /// Calls look(pair, triangles) for those in nodes that are not apart by more than `limit`, which may shrink, until it returns false.
  template <class Look>
  void for_each_near(const PairMotion& instant, const std::vector<OpenPair>& pairs, const double& limit,
                     Look&& look) const;

  const BoxedMesh* a_;
  const BoxedMesh* b_;
  const Trajectory* trajectory_a_;
  const Trajectory* trajectory_b_;
  mutable std::uint64_t pairs_ = 0;
};

}  // namespace snug::ccd
