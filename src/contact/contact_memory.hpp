#pragma once

#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>
#include <snug/query.hpp>

#include <cstdint>
#include <vector>

namespace snug::contact {

/// A vertex to cast rays from.
struct RayStart {
  std::uint32_t vertex;
  bool outside;  ///< for certain: there is no use in looking for a contact, only for a prediction
};

/// What contacts keep from call to call.
struct ContactMemory {
  std::vector<TrianglePair> pairs;  ///< of triangles that share a point
  std::vector<RayStart> starts;
  std::vector<Contact> predicted;

  Fuel* fuel = nullptr;  ///< of a call under a budget
  /// False once the budget is spent: whatever is found from then on means nothing.
  bool spend(std::uint64_t steps) noexcept { return fuel == nullptr || fuel->spend(steps); }
};

}  // namespace snug::contact
