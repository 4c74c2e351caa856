#pragma once

#include <snug/export.hpp>
#include <snug/pose.hpp>
#include <snug/shape.hpp>
#include <snug/triangle.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace snug {

/// The engine. Every method returns the same pairs in the same order.
enum class Method : std::uint8_t {
  surface,  ///< trees of surfaces and of their triangles, both descended at once
  brute,    ///< all pairs of triangles: slow, simple, the judge of the others
};
/// "surface", "brute".
[[nodiscard]] SNUG_API std::string_view to_string(Method method) noexcept;
[[nodiscard]] SNUG_API std::optional<Method> parse_method(std::string_view text) noexcept;

struct QueryOptions {
  Method method = Method::surface;
  unsigned threads = 1;  ///< at least 1; the answer does not depend on it. See hardware_threads().
};
/// Threads the machine can run at once, at least 1.
[[nodiscard]] SNUG_API unsigned hardware_threads() noexcept;

/// Two triangles that share a point, by the ids of their meshes.
struct TrianglePair {
  std::uint32_t a = 0, b = 0;
  Relation relation = Relation::touching;  ///< touching or crossing

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

// All queries below are exact: they decide on the posed vertices of docs/conventions.md, and touching counts. What they
// return is the same for every thread count and instruction set. Whether bodies intersect, and the set of all pairs, is
// the same for every method too, and exchanging the bodies exchanges a and b and changes nothing else. They always
// decide. Shapes and poses may be shared among threads, a Scratch may not.

/// True if the bodies' triangles share a point. A body wholly inside another does not: see locate().
[[nodiscard]] SNUG_API bool intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                       Scratch& scratch, const QueryOptions& options = {});

/// One pair of triangles that share a point, if there is any. Which one, of several, depends on the method and on which
/// body comes first, and on nothing else; method brute returns the smallest in the order of (a, b).
[[nodiscard]] SNUG_API std::optional<TrianglePair> first_pair(const Shape& a, const Pose& pose_a, const Shape& b,
                                                              const Pose& pose_b, Scratch& scratch,
                                                              const QueryOptions& options = {});

/// Every pair of triangles that share a point, ordered by (a, b).
[[nodiscard]] SNUG_API std::vector<TrianglePair> triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b,
                                                                const Pose& pose_b, Scratch& scratch,
                                                                const QueryOptions& options = {});

/// e_a + e_b: how far apart faces that are flush by design may come to lie, or overlap, through the rounding of both
/// poses alone. Differences below it are noise.
[[nodiscard]] SNUG_API double resolution(const Shape& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b) noexcept;

}  // namespace snug
