#include <snug/contact_regions.hpp>

#include "contact/complete.hpp"
#include "contact/find_contacts.hpp"
#include "contact/regions/creases.hpp"
#include "contact/regions/separation.hpp"
#include "contact/regions/touching.hpp"
#include "geometry/vec_ops.hpp"
#include "shape/posed_bounds.hpp"
#include "shape/shape_data.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

namespace snug {

namespace contact {

namespace {

using Kind = ContactRegion::Kind;

/// Curves cancel where a body goes through another: what is left of their area vectors is less than this share. A right angle between two
/// equal curves leaves 0.7.
constexpr double k_cancels = 0.5;

struct RegionMemory {
  Curves curves;
  Regions regions;
  FacingMemory facing;
};

/// Finds regions of two bodies in an order of their own.
class RegionSearch {
 public:
  RegionSearch(const RegionBodies& bodies, const std::vector<TrianglePair>& pairs, RegionMemory& memory,
               ContactRegionOptions::Normal normal, ContactRegions& out)
      : bodies_(bodies),
        pairs_(pairs),
        memory_(memory),
        depth_(bodies_, memory.regions, memory.facing),
        separator_(bodies_, depth_, normal),
        out_(out) {}

  void run() {
    memory_.curves.find(bodies_, pairs_);
    memory_.regions.find(bodies_, pairs_, memory_.curves);
    for (const Region& region : memory_.regions.all()) region.open ? add_open(region) : add_overlap(region);
    add_touching();
    add_contained(0), add_contained(1);
    for (ContactRegion& one : out_.regions)
      one.opposed = std::ranges::any_of(
          out_.regions, [&](const ContactRegion& o) { return dot(one.normal, o.normal) < -k_same_direction; });
  }

 private:
  [[nodiscard]] static Patch all_of(const RayTarget& body) {
    Patch all(body.mesh().triangles().size());
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
    out_.regions.push_back({.kind = kind,
                            .begin = begin,
                            .end = static_cast<std::uint32_t>(out_.contacts.size()),
                            .normal = normal,
                            .depth = depth,
                            .area = area});
  }

  /// Two patches along the direction that was last found for them: their manifold, or one point of the curve if nothing lies above anything.
  void add_patches(Kind kind, const Patch& a, const Patch& b, const Separation& found, bool grows, double area,
                   const Region* region) {
    if (found.found && (depth_.is_at(found.normal) || depth_.find(a, b, found.normal, grows)) &&
        depth_.deepest().depth >= 0) {
      depth_.manifold(points_);
      return add(kind, found.normal, found.depth, area, points_);
    }
    if (region == nullptr) return;
    const CurveSegment& s = memory_.curves.segments[region->segments[0]];
    const Point3 at = point_of(region->segments[0]);
    const Vec3 normal = found.normal != Vec3{} ? found.normal : bodies_[1]->outward(pairs_[s.pair].b);
    const FacingPoint point{0, at, at, pairs_[s.pair].a, pairs_[s.pair].b, normal};
    add(kind, normal, 0, area, {&point, 1});
  }

  void add_overlap(const Region& region) {
    const double area = length_of(region.area);
    if (area < k_cancels * region.loops) {
      const Patch a = all_of(*bodies_[0]), b = all_of(*bodies_[1]);
      const auto starts = face_directions(bodies_, region.patch[0], region.patch[1]);
      return add_patches(Kind::overlap, a, b, separator_.shortest(a, b, starts), false, area, &region);
    }
    const auto of_a = split_at_creases(bodies_, pairs_, memory_.curves, memory_.regions, region, 0);
    const auto of_b = split_at_creases(bodies_, pairs_, memory_.curves, memory_.regions, region, 1);
    const std::size_t before = out_.regions.size();
    const auto add_piece = [&](const Patch& a, const Patch& b, const Vec3& normal, double size) {
      Separation found = separator_.from(a, b, normal, true);
      if (!found.found) found.normal = normal;
      if (found.found || out_.regions.size() == before) add_patches(Kind::overlap, a, b, found, true, size, &region);
    };
    if (of_a.size() == 1 && of_b.size() == 1)
      return add_piece(region.patch[0], region.patch[1], to_unit(-region.area), area);
    if (of_b.size() > 1)
      for (const Piece& piece : of_b)
        add_piece(region.patch[0], piece.patch, to_unit(piece.area), length_of(piece.area));
    if (of_a.size() > 1)
      for (const Piece& piece : of_a)
        add_piece(piece.patch, region.patch[1], to_unit(-piece.area), length_of(piece.area));
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
    const auto crosses = std::make_unique<bool[]>(pairs_.size());
    for (const CurveSegment& s : memory_.curves.segments) crosses[s.pair] = true;
    for (const TouchPatch& patch : find_touching(bodies_, pairs_, {crosses.get(), pairs_.size()}, depth_))
      add(Kind::touching, patch.normal, 0, 0, patch.points);
  }

  /// Shells of one body that meet nothing and lie inside the other.
  void add_contained(std::size_t side) {
    const RayTarget &own = *bodies_[side], &other = *bodies_[1 - side];
    const MeshLinks& links = own.contact_mesh().links();
    std::vector<bool> meets(links.shell_corner.size());
    for (const TrianglePair& pair : pairs_) meets[links.shell[side == 0 ? pair.a : pair.b]] = true;
    for (std::uint32_t shell = 0; shell < meets.size(); ++shell) {
      if (meets[shell]) continue;
      const Point3 corner = own.pose().apply(own.mesh().vertices()[links.shell_corner[shell]]);
      if (!posed_bounds(other.shape(), other.pose()).overlaps({corner, corner}) || !other.holds(corner)) continue;
      Patch inside;
      for (std::uint32_t t = 0; t < links.shell.size(); ++t)
        if (links.shell[t] == shell) inside.push_back(t);
      const Patch around = all_of(other);
      const Patch &a = side == 0 ? inside : around, &b = side == 0 ? around : inside;
      const Separation found = separator_.shortest(a, b, face_directions(bodies_, a, b));
      const std::size_t before = out_.regions.size();
      add_patches(Kind::contained, a, b, found, false, 0, nullptr);
      if (out_.regions.size() > before) continue;
      const FacingPoint point{0, corner, corner, side == 0 ? inside[0] : 0, side == 0 ? 0 : inside[0], {0, 0, 1}};
      add(Kind::contained, point.normal, 0, 0, {&point, 1});
    }
  }

  RegionBodies bodies_;
  const std::vector<TrianglePair>& pairs_;
  RegionMemory& memory_;
  FacingDepth depth_;
  Separator separator_;
  ContactRegions& out_;
  std::vector<FacingPoint> points_;
};

/// An order of bodies that does not depend on which is a: ties and the perturbation are then the same both ways.
bool comes_first(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const Aabb box_a = posed_bounds(a, pose_a), box_b = posed_bounds(b, pose_b);
  if (box_a != box_b) return std::pair(box_a.lo, box_a.hi) < std::pair(box_b.lo, box_b.hi);
  const auto of_a = a.mesh().vertices(), of_b = b.mesh().vertices();
  return std::ranges::lexicographical_compare(
      of_a, of_b, {}, [&](const Point3& p) { return pose_a.apply(p); },
      [&](const Point3& p) { return pose_b.apply(p); });
}

void find_regions(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                  ContactRegions& out, const ContactRegionOptions& options) {
  if (!posed_bounds(a, pose_a).overlaps(posed_bounds(b, pose_b))) return;
  const bool swapped = comes_first(b, pose_b, a, pose_a);
  const Shape &first = swapped ? b : a, &second = swapped ? a : b;
  const Pose &pose_first = swapped ? pose_b : pose_a, &pose_second = swapped ? pose_a : pose_b;
  const RayContactOptions how{.instructions = options.instructions};
  const RayTarget target_first(first, pose_first, how.traversal, how.instructions);
  const RayTarget target_second(second, pose_second, how.traversal, how.instructions);
  ScratchData& data = Access::data(scratch);
  ContactMemory& memory = data.get<ContactMemory>();
  find_pairs(first, pose_first, second, pose_second, how, data, memory.pairs);
  RegionSearch({&target_first, &target_second}, memory.pairs, data.get<RegionMemory>(), options.normal, out).run();
  if (swapped) {
    for (ContactRegion& region : out.regions) region.normal = -region.normal;
    for (Contact& c : out.contacts) {
      std::swap(c.triangle_a, c.triangle_b);
      std::tie(c.on_a, c.on_b) = std::pair(c.on_b, c.on_a);
      c.normal = -c.normal;
    }
  }
  std::uint32_t number = 0;
  for (Contact& c : out.contacts) {
    c.surface_a = a.mesh().surface_of(c.triangle_a), c.surface_b = b.mesh().surface_of(c.triangle_b);
    c.id = mixed_id(c.triangle_a, c.triangle_b, 2 * number++);
  }
}

}  // namespace

}  // namespace contact

Result<void, ContactError> contact_regions(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                           Scratch& scratch, ContactRegions& out, const ContactRegionOptions& options) {
  const support::OneUser user = query::use(scratch);
  out.clear();
  if (!shape::are_meshes(a, b)) return Failure{ContactError{ContactError::Code::not_a_mesh}};
  if (!shape::are_valid(pose_a, pose_b)) return Failure{ContactError{ContactError::Code::bad_pose}};
  contact::find_regions(a, pose_a, b, pose_b, scratch, out, options);
  return {};
}

Result<ContactRegions, ContactError> contact_regions(const Shape& a, const Pose& pose_a, const Shape& b,
                                                     const Pose& pose_b, Scratch& scratch,
                                                     const ContactRegionOptions& options) {
  ContactRegions found;
  if (const auto done = contact_regions(a, pose_a, b, pose_b, scratch, found, options); !done)
    return Failure{done.error()};
  return found;
}

}  // namespace snug
