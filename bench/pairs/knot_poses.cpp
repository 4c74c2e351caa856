#include "bench/pairs/knot_poses.hpp"

#include "scenes/random.hpp"

#include <snug/query.hpp>

#include <algorithm>
#include <cmath>

namespace snug::bench::pairs {

namespace {

/// Evenly over all directions.
Vec3 random_direction(scenes::Random& random) {
  while (true) {
    const Vec3 v = random.point(-1, 1);
    const double length2 = v.x * v.x + v.y * v.y + v.z * v.z;
    if (length2 > 0.01 && length2 <= 1) return (1 / std::sqrt(length2)) * v;
  }
}

Pose placed(const Quaternion& rotation, const Vec3& where) { return Pose::make(rotation, where).value(); }

}  // namespace

/// How far the body, so posed, reaches in a direction.
double KnotPoses::support(const Pose& pose, const Vec3& direction) {
  double reach = -1e300;
  for (const Point3& v : shape_.mesh().vertices()) {
    const Point3 w = pose.apply(v);
    reach = std::max(reach, w.x * direction.x + w.y * direction.y + w.z * direction.z);
  }
  return reach;
}

/// Where the second body, coming from afar, first meets the first: in coarse steps, then by halving. It need not be right to
/// the last bit, only the same for every engine.
double KnotPoses::touch(const Pose& a, const Quaternion& rotation_b, const Vec3& direction) {
  const auto meet = [&](double d) {
    return intersects(shape_, a, shape_, placed(rotation_b, d * direction), scratch_);
  };
  constexpr double k_step = 0.02;
  double clear = support(a, direction) + support(placed(rotation_b, {}), -direction) + k_step, hit = clear;
  while (hit > 0 && !meet(hit)) clear = hit, hit -= k_step;
  for (int halving = 0; halving < 20; ++halving) {
    const double middle = 0.5 * (clear + hit);
    (meet(middle) ? hit : clear) = middle;
  }
  return clear;
}

std::vector<PosePair> KnotPoses::of(const Bucket& bucket, std::uint64_t stream, std::size_t count) {
  const auto index = static_cast<std::uint64_t>(&bucket - k_buckets.data());
  scenes::Random random(10000 * seed_ + 100 * stream + index);
  std::vector<PosePair> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const Pose a = placed(random.rotation(), {});
    const Quaternion rotation_b = random.rotation();
    const Vec3 direction = random_direction(random);
    const double d = bucket.distance + (bucket.from_touch ? touch(a, rotation_b, direction) : 0);
    poses.push_back({a, placed(rotation_b, d * direction)});
  }
  return poses;
}

}  // namespace snug::bench::pairs
