#pragma once

#include <snug/contacts.hpp>

#include <algorithm>

namespace snug::scenes {

/// The motion of a by which all contacts are resolved, one after the other until none is left.
inline Vec3 push_of(const Contacts& found) {
  const auto along = [](const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  Vec3 moved;
  for (int sweep = 0; sweep < 200; ++sweep) {
    bool resolved = true;
    for (const Contact& c : found.contacts) {
      const double left = c.predicted ? 0 : c.depth - along(c.normal, moved);
      if (left <= 0) continue;
      moved = moved + left * c.normal;
      resolved = false;
    }
    if (resolved) break;
  }
  return moved;
}

/// Of the contacts that are not predicted; 0 if there are none.
inline double deepest_of(const Contacts& found) {
  double deepest = 0;
  for (const Contact& c : found.contacts)
    if (!c.predicted) deepest = std::max(deepest, c.depth);
  return deepest;
}

struct Pushed {
  Vec3 moved;
  int pushes = 0;
  bool free = false;
};
/// Pushes a out of b by all contacts, again and again: by a little more than they take, or two walls that are met in turn would each leave a
/// share of the other's depth for ever. Rays miss some overlaps, so it is regions that say whether a is free.
inline Pushed push_out(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, int most,
                       Scratch& scratch, const RayContactOptions& options = {}) {
  Pushed pushed;
  while (true) {
    const Pose pose = compose(translation(pushed.moved.x, pushed.moved.y, pushed.moved.z), pose_a);
    const Contacts left = contacts(a, pose, b, pose_b, scratch, options).value();
    pushed.free = options.complete ? !left.touching() : !contacts(a, pose, b, pose_b, scratch).value().touching();
    const Vec3 by = push_of(left);
    if (pushed.free || pushed.pushes == most || by == Vec3{}) return pushed;
    pushed.moved = pushed.moved + (1.001 + 1e-9 / std::max(by.length(), 1e-9)) * by;
    ++pushed.pushes;
  }
}

}  // namespace snug::scenes
