#pragma once

#include "physics/chooser.hpp"

#include <snug/contacts.hpp>
#include <snug/first_contact.hpp>
#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <LinearMath/btTransform.h>

#include <optional>
#include <vector>

class btCollisionObject;

namespace snug::bullet {

/// A mesh on its way through a step.
struct Sweep {
  const Shape* shape = nullptr;
  Pose from, to;
  Point3 centre;  ///< in the mesh's frame: moves in a straight line, and the body turns about it
};

/// Where Bullet would move an object within so many seconds, gravity included, if nothing stood in its way.
[[nodiscard]] btTransform moved_freely(const btCollisionObject& object, btScalar seconds);
/// It has Bullet's continuous mode, and moves that fast: see btCollisionObject::setCcdMotionThreshold().
[[nodiscard]] bool needs_sweep(const btCollisionObject& object, btScalar seconds);

/// When two meshes first meet on their ways. None of its own memory is needed but for speed.
class ImpactFinder {
 public:
  /// As a share of the step; nothing if they do not meet.
  [[nodiscard]] std::optional<double> time(const Sweep& a, const Sweep& b);
  /// Appends contacts like Bullet's predictive ones, as far apart as bodies may approach there in the step: those of the first impact, unless
  /// bodies meet already, and those of vertices whose way through the step leads into the other body.
  void add_contacts(const Sweep& a, const Sweep& b, std::vector<Touch>& touches);

 private:
  [[nodiscard]] std::optional<double> time(const Sweep& a, const Sweep& b, double from);
  void add_first_impact(const Sweep& a, const Sweep& b, std::vector<Touch>& touches);
  /// Of the vertices of a, or of b if `exchanged`.
  void add_vertices(const Sweep& a, const Sweep& b, bool exchanged, std::vector<Touch>& touches);

  Scratch scratch_;
  Contacts found_;
  std::vector<Touch> entering_;
  Chooser chooser_;
};

}  // namespace snug::bullet
