#include "simd/kernels.hpp"
#include "simd/lanes_scalar.hpp"

#define SNUG_LANES scalar
#include "query/surface/lanes/closest.hpp"
#include "query/surface/lanes/walk.hpp"
#include "tree/lanes/fill.hpp"
#include "tree/lanes/fit.hpp"

namespace snug::detail::scalar {

const Kernels& kernels() noexcept {
  static constexpr Kernels table{"scalar", fill_blocks, fit_children, walk, expand, closest};
  return table;
}

}  // namespace snug::detail::scalar
