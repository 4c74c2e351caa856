#pragma once

#include "query/distance/nearest.hpp"
#include "support/rooms.hpp"

#include <snug/distance.hpp>

#include <vector>

namespace snug::query {

/// Pairs of triangles that were near, and how far apart they are known to be. Positions are told by the length of the path since
/// some beginning: along it no distance changes by more than it is long.
class NearList {
 public:
  NearList() { pairs_.reserve(NearPairs::k_most), keys_.reserve(NearPairs::k_most); }

  void clear() noexcept { pairs_.clear(), keys_.clear(), horizon_ = 0; }
  void assign(const NearPairs& near, double path);

  /// All that can have come closer than this by now are in the list; not positive if there is none.
  [[nodiscard]] double horizon(double path) const noexcept { return horizon_ > 0 ? horizon_ - path : 0; }

  /// Calls look(pair) for every pair that can be within limit() of one another. It returns a lower bound on their distance.
  template <class Limit, class Look>
  void visit(double path, Limit&& limit, Look&& look) {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] <= limit() + path) keys_[i] = look(pairs_[i]) + path;
  }

  struct Pair {
    std::uint32_t a, b;
    Vec3 direction;  ///< from a to b where they were closest when last looked at, in the frame of a; zero before
  };

 private:
  std::vector<Pair> pairs_;
  std::vector<double> keys_;  ///< a lower bound and the path's length when it was known
  double horizon_ = 0;        ///< likewise
};

inline void NearList::assign(const NearPairs& near, double path) {
  clear();
  if (!(near.horizon > 0)) return;
  for (const TrianglePairBound& pair : near.pairs) {
    pairs_.push_back({pair.a, pair.b, {}});
    keys_.push_back((near.base + double{pair.bound}) / near.unit * (1 - 0x1p-45) + path);
  }
  horizon_ = near.horizon * (1 - 0x1p-45) + path;
}

}  // namespace snug::query
