#include "scene/broad_phase.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::scene {

namespace {

void insert(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto place = std::ranges::lower_bound(sorted, value);
  if (place == sorted.end() || *place != value) sorted.insert(place, value);
}

void erase(std::vector<std::uint32_t>& sorted, std::uint32_t value) {
  const auto place = std::ranges::lower_bound(sorted, value);
  if (place != sorted.end() && *place == value) sorted.erase(place);
}

}  // namespace

void IgnoreLists::add(std::uint32_t a, std::uint32_t b) { insert(ignored_[a], b), insert(ignored_[b], a); }
void IgnoreLists::remove(std::uint32_t a, std::uint32_t b) { erase(ignored_[a], b), erase(ignored_[b], a); }
bool IgnoreLists::holds(std::uint32_t a, std::uint32_t b) const {
  SNUG_ASSERT(a < ignored_.size() && b < ignored_.size());
  return std::ranges::binary_search(ignored_[a], b);
}

}  // namespace snug::scene
