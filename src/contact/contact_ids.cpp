#include "contact/contact_ids.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <utility>

namespace snug::contact {

void ContactIds::hand_on(std::vector<Contact>& contacts, double reach) {
  SNUG_ASSERT(reach >= 0);
  now_.clear();
  for (Contact& contact : contacts) {
    if (contact.source != Contact::Source::triangles) continue;
    const Point3 at = 0.5 * contact.on_a + 0.5 * contact.on_b;
    Known* nearest = nullptr;
    double least = reach;
    for (Known& known : before_) {
      if (known.taken || known.surface_a != contact.surface_a || known.surface_b != contact.surface_b) continue;
      const double distance = length_of(at - known.at);
      if (distance <= least) least = distance, nearest = &known;
    }
    if (nearest != nullptr) {
      contact.id = nearest->id;
      nearest->taken = true;
    } else {
      while (has(contact.id)) contact.id = (contact.id * 0x9e3779b97f4a7c15ULL + 1) | (std::uint64_t{1} << 63);
    }
    now_.push_back({contact.id, contact.surface_a, contact.surface_b, at, false});
  }
  std::swap(now_, before_);
}

bool ContactIds::has(std::uint64_t id) const noexcept {
  const auto is = [id](const Known& known) { return known.id == id; };
  return std::ranges::any_of(before_, is) || std::ranges::any_of(now_, is);
}

}  // namespace snug::contact
