#pragma once

#include "geometry/closest_points.hpp"
#include "query/distance/closer.hpp"
#include "query/pairs/obb/oriented_search.hpp"
#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <array>

namespace snug::query {

/// Directions in which triangles looked at before were closest, the last one first. Parts lie side by side: what is as near as
/// the nearest mostly is so in a direction that was met before, or along a normal, and along it a gap is seen at little cost.
class KnownDirections {
 public:
  void remember(const Vec3& direction) noexcept;
  /// True if one of them shows that the triangles need not be looked at; `gap` is then a lower bound on their distance.
  [[nodiscard]] bool tell_not_closer(const Triangle& a, const Triangle& b, std::uint32_t id_a, std::uint32_t id_b,
                                     const Distance& best, double& gap) noexcept;

 private:
  enum class By { known, normal_a, normal_b };
  std::array<Vec3, 4> directions_ = {};
  By last_ = By::known;  ///< what told last
};

/// Pairs of triangles that are near.
struct NearPairs {
  std::vector<TrianglePairBound> pairs;
  double base = 0, unit = 1;  ///< a pair is no closer than (base + bound) / unit, in the world
  double horizon = 0;         ///< all that are closer than this are in the list; 0 if there is none

  std::size_t most = k_most;  ///< so many are kept at most
  static constexpr std::size_t k_most = 512;
  void clear() noexcept { pairs.clear(), horizon = 0; }
};

/// Looks for the closest two triangles: of several as close, those with the smallest ids.
class Nearest {
 public:
  Nearest(const OrientedPair& bodies, const DistanceLimits& limits, SearchMemory& memory);

  /// Begins with two triangles that may be the closest.
  void offer(std::uint32_t a, std::uint32_t b);
  /// All that is no further away than the closest and `slack` is kept in `near`.
  void keep(NearPairs& near, double slack) noexcept;
  /// What was found before the fuel was spent. May lie a little beyond what is to be ignored.
  [[nodiscard]] Distance search(Fuel& fuel, Stats* stats);
  /// Keeps all that is no further away than `reach`, as far as boxes and planes tell, and looks at nothing more closely.
  void gather(NearPairs& near, double reach, Stats* stats);
  /// The same. If the fuel is spent before, nothing is known of what is near.
  void gather(NearPairs& near, double reach, Stats* stats, Fuel& fuel);

 private:
  static bool take(ClosestSearch& search, std::uint32_t count);
  void take(std::uint32_t a, std::uint32_t b);
  void keep(const TrianglePairBound& pair);
  void set_reach() noexcept;
  void prefer_small_ids(SearchMemory& memory);
  [[nodiscard]] float bound_of(double distance) const noexcept;
  bool walk(Fuel& fuel);

  const OrientedPair& bodies_;
  const DistanceLimits& limits_;
  PosedTriangle a_, b_;
  Distance best_;
  KnownDirections directions_;
  ClosestSearch search_;
  double unit_;  ///< from the world to the unit of the pair
  float reach_;  ///< triangles beyond this cannot be the closest
  NearPairs* near_ = nullptr;
  double slack_ = 0;
  bool ended_ = false, only_gathers_ = false;
  float not_looked_at_;  ///< bound of the nearest candidate left out
  std::uint64_t exact_tests_ = 0;
};

}  // namespace snug::query
