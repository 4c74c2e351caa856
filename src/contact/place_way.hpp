#pragma once

#include "contact/complete.hpp"
#include "support/rooms.hpp"

#include <span>

namespace snug::contact {

/// Which way two triangles that meet get apart soonest, by themselves.
[[nodiscard]] PairWay way_of(const ContactBodies& bodies, const TrianglePair& pair) noexcept;

/// True if a corner that lies inside a body is still there once it is moved so far along a unit vector.
[[nodiscard]] bool stays_inside(const RayTarget& body, const Point3& corner, const Vec3& along, double moved,
                                ContactStats& stats);

/// Of the pairs of a place that cross, how far the one that has furthest to go alone is moved; see memory.ways.
[[nodiscard]] double longest_alone(const ContactMemory& memory, std::span<const std::uint32_t> place) noexcept;

/// Which way all of some pairs that cross, by their numbers in memory.pairs, get apart soonest together: the normal along which the
/// one that overlaps furthest does so least, and how far that is. Two triangles alone are parted soonest by slipping past one another
/// at a side, which helps nobody; and large ones overlap by far more than bodies do along most ways, but not along the way
/// that parts the bodies. Where edges cross, the way across both is tried. What parts a sliver that sticks out may push all the rest further
/// in: where nothing is told yet and the shortest way leads into a body, the one is taken along which all corners of the triangles are out
/// soonest. The normals of what is told already are tried as well, and `of_all`, the way that parts all pairs of a place if these are but
/// some of them (zero: not known). Infinite if no pair crosses, or if they do all around a body, so that it would have to go all the way
/// through the other. memory.ways, as many as there are pairs, then has the ways of those that cross by themselves.
[[nodiscard]] PairWay way_of_place(const ContactBodies& bodies, ContactMemory& memory,
                                   std::span<const std::uint32_t> place, std::span<const Contact> told,
                                   ContactStats& stats, const Vec3& of_all = {});

}  // namespace snug::contact
