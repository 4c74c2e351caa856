#pragma once

#include "contact/contact_memory.hpp"
#include "contact/vertex_rays.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

namespace snug::contact {

/// Boxes are enlarged by as many times what predictive rays reach: more than once, or predictions at the rim are lost.
inline constexpr double k_extension = 1.25;

/// The enlarged boxes of both bodies in the world, as far as they overlap; empty if they do not.
[[nodiscard]] Aabb overlap_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double extension);

/// Casts rays from all vertices that qualify; those that tell something become contacts.
void standard_rays(const VertexRays& rays, double extension, double culling, ContactMemory& memory, Contacts& out);

/// All pairs of triangles that share a point, ordered; under the budget of the scratch's memory if there is one.
void find_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                const RayContactOptions& options, ScratchData& scratch, std::vector<TrianglePair>& pairs);

/// What contacts need is there, or was built now. False if the budget's token ended that.
[[nodiscard]] bool prepared_for_contacts(const Shape& a, const Shape& b, const Budget& budget);
/// Whether the bodies share a point, as the contacts tell.
[[nodiscard]] Outcome<Answer> answer_of(const Contacts& out) noexcept;

/// While it lives, contacts that are found in this memory spend the fuel.
class UnderBudget {
 public:
  UnderBudget(ContactMemory& memory, Fuel& fuel) noexcept : memory_(memory) {
    SNUG_ASSERT(memory.fuel == nullptr);
    memory.fuel = &fuel;
  }
  ~UnderBudget() { memory_.fuel = nullptr; }
  UnderBudget(const UnderBudget&) = delete;
  UnderBudget& operator=(const UnderBudget&) = delete;

 private:
  ContactMemory& memory_;
};

/// Adds up what rays told in out.stats.
void count_contacts(Contacts& out);

/// Takes the contacts of rays out and keeps those that are predicted, for give_predicted() to add once the regions are found.
void take_predicted(Contacts& out, ContactMemory& memory);
/// Turns predictions of vertices inside flat faces to the normals of these, as far as the line along it to the plane that was hit: a body that
/// passes over a flat floor of many triangles would otherwise be held up by its inner vertices. The others' normal cones are wider, and the
/// surface that was hit has the say.
void keep_in_normal_cones(const RayTarget& a, const RayTarget& b, ContactMemory& memory);
void give_predicted(const ContactMemory& memory, Contacts& out);

/// Mixes three numbers to an id with its highest bit set, unlike those of vertices. As good as never the same for others.
[[nodiscard]] inline std::uint64_t mixed_id(std::uint32_t a, std::uint32_t b, std::uint32_t c) noexcept {
  std::uint64_t x = ((std::uint64_t{a} << 32) | b) + 0x9e3779b97f4a7c15ULL * (c + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return (x ^ (x >> 31)) | (std::uint64_t{1} << 63);
}

}  // namespace snug::contact
