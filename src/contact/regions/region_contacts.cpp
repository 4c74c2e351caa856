#include "contact/regions/region_contacts.hpp"

#include "contact/find_contacts.hpp"
#include "contact/reduce.hpp"
#include "contact/regions/creases.hpp"
#include "contact/regions/touching.hpp"
#include "geometry/unit_normal.hpp"
#include "geometry/vec_ops.hpp"
#include "shape/posed_bounds.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace snug::contact {

namespace {

using Kind = ContactArea::Kind;
using Normal = RayContactOptions::Normal;

/// Curves cancel where a body goes through another: what is left of their area vectors is less than this share. A right angle between two
/// equal curves leaves 0.7.
constexpr double k_cancels = 0.5;
/// Share of the depth along a region's area vector: walls that are all shallower than this stand against each other around the region. Of
/// convex bodies, whose area vector leans, the shortest translation is at least 0.61 of that depth.
constexpr double k_walls = 0.5;

/// Finds regions of two bodies in an order of their own.
class RegionSearch {
 public:
  RegionSearch(const RegionBodies& bodies, const std::vector<TrianglePair>& pairs, RegionMemory& memory, Fuel* fuel,
               Normal normal, Contacts& out)
      : bodies_(bodies),
        pairs_(pairs),
        memory_(memory),
        fuel_(fuel),
        normal_(normal),
        depth_(bodies_, memory.regions, memory.facing, fuel),
        separator_(bodies_, depth_, fuel, normal, memory.separator),
        out_(out) {}

  void run() {
    if (!pairs_.empty()) {
      if (!spend(pairs_.size())) return;
      memory_.curves.find(bodies_, pairs_);
      memory_.regions.find(bodies_, pairs_, memory_.curves, &memory_.arena);
      for (std::uint32_t r = 0; r < memory_.regions.all().size(); ++r)
        memory_.regions.all()[r].open ? add_open(memory_.regions.all()[r]) : add_overlap(r);
      add_touching();
    }
    if (!spend(1)) return;
    add_contained(0), add_contained(1);
    mark_opposed();
  }

 private:
  bool spend(std::uint64_t steps) noexcept { return fuel_ == nullptr || fuel_->spend(steps); }

  /// There may be tens of thousands of regions: their normals are compared by cells.
  void mark_opposed() {
    std::pmr::vector<std::pair<std::uint32_t, std::uint32_t>> order(&memory_.arena);  // cell, region
    order.reserve(out_.patches.size());
    const auto part = [](double v) { return v > -1 ? static_cast<std::uint32_t>(std::min(7.0, 4 * (v + 1))) : 0U; };
    for (std::uint32_t i = 0; i < out_.patches.size(); ++i) {
      const Vec3& n = out_.patches[i].normal;
      order.emplace_back((part(n.x) * 8 + part(n.y)) * 8 + part(n.z), i);
    }
    std::ranges::sort(order);
    struct Cell {
      Aabb normals;
      std::size_t begin, end;
    };
    std::pmr::vector<Cell> cells(&memory_.arena);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || order[i].first != order[i - 1].first) cells.push_back({{}, i, i});
      cells.back().normals.include(out_.patches[order[i].second].normal), cells.back().end = i + 1;
    }
    for (ContactArea& one : out_.patches) {
      const Vec3& n = one.normal;
      one.opposed = std::ranges::any_of(cells, [&](const Cell& cell) {
        // Of the cell's box, the corner furthest against the normal, and the one least so: bounds in spite of rounding, which keeps order.
        const Aabb& box = cell.normals;
        const Vec3 most{n.x > 0 ? box.lo.x : box.hi.x, n.y > 0 ? box.lo.y : box.hi.y, n.z > 0 ? box.lo.z : box.hi.z};
        const Vec3 least{n.x > 0 ? box.hi.x : box.lo.x, n.y > 0 ? box.hi.y : box.lo.y, n.z > 0 ? box.hi.z : box.lo.z};
        if (!(dot(n, most) < -k_same_direction)) return false;
        if (dot(n, least) < -k_same_direction) return true;
        for (std::size_t i = cell.begin; i < cell.end; ++i)
          if (dot(n, out_.patches[order[i].second].normal) < -k_same_direction) return true;
        return false;
      });
    }
  }

  [[nodiscard]] Patch all_of(const RayTarget& body) const {
    Patch all(body.mesh().triangles().size(), &memory_.arena);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
  [[nodiscard]] Point3 point_of(std::uint32_t segment) const {
    const CurveSegment& s = memory_.curves.segments[segment];
    return 0.5 * memory_.curves.points[s.from].point + 0.5 * memory_.curves.points[s.to].point;
  }

  void add(Kind kind, const Vec3& normal, double depth, double area, std::span<const FacingPoint> points) {
    const auto begin = static_cast<std::uint32_t>(out_.contacts.size());
    for (const FacingPoint& p : points) {
      Contact made;
      made.triangle_a = p.triangle_a, made.triangle_b = p.triangle_b;
      made.on_a = p.on_a, made.on_b = p.on_b;
      made.normal = normal, made.depth = p.depth, made.depth_bound = p.depth;
      out_.contacts.push_back(made);
    }
    ContactArea& patch = out_.patches.emplace_back();
    patch.kind = kind;
    patch.begin = begin, patch.end = static_cast<std::uint32_t>(out_.contacts.size());
    patch.normal = normal, patch.area = area;
    // Of points that are equally deep one may be deeper by rounding than the deepest.
    patch.depth = depth;
    for (const FacingPoint& p : points) patch.depth = std::max(patch.depth, p.depth);
  }

  /// Two patches along the direction that was last found for them: their manifold, or one point of the curve if nothing lies above anything.
  void add_patches(Kind kind, Triangles a, Triangles b, const Separation& found, bool grows, double area,
                   const Region* region) {
    if (found.found && !depth_.has(a, b)) depth_.take(a, b);
    if (found.found && (depth_.is_at(found.normal) || depth_.find(found.normal, grows)) &&
        depth_.deepest().depth >= 0) {
      depth_.manifold(memory_.points);
      return add(kind, found.normal, found.depth, area, memory_.points);
    }
    if (region == nullptr) return;
    const CurveSegment& s = memory_.curves.segments[region->segments[0]];
    const Point3 at = point_of(region->segments[0]);
    const Vec3 normal = found.normal != Vec3{} ? found.normal : bodies_[1]->outward(pairs_[s.pair].b);
    const FacingPoint point{0, at, at, pairs_[s.pair].a, pairs_[s.pair].b, normal};
    add(kind, normal, 0, area, {&point, 1});
  }

  void add_overlap(std::uint32_t number) {
    const Region& region = memory_.regions.all()[number];
    const double area = length_in_range(region.area);
    if (region.area == Vec3{}) {
      // Features that touch, and cross by the infinitely small translation alone: no direction, but faces beside them.
      const Separation found =
          separator_.shortest(region.patch[0], region.patch[1], region.patch[0], region.patch[1], true);
      return add_patches(Kind::overlap, region.patch[0], region.patch[1], found, true, 0, &region);
    }
    if (area < k_cancels * region.loops) {
      if (normal_ == Normal::smooth &&
          add_opposed_walls(region.patch[0], region.patch[1], {}, std::numeric_limits<double>::infinity()))
        return;
      const Patch a = all_of(*bodies_[0]), b = all_of(*bodies_[1]);
      const Separation found = separator_.shortest(a, b, region.patch[0], region.patch[1], false);
      return add_patches(Kind::overlap, a, b, found, false, area, &region);
    }
    const auto split = [&](std::uint8_t side) {
      return split_at_creases(bodies_, pairs_, memory_.curves, memory_.regions, number, side, &memory_.arena);
    };
    const auto of_a = split(0), of_b = split(1);
    const std::size_t before = out_.patches.size();
    const auto add_piece = [&](Triangles a, Triangles b, const Vec3& normal, double size) {
      Separation found = separator_.from_wall(a, b, normal);
      if (found.found && normal_ == Normal::smooth && add_opposed_walls(a, b, found.normal, found.depth)) return;
      if (!found.found) found.normal = normal;
      if (found.found || out_.patches.size() == before) add_patches(Kind::overlap, a, b, found, true, size, &region);
    };
    if (of_a.empty() && of_b.empty()) return add_whole(number, to_unit(-region.area), area);
    for (const Piece& piece : of_b)
      add_piece(region.patch[0], piece.patch, to_unit(piece.area), length_in_range(piece.area));
    for (const Piece& piece : of_a)
      add_piece(piece.patch, region.patch[1], to_unit(-piece.area), length_in_range(piece.area));
  }

  /// A region of one wall.
  void add_whole(std::uint32_t number, const Vec3& normal, double area) {
    const Region& region = memory_.regions.all()[number];
    Triangles a = region.patch[0], b = region.patch[1];
    Separation found = separator_.from(a, b, normal, true);
    RegionReach& reach = memory_.reach;
    if (normal_ == Normal::minimum && found.depth > 0 &&
        reach.find(bodies_, memory_.curves, memory_.regions, number, found.depth)) {
      const Separation beside = separator_.from_any(reach.patch(0), reach.patch(1), reach.directions());
      if (beside.better_than(found)) found = beside, a = reach.patch(0), b = reach.patch(1);
    }
    if (found.found && normal_ == Normal::smooth && add_opposed_walls(a, b, found.normal, found.depth)) return;
    if (!found.found) found.normal = normal;
    add_patches(Kind::overlap, a, b, found, true, area, &region);
  }

  /// Where walls of both bodies stand against each other all around, as of a cup in a cup, a shaft in a bore or a nut on its thread, no single
  /// translation is a contact: it would push the body out of its seat. Then each direction gets a manifold, of the faces that are closest to
  /// it, and together they hold the body. False if no walls do, as of a pin through a plate, or if the deepest is at least half as deep as
  /// `whole`, which a translation along `normal` takes: then that is one of them.
  bool add_opposed_walls(Triangles a, Triangles b, const Vec3& normal, double whole) {
    const std::array patches{a, b};
    const auto out_of_b = [&](std::size_t side, std::uint32_t t) {
      return (side == 0 ? -1.0 : 1.0) * bodies_[side]->outward(t);
    };
    for (std::size_t side = 0; side < 2; ++side)
      if (std::ranges::none_of(patches[side],
                               [&](std::uint32_t t) { return dot(out_of_b(side, t), normal) < k_same_direction; }))
        return false;
    const auto found = separator_.face_directions(a, b);
    if (found.empty()) return false;  // the budget is spent
    const std::pmr::vector<Vec3> directions(found.begin(), found.end(), &memory_.arena);
    struct Wall {
      explicit Wall(std::pmr::memory_resource* memory) : patch{Patch(memory), Patch(memory)} {}
      std::array<Patch, 2> patch;
      std::array<Vec3, 2> sum;
      std::array<double, 2> area{};
      Separation separation;
    };
    std::pmr::vector<Wall> walls(&memory_.arena);
    walls.reserve(directions.size());  // a copy of a patch would not be in the arena
    for (std::size_t i = 0; i < directions.size(); ++i) walls.emplace_back(&memory_.arena);
    for (std::size_t side = 0; side < 2; ++side)
      for (const std::uint32_t t : patches[side]) {
        const Vec3 out = out_of_b(side, t);
        if (out == Vec3{}) continue;
        const auto closest = std::ranges::max_element(directions, {}, [&](const Vec3& d) { return dot(d, out); });
        Wall& wall = walls[static_cast<std::size_t>(closest - directions.begin())];
        const Triangle posed = bodies_[side]->posed(t);
        const double area = length_in_range(cross(posed[1] - posed[0], posed[2] - posed[0]));
        wall.patch[side].push_back(t);
        wall.sum[side] = wall.sum[side] + area * out, wall.area[side] += area;
      }
    std::erase_if(walls, [](const Wall& wall) { return wall.patch[0].empty() || wall.patch[1].empty(); });
    for (Wall& wall : walls) {
      // Along the normal of the flatter of the two: a torus on a table is pushed straight up.
      const auto flatness = [&](std::size_t side) { return length_in_range(wall.sum[side]) / wall.area[side]; };
      wall.separation.normal = to_unit(wall.sum[flatness(0) > flatness(1) ? 0 : 1]);
    }
    // A region that does not reach around has walls on one side only, and convex bodies have no others.
    const auto reach_around = [&] {
      return normal == Vec3{} || std::ranges::any_of(walls, [&](const Wall& one) {
               return std::ranges::any_of(walls, [&](const Wall& other) {
                 return dot(one.separation.normal, other.separation.normal) < -k_same_direction;
               });
             });
    };
    if (!reach_around()) return false;
    for (Wall& wall : walls) {
      wall.separation = separator_.from(wall.patch[0], wall.patch[1], wall.separation.normal, false);
      if (wall.separation.found && !(wall.separation.depth < k_walls * whole)) return false;
    }
    std::erase_if(walls, [](const Wall& wall) { return !wall.separation.found || wall.separation.depth < 0; });
    if (walls.empty() || !reach_around()) return false;
    for (const Wall& wall : walls)
      add_patches(Kind::overlap, wall.patch[0], wall.patch[1], wall.separation, false, 0, nullptr);
    return true;
  }

  void add_open(const Region& region) {
    Vec3 sum;
    for (const std::uint32_t s : region.segments) {
      const CurveSegment& segment = memory_.curves.segments[s];
      const double length =
          length_of(memory_.curves.points[segment.to].point - memory_.curves.points[segment.from].point);
      const TrianglePair& pair = pairs_[segment.pair];
      sum = sum + length * (bodies_[1]->outward(pair.b) - bodies_[0]->outward(pair.a));
    }
    Separation found = separator_.from(region.patch[0], region.patch[1], to_unit(sum), true);
    if (!found.found) found.normal = to_unit(sum);
    add_patches(Kind::open, region.patch[0], region.patch[1], found, true, 0, &region);
  }

  void add_touching() {
    if (std::ranges::all_of(pairs_, [](const TrianglePair& p) { return p.relation == Relation::crossing; })) return;
    std::pmr::vector<char> crosses(pairs_.size(), 0, &memory_.arena);
    for (const CurveSegment& s : memory_.curves.segments) crosses[s.pair] = 1;
    for (const TouchPatch& patch : find_touching(bodies_, pairs_, crosses, depth_, &memory_.arena))
      add(Kind::touching, patch.normal, 0, 0, patch.points);
  }

  /// True if a shell that crosses nothing lies inside the other body. Of one that touches the surface, a corner that is not on it decides; where
  /// two faces that look at each other touch, the shell is outside.
  [[nodiscard]] bool is_inside(std::size_t side, std::uint32_t shell, bool touches) const {
    const RayTarget &own = *bodies_[side], &other = *bodies_[1 - side];
    const MeshLinks& links = own.contact_mesh().links();
    const Aabb around = posed_bounds(other.shape(), other.pose());
    const auto posed = [&](std::uint32_t v) { return own.pose().apply(own.mesh().vertices()[v]); };
    const Point3 corner = posed(links.shell_corner[shell]);
    if (!touches) return around.overlaps({corner, corner}) && other.holds(corner);
    for (const TrianglePair& pair : pairs_) {
      const std::uint32_t t = side == 0 ? pair.a : pair.b;
      if (links.shell[t] != shell) continue;
      if (dot(bodies_[0]->outward(pair.a), bodies_[1]->outward(pair.b)) < 0 &&
          intersection(bodies_[0]->posed(pair.a), bodies_[1]->posed(pair.b)).count > 2)
        return false;
      for (const std::uint32_t v : own.mesh().triangles()[t]) {
        const Point3 p = posed(v);
        if (!around.overlaps({p, p})) return false;
        if (const auto winding = other.winding(p)) return *winding > 0;
      }
    }
    return false;
  }

  /// Shells of one body that cross nothing and lie inside the other. They may touch it from inside.
  void add_contained(std::size_t side) {
    const RayTarget &own = *bodies_[side], &other = *bodies_[1 - side];
    const MeshLinks& links = own.contact_mesh().links();
    std::pmr::vector<char> meets(links.shell_corner.size(), 0, &memory_.arena);
    const auto shell_of = [&](const TrianglePair& pair) { return links.shell[side == 0 ? pair.a : pair.b]; };
    for (const TrianglePair& pair : pairs_) meets[shell_of(pair)] = k_touches;
    if (!pairs_.empty())  // or the curves are those of a former call
      for (const CurveSegment& s : memory_.curves.segments) meets[shell_of(pairs_[s.pair])] = k_crosses;
    Patch by_shell(&memory_.arena), around(&memory_.arena);  // filled for the first shell that needs them
    for (std::uint32_t shell = 0; shell < meets.size(); ++shell) {
      if (meets[shell] == k_crosses || !is_inside(side, shell, meets[shell] == k_touches)) continue;
      if (around.empty()) {
        around = all_of(other), by_shell = all_of(own);
        std::ranges::sort(by_shell, {}, [&](std::uint32_t t) { return std::pair(links.shell[t], t); });
      }
      const auto shells =
          std::ranges::equal_range(by_shell, shell, {}, [&](std::uint32_t t) { return links.shell[t]; });
      const Triangles inside(shells.begin(), shells.end());
      const Triangles a = side == 0 ? inside : Triangles(around), b = side == 0 ? Triangles(around) : inside;
      const Separation found = separator_.shortest(a, b, a, b, false);
      const std::size_t before = out_.patches.size();
      add_patches(Kind::contained, a, b, found, false, 0, nullptr);
      if (out_.patches.size() > before) continue;
      const Point3 corner = own.pose().apply(own.mesh().vertices()[links.shell_corner[shell]]);
      const FacingPoint point{0, corner, corner, side == 0 ? inside[0] : 0, side == 0 ? 0 : inside[0], {0, 0, 1}};
      add(Kind::contained, point.normal, 0, 0, {&point, 1});
    }
  }

  static constexpr char k_touches = 1, k_crosses = 2;

  RegionBodies bodies_;
  const std::vector<TrianglePair>& pairs_;
  RegionMemory& memory_;
  Fuel* fuel_;
  Normal normal_;
  FacingDepth depth_;
  Separator separator_;
  Contacts& out_;
};

/// An order of bodies that does not depend on which is a: ties and the perturbation are then the same both ways.
bool comes_first(const RayTarget& a, const RayTarget& b) {
  const Aabb box_a = posed_bounds(a.shape(), a.pose()), box_b = posed_bounds(b.shape(), b.pose());
  if (box_a != box_b) return std::pair(box_a.lo, box_a.hi) < std::pair(box_b.lo, box_b.hi);
  const auto of_a = a.mesh().vertices(), of_b = b.mesh().vertices();
  const auto at = [](const RayTarget& body) { return [&](const Point3& p) { return body.pose().apply(p); }; };
  if (!std::ranges::equal(of_a, of_b, {}, at(a), at(b)))
    return std::ranges::lexicographical_compare(of_a, of_b, {}, at(a), at(b));
  // The same corners may be joined otherwise.
  return std::ranges::lexicographical_compare(a.mesh().triangles(), b.mesh().triangles());
}

void exchange(std::vector<TrianglePair>& pairs) {
  for (TrianglePair& pair : pairs) std::swap(pair.a, pair.b);
  std::ranges::sort(pairs);
}

void exchange(Contacts& out) {
  for (ContactArea& patch : out.patches) patch.normal = -patch.normal;
  for (Contact& c : out.contacts) {
    std::swap(c.triangle_a, c.triangle_b);
    std::swap(c.on_a, c.on_b);
    c.normal = -c.normal;
  }
}

/// What a region's contacts and its patch say of surfaces, and ids.
void add_surfaces(const RayTarget& a, const RayTarget& b, Contacts& out) {
  std::uint32_t number = 0;
  for (Contact& c : out.contacts) {
    c.surface_a = a.mesh().surface_of(c.triangle_a), c.surface_b = b.mesh().surface_of(c.triangle_b);
    c.id = mixed_id(c.triangle_a, c.triangle_b, number++);
  }
  for (ContactArea& patch : out.patches) {
    SNUG_ASSERT(patch.begin < patch.end && patch.end <= patch.begin + 9);
    const auto own = std::span(out.contacts).subspan(patch.begin, patch.end - patch.begin);
    const Contact& deepest = *std::ranges::max_element(own, {}, &Contact::depth);
    patch.surface_a = deepest.surface_a, patch.surface_b = deepest.surface_b;
    Vec3 sum;
    for (const Contact& c : own) sum = sum + (midpoint_of(c) - midpoint_of(own[0]));
    patch.centre = midpoint_of(own[0]) + (1.0 / static_cast<double>(own.size())) * sum;
  }
}

}  // namespace

void find_region_contacts(const RayTarget& a, const RayTarget& b, std::vector<TrianglePair>& pairs,
                          RegionMemory& memory, Fuel* fuel, Normal normal, Contacts& out) {
  SNUG_ASSERT(out.contacts.empty() && out.patches.empty());
  memory.regions.clear(), memory.arena.clear();
  const bool exchanged = comes_first(b, a);
  if (exchanged) exchange(pairs);
  RegionSearch({exchanged ? &b : &a, exchanged ? &a : &b}, pairs, memory, fuel, normal, out).run();
  if (exchanged) exchange(pairs), exchange(out);
  add_surfaces(a, b, out);
  out.stats.completed += out.contacts.size();
}

}  // namespace snug::contact
