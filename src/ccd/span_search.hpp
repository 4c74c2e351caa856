#pragma once

#include "ccd/way.hpp"
#include "shape/boxed_mesh.hpp"

#include <snug/triangle.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace snug::detail {

[[nodiscard]] inline Triangle posed(const Triangle& t, const Pose& pose) noexcept {
  return {{pose.apply(t[0]), pose.apply(t[1]), pose.apply(t[2])}};
}

/// Two nodes, or two triangles (both or neither), that could not be told apart so far.
struct OpenPair {
  static constexpr std::uint32_t k_triangle = 0x8000'0000U;
  std::uint32_t a = 0, b = 0;

  [[nodiscard]] bool of_triangles() const noexcept { return (a & k_triangle) != 0; }
  [[nodiscard]] std::uint32_t triangle_a() const noexcept { return a & ~k_triangle; }
  [[nodiscard]] std::uint32_t triangle_b() const noexcept { return b & ~k_triangle; }
};

/// How both bodies move during a span.
struct SpanPair {
  TimeSpan span;
  double middle = 0;
  SpanMotion a, b;
};

/// Two triangles at an instant.
struct SpanMeeting {
  double t = 0;
  std::uint32_t triangle_a = 0, triangle_b = 0;
  double distance = std::numeric_limits<double>::infinity();
  Point3 on_a, on_b;  ///< in the world
};

/// What counts as meeting.
struct Question {
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
  std::optional<SpanMeeting> in_the_middle;  ///< two triangles that meet there, if some were seen
};

/// Two moving bodies, looked at over spans of time.
class SpanSearch {
 public:
  /// Borrows all.
  SpanSearch(const BoxedMesh& a, const Way& way_a, const BoxedMesh& b, const Way& way_b) noexcept
      : a_(&a), b_(&b), way_a_(&way_a), way_b_(&way_b) {}

  [[nodiscard]] const BoxedMesh& a() const noexcept { return *a_; }
  [[nodiscard]] const BoxedMesh& b() const noexcept { return *b_; }
  [[nodiscard]] std::vector<OpenPair> everything() const;
  /// Pairs of nodes and triangles that were looked at so far: what it cost.
  [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }
  [[nodiscard]] SpanPair over(const TimeSpan& span) const;

  /// Leaves out pairs that are proved to be farther apart than asked all through the span. Nodes are opened as far as that helps
  /// for a span of this length; triangles that remain may still be clear, only not by one direction for all the span.
  [[nodiscard]] OpenPairs still_open(const SpanPair& motion, const Question& question,
                                     const std::vector<OpenPair>& pairs) const;

  /// The same up to the first pair that is left: that one and all that were not looked at, or nothing if no pair is left.
  [[nodiscard]] std::vector<OpenPair> first_open(const SpanPair& motion, const Question& question,
                                                 const std::vector<OpenPair>& pairs) const;

  /// Two triangles that meet at an instant, among pairs: the first in the order of the walk.
  [[nodiscard]] std::optional<SpanMeeting> any_meeting_at(double t, const Question& question,
                                                          const std::vector<OpenPair>& pairs) const;
  /// Two triangles that meet at an instant, among pairs: the closest, or the first in the order of the walk that cross.
  [[nodiscard]] std::optional<SpanMeeting> meeting_at(double t, const Question& question,
                                                      const std::vector<OpenPair>& pairs) const;
  /// The closest two at an instant among pairs, if nearer than `within`.
  [[nodiscard]] std::optional<SpanMeeting> closest_at(double t, double within,
                                                      const std::vector<OpenPair>& pairs) const;

  /// The gap that two nodes are proved to keep all through the span if it is more than `enough`; `motion_of`: how far both may move.
  [[nodiscard]] double nodes_apart(const SpanPair& motion, OpenPair nodes, double enough, double& motion_of) const;
  /// Do nodes move so far that a shorter span helps more than smaller nodes?
  [[nodiscard]] bool wants_shorter_span(const SpanPair& motion, OpenPair nodes, double motion_of) const noexcept;

 private:
  /// Are two triangles, as they are in the middle of the span, farther than `enough` from each other all through it, by one
  /// direction?
  [[nodiscard]] bool apart(const SpanPair& motion, const Triangle& a, const Triangle& b, double enough,
                           bool& may_meet_in_the_middle) const;
  /// Is nothing left of the pair? Otherwise it is left, or its parts are added to the stack.
  enum class Fate : std::uint8_t { apart, left, opened };
  [[nodiscard]] Fate look_at_nodes(const SpanPair& motion, OpenPair nodes, double enough,
                                   std::vector<OpenPair>& stack) const;
  [[nodiscard]] std::optional<SpanMeeting> closest_at(double t, double within, const std::vector<OpenPair>& pairs,
                                                      bool any) const;
  void open(OpenPair nodes, std::vector<OpenPair>& into) const;

  const BoxedMesh* a_;
  const BoxedMesh* b_;
  const Way* way_a_;
  const Way* way_b_;
  mutable std::uint64_t pairs_ = 0;
};

/// Does a point of one body, at `arm` from its pivot in the middle of the span, stay away from the surface of another all
/// through the span?
[[nodiscard]] bool point_keeps_away(const Vec3& arm, const SpanMotion& of_point, const BoxedMesh& body,
                                    const SpanMotion& of_body);

}  // namespace snug::detail
