#include "simd/axes_scalar.hpp"
#include "simd/doubles_scalar.hpp"
#include "simd/kernels.hpp"
#include "simd/lanes_scalar.hpp"

#define SNUG_LANES scalar
#include "kernels/table.hpp"
