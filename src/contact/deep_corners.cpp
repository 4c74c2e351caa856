#include "contact/deep_corners.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace snug::contact {

namespace {

/// How far it may be from corner to corner.
constexpr int k_most_steps = 256;
/// How much to the sides, beside one down.
constexpr double k_aslant = 0.5;
/// Beyond rounding, for a corner straight below the place.
constexpr double k_as_far = 1.01;

}  // namespace

std::uint32_t DeepCorners::climb(std::uint32_t from, const Vec3& along) const noexcept {
  const Mesh& mesh = rays_.source().mesh();
  const MeshLinks& links = rays_.from().links();
  double reached = dot(along, mesh.vertices()[from]);
  for (int step = 0; step < k_most_steps; ++step) {
    const std::uint32_t here = from;
    for (const std::uint32_t t : links.around(here))
      for (const std::uint32_t corner : mesh.triangles()[t]) {
        const double reach = dot(along, mesh.vertices()[corner]);
        if (reach > reached) reached = reach, from = links.place[corner];
      }
    if (from == here) break;
  }
  return from;
}

std::optional<LineHit> DeepCorners::exit(const Point3& at, double reach, ContactStats& stats) const {
  const auto hit = rays_.target().meet({at, way_}, {reach}, stats).ahead;
  const ContactMesh& target = rays_.target().contact_mesh();
  if (!hit || hit->grazing || !hit->from_inside || !target.links().closed[hit->triangle]) return {};
  if (!target.simple() && !rays_.target().holds(at)) return {};
  return hit;
}

bool DeepCorners::begin_at(std::uint32_t from, ContactStats& stats) const {
  return !rays_.known_outside(from) && exit(rays_.posed(from), std::numeric_limits<double>::infinity(), stats);
}

double DeepCorners::add(std::uint32_t from, const Point3& place, Contacts& out) const {
  const Vec3 u = any_across(way_), v = cross(way_, u);
  std::array<std::uint32_t, 5> told{};
  std::size_t count = 0;
  double deepest = -1;
  for (const Vec3& aslant : {Vec3{}, u, v, -u, -v}) {
    const std::uint32_t vertex = climb(from, turn_back(rays_.pose().matrix(), k_aslant * aslant - way_));
    const auto end = told.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(told.begin(), end, vertex) != end) continue;
    SNUG_ASSERT(count < told.size());
    told[count++] = vertex;
    if (rays_.known_outside(vertex)) continue;
    const Point3 at = rays_.posed(vertex);
    const auto hit = exit(at, k_as_far * length_of(at - place), out.stats);
    if (!hit) continue;
    out.contacts.push_back(rays_.contact(vertex, at, {*hit, false}, {way_, hit->t, at + hit->t * way_, 1}));
    out.contacts.back().id |= std::uint64_t{1} << 40;  // the vertex may have a predicted one, too
    ++out.stats.completed;
    deepest = std::max(deepest, hit->t);
  }
  return deepest;
}

}  // namespace snug::contact
