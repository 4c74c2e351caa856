#pragma once

#include <snug/budget.hpp>
#include <snug/device.hpp>
#include <snug/export.hpp>
#include <snug/pose.hpp>
#include <snug/progress.hpp>
#include <snug/shape.hpp>
#include <snug/triangle.hpp>

#include <compare>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace snug {

/// The engine. Every method returns the same pairs in the same order.
enum class Method : std::uint8_t {
  surface,    ///< trees of surfaces and of their triangles, both descended at once
  brute,      ///< all pairs of triangles: slow, simple, the judge of the others
  dop,        ///< trees of 24-DOPs, separating axes worked out once for each pair of poses (Raabe 2006)
  dop_fixed,  ///< the same in fixed point: what the chip computes, bit for bit
};
/// "surface", "brute", "dop", "dop_fixed".
[[nodiscard]] SNUG_API std::string_view to_string(Method method) noexcept;
[[nodiscard]] SNUG_API std::optional<Method> parse_method(std::string_view text) noexcept;

/// How method `surface` searches. Answers do not depend on it; time and counters do.
struct SurfaceSearch {
  enum class Bounds : std::uint8_t {
    oriented,  ///< both trees at once, by boxes turned to fit what they hold: the fast one
    aligned,   ///< figueiredo's: R-trees of boxes along the axes of each shape's own frame; runs on one thread
  } bounds = Bounds::oriented;
  // The rest matters for `aligned` only. As they stand they are the published algorithm.
  bool overlap_box = true;  ///< leave out what does not reach the box that both bodies' boxes have in common
  bool tight_boxes = true;  ///< box a triangle of b by its corners in a's frame, not by its box of b's frame turned
  bool one_sided = true;    ///< take the triangles of b one by one through the tree of a, not two trees at once

  friend bool operator==(const SurfaceSearch&, const SurfaceSearch&) = default;
};

/// How methods `dop` and `dop_fixed` search. Answers do not depend on it; time and counters do. Numbers out of range are
/// taken as the nearest within. Both methods run on one thread; distances are those of method `surface`.
struct DopSearch {
  /// Axes that are tried on a pair of nodes, 1 to 105: twelve face normals of each body, then directions across edges of
  /// both.
  unsigned axes = 16;
  enum class Schedule : std::uint8_t {
    stack,  ///< depth first: little memory
    queue,  ///< breadth first: what the chip's first design did
  } schedule = Schedule::stack;
  // `dop_fixed` alone: bits behind the binary point, 4 to 40. Words of the chip have one more, for the sign.
  unsigned coefficient_bits = 17;  ///< b: of the DOPs' coefficients
  unsigned mapping_bits = 17;      ///< c: of the mapping vectors
  unsigned offset_bits = 17;       ///< z: of how far the bodies lie apart along an axis; at most b + c
  /// Try the eight axes that told the last pair of nodes apart before the others. Off: always in order, so that counters do
  /// not depend on the order of pairs. OpenCL devices, which open many at once, always go in order.
  bool last_axes_first = true;

  friend bool operator==(const DopSearch&, const DopSearch&) = default;
};

/// What a query did, for those who compare methods. Counts of a query that may stop early and runs on several threads
/// can differ from run to run; all others are the same every time.
struct Stats {
  std::uint64_t node_pairs = 0;      ///< times a tree's node was opened against a box or against another tree's node
  std::uint64_t box_tests = 0;       ///< pairs of boxes compared; by DOPs: axes tried on pairs of nodes, in eights
  std::uint64_t box_updates = 0;     ///< boxes made anew in the other body's frame
  std::uint64_t triangle_tests = 0;  ///< pairs of triangles compared, by whatever means
  std::uint64_t exact_tests = 0;     ///< of those, how many relation() had to decide

  Stats& operator+=(const Stats& o) noexcept {
    node_pairs += o.node_pairs, box_tests += o.box_tests, box_updates += o.box_updates;
    triangle_tests += o.triangle_tests, exact_tests += o.exact_tests;
    return *this;
  }
  friend bool operator==(const Stats&, const Stats&) = default;
};

struct QueryOptions {
  Method method = Method::surface;
  /// 0 counts as 1; the answer does not depend on it. See hardware_threads(). Searches for all pairs and those by brute force share out their work; tree searches
  /// that may end early, visitors, searches by aligned boxes and by DOPs use one thread.
  unsigned threads = 1;
  SurfaceSearch surface = {};
  DopSearch dop = {};
  Stats* stats = nullptr;  ///< if given, what the query did is added to it
  Instructions instructions = Instructions::best;
  Device device = Device::cpu;
  const Devices* devices = nullptr;  ///< for Device::opencl; those of the process if not given
};

/// Two triangles that share a point, by the ids of their meshes. A query that was given an invalid pose answers with refusal():
/// a list then holds that alone.
struct TrianglePair {
  static constexpr std::uint32_t k_no_triangle = ~std::uint32_t{0};

  std::uint32_t a = 0, b = 0;
  Relation relation = Relation::touching;  ///< touching or crossing; invalid if the query was refused

  [[nodiscard]] static constexpr TrianglePair refusal() noexcept {
    return {k_no_triangle, k_no_triangle, Relation::invalid};
  }
  [[nodiscard]] constexpr bool refused() const noexcept { return relation == Relation::invalid; }
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Two surfaces of which a triangle of one shares a point with a triangle of the other, by the ids of their meshes. As with
/// TrianglePair, refusal() is the answer to an invalid pose.
struct SurfacePair {
  std::uint32_t a = 0, b = 0;

  [[nodiscard]] static constexpr SurfacePair refusal() noexcept { return {Mesh::k_no_surface, Mesh::k_no_surface}; }
  [[nodiscard]] constexpr bool refused() const noexcept { return a == Mesh::k_no_surface; }
  friend auto operator<=>(const SurfacePair&, const SurfacePair&) = default;
};

/// Do two bodies share a point, or come within a clearance?
struct Answer {
  bool yes = false;
  /// The bodies are no closer than this, of two meshes to the 40 bits of distance(): what was found out before the budget was spent, or
  /// more if it was not. Zero if nothing is known.
  double distance_at_least = 0;
  std::optional<TrianglePair> pair = {};  ///< intersects of two meshes: two that share a point, if yes
};

// Queries of two meshes are exact: they decide on the posed vertices of docs/conventions.md, and touching counts. What they
// return is the same for every thread count and instruction set. Whether bodies intersect, and the set of all pairs, is
// the same for every method too, and exchanging the bodies exchanges a and b and changes nothing else. They always
// decide. Shapes and poses may be shared among threads, a Scratch may not.
//
// If one of the bodies is a primitive, then, for every two kinds alike, with e = resolution() of the two,
//   intersects()  is true if they share a point, and false if they are further apart than e;
//   within()      is true if they come within the clearance, and false if they keep more than the clearance and e;
//   distance()    is wrong by no more than e, and zero only if they are no further apart than e.
// Both orders of the two give the same answer to the last bit. They always decide, do not allocate, and use neither the options
// nor the scratch memory. A mesh is its triangles: a primitive inside a closed one that touches none of them shares no point
// with it, see locate().
//
// Every query refuses an invalid pose (Pose::is_valid) by a value that no comparison takes for clear: true, a refusal() instead of
// pairs, an infinite resolution. Queries for pairs of triangles or surfaces refuse a primitive likewise.

/// Meshes: true if their triangles share a point. A mesh wholly inside another does not: see locate().
[[nodiscard]] SNUG_API bool intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                       Scratch& scratch, const QueryOptions& options = {});

/// One pair of triangles that share a point, if there is any. Which one, of several, depends on the method and its
/// search and on which body comes first, and on nothing else; method brute returns the smallest in the order of (a, b).
[[nodiscard]] SNUG_API std::optional<TrianglePair> first_pair(const Shape& a, const Pose& pose_a, const Shape& b,
                                                              const Pose& pose_b, Scratch& scratch,
                                                              const QueryOptions& options = {});

/// Every pair of triangles that share a point, ordered by (a, b).
[[nodiscard]] SNUG_API std::vector<TrianglePair> triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b,
                                                                const Pose& pose_b, Scratch& scratch,
                                                                const QueryOptions& options = {});

/// One pair of surfaces that share a point, if there is any. Which one, of several, depends on the method and its search
/// and on which body comes first, and on nothing else; method brute returns the smallest in the order of (a, b).
[[nodiscard]] SNUG_API std::optional<SurfacePair> first_surface_pair(const Shape& a, const Pose& pose_a, const Shape& b,
                                                                     const Pose& pose_b, Scratch& scratch,
                                                                     const QueryOptions& options = {});

/// Every pair of surfaces that share a point, ordered by (a, b). Cheaper than all pairs of triangles: surfaces known to
/// meet are not searched again.
[[nodiscard]] SNUG_API std::vector<SurfacePair> surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b,
                                                              const Pose& pose_b, Scratch& scratch,
                                                              const QueryOptions& options = {});

/// A callable that is asked for each pair whether to go on. It is referred to, not copied: it must outlive the call.
template <class Pair>
class Visitor {
 public:
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, Visitor> && std::predicate<F&, const Pair&>)
  Visitor(F&& f) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, const Pair& pair) -> bool {
          return (*static_cast<std::remove_reference_t<F>*>(object))(pair);
        }) {}
  bool operator()(const Pair& pair) const { return call_(object_, pair); }

 private:
  void* object_;
  bool (*call_)(void*, const Pair&);
};
using PairVisitor = Visitor<TrianglePair>;
using SurfaceVisitor = Visitor<SurfacePair>;

/// Calls visit(pair) for every pair of triangles that share a point until it returns false. Nothing is stored: pairs come
/// as they are found, in an order that depends on the method and on which body comes first, and on nothing else. One
/// thread. What the visitor throws reaches the caller.
SNUG_API void visit_triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                   Scratch& scratch, const PairVisitor& visit, const QueryOptions& options = {});

/// The same for every pair of surfaces that share a point; each pair comes once.
SNUG_API void visit_surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                  Scratch& scratch, const SurfaceVisitor& visit, const QueryOptions& options = {});

/// triangle_pairs() into a vector whose memory is used again.
SNUG_API void triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                             std::vector<TrianglePair>& pairs, const QueryOptions& options = {});
/// surface_pairs() into a vector whose memory is used again.
SNUG_API void surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                            std::vector<SurfacePair>& pairs, const QueryOptions& options = {});

/// The triangles of a mesh that share a point with a shape, ascending. A mesh is met exactly; a primitive meets each triangle as by
/// intersects(). Replaces what `triangles` holds. A primitive in the place of the mesh, or an invalid pose, is refused: one id,
/// TrianglePair::k_no_triangle.
SNUG_API void triangles_meeting(const Shape& shape, const Pose& pose, const Shape& mesh, const Pose& pose_mesh,
                                Scratch& scratch, std::vector<std::uint32_t>& triangles);

// Under a budget, whose steps are pairs of tree nodes. These, and those of distance.hpp, search by oriented boxes, whatever method the
// options name; where they decide, they say what the others say. They look for the closest triangles on one thread, where lists are asked
// for on as many as the options allow unless steps are limited. If one body is a primitive, the budget is looked at before the query
// begins; lists of triangles are refused as invalid_input.

[[nodiscard]] SNUG_API Outcome<Answer> try_intersects(const Shape& a, const Pose& pose_a, const Shape& b,
                                                      const Pose& pose_b, Scratch& scratch, const Budget& budget,
                                                      const QueryOptions& options = {});
/// All pairs or none: `pairs` is empty if it could not be finished.
SNUG_API Outcome<void> try_triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                          Scratch& scratch, std::vector<TrianglePair>& pairs, const Budget& budget,
                                          const QueryOptions& options = {});
SNUG_API Outcome<void> try_surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         Scratch& scratch, std::vector<SurfacePair>& pairs, const Budget& budget,
                                         const QueryOptions& options = {});

/// Of two meshes e_a + e_b: how far apart faces that are flush by design may come to lie, or overlap, through the rounding of
/// both poses alone. Differences below it are noise. If one is a primitive: e above, about 1e-12 of the size of both and the
/// distance between them, plus what posing rounds off. Infinite if a pose is invalid.
[[nodiscard]] SNUG_API double resolution(const Shape& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b) noexcept;

}  // namespace snug
