#if defined(__x86_64__)
#include "simd/axes_sse2.hpp"
#include "simd/doubles_sse2.hpp"
#include "simd/kernels.hpp"
#include "simd/lanes_sse2.hpp"

#define SNUG_LANES sse2
#include "bvh/obb8/lanes/fill.hpp"
#include "bvh/obb8/lanes/fit.hpp"
#include "geometry/lanes/meet_line.hpp"
#include "query/distance/lanes/closest.hpp"
#include "query/pairs/dop/lanes/walk.hpp"
#include "query/pairs/obb/lanes/walk.hpp"
#include "query/raycast/lanes/first_hit.hpp"
#include "query/raycast/lanes/ray_walk.hpp"
#include "scene/lanes/box_walk.hpp"

namespace snug::lanes::sse2 {

const Kernels& kernels() noexcept {
  static constexpr Kernels k_table{"sse2",   fill_blocks,    fit_children,   walk,      expand,
                                   closest,  walk_box_pairs, walk_box_query, walk_dops, walk_fixed_dops,
                                   walk_ray, meet_line,      first_hit};
  return k_table;
}

}  // namespace snug::lanes::sse2
#endif
