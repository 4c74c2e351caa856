#pragma once

#include <snug/distance.hpp>
#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>
#include <snug/result.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace snug {

/// What a query may cost at most. As it stands: anything. Trees that are not there yet are built first, which only `cancel`
/// can end: loops that have no time for that prepare() their shapes.
struct Budget {
  /// Pairs of tree nodes that may be opened; with 0 nothing is looked at. Answers are then the same on every machine.
  std::optional<std::uint64_t> node_tests = {};
  /// Looked at between some dozens of node pairs. What is known when it has passed depends on the machine and its load: the one
  /// exception to answers that are the same everywhere.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  const CancelToken* cancel = nullptr;

  [[nodiscard]] static Budget lasting(std::chrono::nanoseconds time) {
    return {.deadline = std::chrono::steady_clock::now() + time};
  }
};

/// Why a query could not decide.
enum class Undecided : std::uint8_t {
  node_tests,
  deadline,
  cancelled,
  invalid_input,  ///< an invalid pose, a primitive where triangles are asked for, or a clearance or limit that is NaN
};
/// "node tests", "deadline", "cancelled", "invalid input".
[[nodiscard]] SNUG_API std::string_view to_string(Undecided why) noexcept;

/// Yes, no, or not known: never a guess.
struct Answer {
  enum class Value : std::uint8_t { no, yes, undecided } value = Value::undecided;
  std::optional<Undecided> because = {};  ///< if undecided
  /// The bodies are no closer than this, of two meshes to the 40 bits of distance(): what was found out before the budget was spent, or
  /// more if it was not. Zero if nothing is known.
  double distance_at_least = 0;
  std::optional<TrianglePair> pair = {};  ///< intersects of two meshes: two that share a point, if yes

  [[nodiscard]] bool yes() const noexcept { return value == Value::yes; }
  [[nodiscard]] bool no() const noexcept { return value == Value::no; }
};

struct TriedDistance {
  Distance distance;                      ///< complete only if decided
  std::optional<Undecided> because = {};  ///< if undecided
};

// The queries of query.hpp and distance.hpp under a budget. They search by oriented boxes, whatever method the options name;
// where they decide, they say what those say. They look for the closest triangles on one thread, where lists are asked for on
// as many as the options allow unless node tests are limited. If one body is a primitive, the budget is looked at before the
// query begins; lists of triangles are refused as invalid_input.

[[nodiscard]] SNUG_API Answer try_intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                             Scratch& scratch, const Budget& budget, const QueryOptions& options = {});
[[nodiscard]] SNUG_API Answer try_within(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         double clearance, Scratch& scratch, const Budget& budget,
                                         const QueryOptions& options = {});
[[nodiscard]] SNUG_API TriedDistance try_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                                  const Pose& pose_b, Scratch& scratch, const Budget& budget,
                                                  const DistanceLimits& limits = {}, const QueryOptions& options = {});
/// All pairs or none: `pairs` is empty if it could not be finished.
[[nodiscard]] SNUG_API Result<void, Undecided> try_triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b,
                                                                  const Pose& pose_b, Scratch& scratch,
                                                                  std::vector<TrianglePair>& pairs,
                                                                  const Budget& budget,
                                                                  const QueryOptions& options = {});
[[nodiscard]] SNUG_API Result<void, Undecided> try_surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b,
                                                                 const Pose& pose_b, Scratch& scratch,
                                                                 std::vector<SurfacePair>& pairs, const Budget& budget,
                                                                 const QueryOptions& options = {});

}  // namespace snug
