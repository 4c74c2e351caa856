#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <thread>

// Shapes remember what rays found out about them. Whoever asks first, and however many ask at once: contacts are the same.

namespace snug {
namespace {

constexpr std::uint64_t k_poses = 24;

Pose pose_of(std::uint64_t seed) {
  scenes::Random random(seed);
  const Quaternion turned = random.rotation();
  return Pose::make(turned, random.point(-0.7, 0.7)).value();
}

/// Contacts at every pose, beginning with another one for each who asks.
void ask(const Shape& a, const Shape& b, std::uint64_t first, std::vector<Contacts>& found) {
  Scratch scratch;
  found.resize(k_poses);
  for (std::uint64_t i = 0; i < k_poses; ++i) {
    const std::uint64_t at = (first + i) % k_poses;
    contacts(a, pose_of(at), b, {}, scratch, found[at], {.displacement_threshold = 0.05}).value();
  }
}

TEST(ContactsOfManyThreads, AreThoseOfOne) {
  const Mesh knot = scenes::bumpy_knot(36, 7), torus = scenes::torus(0.7, 0.3, 16, 9);
  std::vector<Contacts> alone;
  ask(Shape(knot), Shape(torus), 0, alone);
  std::uint64_t hits = 0;
  for (const Contacts& found : alone) hits += found.stats.hits;
  ASSERT_GT(hits, 0U);
  for (const unsigned threads : {1U, 2U, 4U, 8U}) {
    SCOPED_TRACE(threads);
    const Shape a(knot), b(torus);  // that know nothing yet
    std::vector<std::vector<Contacts>> found(threads);
    {
      std::vector<std::jthread> askers;
      for (unsigned i = 0; i < threads; ++i) askers.emplace_back([&, i] { ask(a, b, 5 * i, found[i]); });
    }
    for (const auto& of_one : found)
      for (std::uint64_t i = 0; i < k_poses; ++i) {
        ASSERT_TRUE(of_one[i].contacts == alone[i].contacts) << i;
        ASSERT_TRUE(of_one[i].patches == alone[i].patches) << i;
        ASSERT_TRUE(of_one[i].stats == alone[i].stats) << i;
      }
  }
}

}  // namespace
}  // namespace snug
