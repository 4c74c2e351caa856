#include "assembly/path/witness.hpp"

#include "ccd/moving_body.hpp"
#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"
#include "penetration/containment.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::assembly {

namespace {

Vec3 unit_normal(const Triangle& t) noexcept {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double length = length_of(n);
  return length > 0 && std::isfinite(length) ? (1 / length) * n : Vec3{};
}

double size_of(const Triangle& t) noexcept {
  return std::max({length_of(t[1] - t[0]), length_of(t[2] - t[1]), length_of(t[0] - t[2])});
}

}  // namespace

double OverlapProof::depth(const PairMotion& motion, const Point3& world) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [solid, pose] : {std::pair{a_, &motion.a.middle}, {b_, &motion.b.middle}}) {
    const Point3 p = unposed(*pose, world);
    if (solid->locate(p, Filling::closed_shells) != Side::inside) return 0;
    least = std::min(least, solid->surface_distance(p, Filling::closed_shells));
  }
  return least;
}

std::optional<Point3> OverlapProof::common_point(const PairMotion& motion, const TriangleContact& meeting) const {
  const Triangle a = posed(search_->a().triangle(meeting.triangle_a), motion.a.middle);
  const Triangle b = posed(search_->b().triangle(meeting.triangle_b), motion.b.middle);
  const Vec3 in_a = -static_cast<double>(a_->orientation()) * unit_normal(a);
  const Vec3 in_b = -static_cast<double>(b_->orientation()) * unit_normal(b);
  const Point3 at = 0.5 * meeting.on_a + 0.5 * meeting.on_b;
  Point3 best = at;
  double deepest = 0;
  const auto offer = [&](const Point3& p) {
    if (const double d = depth(motion, p); d > deepest) deepest = d, best = p;
  };
  const double size = std::min(size_of(a), size_of(b));
  for (double step = size; step > 1e-7 * size && deepest < 0.5 * step; step *= 0.25)
    for (const Vec3& inward : {in_a + in_b, in_a, in_b}) offer(at + step * inward);
  for (const Triangle* t : {&a, &b})
    for (const Point3& p : t->corner) offer(p), offer(p + 0.25 * (at - p));
  if (!(deepest > 0)) return std::nullopt;
  // Away from where it is hemmed in, as far as a few steps lead.
  double step = deepest;
  for (int round = 0; round < 6; ++round) {
    const double before = deepest;
    const Point3 from = best;
    for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
      offer(from + step * way), offer(from - step * way);
    step = deepest > before ? deepest : 0.5 * step;
  }
  return best;
}

InteriorWitness OverlapProof::fixed(const PairMotion& motion, const Point3& world, bool in_a) {
  return {in_a, unposed(in_a ? motion.a.middle : motion.b.middle, world)};
}

bool OverlapProof::lasts(const PairMotion& motion, const InteriorWitness& witness) const {
  const MotionBound &own = witness.of_a ? motion.a : motion.b, &other = witness.of_a ? motion.b : motion.a;
  const Point3 world = own.middle.apply(witness.place);
  const PosedSolid &home = witness.of_a ? *a_ : *b_, &host = witness.of_a ? *b_ : *a_;
  const BoxedMesh& surface = witness.of_a ? search_->b() : search_->a();
  return point_keeps_away(world - own.origin, own, surface, other) &&
         home.locate(witness.place, Filling::closed_shells) == Side::inside &&
         host.locate(unposed(other.middle, world), Filling::closed_shells) == Side::inside;
}

std::optional<Point3> OverlapProof::one_inside_other(const PairMotion& instant) const {
  for (const auto& [of, pose, in, in_pose] :
       {std::tuple{a_, &instant.a.middle, b_, &instant.b.middle}, {b_, &instant.b.middle, a_, &instant.a.middle}}) {
    const auto corner = corner_of_shell_inside(*of, [&](const Point3& own) {
      return in->locate(unposed(*in_pose, pose->apply(own)), Filling::closed_shells) == Side::inside;
    });
    if (corner) return pose->apply(*corner);
  }
  return std::nullopt;
}

bool stays_in_touch(const MovingPair& search, const PairMotion& motion, const TriangleContact& meeting,
                    double distance) {
  const Triangle a = posed(search.a().triangle(meeting.triangle_a), motion.a.middle);
  const Triangle b = posed(search.b().triangle(meeting.triangle_b), motion.b.middle);
  const auto slides = [&](const Point3& p, const MotionBound& of_p, const Triangle& on, const MotionBound& of_on) {
    if (of_on.spins || of_on.turn.longest() > 0) return false;
    const Vec3 n = unit_normal(on), arm = p - of_p.origin;
    if (n == Vec3{}) return false;
    const auto most = [&](const Vec3& way, const Point3& from) {
      return dot(way, p - from) + of_p.towards(way, arm, 0) + of_on.towards(-way, {}, 0);
    };
    if (most(n, on[0]) > 0.99 * distance || most(-n, on[0]) > 0.99 * distance) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 out = cross(on[(i + 1) % 3] - on[i], n);
      const double length = length_of(out);
      if (!(length > 0) || most((1 / length) * out, on[i]) > 0) return false;
    }
    return true;
  };
  const auto any = [&](const Triangle& of, const MotionBound& of_p, const Point3& closest, const Triangle& on,
                       const MotionBound& of_on) {
    const Point3 middle = middle_of(of);
    if (slides(closest, of_p, on, of_on) || slides(middle, of_p, on, of_on)) return true;
    for (std::size_t i = 0; i < 3; ++i)
      if (slides(of[i], of_p, on, of_on) || slides(0.5 * of[i] + 0.5 * of[(i + 1) % 3], of_p, on, of_on) ||
          slides(0.5 * of[i] + 0.5 * middle, of_p, on, of_on))
        return true;
    return false;
  };
  return any(a, motion.a, meeting.on_a, b, motion.b) || any(b, motion.b, meeting.on_b, a, motion.a);
}

}  // namespace snug::assembly
