#include "contact/regions/facing_depth.hpp"

#include "contact/regions/furthest.hpp"
#include "geometry/unit_normal.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::contact {

namespace {

/// Sine of the angle up to which a triangle is parallel to a direction and does not face along it: above what rounding makes of a wall.
constexpr double k_facing = 1e-6;
/// What rounding makes of a height, as a share of it: three products and two sums.
constexpr double k_height_error = 4 * std::numeric_limits<double>::epsilon();
constexpr std::uint32_t k_leaf = 4;

bool beside(const Seen& a, const Seen& b) noexcept {
  return a.lo_x > b.hi_x || b.lo_x > a.hi_x || a.lo_y > b.hi_y || b.lo_y > a.hi_y;
}

double turn_of(const Point3& a, const Point3& b, const Point3& p) noexcept {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Height of a triangle at a point across the direction; false if the point is beside it.
bool height_at(const Seen& t, const Point3& p, double& height) noexcept {
  const double w0 = turn_of(t.corner[1], t.corner[2], p), w1 = turn_of(t.corner[2], t.corner[0], p),
               w2 = turn_of(t.corner[0], t.corner[1], p);
  if (!((w0 >= 0 && w1 >= 0 && w2 >= 0) || (w0 <= 0 && w1 <= 0 && w2 <= 0))) return false;
  const double sum = (w0 + w1) + w2;
  if (sum == 0) return false;
  height = std::clamp((w0 * t.corner[0].z + w1 * t.corner[1].z + w2 * t.corner[2].z) / sum, t.lo, t.hi);
  return true;
}

/// What two triangles have above one another is a polygon whose corners are corners of either, or crossings of two sides. Calls
/// visit(x, y, height of a, height of b, what) for each; `what`: 0 a corner of a, 1 of b, 2 + 3i + j sides i and j.
template <class Visit>
void for_each_corner(const Seen& a, const Seen& b, Visit&& visit) {
  double h = 0;
  for (const Point3& p : a.corner)
    if (height_at(b, p, h)) visit(p.x, p.y, p.z, h, 0);
  for (const Point3& p : b.corner)
    if (height_at(a, p, h)) visit(p.x, p.y, h, p.z, 1);
  for (int i = 0; i < 3; ++i) {
    const Point3 &p = a.corner[std::size_t(i)], &q = a.corner[std::size_t((i + 1) % 3)];
    for (int j = 0; j < 3; ++j) {
      const Point3 &r = b.corner[std::size_t(j)], &s = b.corner[std::size_t((j + 1) % 3)];
      const double pr = turn_of(r, s, p), qr = turn_of(r, s, q);
      if (!((pr < 0 && qr > 0) || (pr > 0 && qr < 0))) continue;
      const double rp = turn_of(p, q, r), sp = turn_of(p, q, s);
      if (!((rp < 0 && sp > 0) || (rp > 0 && sp < 0))) continue;
      const Point3 on_a = lerp(p, q, pr / (pr - qr)), on_b = lerp(r, s, rp / (rp - sp));
      visit(on_a.x, on_a.y, on_a.z, on_b.z, 2 + 3 * i + j);
    }
  }
}

}  // namespace

std::uint32_t SeenTree::split(std::uint32_t begin, std::uint32_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Node node{seen_[begin].lo_x,
            seen_[begin].lo_y,
            seen_[begin].hi_x,
            seen_[begin].hi_y,
            seen_[begin].lo,
            seen_[begin].hi,
            begin,
            end,
            0};
  for (std::uint32_t i = begin; i < end; ++i) {
    const Seen& s = seen_[i];
    node.lo_x = std::min(node.lo_x, s.lo_x), node.lo_y = std::min(node.lo_y, s.lo_y);
    node.hi_x = std::max(node.hi_x, s.hi_x), node.hi_y = std::max(node.hi_y, s.hi_y);
    node.lo = std::min(node.lo, s.lo), node.hi = std::max(node.hi, s.hi);
  }
  nodes_.push_back(node);
  if (end - begin <= k_leaf) return index;
  const std::uint32_t middle = begin + (end - begin) / 2;
  const bool alongx = node.hi_x - node.lo_x > node.hi_y - node.lo_y;
  std::nth_element(seen_.begin() + begin, seen_.begin() + middle, seen_.begin() + end,
                   [&](const Seen& s, const Seen& t) {
                     const double p = alongx ? s.lo_x + s.hi_x : s.lo_y + s.hi_y;
                     const double q = alongx ? t.lo_x + t.hi_x : t.lo_y + t.hi_y;
                     return p != q ? p < q : s.triangle < t.triangle;
                   });
  split(begin, middle);
  const std::uint32_t right = split(middle, end);
  nodes_[index].right = right;
  return index;
}

void SeenTree::build() {
  nodes_.clear();
  if (!seen_.empty()) split(0, static_cast<std::uint32_t>(seen_.size()));
}

template <class Skip, class Visit>
void SeenTree::overlapping(const Seen& by, Skip&& skip, Visit&& visit) const {
  if (nodes_.empty()) return;
  std::array<std::uint32_t, 64> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    if (by.lo_x > node.hi_x || node.lo_x > by.hi_x || by.lo_y > node.hi_y || node.lo_y > by.hi_y || skip(node))
      continue;
    if (node.right != 0) {
      stack[size++] = node.right;
      stack[size++] = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
      continue;
    }
    for (std::uint32_t i = node.begin; i < node.end; ++i)
      if (!beside(by, seen_[i]) && !skip(seen_[i])) visit(seen_[i]);
  }
}

Seen FacingDepth::seen(std::uint32_t triangle, const std::array<Point3, 3>& corner) const noexcept {
  Seen made;
  for (std::size_t i = 0; i < 3; ++i) made.corner[i] = {dot(x_, corner[i]), dot(y_, corner[i]), dot(u_, corner[i])};
  const auto& c = made.corner;
  made.lo_x = std::min({c[0].x, c[1].x, c[2].x}), made.hi_x = std::max({c[0].x, c[1].x, c[2].x});
  made.lo_y = std::min({c[0].y, c[1].y, c[2].y}), made.hi_y = std::max({c[0].y, c[1].y, c[2].y});
  made.lo = std::min({c[0].z, c[1].z, c[2].z}), made.hi = std::max({c[0].z, c[1].z, c[2].z});
  made.triangle = triangle;
  return made;
}

bool FacingDepth::see(std::size_t side, std::uint32_t triangle, SeenTree& tree) const {
  const RayTarget& body = *bodies_[side];
  const Triangle t = body.posed(triangle);
  const double facing = (side == 0 ? -1 : 1) * body.contact_mesh().facing(triangle) * dot(unit_normal_of(t), u_);
  if (facing > k_facing) {
    tree.add(seen(triangle, t.corner));
    return true;
  }
  const MeshLinks& links = body.contact_mesh().links();
  if (links.closed[triangle]) return false;
  for (std::size_t k = 0; k < 3; ++k)
    if (links.neighbour[triangle][k] == MeshLinks::k_none)
      tree.add(seen(triangle, {t[k], t[(k + 1) % 3], t[(k + 1) % 3]}));
  return false;
}

void FacingDepth::deepen(const Seen& a, const Seen& b) {
  for_each_corner(a, b, [&](double x, double y, double height_a, double height_b, int what) {
    const double depth = height_b - height_a;
    if (found_ && !(depth > deepest_.depth)) return;
    found_ = true;
    const auto at = [&](double h) { return x * x_ + y * y_ + h * u_; };
    Vec3 normal;
    if (what == 0) {
      normal = bodies_[1]->outward(b.triangle);
    } else if (what == 1) {
      normal = -bodies_[0]->outward(a.triangle);
    } else {
      const auto i = static_cast<std::size_t>((what - 2) / 3), j = static_cast<std::size_t>((what - 2) % 3);
      const Vec3 n = to_unit(cross(a.corner[(i + 1) % 3] - a.corner[i], b.corner[(j + 1) % 3] - b.corner[j]));
      normal = n.x * x_ + n.y * y_ + n.z * u_;
      if (n.z < 0) normal = -normal;
    }
    deepest_ = {depth, at(height_a), at(height_b), a.triangle, b.triangle, normal};
  });
}

bool FacingDepth::grow(std::size_t side) {
  next_[side].clear();
  ring_[side].clear();
  for (const std::uint32_t t : outermost_[side])
    for (const std::uint32_t n : bodies_[side]->contact_mesh().links().neighbour[t]) {
      if (n == MeshLinks::k_none || member_[side].get(n) != Stamps::k_none) continue;
      if (regions_.region_of(side, n) != Stamps::k_none) continue;
      member_[side].set(n, 1);
      if (see(side, n, ring_[side])) next_[side].push_back(n);
    }
  std::swap(outermost_[side], next_[side]);
  if (side == 1) ring_[side].build();
  return !ring_[side].empty();
}

bool FacingDepth::find(Triangles patch_a, Triangles patch_b, const Vec3& direction, bool grows) {
  u_ = direction, x_ = any_across(u_), y_ = cross(u_, x_);
  found_ = false;
  if (fuel_ != nullptr && !fuel_->spend(patch_a.size() + patch_b.size())) return false;
  const auto skip = [&](const Seen& a) {
    // No use in what can be deeper by the rounding of heights alone: on two flat faces all is equally deep.
    return [&, lo = a.lo](const auto& of_b) {
      return found_ && !(of_b.hi - lo > deepest_.depth + k_height_error * (std::abs(of_b.hi) + std::abs(lo)));
    };
  };
  const auto compare = [&](const SeenTree& of_a, const SeenTree& of_b) {
    for (const Seen& a : of_a.seen()) {
      std::uint64_t compared = 1;
      of_b.overlapping(a, skip(a), [&](const Seen& b) { deepen(a, b), ++compared; });
      if (fuel_ != nullptr && !fuel_->spend(compared)) return;
    }
  };
  for (std::size_t side = 0; side < 2; ++side) {
    tree_[side].clear();
    outermost_[side].clear();
    member_[side].begin(bodies_[side]->mesh().triangles().size());
    for (const std::uint32_t t : side == 0 ? patch_a : patch_b) {
      member_[side].set(t, 1);
      if (see(side, t, tree_[side])) outermost_[side].push_back(t);
    }
  }
  tree_[1].build();
  compare(tree_[0], tree_[1]);
  while (grows && (fuel_ == nullptr || !fuel_->why())) {
    const double before = found_ ? deepest_.depth : -1;
    const bool more_a = grow(0), more_b = grow(1);
    if (!more_a && !more_b) break;
    compare(ring_[0], tree_[1]), compare(ring_[0], ring_[1]), compare(tree_[0], ring_[1]);
    if (!found_ || !(deepest_.depth > before)) break;
    for (std::size_t side = 0; side < 2; ++side)
      for (const Seen& seen : ring_[side].seen()) tree_[side].add(seen);
    tree_[1].build();
  }
  return found_;
}

void FacingDepth::manifold(std::vector<FacingPoint>& out) const {
  out.clear();
  if (!found_) return;
  struct Found {
    Point2 at;
    double height_a = 0, height_b = 0;
    std::uint32_t a = 0, b = 0;
  };
  std::array<Found, 8> furthest;
  std::array<double, 8> reach;
  const auto look = [&](const EightDirections& directions) {
    for (const Seen& a : tree_[0].seen()) {
      // Where nothing can reach further, neither tree nor triangle is looked at.
      const auto skip = [&](const auto& b) {
        if (b.hi < a.lo) return true;
        const double lo_x = std::max(a.lo_x, b.lo_x), hi_x = std::min(a.hi_x, b.hi_x);
        const double lo_y = std::max(a.lo_y, b.lo_y), hi_y = std::min(a.hi_y, b.hi_y);
        for (std::size_t k = 0; k < 8; ++k)
          if (directions.reach(k, {lo_x, lo_y}, {hi_x, hi_y}, b.hi - a.lo) > reach[k]) return false;
        return true;
      };
      tree_[1].overlapping(a, skip, [&](const Seen& b) {
        for_each_corner(a, b, [&](double x, double y, double height_a, double height_b, int) {
          if (height_b < height_a) return;
          for (std::size_t k = 0; k < 8; ++k)
            if (const double far = directions.reach(k, {x, y}, height_b - height_a); far > reach[k])
              reach[k] = far, furthest[k] = {{x, y}, height_a, height_b, a.triangle, b.triangle};
        });
      });
    }
  };
  reach.fill(-std::numeric_limits<double>::infinity());
  look(EightDirections());
  if (std::isfinite(reach[0])) {
    std::array<Point2, 8> points;
    std::ranges::transform(furthest, points.begin(), &Found::at);
    const EightDirections fitted(points, deepest_.depth);
    // Begin with the furthest of the points that are known.
    const auto known = furthest;
    for (std::size_t k = 0; k < 8; ++k) {
      const auto far = [&](const Found& f) { return fitted.reach(k, f.at, f.height_b - f.height_a); };
      furthest[k] = *std::ranges::max_element(known, {}, far);
      reach[k] = far(furthest[k]);
    }
    look(fitted);
  }
  for (std::size_t k = 0; k < 8 && std::isfinite(reach[k]); ++k) {
    const Found& f = furthest[k];
    const auto at = [&](double h) { return f.at.x * x_ + f.at.y * y_ + h * u_; };
    out.push_back({f.height_b - f.height_a, at(f.height_a), at(f.height_b), f.a, f.b, u_});
  }
  out.push_back(deepest_);
  out.back().normal = u_;
  drop_neighbours(out, u_);
}

}  // namespace snug::contact
