#include "physics/impact.hpp"

#include <snug/cast.hpp>
#include <snug/contacts.hpp>
#include <snug/motion.hpp>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btTransformUtil.h>

#include <algorithm>
#include <cmath>

namespace snug::bullet {

namespace {

double size_of(const Shape& shape) { return (shape.bounds().hi - shape.bounds().lo).length(); }

/// Impacts are not the contacts of the step before or after.
constexpr std::uint64_t k_other_ids = std::uint64_t{1} << 63U, k_of_a = std::uint64_t{5} << 61U,
                        k_of_b = std::uint64_t{7} << 61U;

Aabb bounds_of(const Shape& shape, const Pose& pose) {
  const Aabb box = shape.bounds();
  Aabb posed;
  for (unsigned i = 0; i < 8; ++i)
    posed.include(pose.apply({(i & 1U) != 0 ? box.hi.x : box.lo.x, (i & 2U) != 0 ? box.hi.y : box.lo.y,
                              (i & 4U) != 0 ? box.hi.z : box.lo.z}));
  return posed;
}

/// Nothing if a body would leave the world.
std::optional<Motion> motion_of(const Sweep& sweep) {
  auto motion = Motion::make_about(sweep.centre, {{0, sweep.from}, {1, sweep.to}}, Arc::shorter);
  if (!motion) return std::nullopt;
  return std::move(*motion);
}

}  // namespace

btTransform moved_freely(const btCollisionObject& object, btScalar seconds) {
  const btRigidBody* const body = btRigidBody::upcast(&object);
  if (body == nullptr || object.isStaticObject()) return object.getWorldTransform();
  const btVector3 speed = body->getLinearVelocity() + seconds * body->getInvMass() * body->getTotalForce();
  btTransform after;
  btTransformUtil::integrateTransform(object.getWorldTransform(), speed, body->getAngularVelocity(), seconds, after);
  return after;
}

bool needs_sweep(const btCollisionObject& object, btScalar seconds) {
  if (!(object.getCcdSquareMotionThreshold() > 0) || !object.isActive()) return false;
  const btVector3 way = moved_freely(object, seconds).getOrigin() - object.getWorldTransform().getOrigin();
  return way.length2() > object.getCcdSquareMotionThreshold();
}

std::optional<double> ImpactFinder::time(const Sweep& a, const Sweep& b) { return time(a, b, 0); }

std::optional<double> ImpactFinder::time(const Sweep& a, const Sweep& b, double from) {
  const auto motion_a = motion_of(a), motion_b = motion_of(b);
  if (!motion_a || !motion_b) return std::nullopt;
  const auto first = first_contact(*a.shape, *motion_a, *b.shape, *motion_b, scratch_, {.range = TimeSpan{from, 1}});
  if (!first || !first->yes()) return std::nullopt;
  return first->known.t;
}

void ImpactFinder::add_contacts(const Sweep& a, const Sweep& b, std::vector<Touch>& touches) {
  add_first_impact(a, b, touches);
  add_vertices(a, b, false, touches);
  add_vertices(b, a, true, touches);
}

void ImpactFinder::add_vertices(const Sweep& a, const Sweep& b, bool exchanged, std::vector<Touch>& touches) {
  // As b sees it: a's motion less its own.
  const Pose after = compose(b.from, compose(inverse(b.to), a.to));
  const auto vertices = a.shape->mesh().vertices();
  const Aabb there = bounds_of(*b.shape, b.from);
  entering_.clear();
  double furthest = 0;
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    const Point3 from = a.from.apply(vertices[v]), to = after.apply(vertices[v]);
    Aabb way;
    way.include(from), way.include(to);
    if (from == to || !way.overlaps(there)) continue;
    const auto hit = cast_ray({from, to - from}, *b.shape, b.from, 1);
    if (!hit || !*hit || (*hit)->from_inside || (*hit)->normal == Vec3{}) continue;
    const RayCastHit& met = **hit;
    const double distance = (from - met.point).dot(met.normal);
    furthest = std::max(furthest, distance);
    Touch touch{.id = v ^ (exchanged ? k_of_b : k_of_a),
                .on_b = exchanged ? from : met.point,
                .normal = exchanged ? -met.normal : met.normal,
                .distance = distance,
                .foreseen = true};
    (exchanged ? touch.surface_a : touch.surface_b) = met.surface;
    (exchanged ? touch.triangle_a : touch.triangle_b) = met.triangle;
    entering_.push_back(touch);
  }
  if (entering_.empty()) return;
  chooser_.choose(entering_, 2 * furthest);
  const std::uint32_t patch = touches.empty() ? 0 : touches.back().patch + 1;
  for (Touch& touch : entering_) {
    touch.patch = patch;
    touches.push_back(touch);
  }
}

void ImpactFinder::add_first_impact(const Sweep& a, const Sweep& b, std::vector<Touch>& touches) {
  // Of the smaller body. A manifold needs bodies that overlap: they are looked at where they have gone on by this after the impact.
  constexpr double k_deeper = 1e-3;
  const auto motion_a = motion_of(a), motion_b = motion_of(b);
  if (!motion_a || !motion_b) return;
  const Travel of_a = travel(*motion_a, a.centre, 0, 1), of_b = travel(*motion_b, b.centre, 0, 1);
  const double size_a = size_of(*a.shape), size_b = size_of(*b.shape);
  const double way = of_a.length + of_a.radians * size_a + of_b.length + of_b.radians * size_b;
  if (!(way > 0)) return;
  const double later = k_deeper * std::min(size_a, size_b) / way;
  const std::uint32_t first_patch = touches.empty() ? 0 : touches.back().patch + 1;
  for (double from = 0; from < 1;) {
    const auto t = time(a, b, from);
    if (!t || *t == 0) return;
    const double at = *t + later;
    const Pose pose_a = motion_a->at(at), pose_b = motion_b->at(at);
    if (!contacts(*a.shape, pose_a, *b.shape, pose_b, scratch_, found_, {.normal = RayContactOptions::Normal::smooth}))
      return;
    const Pose back_a = compose(a.from, inverse(pose_a)), back_b = compose(b.from, inverse(pose_b));
    for (std::uint32_t p = 0; p < found_.patches.size(); ++p)
      for (std::uint32_t i = found_.patches[p].begin; i < found_.patches[p].end; ++i) {
        const Contact& contact = found_.contacts[i];
        const Point3 on_a = back_a.apply(contact.on_a), on_b = back_b.apply(contact.on_b);
        touches.push_back({.id = contact.id ^ k_other_ids,
                           .on_b = on_b,
                           .normal = contact.normal,
                           .distance = (on_a - on_b).dot(contact.normal),
                           .patch = first_patch + p,
                           .surface_a = contact.surface_a,
                           .surface_b = contact.surface_b,
                           .triangle_a = contact.triangle_a,
                           .triangle_b = contact.triangle_b,
                           .foreseen = true});
      }
    if (!found_.contacts.empty()) return;
    from = at;  // they only grazed each other
  }
}

}  // namespace snug::bullet
