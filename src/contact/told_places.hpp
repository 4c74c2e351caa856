#pragma once

#include "contact/contact_memory.hpp"
#include "contact/point_tree.hpp"
#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::contact {

/// Where contacts are: between their two sides, the same whichever body comes first.
[[nodiscard]] inline Point3 place_of(const Contact& contact) noexcept {
  return 0.5 * contact.on_a + 0.5 * contact.on_b;
}

/// Contacts that are not predicted by where they are, so that those nearby are found without a look at all: in the
/// order of x, and in a tree.
class ToldPlaces {
 public:
  using Told = ContactMemory::ToldAt;

  ToldPlaces(std::span<const Contact> contacts, ContactMemory& memory)
      : told_(memory.told_at), tree_(listed(contacts, memory), memory.told_boxes) {}

  /// How far it is to the nearest; or anything up to `enough`, if it is no further than that.
  [[nodiscard]] double nearest(const Point3& from, double enough) const noexcept { return tree_.nearest(from, enough); }

  /// True if test(contact) holds of one that is no further than `reach` away. `contacts` are those it was made of, wherever they are
  /// now.
  template <class Test>
  [[nodiscard]] bool any_near(const Point3& from, double reach, std::span<const Contact> contacts, Test&& test) const {
    auto next = std::ranges::lower_bound(told_, from.x - reach, {}, [](const Told& t) { return t.at.x; });
    // By one more than rounding could take away.
    if (next != told_.begin()) --next;
    for (; next != told_.end() && next->at.x - from.x <= reach; ++next)
      if (length_of(next->at - from) <= reach && test(contacts[next->contact])) return true;
    return false;
  }

 private:
  static std::vector<Point3>& listed(std::span<const Contact> contacts, ContactMemory& memory) {
    memory.told_at.clear(), memory.told_points.clear();
    for (std::uint32_t i = 0; i < contacts.size(); ++i) {
      const Point3 at = place_of(contacts[i]);
      if (contacts[i].predicted || !std::isfinite(at.x)) continue;
      memory.told_at.push_back({at, i});
      if (at.is_finite()) memory.told_points.push_back(at);
    }
    std::ranges::sort(memory.told_at, [](const Told& x, const Told& y) { return x.at.x < y.at.x; });
    return memory.told_points;
  }

  std::vector<Told>& told_;
  PointTree tree_;
};

}  // namespace snug::contact
