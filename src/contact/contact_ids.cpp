#include "contact/contact_ids.hpp"

#include "contact/reduce.hpp"
#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <utility>

namespace snug::contact {

void ContactIds::hand_on(std::vector<Contact>& contacts, const Pose& pose_a, const Pose& pose_b, double reach) {
  SNUG_ASSERT(reach >= 0);
  expected_.clear(), ids_.clear(), now_.clear();
  for (std::uint32_t i = 0; i < before_.size(); ++i) {
    ids_.push_back(before_[i].id);
    const Point3 with_a = pose_a.apply(before_[i].in_a), with_b = pose_b.apply(before_[i].in_b);
    if (!(length_of(with_a - with_b) <= reach)) continue;  // the bodies have moved too far against each other
    expected_.push_back({with_a, i});
    expected_.push_back({with_b, i});
  }
  std::ranges::sort(expected_, [](const Expected& x, const Expected& y) {
    return std::pair(x.at.x, x.known) < std::pair(y.at.x, y.known);
  });
  std::ranges::sort(ids_);
  for (Contact& contact : contacts) {
    if (contact.source != Contact::Source::triangles) continue;
    const Point3 at = midpoint_of(contact);
    Known* nearest = nullptr;
    double least = reach;
    auto next = std::ranges::lower_bound(expected_, at.x - reach, {}, [](const Expected& e) { return e.at.x; });
    for (; next != expected_.end() && next->at.x <= at.x + reach; ++next) {
      Known& known = before_[next->known];
      if (known.taken) continue;
      const double distance = length_of(at - next->at);
      if (distance < least || (distance == least && nearest == nullptr)) least = distance, nearest = &known;
    }
    if (nearest != nullptr) {
      contact.id = nearest->id;
      nearest->taken = true;
    } else {
      while (has(contact.id)) contact.id = (contact.id * 0x9e3779b97f4a7c15ULL + 1) | (std::uint64_t{1} << 63);
      ids_.insert(std::ranges::upper_bound(ids_, contact.id), contact.id);
    }
    now_.push_back({contact.id, unposed(pose_a, at), unposed(pose_b, at), false});
  }
  std::swap(now_, before_);
}

bool ContactIds::has(std::uint64_t id) const noexcept { return std::ranges::binary_search(ids_, id); }

}  // namespace snug::contact
