#include "contact/contact_ids.hpp"

#include "contact/reduce.hpp"
#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <utility>

namespace snug::contact {

namespace {

/// Share of a manifold's width within which a point is the former one that has moved on along a curved surface: the points that span a
/// manifold are further apart.
constexpr double k_moved_on = 0.25;

double width_of(std::span<const Contact> contacts) noexcept {
  double width = 0;
  for (const Contact& c : contacts) width = std::max(width, length_of(midpoint_of(c) - midpoint_of(contacts[0])));
  return width;
}

}  // namespace

ContactIds::Known* ContactIds::nearest(const Point3& at, double reach) noexcept {
  Known* found = nullptr;
  auto next = std::ranges::lower_bound(expected_, at.x - reach, {}, [](const Expected& e) { return e.at.x; });
  for (; next != expected_.end() && next->at.x <= at.x + reach; ++next) {
    Known& known = before_[next->known];
    const double distance = length_of(at - next->at);
    if (known.taken || distance > reach || (found != nullptr && distance == reach)) continue;
    reach = distance, found = &known;
  }
  return found;
}

void ContactIds::hand_on(Contacts& out, const Pose& pose_a, const Pose& pose_b, double reach) {
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
  known_.assign(out.contacts.size(), 0);
  for (const bool moved_on : {false, true})
    for (const ContactArea& patch : out.patches) {
      const auto own = std::span(out.contacts).subspan(patch.begin, patch.end - patch.begin);
      const double far = moved_on ? k_moved_on * width_of(own) : reach;
      for (std::uint32_t i = patch.begin; i < patch.end; ++i) {
        if (known_[i] != 0) continue;
        Known* const before = nearest(midpoint_of(out.contacts[i]), far);
        if (before == nullptr) continue;
        out.contacts[i].id = before->id;
        before->taken = true, known_[i] = 1;
      }
    }
  for (std::uint32_t i = 0; i < out.contacts.size(); ++i) {
    Contact& contact = out.contacts[i];
    if (known_[i] == 0) {
      while (std::ranges::binary_search(ids_, contact.id))
        contact.id = (contact.id * 0x9e3779b97f4a7c15ULL + 1) | (std::uint64_t{1} << 63);
    }
    const Point3 at = midpoint_of(contact);
    now_.push_back({contact.id, unposed(pose_a, at), unposed(pose_b, at), false});
  }
  std::swap(now_, before_);
}

}  // namespace snug::contact
