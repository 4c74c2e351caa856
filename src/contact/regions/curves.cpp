#include "contact/regions/curves.hpp"

#include "geometry/orient.hpp"
#include "geometry/plane_height.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace snug::contact {

namespace {

/// Touching faces that look at each other are separated by the perturbation: so many crossings do not exist.
Vec3 apart_direction(const RegionBodies& bodies, std::span<const TrianglePair> pairs) {
  Vec3 sum;
  for (const TrianglePair& pair : pairs) {
    if (pair.relation != Relation::touching) continue;
    const Vec3 out_a = bodies[0]->outward(pair.a), out_b = bodies[1]->outward(pair.b);
    if (dot(out_a, out_b) < 0) sum = sum + (out_b - out_a);
  }
  return to_unit(sum);
}

std::uint64_t edge_of(const RayTarget& body, std::uint32_t triangle, std::size_t side) noexcept {
  const Index3& corners = body.mesh().triangles()[triangle];
  const auto& place = body.contact_mesh().links().place;
  return edge_key(place[corners[side]], place[corners[(side + 1) % 3]]);
}

/// Height over the plane of a triangle, up to a factor that is the same for both ends. In doubles unless digits cancel.
std::array<double, 2> heights(const Triangle& plane, const Point3& lo, const Point3& hi) noexcept {
  constexpr double k_cancels = 0x1p-30;  // digits left are then twice as many as those of a float
  const PlaneFilter filter(plane[1] - plane[0], plane[2] - plane[0]);
  std::array<double, 2> height{};
  bool sure = true;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 w = (i == 0 ? lo : hi) - plane[0];
    height[i] = dot(filter.normal, w);
    const Vec3& m = filter.magnitude;
    sure &= std::abs(height[i]) > k_cancels * ((m.x * std::abs(w.x) + m.y * std::abs(w.y)) + m.z * std::abs(w.z));
  }
  if (sure) return height;
  const PlaneHeight exact(plane, Triangle{{lo, hi, hi}});
  return {exact(lo), exact(hi)};
}

}  // namespace

void Curves::add(const RegionBodies& bodies, const TrianglePair& pair, std::uint32_t index) {
  const Triangle ta = bodies[0]->posed(pair.a), tb = bodies[1]->posed(pair.b);
  const auto sides_a = signs_.sides_of_a(ta, tb);
  if (sides_a[0] == sides_a[1] && sides_a[1] == sides_a[2]) return;
  const auto sides_b = signs_.sides_of_b(ta, tb);
  if (sides_b[0] == sides_b[1] && sides_b[1] == sides_b[2]) return;
  // Signs of edge against edge serve both ways: a's edge through b's triangle, and b's edge through a's.
  int known[3][3];
  bool asked[3][3]{};
  const auto sign = [&](std::size_t i, std::size_t j) {
    if (!asked[i][j]) known[i][j] = signs_.edges(ta[i], ta[(i + 1) % 3], tb[j], tb[(j + 1) % 3]), asked[i][j] = true;
    return known[i][j];
  };
  const bool in_a = bodies[0]->contact_mesh().faces_in(pair.a), in_b = bodies[1]->contact_mesh().faces_in(pair.b);
  std::array<std::optional<CurvePoint>, 2> ends;  // from, to
  bool twice = false;
  const auto cut = [&](std::uint8_t side, std::size_t k, int before, int after) {
    if (before == after) return;
    const bool passes = side == 0 ? sign(k, 0) == sign(k, 1) && sign(k, 1) == sign(k, 2)
                                  : sign(0, k) == sign(1, k) && sign(1, k) == sign(2, k);
    if (!passes) return;
    const std::uint32_t own = side == 0 ? pair.a : pair.b, other = side == 0 ? pair.b : pair.a;
    const bool enters = (after < 0) != (side == 0 ? in_b : in_a);
    // Around a's triangle the part inside b runs from where an edge enters to where one leaves; the curve leads back. Around b's it is the
    // other way round.
    const bool is_end = (enters == (side == 0)) != (side == 0 ? in_a : in_b);
    const Index3& corners = bodies[side]->mesh().triangles()[own];
    const auto& place = bodies[side]->contact_mesh().links().place;
    const bool forward = place[corners[k]] < place[corners[(k + 1) % 3]];
    twice |= ends[is_end ? 1 : 0].has_value();
    CurvePoint made;
    made.edge = edge_of(*bodies[side], own, k);
    made.triangle = other;
    made.side = side;
    made.enters = enters == forward;
    ends[is_end ? 1 : 0] = made;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    cut(0, k, sides_a[k], sides_a[(k + 1) % 3]);
    cut(1, k, sides_b[k], sides_b[(k + 1) % 3]);
  }
  // Only triangles without area give anything but one of each.
  if (!ends[0] || !ends[1] || twice) return;
  const auto segment = static_cast<std::uint32_t>(segments.size());
  segments.push_back({index, 0, 0});
  uses_.push_back({*ends[0], segment, false});
  uses_.push_back({*ends[1], segment, true});
}

void Curves::join(const RegionBodies& bodies) {
  const auto key = [](const Use& use) { return std::tuple(use.point.side, use.point.edge, use.point.triangle); };
  std::ranges::sort(uses_, [&](const Use& x, const Use& y) { return key(x) < key(y); });
  const auto place = [&](Use& use) {
    CurvePoint& p = use.point;
    const RayTarget &own = *bodies[p.side], &other = *bodies[1 - p.side];
    const Point3 lo = own.pose().apply(own.mesh().vertices()[edge_lo(p.edge)]);
    const Point3 hi = own.pose().apply(own.mesh().vertices()[edge_hi(p.edge)]);
    const auto [from, to] = heights(other.posed(p.triangle), lo, hi);
    const double span = from - to;
    p.at = span != 0 ? std::clamp(from / span, 0.0, 1.0) : 0.5;
    p.point = lerp(lo, hi, p.at);
  };
  for (std::size_t begin = 0; begin < uses_.size();) {
    // All uses of one edge: place its points, then bring them in order along it.
    std::size_t end = begin;
    while (end < uses_.size() && uses_[end].point.same_edge(uses_[begin].point)) {
      if (end > begin && uses_[end].point.triangle == uses_[end - 1].point.triangle)
        uses_[end].point = uses_[end - 1].point;
      else
        place(uses_[end]);
      ++end;
    }
    std::sort(uses_.begin() + static_cast<std::ptrdiff_t>(begin), uses_.begin() + static_cast<std::ptrdiff_t>(end),
              [&](const Use& x, const Use& y) {
                return std::tuple(x.point.at, x.point.triangle) < std::tuple(y.point.at, y.point.triangle);
              });
    for (std::size_t i = begin; i < end; ++i) {
      if (i == begin || uses_[i].point.triangle != uses_[i - 1].point.triangle) points.push_back(uses_[i].point);
      const auto point = static_cast<std::uint32_t>(points.size() - 1);
      (uses_[i].is_end ? segments[uses_[i].segment].to : segments[uses_[i].segment].from) = point;
    }
    begin = end;
  }
}

void Curves::find(const RegionBodies& bodies, std::span<const TrianglePair> pairs) {
  points.clear(), segments.clear(), uses_.clear();
  signs_ = PerturbedSigns(apart_direction(bodies, pairs));
  for (std::uint32_t i = 0; i < pairs.size(); ++i) add(bodies, pairs[i], i);
  join(bodies);
}

std::span<const CurvePoint> Curves::on_edge(std::uint8_t side, std::uint64_t edge) const noexcept {
  const auto found = std::ranges::equal_range(points, std::tuple(side, edge), {},
                                              [](const CurvePoint& p) { return std::tuple(p.side, p.edge); });
  return {found.begin(), found.end()};
}

}  // namespace snug::contact
