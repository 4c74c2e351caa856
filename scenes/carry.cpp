#include "scenes/carry.hpp"

namespace snug::scenes {

MotionTrack carry(const Part& part, double start, std::span<const Waypoint> way) {
  MotionTrack track{part.path, {}};
  const Pose home = inverse(part.pose);
  double t = start;
  for (const Waypoint& point : way) {
    t += point.seconds;
    // At home exactly the identity, so that the part rests exactly where the assembly has it.
    Pose key;
    if (point.displaced != Vec3{} || point.radians != 0) {
      const Vec3 at = part.pose.translation() + point.displaced;
      const Pose turned = point.radians == 0 ? Pose::make(part.pose.rotation(), {}).value()
                                             : compose(rotation(point.axis, point.radians),
                                                       Pose::make(part.pose.rotation(), {}).value());
      key = compose(home, Pose::make(turned.rotation(), at).value());
    }
    track.keys.push_back({t, key});
  }
  return track;
}

double end_of(const MotionTrack& track) { return track.keys.back().t; }

}  // namespace snug::scenes
