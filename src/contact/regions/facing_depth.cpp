#include "contact/regions/facing_depth.hpp"

#include "contact/regions/furthest.hpp"
#include "geometry/power_of_two.hpp"
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
/// Of an axis of a patch's box, for the order of its triangles.
constexpr double k_cells = 1024;

/// Leaves two bits between each two of the lower ten.
constexpr std::uint64_t spread(std::uint64_t v) noexcept {
  v = (v | v << 16) & 0x30000ff;
  v = (v | v << 8) & 0x300f00f;
  v = (v | v << 4) & 0x30c30c3;
  return (v | v << 2) & 0x9249249;
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

Seen FacingDepth::seen(std::uint32_t triangle, const std::array<Point3, 3>& corner) const noexcept {
  Seen made;
  for (std::size_t i = 0; i < 3; ++i)
    made.corner[i] = {scale_ * dot(x_, corner[i]), scale_ * dot(y_, corner[i]), dot(u_, corner[i])};
  const auto& c = made.corner;
  made.lo_x = std::min({c[0].x, c[1].x, c[2].x}), made.hi_x = std::max({c[0].x, c[1].x, c[2].x});
  made.lo_y = std::min({c[0].y, c[1].y, c[2].y}), made.hi_y = std::max({c[0].y, c[1].y, c[2].y});
  made.lo = std::min({c[0].z, c[1].z, c[2].z}), made.hi = std::max({c[0].z, c[1].z, c[2].z});
  made.triangle = triangle;
  return made;
}

Placed FacingDepth::placed(std::size_t side, std::uint32_t triangle) const {
  const Triangle t = bodies_[side]->posed(triangle);
  return {t.corner, bodies_[side]->contact_mesh().facing(triangle) * unit_normal_of(t), triangle};
}

bool FacingDepth::see(std::size_t side, const Placed& triangle, SeenTree& tree) const {
  if ((side == 0 ? -1 : 1) * dot(triangle.out, u_) > k_facing) {
    tree.add(seen(triangle.triangle, triangle.corner));
    return true;
  }
  const MeshLinks& links = bodies_[side]->contact_mesh().links();
  if (links.closed[triangle.triangle]) return false;
  const std::array<Point3, 3>& c = triangle.corner;
  for (std::size_t k = 0; k < 3; ++k)
    if (links.neighbour[triangle.triangle][k] == MeshLinks::k_none)
      tree.add(seen(triangle.triangle, {c[k], c[(k + 1) % 3], c[(k + 1) % 3]}));
  return false;
}

Vec3 FacingDepth::normal_of(const Touch& touch) const {
  if (touch.what == 0) return bodies_[1]->outward(deepest_.triangle_b);
  if (touch.what == 1) return -bodies_[0]->outward(deepest_.triangle_a);
  const auto scaled = [&](const Vec3& side) { return Vec3{side.x, side.y, scale_ * side.z}; };
  const Vec3 n = to_unit(cross(scaled(touch.side_a), scaled(touch.side_b)));
  const Vec3 normal = n.x * x_ + n.y * y_ + n.z * u_;
  return n.z < 0 ? -normal : normal;
}

bool FacingDepth::deepen(const Seen& a, const Seen& b) {
  bool overlap = false;
  for_each_corner(a, b, [&](double x, double y, double height_a, double height_b, int what) {
    const double depth = height_b - height_a;
    overlap = overlap || depth > k_height_error * (std::abs(height_b) + std::abs(height_a));
    if (found_ && !(depth > deepest_.depth)) return;
    found_ = true;
    const auto at = [&](double h) { return point_at(x, y, h); };
    deepest_ = {depth, at(height_a), at(height_b), a.triangle, b.triangle, {}};
    touch_.what = what;
    if (what < 2) return;
    const auto i = static_cast<std::size_t>((what - 2) / 3), j = static_cast<std::size_t>((what - 2) % 3);
    touch_.side_a = a.corner[(i + 1) % 3] - a.corner[i], touch_.side_b = b.corner[(j + 1) % 3] - b.corner[j];
  });
  return overlap;
}

void FacingDepth::compare(const SeenTree& of_a, const SeenTree& of_b) {
  for (const Seen& a : of_a.seen()) {
    // No use in what can be deeper by the rounding of heights alone: on two flat faces all is equally deep.
    const auto skip = [&, lo = a.lo](const SeenBounds& b) {
      return found_ && !(b.hi - lo > deepest_.depth + k_height_error * (std::abs(b.hi) + std::abs(lo)));
    };
    std::uint64_t compared = 1;
    of_b.overlapping(a, skip, [&](const Seen& b) { deepen(a, b), ++compared; });
    if (fuel_ != nullptr && !fuel_->spend(compared)) return;
  }
}

bool FacingDepth::overlaps(std::size_t side, const Seen& seen, const SeenTree& others) {
  bool overlap = false;
  std::uint64_t compared = 1;
  const auto skip = [&](const auto& other) {
    const double lo = side == 0 ? seen.lo : other.lo, hi = side == 0 ? other.hi : seen.hi;
    const double least = overlap && found_ ? std::max(deepest_.depth, 0.0) : 0;
    return !(hi - lo > least + k_height_error * (std::abs(hi) + std::abs(lo)));
  };
  others.overlapping(seen, skip, [&](const Seen& other) {
    const bool found = side == 0 ? deepen(seen, other) : deepen(other, seen);
    overlap = overlap || found;
    ++compared;
  });
  if (fuel_ != nullptr && !fuel_->spend(compared)) return false;
  return overlap;
}

void FacingDepth::extend_frontier(std::size_t side, std::uint32_t triangle) {
  for (const std::uint32_t n : bodies_[side]->contact_mesh().links().neighbour[triangle]) {
    if (n == MeshLinks::k_none || known_[side].get(n) != Stamps::k_none) continue;
    known_[side].set(n, 1);
    if (regions_.region_of(side, n) == Stamps::k_none) frontier_[side].push_back(n);
  }
}

bool FacingDepth::grow(std::size_t side) {
  std::vector<std::uint32_t>& frontier = frontier_[side];
  SeenTree& ring = ring_[side];
  ring.clear();
  const std::size_t count = frontier.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t triangle = frontier[i];
    one_.clear();
    const bool faces = see(side, placed(side, triangle), one_);
    if (one_.empty()) continue;
    bool overlap = false;
    for (const Seen& seen : one_.seen())
      if (i < compared_[side])
        overlap = overlaps(side, seen, ring_[1 - side]) || overlap;
      else
        for (const SeenTree* others : {&tree_[1 - side], &grown_[1 - side]})
          overlap = overlaps(side, seen, *others) || overlap;
    if (!overlap) {
      frontier[kept++] = triangle;
      continue;
    }
    for (const Seen& seen : one_.seen()) ring.add(seen);
    if (faces) extend_frontier(side, triangle);
  }
  const auto at = [&](std::size_t i) { return frontier.begin() + static_cast<std::ptrdiff_t>(i); };
  frontier.erase(at(kept), at(count));
  compared_[side] = kept;
  if (ring.empty()) return false;
  for (const Seen& seen : ring.seen()) grown_[side].add(seen);
  ring.build(), grown_[side].build();
  return true;
}

void FacingDepth::take(Triangles patch_a, Triangles patch_b) {
  found_ = false;
  taken_ = {patch_a, patch_b};
  double furthest = 0;
  placed_[0].clear(), placed_[1].clear();
  if (fuel_ != nullptr && !fuel_->spend(patch_a.size() + patch_b.size())) return;
  for (std::size_t side = 0; side < 2; ++side) {
    const Triangles patch = side == 0 ? patch_a : patch_b;
    const TriangleMeshView mesh = bodies_[side]->mesh().view();
    Aabb box;
    for (const std::uint32_t t : patch) box.include(mesh.triangle(t)[0]);
    const auto cell = [&](std::size_t axis, double at) {
      const double size = box.hi[axis] - box.lo[axis];
      return size > 0 ? static_cast<std::uint64_t>((k_cells - 1) * ((at - box.lo[axis]) / size)) : 0;
    };
    keys_.clear();
    for (std::uint32_t i = 0; i < patch.size(); ++i) {
      const Point3 p = mesh.triangle(patch[i])[0];
      keys_.push_back(((spread(cell(0, p.x)) | spread(cell(1, p.y)) << 1 | spread(cell(2, p.z)) << 2) << 32) | i);
    }
    std::ranges::sort(keys_);
    for (const std::uint64_t key : keys_) placed_[side].push_back(placed(side, patch[static_cast<std::uint32_t>(key)]));
    for (const Placed& t : placed_[side])
      for (const Point3& p : t.corner) furthest = std::max(furthest, max_abs(p));
  }
  scale_ = power_to_one(furthest);
}

bool FacingDepth::find(const Vec3& direction, bool grows) {
  u_ = direction, x_ = any_across(u_), y_ = cross(u_, x_);
  found_ = false;
  if (fuel_ != nullptr && !fuel_->spend(placed_[0].size() + placed_[1].size())) return false;
  for (std::size_t side = 0; side < 2; ++side) {
    tree_[side].clear(), grown_[side].clear(), ring_[side].clear();
    frontier_[side].clear(), compared_[side] = 0;
    known_[side].begin(bodies_[side]->mesh().triangles().size());
    for (const Placed& t : placed_[side]) known_[side].set(t.triangle, 1);
    for (const Placed& t : placed_[side])
      if (see(side, t, tree_[side]) && grows) extend_frontier(side, t.triangle);
  }
  tree_[1].build();
  compare(tree_[0], tree_[1]);
  if (grows) {
    tree_[0].build();
    // In turn, until neither patch gains a triangle.
    for (std::size_t side = 0, idle = 0; idle < 2 && (fuel_ == nullptr || !fuel_->why()); side = 1 - side)
      idle = grow(side) ? 0 : idle + 1;
  }
  if (found_) deepest_.normal = normal_of(touch_);
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
  const auto look_at = [&](const EightDirections& directions, const SeenTree& of_a, const SeenTree& of_b) {
    for (const Seen& a : of_a.seen()) {
      // Where nothing can reach further, neither tree nor triangle is looked at.
      const auto skip = [&](const auto& b) {
        if (b.hi < a.lo) return true;
        const double lo_x = std::max(a.lo_x, b.lo_x), hi_x = std::min(a.hi_x, b.hi_x);
        const double lo_y = std::max(a.lo_y, b.lo_y), hi_y = std::min(a.hi_y, b.hi_y);
        for (std::size_t k = 0; k < 8; ++k)
          if (directions.reach(k, {lo_x, lo_y}, {hi_x, hi_y}, b.hi - a.lo) > reach[k]) return false;
        return true;
      };
      std::uint64_t compared = 1;
      of_b.overlapping(a, skip, [&](const Seen& b) {
        ++compared;
        for_each_corner(a, b, [&](double x, double y, double height_a, double height_b, int) {
          if (height_b < height_a) return;
          for (std::size_t k = 0; k < 8; ++k)
            if (const double far = directions.reach(k, {x, y}, height_b - height_a); far > reach[k])
              reach[k] = far, furthest[k] = {{x, y}, height_a, height_b, a.triangle, b.triangle};
        });
      });
      if (fuel_ != nullptr && !fuel_->spend(compared)) return;
    }
  };
  const auto look = [&](const EightDirections& directions) {
    for (const SeenTree* of_a : {&tree_[0], &grown_[0]})
      for (const SeenTree* of_b : {&tree_[1], &grown_[1]}) look_at(directions, *of_a, *of_b);
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
    const auto at = [&](double h) { return point_at(f.at.x, f.at.y, h); };
    out.push_back({f.height_b - f.height_a, at(f.height_a), at(f.height_b), f.a, f.b, u_});
  }
  out.push_back(deepest_);
  out.back().normal = u_;
  drop_neighbours(out, u_);
}

}  // namespace snug::contact
