#include "contact/pair_contact.hpp"

#include "contact/contact_mesh.hpp"
#include "contact/pair_span.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::contact {

namespace {

/// The unit direction across two sides; zero if they are so nearly parallel that they have none.
Vec3 across_sides(const Vec3& u, const Vec3& v) noexcept {
  const Vec3 across = cross(u, v);
  const double size = length_of(across);
  return size > 1e-9 * (length_of(u) * length_of(v)) ? (1 / size) * across : Vec3{};
}

/// True if a direction leads out of the front of the one and the back of the other rather than into them; both it and its opposite may.
bool leads_out(const Vec3& normal, const Vec3& out_a, const Vec3& out_b) noexcept {
  return dot(normal, out_b) - dot(normal, out_a) >= 0;
}

/// The best way yet, from the second triangle to the first.
class Search {
 public:
  Search(const Triangle& first, const Vec3& normal_first, const Triangle& second, const Vec3& normal_second,
         Relation how) noexcept
      : span_(first, second), normal_first_(normal_first), normal_second_(normal_second), how_(how) {}

  void face(const Vec3& normal) noexcept {
    if (normal != Vec3{}) offer(normal, true);
  }
  void sides(const Vec3& u, const Vec3& v) noexcept {
    const Vec3 across = across_sides(u, v);
    if (across == Vec3{}) return;
    for (const Vec3& n : {across, -across})
      if (may_lead_along(n)) offer(n, false);
  }
  [[nodiscard]] const PairWay& best() const noexcept { return best_; }
  [[nodiscard]] bool found() const noexcept { return found_; }

 private:
  /// What only touches is in nobody's way unless both face along it.
  [[nodiscard]] bool may_lead_along(const Vec3& n) const noexcept {
    if (how_ == Relation::crossing) return leads_out(n, normal_first_, normal_second_);
    return dot(n, normal_second_) >= 0 && dot(n, normal_first_) <= 0;
  }
  void offer(const Vec3& n, bool of_face) noexcept {
    const double depth = span_.along(n);
    if (found_ && !(depth < best_.depth)) return;
    best_ = {n, depth, of_face};
    found_ = true;
  }

  PairSpan span_;
  Vec3 normal_first_, normal_second_;
  Relation how_;
  PairWay best_;
  bool found_ = false;
};

}  // namespace

PairWay way_apart(const PairSide& a, const PairSide& b, Relation how) noexcept {
  // In an order of their own, so that the choice among equal ways does not depend on which comes first.
  const bool swapped = sorted_corners(b.triangle).corner < sorted_corners(a.triangle).corner;
  const Triangle &first = (swapped ? b : a).triangle, &second = (swapped ? a : b).triangle;
  const unsigned flat_first = (swapped ? b : a).flat, flat_second = (swapped ? a : b).flat;
  const Vec3 normal_a = a.facing * unit_normal_of(a.triangle), normal_b = b.facing * unit_normal_of(b.triangle);
  const Vec3 normal_first = swapped ? normal_b : normal_a, normal_second = swapped ? normal_a : normal_b;
  Search search(first, normal_first, second, normal_second, how);
  // Triangles that only touch and face the same way, as those of flush sides do, are not in each other's.
  const bool side_by_side = how == Relation::touching && dot(normal_first, normal_second) > 0.5;
  if (!side_by_side) search.face(normal_second), search.face(-normal_first);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if ((flat_first >> i & 1) == 0 && (flat_second >> j & 1) == 0)
        search.sides(first[(i + 1) % 3] - first[i], second[(j + 1) % 3] - second[j]);
  PairWay way = search.best();
  if (!search.found()) {
    way.none = true;
    way.normal = normal_second != Vec3{} ? normal_second : Vec3{0, 0, 1};  // two needles: any way
  }
  SNUG_ASSERT(std::abs(dot(way.normal, way.normal) - 1) < 1e-9 && way.depth >= 0);
  if (swapped) way.normal = -way.normal;
  if (how == Relation::touching) way.depth = 0;
  return way;
}

}  // namespace snug::contact
