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

}  // namespace snug::scenes
