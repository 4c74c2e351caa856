#include "simd/axes_scalar.hpp"
#include "simd/doubles_scalar.hpp"
#include "simd/kernels.hpp"
#include "simd/lanes_scalar.hpp"

#define SNUG_LANES scalar
#include "bvh/obb8/lanes/fill.hpp"
#include "bvh/obb8/lanes/fit.hpp"
#include "geometry/lanes/meet_line.hpp"
#include "query/distance/lanes/closest.hpp"
#include "query/pairs/dop/lanes/walk.hpp"
#include "query/pairs/obb/lanes/walk.hpp"
#include "query/raycast/lanes/first_hit.hpp"
#include "query/raycast/lanes/ray_walk.hpp"
#include "scene/lanes/box_walk.hpp"

namespace snug::lanes::scalar {

const Kernels& kernels() noexcept {
  static constexpr Kernels k_table{"scalar", fill_blocks,    fit_children,   walk,      expand,
                                   closest,  walk_box_pairs, walk_box_query, walk_dops, walk_fixed_dops,
                                   walk_ray, meet_line,      first_hit};
  return k_table;
}

}  // namespace snug::lanes::scalar
