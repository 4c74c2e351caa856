// Included once by the source of each instruction set, behind its lane types, with SNUG_LANES defined: what it instantiates is compiled
// for that set.
#pragma once

#include "bvh/obb8/lanes/fill.hpp"
#include "bvh/obb8/lanes/fit.hpp"
#include "geometry/lanes/meet_line.hpp"
#include "query/distance/lanes/closest.hpp"
#include "query/pairs/dop/lanes/walk.hpp"
#include "query/pairs/obb/lanes/walk.hpp"
#include "query/raycast/lanes/first_hit.hpp"
#include "query/raycast/lanes/ray_walk.hpp"
#include "scene/lanes/box_walk.hpp"

#define SNUG_QUOTED(name) #name
#define SNUG_NAME_OF(name) SNUG_QUOTED(name)

namespace snug::lanes::SNUG_LANES {

const Kernels& kernels() noexcept {
  static constexpr Kernels k_table{
      SNUG_NAME_OF(SNUG_LANES), fill_blocks, fit_children,    walk,     expand,    closest,  walk_box_pairs,
      walk_box_query,           walk_dops,   walk_fixed_dops, walk_ray, meet_line, first_hit};
  return k_table;
}

}  // namespace snug::lanes::SNUG_LANES
