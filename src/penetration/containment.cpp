#include "penetration/containment.hpp"

#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "support/assert.hpp"

#include <snug/inspect.hpp>

#include <algorithm>

namespace snug::penetration {

namespace {

/// Does the shell come as close as `margin` to anything of `other`? Then it may just as well be flush with it.
bool comes_close(const PosedSolid& of, std::uint32_t shell, const PosedSolid& other, double margin) {
  bool close = false;
  for (const std::uint32_t t : of.topology().triangles_of(shell)) {
    if (close) break;
    const Triangle triangle = of.body().triangle(t);
    const Aabb reach = grown(of.body().box_of_triangle(t), margin);
    descend_one(
        other.body(), [&](const Aabb& box) { return !close && box.overlaps(reach); },
        [&](std::uint32_t u) {
          if (!close && other.body().box_of_triangle(u).overlaps(reach))
            close = closest_points(triangle, other.body().triangle(u)).distance <= margin;
        });
  }
  return close;
}

/// Does the shell, which does not meet the surface of `in`, reach into it once its holes are filled: by lying inside, or by
/// passing through a filling?
bool reaches_into_holes(const PosedSolid& of, std::uint32_t shell, const PosedSolid& in) {
  if (in.locate(of.corner_of_shell(shell), Filling::holes_filled) != Side::outside) return true;
  bool meets = false;
  const auto meets_no_filling = [&](const Triangle& filling) {
    const Aabb reach = box_of(filling);
    descend_one(
        of.body(), [&](const Aabb& box) { return !meets && box.overlaps(reach); },
        [&](std::uint32_t t) {
          if (!meets && of.topology().shell_of[t] == shell && of.body().box_of_triangle(t).overlaps(reach))
            meets = relation(filling, of.body().triangle(t)) != Relation::disjoint;
        });
    return !meets;
  };
  for (const Topology::Rim& rim : in.rims())
    if (!meets) in.for_each_filling(rim, meets_no_filling);
  return meets;
}

}  // namespace

std::vector<bool> shells_met(const PosedSolid& of, std::span<const TrianglePair> pairs,
                             std::uint32_t TrianglePair::* side) {
  std::vector<bool> met(of.topology().shells());
  for (const TrianglePair& pair : pairs)
    if (const std::uint32_t shell = of.topology().shell_of[pair.*side]; shell != MeshReport::k_no_shell)
      met[shell] = true;
  return met;
}

ShellsInside shells_inside(const PosedSolid& of, const PosedSolid& in, const std::vector<bool>& met, double margin) {
  ShellsInside result;
  SNUG_ASSERT(met.size() == of.topology().shells());
  for (std::uint32_t shell = 0; shell < of.topology().shells(); ++shell) {
    if (met[shell]) continue;
    // Since the surfaces do not meet, one corner speaks for its whole shell.
    const bool in_closed = in.locate(of.corner_of_shell(shell), Filling::closed_shells) == Side::inside;
    if (!in_closed && (in.closed() || !reaches_into_holes(of, shell, in))) continue;
    if (comes_close(of, shell, in, margin))
      result.flush = true;
    else if (in_closed && of.topology().shell_closed[shell])
      result.certain.push_back(shell);
    else
      result.doubtful = true;
  }
  SNUG_ASSERT(std::ranges::is_sorted(result.certain));
  return result;
}

}  // namespace snug::penetration
