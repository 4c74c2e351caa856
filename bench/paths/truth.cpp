#include "bench/paths/truth.hpp"

#include <snug/distance.hpp>
#include <snug/motion.hpp>
#include <snug/query.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::bench::paths {

namespace {

constexpr double k_met = 1e-11;   ///< of sizes: bodies this close are taken to meet
constexpr double k_sure = 1e-12;  ///< of the range: within this time of it they have to
constexpr std::uint64_t k_most = 300'000;

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

double angle_between(const Quaternion& p, const Quaternion& q) {
  const double cosine = std::abs((p.w * q.w + p.x * q.x) + (p.y * q.y + p.z * q.z));
  const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
  return 2 * std::atan2(sine, cosine);
}

}  // namespace

double DenseAdvancement::radius(const Mesh& mesh) {
  double most = 0;
  for (const Point3& p : mesh.vertices()) most = std::max(most, length(p));
  return most;
}

DenseAdvancement::Known DenseAdvancement::truth(const RigidPath& path) {
  const Motion a = Motion::make({{0, path.a[0]}, {1, path.a[1]}}, Arc::shorter).value();
  const Motion b = Motion::make({{0, path.b[0]}, {1, path.b[1]}}, Arc::shorter).value();
  const Vec3 drift =
      (path.b[1].translation() - path.b[0].translation()) - (path.a[1].translation() - path.a[0].translation());
  const double speed = length(drift) + angle_between(path.a[0].rotation(), path.a[1].rotation()) * radius_a_ +
                       angle_between(path.b[0].rotation(), path.b[1].rotation()) * radius_b_;
  double size = radius_a_ + radius_b_;
  for (const auto& ends : {path.a, path.b})
    for (const Pose& pose : ends) size = std::max(size, length(pose.translation()));
  Known known;
  known.closest = std::numeric_limits<double>::infinity();
  double t = 0;
  for (; known.steps < k_most; ++known.steps) {
    const double d = distance(a_, a.at(t), b_, b.at(t), scratch_).value;
    known.closest = std::min(known.closest, d);
    if (d <= k_met * size) {
      known.answer = {true, t};
      // They meet a moment later, or had met already; otherwise they pass within what doubles tell.
      const double later = std::min(1.0, t + 1e-7);
      known.sure = d == 0 || intersects(a_, a.at(later), b_, b.at(later), scratch_) ||
                   intersects(a_, a.at(std::min(1.0, t + k_sure)), b_, b.at(std::min(1.0, t + k_sure)), scratch_);
      return known;
    }
    const double next = t + d / speed * (1 - 1e-12);
    if (!(speed > 0) || next > 1) return known;
    t = next;
  }
  known.sure = false;
  return known;
}

}  // namespace snug::bench::paths
