#include "query/posed/descend.hpp"
#include "query/posed/surface.hpp"

namespace snug::query {

bool share_point(const PosedMesh& a, const PosedMesh& b) {
  if (a.empty() || b.empty()) return false;
  bool found = false;
  descend(a, b, {0, 0}, 0, [&](std::uint32_t ta, std::uint32_t tb) {
    found = relation(a.triangle(ta), b.triangle(tb)) != Relation::disjoint;
    return !found;
  });
  return found;
}

}  // namespace snug::query
