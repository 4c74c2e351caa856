#include "simd/axes_scalar.hpp"
#include "simd/doubles_scalar.hpp"
#include "simd/kernels.hpp"
#include "simd/lanes_scalar.hpp"

#define SNUG_LANES scalar
#include "geometry/lanes/meet_line.hpp"
#include "query/dop/lanes/walk.hpp"
#include "query/ray/lanes/first_hit.hpp"
#include "query/ray/lanes/ray_walk.hpp"
#include "query/surface/lanes/closest.hpp"
#include "query/surface/lanes/walk.hpp"
#include "scene/lanes/box_walk.hpp"
#include "tree/lanes/fill.hpp"
#include "tree/lanes/fit.hpp"

namespace snug::detail::scalar {

const Kernels& kernels() noexcept {
  static constexpr Kernels k_table{"scalar", fill_blocks,    fit_children,   walk,      expand,
                                   closest,  walk_box_pairs, walk_box_query, walk_dops, walk_fixed_dops,
                                   walk_ray, meet_line,      first_hit};
  return k_table;
}

}  // namespace snug::detail::scalar
