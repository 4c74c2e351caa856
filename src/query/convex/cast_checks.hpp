#pragma once

#include "shape/posed.hpp"
#include "support/rooms.hpp"

#include <snug/cast.hpp>
#include <snug/progress.hpp>

#include <optional>

namespace snug::query {

/// Finite and not too long.
[[nodiscard]] bool good_motion(const Vec3& motion) noexcept;
/// What is wrong with a ray, if anything.
[[nodiscard]] std::optional<CastError::Code> wrong_ray(const Ray& ray, double t_max) noexcept;
/// What is wrong with casting it at a body, if anything.
[[nodiscard]] std::optional<CastError::Code> wrong_cast(const Ray& ray, const Pose& pose, double t_max) noexcept;
/// What is wrong with moving a body towards another, if anything.
[[nodiscard]] std::optional<CastError::Code> wrong_cast(const Vec3& motion, const Posed& moving,
                                                        const Posed& other) noexcept;

/// Times at which lo <= t speed <= hi; narrows [enter, leave]. False if they do not overlap any more.
[[nodiscard]] inline bool narrow(double lo, double hi, double speed, double& enter, double& leave) noexcept {
  if (speed == 0) return !(lo > 0) && !(hi < 0);
  const double t0 = lo / speed, t1 = hi / speed;
  const double first = t0 < t1 ? t0 : t1, last = t0 < t1 ? t1 : t0;
  // A time is rounded by a few units in its last place. One that overflows becomes no number and narrows nothing.
  const double from = first - 0x1p-49 * (first < 0 ? -first : first), to = last + 0x1p-49 * (last < 0 ? -last : last);
  enter = from > enter ? from : enter, leave = to < leave ? to : leave;
  return !(enter > leave);
}

/// The earliest time, no later than limit, at which a box that moves by `way` reaches another one, or nothing. All casts begin
/// with it, of single bodies as of scenes, so that both find the same.
[[nodiscard]] std::optional<double> boxes_meet(const Aabb& moving, const Vec3& way, const Aabb& other,
                                               double limit) noexcept;

/// cast_shape(). Two meshes may take long: what is found after a cancel means nothing.
[[nodiscard]] Result<std::optional<ShapeCastHit>, CastError> cast_shapes(const Posed& moving, const Vec3& motion,
                                                                         const Posed& other, const CancelToken* cancel);
/// The same of two meshes. Precondition: wrong_cast() finds nothing.
[[nodiscard]] std::optional<ShapeCastHit> cast_meshes(const Posed& moving, const Vec3& motion, const Posed& other,
                                                      const CancelToken* cancel);

/// Casts stop a margin before bodies meet, which may be before even their boxes do. Nothing is shared until then: that is when
/// the hit is told, so that scenes may go by boxes.
void move_up_to(double reached, const Vec3& motion, ShapeCastHit& hit) noexcept;

}  // namespace snug::query
