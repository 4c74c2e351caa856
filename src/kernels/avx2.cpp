#if defined(__x86_64__)
// Everything shared with other files comes first, as baseline code: the linker may keep this file's copy of an inline
// function for all of them. Only what follows the pragma is for AVX2, and it lives in a namespace of its own.
#include "simd/kernels.hpp"

#include <immintrin.h>
#include <cmath>
#include <cstdint>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#include "simd/axes_avx2.hpp"
#include "simd/doubles_avx2.hpp"
#include "simd/lanes_avx2.hpp"

#define SNUG_LANES avx2
#include "bvh/obb8/lanes/fill.hpp"
#include "bvh/obb8/lanes/fit.hpp"
#include "geometry/lanes/meet_line.hpp"
#include "query/distance/lanes/closest.hpp"
#include "query/pairs/dop/lanes/walk.hpp"
#include "query/pairs/obb/lanes/walk.hpp"
#include "query/raycast/lanes/first_hit.hpp"
#include "query/raycast/lanes/ray_walk.hpp"
#include "scene/lanes/box_walk.hpp"

namespace snug::lanes::avx2 {

const Kernels& kernels() noexcept {
  static constexpr Kernels k_table{"avx2",   fill_blocks,    fit_children,   walk,      expand,
                                   closest,  walk_box_pairs, walk_box_query, walk_dops, walk_fixed_dops,
                                   walk_ray, meet_line,      first_hit};
  return k_table;
}

}  // namespace snug::lanes::avx2

#if defined(__clang__)
#pragma clang attribute pop
#endif  // GCC instantiates templates at the very end of the file, with the options that hold there: they stay.
#endif
